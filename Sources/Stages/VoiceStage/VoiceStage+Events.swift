import Foundations
import Speech
import Stage

extension VoiceStage {
  /// Shortest distance that is worth announcing, metres.
  private static let nearM = 25.0

  /// Seconds after leaving the route within which a reroute usually begins, which makes the
  /// announcement unnecessary.
  private static let rerouteBeginsS = 1.5

  /// Returns a number as text for a rule; messages may contain any value.
  private static func whole(_ value: Double) -> String {
    abs(value) < 1e9 ? String(Int(value.rounded())) : "?"
  }

  mutating func deviate(isEstimated: Bool) -> [StageOutput] {
    var outputs = locationCame(isEstimated: isEstimated)
    guard !episode.isOff else { return outputs }
    episode.isOff = true
    episode.saysOffRouteAt = now.advanced(bySeconds: Self.rerouteBeginsS)
    wakes[.deviation] = episode.saysOffRouteAt
    let subjects = Set(route?.maneuvers.map(\.key) ?? [])
    _ = timing.handle(.leftRoute)
    wakes[.timing] = nil
    outputs += perform(arbiter.handle(.withdrawn(subjects: subjects, at: now)))
    // A driver who returns to the same route needs its maneuvers again.
    if let route {
      outputs += perform(arbiter.handle(.forgotten(keyPrefix: "\(route.id)/", at: now)))
    }
    return outputs
  }

  /// Announces that the route was left, unless a reroute has begun meanwhile.
  mutating func sayOffRoute() -> [StageOutput] {
    guard let due = episode.saysOffRouteAt, due <= now else { return [] }
    episode.saysOffRouteAt = nil
    // A vehicle that has not been on the route yet has not left it.
    guard settings.saysReroutes, hasBeenOnRoute, !episode.hasSaidReroute else { return [] }
    return ask(
      AnnouncementContext(
        .deviation, rule: "off the route, no reroute within \(Self.rerouteBeginsS) s"),
      key: "deviation/\(now.nanoseconds)", .offRoute)
  }

  mutating func ingest(_ reroute: VoiceInput.Reroute) -> [StageOutput] {
    switch reroute {
    case .started:
      episode.saysOffRouteAt = nil
      wakes[.deviation] = nil
      guard settings.saysReroutes, !episode.hasSaidReroute else { return [] }
      episode.hasSaidReroute = true
      return ask(
        AnnouncementContext(.reroute, rule: "a reroute was started"),
        key: "reroute/\(now.nanoseconds)",
        .rerouting)
    case .failed:
      guard settings.saysReroutes, !episode.hasSaidFailure else { return [] }
      episode.hasSaidFailure = true
      return ask(
        AnnouncementContext(.reroute, rule: "a reroute failed"),
        key: "reroute/\(now.nanoseconds)/failed",
        .noNewRoute)
    case .ended: return []
    }
  }

  mutating func pass(_ milestone: VoiceInput.Milestone) -> [StageOutput] {
    announce(milestone) + departNext(from: milestone)
  }

  private mutating func announce(_ milestone: VoiceInput.Milestone) -> [StageOutput] {
    if milestone.isReached, let route, route.id == milestone.routeID,
      case .arriveOffRoad(_, let distanceM, let heading)? =
        route.arrival(ofSection: milestone.section)
    {
      return ask(
        AnnouncementContext(.offRoad, rule: "the road leads no closer to an off-road stop"),
        key: milestone.key, .offRoad(milestone.stop, distanceM: distanceM, heading))
    }
    let phrase: Phrase =
      milestone.isReached ? .arrived(milestone.stop, nil) : .missedStop(milestone.stop)
    let rule = milestone.isReached ? "a stop was reached" : "a stop was missed"
    return ask(AnnouncementContext(.arrive, rule: rule), key: milestone.key, phrase)
  }

  mutating func arrive(_ arrival: VoiceInput.Arrival) -> [StageOutput] {
    wakes[.signal] = nil
    signal.last = nil
    if arrival.isOffRoad {
      awaitsOffRoad = nil
      return ask(
        AnnouncementContext(.arrive, rule: "the end of the off-road path was reached"),
        key: "\(arrival.routeID)/off_road_arrived", .offRoadReached)
    }
    if arrival.leadsOffRoad {
      awaitsOffRoad = arrival.routeID
      return []
    }
    // The last announcement of the arrival contained the side, if there was one.
    let last = route?.maneuvers.last.flatMap { timing.said[$0.key] }
    return ask(
      AnnouncementContext(.arrive, rule: "the destination was reached"),
      key: "\(arrival.routeID)/arrived",
      .arrived(.destination, last == .action ? nil : arrival.side))
  }

  mutating func lead(
    _ routeID: String, _ remainingM: Double, _ heading: Heading?
  ) -> [StageOutput] {
    guard awaitsOffRoad == routeID else { return [] }
    awaitsOffRoad = nil
    return ask(
      AnnouncementContext(.offRoad, rule: "the route ended, the destination is off-road"),
      key: "\(routeID)/off_road",
      .offRoad(.destination, distanceM: remainingM, heading))
  }

  mutating func warn(_ warning: VoiceInput.Warning) -> [StageOutput] {
    guard settings.warners.contains(warning.warner) else { return [] }
    let wasReported = aheadWarnings.contains(warning.id)
    if wasReported { return [] }
    aheadWarnings = aheadWarnings.suffix(31) + [warning.id]
    return ask(
      AnnouncementContext(
        .warning, rule: "\(warning.id) \(warning.isReached ? "was reached" : "is ahead")"),
      key: "warning/\(warning.id)/\(now.nanoseconds)",
      subject: "warning/\(warning.id)",
      .warner(warning.warner, inM: warning.isReached ? nil : spokenM(warning)))
  }

  /// Returns the distance to announce, in metres; nil if it will be too short when the sentence
  /// ends.
  private func spokenM(_ warning: VoiceInput.Warning) -> Double? {
    guard let distanceM = warning.distanceM else { return nil }
    let sayingS = durationS(text(.warner(warning.warner, inM: distanceM)))
    let leftM = distanceM - sayingS * timing.drivenMps
    return leftM >= Self.nearM ? distanceM : nil
  }

  // A passed place needs no warning; if the vehicle approaches it again, the warning is repeated.
  mutating func endWarning(_ id: String) -> [StageOutput] {
    guard aheadWarnings.contains(id) else { return [] }
    aheadWarnings.removeAll { $0 == id }
    return perform(arbiter.handle(.withdrawn(subjects: ["warning/\(id)"], at: now)))
  }

  mutating func limit(_ limitMps: Double?, _ isExceeded: Bool) -> [StageOutput] {
    guard isExceeded, settings.saysSpeedWarnings else { return [] }
    return ask(
      AnnouncementContext(
        .speed,
        rule: limitMps.map { "faster than \(Self.whole($0 * 3.6)) km/h" } ?? "too fast"),
      key: "speed/\(now.nanoseconds)", .speedWarning(limitMps: limitMps))
  }

  /// Handles the tunnel flag of the current road if no active route contains its tunnels.
  mutating func enter(_ isTunnel: Bool) -> [StageOutput] {
    let isReported = route.map { $0.tunnels != nil && !episode.isOff } ?? false
    return isReported || route?.isOnFoot == true ? [] : enterTunnel(isTunnel)
  }

  /// Checks whether a place on the route (metres from its start) is in a tunnel.
  ///
  /// Gates and short underpasses are ignored, because drivers do not regard them as tunnels.
  mutating func pass(_ travelledM: Double, of route: GuidedRoute) -> [StageOutput] {
    guard !route.isOnFoot, let tunnels = route.tunnels else { return [] }
    let isInside = tunnels.contains {
      $0.upperBound - $0.lowerBound >= settings.leastTunnelM && $0.contains(travelledM)
    }
    return enterTunnel(isInside)
  }

  private mutating func enterTunnel(_ isTunnel: Bool) -> [StageOutput] {
    defer { isInTunnel = isTunnel }
    guard settings.saysTunnels, isTunnel, isInTunnel == false else { return [] }
    return ask(
      AnnouncementContext(.tunnel, rule: "a tunnel was entered"), key: "tunnel/\(now.nanoseconds)",
      .tunnel)
  }

  mutating func offer(
    _ id: String, _ better: VoiceInput.BetterRoute, _ gainS: Double, avoidsClosure: Bool
  ) -> [StageOutput] {
    guard better != .ended else {
      return perform(arbiter.handle(.withdrawn(subjects: ["better"], at: now)))
    }
    guard settings.saysBetterRoutes else { return [] }
    let isTaken = better == .accepted
    return ask(
      AnnouncementContext(
        .betterRoute, rule: avoidsClosure ? "a road is closed" : "\(Self.whole(gainS)) s less"),
      key: "better/\(id)/\(isTaken ? "taken" : "found")",
      subject: "better",
      avoidsClosure ? .wayAround(isTaken: isTaken) : .fasterRoute(gainS: gainS, isTaken: isTaken))
  }

  /// Announces that traffic has closed a road ahead on the route, once for each route.
  mutating func warnOfClosure() -> [StageOutput] {
    guard let route, route.isClosed, settings.saysClosures else { return [] }
    return ask(
      AnnouncementContext(.warning, rule: "traffic has closed a road of the route"),
      key: "\(route.id)/closed", subject: "closed", .roadClosed)
  }

  /// Records that a location arrived, and announces it if the loss was announced.
  mutating func locationCame(isEstimated: Bool) -> [StageOutput] {
    signal.came(at: now, isEstimated: isEstimated)
    wakes[.signal] = signal.lostAt(least: settings.signalLostS)
    guard signal.isLost else { return [] }
    signal.isLost = false
    guard signal.isLossSaid else {
      return perform(arbiter.handle(.withdrawn(subjects: [LocationLossDetector.subject], at: now)))
    }
    signal.isLossSaid = false
    signal.quietUntil = now.advanced(bySeconds: settings.arbiter.repeatWindowS + 15)
    guard settings.saysSignal else { return [] }
    return ask(
      AnnouncementContext(.locationFound, rule: "a location was received"),
      key: "signal/\(now.nanoseconds)/found",
      subject: LocationLossDetector.subject, .signalFound)
  }

  /// Announces once that locations are missing, if guidance needs them.
  mutating func watchSignal() -> [StageOutput] {
    guard let last = signal.last, let lostAt = signal.lostAt(least: settings.signalLostS),
      !signal.isLost, route != nil, !isPaused
    else { return [] }
    // A signal that was just announced as found is not announced as lost again at once.
    let due = max(lostAt, signal.quietUntil ?? lostAt)
    guard now >= due else {
      wakes[.signal] = due
      return []
    }
    signal.isLost = true
    wakes[.timing] = nil
    guard settings.saysSignal else { return [] }
    return ask(
      AnnouncementContext(
        .locationLost, rule: "no location for \(Self.whole(now.seconds(since: last))) s"),
      key: "signal/\(now.nanoseconds)/lost", subject: LocationLossDetector.subject, .signalLost)
  }
}
