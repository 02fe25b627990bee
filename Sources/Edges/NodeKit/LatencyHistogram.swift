/// How long things took: counts in buckets a tenth apart, so that percentiles cost nothing to keep.
public struct LatencyHistogram: Hashable, Sendable {
  /// Bounds grow by a tenth from 10 microseconds to over a minute.
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

  /// Milliseconds that a share of all (0 to 1) did not exceed; nil where there is nothing.
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
