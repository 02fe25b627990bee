import BusProtocol
import Glibc
import Synchronization
import ZMQ

extension BusReader {
  mutating func drainDealer(now: MonotonicTime) {
    while let parts = try? sockets.dealer.receive() {
      guard let first = parts.first, let message = try? ControlMessage(decoding: first) else {
        client.link.withLock { $0.malformedControl += 1 }
        continue
      }
      silence.heard(at: now)
      hear(message, Array(parts.dropFirst()), now: now)
    }
  }

  /// Records that the link was lost or restored.
  ///
  /// After a restored link the broker may be a new one, and is asked at once.
  mutating func recordLinkChange(_ isThere: Bool) {
    if isThere, !isLinked { nextPing = min(nextPing, lastPing.advanced(byMS: Self.hurryMS)) }
    isLinked = isThere
  }

  private mutating func hear(_ message: ControlMessage, _ rest: [[UInt8]], now: MonotonicTime) {
    switch message {
    case .welcome(let body): welcomed(body, now: now)
    case .rejected(let body): rejected(body, now: now)
    case .pong(let body):
      if !body.known || body.run != brokerRun {
        register(now: now)
      } else {
        handleTails(body)
      }
    case .item(let body): receiveItem(body, rest, now: now)
    case .end(let body): endQuestion(body, now: now)
    case .listing(let body):
      if let token = body.token, case .list(let completion)? = questions.removeValue(forKey: token)
      {
        completion(body)
      }
    case .outcome(let body):
      if let token = body.token, case .order(let completion)? = questions.removeValue(forKey: token)
      {
        completion(body)
      }
    case .marks(let body): applyHandledMarks(body, rest.first ?? [])
    case .call(let body): takeCall(body, rest.first ?? [], now: now)
    case .reply(let body): takeReply(body, rest.first ?? [], now: now)
    case .cancel(let body): client.inbox.append(.cancelled(callID: body.id))
    case .weigh, .freeze, .import, .release, .retire, .resume, .dismiss, .inherit:
      handleHandoverRequest(message, rest.first ?? [])
    case .refused(let body):
      client.inbox.append(
        .refused(topic: body.topic, writer: body.src, owner: body.name, code: body.code))
    default: break
    }
  }

  mutating func register(now: MonotonicTime) {
    let configuration = client.configuration
    var head = ControlMessage.Register(
      name: configuration.name, run: client.run, kind: configuration.kind,
      version: configuration.version, pid: UInt64(getpid()),
      publishes: configuration.publishes.map { leaf in
        configuration.table.declared(leaf) ?? configuration.table["v/\(leaf)"]
      },
      subscribes: client.reception.withLock { $0.patterns }, serves: serves,
      patterns: configuration.inputs, host: HostName.own, group: configuration.group)
    if configuration.handsOverInParts { head.parts = true }
    if configuration.group != nil { head.lane = UInt64(configuration.lane) }
    client.link.withLock { link in
      if link.isStandby { head.standby = true }
      if link.isReady { head.ready = true }
      head.from = link.predecessor
      head.slots = link.slots?.runs
    }
    nextRegister = now.advanced(byMS: send(head) ? 500 : 20)
  }

  private mutating func welcomed(_ head: ControlMessage.Welcome, now: MonotonicTime) {
    let isNewBroker = brokerRun != head.run
    let isAnother = isNewBroker && brokerRun != nil
    brokerRun = head.run
    isRegistered = true
    rejections = 0
    client.link.withLock {
      $0.brokerRun = head.run
      if let slots = head.slots.flatMap({ SlotSet(runs: $0) }) { $0.slots = slots }
    }
    if let message = head.message { client.inbox.append(.notServed(message: message)) }
    guard isNewBroker else { return }
    // The reader requests what it missed of another broker's first seconds.
    tailCursor = isAnother ? 0 : nil
    // A node between two parts of a handover takes part in none at the moment, but has given some
    // slots away.
    if isAnother { hasVoidHandover = true }
    mustRepeat = true
    // All earlier requests to the broker are repeated.
    let patterns = client.reception.withLock { $0.patterns }
    for (token, question) in questions {
      switch question {
      case .snapshot:
        questions[token] = nil
        client.reception.withLock { $0.endSnapshot(token, now: now) }
      case .history(let patterns, let sinceMS, let asked):
        // No snapshot contains the requested events; the request goes back to the same moment as
        // before.
        client.reception.withLock { $0.holdLonger(now: now) }
        let waitedMS = UInt64(max(0, now.milliseconds(since: asked)))
        requestHistory(token, patterns, sinceMS: sinceMS + min(waitedMS, .max - sinceMS))
      case .refill(let refill):
        questions[token] = nil
        client.reception.withLock { $0.endRefill(refill, now: now) }
      case .order(let completion):
        // The new broker knows nothing of it.
        questions[token] = nil
        completion(nil)
      case .lastValues: questions[token] = nil
      case .handled(let completion):
        questions[token] = nil
        completion(true)
      case .ownStates(let completion):
        // The data that the previous broker had is gone.
        questions[token] = nil
        completion(true)
      case .list: break
      }
    }
    if !patterns.isEmpty { requestSnapshot(patterns, isHeld: true, now: now) }
    repeatCalls(now: now)
  }

  private mutating func rejected(_ head: ControlMessage.Rejected, now: MonotonicTime) {
    isRegistered = false
    rejections += 1
    nextRegister = now.advanced(byMS: 100)
    // The broker may not have noticed yet that a process was just killed.
    guard rejections == Self.maximumRejections || head.code == "invalid" else { return }
    client.inbox.append(.rejected(code: head.code, message: head.message))
  }

  private mutating func receiveItem(
    _ head: ControlMessage.Item, _ rest: [[UInt8]], now: MonotonicTime
  ) {
    guard let token = head.token, let question = questions[token] else { return }
    do throws(Frame.Malformed) {
      let frame = try Frame(rest)
      var isHistory = false
      if case .history = question { isHistory = true }
      if case .lastValues(let handover) = question {
        return client.reception.withLock { $0.hold(lastValue: frame, token: handover) }
      }
      if case .ownStates = question { return takeBack(frame) }
      client.reception.withLock { $0.item(frame, token: token, isHistory: isHistory, now: now) }
    } catch {
      client.reception.withLock { $0.countMalformed(error.rawValue) }
    }
  }

  private mutating func endQuestion(_ head: ControlMessage.End, now: MonotonicTime) {
    guard let token = head.token, let question = questions.removeValue(forKey: token) else {
      return
    }
    switch question {
    case .snapshot, .history: client.reception.withLock { $0.endSnapshot(token, now: now) }
    case .refill(let refill): client.reception.withLock { $0.endRefill(refill, now: now) }
    case .lastValues(let handover): tell(.lastValues(token: handover))
    case .ownStates(let completion): completion(true)
    case .list, .order, .handled: break
    }
  }

  /// Registers, pings, confirms subscriptions, and detects that the broker has gone.
  mutating func maintainConnection(now: MonotonicTime) {
    if isRegistered, silence.milliseconds(at: now) > Self.silenceMS {
      isRegistered = false
      client.link.withLock { $0.isConnected = false }
    }
    if !isRegistered, now >= nextRegister { register(now: now) }
    if isRegistered, now >= nextPing {
      lastPing = now
      let isSent = send(ControlMessage.Ping(from: tailCursor))
      nextPing = now.advanced(byMS: isSent ? Self.pingMS : Self.hurryMS)
    }
    if isRegistered, mustRepeat || !client.isConnected || client.hasUnsent { openOutbox() }
    if isRegistered, !arrivals.isEmpty, now >= nextSync {
      nextSync = now.advanced(byMS: 20)
      nextToken += 1
      for index in arrivals.indices where arrivals[index].syncToken == 0 {
        arrivals[index].syncToken = nextToken
      }
      send(
        ControlMessage.Sync(token: nextToken, name: client.configuration.name, run: client.run))
    }
  }

  /// Sends a new broker what it must know, as soon as messages can be sent.
  private mutating func openOutbox() {
    let mustRepeat = self.mustRepeat
    let isOpen = client.outbox.withLock { box -> Bool in
      guard var outbox = box.take() else { return false }
      let isWritable = outbox.isWritable()
      if isWritable {
        if mustRepeat { outbox.repeatAll() } else { outbox.repeatUnsent() }
      }
      box = consume outbox
      return isWritable
    }
    guard isOpen else { return }
    self.mustRepeat = false
    client.link.withLock { $0.isConnected = true }
    if hasVoidHandover {
      hasVoidHandover = false
      if !client.link.withLock({ $0.isStandby }) { client.receiveAllSlots() }
      tell(.void)
    }
  }

  mutating func runDueTasks(now: MonotonicTime) {
    client.reception.withLock {
      // Requests that were made while no broker was present are repeated when one is.
      if !isRegistered { $0.holdLonger(now: now) }
      $0.tick(now: now)
    }
    expireCalls(now: now)
    served.forget(now: now)
  }

  func requestHistory(_ token: UInt64, _ patterns: [String], sinceMS: UInt64) {
    send(ControlMessage.History(token: token, patterns: patterns, sinceMs: sinceMS))
  }

  @discardableResult
  mutating func requestSnapshot(_ patterns: [String], isHeld: Bool, now: MonotonicTime) -> UInt64 {
    let token = ask(.snapshot)
    if isHeld { client.reception.withLock { $0.hold(patterns, token: token, now: now) } }
    send(ControlMessage.Snapshot(token: token, patterns: patterns))
    return token
  }

  /// Signs off, and ends what is in progress.
  mutating func leave() {
    send(ControlMessage.Bye())
    client.link.withLock { $0.isConnected = false }
    for call in calls.values {
      call.completion(.failed(code: "cancelled", message: "this node is shutting down", field: nil))
    }
    calls = [:]
    for case .order(let completion) in questions.values { completion(nil) }
    for case .ownStates(let completion) in questions.values { completion(false) }
    for case .handled(let completion) in questions.values { completion(false) }
    questions = [:]
  }
}
