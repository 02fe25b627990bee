import enum Route.WarningKind

/// English as spoken in the United States and in Britain.
public struct English: Language {
  public enum Region: String, Codable, Hashable, Sendable {
    case us = "en-US"
    case gb = "en-GB"
  }

  public var region: Region

  public init(region: Region) { self.region = region }

  public var tag: String { region.rawValue }
  public var voice: String { region == .us ? "en-us" : "en-gb" }

  public func sentence(for phrase: Phrase, units: Units) -> Sentence {
    switch phrase {
    case .depart(let heading, let road, let next, let inM):
      return departure(heading, road, next, inM, units)
    case .maneuver(let maneuver, let wording, _) where wording.isNear:
      return clause(maneuver, wording)
    case .maneuver(let maneuver, let wording, let inM):
      return "in \(distance(inM, units)), \(clause(maneuver, wording))"
    case .doubleManeuver(let first, let second, let wording, _) where wording.isNear:
      return pair(first, second, wording)
    case .doubleManeuver(let first, let second, let wording, let inM):
      return "in \(distance(inM, units)), \(pair(first, second, wording))"
    case .follow(let road, let first, let second, let inM):
      let along = words("go straight along ", road, .shortened)
      let lead: Sentence = along.isEmpty ? "in" : "\(along), and in"
      let what = second.map { pair(first, $0, .full) } ?? clause(first, .full)
      return "\(lead) \(distance(inM, units)), \(what)"
    case .continueFor(let lengthM, let road, let next):
      let what: Sentence = "continue for \(distance(lengthM, units))\(words(" on ", road, .full))"
      return next.map { "\(what), then \(clause($0, .shortened))" } ?? what
    case .arrived(let stop, let side):
      return "you have reached \(place(stop))\(side.map { ". It is on the \($0.rawValue)" } ?? "")"
    case .missedStop(let stop): return "you have passed \(place(stop))"
    case .offRoad(let stop, let distanceM, let heading):
      return "\(offRoad(stop, "\(distance(distanceM, units))\(toThe(heading))"))"
        + ". The direct line may cross what nobody can cross"
    case .offRoadReached: return "you have reached your destination"
    case .offRoute: return "you have left the route"
    case .rerouting: return "rerouting"
    case .noNewRoute: return "no new route was found"
    case .fasterRoute(let gainS, let isTaken):
      let head: Sentence = isTaken ? "taking a faster route" : "there is a faster route"
      return "\(head). It saves \(duration(gainS))"
    case .wayAround(let isTaken):
      return isTaken
        ? "taking another route around the closed road"
        : "there is another route around the closed road"
    case .roadClosed: return "the road ahead is closed"
    case .speedWarning(let limitMps): return speedWarning(limitMps, units)
    case .warner(let warner, let inM):
      return inM.map { "\(name(warner)) in \(distance($0, units))" } ?? name(warner)
    case .signalLost: return "satellite signal lost"
    case .signalFound: return "satellite signal found"
    case .tunnel: return "tunnel"
    }
  }

  // Grammar

  private func departure(
    _ heading: Heading?, _ road: RoadName, _ next: SpokenManeuver?, _ inM: Double?, _ units: Units
  ) -> Sentence {
    let whither = heading.map { " \(compass($0))" } ?? ""
    let start: Sentence = "head\(whither)\(words(" on ", road, .shortened))"
    let begin = whither.isEmpty && road.isUnknown ? "start on the route" : start
    guard let next else { return begin }
    guard let inM else { return "\(begin), then \(clause(next, joined(next, .terse)))" }
    return "\(begin). In \(distance(inM, units)), \(clause(next, .shortened))"
  }

  private func pair(
    _ first: SpokenManeuver, _ second: SpokenManeuver, _ wording: ManeuverDetail
  ) -> Sentence {
    let head = clause(first, joined(first, wording))
    let isBare = wording == .terse || (first.onto.isUnknown && first.toward.isEmpty)
    if isBare, first.pushes != true, second.pushes != true, case .turn(let before) = first.action,
      before != .straight,
      case .turn(let turn) = second.action, turn != .straight
    {
      return "\(head), then \(words(turn))"
    }
    return "\(head), then \(ring(first, second))\(clause(second, joined(second, .terse)))"
  }

  /// Distinguishes the exits of a second roundabout from those of the road or the roundabout before
  /// it.
  private func ring(_ first: SpokenManeuver, _ second: SpokenManeuver) -> Sentence {
    guard case .roundabout(_?) = second.action else { return .empty }
    switch first.action {
    case .roundabout, .roundaboutExit: return "at the next roundabout, "
    case .takeExit, .takeRamp, .keep, .merge: return "at the roundabout, "
    default: return .empty
    }
  }

  /// The end of the road fits between two commas only in its shortened wording.
  private func joined(_ maneuver: SpokenManeuver, _ wording: ManeuverDetail) -> ManeuverDetail {
    if case .arriveOffRoad = maneuver.action { return .shortened }
    return wording
  }

  private func clause(_ maneuver: SpokenManeuver, _ wording: ManeuverDetail) -> Sentence {
    switch maneuver.action {
    case .arrive, .arriveOffRoad: return action(maneuver, wording)
    default: break
    }
    let what = action(maneuver, wording)
    // An action like the turn itself, so the shortest wording has it, too.
    let push = maneuver.pushes == true ? " and push your bicycle" : ""
    guard wording != .terse, !usesSteps(maneuver) else { return "\(what)\(push)" }
    let onto = words(lead(to: maneuver), maneuver.onto, wording)
    let isSigned = !maneuver.toward.isEmpty && (wording == .full || onto.isEmpty)
    return isSigned
      ? "\(what)\(onto)\(toward(maneuver.toward))\(push)" : "\(what)\(onto)\(push)"
  }

  /// Words before the road's name, which differ for a vehicle that stays on its road.
  private func lead(to maneuver: SpokenManeuver) -> String {
    guard maneuver.staysOnRoad else { return " onto " }
    switch maneuver.action {
    case .follow: return " on "
    case .keep, .turn(.straight), .turn(.slightLeft), .turn(.slightRight), .goStraight, .takeExit:
      return " to stay on "
    default: return " onto "
    }
  }

  /// Whether the steps themselves are the maneuver, so that every wording names them.
  private func usesSteps(_ maneuver: SpokenManeuver) -> Bool {
    maneuver.action == .follow && maneuver.onto.isUnknown && maneuver.onto.path == .steps
  }

  private func action(_ maneuver: SpokenManeuver, _ wording: ManeuverDetail) -> Sentence {
    switch maneuver.action {
    case .turn(.straight), .goStraight: return "go straight"
    case .turn(let turn): return "turn \(words(turn))"
    case .endOfRoad(let turn):
      let what: Sentence = turn == .straight ? "go straight" : "turn \(words(turn))"
      return wording == .full ? "\(what) at the end of the road" : what
    case .uTurn: return "make a U turn"
    case .follow: return usesSteps(maneuver) ? "take the steps" : "continue"
    case .keep(let side): return "keep \(side?.rawValue ?? "to the middle")"
    case .takeExit(let side):
      let number = wording == .terse ? nil : maneuver.exitNumber.map { " \(earRules.name($0))" }
      return number.map { "take exit \($0)\(onThe(side))" } ?? "take the exit\(onThe(side))"
    case .takeRamp(let side): return "take the ramp\(onThe(side))"
    case .merge(let side): return "merge\(side.map { " \($0.rawValue)" } ?? "")"
    case .roundabout(let exit):
      guard let exit else { return "enter the roundabout" }
      let take = "take the \(ordinal(exit)) exit"
      return wording.isNear ? "\(take)" : "at the roundabout, \(take)"
    case .roundaboutExit(let exit): return "take the \(ordinal(exit)) exit"
    case .leaveRoundabout: return "leave the roundabout"
    case .boardFerry: return "take the ferry"
    case .leaveFerry: return "leave the ferry"
    case .arrive(let stop, let side): return arrival(stop, side, wording)
    case .arriveOffRoad(let stop, _, let heading): return roadEnd(stop, heading, wording)
    }
  }

  private func arrival(_ stop: StopKind, _ side: Side?, _ wording: ManeuverDetail) -> Sentence {
    let place = place(stop)
    guard wording.isNear else {
      return "you will reach \(place)\(side.map { ", on the \($0.rawValue)" } ?? "")"
    }
    return side.map { "\(place) is on the \($0.rawValue)" } ?? "\(place) is ahead"
  }

  // The road may continue past an intermediate stop; only at the destination does it end for the
  // driver.
  private func roadEnd(_ stop: StopKind, _ heading: Heading?, _ wording: ManeuverDetail) -> Sentence
  {
    let isDestination = stop == .destination
    let end: Sentence =
      isDestination ? "the road ends" : "the road comes nearest to \(place(stop))"
    switch wording {
    case .full:
      let what = isDestination ? "Your destination" : "It"
      let direction = heading.map { ", to the \(compass($0))" } ?? ""
      return "\(end). \(what) lies off the road\(direction)"
    case .shortened: return end
    case .named, .terse: return "\(end) ahead"
    }
  }

  private func offRoad(_ stop: StopKind, _ offset: String) -> String {
    stop == .destination
      ? "the road ends here. Your destination is \(offset)"
      : "\(place(stop)) is \(offset), off the road"
  }

  private func toThe(_ heading: Heading?) -> String {
    heading.map { " to the \(compass($0))" } ?? ""
  }

  private func place(_ stop: StopKind) -> String {
    switch stop {
    case .destination: return "your destination"
    case .stop(let name):
      let spoken = name.map { earRules.name($0) } ?? ""
      return spoken.isEmpty ? "your stop" : "your stop, \(spoken),"
    }
  }

  private func onThe(_ side: Side?) -> String { side.map { " on the \($0.rawValue)" } ?? "" }

  /// Empty for an unnamed road; the full wording contains name and number.
  private func words(_ lead: String, _ road: RoadName, _ wording: ManeuverDetail) -> Sentence {
    let name = road.name.map { earRules.name($0, country: road.country) }
      .flatMap { $0.isEmpty ? nil : $0 }
    let number = road.number.flatMap { earRules.roadNumber($0, country: road.country) }
      .map { Sentence(pieces: [$0]) }
    switch (name, number) {
    case (nil, nil): return road.path.map { "\(lead)the \(word($0))" } ?? .empty
    case (let name?, let number?) where wording == .full && !names(name, number.plain):
      return "\(lead)\(name), \(number)"
    case (let name?, _): return "\(lead)\(name)"
    case (nil, let number?): return "\(lead)\(number)"
    }
  }

  /// Whether a name contains the road's number: Estrada Nacional 107 is E N 107.
  private func names(_ name: String, _ number: String) -> Bool {
    let own = number.split(separator: " ").filter { $0.first?.isNumber == true }
    return name == number
      || !own.isEmpty && name.split(separator: " ").suffix(own.count) == own[...]
  }

  private func toward(_ destinations: [String]) -> Sentence {
    let names = destinations.prefix(2).map { place in
      let isNumber = !place.isEmpty && place.allSatisfy(\.isNumber)
      return isNumber ? "\(earRules.bareNumber) \(place)" : earRules.name(place)
    }.filter { !$0.isEmpty }
    return names.isEmpty ? .empty : " toward \(names.joined(separator: " and "))"
  }

  private func speedWarning(_ limitMps: Double?, _ units: Units) -> Sentence {
    guard let limitMps, limitMps.isFinite, limitMps > 0, limitMps < 1000 else {
      return "mind your speed"
    }
    let limit = units == .metric ? limitMps * 3.6 : limitMps * 3600 / 1609.344
    return "mind your speed. The limit is \(Int(limit.rounded()))"
  }
}

// Words

extension English {
  private func words(_ turn: SpokenTurn) -> String {
    switch turn {
    case .sharpLeft: "sharp left"
    case .left: "left"
    case .slightLeft: "slightly left"
    case .straight: "straight"
    case .slightRight: "slightly right"
    case .right: "right"
    case .sharpRight: "sharp right"
    }
  }

  private func word(_ path: SpokenPathKind) -> String {
    switch path {
    case .crossing: "crossing"
    case .steps: "steps"
    case .corridor: "corridor"
    case .cyclePath: "cycle path"
    case .path: "path"
    case .track: "track"
    }
  }

  private func compass(_ heading: Heading) -> String {
    ["north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest"][
      heading.rawValue]
  }

  private func ordinal(_ number: Int) -> String {
    let words = [
      "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
    ]
    if words.indices.contains(number - 1) { return words[number - 1] }
    let isTeen = (11...13).contains(abs(number % 100))
    let ending = isTeen ? "th" : [1: "st", 2: "nd", 3: "rd"][abs(number % 10)] ?? "th"
    return "\(number)\(ending)"
  }

  private func distance(_ lengthM: Double, _ units: Units) -> String {
    let spoken = SpokenDistance(lengthM: lengthM, units: units)
    if spoken.unit == .mile,
      let fraction = [2: "a quarter mile", 3: "a quarter mile", 5: "half a mile"][spoken.tenths]
    {
      return fraction
    }
    let isOne = spoken.tenths == 10
    return "\(amount(spoken.tenths)) \(word(spoken.unit, isOne: isOne))"
  }

  private func amount(_ tenths: Int) -> String {
    tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
  }

  private func word(_ unit: SpokenDistance.Unit, isOne: Bool) -> String {
    let metre = region == .us ? "meter" : "metre"
    switch unit {
    case .metre: return isOne ? metre : metre + "s"
    case .kilometre: return "kilo\(metre)\(isOne ? "" : "s")"
    case .foot: return isOne ? "foot" : "feet"
    case .yard: return isOne ? "yard" : "yards"
    case .mile: return isOne ? "mile" : "miles"
    }
  }

  private func duration(_ seconds: Double) -> String {
    let seconds = seconds.isFinite ? min(max(seconds, 0), 1e7) : 0
    let minutes = Int((seconds / 60).rounded())
    if minutes == 0 { return "less than a minute" }
    func count(_ number: Int, _ unit: String) -> String {
      "\(number) \(unit)\(number == 1 ? "" : "s")"
    }
    let (hours, rest) = minutes.quotientAndRemainder(dividingBy: 60)
    if hours == 0 { return count(minutes, "minute") }
    return count(hours, "hour") + (rest == 0 ? "" : " and \(count(rest, "minute"))")
  }

  private func name(_ warner: WarningKind) -> Sentence {
    switch warner {
    case .safetyCamera: "safety camera"
    case .roadSign: "road sign"
    case .schoolZone: "school zone"
    case .railwayCrossing: region == .us ? "railroad crossing" : "level crossing"
    case .border: "border"
    case .tollStop: region == .us ? "toll plaza" : "toll booth"
    case .trafficMerge: "merging traffic"
    case .laneDecrease: "fewer lanes"
    case .dangerZone: "danger zone"
    case .lowSpeedZone: "low speed zone"
    case .environmentalZone: "environmental zone"
    case .truckRestriction: "truck restriction"
    case .incident: "traffic incident"
    case .jamEnd: region == .us ? "end of a traffic jam" : "end of a queue"
    case .trafficSignals: "traffic lights"
    case .stopSign: "stop sign"
    case .giveWay: region == .us ? "yield" : "give way"
    case .speedBump: "speed bump"
    case .sharpBend: "sharp bend"
    case .tunnel: "tunnel"
    case .custom: "attention"
    }
  }
}
