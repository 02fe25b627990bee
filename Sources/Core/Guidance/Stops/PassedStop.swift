import Geodesy
import Route

/// Closest approach of the vehicle to its next stop, which it may pass on another road.
struct PassedStop: Codable, Hashable, Sendable {
  /// Position of the stop.
  private(set) var place: Coordinate
  private(set) var nearestM = Double.infinity
  /// Distance to the stop when it became the next one; nil before the first location.
  private var firstM: Double?
  /// Whether the driver still wants to visit the stop.
  var isWanted = false
  /// ID of the route on which dropping the stop was last offered.
  var offeredOn: String?

  // A vehicle that has come nearer to its stop by less than this has not approached it.
  private static let approachM = 30.0
  // A stop is passed once the vehicle is this much farther away than at its closest approach. With
  // less, the vehicle may still be about to stop.
  private static let beyondM = 100.0

  init(_ stop: Waypoint) { place = stop.place }

  mutating func moved(to here: Coordinate) {
    firstM = firstM ?? here.distanceM(to: place)
    nearestM = min(nearestM, here.distanceM(to: place))
  }

  /// Whether the vehicle has passed the stop while driving to the next waypoint.
  ///
  /// A stop that was added behind a moving vehicle was not passed: the route still leads to it.
  func isPassed(at here: Coordinate, toward next: Coordinate) -> Bool {
    (firstM ?? 0) - nearestM >= Self.approachM
      && here.distanceM(to: place) >= nearestM + Self.beyondM
      && here.distanceM(to: next) < place.distanceM(to: next)
  }
}

extension Navigator.Following {
  /// Updates the closest approach of the vehicle to its next stop.
  mutating func approachStop(from here: Coordinate) {
    let route = track.route
    guard milestones.next < route.waypoints.count - 1,
      case let stop = route.waypoints[milestones.next].original, stop.kind == .stopover
    else {
      passed = nil
      return
    }
    if passed?.place != stop.place { passed = PassedStop(stop) }
    passed?.moved(to: here)
  }

  /// Whether the next stop was passed on another road.
  func hasPassedStop(at here: Coordinate) -> Bool {
    guard let passed, milestones.next + 1 < track.route.waypoints.count else { return false }
    return passed.isPassed(
      at: here, toward: track.route.waypoints[milestones.next + 1].original.place)
  }
}

extension Navigator {
  /// Settles a stop that was passed on another road.
  ///
  /// Within the radius that applies on the route, the stop counts as reached. Otherwise it counts
  /// as missed if the settings ignore missed stops.
  mutating func settlePassedStop(at here: Coordinate) -> [NavigatorOutput] {
    guard var now = following, now.hasPassedStop(at: here), let nearM = now.passed?.nearestM
    else { return [] }
    let isReached = nearM <= now.milestones.missRadiusM
    guard isReached || settings.onMissed == .ignore else { return [] }
    let reported = now.milestones.settleNext(isReached ? .reached : .missed, distanceM: nearM)
    now.passed = nil
    following = now
    return [.milestone(reported, now.track.route)]
  }

  /// Requests a route without a stop that was passed on another road, in order to propose it.
  mutating func offerToDropStop(from location: VehicleLocation) -> [NavigatorOutput] {
    guard settings.onMissed == .ask, let now = following, let match = location.match,
      now.isReroute == true, now.hasPassedStop(at: match.place), let passed = now.passed,
      !passed.isWanted, passed.offeredOn != now.track.route.id, proposed == nil,
      rerouteToken(.passedStop) == nil, rerouteToken(.deviation) == nil
    else { return [] }
    following?.passed?.offeredOn = now.track.route.id
    let left = now.track.route.waypoints.dropFirst(now.milestones.next + 1).map(\.original)
    return requestReroute(to: left, .passedStop, from: match, speedMps: location.speedMps)
  }
}
