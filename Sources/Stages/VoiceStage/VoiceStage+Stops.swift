import Foundations
import Speech
import Stage

extension VoiceStage {
  /// The departure from a stop that was reached, kept until the vehicle has left the stop.
  struct StopDeparture: Codable, Hashable, Sendable {
    var routeID: String
    /// Index of the departure in the route's maneuvers.
    var index: Int
    /// Start of the halt at the stop; nil if the vehicle has not stopped yet.
    var standsSince: Instant?
    /// Whether the departure was announced when the stop was reached.
    var isSaid = false
  }

  /// Seconds of a halt after which the driver may have forgotten how to continue.
  ///
  /// The stop counts as left after `leftM` metres.
  private static let standingS = 4.0
  /// The same if the departure was announced when the stop was reached.
  private static let longStandingS = 60.0
  private static let leftM = 30.0

  /// Announces how to continue from a stop that was reached, unless the route goes straight on.
  mutating func departNext(from stop: VoiceInput.Milestone) -> [StageOutput] {
    guard stop.isReached, let route, route.id == stop.routeID,
      let index = route.departure(afterSection: stop.section)
    else { return [] }
    return departNext(index, of: route)
  }

  /// Announces how to continue from a stop if only the progress shows that the departure is next.
  mutating func departNext(_ progress: VoiceInput.Progress) -> [StageOutput] {
    guard let route, let next = progress.ahead.first, next.remainingM <= 0,
      route.maneuvers.indices.contains(next.index), route.maneuvers[next.index].leaving != nil,
      stopDeparture?.index != next.index || stopDeparture?.routeID != route.id
    else { return [] }
    return departNext(next.index, of: route)
  }

  private mutating func departNext(_ index: Int, of route: GuidedRoute) -> [StageOutput] {
    stopDeparture = StopDeparture(routeID: route.id, index: index)
    guard let leaving = route.maneuvers[index].leaving, leaving != .straight else { return [] }
    stopDeparture?.isSaid = true
    return announceDeparture(index, of: route, key: "depart", rule: "a stop was reached")
  }

  /// Announces how to continue when the vehicle leaves a stop after a halt, also for straight on.
  mutating func leaveStop(_ progress: VoiceInput.Progress) -> [StageOutput] {
    guard var stop = stopDeparture else { return [] }
    guard let route, stop.routeID == route.id, route.maneuvers.indices.contains(stop.index),
      progress.travelledM < route.maneuvers[stop.index].offsetM + Self.leftM
    else {
      stopDeparture = nil
      return []
    }
    guard let speedMps = progress.speedMps else { return [] }
    if speedMps < settings.timing.standingMps {
      stop.standsSince = stop.standsSince ?? now
      stopDeparture = stop
      return []
    }
    let leastS = stop.isSaid ? Self.longStandingS : Self.standingS
    guard let since = stop.standsSince else { return [] }
    guard now.seconds(since: since) >= leastS else {
      // The seconds of driving on after a short halt do not count as a halt.
      stop.standsSince = nil
      stopDeparture = stop
      return []
    }
    // After another short halt, as at a traffic signal after the stop, no repetition is needed.
    (stop.standsSince, stop.isSaid) = (nil, true)
    stopDeparture = stop
    return announceDeparture(
      stop.index, of: route, key: "depart/\(now.nanoseconds)",
      rule: "the vehicle leaves a stop")
  }

  private mutating func announceDeparture(
    _ index: Int, of route: GuidedRoute, key: String, rule: String
  ) -> [StageOutput] {
    let departure = route.maneuvers[index]
    let words = spoken(departure.words)
    let phrase: Phrase =
      departure.leaving == .back
      ? .maneuver(SpokenManeuver(.uTurn, onto: words.onto), .named, inM: 0)
      : .depart(
        heading: Heading(bearingDeg: departure.bearingDeg), onto: words.onto, then: nil, inM: 0)
    let about = AnnouncementContext(
      .depart,
      maneuver: .init(routeID: route.id, index: index, wording: .named, joinedIndex: nil),
      rule: rule)
    return ask(about, key: "\(route.id)/\(index)/\(key)", phrase)
  }
}

extension GuidedRoute {
  /// Returns the index of the departure of the section after `section`; nil after the last.
  func departure(afterSection section: Int) -> Int? {
    maneuvers.indices.filter { maneuvers[$0].isDeparture }.dropFirst(max(0, section) + 1).first
  }
}
