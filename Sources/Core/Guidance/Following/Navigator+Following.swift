import Foundations
import Geodesy
import RoadAhead
import RoadGraph
import Route

extension Navigator {
  /// Processes one location.
  mutating func located(_ location: VehicleLocation) -> [NavigatorOutput] {
    last = location
    var outputs = roadEvents(location) + lapseProposal(at: location.time)
    if let waiting = waitingStart, location.place != nil {
      waitingStart = nil
      outputs += requestStart(
        waiting.request, fromHere: true, requestID: waiting.requestID, call: waiting.call)
    }
    guard !isPaused else { return outputs }
    if let guide = offRoad, let route = following?.track.route {
      return outputs + followOffRoad(location, guide, route)
    }
    outputs += follow(location)
    if !location.isEstimated { outputs += offerToDropStop(from: location) }
    outputs += reviewBetter(at: location.time)
    return outputs
  }

  mutating func follow(_ location: VehicleLocation) -> [NavigatorOutput] {
    guard following != nil, following?.hasArrived == false else { return [] }
    following?.deviation.saw(location)
    if !location.isEstimated, let place = location.place { following?.approachStop(from: place) }
    guard var now = following else { return [] }
    // An estimate does not revoke a verdict, and off the route it contains no information about the
    // route.
    guard !(location.isEstimated && now.deviation.isOff) else { return [] }
    guard let match = location.match else { return followUnmatched(location) }
    let seconds = now.lastOnRoute.map { location.time.seconds(since: $0) } ?? 0
    var before = Before(travelledM: now.track.travelledM, seenM: now.track.seenM)
    switch now.track.fit(match, secondsSinceLast: seconds, speedMps: location.speedMps) {
    case .off:
      if let raw = location.raw, !location.isEstimated,
        let ahead = now.track.placeAhead(
          of: raw, match, withinM: min(25, max(10, location.accuracyM ?? 0)))
      {
        now.track.move(toM: ahead.travelledM, segment: ahead.segment)
        return comeBack(now, location, place: raw, from: before)
      }
      return followElsewhere(location, place: match.place) + replaceOutdated(location)
    case .on(let travelledM, _)
    where !location.isEstimated
      && now.track.isDoubtful(
        match, atM: travelledM, secondsSinceLast: seconds, speedMps: location.speedMps):
      return unknownProgress(location)
    case .on(let travelledM, _)
    where location.isEstimated && now.leaps(toM: travelledM, location):
      // An estimate that jumps ahead is ignored, since an announcement cannot be taken back.
      return unknownProgress(location)
    case .on(let travelledM, let segment):
      before.isDriven = now.track.isDriven(to: travelledM, by: match, secondsSinceLast: seconds)
      // One match on a later section is not enough to give up the stop before it.
      guard
        before.isDriven || match.isTeleport || location.isEstimated
          || !(now.milestones.hasStop(beforeM: travelledM, on: now.track.route)
            || now.track.isTurnBack(match))
      else { return followElsewhere(location, place: match.place) }
      now.track.move(toM: travelledM, segment: segment, isEstimated: location.isEstimated)
      // An estimate does not clear a suspicion either.
      guard !location.isEstimated else {
        now.lastEstimate = location.time
        following = now
        return onRoute(location, place: match.place, from: before)
      }
      return comeBack(now, location, place: match.place, from: before)
    }
  }

  /// Handles a location on the route, which clears any suspected deviation.
  private mutating func comeBack(
    _ following: Following, _ location: VehicleLocation, place: Coordinate, from before: Before
  ) -> [NavigatorOutput] {
    var now = following
    now.lastOnRoute = location.time
    now.laterRun = 0
    (now.turning, now.lastEstimate) = (nil, nil)
    now.deviation.sawOnRoute()
    self.following = now
    // An outdated route is still followed until its replacement arrives.
    let settled = now.isOutdated == true ? [] : backOnRoute()
    return settled + onRoute(location, place: place, from: before) + replaceOutdated(location)
  }

  private mutating func replaceOutdated(_ location: VehicleLocation) -> [NavigatorOutput] {
    guard following?.isOutdated == true, following?.hasArrived == false, !location.isEstimated
    else { return [] }
    return startReroute(from: location)
  }

  /// The position on the route before a location.
  private struct Before {
    var travelledM: Double?
    var seenM: Double?
    /// Whether the route between that position and the location was driven.
    var isDriven = true
  }

  /// Continues guidance at a place farther ahead on the route than the vehicle can have driven.
  ///
  /// Either the vehicle stayed on the road of a later section where the route turns off to a stop,
  /// or earlier positions were wrong. The result is nil as long as there are too few locations
  /// there, or if another road was taken in between.
  private mutating func joinLaterSection(_ location: VehicleLocation) -> [NavigatorOutput]? {
    guard var now = following, let match = location.match, !location.isEstimated else { return nil }
    guard let later = now.track.laterPlace(of: match), let run = now.laterRun else {
      if match.path.contains(where: { !now.track.uses($0) }) || !now.track.uses(match.segment) {
        following?.laterRun = nil
      }
      return nil
    }
    guard now.deviation.counts(location),
      !now.track.isTurnBack(match) || now.track.isEarlyTurn(toM: later.travelledM),
      !now.skipsToEnd(at: later.travelledM)
    else { return nil }
    now.laterRun = run + 1
    following = now
    let gapS = now.lastOnRoute.map { location.time.seconds(since: $0) / Double(run + 1) } ?? 0
    guard run + 1 >= now.deviation.fixesNeeded(gapS: gapS) else { return nil }
    let section = now.track.sectionIndex(atM: now.track.seenM ?? 0)
    let before = Before(
      travelledM: now.track.travelledM, seenM: now.track.seenM,
      isDriven: now.track.sectionIndex(atM: later.travelledM) == section)
    now.track.move(toM: later.travelledM, segment: later.segment)
    now.lastOnRoute = location.time
    now.laterRun = 0
    now.deviation.sawOnRoute()
    following = now
    return backOnRoute() + onRoute(location, place: match.place, from: before)
  }

  private mutating func onRoute(
    _ location: VehicleLocation, place: Coordinate, from before: Before
  ) -> [NavigatorOutput] {
    guard var now = following else { return [] }
    var outputs: [NavigatorOutput] = []
    // An estimate neither reaches nor misses stops: the next fix settles everything since the
    // previous fix.
    let reported =
      location.isEstimated
      ? []
      : now.milestones.moved(
        on: now.track, from: before.seenM, place: place, isDriven: before.isDriven)
    for case .waypoint(let index) in reported.filter({ $0.outcome == .reached }).map(\.stop) {
      now.rest.reached(now.track.route.waypoints[index], at: location.time)
    }
    now.rest.moved(toM: now.track.seenM ?? 0, at: location.time)
    outputs += reported.map { .milestone($0, now.track.route) }
    outputs += Self.advanceManeuver(&now, from: before.travelledM)
    // An estimate never counts as an arrival.
    let arrival =
      location.isEstimated
      ? nil : now.arrival.moved(location, on: now.track, now.situation(location, isOnRoute: true))
    following = now
    learnPace(location)
    if let progress = progress(location, isOnRoute: true) { outputs.append(.progress(progress)) }
    outputs += missed(reported, at: location)
    outputs += updateLanes(speedMps: location.speedMps)
    if let arrival { return outputs + arrive(arrival, at: location.raw) }
    outputs += scheduleArrivalCheck()
    return outputs + publishTraffic(at: location.time) + askTraffic(at: location.time)
  }

  // A maneuver is done when the vehicle is past its position; the arrival is done only by arriving.
  // A maneuver becomes pending again if only an estimate had passed it.
  private static func advanceManeuver(
    _ now: inout Following, from before: Double?
  ) -> [NavigatorOutput] {
    let maneuvers = now.track.route.maneuvers
    let travelledM = now.track.travelledM ?? 0
    let first = now.nextManeuver
    if travelledM < before ?? 0 {
      while now.nextManeuver > 0, maneuvers[now.nextManeuver - 1].offsetM > travelledM {
        now.nextManeuver -= 1
      }
    }
    while now.nextManeuver + 1 < maneuvers.count,
      maneuvers[now.nextManeuver].doneM <= travelledM
        || now.skipped.contains(now.nextManeuver)
    {
      now.nextManeuver += 1
    }
    guard now.nextManeuver != first else { return [] }
    let passed = now.doneManeuvers..<max(now.doneManeuvers, now.nextManeuver)
    let done = passed.filter { !now.skipped.contains($0) }.map {
      NavigatorOutput.maneuverDone(index: $0, now.track.route)
    }
    now.doneManeuvers = passed.upperBound
    let remaining = max(0, maneuvers[now.nextManeuver].offsetM - travelledM)
    return done + [
      .nextManeuver(index: now.nextManeuver, remainingM: remaining, now.track.route)
    ]
  }

  private mutating func followUnmatched(_ location: VehicleLocation) -> [NavigatorOutput] {
    guard let now = following else { return [] }
    if let raw = location.raw, !location.isEstimated, location.isUnused != true,
      now.track.distanceM(from: raw) > settings.deviation.unmatchedDistanceM
    {
      return followElsewhere(location, place: raw)
    }
    if !location.isEstimated,
      let arrival = following?.arrival.moved(
        location, on: now.track, now.situation(location, isOnRoute: false))
    {
      return arrive(arrival, at: location.raw)
    }
    return unknownProgress(location) + scheduleArrivalCheck()
  }

  private func unknownProgress(_ location: VehicleLocation) -> [NavigatorOutput] {
    progress(location, isOnRoute: false).map { [.progress($0)] } ?? []
  }

  private mutating func learnPace(_ location: VehicleLocation) {
    var learned = pace ?? DrivingPace()
    learned.moved(
      at: location.time,
      speedMps: location.isEstimated || !location.isSpeedMeasured ? nil : location.speedMps,
      usualMps: following?.track.usualMps)
    pace = learned
  }

  private func rests(at now: Instant) -> Rests {
    Rests(
      nextWaypoint: following?.milestones.next ?? 1,
      underWayS: following?.rest.remainingS(at: now) ?? 0)
  }

  private func progress(_ location: VehicleLocation, isOnRoute: Bool) -> Progress? {
    var progress = following?.track.progress(
      at: location.time, isOnRoute: isOnRoute, nextManeuver: following?.nextManeuver ?? 0,
      skipping: following?.skipped ?? [], rests: rests(at: location.time),
      pace: pace ?? DrivingPace(), speedMps: location.speedMps,
      isEstimated: location.isEstimated || following?.track.isEstimated == true)
    // The limit that applies now may differ from the limit stored in the route.
    if isOnRoute, let limit = published.speed?.limits.effectiveMps {
      progress?.speedLimitMps = limit
    }
    progress?.trafficTime = following.flatMap { $0.pricing.traffic ?? $0.track.route.trafficTime }
    progress?.nextWaypoint = following?.milestones.next
    return progress
  }

  private mutating func followElsewhere(
    _ location: VehicleLocation, place: Coordinate
  ) -> [NavigatorOutput] {
    guard var now = following else { return [] }
    if !location.isEstimated,
      let arrival = now.arrival.moved(
        location, on: now.track, now.situation(location, isOnRoute: false))
    {
      following = now
      return arrive(arrival, at: location.raw)
    }
    if let match = location.match, let turning = now.turning,
      turning.allows(match, at: location.time)
    {
      return unknownProgress(location)
    }
    if !location.isEstimated { now.milestones.sawElsewhere(place, on: now.track.route) }
    following = now
    if let joined = joinLaterSection(location) { return joined }
    now = following ?? now
    if ArrivalDetector.isAtDoor(
      location, on: now.track, now.situation(location, isOnRoute: false))
    {
      return (now.deviation.isOff ? [] : unknownProgress(location)) + scheduleArrivalCheck()
    }
    let distance = now.track.distanceM(from: place)
    let wasOff = now.deviation.isOff
    let isOff = now.deviation.sawElsewhere(
      location, distanceM: distance,
      isOnItsRoads: location.match.map {
        now.track.isTurnBack($0) || now.track.uses($0.segment)
          || now.turning?.allows($0) ?? false
      } ?? false)
    following = now
    guard isOff, let evidence = now.deviation.evidence else {
      return wasOff ? [] : unknownProgress(location)
    }
    let section = now.track.travelledM.map { now.track.sectionIndex(atM: $0) }
    let deviation = Deviation(
      routeID: now.track.route.id, isFirst: !wasOff,
      lastPlace: now.track.travelledM.map { now.track.coordinate(atM: $0) }, section: section,
      travelledOnSectionM: section.flatMap { index in
        now.track.travelledM.map { $0 - now.track.route.sections[index].startM }
      }, location: location, distanceM: distance, evidence: evidence)
    return [.deviation(deviation)] + clearLanes() + startReroute(from: location)
  }

  // MARK: Arrival

  /// Ends the guidance; `raw` is the measured position, or nil if there is none.
  private mutating func arrive(
    _ arrival: ArrivalDetector.Arrival, at raw: Coordinate?
  ) -> [NavigatorOutput] {
    guard var now = following else { return [] }
    let route = now.track.route
    now.hasArrived = true
    var outputs = cancelReroutes()
    outputs += withdrawBetter()
    outputs += now.milestones.arrived(on: route).map { .milestone($0, route) }
    following = now
    outputs += clearLanes()
    outputs.append(.arrived(arrival, route))
    offRoad = now.offRoadGuide
    if let there = raw.flatMap({ offRoad?.progress(from: $0) }), there.hasArrived {
      outputs.append(.arrivedOffRoad(there, route))
      offRoad = nil
    }
    if offRoad == nil {
      following = nil
      outputs.append(.activate(nil, .cleared, replaces: route.id, isPaused: false))
    }
    return outputs
  }

  /// Requests a wake-up, because the clock decides on the arrival if no further location comes.
  private func scheduleArrivalCheck() -> [NavigatorOutput] {
    following?.arrival.silentUntil.map { [.wake(at: $0)] } ?? []
  }

  /// Ends the guidance if the vehicle was on the last 150 m and no location has come since.
  mutating func arriveWithoutLocation(at now: Instant) -> [NavigatorOutput] {
    guard !isPaused, var following, !following.hasArrived,
      let arrival = following.arrival.waited(until: now, on: following.track)
    else { return [] }
    self.following = following
    return arrive(arrival, at: nil)
  }

  private mutating func followOffRoad(
    _ location: VehicleLocation, _ guide: OffRoadGuide, _ route: Route
  ) -> [NavigatorOutput] {
    guard let raw = location.raw else { return [] }
    let progress = guide.progress(from: raw)
    guard progress.hasArrived else { return [.offRoad(progress, routeID: route.id)] }
    following = nil
    offRoad = nil
    return [
      .offRoad(progress, routeID: route.id), .arrivedOffRoad(progress, route),
      .activate(nil, .cleared, replaces: route.id, isPaused: false),
    ]
  }

  // MARK: Road, speed, lanes

  private mutating func roadEvents(_ location: VehicleLocation) -> [NavigatorOutput] {
    guard location.match != nil else { return leaveRoad(at: location.time) }
    published.matched = location.time
    var outputs: [NavigatorOutput] = []
    if location.road != published.facts || location.situation != published.situation {
      published.facts = location.road
      published.situation = location.situation
      outputs.append(.road(location.road, location.situation, location.match?.segment))
    }
    let limits = location.limits ?? SpeedLimits(regularMps: location.road?.speedLimitMps)
    // An estimated speed is not a measurement and causes no warning.
    let measuredMps = location.isEstimated ? nil : location.speedMps
    let warning =
      if let place = location.place, !location.isSpeedMeasured, !location.isEstimated {
        speed.moved(
          to: place, accuracyM: location.accuracyM, limitMps: limits.effectiveMps,
          at: location.time)
      } else {
        speed.moved(speedMps: measuredMps, limitMps: limits.effectiveMps, at: location.time)
      }
    if warning != nil || published.speed == nil || published.speed?.limits != limits {
      let state = SpeedState(
        speedMps: measuredMps, limits: limits, isExceeded: speed.isExceeded,
        warning: warning)
      published.speed = state
      outputs.append(.speed(state))
    }
    return outputs
  }

  /// Withdraws the road's facts and speed limit after 3 s without a match.
  ///
  /// One or two fixes without a match change nothing.
  private mutating func leaveRoad(at now: Instant) -> [NavigatorOutput] {
    guard let matched = published.matched,
      now.seconds(since: matched) > PublishedRoad.holdsS
    else { return [] }
    published.matched = nil
    var outputs: [NavigatorOutput] = []
    if published.facts != nil || published.situation != nil {
      published.facts = nil
      published.situation = nil
      outputs.append(.road(nil, nil, nil))
    }
    if let shown = published.speed, shown.limits != SpeedLimits(regularMps: nil) {
      _ = speed.moved(speedMps: nil, limitMps: nil, at: now)
      let state = SpeedState(
        speedMps: nil, limits: SpeedLimits(regularMps: nil), isExceeded: false, warning: nil)
      published.speed = state
      outputs.append(.speed(state))
    }
    return outputs
  }

  // Lanes are shown from the point where the announcement by distance is due until the maneuver is
  // done.
  private mutating func updateLanes(speedMps: Double?) -> [NavigatorOutput] {
    guard let now = following else { return [] }
    let index = now.nextManeuver
    let next = now.track.route.maneuvers.dropFirst(index).first
    let isNear =
      next.map {
        !$0.lanes.isEmpty
          && $0.offsetM - (now.track.travelledM ?? 0)
            <= settings.lanes.distanceM(
              limitMps: published.speed?.limits.effectiveMps, speedMps: speedMps)
      } ?? false
    if isNear, let next, now.laneManeuver != index {
      following?.laneManeuver = index
      return [.lanes(maneuver: index, next.lanes, routeID: now.track.route.id)]
    }
    guard let shown = now.laneManeuver, shown != index else { return [] }
    return clearLanes()
  }
}

extension Navigator.Following {
  /// Whether an estimate lies farther ahead on the route than the vehicle can have driven since the
  /// last location.
  fileprivate func leaps(toM metres: Double, _ location: VehicleLocation) -> Bool {
    guard let travelledM = track.travelledM, let last = lastEstimate ?? lastOnRoute else {
      return false
    }
    return RouteTrack.isTooFar(
      fromM: travelledM, toM: metres, seconds: location.time.seconds(since: last),
      speedMps: location.speedMps)
  }
}

extension Maneuver {
  // Metres after a stop for which the departure from it stays the next maneuver.
  private static let departureM = 15.0

  /// Metres from the start of the route at which the maneuver is done.
  ///
  /// A departure from a stop is done only once it has been driven.
  fileprivate var doneM: Double {
    guard action == .depart, offsetM > 0 else { return offsetM }
    return offsetM + min(Self.departureM, lengthM / 2)
  }
}
