import BusClient
import BusProtocol
import Supervision
import ZMQ

/// A swap or change of scale that was not carried out, and when.
struct FailedOrder: Hashable {
  var text: String
  /// By the clock of the machine, nanoseconds since 1970.
  var wallNS: Int64
}

/// The requests to change the running stack: the operation in progress, and results of earlier
/// ones.
struct StackOrders {
  private var operation: (any StackOperation)?
  private var call: IncomingCall?
  private var judge: ReplacementJudge?
  private var judgeThread: OSThread?
  /// Last error lines of processes that ended during the operation.
  private(set) var endErrors: [String: String] = [:]
  private var events: [OperationEvent] = []
  /// Events from other threads.
  let mail: LauncherMailbox<OperationEvent>
  private var serial = 0
  /// The last order of each node, if it was not carried out, and the reason.
  private(set) var failed: [String: FailedOrder] = [:]
  /// The program that requested the last stop or restart of each process.
  var askedBy: [String: String] = [:]

  init() throws(BusError) { mail = try LauncherMailbox() }

  /// Whether an operation is in progress.
  var isBusy: Bool { operation != nil }

  /// Whether events wait to be handled.
  var hasEvents: Bool { !events.isEmpty }

  /// Time of the next action if nothing happens before; nil for never.
  var deadlineS: Double? { operation?.deadlineS }

  /// A number that no earlier operation has.
  mutating func nextSerial() -> Int {
    serial += 1
    return serial
  }

  /// Starts an operation; its call is answered when it ends.
  mutating func start(
    _ operation: any StackOperation, for call: IncomingCall, judging judge: ReplacementJudge?
  ) {
    self.operation = operation
    endErrors = [:]
    self.call = call
    self.judge = judge
    events = [.begin]
  }

  /// Ends the operation in progress and returns its call.
  mutating func finish() -> IncomingCall? {
    operation = nil
    judge = nil
    defer { call = nil }
    return call
  }

  mutating func startJudging() { judgeThread = judge?.judge(into: mail) }

  mutating func add(_ event: OperationEvent) { events.append(event) }

  /// Handles the end of a process that is not a member; `error` is its last error line.
  mutating func processLeft(_ name: String, _ reason: String, error: String?) {
    if operation != nil { endErrors[name] = error }
    events.append(.left(name, reason: reason + (error.map { ": \($0)" } ?? "")))
  }

  /// Collects the events that have arrived or are due.
  mutating func collect(atS now: Double, isStopping: Bool) {
    for event in mail.drain() { events.append(event) }
    if let deadline = operation?.deadlineS, deadline <= now { events.append(.tick) }
    if isStopping, operation != nil { events.append(.stop) }
  }

  /// The actions that follow from the next event; nil if there is none.
  mutating func nextActions(atS now: Double) -> [OperationAction]? {
    guard !events.isEmpty else { return nil }
    let event = events.removeFirst()
    if case .judged = event {
      judgeThread?.join()
      judgeThread = nil
    }
    return operation?.handle(event, atS: now) ?? []
  }

  mutating func recordFailure(of node: String, _ order: FailedOrder) { failed[node] = order }
  mutating func forgetFailure(of node: String) { failed[node] = nil }
}
