/// The digests of a run as text: one line `topic sha256 count` per topic, sorted by name.
public struct DigestList: Hashable, Sendable {
  public struct Entry: Hashable, Sendable {
    /// 64 hexadecimal digits.
    public var sha256: String
    /// Number of messages in the digest.
    public var count: UInt64

    public init(sha256: String, count: UInt64) {
      self.sha256 = sha256
      self.count = count
    }
  }

  public var topics: [String: Entry] = [:]

  public init() {}

  public var text: String {
    topics.sorted { $0.key < $1.key }
      .map { "\($0.key) \($0.value.sha256) \($0.value.count)\n" }.joined()
  }

  /// Parses such a text; empty lines and lines that start with `#` are skipped.
  ///
  /// - Throws: `Fault`, which contains the line number.
  public init(text: String) throws(Fault) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() where !line.isEmpty && !line.hasPrefix("#") {
      let words = line.split(separator: " ")
      guard words.count == 3, words[1].count == 64, words[1].allSatisfy(\.isHexDigit),
        let count = UInt64(words[2])
      else {
        throw Fault(line: index + 1, message: "expected: topic sha256 count")
      }
      guard topics[String(words[0])] == nil else {
        throw Fault(line: index + 1, message: "\(words[0]) is listed twice")
      }
      topics[String(words[0])] = Entry(sha256: words[1].lowercased(), count: count)
    }
  }

  /// An invalid line.
  public struct Fault: Error, Hashable, Sendable, CustomStringConvertible {
    /// The line number, from 1.
    public var line: Int
    public var message: String
    public var description: String { "line \(line): \(message)" }
  }

  /// The differences from `expected`, one sentence per topic, sorted by name.
  public func differences(from expected: DigestList) -> [String] {
    Set(topics.keys).union(expected.topics.keys).sorted().compactMap { topic in
      switch (topics[topic], expected.topics[topic]) {
      case (let here?, let there?) where here != there:
        here.count == there.count
          ? "\(topic): \(here.count) messages, but with different content"
          : "\(topic): \(here.count) messages, expected \(there.count)"
      case (let here?, nil): "\(topic): \(here.count) messages, expected none"
      case (nil, let there?): "\(topic): no message, expected \(there.count)"
      default: nil
      }
    }
  }
}
