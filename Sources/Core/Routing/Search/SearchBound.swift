public import Contraction
import RoadGraph

/// Lower bounds for the costs of searches: distances of a customized metric, multiplied by a share.
public struct SearchBound: Sendable {
  public let customized: CustomizedMetric
  /// Factor of the metric's distances; above 0, at most 1.
  let share: Double
  /// The bounds are valid for the fastest trips that end within this time after the departure; nil
  /// for all trips.
  public var untilMS: UInt64?

  /// The distances of a metric whose costs are nowhere above those of the searches.
  public init(_ customized: CustomizedMetric, untilMS: UInt64? = nil) {
    self.init(customized, share: 1, untilMS: untilMS)
  }

  init(_ customized: CustomizedMetric, share: Double, untilMS: UInt64?) {
    self.customized = customized
    self.share = share
    self.untilMS = untilMS
  }

  /// A bound from a distance of the metric.
  @inline(__always) func scaled(_ costMS: Int64) -> UInt64 {
    share < 1 ? UInt64(Double(max(0, costMS)) * share) : UInt64(max(0, costMS))
  }

  /// Makes bounds for trips by `base` during which prices fall to those of `least`.
  ///
  /// If nearly all prices stay above a share of `base`'s, the customization of `base` serves for
  /// the bounds with few changes. Otherwise `least` is customized. `before` is another metric on
  /// the same hierarchy; it makes that faster if it differs on few roads. At worst it is as
  /// expensive as a customization.
  public static func make(
    least: RoadMetric, base: CustomizedMetric?, before: CustomizedMetric?,
    on roads: RoadHierarchy, turns: TurnTable, inParallel: InParallel = oneByOne
  ) -> SearchBound {
    guard let base, let (share, count) = share(of: least, to: base.metric) else {
      let customized = CustomizedMetric(
        least, on: roads, turns: turns, base: before ?? base, inParallel: inParallel)
      return SearchBound(customized)
    }
    guard count > 0 else { return SearchBound(base, share: share, untilMS: nil) }
    let customized = CustomizedMetric(
      RoadMetric(base: base.metric, least: least, share: share), on: roads, turns: turns,
      base: base, inParallel: inParallel)
    return SearchBound(customized, share: share, untilMS: nil)
  }

  /// Shares that are worthwhile; a lower one leads to larger searches.
  private static let shares = [1, 0.95, 0.9, 0.85, 0.8]
  /// One edge in this many may have a lower price than the share.
  private static let fewShare = 200

  /// The highest worthwhile share of `base`'s prices that only few edges fall below, and their
  /// number.
  private static func share(
    of least: RoadMetric, to base: RoadMetric
  ) -> (share: Double, count: Int)? {
    let (low, high) = (least.costMS.records, base.costMS.records)
    var counts = [Int](repeating: 0, count: shares.count)
    for edge in low.indices where low[edge] < high[edge] {
      let (lowMS, highMS) = (Double(low[edge]), Double(high[edge]))
      for place in counts.indices {
        guard lowMS < highMS * shares[place] else { break }
        counts[place] += 1
      }
    }
    let limit = low.count / fewShare
    return counts.indices.first { counts[$0] <= limit }.map { (shares[$0], counts[$0]) }
  }
}
