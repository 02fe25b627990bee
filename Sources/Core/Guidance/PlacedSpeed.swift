import EventTime
import Geodesy

/// The speed that the places of a vehicle support where its receiver tells none.
///
/// Two places that err by some metres make any speed of two that follow each other at once; over half a
/// minute little of that is left. Straight lines are used: what was driven is never less.
struct PlacedSpeed: Codable, Hashable, Sendable {
  /// Error that a place has at least, metres (68 %).
  private static let leastErrorM = 5.0
  /// The error of a line is no greater than so many times its standard deviation.
  private static let errors = 2.0
  private static let shortestS = 5.0
  private static let longestS = 60.0
  /// What counts as the speed of now is that over so many seconds.
  private static let nowS = 10.0
  /// Places nearer in time are left out, seconds.
  private static let stepS = 1.0

  private struct Place: Codable, Hashable, Sendable {
    var at: Instant
    var coordinate: Coordinate
    var errorM: Double
  }

  /// What the places tell, metres a second.
  struct Speed {
    /// No slower vehicle has such places.
    var leastMps: Double
    /// The likely one of the last seconds.
    var nowMps: Double
  }

  /// The oldest first.
  private var places: [Place] = []

  /// Takes in a place; nil while too few are known.
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
    // One place that lies far off makes no speed: several must agree.
    let agreed = least.sorted(by: >)[min(2, least.count / 2)]
    return Speed(leastMps: agreed, nowMps: nowMps)
  }

  /// What was driven until now tells nothing of what comes.
  mutating func forget() { places = [] }
}
