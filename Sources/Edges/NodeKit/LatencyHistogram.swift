/// A histogram of durations with geometric buckets a tenth apart, so that percentiles are cheap to
/// keep.
public struct LatencyHistogram: Hashable, Sendable {
  /// Lower bound of the buckets, which grow by a tenth up to over a minute.
  private static let firstNS = 10_000.0
  private static let growth = 1.1
  private static let bucketCount = 170

  private var counts = [UInt32](repeating: 0, count: bucketCount)
  public private(set) var total: UInt64 = 0

  public init() {}

  public mutating func add(nanoseconds: Int64) {
    var bound = Self.firstNS
    var bucket = 0
    while Double(nanoseconds) > bound, bucket < Self.bucketCount - 1 {
      bound *= Self.growth
      bucket += 1
    }
    counts[bucket] &+= 1
    total += 1
  }

  /// The percentile for a share (0 to 1), in milliseconds; nil if there are no values.
  public func percentileMS(_ share: Double) -> Double? {
    guard total > 0 else { return nil }
    var left = Int64((Double(total) * share).rounded(.up))
    var bound = Self.firstNS
    for count in counts {
      left -= Int64(count)
      if left <= 0 { return bound / 1e6 }
      bound *= Self.growth
    }
    return bound / 1e6
  }

  /// Empties the histogram.
  public mutating func reset() { self = LatencyHistogram() }
}
