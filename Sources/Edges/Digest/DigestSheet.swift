/// The digests of a run as a text: a line `topic sha256 count` for each topic, in the order of names.
public struct DigestSheet: Hashable, Sendable {
  public struct Entry: Hashable, Sendable {
    /// 64 hexadecimal digits.
    public var sha256: String
    /// Messages that went in.
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

  /// Reads such a text; empty lines and those that begin with `#` are passed over.
  ///
  /// - Throws: `Fault`, which names the line.
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
        throw Fault(line: index + 1, message: "\(words[0]) is there twice")
      }
      topics[String(words[0])] = Entry(sha256: words[1].lowercased(), count: count)
    }
  }

  /// A line that is none.
  public struct Fault: Error, Hashable, Sendable, CustomStringConvertible {
    /// From 1.
    public var line: Int
    public var message: String
    public var description: String { "line \(line): \(message)" }
  }

  /// What differs from `expected`, a sentence for each topic, in the order of names.
  public func differences(from expected: DigestSheet) -> [String] {
    Set(topics.keys).union(expected.topics.keys).sorted().compactMap { topic in
      switch (topics[topic], expected.topics[topic]) {
      case (let here?, let there?) where here != there:
        here.count == there.count
          ? "\(topic): \(here.count) messages, but not the same ones"
          : "\(topic): \(here.count) messages, expected \(there.count)"
      case (let here?, nil): "\(topic): \(here.count) messages, expected none"
      case (nil, let there?): "\(topic): no message, expected \(there.count)"
      default: nil
      }
    }
  }
}
