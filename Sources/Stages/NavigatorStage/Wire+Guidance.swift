import Foundations
import Geodesy
import Guidance
import Messages
import OpeningHours
import RoadAhead
import RoadGraph
import Route
import RouteWire

extension GuidanceProgress {
  init(_ progress: Progress, units: DistanceText.Units) {
    let left = DistanceText(progress.remainingM, units: units)
    let arrivesAt = progress.time.advanced(bySeconds: progress.remainingS)
    let clock = progress.destination.map { ArrivalClock($0, at: arrivesAt, from: progress.place) }
    self.init(
      routeId: progress.routeID, onRoute: progress.isOnRoute ? .yes : .unknown,
      section: Int64(progress.section), travelledOnSectionM: progress.travelledOnSectionM,
      travelledM: progress.travelledM, remainingM: progress.remainingM,
      remainingS: progress.remainingS, restS: progress.restS, remainingText: left.text,
      remainingNumber: left.number,
      remainingUnit: WireDistanceUnit(rawValue: left.unit.rawValue) ?? .m,
      etaNs: arrivesAt.nanoseconds, etaZone: clock?.zone,
      etaUtcOffsetS: clock.map { Int64($0.offsetMin * 60) },
      etaZoneDiffers: clock?.differs ?? false,
      sections: progress.sections.map {
        WireSectionProgress($0, at: progress.time, units: units)
      },
      maneuvers: progress.maneuvers.map {
        WireManeuverProgress($0, units: units)
      }, shapeIndex: Int64(progress.shapeIndex), shapeFraction: progress.shapeFraction,
      nextWaypoint: progress.nextWaypoint.map(Int64.init),
      segmentIndex: Int64(progress.segment), latDeg: progress.place.latitudeDeg,
      lonDeg: progress.place.longitudeDeg, bearingDeg: progress.bearingDeg,
      speedMps: progress.speedMps, speedLimitMps: wireLimit(progress.speedLimitMps),
      estimated: progress.isEstimated, trafficNs: progress.trafficTime?.nanoseconds)
  }
}

/// The local time at the destination on arrival.
private struct ArrivalClock {
  var zone: String
  var offsetMin: Int
  /// Whether a clock at the vehicle's position then shows another time.
  var differs: Bool

  init(_ destination: Coordinate, at arrivesAt: Instant, from here: Coordinate) {
    let utcMin = Int((arrivesAt.seconds / 60).rounded(.down))
    let there = TimeZones.zone(at: destination)
    zone = there.name
    offsetMin = there.rule.offsetMin(utcMin: utcMin)
    differs = TimeZones.zone(at: here).rule.offsetMin(utcMin: utcMin) != offsetMin
  }
}

extension WireSectionProgress {
  fileprivate init(
    _ left: Progress.SectionLeft, at now: Instant, units: DistanceText.Units
  ) {
    let text = DistanceText(left.remainingM, units: units)
    self.init(
      section: Int64(left.section), remainingM: left.remainingM, remainingS: left.remainingS,
      delayS: left.delayS, restS: left.restS,
      etaNs: now.advanced(bySeconds: left.remainingS).nanoseconds, remainingText: text.text,
      remainingNumber: text.number, remainingUnit: WireDistanceUnit(rawValue: text.unit.rawValue))
  }
}

extension WireManeuverProgress {
  fileprivate init(_ left: Progress.ManeuverLeft, units: DistanceText.Units) {
    let text = DistanceText(left.remainingM, units: units)
    self.init(
      index: Int64(left.index), remainingM: left.remainingM, remainingS: left.remainingS,
      remainingText: text.text, remainingNumber: text.number,
      remainingUnit: WireDistanceUnit(rawValue: text.unit.rawValue))
  }
}

/// Returns a limit in wire form: 0 for no limit, nil if unknown.
private func wireLimit(_ limitMps: Double?) -> Double? {
  limitMps.map { $0.isFinite ? $0 : 0 }
}

extension GuidanceDeviation {
  init(_ deviation: Deviation, location: LocationMatched) {
    self.init(
      routeId: deviation.routeID, first: deviation.isFirst,
      lastLatDeg: deviation.lastPlace?.latitudeDeg,
      lastLonDeg: deviation.lastPlace?.longitudeDeg, section: deviation.section.map(Int64.init),
      travelledOnSectionM: deviation.travelledOnSectionM.map { max(0, $0) }, location: location,
      distanceM: deviation.distanceM.isFinite ? deviation.distanceM : nil,
      evidence: WireDeviationEvidence(deviation.evidence, until: deviation.location.time))
  }
}

extension WireDeviationEvidence {
  init(_ evidence: DeviationDetector.Evidence, until now: Instant) {
    self.init(
      rule: Rule(rawValue: evidence.rule.rawValue) ?? .matchedOffRoute,
      fixes: Int64(evidence.fixes), spanS: max(0, now.seconds(since: evidence.since)),
      probability: evidence.probability,
      distanceM: evidence.distanceM.isFinite ? evidence.distanceM : nil,
      accuracyM: evidence.accuracyM, sinceNs: evidence.since.nanoseconds)
  }
}

extension GuidanceReroute {
  init(_ report: RerouteReport) {
    self.init(
      state: State(rawValue: report.state.rawValue) ?? .failed,
      reason: Reason(rawValue: report.reason.rawValue) ?? .deviation,
      strategy: Strategy(rawValue: report.strategy.rawValue), routeId: report.routeID,
      newRouteId: report.newRoute?.id,
      route: report.state == .proposed ? report.newRoute?.wire : nil,
      errorCode: report.problem?.code, errorText: report.problem?.sentence,
      attempt: Int64(report.attempt), nextTryS: report.nextTryS,
      proposes: report.proposes,
      evidence: report.evidence.map {
        WireDeviationEvidence($0, until: report.sure ?? $0.since)
      })
  }
}

extension GuidanceArrival {
  init(_ arrival: ArrivalDetector.Arrival, on route: Route) {
    let destination = route.waypoints.last
    let place = destination?.original.place ?? route.shape[route.shape.count - 1]
    self.init(
      routeId: route.id, event: .destinationReached,
      rule: Rule(rawValue: arrival.rule.rawValue) ?? .standingNear,
      latDeg: place.latitudeDeg, lonDeg: place.longitudeDeg, distanceM: max(0, arrival.distanceM),
      side: route.offRoadDestination == nil ? destination?.side.wire : nil,
      name: destination.flatMap { $0.original.name.isEmpty ? nil : $0.original.name },
      offRoad: route.offRoadDestination != nil)
  }

  init(_ progress: OffRoadGuide.Progress, on route: Route) {
    let place = route.offRoadDestination ?? progress.place
    self.init(
      routeId: route.id, event: .offRoadDestinationReached, rule: .offRoad,
      latDeg: place.latitudeDeg, lonDeg: place.longitudeDeg, distanceM: progress.remainingM,
      offRoad: true)
  }
}

extension GuidanceOffroad {
  init(_ progress: OffRoadGuide.Progress, routeID: String) {
    self.init(
      routeId: routeID, remainingM: progress.remainingM, bearingDeg: progress.bearingDeg,
      latDeg: progress.place.latitudeDeg, lonDeg: progress.place.longitudeDeg)
  }
}

extension GuidanceManeuver {
  init(_ event: Event, index: Int, remainingM: Double?, on route: Route) {
    let maneuver = route.maneuvers[index]
    self.init(
      routeId: route.id, event: event, index: Int64(index), action: maneuver.action.wire.action,
      remainingM: remainingM, text: maneuver.text.isEmpty ? nil : maneuver.text)
  }
}

extension RouteBetter {
  init(_ found: BetterRoute, _ state: BetterRouteState, expires: Instant?) {
    self.init(
      id: found.id, state: State(rawValue: state.rawValue) ?? .proposed, routeId: found.routeID,
      route: state == .proposed ? found.route.wire : nil, gainS: found.gainS,
      longerM: found.longerM, shapeChanged: found.shapeChanged,
      avoidsClosure: found.avoidsClosure, thresholdS: found.thresholdS,
      expiresNs: expires?.nanoseconds)
  }
}

extension GuidanceSpeed {
  init(_ state: SpeedState) {
    self.init(
      limitMps: wireLimit(state.limits.effectiveMps),
      regularLimitMps: wireLimit(state.limits.regularMps),
      advisoryLimitMps: wireLimit(state.limits.advisoryMps),
      conditionalLimitMps: wireLimit(state.limits.conditionalMps),
      condition: state.limits.reason.flatMap { Condition(rawValue: $0.rawValue) },
      vehicleLimitMps: wireLimit(state.limits.vehicleMps),
      speedMps: state.speedMps, exceeded: state.isExceeded,
      warning: state.warning.flatMap { Warning(rawValue: $0.rawValue) })
  }
}

extension GuidanceRoad {
  init(_ road: RoadFacts?, _ situation: RoadSituation?, segment: SegmentReference?) {
    let here = situation ?? RoadSituation()
    self.init(
      road: road?.wire, segment: segment?.wire, controlledAccess: here.hasControlledAccess,
      divided: here.isDivided, private: here.isPrivate, noThrough: here.isNoThrough,
      laneCount: here.laneCount.map(Int64.init), lanes: here.lanes.map(\.wire))
  }
}
