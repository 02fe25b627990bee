import Bus
import Stage

/// What a standby would have said, beside what the node says: each message of a topic and key against
/// the other's next one.
struct Shadow {
  /// One message, as far as two processes must agree on it.
  private struct Word: Hashable {
    var cause: Origin?
    var payload: [UInt8]
    /// Number that the node gave it; 0 for the standby's.
    var sequence: UInt64 = 0
  }

  private struct Line {
    var own: [Word] = []
    var theirs: [Word] = []
  }

  /// More messages than this are not kept for a comparison, of one topic.
  static let maximumWaiting = 10_000

  /// Run of the node that is shadowed.
  let run: UInt64
  private(set) var compared: UInt64 = 0
  private(set) var different: UInt64 = 0
  /// The first difference, in a sentence.
  private(set) var first: String?
  /// Calls that the standby would have made; nobody answers them.
  private(set) var calls: UInt64 = 0
  /// What the node had said before the state that the standby began with is not compared.
  private var hasBegun = false
  private var lines: [String: Line] = [:]

  init(run: UInt64) { self.run = run }

  /// Takes what the standby would have published.
  mutating func say(_ topic: String, key: String?, cause: Origin?, payload: [UInt8]) {
    let name = Self.name(topic, key)
    lines[name, default: Line()].own.append(Word(cause: cause, payload: payload))
    compare(name)
  }

  /// Takes what the node has published; `isFence` marks where the comparison begins.
  mutating func hear(_ delivery: Delivery, isFence: Bool) {
    guard delivery.header.run == run else { return }
    if isFence { hasBegun = true }
    guard hasBegun, !isFence, !delivery.header.isLatched else { return }
    let name = Self.name(delivery.topic, delivery.header.key)
    lines[name, default: Line()].theirs.append(
      Word(
        cause: delivery.header.cause, payload: delivery.payload,
        sequence: delivery.header.sequence))
    compare(name)
  }

  /// What was different, and what could not be compared; nil where all was the same.
  var summary: String? {
    let silent = calls == 0 ? nil : "\(calls) calls, which a shadow does not make"
    let parts = [first, silent].compactMap { $0 }
    return parts.isEmpty ? nil : parts.joined(separator: "; ")
  }

  mutating func countCall() { calls += 1 }

  private static func name(_ topic: String, _ key: String?) -> String {
    key.map { "\(topic) \($0)" } ?? topic
  }

  private mutating func compare(_ name: String) {
    // Taken out, so that it is not copied when it changes.
    guard var line = lines.removeValue(forKey: name) else { return }
    defer { lines[name] = line }
    while let own = line.own.first, let theirs = line.theirs.first {
      line.own.removeFirst()
      line.theirs.removeFirst()
      compared += 1
      if let fault = Self.fault(own, theirs) {
        different += 1
        first = first ?? "\(name) \(theirs.sequence): \(fault)"
      }
    }
    if line.own.count > Self.maximumWaiting || line.theirs.count > Self.maximumWaiting {
      different += 1
      let who = line.own.isEmpty ? "the new one is silent" : "the old one is silent"
      first = first ?? "\(name): \(Self.maximumWaiting) messages have no counterpart, \(who)"
      line = Line()
    }
  }

  private static func fault(_ own: Word, _ theirs: Word) -> String? {
    guard own.cause == theirs.cause else {
      return "the new one answers \(text(own.cause)), the old one \(text(theirs.cause))"
    }
    guard own.payload != theirs.payload else { return nil }
    let same = zip(own.payload, theirs.payload).prefix { $0 == $1 }.count
    return "the payloads differ from byte \(same) on (\(own.payload.count) and "
      + "\(theirs.payload.count) bytes)"
  }

  private static func text(_ cause: Origin?) -> String {
    cause?.words ?? "no message"
  }
}
