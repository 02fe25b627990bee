import MessagePack
import Synchronization

// The last values of states that a process published who had this node's name before it.
extension BusReader {
  /// Asks the broker for them; it answers with those of all sources.
  mutating func askOwnStates(
    _ patterns: [String], _ completion: @escaping @Sendable (Bool) -> Void
  ) {
    var head = Control(.snapshot, token: ask(.ownStates(completion)))
    head.patterns = patterns
    guard !send(head) else { return }
    questions[nextToken] = nil
    completion(false)
  }

  /// Asks the broker what a process of this name has handled before.
  mutating func askHandled(
    _ patterns: [String], _ completion: @escaping @Sendable (Bool) -> Void
  ) {
    var head = Control(.handled, token: ask(.handled(completion)))
    head.name = client.configuration.name
    head.patterns = patterns
    guard !send(head) else { return }
    questions[nextToken] = nil
    completion(false)
  }

  /// Counts from what was handled before: what has come since is missing.
  mutating func takeMarks(_ head: Control, _ payload: [UInt8]) {
    guard let token = head.token,
      case .handled(let completion)? = questions.removeValue(forKey: token)
    else { return }
    var reader = Unpacker(payload)
    let marks: [InputMark]? = try? reader.list()
    client.reception.withLock { $0.goOn(after: marks ?? []) }
    completion(marks != nil)
  }

  /// Keeps a value for the broker that comes after this one, if it is this node's own.
  func takeBack(_ frame: Frame) {
    guard frame.header.source == client.configuration.name else { return }
    let slots = client.slots
    client.outbox.withLock { box in
      guard var outbox = box.take() else { return }
      outbox.takeBack(frame, slots: slots)
      box = consume outbox
    }
  }
}
