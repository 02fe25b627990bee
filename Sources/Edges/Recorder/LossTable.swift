import BusProtocol

/// Messages that are not in a recording, by topic and cause.
public struct LossTable: Hashable, Sendable {
  public enum Cause: String, Hashable, Sendable, CaseIterable {
    /// Larger than the topic's maximum size: the broker rejected it.
    case oversize
    /// From a second writer or an earlier run: the broker rejected it.
    case refused
    /// The queue to the recorder was full.
    case queue
    /// The recorder could not write it.
    case recorder
  }

  public struct Row: Hashable, Sendable, Comparable {
    public var topic: String
    public var cause: Cause

    public static func < (a: Row, b: Row) -> Bool {
      (a.topic, a.cause.rawValue) < (b.topic, b.cause.rawValue)
    }
  }

  /// Name of the metadata record that contains it; each key is topic, blank, cause.
  public static let metadataName = "loss"

  public private(set) var counts: [Row: UInt64] = [:]

  public init() {}

  /// Decodes the result of `entries`; invalid entries are skipped.
  public init(entries: [String: String]) {
    for (key, value) in entries {
      let parts = key.split(separator: " ")
      guard parts.count == 2, let cause = Cause(rawValue: String(parts[1])),
        let count = UInt64(value)
      else { continue }
      counts[Row(topic: String(parts[0]), cause: cause)] = count
    }
  }

  public var entries: [String: String] {
    Dictionary(
      uniqueKeysWithValues: counts.map {
        ("\($0.key.topic) \($0.key.cause.rawValue)", "\($0.value)")
      })
  }

  public mutating func add(_ topic: String, _ cause: Cause, count: UInt64 = 1) {
    guard count > 0 else { return }
    counts[Row(topic: topic, cause: cause), default: 0] += count
  }

  /// Messages that the broker had accepted, but that are not in the recording.
  public var lost: UInt64 {
    counts.reduce(0) { [.queue, .recorder].contains($1.key.cause) ? $0 + $1.value : $0 }
  }

  /// The same number by topic.
  public var lostByTopic: [String: UInt64] {
    var found: [String: UInt64] = [:]
    for (row, count) in counts where [.queue, .recorder].contains(row.cause) {
      found[row.topic, default: 0] += count
    }
    return found
  }

  /// Adds the messages that the broker dropped between two reports.
  mutating func add(from before: [TopicReport], to now: [TopicReport]) {
    var first: [String: TopicReport] = [:]
    for report in before { first[report.name] = report }
    for report in now {
      let old = first[report.name]
      add(
        report.name, .oversize,
        count: report.oversize - min(report.oversize, old?.oversize ?? 0))
      add(
        report.name, .refused, count: report.refused - min(report.refused, old?.refused ?? 0))
    }
  }
}
