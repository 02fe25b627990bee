import BusProtocol
import MessagePack
import Synchronization

// The last values of states that an earlier process with this node's name published.
extension BusReader {
  /// Requests them from the broker, which answers with those of all sources.
  mutating func requestOwnStates(
    _ patterns: [String], _ completion: @escaping @Sendable (Bool) -> Void
  ) {
    let question = ControlMessage.Snapshot(
      token: ask(.ownStates(completion)), patterns: patterns)
    guard !send(question) else { return }
    questions[nextToken] = nil
    completion(false)
  }

  /// Asks the broker what an earlier process of this name has handled.
  mutating func requestHandledInputs(
    _ patterns: [String], _ completion: @escaping @Sendable (Bool) -> Void
  ) {
    let question = ControlMessage.Handled(
      token: ask(.handled(completion)), name: client.configuration.name, patterns: patterns)
    guard !send(question) else { return }
    questions[nextToken] = nil
    completion(false)
  }

  /// Counts from the last handled messages: later ones are missing.
  mutating func applyHandledMarks(_ head: ControlMessage.Marks, _ payload: [UInt8]) {
    guard let token = head.token,
      case .handled(let completion)? = questions.removeValue(forKey: token)
    else { return }
    var reader = Unpacker(payload)
    let marks: [InputMark]? = try? reader.list()
    client.reception.withLock { $0.goOn(after: marks ?? []) }
    completion(marks != nil)
  }

  /// Keeps a value for the next broker, if it is this node's own.
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
