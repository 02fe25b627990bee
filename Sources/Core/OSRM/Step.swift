import Geodesy
import RoadGraph
import Route

/// One step of a leg: a maneuver and the road up to the next one.
struct OSRMStep {
  var maneuver: Maneuver
  var type: String
  var modifier: String?
  var exit: Int?
  var rotaryName: String?
  /// The route's segments; empty for an arrival.
  var segments: Range<Int>
  /// Points of the route's shape, including the last one.
  var points: ClosedRange<Int>
  var durationS: Double
  var lengthM: Double
}

/// Splits a leg into OSRM's steps.
///
/// A roundabout is two of them: from the entry to the exit, and from the exit on.
struct OSRMSteps {
  let graph: RoadGraph
  let route: Route
  /// One for each segment of the route.
  let edges: [EdgeID]

  func steps(of section: RouteSection) -> [OSRMStep] {
    var steps: [OSRMStep] = []
    for index in section.maneuvers {
      let maneuver = route.maneuvers[index]
      let isLast = index + 1 == section.maneuvers.upperBound
      let next = isLast ? nil : route.maneuvers[index + 1]
      guard let next, maneuver.action != .arrive else {
        let end = section.lastShapeIndex
        steps.append(step(maneuver, segments: maneuver.segment..<maneuver.segment, end...end))
        continue
      }
      let upper = next.action == .arrive ? next.segment + 1 : next.segment
      let whole = maneuver.segment..<max(maneuver.segment, min(upper, edges.count))
      let end = max(maneuver.shapeIndex, next.shapeIndex)
      if let out = wayOut(maneuver, whole) {
        steps += ring(maneuver, whole, out: out, end: end)
      } else {
        steps.append(step(maneuver, segments: whole, maneuver.shapeIndex...end))
      }
    }
    return steps
  }

  private func step(
    _ maneuver: Maneuver, segments: Range<Int>, _ points: ClosedRange<Int>
  ) -> OSRMStep {
    OSRMStep(
      maneuver: maneuver, type: OSRMManeuverTerms.type(maneuver),
      modifier: OSRMManeuverTerms.modifier(maneuver),
      exit: nil, rotaryName: nil, segments: segments, points: points,
      durationS: route.segments[segments].reduce(0) { $0 + $1.durationS },
      lengthM: route.shapeOffsetsM[points.upperBound] - route.shapeOffsetsM[points.lowerBound])
  }

  /// The segment by which a roundabout is left; nil for other maneuvers, and if the route ends in
  /// it.
  private func wayOut(_ maneuver: Maneuver, _ segments: Range<Int>) -> Int? {
    guard case .roundabout(let exit) = maneuver.action, exit > 0 else { return nil }
    let out = segments.first {
      !graph.attributes(edges[$0]).flags.contains(.roundabout)
        && !graph.attributes(edges[$0]).flags.contains(.circular)
    }
    guard let out, out > segments.lowerBound else { return nil }
    return out
  }

  private func ring(
    _ maneuver: Maneuver, _ segments: Range<Int>, out: Int, end: Int
  ) -> [OSRMStep] {
    let middle = max(maneuver.shapeIndex, route.segments[out].shapeIndex)
    var first = step(
      maneuver, segments: segments.lowerBound..<out, maneuver.shapeIndex...middle)
    if case .roundabout(let exit) = maneuver.action { first.exit = exit }
    let name = graph.text(graph.attributes(edges[segments.lowerBound]).name)
    if !name.isEmpty {
      first.type = "rotary"
      first.rotaryName = name
    }
    first.maneuver.onto.name = name
    first.maneuver.onto.number = ""
    first.maneuver.signpost = nil
    first.maneuver.lanes = maneuver.lanes
    var second = step(maneuver, segments: out..<segments.upperBound, middle...max(middle, end))
    second.type = first.rotaryName == nil ? "exit roundabout" : "exit rotary"
    second.exit = first.exit
    second.maneuver.place = route.shape[middle]
    second.maneuver.lanes = []
    let before = graph.shape(edges[out - 1])
    second.maneuver.bearingBeforeDeg =
      before.count > 1
      ? before[before.count - 2].bearingDeg(to: before[before.count - 1]) : 0
    second.maneuver.segment = out
    return [first, second]
  }
}

/// OSRM's terms for a maneuver.
enum OSRMManeuverTerms {
  static func type(_ maneuver: Maneuver) -> String {
    let isSame = maneuver.from.name == maneuver.onto.name && !maneuver.from.name.isEmpty
    return switch maneuver.action {
    case .depart: "depart"
    case .arrive: "arrive"
    case .continueOn: maneuver.from.name == maneuver.onto.name ? "continue" : "new name"
    case .turn, .uTurn: isSame ? "continue" : "turn"
    case .fork: "fork"
    case .exit: "off ramp"
    case .ramp: "on ramp"
    case .merge: "merge"
    case .roundabout: "roundabout"
    case .ferry: "notification"
    }
  }

  static func modifier(_ maneuver: Maneuver) -> String? {
    switch maneuver.action {
    case .depart, .continueOn, .ferry: "straight"
    case .arrive: maneuver.side == .left ? "left" : maneuver.side == .right ? "right" : "straight"
    case .turn(let grade): word(grade)
    case .uTurn: "uturn"
    case .fork(let side), .exit(let side), .ramp(let side), .merge(let side): slight(side)
    case .roundabout: word(grade(of: maneuver))
    }
  }

  private static func grade(of maneuver: Maneuver) -> TurnGrade {
    let driven = maneuver.roundaboutAngleDeg ?? 180
    return TurnGrade.nearest(driven < 0 ? -180 - driven : 180 - driven)
  }

  private static func slight(_ side: Side) -> String {
    switch side {
    case .left: "slight left"
    case .right: "slight right"
    case .ahead: "straight"
    }
  }

  private static func word(_ grade: TurnGrade) -> String {
    String(grade.rawValue.map { $0 == "_" ? " " : $0 })
  }

  static func mode(_ road: RoadFacts, _ mode: TravelMode) -> String {
    if road.isFerry { return "ferry" }
    return switch mode {
    case .pedestrian: "walking"
    case .bicycle: "cycling"
    case .car, .truck, .bus, .taxi, .scooter: "driving"
    }
  }

  /// OSRM's term for the arrow of a lane in OSM notation.
  static func indication(_ word: String) -> String {
    switch word {
    case "through": "straight"
    case "reverse": "uturn"
    case "merge_to_left": "slight left"
    case "merge_to_right": "slight right"
    default: String(word.map { $0 == "_" ? " " : $0 })
    }
  }

  static func classes(_ flags: RoadFlags, _ roadClass: RoadClass) -> [String] {
    var all: [String] = []
    if flags.contains(.toll) { all.append("toll") }
    if flags.contains(.ferry) { all.append("ferry") }
    if roadClass == .motorway { all.append("motorway") }
    if flags.contains(.tunnel) { all.append("tunnel") }
    return all
  }
}

extension TurnGrade {
  /// The grade of a turn by its angle; right is positive.
  fileprivate static func nearest(_ angleDeg: Double) -> TurnGrade {
    switch Angle.signedDeg(angleDeg) {
    case ..<(-112.5): .sharpLeft
    case ..<(-67.5): .left
    case ..<(-22.5): .slightLeft
    case ..<22.5: .straight
    case ..<67.5: .slightRight
    case ..<112.5: .right
    default: .sharpRight
    }
  }
}
