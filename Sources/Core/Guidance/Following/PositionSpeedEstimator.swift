import Foundations
import Geodesy

/// Estimates the speed of a vehicle from its positions if the receiver reports no speed.
///
/// Position errors of some metres dominate the speed between consecutive fixes, but matter little
/// over half a minute. Straight-line distances are used, because the driven distance is never
/// shorter.
struct PositionSpeedEstimator: Codable, Hashable, Sendable {
  /// Smallest error assumed for a position, metres (68 %).
  private static let leastErrorM = 5.0
  /// Upper limit of the error of a distance, as a multiple of its standard deviation.
  private static let errors = 2.0
  private static let shortestS = 5.0
  private static let longestS = 60.0
  /// Shortest period over which the current speed is computed, seconds.
  private static let nowS = 10.0
  /// Shortest interval between stored positions, seconds.
  private static let stepS = 1.0

  private struct Place: Codable, Hashable, Sendable {
    var at: Instant
    var coordinate: Coordinate
    var errorM: Double
  }

  /// Speeds that follow from the positions, in m/s.
  struct Speed {
    /// Lowest speed that is consistent with the positions.
    var leastMps: Double
    /// Likely speed over the last seconds.
    var nowMps: Double
  }

  /// Positions of the last 60 s, oldest first.
  private var places: [Place] = []

  /// Adds a position and returns the speeds; nil while the positions cover too short a period.
  mutating func moved(to coordinate: Coordinate, accuracyM: Double?, at now: Instant) -> Speed? {
    if let last = places.last, now.seconds(since: last.at) < 0 { places = [] }
    places.removeAll { now.seconds(since: $0.at) > Self.longestS }
    let place = Place(
      at: now, coordinate: coordinate, errorM: max(accuracyM ?? 0, Self.leastErrorM))
    defer {
      if places.last.map({ now.seconds(since: $0.at) >= Self.stepS }) ?? true {
        places.append(place)
      }
    }
    var least: [Double] = []
    var nowMps: Double?
    for old in places {
      let elapsedS = now.seconds(since: old.at)
      guard elapsedS >= Self.shortestS else { break }
      let lengthM = old.coordinate.distanceM(to: coordinate)
      let errorM =
        Self.errors * (old.errorM * old.errorM + place.errorM * place.errorM).squareRoot()
      least.append(max(0, lengthM - errorM) / elapsedS)
      if elapsedS >= Self.nowS { nowMps = lengthM / elapsedS }
    }
    guard let nowMps else { return nil }
    // One outlier must not produce a speed, so several positions must agree.
    let agreed = least.sorted(by: >)[min(2, least.count / 2)]
    return Speed(leastMps: agreed, nowMps: nowMps)
  }

  /// Discards all positions, so that speeds depend only on later ones.
  mutating func forget() { places = [] }
}
