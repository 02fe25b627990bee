public import Foundations
public import Geodesy
public import RoadGraph
public import Route

/// Drives the active route on real roads, as the position source when no vehicle is driven (LOC-5).
///
/// It stands at its start until there is a route. It then follows the route at each road's usual
/// speed, slows for turns, rests at stopovers, strays from the route if requested, and changes to a
/// new route where it meets it. Its position at any moment follows from the events alone.
public struct RouteSimulator: Sendable {
  public struct Settings: Sendable {
    public var driving = DrivingStyle()
    /// Metres driven after which the driver leaves the route at the next possible junction;
    /// ascending.
    public var wrongTurnsAtM: [Double] = []
    /// Metres that the driver continues before standing, if there is no new route.
    public var wrongTurnLengthM = 1000.0
    /// Whether the driver waits at red signals, where the streets are known.
    public var waitsAtSignals = true

    public init() {}
  }

  public let settings: Settings
  public private(set) var streets: StreetNetwork?
  private let start: Coordinate
  private let startBearingDeg: Double
  private var plan: DrivePlan?
  private var planStart = Instant(nanoseconds: 0)
  /// Metres driven before the current plan.
  private var odometerM = 0.0
  private var wrongTurns: [Double]
  /// Metres from the plan's start at which it leaves the route.
  private var departureM: Double?
  private var routeID: String?
  /// The odometer reading where the route begins.
  private var routeStartM = 0.0

  /// A driver that stands at `start`; without streets it cannot stray.
  public init(
    start: Coordinate, bearingDeg: Double = 0, streets: StreetNetwork?,
    settings: Settings = Settings()
  ) {
    self.start = start
    self.startBearingDeg = bearingDeg
    self.streets = streets
    self.settings = settings
    wrongTurns = settings.wrongTurnsAtM.sorted()
  }

  /// Continues with the streets of `other`, which drives on a map that has replaced this one.
  ///
  /// The current drive is completed. The next wrong turn, and everything else that is looked up
  /// from now on, uses the new streets.
  public mutating func adoptStreets(of other: RouteSimulator) { streets = other.streets }

  /// The state of the drive at `now` that a restart needs.
  public func memory(at now: Instant) -> Memory {
    let state = state(at: now)
    let truth = truth(at: now)
    let leg = state.flatMap { state in plan.map { $0.legs[state.leg] } }
    let hasLeft = departureM.map { (state?.offsetM ?? 0) > $0 } ?? false
    return Memory(
      place: truth.place, bearingDeg: truth.bearingDeg, reference: leg?.reference,
      offsetM: (leg?.entryOffsetM ?? 0) + (state?.legOffsetM ?? 0), drivenM: drivenM(at: now),
      wrongTurnsAtM: hasLeft ? Array(wrongTurns.dropFirst()) : wrongTurns,
      strayM: hasLeft ? Double.maximum(0, (plan?.lengthM ?? 0) - (state?.offsetM ?? 0)) : 0)
  }

  /// Stands where a driver with the same settings was when `memory` was taken, until there is a
  /// route.
  ///
  /// A driver that had taken a wrong turn continues on it, since at that place it may not be
  /// detectable yet that no route uses the road.
  public mutating func resume(_ memory: Memory, at now: Instant) {
    wrongTurns = memory.wrongTurnsAtM
    odometerM = memory.drivenM
    departureM = nil
    routeID = nil
    planStart = now
    var legs = [Self.standing(memory)]
    if memory.strayM > 0, let reference = memory.reference,
      let onward = streets?.onward(
        from: reference, offsetM: memory.offsetM, lengthM: memory.strayM,
        driving: settings.driving)
    {
      legs = onward
      wrongTurns.insert(memory.drivenM, at: 0)
      departureM = -1
    }
    plan = DrivePlan(legs: legs, speedMps: 0, driving: settings.driving, startsAt: now)
  }

  /// The exact current drive: the state that a simulator with the same streets needs to continue.
  public struct Drive: Codable, Hashable, Sendable {
    var plan: DrivePlan?
    var planStart: Instant
    var odometerM: Double
    var wrongTurns: [Double]
    var departureM: Double?
    var routeID: String?
    var routeStartM: Double
  }

  public var drive: Drive {
    Drive(
      plan: plan, planStart: planStart, odometerM: odometerM, wrongTurns: wrongTurns,
      departureM: departureM, routeID: routeID, routeStartM: routeStartM)
  }

  public mutating func goOn(with drive: Drive) {
    plan = drive.plan
    planStart = drive.planStart
    odometerM = drive.odometerM
    wrongTurns = drive.wrongTurns
    departureM = drive.departureM
    routeID = drive.routeID
    routeStartM = drive.routeStartM
  }

  /// The state of the vehicle at `now`.
  public func truth(at now: Instant) -> VehicleTruth {
    state(at: now)?.truth
      ?? VehicleTruth(place: start, bearingDeg: startBearingDeg, speedMps: 0, isInTunnel: false)
  }

  /// Whether nothing is left to drive at `now`.
  public func isStanding(at now: Instant) -> Bool {
    guard let plan else { return true }
    return now.seconds(since: planStart) >= plan.durationS
  }

  /// Metres driven at `now`.
  public func drivenM(at now: Instant) -> Double { odometerM + (state(at: now)?.offsetM ?? 0) }

  /// Whether the driver strayed from the route and has not returned to one.
  public func hasStrayed(at now: Instant) -> Bool {
    guard let departureM, let state = state(at: now) else { return false }
    return state.offsetM > departureM
  }

  /// Changes to `route` at once: from the current position, or where the current path meets it.
  ///
  /// A missing route does not stop the driver. A route that is neither here nor ahead is not
  /// followed, and the driver continues as before.
  public mutating func adopt(_ route: Route?, at now: Instant) {
    guard let route else {
      routeID = nil
      stop(at: now)
      return
    }
    guard route.id != routeID else { return }
    routeID = route.id
    let speed = state(at: now)?.truth.speedMps ?? 0
    if let way = way(onto: route, at: now) {
      routeStartM = drivenM(at: now) + way.beforeM - way.entryM
      replan(way.legs, speedMps: way.fromStand ? 0 : speed, at: now)
    }
  }

  /// Leaves the route at the next possible junction that is at least `atM` metres from the route's
  /// start.
  public mutating func leaveRoute(atM: Double? = nil, at now: Instant) {
    let turnAtM = atM.map { routeStartM + $0 } ?? drivenM(at: now)
    wrongTurns.append(Double.maximum(turnAtM, drivenM(at: now)))
    wrongTurns.sort()
    guard let plan, let state = state(at: now) else { return }
    replan(Self.rest(of: plan.legs, from: state), speedMps: state.truth.speedMps, at: now)
  }

  /// Slows down for live traffic and speeds up where it has ended, from the position at `now`.
  ///
  /// `speedMps` returns the speed that traffic allows on a piece of road with the given usual
  /// speed, m/s; nil if nothing is reported. A delay may make it very low. Nothing changes if the
  /// speeds equal those of the plan. Linear in the rest of the plan.
  public mutating func follow(
    at now: Instant, traffic speedMps: (_ road: SegmentReference, _ usualMps: Double) -> Double?
  ) {
    guard let plan, let state = state(at: now), !isStanding(at: now) else { return }
    var legs = plan.legs
    var changes = false
    for index in state.leg..<legs.count {
      guard let reference = legs[index].reference else { continue }
      let leg = legs[index]
      let reported = speedMps(reference, leg.freeMps / settings.driving.speedFactor)
      let wanted =
        reported.map { Double.maximum(Self.leastMps, Double.minimum(leg.freeMps, $0)) }
        ?? leg.calmMps
      guard abs(wanted - leg.cruiseMps) > Self.leastChange * Double.minimum(1, leg.cruiseMps)
      else { continue }
      legs[index].cruiseMps = wanted
      changes = true
    }
    guard changes else { return }
    let elapsedS = Double.maximum(0, now.seconds(since: planStart))
    let waitS = plan.standingS(afterS: elapsedS)
    odometerM += state.offsetM
    departureM = departureM.map { $0 - state.offsetM }
    planStart = now
    self.plan = DrivePlan(
      legs: Self.rest(of: legs, from: state), speedMps: state.truth.speedMps,
      driving: settings.driving, startsAt: now, waitS: waitS, brakes: true)
  }

  /// OSM ids of the ways of the plan.
  public var ways: Set<Int64> { Set(plan?.legs.compactMap { $0.reference?.way } ?? []) }

  /// Minimum speed of a driver in slow traffic, m/s.
  private static let leastMps = 0.02

  /// Speeds that differ by less are equal: in m/s, below 1 m/s as a share.
  private static let leastChange = 0.05

  private func state(at now: Instant) -> DriveState? {
    plan?.state(afterS: Double.maximum(0, now.seconds(since: planStart)))
  }

  private mutating func stop(at now: Instant) {
    guard plan != nil else { return }
    replan([Self.standing(memory(at: now))], speedMps: 0, at: now)
  }

  /// A leg on which the vehicle stands; a point ahead preserves the bearing.
  private static func standing(_ memory: Memory) -> DriveLeg {
    DriveLeg(
      reference: memory.reference,
      points: [
        memory.place, memory.place.moved(bearingDeg: memory.bearingDeg, distanceM: 0.01),
      ],
      entryOffsetM: memory.offsetM, cruiseMps: 1, freeMps: 1, calmMps: 1, isTunnel: false,
      stopS: nil)
  }

  private mutating func replan(_ legs: [DriveLeg], speedMps: Double, at now: Instant) {
    let driven = drivenM(at: now)
    if let departureM, driven - odometerM > departureM, !wrongTurns.isEmpty {
      wrongTurns.removeFirst()
    }
    // A red signal stays red for a new route.
    let waitS =
      plan?.standingS(
        afterS: Double.maximum(0, now.seconds(since: planStart)), atSignals: true) ?? 0
    odometerM = driven
    departureM = nil
    planStart = now
    let way = straying(legs)
    plan = DrivePlan(
      legs: settings.waitsAtSignals ? streets?.withSignals(way) ?? way : way, speedMps: speedMps,
      driving: settings.driving, startsAt: now, waitS: waitS)
  }

  /// The legs, including the next wrong turn.
  private mutating func straying(_ legs: [DriveLeg]) -> [DriveLeg] {
    guard let streets, let turnAtM = wrongTurns.first else { return legs }
    var endM = 0.0
    for (index, leg) in legs.dropLast().enumerated() {
      endM += Polyline(leg.points).lengthM
      guard odometerM + endM >= turnAtM else { continue }
      if let astray = streets.wrongTurn(
        after: leg, insteadOf: legs[index + 1], lengthM: settings.wrongTurnLengthM,
        driving: settings.driving)
      {
        departureM = endM
        return Array(legs[...index]) + astray
      }
    }
    return legs
  }

  /// Length of the current path that is searched for a new route, in metres.
  private static let outlookM = 5000.0

  /// A path onto a route.
  private struct Way {
    var legs: [DriveLeg]
    /// Metres driven until the route is met, and the offset on the route where it is met.
    var beforeM = 0.0
    var entryM = 0.0
    var fromStand = false
  }

  /// The path from the driver's position onto `route`; nil if none is near.
  private func way(onto route: Route, at now: Instant) -> Way? {
    guard let plan, let state = state(at: now), let reference = plan.legs[state.leg].reference
    else { return approach(to: route, at: now) }
    let driving = settings.driving
    let offsetM = plan.legs[state.leg].entryOffsetM + state.legOffsetM
    if let here = route.offsetM(of: reference, atM: offsetM) {
      return Way(legs: route.legs(fromM: here, driving: driving), entryM: here)
    }
    let rest = Self.rest(of: plan.legs, from: state)
    var beforeM = 0.0
    for (index, leg) in rest.enumerated() {
      if index > 0, let ahead = leg.reference,
        let entryM = route.offsetM(of: ahead, atM: leg.entryOffsetM)
      {
        return Way(
          legs: Array(rest[..<index]) + route.legs(fromM: entryM, driving: driving),
          beforeM: beforeM, entryM: entryM)
      }
      beforeM += Polyline(leg.points).lengthM
      if beforeM > Self.outlookM { break }
    }
    if let way = turningBack(reference, offsetM, onto: route) { return way }
    let nearM = route.shape.first?.distanceM(to: state.truth.place) ?? .infinity
    return nearM <= 100 && isStanding(at: now) ? approach(to: route, at: now) : nil
  }

  /// The route from here, if it leads back over the piece of road that the driver is on.
  private func turningBack(
    _ reference: SegmentReference, _ offsetM: Double, onto route: Route
  ) -> Way? {
    guard let edge = streets?.index.edge(reference), let length = streets?.graph.lengthM(edge),
      let here = route.offsetM(of: reference.reversed, atM: length - offsetM), here < 500
    else { return nil }
    return Way(
      legs: route.legs(fromM: here, driving: settings.driving), entryM: here, fromStand: true)
  }

  /// The straight line to the route's start, followed by the route.
  private func approach(to route: Route, at now: Instant) -> Way {
    var legs = route.legs(fromM: 0, driving: settings.driving)
    let here = truth(at: now).place
    guard let first = route.shape.first, first.distanceM(to: here) > 1 else {
      return Way(legs: legs, fromStand: true)
    }
    legs.insert(
      DriveLeg(
        reference: nil, points: [here, first], entryOffsetM: 0, cruiseMps: 8, freeMps: 8,
        calmMps: 8, isTunnel: false, stopS: nil), at: 0)
    return Way(legs: legs, beforeM: first.distanceM(to: here), fromStand: true)
  }

  /// The rest of a plan's legs from `state` on.
  private static func rest(of legs: [DriveLeg], from state: DriveState) -> [DriveLeg] {
    var current = legs[state.leg]
    let line = Polyline(current.points)
    current.points = line.slice(fromM: state.legOffsetM, toM: line.lengthM)
    if current.points.count < 2, let end = line.points.last {
      current.points = [state.truth.place, end]
    }
    current.entryOffsetM += state.legOffsetM
    return [current] + legs[(state.leg + 1)...]
  }
}
