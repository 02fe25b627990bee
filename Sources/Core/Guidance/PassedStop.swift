import Geodesy
import Route

/// How the vehicle comes by its next stop, where it may pass it on another road.
struct PassedStop: Codable, Hashable, Sendable {
  /// The stop.
  private(set) var place: Coordinate
  private(set) var nearestM = Double.infinity
  /// The driver wants to go there all the same.
  var isWanted = false
  /// The route on which its dropping was offered last.
  var offeredOn: String?

  // So much farther away than it was, a vehicle is past a stop; nearer than this it may still be about to stop.
  private static let beyondM = 100.0

  init(_ stop: Waypoint) { place = stop.place }

  mutating func moved(to here: Coordinate) {
    nearestM = min(nearestM, here.distanceM(to: place))
  }

  /// Whether the stop lies behind on the way to the place after it.
  func isPassed(at here: Coordinate, toward next: Coordinate) -> Bool {
    here.distanceM(to: place) >= nearestM + Self.beyondM
      && here.distanceM(to: next) < place.distanceM(to: next)
  }
}

extension Navigator.Following {
  /// Keeps account of how near the vehicle comes to its next stop.
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
  /// Settles a stop that was passed on another road: reached where that was as near as one that is passed on the
  /// route, and missed where nothing is done about missed stops.
  mutating func settlePassedStop(at here: Coordinate) -> [NavigatorOutput] {
    guard var now = following, now.hasPassedStop(at: here), let nearM = now.passed?.nearestM
    else { return [] }
    let isReached = nearM <= now.milestones.missRadiusM
    guard isReached || settings.onMissed == .ignore else { return [] }
    let told = now.milestones.settleNext(isReached ? .reached : .missed, distanceM: nearM)
    now.passed = nil
    following = now
    return [.milestone(told, now.track.route)]
  }

  /// Asks for the way on without a stop that was passed on another road, to propose it.
  mutating func offerToDropStop(from sighting: Sighting) -> [NavigatorOutput] {
    guard settings.onMissed == .ask, let now = following, let match = sighting.match,
      now.isReroute == true, now.hasPassedStop(at: match.place), let passed = now.passed,
      !passed.isWanted, passed.offeredOn != now.track.route.id, proposed == nil,
      rerouteToken(.passedStop) == nil, rerouteToken(.deviation) == nil
    else { return [] }
    following?.passed?.offeredOn = now.track.route.id
    let left = now.track.route.waypoints.dropFirst(now.milestones.next + 1).map(\.original)
    return requestWay(to: left, .passedStop, from: match, speedMps: sighting.speedMps)
  }
}
