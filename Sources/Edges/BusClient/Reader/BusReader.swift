import BusProtocol
import Synchronization
import ZMQ

/// The thread of a `BusClient` that owns its SUB and DEALER sockets.
struct BusReader: ~Copyable {
  /// A request of another thread.
  enum Command: Sendable {
    case subscribe([String], sinceMS: UInt64?, whenReady: (@Sendable () -> Void)?)
    case unsubscribe([String], forgets: Bool)
    case serve([String])
    case reply(String, CallEnd)
    case call(OutgoingCall)
    case cancel(String)
    /// A request about the bus, whose token is set here; it waits for a broker.
    case list(ControlMessage.List, @Sendable (ControlMessage.Listing) -> Void)
    /// The same, but it ends without an answer if no broker is present.
    case ask(ControlMessage.List, @Sendable (ControlMessage.Listing) -> Void)
    /// An order that the broker carries out and whose outcome it reports; made for a token.
    case order(
      @Sendable (UInt64) -> ControlMessage, @Sendable (ControlMessage.Outcome?) -> Void)
    case tellBroker(ControlMessage, [UInt8])
    case registerAgain
    case askLastValues([String], UInt64)
    case takeBackStates([String], @Sendable (Bool) -> Void)
    case goOnAfterPredecessor([String], @Sendable (Bool) -> Void)
    case stop
  }

  struct OutgoingCall: Sendable {
    var id: String
    var name: String
    var vehicle: String?
    var payload: [UInt8]
    var deadline: MonotonicTime
    /// Time until which a new broker is asked again for a server that it does not know yet.
    var repeatUntil: MonotonicTime?
    var completion: @Sendable (CallEnd) -> Void
  }

  struct Sockets: ~Copyable {
    let subscriber: Socket
    let dealer: Socket

    init(_ context: Context, _ configuration: BusClient.Configuration) throws(BusError) {
      let subscriber = try Socket(.subscribe, in: context)
      let dealer = try Socket(.dealer, in: context)
      // Requests that cannot be sent immediately are repeated when a broker is present.
      try dealer.refuseUnconnected()
      try dealer.setLinger(ms: 200)
      if configuration.address.isRemote {
        try subscriber.keepAlive()
        try dealer.keepAlive()
      }
      try subscriber.connect(configuration.address.egress(lane: configuration.lane))
      try dealer.connect(configuration.address.control)
      self.subscriber = subscriber
      self.dealer = dealer
    }
  }

  /// The request that a token on the control socket belongs to.
  enum Question {
    case snapshot
    /// Of events since the given number of milliseconds before `asked`.
    case history([String], sinceMS: UInt64, asked: MonotonicTime)
    case refill(Reception.Refill)
    case list(@Sendable (ControlMessage.Listing) -> Void)
    case order(@Sendable (ControlMessage.Outcome?) -> Void)
    /// Of states, for a handover.
    case lastValues(UInt64)
    /// Of states that a predecessor of this name published.
    case ownStates(@Sendable (Bool) -> Void)
    /// Marks of the inputs that a predecessor of this name had handled.
    case handled(@Sendable (Bool) -> Void)
  }

  /// A subscription that is not in place yet.
  struct Arrival {
    /// Snapshot and history that are not delivered yet.
    var waitsFor: Set<UInt64>
    /// The echo that confirms the subscriptions; 0 until it was requested.
    var syncToken: UInt64
    var whenReady: @Sendable () -> Void
  }

  /// Interval of pings; at rest a node wakes for them only, so they are what an idle stack costs.
  static let pingMS: Int64 = 500
  /// Minimum delay of an immediate ping after the previous one.
  static let hurryMS: Int64 = 20
  static let silenceMS: Int64 = 1_500
  /// Number of tries, ten per second, before a name counts as taken.
  ///
  /// They take longer than the broker's timeout for a silent node.
  static let maximumRejections = 40

  let client: BusClient
  let sockets: Sockets
  var nextToken: UInt64 = 0
  var questions: [UInt64: Question] = [:]
  var arrivals: [Arrival] = []
  var heardSync: UInt64 = 0
  var serves: [String] = []
  var calls: [String: OutgoingCall] = [:]
  var deadlines = DeadlineHeap<String>()
  var retries = DeadlineHeap<String>()
  var served = ServedCalls()
  var brokerRun: UInt64?
  var isRegistered = false
  /// Whether the broker is new and needs last values and recent events.
  var mustRepeat = false
  /// The position from which to request reports of silent topics; nil for future ones only.
  var tailCursor: UInt64?
  var tailRound: UInt64 = 0
  var rejections = 0
  /// Handovers that have ended: a marker that arrives later, after a long queue, starts nothing.
  var endedHandovers = EndedHandovers()
  /// Whether the broker is another one; reported when messages can be sent to it.
  var hasVoidHandover = false
  /// The silence of the broker.
  var silence = LivenessTimeout()
  var nextRegister = MonotonicTime(nanoseconds: 0)
  var lastPing = MonotonicTime(nanoseconds: 0)
  /// Whether a connection exists over which the broker can receive messages.
  var isLinked = false
  var nextPing = MonotonicTime(nanoseconds: 0)
  var nextSync = MonotonicTime(nanoseconds: 0)
  private var isStopping = false

  init(_ client: BusClient, _ sockets: consuming Sockets) {
    self.client = client
    self.sockets = sockets
    rate = MessageRate(client.configuration.rateLimits)
    syncTopic = Array("_bus/sync/\(client.configuration.name)".utf8)
    markerTopic = Array("_bus/handover/\(client.configuration.name)".utf8)
  }

  private let syncTopic: [UInt8]
  private let markerTopic: [UInt8]
  private var rate: MessageRate
  /// The message to receive into, reused.
  private let incoming = Message()

  mutating func run() {
    for topic in [syncTopic, markerTopic] {
      try? sockets.subscriber.subscribe(TopicHash(0).bytes + topic)
    }
    var readiness = SocketPoller()
    let commands = readiness.add(client.commandWakeUp.descriptor)
    let dealer = readiness.add(sockets.dealer)
    let subscriber = readiness.add(sockets.subscriber)
    while !isStopping {
      let isListening = !client.inbox.isCrowded
      do throws(BusError) {
        try readiness.wait(
          timeoutMS: isListening ? patienceMS : 1, except: isListening ? nil : subscriber)
      } catch {
        FailedWaits.pause(after: error)
      }
      let now = MonotonicTime.now
      _ = silence.turn(at: now)
      var heard = 0
      if readiness[commands] {
        client.commandWakeUp.drain()
        for command in client.commands.withLock({ take(&$0) }) { perform(command, now: now) }
        readiness.doubt(subscriber)
      }
      if isListening, readiness[subscriber] {
        heard = drainSubscriber(now: now)
        rate.count(heard, at: now)
        // Readers waiting for messages do not wait for what follows.
        deliverAccepted(now: now)
      }
      if readiness[dealer] { drainDealer(now: now) }
      recordLinkChange(readiness.canSend(dealer))
      // Each turn may send to the broker.
      readiness.doubt(dealer)
      maintainConnection(now: now)
      runDueTasks(now: now)
      deliverAccepted(now: now)
      if rate.pause(after: heard) { client.link.withLock { $0.pauses = rate.pauses } }
    }
    leave()
  }

  private var patienceMS: Int {
    guard isRegistered, arrivals.isEmpty, client.isConnected else { return 5 }
    // A reader at rest wakes only to report that it is alive.
    let isAtRest = client.reception.withLock { $0.isAtRest } && retries.next == nil
    // libzmq wakes for a restored link, but another query of the socket may have consumed that
    // event.
    let mostMS = isLinked ? (isAtRest ? Self.pingMS : 50) : Self.hurryMS
    let patience = min(Int(mostMS), max(1, nextPing.millisecondsLeft()))
    return min(patience, deadlines.next?.millisecondsLeft() ?? patience)
  }

  private mutating func perform(_ command: Command, now: MonotonicTime) {
    switch command {
    case .subscribe(let patterns, let sinceMS, let whenReady):
      subscribe(patterns, sinceMS: sinceMS, whenReady: whenReady, now: now)
    case .unsubscribe(let patterns, let forgets):
      for pattern in client.reception.withLock({ $0.unsubscribe(patterns, forgets: forgets) }) {
        try? sockets.subscriber.unsubscribe(TopicHash.beginning(of: pattern))
      }
      if isRegistered { register(now: now) }
    case .serve(let names):
      serves += names.filter { !serves.contains($0) }
      register(now: now)
    case .reply(let id, let end): answer(id, end, now: now)
    case .call(let call): begin(call)
    case .cancel(let id): cancel(id)
    case .list(var question, let completion):
      question.token = ask(.list(completion))
      send(question)
    case .ask(var question, let completion):
      question.token = ask(.list(completion))
      if !send(question) { questions[nextToken] = nil }
    case .order(let order, let completion):
      if !send(order(ask(.order(completion)))) {
        questions[nextToken] = nil
        completion(nil)
      }
    case .tellBroker(let message, let payload): send(message, payload)
    case .registerAgain: register(now: now)
    case .askLastValues(let patterns, let token): askLastValues(patterns, token: token)
    case .takeBackStates(let patterns, let completion): requestOwnStates(patterns, completion)
    case .goOnAfterPredecessor(let patterns, let completion):
      requestHandledInputs(patterns, completion)
    case .stop: isStopping = true
    }
  }

  private mutating func subscribe(
    _ patterns: [String], sinceMS: UInt64?, whenReady: (@Sendable () -> Void)?, now: MonotonicTime
  ) {
    let new = client.reception.withLock { $0.subscribe(patterns) }
    for pattern in new { try? sockets.subscriber.subscribe(TopicHash.beginning(of: pattern)) }
    var waitsFor: Set<UInt64> = []
    if !new.isEmpty { waitsFor.insert(requestSnapshot(new, isHeld: true, now: now)) }
    if let sinceMS, sinceMS > 0 {
      let token = ask(.history(patterns, sinceMS: sinceMS, asked: now))
      client.reception.withLock { $0.hold(patterns, token: token, now: now) }
      requestHistory(token, patterns, sinceMS: sinceMS)
      waitsFor.insert(token)
    }
    if let whenReady {
      arrivals.append(Arrival(waitsFor: waitsFor, syncToken: 0, whenReady: whenReady))
    }
    // The broker reports to others which node reads what.
    if isRegistered { register(now: now) }
  }

  mutating func ask(_ question: Question) -> UInt64 {
    nextToken += 1
    questions[nextToken] = question
    return nextToken
  }

  /// Sends a message and an optional payload; false if no broker is present.
  @discardableResult
  func send(_ body: some ControlBody, _ payload: [UInt8]? = nil) -> Bool {
    do {
      try sockets.dealer.send([body.encoded()] + (payload.map { [$0] } ?? []))
      return true
    } catch {
      return false
    }
  }

  /// Maximum number of messages per turn, so that control messages get their turn.
  private static let batch = 1_000

  /// Reads the messages that have arrived; returns their number.
  private mutating func drainSubscriber(now: MonotonicTime) -> Int {
    var left = Self.batch
    while let (topic, payload) = receive(&left, now: now) {
      if topic == markerTopic {
        handleHandoverMarker(payload, now: now)
      } else {
        handleSyncEcho(payload)
      }
    }
    return Self.batch - left
  }

  /// Receives live messages until one is for this reader itself, and returns that one.
  ///
  /// Returns nil when the turn is used up.
  private func receive(_ left: inout Int, now: MonotonicTime) -> (topic: [UInt8], [UInt8])? {
    client.reception.withLock { reception in
      while left > 0 {
        guard (try? sockets.subscriber.receive(into: incoming)) == true else { return nil }
        left -= 1
        // Both belong to the system; most messages do not.
        if incoming.topic.first == UInt8(ascii: "_") {
          if isSame(incoming.topic, syncTopic) { return (syncTopic, Array(incoming.payload)) }
          if isSame(incoming.topic, markerTopic) { return (markerTopic, Array(incoming.payload)) }
        }
        reception.live(incoming, now: now)
      }
      return nil
    }
  }
}
