import Documents
public import Geodesy
public import RoadGraph
public import Route

/// A place snapped to the road.
public struct OSRMWaypoint: Hashable, Sendable {
  public var position: RoadPosition
  public var coordinate: Coordinate
  /// Distance between the given place and the road in metres.
  public var distanceM: Double

  public init(position: RoadPosition, coordinate: Coordinate, distanceM: Double) {
    self.position = position
    self.coordinate = coordinate
    self.distanceM = distanceM
  }
}

/// A route with the edges that it uses.
public struct OSRMRoute: Sendable {
  public var route: Route
  /// One for each segment of the route.
  public var edges: [EdgeID]
  /// For a matched trace, the share of this path in the total probability, 0 to 1.
  public var confidence: Double?

  public init(route: Route, edges: [EdgeID], confidence: Double? = nil) {
    self.route = route
    self.edges = edges
    self.confidence = confidence
  }
}

/// A matched part of a trace, of which only the line and the legs are known.
public struct OSRMMatching: Sendable {
  /// The part between two points of the trace.
  public struct Leg: Hashable, Sendable {
    public var lengthM: Double
    public var durationS: Double

    public init(lengthM: Double, durationS: Double) {
      self.lengthM = lengthM
      self.durationS = durationS
    }
  }

  public var shape: [Coordinate]
  public var legs: [Leg]
  public var lengthM: Double
  /// Probability of this path, 0 to 1.
  public var confidence: Double

  public init(shape: [Coordinate], legs: [Leg], lengthM: Double, confidence: Double) {
    self.shape = shape
    self.legs = legs
    self.lengthM = lengthM
    self.confidence = confidence
  }
}

/// Writes routes and waypoints in OSRM's format.
struct OSRMWriter {
  let graph: RoadGraph
  let query: OSRMRequest

  func waypoint(
    _ json: inout JSONText, _ waypoint: OSRMWaypoint, more: (inout JSONText) -> Void = { _ in }
  ) {
    json.object { json in
      if query.givesHints {
        json.field(
          "hint", OSRMHint(mapHash: graph.hash, position: waypoint.position).text)
      }
      json.key("location")
      json.place(waypoint.coordinate)
      json.field("name", graph.text(graph.attributes(waypoint.position.edge).name))
      json.field("distance", waypoint.distanceM, decimals: 6)
      more(&json)
    }
  }

  func route(_ json: inout JSONText, _ one: OSRMRoute) {
    let route = one.route
    self.route(
      &json, route.shape, confidence: one.confidence, durationS: route.durations.trafficS,
      lengthM: route.lengthM
    ) { $0.list("legs", route.sections) { leg(&$0, $1, one) } }
  }

  func matching(_ json: inout JSONText, _ one: OSRMMatching) {
    let durationS = one.legs.reduce(0) { $0 + $1.durationS }
    route(
      &json, one.shape, confidence: one.confidence, durationS: durationS, lengthM: one.lengthM
    ) { json in
      json.list("legs", one.legs) { json, leg in
        json.object { json in
          json.array("steps") { _ in }
          json.field("summary", "")
          weigh(&json, durationS: leg.durationS, lengthM: leg.lengthM)
        }
      }
    }
  }

  private func route(
    _ json: inout JSONText, _ shape: [Coordinate], confidence: Double?, durationS: Double,
    lengthM: Double, legs: (inout JSONText) -> Void
  ) {
    json.object { json in
      if let confidence { json.field("confidence", confidence, decimals: 6) }
      switch query.format.overview {
      case .none: break
      case .full: json.line("geometry", shape, query.format.geometry)
      case .simplified:
        json.line("geometry", OSRMOverviewLine(shape).thinned, query.format.geometry)
      }
      legs(&json)
      json.field("weight_name", "duration")
      weigh(&json, durationS: durationS, lengthM: lengthM)
    }
  }

  private func weigh(_ json: inout JSONText, durationS: Double, lengthM: Double) {
    json.field("weight", durationS)
    json.field("duration", durationS)
    json.field("distance", lengthM)
  }

  private func leg(_ json: inout JSONText, _ section: RouteSection, _ one: OSRMRoute) {
    json.object { json in
      if !query.format.annotations.isEmpty {
        OSRMAnnotations(route: one.route, section: section, graph: graph, edges: one.edges)
          .write(&json, query.format.annotations)
      }
      if query.format.steps {
        let cutter = OSRMSteps(graph: graph, route: one.route, edges: one.edges)
        json.list("steps", cutter.steps(of: section)) { step(&$0, $1, one) }
      } else {
        json.array("steps") { _ in }
      }
      json.field("summary", query.format.steps ? summary(section, one.route) : "")
      weigh(&json, durationS: section.durations.trafficS, lengthM: section.lengthM)
    }
  }

  // The names of the two longest roads, in driving order.
  private func summary(_ section: RouteSection, _ route: Route) -> String {
    var metres: [String: Double] = [:]
    var order: [String] = []
    for span in route.spans[section.spans] {
      let name = span.road.name.isEmpty ? span.road.number : span.road.name
      guard !name.isEmpty else { continue }
      if metres[name] == nil { order.append(name) }
      metres[name, default: 0] += span.lengthM
    }
    let longest = Set(order.sorted { (metres[$0] ?? 0) > (metres[$1] ?? 0) }.prefix(2))
    return order.filter { longest.contains($0) }.joined(separator: ", ")
  }

  // MARK: Steps

  private func step(_ json: inout JSONText, _ step: OSRMStep, _ one: OSRMRoute) {
    let maneuver = step.maneuver
    json.object { json in
      var points = Array(one.route.shape[step.points])
      if points.count == 1 { points.append(points[0]) }
      json.line("geometry", points, query.format.geometry)
      json.object("maneuver") { self.maneuver(&$0, step) }
      json.field("mode", OSRMTerms.mode(maneuver.onto, query.mode))
      json.field("driving_side", maneuver.onto.isLeftHand ? "left" : "right")
      json.field("name", maneuver.onto.name)
      if !maneuver.onto.number.isEmpty { json.field("ref", maneuver.onto.number) }
      if let sign = maneuver.signpost { self.sign(&json, sign) }
      if let name = step.rotaryName { json.field("rotary_name", name) }
      json.array("intersections") { intersections(&$0, step, one) }
      weigh(&json, durationS: step.durationS, lengthM: step.lengthM)
    }
  }

  private func sign(_ json: inout JSONText, _ sign: Signpost) {
    let parts = [sign.roadNumbers, sign.destinations].filter { !$0.isEmpty }
    let text = parts.map { $0.joined(separator: ", ") }.joined(separator: ": ")
    if !text.isEmpty { json.field("destinations", text) }
    if !sign.exitNumber.isEmpty { json.field("exits", sign.exitNumber) }
  }

  private func maneuver(_ json: inout JSONText, _ step: OSRMStep) {
    let maneuver = step.maneuver
    let isFirst = maneuver.action == .depart
    let isLast = maneuver.action == .arrive
    json.field("type", step.type)
    if let modifier = step.modifier { json.field("modifier", modifier) }
    json.field("bearing_before", isFirst ? 0 : OSRMIntersection.whole(maneuver.bearingBeforeDeg))
    json.field("bearing_after", isLast ? 0 : OSRMIntersection.whole(maneuver.bearingAfterDeg))
    json.key("location")
    json.place(maneuver.place)
    if let exit = step.exit { json.field("exit", exit) }
  }

  // MARK: Intersections

  private func intersections(_ json: inout JSONText, _ step: OSRMStep, _ one: OSRMRoute) {
    let maneuver = step.maneuver
    switch maneuver.action {
    case .depart: end(&json, maneuver, bearing: maneuver.bearingAfterDeg, isOut: true, one)
    case .arrive:
      end(&json, maneuver, bearing: maneuver.bearingBeforeDeg + 180, isOut: false, one)
      return
    default:
      if let first = step.segments.first, first > 0 {
        crossing(
          &json, OSRMIntersection(graph, query.mode, after: one.edges[first - 1]), first, one,
          lanes: maneuver.lanes)
      }
    }
    for segment in step.segments.dropFirst() {
      let crossing = OSRMIntersection(graph, query.mode, after: one.edges[segment - 1])
      if crossing.isJunction { self.crossing(&json, crossing, segment, one, lanes: []) }
    }
  }

  // At the start or end of a leg only one road is listed, whatever meets there.
  private func end(
    _ json: inout JSONText, _ maneuver: Maneuver, bearing: Double, isOut: Bool, _ one: OSRMRoute
  ) {
    json.object { json in
      json.key("location")
      json.place(maneuver.place)
      json.array("bearings") { $0.number(OSRMIntersection.whole(Angle.normalizedDeg(bearing))) }
      json.array("entry") { $0.bool(true) }
      json.field(isOut ? "out" : "in", 0)
      if isOut { classes(&json, one.edges[maneuver.segment]) }
    }
  }

  private func crossing(
    _ json: inout JSONText, _ crossing: OSRMIntersection, _ segment: Int, _ one: OSRMRoute,
    lanes: [Lane]
  ) {
    json.object { json in
      json.key("location")
      json.place(graph.coordinate(graph.tail(one.edges[segment])))
      json.list("bearings", crossing.arms) { $0.number($1.bearingDeg) }
      let out = crossing.index(leaving: one.edges[segment])
      json.list("entry", crossing.arms.indices) { $0.bool(crossing.arms[$1].isOpen || $1 == out) }
      if let index = crossing.index(entering: one.edges[segment - 1]) { json.field("in", index) }
      if let out { json.field("out", out) }
      classes(&json, one.edges[segment])
      if !lanes.isEmpty { json.list("lanes", lanes) { lane(&$0, $1) } }
    }
  }

  private func classes(_ json: inout JSONText, _ edge: EdgeID) {
    let road = graph.attributes(edge)
    let words = OSRMTerms.classes(road.flags, road.roadClass)
    if !words.isEmpty { json.list("classes", words) { $0.string($1) } }
  }

  private func lane(_ json: inout JSONText, _ lane: Lane) {
    json.object { json in
      json.list("indications", lane.directions.isEmpty ? ["none"] : lane.directions) {
        $0.string(OSRMTerms.indication($1))
      }
      json.field("valid", lane.recommendation != .notRecommended)
    }
  }
}
