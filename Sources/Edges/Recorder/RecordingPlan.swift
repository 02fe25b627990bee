public import Bag

/// The topics to record, the path, and the limits of the files.
public struct RecordingPlan: Sendable {
  /// Name of the first file; further ones have a number before the last dot.
  public var path: String
  public var filter: TopicFilter
  /// Duration after which the next file starts, in seconds.
  public var splitS: Double?
  /// Size at which the next file starts, in bytes.
  public var splitBytes: Int?
  /// Maximum total size of the recording in bytes; the oldest files are deleted.
  public var keepBytes: Int?
  /// Written to each file.
  public var attachments: [BagAttachment]
  /// Written to each file, as the metadata `session`.
  public var notes: [String: String]
  /// Maximum number of bytes that wait to be written; further messages are lost and counted.
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

/// The topics selected by a list of patterns.
public struct TopicFilter: Hashable, Sendable {
  public let patterns: [String]

  /// Creates a filter from patterns.
  ///
  /// Patterns are whole names (`ego/location/raw`), names without the vehicle (`location/raw` or
  /// `*/location/raw`), subtrees of either that end in `/`, or `*`. A leading `!` excludes the
  /// matching topics.
  ///
  /// The last matching pattern decides. A topic without a match is selected if the list is empty or
  /// starts with `!`.
  public init(_ patterns: [String]) { self.patterns = patterns }

  public func includes(_ topic: String) -> Bool {
    for pattern in patterns.reversed() {
      let isOut = pattern.hasPrefix("!")
      if Self.fits(isOut ? String(pattern.dropFirst()) : pattern, topic) { return !isOut }
    }
    return patterns.first?.hasPrefix("!") ?? true
  }

  /// The patterns that should select topics and match none of `topics`: probably misspelt names.
  public func unmatched(among topics: some Collection<String>) -> [String] {
    patterns.filter { pattern in
      !pattern.hasPrefix("!") && !topics.contains { Self.fits(pattern, $0) }
    }
  }

  private static func fits(_ pattern: String, _ topic: String) -> Bool {
    if pattern == "*" { return true }
    let leaf =
      topic.hasPrefix("_")
      ? topic[...]
      : topic.firstIndex(of: "/").map { topic[topic.index(after: $0)...] } ?? topic[...]
    if pattern.hasPrefix("*/") {
      let wanted = pattern.dropFirst(2)
      guard !topic.hasPrefix("_") else { return false }
      return wanted.hasSuffix("/") ? leaf.hasPrefix(wanted) : leaf == wanted
    }
    if pattern.hasSuffix("/") { return topic.hasPrefix(pattern) || leaf.hasPrefix(pattern) }
    return topic == pattern || leaf == pattern
  }
}
