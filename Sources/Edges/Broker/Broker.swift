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
    var core = BrokerCore(
      run: run, table: configuration.table,
      events: EventRing(
        maximumBytes: configuration.eventBytes, lifetimeMS: configuration.eventMS))
    let stateFile = try restoreStates(&core)
    defer { stateFile?.end() }
    whenBound()
    var messages: UInt64 = 0
    func figures(_ core: borrowing BrokerCore, pauses: UInt64) -> Figures {
      Figures(
        run: run, messages: messages, nodes: core.registry.nodes.count,
        topics: core.topics.count, counters: core.counters, pauses: pauses)
    }
    var nextTick = MonotonicTime.now
    while true {
      let deadline = min(nextTick, core.nextDeadline ?? nextTick)
      let ready = try sockets.wait(timeoutMS: deadline.millisecondsLeft())
      if ready.isStopping { break }
      let now = MonotonicTime.now
      if ready.orders {
        for order in orders.drain() {
          perform(order, on: &core, figures(core, pauses: sockets.rate.pauses), now: now)
        }
      }
      let heard = try sockets.drain(ready, into: &core, now: now)
      messages += heard
      if now >= deadline { core.tick(now: now) }
      if now >= nextTick {
        nextTick = now.advanced(byMS: 100)
        if sockets.crowded > 0 { core.counters["reader_full"] = sockets.crowded }
        if FailedWaits.count > 0 { core.counters["failed_waits"] = FailedWaits.count }
        logState(stateFile, on: &core)
        onTurn(figures(core, pauses: sockets.rate.pauses))
      }
      try sockets.flush(&core, now: now)
      if let stateFile, let changed = core.changedStates, !changed.isEmpty {
        stateFile.put(changed)
        core.changedStates = []
      }
      sockets.rate.pause(after: Int(heard))
    }
    let last = figures(core, pauses: sockets.rate.pauses)
    for tap in moveOut(&core.taps) { tap.end(last, topics: core.topicReports(now: .now)) }
  }

  /// Restores the states that the previous broker stored, and opens the file for updates.
  private func restoreStates(_ core: inout BrokerCore) throws(BusError) -> StateFileWriter? {
    guard let path = configuration.stateFile else { return nil }
    var kept: [Frame] = []
    if let bytes = StateFile.read(path) {
      if let frames = StateFile.frames(bytes) {
        kept = frames
      } else {
        core.count("state_file_damaged")
      }
    }
    core.restore(kept)
    core.changedStates = []
    return try StateFileWriter(path, kept: kept)
  }

  private func logState(_ stateFile: StateFileWriter?, on core: inout BrokerCore) {
    if let failures = stateFile?.failures.value, failures > 0 {
      core.counters["state_file_failed"] = failures
    }
    let refused = clinux_refused_connections()
    if refused > 0 { core.counters["connections_refused"] = UInt64(refused) }
  }

  private func perform(
    _ order: BrokerTapRequests.Order, on core: inout BrokerCore, _ figures: Figures,
    now: MonotonicTime
  ) {
    switch order {
    case .start(let tap):
      tap.start(
        latched: core.states.values(matching: ""), topics: core.topicReports(now: now),
        brokerRun: run, wallNS: wallClockNS())
      core.taps.append(tap)
    case .stop(let tap):
      guard let index = core.taps.firstIndex(where: { $0 === tap }) else { return }
      core.taps.remove(at: index)
      tap.end(figures, topics: core.topicReports(now: now))
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
