import BusClient
import BusProtocol
import Stage

/// Compares a standby's silent outputs with the node's.
///
/// Each message of a topic and key is compared with the next one of the other process.
struct ShadowComparison {
  /// One message, reduced to what two processes must agree on.
  private struct Word: Hashable {
    var cause: Origin?
    var payload: [UInt8]
    /// Number that the node gave it; 0 for the standby's message.
    var sequence: UInt64 = 0
  }

  private struct Line {
    var own: [Word] = []
    var theirs: [Word] = []
  }

  /// Maximum number of messages of one topic that are kept for a comparison.
  static let maximumWaiting = 10_000

  /// Run of the node that is shadowed.
  let run: UInt64
  private(set) var compared: UInt64 = 0
  private(set) var different: UInt64 = 0
  /// The first difference, as a sentence.
  private(set) var first: String?
  /// Number of calls that the standby would have made; they are not answered.
  private(set) var calls: UInt64 = 0
  /// Whether the comparison has started; messages from before the standby's state are not compared.
  private var hasBegun = false
  private var lines: [String: Line] = [:]

  init(run: UInt64) { self.run = run }

  /// Records a message that the standby would have published.
  mutating func say(_ topic: String, key: String?, cause: Origin?, payload: [UInt8]) {
    let name = Self.name(topic, key)
    lines[name, default: Line()].own.append(Word(cause: cause, payload: payload))
    compare(name)
  }

  /// Records a message that the node has published; `isFence` marks the start of the comparison.
  mutating func ingest(_ delivery: Delivery, isFence: Bool) {
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

  /// The differences, and what could not be compared; nil if everything was the same.
  var summary: String? {
    let silent = calls == 0 ? nil : "\(calls) calls, which a shadow does not send"
    let parts = [first, silent].compactMap { $0 }
    return parts.isEmpty ? nil : parts.joined(separator: "; ")
  }

  mutating func countCall() { calls += 1 }

  private static func name(_ topic: String, _ key: String?) -> String {
    key.map { "\(topic) \($0)" } ?? topic
  }

  private mutating func compare(_ name: String) {
    // Moved out, so that it is not copied when it changes.
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
      let who = line.own.isEmpty ? "the new program is silent" : "the old program is silent"
      first = first ?? "\(name): \(Self.maximumWaiting) messages have no counterpart, \(who)"
      line = Line()
    }
  }

  private static func fault(_ own: Word, _ theirs: Word) -> String? {
    guard own.cause == theirs.cause else {
      return "the new program answers \(text(own.cause)), the old program \(text(theirs.cause))"
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
