/// A change of the running stack in several steps: a struct that answers one event at a time.
///
/// It holds no process, no socket and no clock. One operation is in progress at a time.
protocol StackOperation {
  mutating func handle(_ event: OperationEvent, atS now: Double) -> [OperationAction]
  /// Time at which `tick` is due if nothing happens before; nil for never.
  var deadlineS: Double? { get }
}

enum OperationEvent {
  case begin
  /// The result of the new program's check, or why it does not fit.
  case judged(Result<Successor, OperationFailure>)
  /// A process of this operation reports that it is ready.
  case ready(String)
  /// … or has ended.
  case left(String, reason: String)
  /// The outcome of an order to the broker.
  case outcome(HandoverReport)
  case tick
  /// The stack stops, and nothing more must start.
  case stop
}

enum OperationAction {
  /// Requests the new program's manifest, and checks the stack with it.
  case judge
  /// Starts a process in addition to those of the stack.
  case admit(String, ProcessPlan)
  /// Lets the standby of a process do the same work silently, and compares.
  case shadow(name: String)
  case handOver(name: String)
  case rescale(group: String, lanes: [Int])
  /// A standby has taken a place, or a new replica its share.
  case adopt(String, as: String)
  case dismiss(String)
  case retire(String)
  /// Changes the settings of the node from now on.
  case settle(Successor)
  case resize(node: String, replicas: Int)
  case finish(Result<OperationResult, OperationFailure>)
}

/// The reason why a change failed, as a sentence.
///
/// The stack is as it was unless the sentence states otherwise.
struct OperationFailure: Error, Hashable {
  /// One of the call's error codes.
  var code: String
  var message: String
  /// The process that caused it, whose last error line belongs to the report; nil for none.
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

/// The broker's report on a handover, or on several of one group.
struct HandoverReport: Hashable, Sendable {
  /// The failure; nil if it succeeded.
  var failure: String?
  /// Whether the launcher knows of the new process earlier than the broker.
  var isEarly = false
  /// Longest time that a message waited.
  var heldMS = 0.0
  var stateBytes = 0
  /// Number of calls that waited, or of slots that moved.
  var count = 0
  var handovers = 0
  /// A remark on a handover that succeeded; nil for none.
  var remark: String?
  /// Messages that an earlier shadow compared; nil without one.
  var compared: Int?
  var different = 0
  /// The first difference.
  var difference: String?
}
