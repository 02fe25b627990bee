import BusProtocol

/// Rates of topics over the last seconds, from the counters of the broker.
///
/// A rate is the number of messages between two arrivals divided by the time between these arrivals, so
/// that one message per second gives 1.00 Hz, whenever the counters were read. The topics of many
/// vehicles are combined first.
public struct TopicRates: Sendable {
  /// A topic, or a topic of all vehicles, with its activity.
  public struct Row: Hashable, Sendable {
    /// `*/location/matched` for that topic of all vehicles.
    public var name: String
    /// Number of vehicles with the topic; nil for a single topic.
    public var vehicles: Int?
    /// Messages so far.
    public var messages: UInt64
    /// Bytes so far.
    public var bytes: UInt64
    /// Messages per second of the machine's time.
    public var hz = 0.0
    public var bytesPerSecond = 0.0
    /// Milliseconds since the last message arrived.
    public var ageMS: UInt64
    /// Event time of the last message, nanoseconds since 1970.
    public var lastStampNS: Int64
    public var writers: Set<String>
    public var readers: Set<String>
    /// Messages of a second writer or over the maximum size, which the broker dropped.
    public var refused: UInt64
  }

  private struct Sample {
    var at: MonotonicTime
    /// Arrival of the last message.
    var lastAt: MonotonicTime
    var messages: UInt64
    var bytes: UInt64
  }

  private let windowMS: Int64
  private var samples: [String: [Sample]] = [:]

  /// Creates rates over a window of `windowMS` milliseconds.
  public init(windowMS: Int64 = 10_000) { self.windowMS = windowMS }

  /// Adds an observation, and returns the topics in the order of their names.
  public mutating func ingest(_ picture: StackSnapshot) -> [Row] {
    let single = picture.topics.map { topic in
      Row(
        name: topic.name, messages: topic.messages, bytes: topic.bytes, ageMS: topic.ageMS,
        lastStampNS: topic.lastStampNS, writers: topic.source.isEmpty ? [] : [topic.source],
        readers: Set(topic.readers), refused: topic.refused + topic.oversize)
    }
    var rows = TopicGroups().rows(single, name: \.name, merge: Self.merged)
    var current: [String: [Sample]] = [:]
    for index in rows.indices {
      let row = rows[index]
      let sample = Sample(
        at: picture.at, lastAt: picture.at.advanced(byMS: -Int64(clamping: row.ageMS)),
        messages: row.messages, bytes: row.bytes)
      var kept = (samples[row.name] ?? []).filter {
        picture.at.milliseconds(since: $0.at) <= windowMS
      }
      // A new broker counts from 0, and a group loses what its vehicles that have left had counted.
      if let last = kept.last, last.messages > row.messages { kept = [] }
      kept.append(sample)
      (rows[index].hz, rows[index].bytesPerSecond) = Self.rates(kept)
      current[row.name] = kept
    }
    samples = current
    return rows
  }

  private static func rates(_ samples: [Sample]) -> (hz: Double, bytesPerSecond: Double) {
    guard let first = samples.first, let last = samples.last else { return (0, 0) }
    let messages = Double(last.messages - first.messages)
    var seconds = Double(last.lastAt.nanoseconds - first.lastAt.nanoseconds) / 1e9
    guard messages > 0, seconds > 0 else { return (0, 0) }
    // A topic that has become slower or silent: the present gap counts as soon as it is unusual.
    let gap = Double(last.at.nanoseconds - last.lastAt.nanoseconds) / 1e9
    if gap > 2 * seconds / messages { seconds += gap }
    return (messages / seconds, Double(last.bytes - min(last.bytes, first.bytes)) / seconds)
  }

  private static func merged(_ name: String, _ rows: [Row]) -> Row {
    Row(
      name: name, vehicles: rows.count, messages: rows.reduce(0) { $0 + $1.messages },
      bytes: rows.reduce(0) { $0 + $1.bytes }, ageMS: rows.map(\.ageMS).min() ?? 0,
      lastStampNS: rows.map(\.lastStampNS).max() ?? 0,
      writers: rows.reduce(into: []) { $0.formUnion($1.writers) },
      readers: rows.reduce(into: []) { $0.formUnion($1.readers) },
      refused: rows.reduce(0) { $0 + $1.refused })
  }
}
