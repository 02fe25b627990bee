import Foundations
import Geodesy
public import RoadGraph
import Route

/// Decides when the destination is reached.
///
/// A vehicle with a stop or pass-through point still ahead has not arrived, so a round trip is not
/// over where it begins. The exception is a vehicle that came from far away and parks at the
/// destination. Otherwise the destination is reached
/// - when the matched path comes within 20 m of it (15 m on foot or by bicycle), also between two
///   fixes;
/// - when the vehicle stands for 10 s (20 s without a measured speed) with the matched path within
///   50 m of it;
/// - when the vehicle stands equally long at the destination itself, on the route or not;
/// - when the vehicle stands for 30 s in a yard or car park within 100 m of it;
/// - when no location comes for 60 s on the last 150 m, as in an underground garage.
public struct ArrivalDetector: Codable, Hashable, Sendable {
  public enum Rule: String, Codable, Hashable, Sendable {
    case passedWithin = "passed_within"
    case standingNear = "standing_near"
    case signalLost = "signal_lost"
  }

  public struct Arrival: Codable, Hashable, Sendable {
    public var rule: Rule
    public var distanceM: Double
  }

  /// Relation of a location to the route and its destination.
  struct Situation {
    /// Whether the track's position on the route is current.
    var isOnRoute: Bool
    /// Whether no other stop or pass-through point of the trip is left before the destination.
    var isLastLeg: Bool
    /// Whether the location is off all roads, or a motor vehicle is on a service road, as in car
    /// parks.
    var isOnGrounds: Bool
  }

  /// Stationary period of the vehicle.
  private struct Stand: Codable, Hashable, Sendable {
    /// Start of the period with a speed below 0.5 m/s; nil if the speed is higher or unknown.
    var stillSince: Instant?
    /// Start of the period in which all fixes lie within 12 m of `place`.
    var since: Instant
    var place: Coordinate

    // Fixes of a stationary vehicle scatter by up to this distance.
    private static let wanderM = 12.0
    private static let stillMps = 0.5
    // A speed derived from fixes never drops to zero. Without a measured speed, the vehicle must
    // therefore stand this much longer.
    private static let unsureS = 10.0

    mutating func moved(to here: Coordinate, speedMps: Double?, at now: Instant) {
      stillSince = (speedMps ?? .infinity) < Self.stillMps ? stillSince ?? now : nil
      if place.distanceM(to: here) > Self.wanderM { (since, place) = (now, here) }
    }

    /// Seconds for which the vehicle has certainly been stationary.
    func standsS(at now: Instant) -> Double {
      max(
        stillSince.map { now.seconds(since: $0) } ?? 0, now.seconds(since: since) - Self.unsureS)
    }
  }

  public var radiusM: Double
  public var standingRadiusM = 50.0
  public var standingS = 10.0
  /// Seconds without a location after which a vehicle on the last 150 m counts as arrived.
  public var silenceS = 60.0
  /// Time at which `silenceS` expires; nil if the vehicle is not on the last 150 m of its route.
  private(set) var silentUntil: Instant?
  private var lastPlace: Coordinate?
  private var stand: Stand?
  // Greatest distance from the destination on this trip.
  private var farthestM = 0.0
  // Distance from the destination at the start of the trip.
  private var firstM: Double?

  // Farther from the end of the route, the vehicle may only be passing the destination.
  static let lastStretchM = 150.0
  // Within this distance of the requested destination, the vehicle is at the place itself.
  private static let placeM = 25.0
  // Upper limit of the arrival distance for a destination that lies far from its road.
  private static let yardM = 150.0
  // With more than this left of the route, a halt shorter than `parkedS` may be at a traffic light.
  private static let passingM = 300.0
  private static let parkedS = 120.0
  // Beyond this distance, a yard or car park does not belong to the destination.
  private static let groundsM = 200.0
  private static let carParkM = 100.0
  // Waiting at a gate takes less time than this.
  private static let carParkS = 30.0

  public init(mode: TravelMode) {
    radiusM = mode == .bicycle || mode == .pedestrian ? 15 : 20
  }

  /// Returns a watch for another route of the same trip, which keeps the distances of the trip.
  func continued(mode: TravelMode) -> ArrivalDetector {
    var watch = ArrivalDetector(mode: mode)
    watch.farthestM = farthestM
    watch.firstM = firstM
    return watch
  }

  mutating func clockSet(bySeconds seconds: Double) {
    silentUntil = silentUntil?.advanced(bySeconds: seconds)
    guard var stand else { return }
    stand.since = stand.since.advanced(bySeconds: seconds)
    stand.stillSince = stand.stillSince?.advanced(bySeconds: seconds)
    self.stand = stand
  }

  /// Evaluates the next location; nil if the vehicle has not arrived.
  mutating func moved(
    _ location: VehicleLocation, on track: RouteTrack, _ situation: Situation
  ) -> Arrival? {
    guard let destination = track.route.waypoints.last, let here = location.raw ?? location.place
    else { return nil }
    let before = lastPlace
    lastPlace = location.match?.place
    farthestM = max(farthestM, here.distanceM(to: destination.original.place))
    firstM = firstM ?? farthestM
    let remainingM = track.route.lengthM - (track.travelledM ?? 0)
    let isNear = situation.isLastLeg && track.travelledM != nil && remainingM <= Self.lastStretchM
    silentUntil = isNear ? location.time.advanced(bySeconds: silenceS) : nil
    var stand = stand ?? Stand(since: location.time, place: here)
    stand.moved(to: here, speedMps: location.speedMps, at: location.time)
    self.stand = stand
    let stillS = stand.standsS(at: location.time)
    guard situation.isLastLeg else { return parked(here, destination, stillS) }
    if let place = location.match?.place {
      if situation.isOnRoute, remainingM <= radiusM {
        let nearM = place.distanceM(to: destination.matched)
        return Arrival(rule: .passedWithin, distanceM: min(remainingM, nearM))
      }
      if !situation.isOnRoute, passedEnd(location, track, remainingM) {
        let driven = Polyline([before ?? place, place])
        let nearM = driven.projection(of: destination.matched)?.distanceM ?? .infinity
        if nearM <= radiusM { return Arrival(rule: .passedWithin, distanceM: nearM) }
      }
    }
    guard stillS >= standingS else { return nil }
    return standing(location, at: here, destination, isNear: isNear)
      ?? arrivalWhileStationary(here, location, destination, situation, remainingM, stillS)
  }

  /// Returns the arrival of a vehicle whose locations ended on the last 150 m; nil before
  /// `silentUntil`.
  mutating func waited(until now: Instant, on track: RouteTrack) -> Arrival? {
    guard let silentUntil, now >= silentUntil else { return nil }
    self.silentUntil = nil
    return Arrival(
      rule: .signalLost, distanceM: max(0, track.route.lengthM - (track.travelledM ?? 0)))
  }

  // Off the route, but by way of its last segment, or with little of it left.
  private func passedEnd(
    _ location: VehicleLocation, _ track: RouteTrack, _ remainingM: Double
  ) -> Bool {
    guard track.travelledM != nil else { return false }
    if remainingM <= Self.lastStretchM { return true }
    guard let last = track.route.segments.last?.reference, let match = location.match else {
      return false
    }
    return ([match.segment] + match.path).contains { $0 == last || $0 == last.reversed }
  }

  private func standing(
    _ location: VehicleLocation, at here: Coordinate, _ destination: RouteWaypoint, isNear: Bool
  ) -> Arrival? {
    let distanceM = (location.match?.place ?? here).distanceM(to: destination.matched)
    guard isNear, distanceM <= standingRadiusM else { return nil }
    return Arrival(rule: .standingNear, distanceM: distanceM)
  }

  // A vehicle parked at the destination with stops left has given up those stops.
  private func parked(
    _ here: Coordinate, _ destination: RouteWaypoint, _ stillS: Double
  ) -> Arrival? {
    let distanceM = Self.distanceM(from: here, to: destination)
    guard (firstM ?? 0) > Self.passingM, distanceM <= Self.placeM, stillS >= Self.parkedS
    else { return nil }
    return Arrival(rule: .standingNear, distanceM: distanceM)
  }

  // The vehicle stands at the requested place, or in the yard between that place and its road.
  private func arrivalWhileStationary(
    _ here: Coordinate, _ location: VehicleLocation, _ destination: RouteWaypoint,
    _ situation: Situation, _ remainingM: Double, _ stillS: Double
  ) -> Arrival? {
    let distanceM = Self.distanceM(from: here, to: destination)
    guard farthestM > 2 * Self.placeM || remainingM <= Self.passingM else { return nil }
    if !situation.isOnRoute, situation.isOnGrounds, distanceM <= Self.carParkM,
      remainingM <= Self.passingM, stillS >= Self.carParkS
    {
      return Arrival(rule: .standingNear, distanceM: distanceM)
    }
    let isOffRoad = location.match.map { $0.place.distanceM(to: here) > Self.placeM } ?? true
    let reachM = isOffRoad ? Self.reachM(of: destination) : Self.placeM
    guard distanceM <= reachM else { return nil }
    let passes = situation.isOnRoute && !isOffRoad && remainingM > Self.passingM
    guard !passes || stillS >= Self.parkedS else { return nil }
    return Arrival(rule: .standingNear, distanceM: distanceM)
  }

  /// Whether a location off the route is at the destination, or in a yard or car park in front of
  /// it.
  ///
  /// Such a vehicle has not left its route.
  static func isAtDoor(_ location: VehicleLocation, on track: RouteTrack, _ situation: Situation)
    -> Bool
  {
    guard situation.isLastLeg, let travelledM = track.travelledM,
      let here = location.raw ?? location.place, let destination = track.route.waypoints.last
    else { return false }
    let distanceM = distanceM(from: here, to: destination)
    if distanceM <= reachM(of: destination) + placeM { return true }
    return situation.isOnGrounds && distanceM <= groundsM
      && track.route.lengthM - travelledM <= passingM
  }

  private static func distanceM(from here: Coordinate, to destination: RouteWaypoint) -> Double {
    min(
      here.distanceM(to: destination.original.place), here.distanceM(to: destination.original.entry)
    )
  }

  // The arrival distance equals the distance between the place and its road, within limits.
  private static func reachM(of destination: RouteWaypoint) -> Double {
    max(placeM, min(yardM, destination.distanceM))
  }
}
