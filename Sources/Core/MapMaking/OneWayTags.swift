import RoadGraph

/// In which directions a way may be driven.
struct OneWayTags: Hashable {
  enum Rule: Hashable {
    case both
    case forward
    case backward
    /// Changes with the time of day, which the tags do not tell.
    case reversible

    /// Whether a direction is the only one: what tags say without a direction is said of it.
    func isOneWay(_ direction: TravelDirection) -> Bool {
      self == .forward && direction == .forward || self == .backward && direction == .backward
    }
  }

  var general: Rule
  var bicycle: Rule
  var bus: Rule
  var taxi: Rule
  var pedestrian: Rule

  init(_ tags: OSMTags, kind: RoadKind) {
    general = Self.rule(tags["oneway"]) ?? Self.implied(tags, kind: kind)
    let psv = Self.rule(tags["oneway:psv"])
    bus = Self.rule(tags["oneway:bus"]) ?? psv ?? general
    if let busway = tags["busway"], busway.hasPrefix("opposite") { bus = .both }
    taxi = Self.rule(tags["oneway:taxi"]) ?? psv ?? general
    pedestrian = Self.rule(tags["oneway:foot"]) ?? .both
    bicycle = Self.rule(tags["oneway:bicycle"]) ?? general
    for key in ["cycleway", "cycleway:left", "cycleway:right", "cycleway:both"] {
      if let value = tags[key], value.hasPrefix("opposite") { bicycle = .both }
    }
    if tags["cycleway:left:oneway"] == "-1" || tags["cycleway:right:oneway"] == "-1" {
      bicycle = .both
    }
  }

  func allows(_ mode: TravelMode, _ direction: TravelDirection) -> Bool {
    let rule =
      switch mode {
      case .bicycle: bicycle
      case .bus: bus
      case .taxi: taxi
      case .pedestrian: pedestrian
      case .car, .truck, .scooter: general
      }
    return Self.allows(rule, direction)
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
    case "no", "false", "0", "alternating": .both
    case "reversible": .reversible
    default: nil
    }
  }
}
