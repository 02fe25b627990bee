import EventTime
import Geodesy
public import RoadGraph
import Route

/// Decides when the destination is reached.
///
/// Nobody arrives who has a stop or another place of the trip still before him, unless he came from afar and parks at
/// the destination: a trip that begins where it ends is not over as it begins. Otherwise the destination is reached
/// - when the matched way comes within 20 m of it (15 m on foot or by bicycle), between two fixes too;
/// - by standing for 10 s (20 s where only the fixes tell) where the matched way is within 50 m of it, or on
///   the place itself, by whatever way; for 30 s in a yard or car park within 100 m of it;
/// - when locations fail to come for 60 s on the last 150 m, as in an underground garage.
public struct ArrivalWatch: Codable, Hashable, Sendable {
  public enum Rule: String, Codable, Hashable, Sendable {
    case passedWithin = "passed_within"
    case standingNear = "standing_near"
    case signalLost = "signal_lost"
  }

  public struct Arrival: Codable, Hashable, Sendable {
    public var rule: Rule
    public var distanceM: Double
  }

  /// How a location lies on the way to the destination.
  struct Situation {
    /// The track's place is of now.
    var isOnRoute: Bool
    /// No other place of the trip is left before the destination.
    var isLastLeg: Bool
    /// It is off all roads, or a motor vehicle on a service road as those of car parks.
    var isOnGrounds: Bool
  }

  /// For how long the vehicle has not moved.
  private struct Stand: Codable, Hashable, Sendable {
    /// Since when its speed is none.
    var stillSince: Instant?
    /// Since when its fixes lie about one place, and that place.
    var since: Instant
    var place: Coordinate

    // The fixes of a vehicle that stands wander so far.
    private static let wanderM = 12.0
    private static let stillMps = 0.5
    // A speed that was only derived from fixes is never none: then it must stay so much longer.
    private static let unsureS = 10.0

    mutating func moved(to here: Coordinate, speedMps: Double?, at now: Instant) {
      stillSince = (speedMps ?? .infinity) < Self.stillMps ? stillSince ?? now : nil
      if place.distanceM(to: here) > Self.wanderM { (since, place) = (now, here) }
    }

    /// Seconds of standing that are sure.
    func standsS(at now: Instant) -> Double {
      max(
        stillSince.map { now.seconds(since: $0) } ?? 0, now.seconds(since: since) - Self.unsureS)
    }
  }

  public var radiusM: Double
  public var standingRadiusM = 50.0
  public var standingS = 10.0
  /// Seconds without a location after which a vehicle on the last stretch has arrived.
  public var silenceS = 60.0
  /// The moment at which that silence is over; nil where the vehicle is not on the last stretch.
  private(set) var silentUntil: Instant?
  private var lastPlace: Coordinate?
  private var stand: Stand?
  // How far from the destination the vehicle has been on this trip.
  private var farthestM = 0.0
  // How far from it the trip began.
  private var firstM: Double?

  // Far from the end of the route the destination's neighbourhood is only driven past.
  static let lastStretchM = 150.0
  // Metres from the destination as it was given that count as the place itself.
  private static let placeM = 25.0
  // Farther off its road nobody is at the destination.
  private static let yardM = 150.0
  // With so much of the route left, a shorter stand on it is one at a traffic light.
  private static let passingM = 300.0
  private static let parkedS = 120.0
  // Farther from the destination a yard or car park is none of its own.
  private static let groundsM = 200.0
  private static let carParkM = 100.0
  // At a gate one waits for less.
  private static let carParkS = 30.0

  public init(mode: TravelMode) {
    radiusM = mode == .bicycle || mode == .pedestrian ? 15 : 20
  }

  /// The watch for another route of the same trip.
  func continued(mode: TravelMode) -> ArrivalWatch {
    var watch = ArrivalWatch(mode: mode)
    watch.farthestM = farthestM
    watch.firstM = firstM
    return watch
  }

  /// The verdict for one more location.
  mutating func moved(
    _ sighting: Sighting, on track: RouteTrack, _ situation: Situation
  ) -> Arrival? {
    guard let destination = track.route.waypoints.last, let here = sighting.raw ?? sighting.place
    else { return nil }
    let before = lastPlace
    lastPlace = sighting.match?.place
    farthestM = max(farthestM, here.distanceM(to: destination.original.place))
    firstM = firstM ?? farthestM
    let remainingM = track.route.lengthM - (track.travelledM ?? 0)
    let isNear = situation.isLastLeg && track.travelledM != nil && remainingM <= Self.lastStretchM
    silentUntil = isNear ? sighting.time.advanced(bySeconds: silenceS) : nil
    var stand = stand ?? Stand(since: sighting.time, place: here)
    stand.moved(to: here, speedMps: sighting.speedMps, at: sighting.time)
    self.stand = stand
    let stillS = stand.standsS(at: sighting.time)
    guard situation.isLastLeg else { return parked(here, destination, stillS) }
    if let place = sighting.match?.place {
      if situation.isOnRoute, remainingM <= radiusM {
        let nearM = place.distanceM(to: destination.matched)
        return Arrival(rule: .passedWithin, distanceM: min(remainingM, nearM))
      }
      if !situation.isOnRoute, passedEnd(sighting, track, remainingM) {
        let driven = Polyline([before ?? place, place])
        let nearM = driven.projection(of: destination.matched)?.distanceM ?? .infinity
        if nearM <= radiusM { return Arrival(rule: .passedWithin, distanceM: nearM) }
      }
    }
    guard stillS >= standingS else { return nil }
    return standing(sighting, at: here, destination, isNear: isNear)
      ?? standingThere(here, sighting, destination, situation, remainingM, stillS)
  }

  /// The arrival of a vehicle of which nothing was seen since the last stretch; nil before its time.
  mutating func waited(until now: Instant, on track: RouteTrack) -> Arrival? {
    guard let silentUntil, now >= silentUntil else { return nil }
    self.silentUntil = nil
    return Arrival(
      rule: .signalLost, distanceM: max(0, track.route.lengthM - (track.travelledM ?? 0)))
  }

  // Off the route, but by way of its last segment, or with little of it left.
  private func passedEnd(
    _ sighting: Sighting, _ track: RouteTrack, _ remainingM: Double
  ) -> Bool {
    guard track.travelledM != nil else { return false }
    if remainingM <= Self.lastStretchM { return true }
    guard let last = track.route.segments.last?.reference, let match = sighting.match else {
      return false
    }
    return ([match.segment] + match.path).contains { $0 == last || $0 == last.reversed }
  }

  private func standing(
    _ sighting: Sighting, at here: Coordinate, _ destination: RouteWaypoint, isNear: Bool
  ) -> Arrival? {
    let distanceM = (sighting.match?.place ?? here).distanceM(to: destination.matched)
    guard isNear, distanceM <= standingRadiusM else { return nil }
    return Arrival(rule: .standingNear, distanceM: distanceM)
  }

  // At the destination with stops left that the driver has given up.
  private func parked(
    _ here: Coordinate, _ destination: RouteWaypoint, _ stillS: Double
  ) -> Arrival? {
    let distanceM = Self.distanceM(from: here, to: destination)
    guard (firstM ?? 0) > Self.passingM, distanceM <= Self.placeM, stillS >= Self.parkedS
    else { return nil }
    return Arrival(rule: .standingNear, distanceM: distanceM)
  }

  // On the place that was asked for, or in the yard between it and its road.
  private func standingThere(
    _ here: Coordinate, _ sighting: Sighting, _ destination: RouteWaypoint,
    _ situation: Situation, _ remainingM: Double, _ stillS: Double
  ) -> Arrival? {
    let distanceM = Self.distanceM(from: here, to: destination)
    guard farthestM > 2 * Self.placeM || remainingM <= Self.passingM else { return nil }
    if !situation.isOnRoute, situation.isOnGrounds, distanceM <= Self.carParkM,
      remainingM <= Self.passingM, stillS >= Self.carParkS
    {
      return Arrival(rule: .standingNear, distanceM: distanceM)
    }
    let isOffRoad = sighting.match.map { $0.place.distanceM(to: here) > Self.placeM } ?? true
    let reachM = isOffRoad ? Self.reachM(of: destination) : Self.placeM
    guard distanceM <= reachM else { return nil }
    let passes = situation.isOnRoute && !isOffRoad && remainingM > Self.passingM
    guard !passes || stillS >= Self.parkedS else { return nil }
    return Arrival(rule: .standingNear, distanceM: distanceM)
  }

  /// Whether a location off the route is at the destination, or in a yard or car park before it: there nobody has
  /// left the route.
  static func isAtDoor(_ sighting: Sighting, on track: RouteTrack, _ situation: Situation) -> Bool {
    guard situation.isLastLeg, let travelledM = track.travelledM,
      let here = sighting.raw ?? sighting.place, let destination = track.route.waypoints.last
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

  // As far from the place as its road is.
  private static func reachM(of destination: RouteWaypoint) -> Double {
    max(placeM, min(yardM, destination.distanceM))
  }
}
