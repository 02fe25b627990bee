import Foundations
import Speech
import Stage

extension VoiceStage {
  /// Converts due announcements to requests to speak.
  mutating func perform(_ outputs: [AnnouncementTiming.Output]) -> [StageOutput] {
    var performed: [StageOutput] = []
    for output in outputs {
      switch output {
      case .due(let due): performed += announce(due)
      case .continueFor(let key, let lengthM): performed += announceContinue(key, lengthM)
      case .wake(let at): wakes[.timing] = at
      }
    }
    return performed
  }

  /// Shortest distance at which a change of name is announced, metres.
  private static let nameChangeM = 100.0

  private mutating func announce(_ due: AnnouncementTiming.Due) -> [StageOutput] {
    guard let route, let index = route.index(ofKey: due.key) else { return [] }
    // If the name changes very soon, the driver reads it on the sign first.
    if route.maneuvers[index].words.action == .follow, due.spokenM < Self.nameChangeM { return [] }
    let joined = due.joinedKey.flatMap { route.index(ofKey: $0) }
    let (wording, inM) = wording(of: due, index, joinedTo: joined)
    guard
      let phrase = due.isFirst
        ? firstPhrase(wording, index, joinedTo: joined, inM: inM)
        : maneuverPhrase(index, joinedTo: joined, wording, inM: inM)
    else { return [] }
    let about = AnnouncementContext(
      AnnouncementContext.Kind(due.kind),
      maneuver: .init(routeID: route.id, index: index, wording: wording, joinedIndex: joined),
      rule: rule(due))
    if let joined, let joinedKey = due.joinedKey, due.kind == .action,
      case .arrive = route.maneuvers[joined].words.action
    {
      // The destination no longer needs a distance; nor an action, if that would follow the turn at
      // once.
      let isNext = timing.isActionDue(of: joinedKey, atEndOf: due.key)
      _ = timing.handle(.said(key: joinedKey, through: isNext ? .action : .distance))
    }
    return ask(
      about, key: "\(route.id)/\(index)/\(due.kind.rawValue)", subject: due.key, phrase,
      lifeS: due.timeS.map { min($0, about.kind.lifeS) })
  }

  /// Returns the wording of an announcement and the distance that it names; the first one for the end of the road
  /// includes the destination.
  private func wording(
    of due: AnnouncementTiming.Due, _ index: Int, joinedTo second: Int?
  ) -> (ManeuverDetail, inM: Double) {
    let wording = settings.timing.style.wording(of: due.kind)
    if wording.isNear { return early(due, index, joinedTo: second) ?? (wording, due.spokenM) }
    guard due.isFirst, let route, case .arriveOffRoad = route.maneuvers[index].words.action
    else { return (wording, due.spokenM) }
    return (.full, due.spokenM)
  }

  /// Returns the wording of an action announcement that comes as early as one of a distance; nil if it comes near the
  /// maneuver.
  ///
  /// At low speed on a fast road it is so early. It then contains the distance, and the names if nothing has been
  /// announced for the maneuver.
  private func early(
    _ due: AnnouncementTiming.Due, _ index: Int, joinedTo second: Int?
  ) -> (ManeuverDetail, inM: Double)? {
    guard let timeS = due.timeS, timeS > settings.timing.table[due.profile].distance.timeS else {
      return nil
    }
    for wording in due.isFirst ? [ManeuverDetail.full, .shortened] : [.shortened] {
      guard let phrase = maneuverPhrase(index, joinedTo: second, wording, inM: due.spokenM)
      else { return nil }
      let saysS = durationS(text(phrase)) + settings.timing.latencyS
      guard saysS + settings.timing.marginS <= timeS else { continue }
      return (wording, due.distanceM * (1 - saysS / timeS))
    }
    return nil
  }

  private mutating func announceContinue(_ key: String, _ lengthM: Double) -> [StageOutput] {
    guard let route, let index = route.index(ofKey: key),
      let before = route.announced(before: index), !before.isAboard
    else { return [] }
    let road = along(before)
    let next = route.maneuvers[index]
    var words = spoken(next.words)
    // The vehicle stays on the road only if the announced road is already that one.
    words.staysOnRoad =
      words.staysOnRoad && !road.isUnknown
      && (words.onto.name.map { $0 == road.name } ?? (road.number == words.onto.number))
    let then = words.action == .follow ? nil : words
    let about = AnnouncementContext(
      .continueFor,
      maneuver: .init(routeID: route.id, index: index, wording: .full, joinedIndex: nil),
      rule: "\(Int(min(lengthM, 1e9))) m to the next maneuver")
    return ask(
      about, key: "\(route.id)/\(index)/continue", subject: key,
      .continueFor(lengthM: lengthM, on: road, then: then))
  }

  /// Returns the phrase of maneuver `index` with the one joined to it; nil for an invalid index.
  func maneuverPhrase(
    _ index: Int, joinedTo second: Int?, _ wording: ManeuverDetail, inM: Double
  ) -> Phrase? {
    guard let route, route.maneuvers.indices.contains(index) else { return nil }
    let first = spoken(route.maneuvers[index].words(atM: inM))
    guard let second, route.maneuvers.indices.contains(second) else {
      return .maneuver(first, wording, inM: inM)
    }
    return .doubleManeuver(
      first, then: spoken(route.maneuvers[second].words), wording, inM: inM)
  }

  /// Returns the phrase of the first announcement of maneuver `index`; nil for an invalid index.
  ///
  /// A talkative voice names the road to follow until then, unless the maneuver is already near.
  func firstPhrase(
    _ wording: ManeuverDetail, _ index: Int, joinedTo second: Int?, inM: Double
  ) -> Phrase? {
    guard settings.timing.style == .talkative, !wording.isNear, let route,
      route.maneuvers.indices.contains(index), let before = route.announced(before: index)
    else { return maneuverPhrase(index, joinedTo: second, wording, inM: inM) }
    let next = second.flatMap {
      route.maneuvers.indices.contains($0) ? spoken(route.maneuvers[$0].words) : nil
    }
    return .follow(
      on: along(before),
      then: spoken(route.maneuvers[index].words(atM: inM)), second: next, inM: inM)
  }

  /// Returns the road to follow after a maneuver, without the parts that the settings switch off.
  private func along(_ maneuver: GuidedManeuver) -> RoadName {
    spoken(SpokenManeuver(.follow, onto: maneuver.along)).onto
  }

  /// Returns the maneuver without the parts that the listener has switched off.
  func spoken(_ words: SpokenManeuver) -> SpokenManeuver {
    words.keeping(
      streetNames: settings.names.streets, roadNumbers: settings.names.numbers,
      signposts: settings.names.signposts)
  }

  private func rule(_ due: AnnouncementTiming.Due) -> String {
    let trigger = settings.timing.table[due.profile][due.kind]
    if due.kind == .range, trigger.distanceM == 0, trigger.timeS == 0 {
      return "it is the next maneuver, \(due.profile.rawValue)"
    }
    let speedMps = due.timeS.map { $0 > 0 ? due.distanceM / $0 : 0 } ?? 0
    let byDistance = trigger.distanceM >= trigger.timeS * speedMps
    let threshold =
      byDistance ? "distance \(Int(trigger.distanceM)) m" : "time \(Int(trigger.timeS)) s"
    return "\(threshold), \(due.profile.rawValue)"
  }
}
