/// A change of the running stack in several steps: a struct that answers one event at a time.
///
/// It holds no process, no socket and no clock. One operation is in progress at a time.
package protocol StackOperation {
  mutating func handle(_ event: OperationEvent, atS now: Double) -> [OperationAction]
  /// Time at which `tick` is due if nothing happens before; nil for never.
  var deadlineS: Double? { get }
}

package enum OperationEvent: Sendable {
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

package enum OperationAction: Sendable {
  /// Requests the new program's manifest, and checks the stack with it.
  case judge
  /// Starts a process in addition to those of the stack.
  case admit(String, ProcessPlan)
  /// Lets the standby of a process do the same work silently, and compares.
  case shadow(name: String)
  case handOver(name: String)
  case rescale(group: String, lanes: [Int])
  /// A standby has taken a place, or a new replica its share.
  case promote(String, as: String)
  case discard(String)
  case retire(String)
  /// Changes the settings of the node from now on.
  case settle(Successor)
  case resize(node: String, replicas: Int)
  case finish(Result<OperationResult, OperationFailure>)
}

/// The reason why a change failed, as a sentence.
///
/// The stack is as it was unless the sentence states otherwise.
package struct OperationFailure: Error, Hashable {
  /// One of the call's error codes.
  package var code: String
  package var message: String
  /// The process that caused it, whose last error line belongs to the report; nil for none.
  package var process: String?

  package init(_ code: String, _ message: String, of process: String? = nil) {
    self.code = code
    self.message = message
    self.process = process
  }
}

package enum OperationResult: Sendable {
  case swapped(program: String, [(process: String, HandoverReport)], preparedS: Double)
  case scaled(before: Int, after: Int, HandoverReport)
}

/// The broker's report on a handover, or on several of one group.
package struct HandoverReport: Hashable, Sendable {
  /// The failure; nil if it succeeded.
  package var failure: String?
  /// Whether the launcher knows of the new process earlier than the broker.
  package var isEarly = false
  /// Longest time that a message waited.
  package var heldMS = 0.0
  package var stateBytes = 0
  /// Number of calls that waited, or of slots that moved.
  package var count = 0
  package var handovers = 0
  /// A remark on a handover that succeeded; nil for none.
  package var remark: String?
  /// Messages that an earlier shadow compared; nil without one.
  package var compared: Int?
  package var different = 0
  /// The first difference.
  package var difference: String?

  package init(
    failure: String? = nil, isEarly: Bool = false, heldMS: Double = 0, stateBytes: Int = 0,
    count: Int = 0, handovers: Int = 0, remark: String? = nil, compared: Int? = nil,
    different: Int = 0, difference: String? = nil
  ) {
    self.failure = failure
    self.isEarly = isEarly
    self.heldMS = heldMS
    self.stateBytes = stateBytes
    self.count = count
    self.handovers = handovers
    self.remark = remark
    self.compared = compared
    self.different = different
    self.difference = difference
  }
}
