public import Bag

/// What is recorded, where to, and in how many files.
public struct RecordingPlan: Sendable {
  /// Name of the first file; further ones have a number before the last dot.
  public var path: String
  public var filter: TopicFilter
  /// A file is followed by another after so many seconds.
  public var splitS: Double?
  /// A file is followed by another after so many bytes.
  public var splitBytes: Int?
  /// The oldest files of the recording go, so that all together are no more than this.
  public var keepBytes: Int?
  /// Stand in each file.
  public var attachments: [BagAttachment]
  /// Stand in each file, as the metadata `session`.
  public var notes: [String: String]
  /// How many bytes may wait to be written; what comes beyond is lost, and counted.
  public var queueBytes: Int
  public var options: BagWriter.Options

  public init(
    path: String, filter: TopicFilter = TopicFilter([]), splitS: Double? = nil,
    splitBytes: Int? = nil, keepBytes: Int? = nil, attachments: [BagAttachment] = [],
    notes: [String: String] = [:], queueBytes: Int = 256 << 20,
    options: BagWriter.Options = BagWriter.Options()
  ) {
    self.path = path
    self.filter = filter
    self.splitS = splitS
    self.splitBytes = splitBytes
    self.keepBytes = keepBytes
    self.attachments = attachments
    self.notes = notes
    self.queueBytes = queueBytes
    self.options = options
  }
}

/// Which topics are meant by a list of patterns.
public struct TopicFilter: Hashable, Sendable {
  public let patterns: [String]

  /// Patterns are whole names (`ego/location/raw`), names without the vehicle (`location/raw`),
  /// subtrees of either that end in `/`, or `*`; `!` before one takes out what it names.
  ///
  /// The last pattern that fits decides; what none fits is meant where the list is empty or begins
  /// with `!`.
  public init(_ patterns: [String]) { self.patterns = patterns }

  public func takes(_ topic: String) -> Bool {
    for pattern in patterns.reversed() {
      let isOut = pattern.hasPrefix("!")
      if Self.fits(isOut ? String(pattern.dropFirst()) : pattern, topic) { return !isOut }
    }
    return patterns.first?.hasPrefix("!") ?? true
  }

  private static func fits(_ pattern: String, _ topic: String) -> Bool {
    if pattern == "*" { return true }
    let leaf =
      topic.hasPrefix("_")
      ? topic[...]
      : topic.firstIndex(of: "/").map { topic[topic.index(after: $0)...] } ?? topic[...]
    if pattern.hasSuffix("/") { return topic.hasPrefix(pattern) || leaf.hasPrefix(pattern) }
    return topic == pattern || leaf == pattern
  }
}
