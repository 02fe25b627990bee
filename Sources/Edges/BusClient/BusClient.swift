public import BusProtocol
import Glibc
import Synchronization
public import ZMQ

/// A node's connection to the bus.
///
/// One thread owns the receiving sockets and puts received messages into one queue per topic. One
/// work loop takes them from there. Publishing goes straight to libzmq. All methods may be called
/// from any thread, and only those documented as blocking block.
public final class BusClient: Sendable {
  public struct Configuration: Sendable {
    public var address: BusAddress
    /// Name of the node: `[a-z0-9][a-z0-9._-]{0,62}`.
    public var name: String
    /// Incarnation of the process; by default the machine's time in microseconds.
    public var run: UInt64
    /// `node`, or `tool` for short-lived programs.
    public var kind: String
    public var version: String
    /// The known traits of topics.
    public var table: TopicTable
    /// Topics (without the vehicle) that the node will publish; reported to the broker.
    public var publishes: [String]
    /// Maximum number of waiting messages of a stream when the reader is slow.
    public var streamDepth: Int
    /// The egress to listen on: 0 for the shared one, otherwise a replica's own.
    public var lane: Int
    /// Name of the group that a replica belongs to; a replica also has a lane.
    public var group: String?
    /// Whether another process has the name, and this one waits to take over from it.
    public var isStandby: Bool
    /// The subscriptions that a successor must have as well; empty for all.
    public var inputs: [String]
    /// Whether the node hands its work over, and takes work over, a few slots at a time.
    public var handsOverInParts = false
    var rateLimits = MessageRate.Limits()
    /// How long the end of a turn waits for room.
    var roomPatienceMS: Int64 = 80

    public init(
      address: BusAddress, name: String, run: UInt64 = RunNumber.next(),
      kind: String = "node", version: String = "", table: TopicTable = TopicTable(),
      publishes: [String] = [], streamDepth: Int = 1, lane: Int = 0,
      group: String? = nil, isStandby: Bool = false, inputs: [String] = []
    ) {
      self.address = address
      self.name = name
      self.run = run
      self.kind = kind
      self.version = version
      self.table = table
      self.publishes = publishes
      self.streamDepth = streamDepth
      self.lane = lane
      self.group = group
      self.isStandby = isStandby
      self.inputs = inputs
    }
  }

  public let configuration: Configuration
  let context: Context
  let inbox: Inbox
  let commands = Mutex<[BusReader.Command]>([])
  let reception: Mutex<Reception>
  let outbox: Mutex<Outbox?>
  let commandWakeUp: ThreadWaker
  let link = Mutex(Link())
  private let patience: Mutex<BackPressureTimeout>
  private let thread = Mutex<OSThread?>(nil)

  struct Link {
    /// The run of the node; differs from the run at its start after it has taken slots back.
    var run: UInt64 = 0
    var isConnected = false
    /// The broker's run, set when it has answered and calls and messages can be sent.
    var brokerRun: UInt64?
    var malformedControl: UInt64 = 0
    /// Number of times the reader waited for messages to accumulate.
    var pauses: UInt64 = 0
    var isStandby = false
    /// The subscriptions of a standby or a replica are in place.
    var isReady = false
    /// Run of the process from which this one took over.
    var predecessor: UInt64?
    /// The slots of a replica.
    var slots: SlotSet?
  }

  /// Starts connecting, without waiting.
  public init(_ configuration: Configuration) throws(BusError) {
    self.configuration = configuration
    context = try Context()
    inbox = try Inbox(streamDepth: configuration.streamDepth)
    commandWakeUp = try ThreadWaker()
    patience = Mutex(BackPressureTimeout(longestMS: configuration.roomPatienceMS))
    reception = Mutex(Reception(table: configuration.table))
    if configuration.isStandby { reception.withLock { $0.receivedSlots = SlotSet() } }
    link.withLock {
      $0.run = configuration.run
      $0.isStandby = configuration.isStandby
    }
    let push = try Socket(.push, in: context)
    try push.refuseUnconnected()
    if configuration.address.isRemote { try push.keepAlive() }
    try push.connect(configuration.address.ingest)
    outbox = Mutex(
      Outbox(
        push, table: configuration.table, source: configuration.name, run: configuration.run,
        tellsClass: false, rateLimits: configuration.rateLimits))
    let reader = try BusReader.Sockets(context, configuration)
    start(reader)
  }

  private func start(_ sockets: consuming sending BusReader.Sockets) {
    // The thread holds the client until `close`.
    let handOver = Mutex<BusReader.Sockets?>(sockets)
    let box = SocketsBox(handOver)
    thread.withLock {
      $0 = OSThread("bus \(configuration.name)") { [self] in
        guard let sockets = box.remove() else { return }
        var reader = BusReader(self, sockets)
        reader.run()
      }
    }
  }

  /// The run under which the node publishes.
  public var run: UInt64 { link.withLock { $0.run } }

  /// The broker's run, if one is connected and has registered this node.
  public var brokerRun: UInt64? { link.withLock { $0.isConnected ? $0.brokerRun : nil } }
  public var isConnected: Bool { brokerRun != nil }

  /// A descriptor that is readable when `next` has something.
  public var wakeUp: ThreadWaker { inbox.wakeUp }
  /// Number of waiting events.
  public var queueLength: Int { inbox.count }

  /// Takes the oldest waiting event; nil if there is none.
  public func next() -> BusEvent? { inbox.dequeue() }
  /// Takes the oldest event; blocks up to `waitingMS` for one.
  public func next(waitingMS: Int) -> BusEvent? { inbox.dequeue(waitingMS: waitingMS) }

  public var receptions: [String: ReceptionCounters] { reception.withLock { $0.counters } }
  public var publications: [String: PublicationCounters] {
    outbox.withLock { $0?.counters ?? [:] }
  }
  /// The counts of `receptions`, summed over all vehicles, by the topic without its vehicle.
  public var receptionsByLeaf: [String: ReceptionCounters] {
    reception.withLock { $0.countersByLeaf }
  }
  /// The counts of `publications`, summed over all vehicles, by the topic without its vehicle.
  public var publicationsByLeaf: [String: PublicationCounters] {
    outbox.withLock { $0?.countersByLeaf ?? [:] }
  }
  /// The number of the last message published on a topic; nil if there was none.
  public func lastSequence(of topic: String) -> UInt64? {
    outbox.withLock { $0?.lastSequence(of: topic) ?? nil }
  }
  /// Topics on which messages were lost since the last call, and how many, in order.
  public func drainLosses() -> [(topic: String, lost: UInt64)] {
    reception.withLock { $0.drainLosses() }
  }
  /// Number of times the reader let messages accumulate before it polled again.
  var pauses: UInt64 { link.withLock { $0.pauses } }
  /// Invalid frames, by reason.
  public var malformed: [String: UInt64] { reception.withLock { $0.malformed } }

  /// Publishes immediately, or returns the reason why not.
  public func publish(_ publication: Publication) -> PublishResult {
    let result = put(publication, willRetry: false)
    guard result == .refused(.full), !isConnected else { return result }
    return .refused(.noBus)
  }

  /// Publishes, blocking up to `waitingUpToMS` while the bus has no room; for tools and batches.
  public func publish(_ publication: Publication, waitingUpToMS: Int) -> PublishResult {
    var result = put(publication, willRetry: true)
    guard result == .refused(.full) else { return result }
    let deadline = MonotonicTime.now.advanced(byMS: Int64(waitingUpToMS))
    while deadline > .now {
      var items: [PollItem] = []
      pollOrPause(&items, timeoutMS: 1)
      result = put(publication, willRetry: true)
      guard result == .refused(.full) else { return result }
    }
    return publish(publication)
  }

  /// Starts a turn of the node's loop, in which stream messages may wait to be sent together.
  ///
  /// They wait only if thousands are published per second, and until the turn ends or a message
  /// follows a millisecond later.
  public func beginTurn() { outbox.withLock { $0?.beginTurn() } }

  /// Ends a turn and sends all waiting messages; returns how many the bus did not accept.
  ///
  /// If a broker is present but has no room for them, this blocks for at most 80 ms. Such a burst,
  /// for example from a fleet whose positions are all estimated at once, is delayed and not lost.
  public func endTurn() -> Int {
    let hasGone = outbox.withLock { $0?.flushBatch() ?? true }
    if !hasGone, isConnected {
      // The outbox is available to other threads meanwhile.
      _ = patience.withLock { patience in
        patience.waits { outbox.withLock { $0?.flushBatch() ?? true } }
      }
    }
    return outbox.withLock { $0?.endTurn(now: .now) ?? 0 }
  }

  /// Whether refused states or events are waiting.
  var hasUnsent: Bool { outbox.withLock { $0?.hasUnsent ?? false } }

  private func put(_ publication: Publication, willRetry: Bool) -> PublishResult {
    outbox.withLock {
      $0?.publish(publication, willRetry: willRetry, now: .now) ?? .refused(.closed)
    }
  }

  /// Subscribes to whole names, subtrees that end in `/` ("" for all), or `*/` and a topic for all
  /// vehicles.
  ///
  /// Last values of states arrive before any live message of these patterns. `sinceMS` also
  /// requests the events of the given number of milliseconds before. `whenReady` is called, on the
  /// client's thread, when the subscriptions are in place at the broker and the last values are
  /// delivered.
  public func subscribe(
    _ patterns: [String], sinceMS: UInt64? = nil,
    whenReady: (@Sendable () -> Void)? = nil
  ) {
    send(.subscribe(patterns, sinceMS: sinceMS, whenReady: whenReady))
  }

  /// Ends subscriptions.
  ///
  /// Messages published before the next subscription to a topic count as missing, and events are
  /// requested. With `forgets`, they do not count.
  public func unsubscribe(_ patterns: [String], forgets: Bool = false) {
    send(.unsubscribe(patterns, forgets: forgets))
  }

  /// Serves these calls from now on; they arrive as `BusEvent.call`.
  public func serve(_ names: [String]) { send(.serve(names)) }

  /// Answers a call; a second answer to it is ignored.
  public func reply(to callID: String, _ end: CallEnd) { send(.reply(callID, end)) }

  /// Makes a call and returns its identity.
  ///
  /// `completion` is called exactly once with the call's end, on the client's thread.
  @discardableResult
  public func call(
    _ name: String, vehicle: String? = nil, payload: [UInt8], timeoutMS: UInt32 = 2_000,
    id: String = CallIdentity.make(), completion: @escaping @Sendable (CallEnd) -> Void
  ) -> String {
    send(
      .call(
        OutgoingCall(
          id: id, name: name, vehicle: vehicle, payload: payload,
          deadline: MonotonicTime.now.advanced(byMS: Int64(timeoutMS)), completion: completion)))
    return id
  }

  /// Cancels a call; it ends as `cancelled`.
  public func cancel(callID: String) { send(.cancel(callID)) }

  /// Signs off and closes; blocks until published messages have been sent, for at most half a
  /// second.
  public func close() {
    send(.stop)
    let thread = thread.withLock { $0.take() }
    thread?.join()
    outbox.withLock { $0 = nil }
  }

  /// Asks for the vehicles with a message in the last `sinceMS` milliseconds, in the order of their
  /// names.
  ///
  /// `completion` is called on the client's thread; never if no broker answers.
  public func requestVehicles(
    heardSinceMS sinceMS: UInt64, completion: @escaping @Sendable ([String]) -> Void
  ) {
    let request = ControlMessage.List(sinceMs: sinceMS, what: "vehicles")
    send(.ask(request) { completion($0.vehicles) })
  }

  /// Asks for the vehicles for which another node or socket subscribes to one of `leaves` (topics
  /// without the vehicle).
  ///
  /// `completion` gets their names, or `*` alone for every vehicle, on the client's thread; it is
  /// never called if no broker answers.
  public func requestReadVehicles(
    of leaves: [String], completion: @escaping @Sendable ([String]) -> Void
  ) {
    let request = ControlMessage.List(patterns: leaves, what: "readers")
    send(.ask(request) { completion($0.vehicles) })
  }

  func send(_ command: BusReader.Command) {
    commands.withLock { $0.append(command) }
    commandWakeUp.signal()
  }
}

/// Transfers sockets to the thread that owns them from then on.
private final class SocketsBox: Sendable {
  private let sockets: Mutex<BusReader.Sockets?>

  init(_ sockets: consuming sending Mutex<BusReader.Sockets?>) { self.sockets = sockets }

  func remove() -> sending BusReader.Sockets? { sockets.withLock { $0.take() } }
}

/// Generates identities of calls: 128 bits in hexadecimal that sort by creation time.
public enum CallIdentity {
  public static func make() -> String {
    let time = UInt64(clamping: wallClockNS() / 1_000_000) & 0xffff_ffff_ffff
    return hexadecimal(time << 16 | UInt64.random(in: 0...0xffff))
      + hexadecimal(UInt64.random(in: .min ... .max))
  }

  private static func hexadecimal(_ value: UInt64) -> String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
