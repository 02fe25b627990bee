import Synchronization

extension BusReader {
  /// The marker of a handover: what came before belongs to the one, what comes after to the other.
  mutating func hearMarker(_ payload: [UInt8], now: MonotonicTime) {
    guard let head = try? Control(decoding: payload), head.operation == .marker,
      let token = head.token
    else { return }
    let slots: SlotSet?
    if let runs = head.slots {
      guard let read = SlotSet(runs: runs) else { return }
      slots = read
    } else {
      slots = nil
    }
    // What came before has to be in the inbox before it.
    giveOn(now: now)
    isInHandover = true
    let run = client.configuration.run
    if head.from == run {
      let (inputs, isSettled) = client.reception.withLock { ($0.marks(of: slots), $0.isSettled) }
      tell(.cut(token: token, slots: slots, inputs: inputs, isSettled: isSettled))
    } else if head.to == run {
      client.reception.withLock { $0.beginHandover(token: token, slots: slots) }
      tell(.cutForSuccessor(token: token, slots: slots))
    }
  }

  /// What the broker wants of a handover.
  mutating func hearHandover(_ head: Control, _ payload: [UInt8]) {
    let token = head.token ?? 0
    isInHandover = head.operation == .freeze || head.operation == .import
    let reason = head.message ?? "no reason given"
    switch head.operation {
    case .freeze: tell(.freeze(token: token))
    case .import: tell(.take(token: token, state: payload))
    case .release where head.what == "shadow": tell(.shadow(token: token))
    case .release: tell(.release(token: token))
    case .retire: tell(.retire(token: token))
    case .resume: tell(.resume(token: token, reason: reason))
    case .dismiss: tell(.dismiss(token: token, reason: reason))
    default: break
    }
  }

  func tell(_ event: HandoverEvent) { client.inbox.append(.handover(event)) }

  /// Asks for the last values of states, to be held with what came since the marker.
  mutating func askLastValues(_ patterns: [String], token handover: UInt64) {
    var head = Control(.snapshot, token: ask(.lastValues(handover)))
    head.patterns = patterns
    if !send(head) {
      questions[nextToken] = nil
      tell(.lastValues(token: handover))
    }
  }
}
