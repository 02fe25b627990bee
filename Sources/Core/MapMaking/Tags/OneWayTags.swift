import RoadGraph

/// The directions in which a way may be driven, by mode.
///
/// The most specific key of a mode decides: `oneway:hgv` before `oneway:motor_vehicle` before
/// `oneway:vehicle` before `oneway`. https://wiki.openstreetmap.org/wiki/Key:oneway
struct OneWayTags: Hashable {
  enum Rule: Hashable {
    case both
    case forward
    case backward
    /// Changes with the time of day, which the tags do not contain.
    case reversible

    /// Whether a direction is the only one, so that tags without a direction refer to it.
    func isOneWay(_ direction: TravelDirection) -> Bool {
      self == .forward && direction == .forward || self == .backward && direction == .backward
    }
  }

  /// The rule for cars.
  var general: Rule { rules[Int(TravelMode.car.rawValue)] }
  /// Indexed by the raw value of the mode.
  private var rules: [Rule]

  init(_ tags: OSMTags, kind: RoadKind) {
    let implied = Self.implied(tags, kind: kind)
    if tags.pairs.contains(where: { $0.key.hasPrefix("oneway:") }) {
      rules = TravelMode.allCases.map { mode in
        Self.keys(mode).reversed().lazy.compactMap { Self.rule(tags[$0]) }.first
          ?? (mode == .pedestrian ? .both : implied)
      }
    } else {
      let general = Self.rule(tags["oneway"]) ?? implied
      rules = TravelMode.allCases.map { $0 == .pedestrian ? .both : general }
    }
    if Self.hasContraflow(buses: tags) { self[.bus] = .both }
    if Self.hasContraflow(bicycles: tags) { self[.bicycle] = .both }
    if let moving = Self.conveying(tags) {
      self[.pedestrian] = moving
      self[.bicycle] = moving
    }
  }

  /// The rules of a road that every mode may use in both directions.
  static let none = OneWayTags()

  private init() { rules = TravelMode.allCases.map { _ in .both } }

  private subscript(mode: TravelMode) -> Rule {
    get { rules[Int(mode.rawValue)] }
    set { rules[Int(mode.rawValue)] = newValue }
  }

  /// The keys that concern a mode, the most general first.
  static func keys(_ mode: TravelMode) -> [String] { keysByMode[Int(mode.rawValue)] }

  // `oneway` alone does not concern people on foot.
  private static let keysByMode = TravelMode.allCases.map { mode in
    if mode == .pedestrian { return ["oneway:foot"] }
    return ["oneway"] + AccessTags.keys(mode).dropFirst().map { "oneway:\($0)" }
  }

  func allows(_ mode: TravelMode, _ direction: TravelDirection) -> Bool {
    Self.allows(self[mode], direction)
  }

  static func allows(_ rule: Rule, _ direction: TravelDirection) -> Bool {
    switch rule {
    case .both: true
    case .forward: direction == .forward
    case .backward: direction == .backward
    case .reversible: false
    }
  }

  private static func implied(_ tags: OSMTags, kind: RoadKind) -> Rule {
    if tags["junction"] == "roundabout" || tags["junction"] == "circular" { return .forward }
    return kind.roadClass == .motorway && !kind.isLink ? .forward : .both
  }

  static func rule(_ value: String?) -> Rule? {
    switch value {
    case "yes", "true", "1": .forward
    case "-1", "reverse": .backward
    case "no", "false", "0", "alternating", "alternate": .both
    case "reversible": .reversible
    default: nil
    }
  }

  /// Whether bicycles may go both ways on a track or lane at the side of the road.
  private static func hasContraflow(bicycles tags: OSMTags) -> Bool {
    for key in ["cycleway", "cycleway:left", "cycleway:right", "cycleway:both"] {
      let value = tags[key]
      if let value, value.hasPrefix("opposite") { return true }
      // A side that is mapped as a separate way provides no information about this one.
      if let value, ["no", "none", "separate"].contains(value) { continue }
      switch tags[key + ":oneway"] {
      case "no", "-1", "reverse", "false", "0": return true
      default: break
      }
    }
    return false
  }

  private static func hasContraflow(buses tags: OSMTags) -> Bool {
    for key in ["busway", "busway:left", "busway:right", "busway:both"] {
      if let value = tags[key], value.hasPrefix("opposite") { return true }
    }
    let isOneWay = rule(tags["oneway"]) == .forward
    return isOneWay
      && ["lanes:psv:backward", "lanes:bus:backward"].contains {
        tags[$0].flatMap { Int($0) } ?? 0 > 0
      }
  }

  /// The direction of an escalator or a moving walkway; nil for ways that do not move.
  private static func conveying(_ tags: OSMTags) -> Rule? {
    switch tags["conveying"] {
    case "forward": .forward
    case "backward": .backward
    case "yes": rule(tags["oneway"])
    case "reversible": .both
    default: nil
    }
  }
}
