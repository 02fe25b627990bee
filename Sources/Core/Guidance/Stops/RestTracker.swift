public import Foundations
import Route

/// Tracks how long the rests at the stops of a trip still take.
///
/// A rest begins when its stop is reached. It ends when its seconds are over or when the vehicle
/// has driven on.
public struct RestTracker: Codable, Hashable, Sendable {
  /// Distance in metres beyond a stop at which the vehicle has driven on.
  private static let leftM = 50.0

  /// When the stop was reached at which the vehicle rests; nil if it does not rest.
  public private(set) var since: Instant?
  /// Metres from the start of the route to that stop.
  private var stopM = 0.0
  private var restS = 0.0

  public init() {}

  /// Starts the rest at a stop that was reached.
  mutating func reached(_ stop: RouteWaypoint, at now: Instant) {
    guard let rest = stop.original.restS, rest > 0 else { return }
    (since, stopM, restS) = (now, stop.offsetM, rest)
  }

  /// Continues after a crash with the rest at the last stop that was passed.
  mutating func restore(since: Instant?, at stop: RouteWaypoint) {
    guard let since else { return }
    reached(stop, at: since)
  }

  /// The same rest on another route, which starts where the vehicle rests.
  func continued() -> RestTracker {
    var copy = self
    copy.stopM = 0
    return copy
  }

  mutating func moved(toM travelledM: Double, at now: Instant) {
    if remainingS(at: now) == 0 || travelledM > stopM + Self.leftM { since = nil }
  }

  mutating func clockSet(bySeconds seconds: Double) {
    since = since?.advanced(bySeconds: seconds)
  }

  /// Remaining seconds of the current rest; 0 for none.
  func remainingS(at now: Instant) -> Double {
    guard let since else { return 0 }
    return max(0, restS - max(0, now.seconds(since: since)))
  }
}

extension Route {
  /// Seconds of the rests at stops from waypoint `next` on that lie before waypoint `last`.
  func restS(from next: Int, before last: Int) -> Double {
    guard next < last else { return 0 }
    return waypoints[max(0, next)..<min(last, waypoints.count)]
      .reduce(0) { $0 + max(0, $1.original.kind == .stopover ? $1.original.restS ?? 0 : 0) }
  }
}
