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

  struct Sockets: ~Copyable {
    let subscriber: Socket
    let control: ControlSocket

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
      control = ControlSocket(socket: dealer)
    }
  }

  private let client: BusClient
  private let sockets: Sockets
  private var link: BrokerLink
  private var requests: PendingRequests
  private var subscriptions: OpenSubscriptions
  private var calls: OutgoingCalls
  private var served: ServedCalls
  private var handovers: HandoverReader
  private var isStopping = false
  private let syncTopic: [UInt8]
  private let markerTopic: [UInt8]
  private var rate: MessageRate
  /// The message to receive into, reused.
  private let incoming = Message()

  init(_ client: BusClient, _ sockets: consuming Sockets) {
    self.client = client
    self.sockets = sockets
    link = BrokerLink(client)
    requests = PendingRequests(client)
    subscriptions = OpenSubscriptions(client)
    calls = OutgoingCalls(source: client.configuration.name)
    served = ServedCalls(client)
    handovers = HandoverReader(client)
    rate = MessageRate(client.configuration.rateLimits)
    syncTopic = Array("_bus/sync/\(client.configuration.name)".utf8)
    markerTopic = Array("_bus/handover/\(client.configuration.name)".utf8)
  }

  mutating func run() {
    for topic in [syncTopic, markerTopic] {
      try? sockets.subscriber.subscribe(TopicHash(0).bytes + topic)
    }
    var readiness = SocketPoller()
    let commands = readiness.add(client.commandWakeUp.descriptor)
    let dealer = readiness.add(sockets.control.socket)
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
      link.recordTurn(now: now)
      var heard = 0
      if readiness[commands] {
        client.commandWakeUp.drain()
        for command in client.commands.withLock({ moveOut(&$0) }) { perform(command, now: now) }
        readiness.doubt(subscriber)
      }
      if isListening, readiness[subscriber] {
        heard = drainSubscriber(now: now)
        rate.count(heard, at: now)
        // Readers waiting for messages do not wait for what follows.
        deliverAccepted(now: now)
      }
      if readiness[dealer] { drainControl(now: now) }
      link.recordChange(readiness.canSend(dealer))
      // Each turn may send to the broker.
      readiness.doubt(dealer)
      link.maintain(over: sockets.control, now: now)
      if link.isRegistered {
        subscriptions.requestSync(&requests, over: sockets.control, now: now)
      }
      runDueTasks(now: now)
      deliverAccepted(now: now)
      if rate.pause(after: heard) { client.link.withLock { $0.pauses = rate.pauses } }
    }
    leave()
  }

  private var patienceMS: Int {
    guard link.isRegistered, subscriptions.isEmpty, client.isConnected else { return 5 }
    // A reader at rest wakes only to report that it is alive.
    let isAtRest = client.reception.withLock { $0.isAtRest } && !calls.isRetrying
    let patience = link.patienceMS(isAtRest: isAtRest)
    return min(patience, calls.nextDeadline?.millisecondsLeft() ?? patience)
  }

  private mutating func runDueTasks(now: MonotonicTime) {
    let isRegistered = link.isRegistered
    client.reception.withLock {
      // Requests that were made while no broker was present are repeated when one is.
      if !isRegistered { $0.holdLonger(now: now) }
      $0.tick(now: now)
    }
    calls.handleDue(isRegistered: isRegistered, over: sockets.control, now: now)
    served.forget(now: now)
  }

  /// Signs off, and ends what is in progress.
  private mutating func leave() {
    link.leave(over: sockets.control)
    calls.end()
    requests.end()
  }

  // MARK: Commands

  private mutating func perform(_ command: Command, now: MonotonicTime) {
    switch command {
    case .subscribe(let patterns, let sinceMS, let whenReady):
      subscribe(patterns, sinceMS: sinceMS, whenReady: whenReady, now: now)
    case .unsubscribe(let patterns, let forgets):
      for pattern in client.reception.withLock({ $0.unsubscribe(patterns, forgets: forgets) }) {
        try? sockets.subscriber.unsubscribe(TopicHash.beginning(of: pattern))
      }
      if link.isRegistered { link.register(over: sockets.control, now: now) }
    case .serve(let names): link.serve(names, over: sockets.control, now: now)
    case .reply(let id, let end): served.reply(id, end, over: sockets.control, now: now)
    case .call(let call):
      calls.make(call, isRegistered: link.isRegistered, over: sockets.control)
    case .cancel(let id):
      calls.cancel(id, isRegistered: link.isRegistered, over: sockets.control)
    case .list(let list, let completion):
      requests.requestList(list, waits: true, over: sockets.control, completion)
    case .ask(let list, let completion):
      requests.requestList(list, waits: false, over: sockets.control, completion)
    case .order(let order, let completion):
      requests.order(order, over: sockets.control, completion)
    case .tellBroker(let message, let payload): sockets.control.send(message, payload)
    case .registerAgain: link.register(over: sockets.control, now: now)
    case .askLastValues(let patterns, let token):
      requests.requestLastValues(patterns, handover: token, over: sockets.control)
    case .takeBackStates(let patterns, let completion):
      requests.requestOwnStates(patterns, over: sockets.control, completion)
    case .goOnAfterPredecessor(let patterns, let completion):
      requests.requestHandledInputs(patterns, over: sockets.control, completion)
    case .stop: isStopping = true
    }
  }

  private mutating func subscribe(
    _ patterns: [String], sinceMS: UInt64?, whenReady: (@Sendable () -> Void)?, now: MonotonicTime
  ) {
    let new = client.reception.withLock { $0.subscribe(patterns) }
    for pattern in new { try? sockets.subscriber.subscribe(TopicHash.beginning(of: pattern)) }
    var waitsFor: Set<UInt64> = []
    if !new.isEmpty {
      waitsFor.insert(
        requests.requestSnapshot(new, isHeld: true, over: sockets.control, now: now))
    }
    if let sinceMS, sinceMS > 0 {
      waitsFor.insert(
        requests.requestHistory(patterns, sinceMS: sinceMS, over: sockets.control, now: now))
    }
    if let whenReady { subscriptions.add(waitsFor: waitsFor, whenReady: whenReady) }
    // The broker reports to others which node reads what.
    if link.isRegistered { link.register(over: sockets.control, now: now) }
  }

  // MARK: Messages of the broker

  private mutating func drainControl(now: MonotonicTime) {
    while let parts = sockets.control.receive() {
      guard let first = parts.first, let message = try? ControlMessage(decoding: first) else {
        client.link.withLock { $0.malformedControl += 1 }
        continue
      }
      link.recordMessage(now: now)
      handle(message, Array(parts.dropFirst()), now: now)
    }
  }

  private mutating func handle(_ message: ControlMessage, _ rest: [[UInt8]], now: MonotonicTime) {
    let payload = rest.first ?? []
    switch message {
    case .welcome(let body):
      guard link.handle(body) else { return }
      requests.restart(over: sockets.control, now: now)
      calls.repeatAll(over: sockets.control, now: now)
    case .rejected(let body): link.handle(body, now: now)
    case .pong(let body):
      if link.handle(body, over: sockets.control, now: now) {
        subscriptions.handleTails(body.tails)
      }
    case .item(let body): requests.handle(body, rest, now: now)
    case .end(let body): requests.handle(body, now: now)
    case .listing(let body): requests.handle(body)
    case .outcome(let body): requests.handle(body)
    case .marks(let body): requests.handle(body, payload)
    case .call(let body): served.handle(body, payload, over: sockets.control, now: now)
    case .reply(let body): calls.handle(body, payload, now: now)
    case .cancel(let body): client.inbox.append(.cancelled(callID: body.id))
    case .weigh, .freeze, .import, .release, .retire, .resume, .dismiss, .inherit:
      handovers.handle(message, payload)
    case .refused(let body):
      client.inbox.append(
        .refused(topic: body.topic, writer: body.src, owner: body.name, code: body.code))
    default: break
    }
  }

  // MARK: Messages of other nodes

  /// Delivers what the reception has accepted, and sends the requests it wants sent.
  private mutating func deliverAccepted(now: MonotonicTime) {
    let outputs = client.reception.withLock { reception in moveOut(&reception.outputs) }
    guard !outputs.isEmpty || !subscriptions.isEmpty else { return }
    var dropped: [Int] = []
    let delivered = client.inbox.append(outputs) { dropped.append($0.place.number) }
    if !dropped.isEmpty { client.reception.withLock { $0.countQueueDrops(dropped) } }
    for output in delivered < outputs.count ? outputs : [] {
      switch output {
      case .deliver: continue
      case .refill(let refill):
        requests.requestRefill(refill, over: sockets.control, now: now)
      case .snapshot(let patterns):
        requests.requestSnapshot(patterns, isHeld: false, over: sockets.control, now: now)
      case .settled(let token): subscriptions.endRequest(token)
      }
    }
    subscriptions.completeReady()
  }

  /// Maximum number of messages per turn, so that control messages get their turn.
  private static let batch = 1_000

  /// Reads the messages that have arrived; returns their number.
  private mutating func drainSubscriber(now: MonotonicTime) -> Int {
    var left = Self.batch
    while let (topic, payload) = receive(&left, now: now) {
      if topic == markerTopic {
        // Earlier messages have to be in the inbox before the marker.
        deliverAccepted(now: now)
        handovers.handleMarker(payload)
      } else {
        subscriptions.handleEcho(payload)
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
