import Bus

/// A change of the running stack that takes several steps: a struct that answers one event at a time.
///
/// It holds no process, no socket and no clock. One at a time is under way.
protocol StackOperation {
  mutating func handle(_ event: OperationEvent, atS now: Double) -> [OperationAction]
  /// When `tick` is due if nothing happens before; nil for never.
  var deadlineS: Double? { get }
}

enum OperationEvent {
  case begin
  /// What the new program is, or why it does not fit.
  case judged(Result<Successor, OperationFailure>)
  /// A process of this operation says that it is ready.
  case ready(String)
  /// … or has ended.
  case left(String, reason: String)
  /// How the broker has done what it was ordered.
  case outcome(HandoverReport)
  case tick
  /// The stack stops, and nothing more shall begin.
  case stop
}

enum OperationAction {
  /// Asks the new program what it is, and checks the stack with it.
  case judge
  /// Starts a process beside those of the stack.
  case admit(String, ProcessPlan)
  /// Has the standby of a process do the same as that, in silence, and compare.
  case shadow(name: String)
  case handOver(name: String)
  case rescale(group: String, lanes: [Int])
  /// A standby has taken a place, or a new replica its share.
  case adopt(String, as: String)
  case dismiss(String)
  case retire(String)
  /// From now on the node is this.
  case settle(Successor)
  case resize(node: String, replicas: Int)
  case finish(Result<OperationResult, OperationFailure>)
}

/// Why a change did not come about, in a sentence; the stack is as it was unless that says otherwise.
struct OperationFailure: Error, Hashable {
  /// One of the call's error codes.
  var code: String
  var message: String
  /// The process whose fault it is, and whose last error line belongs to the report; nil for none.
  var process: String?

  init(_ code: String, _ message: String, of process: String? = nil) {
    self.code = code
    self.message = message
    self.process = process
  }
}

enum OperationResult {
  case swapped(program: String, [(process: String, HandoverReport)], preparedS: Double)
  case scaled(before: Int, after: Int, HandoverReport)
}

/// What the broker says of a handover, or of several of one group.
struct HandoverReport: Hashable, Sendable {
  /// nil where it went well.
  var failure: String?
  /// Whether the broker has not yet heard of the new one what the launcher has heard.
  var isEarly = false
  /// Longest time that a message waited.
  var heldMS = 0.0
  var stateBytes = 0
  /// Calls that waited, or slots that moved.
  var count = 0
  var handovers = 0
  /// A remark on a handover that succeeded; nil for none.
  var remark: String?
  /// Messages that a shadow compared before; nil without one.
  var compared: Int?
  var different = 0
  /// The first difference.
  var difference: String?
}
