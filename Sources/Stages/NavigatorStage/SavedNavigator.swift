import Foundations
import Guidance
import Messages
import RoadAhead
import RoadGraph
import Route
import RouteWire
import Stage

extension WireNavigatorState {
  /// Creates the state that a navigator restores after a restart.
  init(_ stage: NavigatorStage) {
    let memory = stage.navigator.memory
    self.init(
      route: stage.routeBytes, travelledM: memory.travelledM, seenM: memory.seenM,
      seen: memory.seenM != nil || memory.travelledM == nil,
      nextMilestone: Int64(memory.nextMilestone), nextManeuver: Int64(memory.nextManeuver),
      doneManeuvers: Int64(memory.doneManeuvers),
      paused: memory.isPaused, arrived: memory.hasArrived,
      rerouting: Rerouting(rawValue: memory.rerouting.rawValue) ?? .automatic,
      strategy: Strategy(rawValue: memory.strategy.rawValue) ?? .nextStop,
      nextToken: memory.nextToken, stampNs: stage.now.nanoseconds,
      sessions: Int64(stage.sessions), session: stage.session?.encoded(),
      speeding: memory.isSpeeding, pricedNs: memory.lastPriced?.nanoseconds,
      warnings: stage.ahead.memory.map {
        WireToldWarning(id: $0.id, kind: $0.kind.rawValue, key: $0.key, reached: $0.isReached)
      }, lanesOf: memory.laneManeuver.map(Int64.init), incidentsShown: stage.incidents.isShowing,
      better: stage.proposals.better?.bytes, reroute: stage.proposals.reroute?.bytes,
      rerouteReason: memory.proposal.flatMap { RerouteReason(rawValue: $0.reason.rawValue) },
      rerouteExpiresNs: memory.proposal?.expires?.nanoseconds,
      rejected: memory.rejected.map { WireRejectedRoute($0) },
      restSinceNs: memory.restSince?.nanoseconds, lastIndex: Int64(memory.lastUserIndex),
      nextAddedStop: Int64(memory.nextAddedStop), paceDrivenS: memory.pace?.drivenS ?? 0,
      paceUsualS: memory.pace?.usualS ?? 0)
  }

  func apply(to stage: inout NavigatorStage) throws(Refusal) {
    var memory = Navigator.Memory()
    do {
      if let route, !route.isEmpty {
        memory.route = try Route(wire: try WireRoute(decoding: route))
      }
      if let better, !better.isEmpty {
        let wire = try RouteBetter(decoding: better)
        memory.better = try BetterRoute(wire)
        memory.betterExpires = wire.expiresNs.map(Instant.init(nanoseconds:))
      }
      if let reroute, !reroute.isEmpty {
        memory.proposal = Navigator.Proposal(
          route: try Route(wire: try WireRoute(decoding: reroute)),
          reason: rerouteReason.flatMap { RerouteReport.Reason(rawValue: $0.rawValue) }
            ?? .deviation,
          expires: rerouteExpiresNs.map(Instant.init(nanoseconds:)))
      }
    } catch {
      throw Refusal(reason: "does_not_decode", message: "state of the navigator: \(error)")
    }
    memory.travelledM = travelledM
    memory.seenM = seen ? seenM ?? travelledM : nil
    memory.nextMilestone = Int(clamping: nextMilestone)
    memory.nextAddedStop = Int(clamping: nextAddedStop)
    memory.nextManeuver = Int(clamping: nextManeuver)
    memory.doneManeuvers = Int(clamping: doneManeuvers)
    memory.isPaused = paused
    memory.hasArrived = arrived
    memory.isSpeeding = speeding
    memory.lastPriced = pricedNs.map(Instant.init(nanoseconds:))
    memory.rerouting = ReroutePolicy.Mode(rawValue: rerouting.rawValue) ?? .automatic
    memory.strategy = ReroutePolicy.Strategy(rawValue: strategy.rawValue) ?? .nextStop
    memory.rejected = rejected.map(\.rejected)
    memory.restSince = restSinceNs.map(Instant.init(nanoseconds:))
    memory.lastUserIndex = Int(clamping: lastIndex)
    memory.laneManeuver = lanesOf.map { Int(clamping: $0) }
    memory.nextToken = nextToken
    memory.pace = DrivingPace(drivenS: paceDrivenS, usualS: paceUsualS)
    stage.navigator.recall(memory)
    stage.ahead.recall(
      warnings.compactMap { reported in
        WarningKind(rawValue: reported.kind).map {
          RoadAheadMonitor.Told(
            id: reported.id, kind: $0, key: reported.key, isReached: reported.reached)
        }
      })
    if incidentsShown { stage.incidents.recallShown() }
    stage.routeBytes = memory.route == nil ? nil : route
    stage.proposals.keep(stage.navigator.memory)
    stage.clock = EventClock(now: Instant(nanoseconds: stampNs))
    stage.sessions = Int(clamping: sessions)
    stage.session = session.flatMap { $0.isEmpty ? nil : try? Session(decoding: $0) }
  }
}

extension WireRejectedRoute {
  init(_ rejected: BetterRoutePolicy.Rejected) {
    let segments = rejected.detour.segments
    self.init(
      untilNs: rejected.until.nanoseconds, way: segments.map(\.way), from: segments.map(\.from),
      to: segments.map(\.to), leastGainS: rejected.leastGainS)
  }

  /// Columns of unequal lengths, which only a foreign state has, count up to the shortest.
  var rejected: BetterRoutePolicy.Rejected {
    let count = min(way.count, from.count, to.count)
    let segments = (0..<count).map {
      SegmentReference(way: way[$0], from: from[$0], to: to[$0])
    }
    return BetterRoutePolicy.Rejected(
      detour: Detour(segments: segments), until: Instant(nanoseconds: untilNs),
      leastGainS: leastGainS)
  }
}
