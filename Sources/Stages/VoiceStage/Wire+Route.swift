import Geodesy
import Messages
import Speech

extension GuidedRoute {
  init(_ route: WireRoute) {
    id = route.id
    isOnFoot = route.request.mode == .pedestrian
    isBicycle = route.request.mode == .bicycle
    let jams = route.spans.jamFactor
    let lastOpen = isOnFoot || isBicycle ? nil : jams.lastIndex { $0 < 10 }
    isClosed = lastOpen.map { jams[..<$0].contains { $0 >= 10 } } ?? false
    let keys = Self.keys(of: route.maneuvers.map(GuidedManeuver.place))
    let legs = RouteLegs(route)
    // Tunnels are announced only to drivers of motor vehicles.
    tunnels = isOnFoot || isBicycle ? [] : legs.tunnels
    // Start and end of each leg, between announced maneuvers.
    var startsM: [Double] = []
    var lastM = 0.0
    for maneuver in route.maneuvers {
      startsM.append(lastM)
      if !maneuver.isPlainChange { lastM = maneuver.offsetM }
    }
    var endsM: [Double] = []
    var nextM = route.lengthM
    for maneuver in route.maneuvers.reversed() {
      endsM.append(nextM)
      if !maneuver.isPlainChange { nextM = maneuver.offsetM }
    }
    endsM.reverse()
    maneuvers = route.maneuvers.enumerated().map { index, maneuver in
      let onto = maneuver.ontoName(mode: route.request.mode)
      let isPlain = maneuver.isPlainChange
      let leg = isPlain ? nil : legs.leg(from: maneuver.offsetM, to: endsM[index])
      return GuidedManeuver(
        key: keys[index],
        words: SpokenManeuver(
          SpokenAction(maneuver, in: route, isLast: index == route.maneuvers.count - 1),
          onto: onto,
          toward: maneuver.toward,
          exitNumber: maneuver.signpost.flatMap { $0.exitNumber.isEmpty ? nil : $0.exitNumber },
          staysOnRoad: maneuver.fromRoad.isSame(as: maneuver.ontoRoad),
          pushes: maneuver.isPushed(mode: route.request.mode) ? true : nil),
        isDeparture: maneuver.action == .depart, along: leg?.road ?? onto,
        isPlain: isPlain,
        keepsRoadM: isPlain
          ? nil
          : legs.lengthM(of: maneuver.ontoRoad, from: startsM[index], to: maneuver.offsetM),
        isAboard: leg?.isFerry ?? maneuver.ontoRoad.ferry, offsetM: maneuver.offsetM,
        bearingDeg: maneuver.bearingAfterDeg, exitsBeforeM: maneuver.exitsBeforeM(in: route),
        leaving: index > 0 ? maneuver.leaving(after: route.maneuvers[index - 1], in: route) : nil)
    }
  }
}

extension WireManeuver {
  /// Whether it is a change of name that is obvious to drivers; no other maneuver is ever omitted.
  fileprivate var isPlainChange: Bool {
    plain == true && action == .continue && !fromRoad.ferry && !ontoRoad.ferry
  }

  /// Distances before the maneuver at which other exits are passed, in metres.
  ///
  /// The value is nil unless the route begins in the roundabout.
  fileprivate func exitsBeforeM(in route: WireRoute) -> [Double]? {
    guard action == .roundabout, fromRoad.roundabout else { return nil }
    return passedExits.compactMap { index in
      guard let index = Int(exactly: index), route.segments.startM.indices.contains(index) else {
        return nil
      }
      return offsetM - route.segments.startM[index]
    }
  }

  /// Returns the direction in which a departure continues after the preceding arrival; nil for
  /// other maneuvers.
  fileprivate func leaving(after arrival: WireManeuver, in route: WireRoute)
    -> GuidedManeuver.Leaving?
  {
    guard action == .depart, arrival.action == .arrive else { return nil }
    if let (before, after) = route.pieces(arrival.segment, segment), before.way == after.way {
      if before.from == after.to, before.to == after.from { return .back }
      if before == after { return .straight }
    }
    let turnDeg = abs(Angle.turnDeg(from: arrival.bearingAfterDeg, to: bearingAfterDeg))
    if turnDeg > 165 { return .back }
    return turnDeg < 30 ? .straight : .aside
  }
}

extension WireManeuver {
  /// Returns the road that the maneuver leads onto, as it is announced: exits and ramps by their
  /// signs.
  ///
  /// The next road with a name does not appear on the sign of an exit.
  fileprivate func ontoName(mode: WireTravelMode) -> RoadName {
    // Steps are announced as steps whatever their name is.
    if action == .continue, ontoRoad.roadClass == .steps, fromRoad.roadClass != .steps {
      return RoadName(path: .steps)
    }
    let onto = RoadName(ontoRoad, path: ontoRoad.path(mode: mode))
    guard action == .exit || action == .ramp, let signpost else { return onto }
    if let number = signpost.roadNumbers.first {
      return RoadName(number: number, country: ontoRoad.country)
    }
    return action == .exit && !signpost.destinations.isEmpty ? .unknown : onto
  }

  /// Places on the sign; if there are none, its road numbers, unless they are announced as the
  /// road.
  fileprivate var toward: [String] {
    guard let signpost else { return [] }
    if !signpost.destinations.isEmpty { return signpost.destinations }
    return action == .exit || action == .ramp ? [] : signpost.roadNumbers
  }

  fileprivate func isPushed(mode: WireTravelMode) -> Bool {
    mode == .bicycle && ontoRoad.dismount == true && fromRoad.dismount != true
  }
}

extension WireRoad {
  /// Returns the word of pedestrians or cyclists for a road without a name.
  fileprivate func path(mode: WireTravelMode) -> SpokenPathKind? {
    guard mode == .pedestrian || mode == .bicycle else { return nil }
    if crossing == true { return .crossing }
    switch roadClass {
    case .steps: return .steps
    case .cycleway: return .cyclePath
    case .path: return indoor == true ? .corridor : .path
    case .track: return .track
    default: return nil
    }
  }
}

extension WireRoute {
  /// Returns two segments by their indices in the route; nil if an index is not in the route.
  fileprivate func pieces(
    _ first: Int64, _ second: Int64
  ) -> ((way: Int64, from: Int64, to: Int64), (way: Int64, from: Int64, to: Int64))? {
    let count = min(segments.way.count, segments.from.count, segments.to.count)
    guard let a = Int(exactly: first), let b = Int(exactly: second), (0..<count).contains(a),
      (0..<count).contains(b)
    else { return nil }
    return (
      (segments.way[a], segments.from[a], segments.to[a]),
      (segments.way[b], segments.from[b], segments.to[b])
    )
  }
}

extension GuidedManeuver {
  /// Returns the place, to about a metre, and the action there.
  static func place(_ maneuver: WireManeuver) -> String {
    let lat = Int((maneuver.latDeg * 1e5).rounded())
    let lon = Int((maneuver.lonDeg * 1e5).rounded())
    let how = maneuver.grade?.rawValue ?? maneuver.side?.rawValue ?? ""
    return "\(lat),\(lon),\(maneuver.action.rawValue) \(how)"
  }
}

extension SpokenAction {
  init(_ maneuver: WireManeuver, in route: WireRoute, isLast: Bool) {
    let side = maneuver.side.flatMap(Side.init)
    switch maneuver.action {
    case .depart: self = .follow
    case .continue where maneuver.fromRoad.ferry && !maneuver.ontoRoad.ferry: self = .leaveFerry
    case .arrive:
      let stop = route.waypoints.first {
        $0.section == maneuver.section && $0.offsetM > 0 && $0.original.kind == .stopover
      }
      let name = stop?.original.name ?? ""
      let kind: StopKind = isLast ? .destination : .stop(name: name.isEmpty ? nil : name)
      if let place = route.offRoadPlace(of: stop, isLast: isLast) {
        let end = Coordinate(latitudeDeg: maneuver.latDeg, longitudeDeg: maneuver.lonDeg)
        self = .arriveOffRoad(
          kind, distanceM: end.distanceM(to: place), Heading(bearingDeg: end.bearingDeg(to: place)))
      } else {
        self = .arrive(kind, maneuver.arrivalSide.flatMap(Side.init))
      }
    case .continue: self = maneuver.fromRoad.ferry ? .leaveFerry : .follow
    case .turn: self = .turn(SpokenTurn(maneuver.grade ?? .straight))
    case .uTurn: self = .uTurn
    case .fork: self = .keep(side)
    case .exit: self = .takeExit(side)
    case .ramp: self = .takeRamp(side)
    case .merge: self = .merge(side)
    case .roundabout:
      let exit = maneuver.exitCount.map { Int(clamping: $0) } ?? 0
      self = .roundabout(exit: exit > 0 ? exit : nil)
    case .ferry: self = .boardFerry
    }
  }
}

extension WireRoute {
  /// Returns the place of the stop of an arrival; nil if the road reaches it.
  fileprivate func offRoadPlace(of stop: WireRouteWaypoint?, isLast: Bool) -> Coordinate? {
    if isLast, let latDeg = offRoadLatDeg, let lonDeg = offRoadLonDeg {
      return Coordinate(latitudeDeg: latDeg, longitudeDeg: lonDeg)
    }
    guard let stop, stop.offRoad else { return nil }
    let place = stop.original
    return Coordinate(
      latitudeDeg: place.accessLatDeg ?? place.latDeg,
      longitudeDeg: place.accessLonDeg ?? place.lonDeg)
  }
}

extension WireRoad {
  /// Whether both roads are announced alike, by name, or by number if one has no name.
  func isSame(as other: WireRoad) -> Bool {
    if !name.isEmpty, !other.name.isEmpty { return name == other.name }
    return !number.isEmpty && number == other.number
  }
}

extension RoadName {
  init(_ road: WireRoad, path: SpokenPathKind? = nil) {
    self.init(
      name: road.name.isEmpty ? nil : road.name, number: road.number.isEmpty ? nil : road.number,
      country: road.country, path: path)
  }
}

extension Side {
  /// nil for straight ahead.
  init?(_ side: WireSide) {
    switch side {
    case .left: self = .left
    case .right: self = .right
    case .ahead: return nil
    }
  }
}

extension SpokenTurn {
  init(_ grade: WireTurnGrade) {
    switch grade {
    case .sharpLeft: self = .sharpLeft
    case .left: self = .left
    case .slightLeft: self = .slightLeft
    case .straight: self = .straight
    case .slightRight: self = .slightRight
    case .right: self = .right
    case .sharpRight: self = .sharpRight
    }
  }
}
