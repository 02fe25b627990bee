import Foundations
import Geodesy
import Speech
import Stage

extension VoiceStage {
  /// A direction of travel, in degrees clockwise from true north, and when it was reported.
  struct Course: Codable, Hashable, Sendable {
    var bearingDeg: Double
    var at: Instant
  }

  /// Switches to another active route, or to none.
  mutating func follow(
    _ new: GuidedRoute?, _ reason: VoiceInput.RouteReason, _ isPaused: Bool
  ) -> [StageOutput] {
    self.isPaused = isPaused
    if isPaused || new?.id != route?.id {
      wakes[.signal] = nil
      signal.last = nil
    }
    guard new != route else {
      if isPaused { halt() }
      return []
    }
    let old = Set(route?.maneuvers.map(\.key) ?? [])
    let gone = old.subtracting(new?.maneuvers.map(\.key) ?? [])
    route = new
    sentenceS = [:]
    halt()
    let outputs = perform(arbiter.handle(.withdrawn(subjects: gone, at: now)))
    guard let new else {
      routeID = nil
      departsNext = false
      _ = timing.handle(.leftRoute)
      return outputs
    }
    if new.id != routeID {
      departsNext = reason == .started
      if reason == .started { _ = timing.handle(.leftRoute) }
      awaitsOffRoad = nil
      hasBeenOnRoute = false
    }
    let isOther = routeID != nil && new.id != routeID
    routeID = new.id
    return outputs + warnOfClosure() + (isOther && reason == .changed ? turnRound(new) : [])
  }

  /// Seconds for which a direction of travel is valid.
  private static let courseS = 10.0
  private static let backDeg = 135.0

  /// Announces that another route starts by turning back, as around a closed road ahead.
  private mutating func turnRound(_ route: GuidedRoute) -> [StageOutput] {
    guard let course, now.seconds(since: course.at) <= Self.courseS,
      let start = route.maneuvers.first, start.isDeparture,
      abs(Angle.turnDeg(from: course.bearingDeg, to: start.bearingDeg)) > Self.backDeg
    else { return [] }
    let about = AnnouncementContext(
      .depart,
      maneuver: .init(routeID: route.id, index: 0, wording: .named, joinedIndex: nil),
      rule: "the new route starts in the opposite direction")
    return ask(
      about, key: "\(route.id)/0/turn",
      .maneuver(SpokenManeuver(.uTurn, onto: spoken(start.words).onto), .named, inM: 0))
  }

  /// Processes the position on the route: makes due announcements and schedules the next one.
  mutating func advance(_ progress: VoiceInput.Progress) -> [StageOutput] {
    guard let route, progress.routeID == route.id else {
      return [.count("progress_of_other_route", 1)]
    }
    var outputs = locationCame(isEstimated: progress.isEstimated)
    guard progress.isOnRoute, !isPaused else {
      halt()
      return outputs
    }
    hasBeenOnRoute = true
    course = progress.bearingDeg.map { Course(bearingDeg: $0, at: now) }
    episode = Deviation()
    wakes[.deviation] = nil
    outputs += pass(progress.travelledM, of: route)
    let approach = approach(progress, route)
    if departsNext {
      departsNext = false
      if progress.remainingM <= Self.hereM { return outputs }
      outputs += depart(progress, route, approach)
    }
    outputs += departNext(progress) + leaveStop(progress)
    wakes[.timing] = nil
    return outputs + perform(timing.handle(.approached(approach)))
  }

  /// Withdraws the announcement of a completed maneuver.
  mutating func finish(_ routeID: String, _ index: Int) -> [StageOutput] {
    guard let route, route.id == routeID, route.maneuvers.indices.contains(index) else { return [] }
    return perform(
      arbiter.handle(.withdrawn(subjects: [route.maneuvers[index].key], at: now)))
  }

  /// Stops extrapolation until the next progress.
  mutating func halt() {
    _ = timing.handle(.lost)
    wakes[.timing] = nil
  }

  private mutating func approach(
    _ progress: VoiceInput.Progress, _ route: GuidedRoute
  ) -> Approach {
    // A road without a known limit has none of the road before: the announcement profile follows the speed there.
    let limitMps = route.isBicycle ? 0 : progress.speedLimitMps
    var approach = Approach(
      at: now, isOnFoot: route.isOnFoot, speedLimitMps: limitMps, speedMps: progress.speedMps,
      expectedSpeedMps: progress.expectedSpeedMps, remainingM: progress.remainingM, ahead: [])
    let ahead = progress.ahead.filter {
      route.maneuvers.indices.contains($0.index) && !route.maneuvers[$0.index].isDeparture
        && !route.maneuvers[$0.index].isPlain
    }
    for (place, next) in ahead.enumerated() {
      let second = ahead.indices.contains(place + 1) ? ahead[place + 1] : nil
      let gapM = second.map { $0.remainingM - next.remainingM } ?? .infinity
      let maneuver = route.maneuvers[next.index]
      let joins =
        gapM <= row(approach).doubleM && settings.timing.joinsManeuvers && maneuver.mayJoin
        && second.map { route.maneuvers[$0.index].mayJoin } ?? false
      approach.ahead.append(
        ManeuverAhead(
          key: maneuver.key, distanceM: next.remainingM,
          sentenceS: durations(next.index, joinedTo: joins ? second?.index : nil),
          mayJoin: maneuver.mayJoin, kinds: maneuver.kinds(of: settings.timing.kinds)))
    }
    return approach
  }

  private func row(_ approach: Approach) -> TimingRow {
    let speedMps = approach.speedLimitMps ?? approach.speedMps ?? 0
    return settings.timing.table[
      approach.isOnFoot ? .pedestrian : TimingProfile(drivingUnder: speedMps)]
  }

  /// Returns the seconds that each announcement of a maneuver takes, at the distances of the table.
  private mutating func durations(
    _ index: Int, joinedTo second: Int?
  ) -> [AnnouncementKind: Double] {
    let key = SentenceKey(index: index, isJoined: second != nil)
    if let known = sentenceS[key] { return known }
    var durations: [AnnouncementKind: Double] = [:]
    for kind in settings.timing.kinds {
      let wording = settings.timing.style.wording(of: kind)
      let phrase =
        kind == .range
        ? firstPhrase(wording, index, joinedTo: second, inM: 550)
        : maneuverPhrase(index, joinedTo: second, wording, inM: 550)
      durations[kind] = phrase.map { durationS(text($0)) } ?? 0
    }
    sentenceS[key] = durations
    return durations
  }

  /// Distance in metres beyond which the vehicle has already departed.
  private static let departureM = 50.0
  /// Remaining distance at which the vehicle is already at its destination, metres.
  private static let hereM = 20.0

  /// Makes the announcement at the start: the direction, the road, and the first maneuver if it is
  /// near.
  ///
  /// A talkative voice names the first maneuver from any distance here, instead of its range
  /// announcement.
  private mutating func depart(
    _ progress: VoiceInput.Progress, _ route: GuidedRoute, _ approach: Approach
  ) -> [StageOutput] {
    guard progress.travelledM < Self.departureM, let start = route.maneuvers.first,
      start.isDeparture
    else {
      return []
    }
    let heading = progress.bearingDeg.flatMap { Heading(bearingDeg: $0) }
    var next: SpokenManeuver?
    var inM: Double?
    let row = row(approach)
    let onto = spoken(start.words).onto
    let speedMps = progress.speedMps ?? 0
    // Metres left until the action of `ahead` is due once these words of the departure are spoken.
    func leftM(_ words: SpokenManeuver?, _ inM: Double?, _ ahead: ManeuverAhead) -> Double {
      let saysS = durationS(text(.depart(heading: heading, onto: onto, then: words, inM: inM)))
      let actionS = max(row.action.timeS, settings.timing.marginS) + (ahead.sentenceS[.action] ?? 0)
      return ahead.distanceM - (saysS + settings.timing.latencyS) * speedMps
        - max(row.action.distanceM, actionS * speedMps)
    }
    let saysRange = settings.timing.style == .talkative && settings.timing.kinds.contains(.range)
    let farthestM = saysRange ? Double.infinity : row.reminder.distanceM
    if let first = approach.ahead.first, let index = route.index(ofKey: first.key),
      first.distanceM <= farthestM
    {
      let words = spoken(route.maneuvers[index].words(atM: first.distanceM))
      let said: AnnouncementKind
      if leftM(nil, nil, first) < row.action.distanceM / 2 {
        // A maneuver that follows at once shares the sentence, because a second sentence would
        // interrupt the first.
        next = words.action == .follow ? nil : words
        said = .action
      } else if leftM(words, first.distanceM, first) < 0 {
        said = .distance
      } else {
        (next, inM) = (words, first.distanceM)
        let isFar = first.distanceM > row.reminder.distanceM
        said = first.distanceM <= row.distance.distanceM ? .distance : isFar ? .range : .reminder
      }
      _ = timing.handle(
        .named(
          key: first.key, through: said, distanceM: first.distanceM,
          until: now.advanced(
            bySeconds: durationS(text(.depart(heading: heading, onto: onto, then: next, inM: inM))))
        ))
    }
    let about = AnnouncementContext(
      .depart,
      maneuver: .init(routeID: route.id, index: 0, wording: .full, joinedIndex: nil),
      rule: "within \(Int(Self.departureM)) m of the start")
    return ask(
      about, key: "\(route.id)/0/depart",
      .depart(heading: heading, onto: onto, then: next, inM: inM))
  }
}
