public import BusProtocol

/// The time from a message to the messages that it caused, by topics, over recent messages.
///
/// Times are those at which the messages were sent, by the machine's clock; between hosts they depend on
/// the clocks of both.
public struct HopLatencies: Sendable {
  /// The step from one topic to another.
  public struct Hop: Hashable, Sendable {
    /// Topic of the cause, without the vehicle.
    public var from: String
    public var to: String
    /// The node that takes the step.
    public var node: String
  }

  /// The figures of a hop, in milliseconds.
  public struct Row: Hashable, Sendable {
    public var hop: Hop
    public var count: Int
    public var p50MS: Double
    public var p99MS: Double
    public var maxMS: Double
    /// Median of the time since the first message of the chain.
    public var sinceStartMS: Double
    /// Number of hops since the first message of the chain.
    public var depth: Int
  }

  private struct Sent {
    var at: Int64
    var startedAt: Int64
    var depth: Int
  }

  private struct Steps {
    var hopNS: [Int64] = []
    var totalNS: [Int64] = []
    var next = 0
    var depth = 0

    mutating func append(_ hop: Int64, _ total: Int64) {
      if hopNS.count < HopLatencies.kept {
        hopNS.append(hop)
        totalNS.append(total)
      } else {
        hopNS[next] = hop
        totalNS[next] = total
        next = (next + 1) % HopLatencies.kept
      }
    }
  }

  /// Number of messages of a hop that count.
  static let kept = 128
  /// Number of messages among which causes are found.
  static let remembered = 4_096

  private var sent: [Origin: Sent] = [:]
  private var older: [Origin: Sent] = [:]
  private var steps: [Hop: Steps] = [:]

  public init() {}

  /// Records a message of one vehicle; `arrivalNS` (nanoseconds since 1970) counts for a message without
  /// a time of sending.
  public mutating func ingest(_ frame: Frame, arrivalNS: Int64) {
    let header = frame.header
    guard !header.isLatched else { return }
    let leaf = TopicName.split(frame.topic).leaf
    let at = header.wallNS ?? arrivalNS
    var own = Sent(at: at, startedAt: at, depth: 0)
    if let cause = header.cause, cause.isMessage, let before = sent[cause] ?? older[cause] {
      own.startedAt = before.startedAt
      own.depth = before.depth + 1
      let hop = Hop(from: cause.topic, to: leaf, node: header.source)
      steps[hop, default: Steps()].append(max(0, at - before.at), max(0, at - own.startedAt))
      steps[hop]?.depth = own.depth
    }
    if sent.count >= Self.remembered {
      older = sent
      sent = [:]
    }
    sent[
      Origin(
        topic: leaf, source: header.source, run: header.run, sequence: header.sequence)] = own
  }

  /// The hops in the order of the chain.
  public var rows: [Row] {
    steps.map { hop, steps in
      let sorted = steps.hopNS.sorted()
      let totals = steps.totalNS.sorted()
      return Row(
        hop: hop, count: sorted.count, p50MS: Self.share(0.5, sorted),
        p99MS: Self.share(0.99, sorted), maxMS: Self.share(1, sorted),
        sinceStartMS: Self.share(0.5, totals), depth: steps.depth)
    }.sorted { ($0.depth, $0.sinceStartMS, $0.hop.to) < ($1.depth, $1.sinceStartMS, $1.hop.to) }
  }

  private static func share(_ share: Double, _ sorted: [Int64]) -> Double {
    guard !sorted.isEmpty else { return 0 }
    return Double(sorted[min(sorted.count - 1, Int(share * Double(sorted.count)))]) / 1e6
  }
}
