import RoadGraph
import Route

/// The instruction as an English sentence to read, without the distance to the maneuver.
enum ManeuverText {
  static func english(_ maneuver: Maneuver, section: SectionPath) -> String {
    let onto = onto(maneuver, section.mode)
    switch maneuver.action {
    case .depart: return depart(maneuver, section.mode)
    case .arrive: return arrive(maneuver, section)
    case .continueOn:
      if maneuver.from.isFerry { return sentence("Leave the ferry", onto) }
      if !section.mode.isMotorised, maneuver.onto.roadClass == .steps,
        maneuver.from.roadClass != .steps
      {
        return sentence("Take the steps", push(maneuver, section.mode))
      }
      let name = maneuver.onto.name
      if !name.isEmpty, name == maneuver.from.name {
        return sentence("Continue on ", road(maneuver.onto), push(maneuver, section.mode))
      }
      return sentence("Continue", onto)
    case .turn(let grade): return sentence(words(grade), onto, toward(maneuver))
    case .uTurn: return sentence("Make a U-turn", onto)
    case .fork(.ahead): return sentence("Keep in the middle", onto, toward(maneuver))
    case .fork(let side): return sentence("Keep \(side.rawValue)", onto, toward(maneuver))
    case .exit(let side): return exit(maneuver, side, onto)
    case .ramp(.ahead): return sentence("Take the ramp", onto, toward(maneuver))
    case .ramp(let side):
      return sentence("Take the ramp on the \(side.rawValue)", onto, toward(maneuver))
    case .merge: return sentence("Merge", onto, toward(maneuver))
    case .roundabout(let exit):
      if exit == 0 { return "Enter the roundabout." }
      return sentence(
        "At the roundabout take the \(ordinal(exit)) exit", onto, toward(maneuver))
    case .ferry:
      let name = road(maneuver.onto)
      return name.isEmpty ? "Board the ferry." : "Board the ferry \(name)."
    }
  }

  private static func depart(_ maneuver: Maneuver, _ mode: TravelMode) -> String {
    let name = road(maneuver.onto, mode)
    let head = "Head \(compass(maneuver.bearingAfterDeg))"
    return name.isEmpty ? "\(head)." : "\(head) on \(name)."
  }

  private static func arrive(_ maneuver: Maneuver, _ section: SectionPath) -> String {
    let place =
      section.arrivalName.isEmpty
      ? (section.isLast ? "your destination" : "your stop") : section.arrivalName
    if let line = section.arrivalOffRoad { return roadEnd(place, line, isLast: section.isLast) }
    guard let side = maneuver.side, side != .ahead else { return "You have reached \(place)." }
    return "You have reached \(place), on the \(side.rawValue)."
  }

  // The road may continue past an intermediate stop, so only the destination is described as its
  // end.
  private static func roadEnd(_ place: String, _ line: OffRoadLine, isLast: Bool) -> String {
    let offset = "\(length(line.lengthM)) to the \(compass(line.bearingDeg))"
    if isLast { return "The road ends here; \(place) lies \(offset)." }
    return "\(capitalized(place)) lies off the road, \(offset)."
  }

  /// Metres rounded to 10 below 300, to 50 below 1 km, and to tenths of a kilometre above.
  private static func length(_ metres: Double) -> String {
    let step: Double = metres < 300 ? 10 : 50
    let rounded = (metres / step).rounded() * step
    if rounded < 1000 { return "\(Int(rounded)) m" }
    let tenths = Int((metres / 100).rounded())
    return "\(tenths / 10).\(tenths % 10) km"
  }

  private static func capitalized(_ words: String) -> String {
    words.prefix(1).uppercased() + words.dropFirst()
  }

  private static func exit(_ maneuver: Maneuver, _ side: Side, _ onto: String) -> String {
    let number = maneuver.signpost?.exitNumber ?? ""
    let what = number.isEmpty ? "Take the exit" : "Take exit \(number)"
    let place = side == .ahead ? "" : " on the \(side.rawValue)"
    return sentence(what + place, onto, toward(maneuver))
  }

  static func words(_ grade: TurnGrade) -> String {
    switch grade {
    case .sharpLeft: "Turn sharp left"
    case .left: "Turn left"
    case .slightLeft: "Turn slightly left"
    case .straight: "Go straight on"
    case .slightRight: "Turn slightly right"
    case .right: "Turn right"
    case .sharpRight: "Turn sharp right"
    }
  }

  /// A road's name, or its first number; both for a numbered road with a name.
  static func road(_ road: RoadFacts) -> String {
    let first = RoadFacts.list(road.number).first ?? ""
    // A bare number cannot be recognized as a road.
    let number = !first.isEmpty && first.allSatisfy(\.isNumber) ? "road \(first)" : first
    if road.name.isEmpty { return number }
    return number.isEmpty || number == road.name ? road.name : "\(road.name) (\(number))"
  }

  /// The same, with the usual term of walkers or cyclists for an unnamed road.
  private static func road(_ facts: RoadFacts, _ mode: TravelMode) -> String {
    let word: String
    switch facts.pathKind(mode) {
    case nil: return road(facts)
    case .crossing: word = "crossing"
    case .steps: word = "steps"
    case .corridor: word = "corridor"
    case .cyclePath: word = "cycle path"
    case .path: word = "path"
    case .track: word = "track"
    }
    return "the \(word)"
  }

  private static func onto(_ maneuver: Maneuver, _ mode: TravelMode) -> String {
    let name = maneuver.signedRoad(road(maneuver.onto, mode))
    return (name.isEmpty ? "" : " onto \(name)") + push(maneuver, mode)
  }

  private static func push(_ maneuver: Maneuver, _ mode: TravelMode) -> String {
    maneuver.onto.isPushed(after: maneuver.from, mode) ? " and push your bicycle" : ""
  }

  private static func toward(_ maneuver: Maneuver) -> String {
    guard let sign = maneuver.signpost else { return "" }
    let places = sign.destinations.prefix(2).joined(separator: ", ")
    return places.isEmpty ? "" : " toward \(places)"
  }

  private static func sentence(_ parts: String...) -> String {
    // "Go straight onto", where "Go straight on onto" would say the same twice.
    let isOnto = parts[0] == words(.straight) && parts.count > 1 && parts[1].hasPrefix(" onto")
    return (isOnto ? "Go straight" + parts.dropFirst().joined() : parts.joined()) + "."
  }

  private static func compass(_ bearingDeg: Double) -> String {
    let words = [
      "north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest",
    ]
    return words[Int((bearingDeg / 45).rounded()) % 8]
  }

  static func ordinal(_ number: Int) -> String {
    let words = [
      "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth",
      "tenth",
    ]
    return (1...words.count).contains(number) ? words[number - 1] : "\(number)th"
  }
}

extension Maneuver {
  /// The road on the sign of an exit or ramp: its first number; for an exit, no text if the sign
  /// only has places.
  ///
  /// `name` is the next road that has a name; it is used if the sign does not decide.
  fileprivate func signedRoad(_ name: String) -> String {
    guard let signpost else { return name }
    switch action {
    case .exit:
      return signpost.roadNumbers.first ?? (signpost.destinations.isEmpty ? name : "")
    case .ramp: return signpost.roadNumbers.first ?? name
    default: return name
    }
  }
}
