import Geodesy
import Maneuvers
import RoadGraph
import Route

/// A route in the form of OSRM's route service.
struct OSRMRoute {
  let route: Route
  let geometry: OSRMGeometry

  var json: JSONTree {
    .object([
      ("geometry", RouteJSON.line(route.shape, geometry)),
      ("legs", .array(route.sections.map(leg))),
      ("distance", .number(RouteJSON.rounded(route.lengthM))),
      ("duration", .number(RouteJSON.rounded(route.durations.trafficS))),
      ("weight_name", .string("duration")),
      ("weight", .number(RouteJSON.rounded(route.durations.trafficS))),
    ])
  }

  private func leg(_ section: RouteSection) -> JSONTree {
    .object([
      ("steps", .array(section.maneuvers.map { step($0, section) })),
      ("summary", .string(summary(section))),
      ("distance", .number(RouteJSON.rounded(section.lengthM))),
      ("duration", .number(RouteJSON.rounded(section.durations.trafficS))),
      ("weight", .number(RouteJSON.rounded(section.durations.trafficS))),
    ])
  }

  // The names of the two longest roads, in driving order.
  private func summary(_ section: RouteSection) -> String {
    var metres: [String: Double] = [:]
    for span in route.spans[section.spans] where !span.road.name.isEmpty {
      metres[span.road.name, default: 0] += span.lengthM
    }
    let longest = Set(
      metres.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(2).map(\.key))
    var names: [String] = []
    for span in route.spans[section.spans]
    where longest.contains(span.road.name) && !names.contains(span.road.name) {
      names.append(span.road.name)
    }
    return names.joined(separator: ", ")
  }

  private func step(_ index: Int, _ section: RouteSection) -> JSONTree {
    let maneuver = route.maneuvers[index]
    let isLast = maneuver.action == .arrive
    let end = isLast ? maneuver.shapeIndex : route.maneuvers[index + 1].shapeIndex
    var points = Array(route.shape[maneuver.shapeIndex...max(end, maneuver.shapeIndex)])
    if points.count == 1, let point = points.first { points.append(point) }
    var fields: [(String, JSONTree)] = [
      ("geometry", RouteJSON.line(points, geometry)), ("maneuver", self.maneuver(maneuver)),
      ("mode", .string(mode(maneuver))), ("driving_side", .string(drivingSide(maneuver))),
      ("name", .string(maneuver.onto.name)),
      ("intersections", .array(intersections(maneuver, until: end))),
      ("distance", .number(RouteJSON.rounded(maneuver.lengthM))),
      ("duration", .number(RouteJSON.rounded(maneuver.durationS))),
      ("weight", .number(RouteJSON.rounded(maneuver.durationS))),
    ]
    if !maneuver.onto.number.isEmpty { fields.append(("ref", .string(maneuver.onto.number))) }
    if let sign = maneuver.signpost {
      let parts = [sign.roadNumbers, sign.destinations].filter { !$0.isEmpty }
      if !parts.isEmpty {
        let text = parts.map { $0.joined(separator: ", ") }.joined(separator: ": ")
        fields.append(("destinations", .string(text)))
      }
      if !sign.exitNumber.isEmpty { fields.append(("exits", .string(sign.exitNumber))) }
    }
    return .object(fields)
  }

  private func maneuver(_ maneuver: Maneuver) -> JSONTree {
    let isFirst = maneuver.action == .depart
    let isLast = maneuver.action == .arrive
    var fields: [(String, JSONTree)] = [
      ("bearing_before", bearing(isFirst ? 0 : maneuver.bearingBeforeDeg)),
      ("bearing_after", bearing(isLast ? 0 : maneuver.bearingAfterDeg)),
      ("location", RouteJSON.place(maneuver.place)), ("type", .string(maneuver.osrmType)),
    ]
    if let modifier = maneuver.osrmModifier { fields.append(("modifier", .string(modifier))) }
    if case .roundabout(let exit) = maneuver.action, exit > 0 {
      fields.append(("exit", .number(Double(exit))))
    }
    return .object(fields)
  }

  /// The maneuver's position, and the later positions at which road segments meet.
  private func intersections(_ maneuver: Maneuver, until end: Int) -> [JSONTree] {
    var all = [
      crossing(maneuver.place, maneuver.bearingBeforeDeg, maneuver.bearingAfterDeg, maneuver)
    ]
    guard maneuver.action != .arrive else { return all }
    for segment in route.segments[(maneuver.segment + 1)...] {
      guard segment.shapeIndex < end else { break }
      guard segment.shapeIndex > 0, segment.shapeIndex + 1 < route.shape.count else { continue }
      let here = route.shape[segment.shapeIndex]
      let before = route.shape[segment.shapeIndex - 1].bearingDeg(to: here)
      let after = here.bearingDeg(to: route.shape[segment.shapeIndex + 1])
      all.append(crossing(here, before, after, nil))
    }
    return all
  }

  private func crossing(
    _ place: Coordinate, _ before: Double, _ after: Double, _ maneuver: Maneuver?
  ) -> JSONTree {
    let back = Angle.normalizedDeg(before + 180)
    var fields: [(String, JSONTree)] = [("location", RouteJSON.place(place))]
    switch maneuver?.action {
    case .depart:
      fields += [
        ("bearings", .array([bearing(after)])), ("entry", .array([.bool(true)])),
        ("out", .number(0)),
      ]
    case .arrive:
      fields += [
        ("bearings", .array([bearing(back)])), ("entry", .array([.bool(true)])),
        ("in", .number(0)),
      ]
    default:
      fields += [
        ("bearings", .array([bearing(back), bearing(after)])),
        ("entry", .array([.bool(false), .bool(true)])), ("in", .number(0)), ("out", .number(1)),
      ]
    }
    let lanes = maneuver?.lanes ?? []
    if !lanes.isEmpty { fields.append(("lanes", .array(lanes.map(lane)))) }
    return .object(fields)
  }

  private func lane(_ lane: Lane) -> JSONTree {
    let words = lane.directions.isEmpty ? ["none"] : lane.directions.map(Self.indication)
    return .object([
      ("valid", .bool(lane.recommendation != .notRecommended)),
      ("indications", .array(words.map { .string($0) })),
    ])
  }

  private static func indication(_ word: String) -> String {
    switch word {
    case "through": "straight"
    case "reverse": "uturn"
    case "merge_to_left": "slight left"
    case "merge_to_right": "slight right"
    default: String(word.map { $0 == "_" ? " " : $0 })
    }
  }

  private func bearing(_ degrees: Double) -> JSONTree {
    .number(Double(Int(degrees.rounded()) % 360))
  }

  private func mode(_ maneuver: Maneuver) -> String {
    if maneuver.onto.isFerry { return "ferry" }
    switch route.request.mode {
    case .pedestrian: return "walking"
    case .bicycle: return "cycling"
    case .car, .truck, .bus, .taxi, .scooter: return "driving"
    }
  }

  private func drivingSide(_ maneuver: Maneuver) -> String {
    maneuver.onto.isLeftHand ? "left" : "right"
  }
}
