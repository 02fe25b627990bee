public import BusProtocol
import CLinux
import Glibc
public import ZMQ

/// The single process through which all messages of a bus pass.
///
/// It binds the three endpoints of an address and runs on the thread that calls `run`. It reads the
/// topic and the header of a message, never the payload.
public struct Broker: Sendable {
  public struct Configuration: Sendable {
    public var address: BusAddress
    /// The topics of the contract; nodes add to them as they register.
    public var table: TopicTable
    /// How long events are kept for readers that missed some.
    public var eventMS: Int64
    public var eventBytes: Int
    /// Path of the file that stores the last values of states for the next broker; nil for none.
    public var stateFile: String?
    var rateLimits = MessageRate.Limits()

    public init(
      address: BusAddress, table: TopicTable = TopicTable(), eventMS: Int64 = 30_000,
      eventBytes: Int = 64 << 20, stateFile: String? = nil
    ) {
      self.address = address
      self.table = table
      self.eventMS = eventMS
      self.eventBytes = eventBytes
      self.stateFile = stateFile
    }
  }

  /// Figures that the broker reports about itself at each turn of its loop.
  public struct Figures: Hashable, Sendable {
    public var run: UInt64
    public var messages: UInt64
    public var nodes: Int
    public var topics: Int
    /// What was dropped, by reason.
    public var counters: [String: UInt64]
    /// Number of times the loop waited for messages to accumulate.
    public var pauses: UInt64
  }

  private let configuration: Configuration
  private let orders = BrokerTapRequests()
  /// Run number of this broker; greater than that of any earlier broker in this stack.
  public let run: UInt64

  public init(_ configuration: Configuration) {
    self.configuration = configuration
    self.run = RunNumber.next()
  }

  /// Passes everything that is accepted from now on to `tap`; callable from any thread, also before
  /// `run`.
  public func start(_ tap: any BrokerTap) { orders.put(.start(tap)) }

  /// Stops soon what `start` started; the tap is notified.
  public func stop(_ tap: any BrokerTap) { orders.put(.stop(tap)) }

  /// Serves until `stop` is signalled; `onTurn` is called at least ten times a second.
  ///
  /// - Throws: `BusError` or `BusAddress.Invalid` where an endpoint cannot be bound, or another
  ///   broker holds it.
  public func run(
    until stop: ThreadWaker, whenBound: () -> Void = {}, onTurn: (Figures) -> Void = { _ in }
  ) throws {
    let address = configuration.address
    try address.makeDirectory()
    let lock = try BrokerLock(address)
    defer { lock.release() }
    var sockets = try BrokerSockets(
      address, rate: MessageRate(configuration.rateLimits), stop: stop, orders: orders)
    defer { lock.removeSockets() }
    var board = BrokerCore(
      run: run, table: configuration.table,
      events: EventRing(
        maximumBytes: configuration.eventBytes, lifetimeMS: configuration.eventMS))
    let stateFile = try restoreStates(&board)
    defer { stateFile?.end() }
    whenBound()
    var messages: UInt64 = 0
    func figures(_ board: borrowing BrokerCore, pauses: UInt64) -> Figures {
      Figures(
        run: run, messages: messages, nodes: board.registry.nodes.count,
        topics: board.topics.count, counters: board.counters, pauses: pauses)
    }
    var nextTick = MonotonicTime.now
    while true {
      let deadline = min(nextTick, board.nextDeadline ?? nextTick)
      let ready = try sockets.wait(timeoutMS: deadline.millisecondsLeft())
      if ready.isStopping { break }
      let now = MonotonicTime.now
      if ready.orders {
        for order in orders.takeAll() {
          perform(order, on: &board, figures(board, pauses: sockets.rate.pauses), now: now)
        }
      }
      let heard = try sockets.drain(ready, into: &board, now: now)
      messages += heard
      if now >= deadline { board.tick(now: now) }
      if now >= nextTick {
        nextTick = now.advanced(byMS: 100)
        if sockets.crowded > 0 { board.counters["reader_full"] = sockets.crowded }
        if FailedWaits.count > 0 { board.counters["failed_waits"] = FailedWaits.count }
        logState(stateFile, on: &board)
        onTurn(figures(board, pauses: sockets.rate.pauses))
      }
      try sockets.flush(&board, now: now)
      if let stateFile, let changed = board.changedStates, !changed.isEmpty {
        stateFile.put(changed)
        board.changedStates = []
      }
      sockets.rate.pause(after: Int(heard))
    }
    let last = figures(board, pauses: sockets.rate.pauses)
    for tap in take(&board.taps) { tap.end(last, topics: board.topicReports(now: .now)) }
  }

  /// Restores the states that the previous broker stored, and opens the file for updates.
  private func restoreStates(_ board: inout BrokerCore) throws(BusError) -> StateFileWriter? {
    guard let path = configuration.stateFile else { return nil }
    var kept: [Frame] = []
    if let bytes = StateFile.read(path) {
      if let frames = StateFile.frames(bytes) {
        kept = frames
      } else {
        board.count("state_file_damaged")
      }
    }
    board.restore(kept)
    board.changedStates = []
    return try StateFileWriter(path, kept: kept)
  }

  private func logState(_ stateFile: StateFileWriter?, on board: inout BrokerCore) {
    if let failures = stateFile?.failures.value, failures > 0 {
      board.counters["state_file_failed"] = failures
    }
    let refused = clinux_refused_connections()
    if refused > 0 { board.counters["connections_refused"] = UInt64(refused) }
  }

  private func perform(
    _ order: BrokerTapRequests.Order, on board: inout BrokerCore, _ figures: Figures,
    now: MonotonicTime
  ) {
    switch order {
    case .start(let tap):
      tap.begin(
        latched: board.states.values(matching: ""), topics: board.topicReports(now: now),
        brokerRun: run, wallNS: wallClockNS())
      board.taps.append(tap)
    case .stop(let tap):
      guard let index = board.taps.firstIndex(where: { $0 === tap }) else { return }
      board.taps.remove(at: index)
      tap.end(figures, topics: board.topicReports(now: now))
    }
  }
}

/// The exclusive right to serve an ipc address; nothing over tcp, where the port is that right.
private struct BrokerLock {
  private let descriptor: Int32
  private let directory: String?

  init(_ address: BusAddress) throws(BusError) {
    directory = address.directory
    guard let directory else {
      descriptor = -1
      return
    }
    descriptor = try lockFile("\(directory)/lock")
  }

  func removeSockets() {
    guard let directory else { return }
    let lanes = (0...EgressSet.last).map { "out.\($0)" }
    for name in ["in", "out", "control", "lock"] + lanes { unlink("\(directory)/\(name)") }
  }

  func release() { if descriptor >= 0 { close(descriptor) } }
}
