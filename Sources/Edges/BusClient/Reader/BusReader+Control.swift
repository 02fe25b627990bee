import BusProtocol
import Glibc
import Synchronization
import ZMQ

extension BusReader {
  mutating func drainDealer(now: MonotonicTime) {
    while let parts = try? sockets.dealer.receive() {
      guard let first = parts.first, let head = try? Control(decoding: first) else {
        client.link.withLock { $0.malformedControl += 1 }
        continue
      }
      silence.heard(at: now)
      hear(head, Array(parts.dropFirst()), now: now)
    }
  }

  /// Records that the link was lost or restored.
  ///
  /// After a restored link the broker may be a new one, and is asked at once.
  mutating func recordLinkChange(_ isThere: Bool) {
    if isThere, !isLinked { nextPing = min(nextPing, lastPing.advanced(byMS: Self.hurryMS)) }
    isLinked = isThere
  }

  private mutating func hear(_ head: Control, _ rest: [[UInt8]], now: MonotonicTime) {
    switch head.operation {
    case .welcome: welcomed(head, now: now)
    case .rejected: rejected(head, now: now)
    case .pong:
      if head.isKnown != true || head.run != brokerRun {
        register(now: now)
      } else {
        handleTails(head)
      }
    case .item: receiveItem(head, rest, now: now)
    case .end: endQuestion(head, now: now)
    case .listing:
      if let token = head.token, case .list(let completion)? = questions.removeValue(forKey: token)
      {
        completion(head)
      }
    case .outcome:
      if let token = head.token, case .order(let completion)? = questions.removeValue(forKey: token)
      {
        completion(head)
      }
    case .marks: applyHandledMarks(head, rest.first ?? [])
    case .call: takeCall(head, rest.first ?? [], now: now)
    case .reply: takeReply(head, rest.first ?? [], now: now)
    case .cancel:
      if let id = head.id { client.inbox.append(.cancelled(callID: id)) }
    case .weigh, .freeze, .import, .release, .retire, .resume, .dismiss, .inherit:
      handleHandoverRequest(head, rest.first ?? [])
    case .refused:
      client.inbox.append(
        .refused(
          topic: head.topic ?? "", writer: head.source ?? "", owner: head.name ?? "",
          code: head.code ?? ""))
    default: break
    }
  }

  mutating func register(now: MonotonicTime) {
    let configuration = client.configuration
    var head = Control(.register)
    head.name = configuration.name
    head.run = client.run
    head.kind = configuration.kind
    head.version = configuration.version
    head.pid = UInt64(getpid())
    head.host = HostName.own
    head.publishes = configuration.publishes.map { leaf in
      configuration.table.declared(leaf) ?? configuration.table["v/\(leaf)"]
    }
    head.subscribes = client.reception.withLock { $0.patterns }
    head.serves = serves
    head.patterns = configuration.inputs
    head.group = configuration.group
    if configuration.handsOverInParts { head.inParts = true }
    if configuration.group != nil { head.lane = UInt64(configuration.lane) }
    client.link.withLock { link in
      if link.isStandby { head.isStandby = true }
      if link.isReady { head.isReady = true }
      head.from = link.predecessor
      head.slots = link.slots?.runs
    }
    nextRegister = now.advanced(byMS: send(head) ? 500 : 20)
  }

  private mutating func welcomed(_ head: Control, now: MonotonicTime) {
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

  private mutating func rejected(_ head: Control, now: MonotonicTime) {
    isRegistered = false
    rejections += 1
    nextRegister = now.advanced(byMS: 100)
    // The broker may not have noticed yet that a process was just killed.
    guard rejections == Self.maximumRejections || head.code == "invalid" else { return }
    client.inbox.append(
      .rejected(code: head.code ?? "", message: head.message ?? "the broker refused this node"))
  }

  private mutating func receiveItem(_ head: Control, _ rest: [[UInt8]], now: MonotonicTime) {
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

  private mutating func endQuestion(_ head: Control, now: MonotonicTime) {
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
      var head = Control(.ping)
      head.from = tailCursor
      nextPing = now.advanced(byMS: send(head) ? Self.pingMS : Self.hurryMS)
    }
    if isRegistered, mustRepeat || !client.isConnected || client.hasUnsent { openOutbox() }
    if isRegistered, !arrivals.isEmpty, now >= nextSync {
      nextSync = now.advanced(byMS: 20)
      nextToken += 1
      for index in arrivals.indices where arrivals[index].syncToken == 0 {
        arrivals[index].syncToken = nextToken
      }
      var head = Control(.sync, token: nextToken)
      head.name = client.configuration.name
      head.run = client.run
      send(head)
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
    var head = Control(.history, token: token)
    head.patterns = patterns
    head.sinceMS = sinceMS
    send(head)
  }

  @discardableResult
  mutating func requestSnapshot(_ patterns: [String], isHeld: Bool, now: MonotonicTime) -> UInt64 {
    let token = ask(.snapshot)
    if isHeld { client.reception.withLock { $0.hold(patterns, token: token, now: now) } }
    var head = Control(.snapshot, token: token)
    head.patterns = patterns
    send(head)
    return token
  }

  /// Signs off, and ends what is in progress.
  mutating func leave() {
    send(Control(.bye))
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
