import Geodesy
public import Messages
public import Route

extension ManeuverAction {
  /// Decodes the action of a message; a turn without a grade, or a missing side, is a fault.
  public init(wire: WireManeuver) throws(RouteWireFault) {
    func side() throws(RouteWireFault) -> Side {
      guard let side = wire.side else {
        throw RouteWireFault(field: "side", message: "missing with \(wire.action.rawValue)")
      }
      return Side(wire: side)
    }
    switch wire.action {
    case .depart: self = .depart
    case .arrive: self = .arrive
    case .continue: self = .continueOn
    case .turn:
      guard let grade = wire.grade.flatMap({ TurnGrade(rawValue: $0.rawValue) }) else {
        throw RouteWireFault(field: "grade", message: "missing with turn")
      }
      self = .turn(grade)
    case .uTurn: self = .uTurn(try side())
    case .fork: self = .fork(try side())
    case .exit: self = .exit(try side())
    case .ramp: self = .ramp(try side())
    case .merge: self = .merge(try side())
    case .roundabout: self = .roundabout(exit: Int(clamping: wire.exitCount ?? 0))
    case .ferry: self = .ferry
    }
  }

  /// Word, grade, side and exit, as encoded in a message.
  public var wire:
    (action: WireManeuverAction, grade: WireTurnGrade?, side: WireSide?, exitCount: Int64?)
  {
    switch self {
    case .depart: (.depart, nil, nil, nil)
    case .arrive: (.arrive, nil, nil, nil)
    case .continueOn: (.continue, nil, nil, nil)
    case .turn(let grade): (.turn, WireTurnGrade(rawValue: grade.rawValue), nil, nil)
    case .uTurn(let side): (.uTurn, nil, side.wire, nil)
    case .fork(let side): (.fork, nil, side.wire, nil)
    case .exit(let side): (.exit, nil, side.wire, nil)
    case .ramp(let side): (.ramp, nil, side.wire, nil)
    case .merge(let side): (.merge, nil, side.wire, nil)
    case .roundabout(let exit): (.roundabout, nil, nil, Int64(exit))
    case .ferry: (.ferry, nil, nil, nil)
    }
  }
}

extension Maneuver {
  /// Decodes a maneuver of a message; its indices are not checked here, but by the route.
  public init(wire: WireManeuver) throws(RouteWireFault) {
    self.init(
      action: try ManeuverAction(wire: wire),
      place: Coordinate(latitudeDeg: wire.latDeg, longitudeDeg: wire.lonDeg),
      offsetM: wire.offsetM, section: Int(clamping: wire.section),
      segment: Int(clamping: wire.segment), shapeIndex: Int(clamping: wire.shapeIndex),
      turnAngleDeg: wire.turnAngleDeg, roundaboutAngleDeg: wire.roundaboutAngleDeg,
      bearingBeforeDeg: wire.bearingBeforeDeg, bearingAfterDeg: wire.bearingAfterDeg,
      from: RoadFacts(wire: wire.fromRoad), onto: RoadFacts(wire: wire.ontoRoad),
      signpost: wire.signpost.map { Signpost(wire: $0) },
      lanes: wire.lanes.map { Lane(wire: $0) }, lengthM: wire.lengthM, durationS: wire.durationS,
      side: wire.arrivalSide.map { Side(wire: $0) }, text: wire.text,
      durations: Durations(
        freeFlowS: wire.durationFreeFlowS ?? wire.durationS, trafficS: wire.durationS,
        latestS: wire.durationLatestS ?? wire.durationS),
      lastSegment: wire.lastSegment.map { Int(clamping: $0) },
      passedExits: wire.passedExits.map { Int(clamping: $0) }, isPlain: wire.plain ?? false)
  }

  public var wire: WireManeuver {
    let words = action.wire
    return WireManeuver(
      action: words.action, grade: words.grade, side: words.side, exitCount: words.exitCount,
      latDeg: place.latitudeDeg, lonDeg: place.longitudeDeg, offsetM: offsetM,
      section: Int64(section), segment: Int64(segment), shapeIndex: Int64(shapeIndex),
      turnAngleDeg: turnAngleDeg, roundaboutAngleDeg: roundaboutAngleDeg,
      bearingBeforeDeg: bearingBeforeDeg, bearingAfterDeg: bearingAfterDeg, fromRoad: from.wire,
      ontoRoad: onto.wire, signpost: signpost?.wire, lanes: lanes.map(\.wire), lengthM: lengthM,
      durationS: durationS, durationFreeFlowS: durations.freeFlowS,
      durationLatestS: durations.latestS, lastSegment: Int64(lastSegment),
      passedExits: passedExits.map(Int64.init), plain: isPlain ? true : nil,
      arrivalSide: side?.wire, text: text)
  }
}

extension Signpost {
  public init(wire: WireSignpost) {
    self.init(
      exitNumber: wire.exitNumber, exitName: wire.exitName, destinations: wire.destinations,
      roadNumbers: wire.roadNumbers)
  }

  public var wire: WireSignpost {
    WireSignpost(
      exitNumber: exitNumber, exitName: exitName, destinations: destinations,
      roadNumbers: roadNumbers)
  }
}

extension Lane {
  public init(wire: WireLane) {
    self.init(
      directions: wire.directions,
      recommendation: Recommendation(rawValue: wire.recommendation.rawValue) ?? .notRecommended,
      active: wire.active, access: wire.access)
  }

  public var wire: WireLane {
    WireLane(
      directions: directions, active: active,
      recommendation: WireLane.Recommendation(rawValue: recommendation.rawValue) ?? .notRecommended,
      access: access)
  }
}
