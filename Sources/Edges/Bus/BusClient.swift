import Glibc
import Synchronization

/// A node's connection to the bus.
///
/// One thread owns the sockets that receive and hands what it hears to queues for each topic, from
/// which one work loop takes it; publishing goes straight to libzmq. All methods may be called
/// from any thread, and none but those that say so blocks.
public final class BusClient: Sendable {
  public struct Configuration: Sendable {
    public var address: BusAddress
    /// Name of the node: `[a-z0-9][a-z0-9._-]{0,62}`.
    public var name: String
    /// Incarnation of the process; by default the machine's time in microseconds.
    public var run: UInt64
    /// `node`, or `tool` for what comes and goes.
    public var kind: String
    public var version: String
    /// What is known of topics.
    public var table: TopicTable
    /// Topics (without the vehicle) that the node will publish; told to the broker.
    public var publishes: [String]
    /// How many messages of a stream wait when the reader is slow.
    public var streamDepth: Int
    /// Which egress to listen on: 0 for the one that everybody hears, else a replica's own.
    public var lane: Int
    /// Name of the group that a replica belongs to; it has a lane, too.
    public var group: String?
    /// Whether another process has the name, and this one waits to take over from it.
    public var isStandby: Bool
    /// The subscriptions that a successor must have, too; empty for all.
    public var inputs: [String]
    /// Whether the node hands its work over, and takes it over, a few slots at a time.
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
  let commandWakeUp: WakeUp
  let link = Mutex(Link())
  private let patience: Mutex<RoomPatience>
  private let thread = Mutex<OSThread?>(nil)

  struct Link {
    /// The node's run; another one than at its start after it has taken slots back.
    var run: UInt64 = 0
    var isConnected = false
    /// The broker has answered, and calls and messages can go.
    var brokerRun: UInt64?
    var malformedControl: UInt64 = 0
    /// How often the reader waited for messages to come together.
    var pauses: UInt64 = 0
    var isStandby = false
    /// The subscriptions of a standby or a replica are in place.
    var isReady = false
    /// Run of the process that this one took over from.
    var predecessor: UInt64?
    /// What a replica has.
    var slots: SlotSet?
  }

  /// Starts connecting; nothing is waited for.
  public init(_ configuration: Configuration) throws(BusError) {
    self.configuration = configuration
    context = try Context()
    inbox = try Inbox(streamDepth: configuration.streamDepth)
    commandWakeUp = try WakeUp()
    patience = Mutex(RoomPatience(longestMS: configuration.roomPatienceMS))
    reception = Mutex(Reception(table: configuration.table))
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
        guard let sockets = box.take() else { return }
        var reader = BusReader(self, sockets)
        reader.run()
      }
    }
  }

  /// The run under which the node publishes.
  public var run: UInt64 { link.withLock { $0.run } }

  /// The broker's run where one is connected and has taken this node in.
  public var brokerRun: UInt64? { link.withLock { $0.isConnected ? $0.brokerRun : nil } }
  public var isConnected: Bool { brokerRun != nil }

  /// A descriptor that is readable when `next` has something.
  public var wakeUp: WakeUp { inbox.wakeUp }
  /// Events that wait to be taken.
  public var queueLength: Int { inbox.count }

  /// Takes the oldest event that waits; nil where there is none.
  public func next() -> BusEvent? { inbox.take() }
  /// Takes the oldest event; blocks up to `waitingMS` for one.
  public func next(waitingMS: Int) -> BusEvent? { inbox.take(waitingMS: waitingMS) }

  public var receptions: [String: ReceptionCounters] { reception.withLock { $0.counters } }
  public var publications: [String: PublicationCounters] {
    outbox.withLock { $0?.counters ?? [:] }
  }
  /// What `receptions` tells, of all vehicles together, by the topic without its vehicle.
  public var receptionsByLeaf: [String: ReceptionCounters] {
    reception.withLock { $0.countersByLeaf }
  }
  /// What `publications` tells, of all vehicles together, by the topic without its vehicle.
  public var publicationsByLeaf: [String: PublicationCounters] {
    outbox.withLock { $0?.countersByLeaf ?? [:] }
  }
  /// The number of the last message published on a topic; nil where there was none.
  public func lastSequence(of topic: String) -> UInt64? {
    outbox.withLock { $0?.lastSequence(of: topic) ?? nil }
  }
  /// Topics on which messages were lost since this was last asked, and how many, in order.
  public func takeNewLosses() -> [(topic: String, lost: UInt64)] {
    reception.withLock { $0.takeNewLosses() }
  }
  /// How often the reader let messages come together before it looked again.
  var pauses: UInt64 { link.withLock { $0.pauses } }
  /// Frames that were no messages, by reason.
  public var malformed: [String: UInt64] { reception.withLock { $0.malformed } }

  /// Publishes at once, or says why not.
  public func publish(_ publication: Publication) -> PublishResult {
    let result = put(publication, willRetry: false)
    guard result == .refused(.full), !isConnected else { return result }
    return .refused(.noBus)
  }

  /// Publishes, blocking up to `waitingUpToMS` while the bus has no room: for tools and batches.
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

  /// Begins a turn of the node's loop: streams' messages may wait for its end, or until one follows
  /// a millisecond later, where thousands are published each second.
  public func beginTurn() { outbox.withLock { $0?.beginTurn() } }

  /// Ends a turn: whatever waits goes; gives how many messages the bus did not take.
  ///
  /// Where a broker is there that has no room for them, blocks for 80 ms at most: a burst, such as
  /// that of a fleet of which all places are estimated at once, is held back rather than lost.
  public func endTurn() -> Int {
    let hasGone = outbox.withLock { $0?.sendsGathered() ?? true }
    if !hasGone, isConnected {
      // The outbox is others' meanwhile.
      _ = patience.withLock { patience in
        patience.waits { outbox.withLock { $0?.sendsGathered() ?? true } }
      }
    }
    return outbox.withLock { $0?.endTurn(now: .now) ?? 0 }
  }

  /// Whether states or events wait that were refused.
  var hasUnsent: Bool { outbox.withLock { $0?.hasUnsent ?? false } }

  private func put(_ publication: Publication, willRetry: Bool) -> PublishResult {
    outbox.withLock {
      $0?.publish(publication, willRetry: willRetry, now: .now) ?? .refused(.closed)
    }
  }

  /// Reads topics: whole names, subtrees that end in `/` ("" for everything), or `*/` and a topic
  /// for that of every vehicle.
  ///
  /// States' last values come before anything live of these patterns. `sinceMS` also asks for the
  /// events of so many milliseconds before. `whenReady` is called, on the client's thread, when
  /// the subscriptions are in place at the broker and the last values are delivered.
  public func subscribe(
    _ patterns: [String], sinceMS: UInt64? = nil,
    whenReady: (@Sendable () -> Void)? = nil
  ) {
    send(.subscribe(patterns, sinceMS: sinceMS, whenReady: whenReady))
  }

  /// Ends subscriptions.
  ///
  /// Messages that are published before the next subscription to a topic count as missing, and events are asked for;
  /// not so where it `forgets`.
  public func unsubscribe(_ patterns: [String], forgets: Bool = false) {
    send(.unsubscribe(patterns, forgets: forgets))
  }

  /// Answers these calls from now on; they come as `BusEvent.call`.
  public func serve(_ names: [String]) { send(.serve(names)) }

  /// Answers a call; a second answer to it is ignored.
  public func reply(to callID: String, _ end: CallEnd) { send(.reply(callID, end)) }

  /// Makes a call and gives its identity.
  ///
  /// `completion` gets its only end, on the client's thread.
  @discardableResult
  public func call(
    _ name: String, vehicle: String? = nil, payload: [UInt8], timeoutMS: UInt32 = 2_000,
    id: String = CallIdentity.make(), completion: @escaping @Sendable (CallEnd) -> Void
  ) -> String {
    send(
      .call(
        BusReader.OutgoingCall(
          id: id, name: name, vehicle: vehicle, payload: payload,
          deadline: MonotonicTime.now.advanced(byMS: Int64(timeoutMS)), completion: completion)))
    return id
  }

  /// Gives up a call; it ends as `cancelled`.
  public func cancel(callID: String) { send(.cancel(callID)) }

  /// Says goodbye and closes; blocks until what was published has left, half a second at most.
  public func close() {
    send(.stop)
    let thread = thread.withLock { $0.take() }
    thread?.join()
    outbox.withLock { $0 = nil }
  }

  /// Asks for the vehicles with a message in the last `sinceMS` milliseconds, in the order of their names.
  ///
  /// `completion` is called on the client's thread; never if no broker answers.
  public func askVehicles(
    heardSinceMS sinceMS: UInt64, completion: @escaping @Sendable ([String]) -> Void
  ) {
    var head = Control(.list)
    head.what = "vehicles"
    head.sinceMS = sinceMS
    send(.ask(head) { completion($0.vehicles) })
  }

  /// Asks for the vehicles of which another node or socket subscribes to one of `leaves` (topics without the vehicle).
  ///
  /// `completion` gets their names, or `*` alone for every vehicle, on the client's thread; it is never called if no
  /// broker answers.
  public func askReaders(
    of leaves: [String], completion: @escaping @Sendable ([String]) -> Void
  ) {
    var head = Control(.list)
    head.what = "readers"
    head.patterns = leaves
    send(.ask(head) { completion($0.vehicles) })
  }

  func send(_ command: BusReader.Command) {
    commands.withLock { $0.append(command) }
    commandWakeUp.signal()
  }
}

/// Carries sockets to the thread that owns them from then on.
private final class SocketsBox: Sendable {
  private let sockets: Mutex<BusReader.Sockets?>

  init(_ sockets: consuming sending Mutex<BusReader.Sockets?>) { self.sockets = sockets }

  func take() -> sending BusReader.Sockets? { sockets.withLock { $0.take() } }
}

/// Identities of calls: 128 bits in hexadecimal that sort by the time they were made.
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
