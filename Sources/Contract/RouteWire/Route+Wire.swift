import Foundations
import Geodesy
public import Messages
import RoadGraph
public import Route

extension Route {
  /// Decodes the route of a message, and checks every index.
  ///
  /// - Throws: `RouteWireFault` for the first field that does not fit the others.
  public init(wire: WireRoute) throws(RouteWireFault) {
    let shape = try Self.shape(wire.shape)
    let segments = try Self.segments(wire.segments)
    let roads = wire.roads.map { RoadFacts(wire: $0) }
    var spans = try Self.spans(wire.spans, roads: roads, segmentCount: segments.count)
    if !wire.spanUntilNs.isEmpty {
      guard wire.spanUntilNs.count == spans.count else {
        throw RouteWireFault(
          field: "span_until_ns",
          message: "has \(wire.spanUntilNs.count) entries for \(spans.count) spans")
      }
      for (index, until) in wire.spanUntilNs.enumerated() where until > 0 {
        spans[index].until = Instant(nanoseconds: until)
      }
    }
    var maneuvers: [Maneuver] = []
    for maneuver in wire.maneuvers { maneuvers.append(try Maneuver(wire: maneuver)) }
    var sections: [RouteSection] = []
    for section in wire.sections {
      sections.append(
        try RouteSection(
          wire: section, spanCount: spans.count, maneuverCount: maneuvers.count,
          pointCount: shape.count))
    }
    var offRoad: Coordinate?
    if let latitude = wire.offRoadLatDeg, let longitude = wire.offRoadLonDeg {
      offRoad = Coordinate(latitudeDeg: latitude, longitudeDeg: longitude)
    }
    self.init(
      id: wire.id, handle: wire.handle, request: RouteRequest(wire: wire.request),
      waypoints: wire.waypoints.map { RouteWaypoint(wire: $0) }, shape: shape,
      shapeOffsetsM: Polyline(shape).offsetsM, segments: segments, sections: sections,
      spans: spans, maneuvers: maneuvers,
      durations: Durations(
        freeFlowS: wire.durationFreeFlowS, trafficS: wire.durationTrafficS,
        latestS: wire.durationLatestS),
      boundingBox: BoundingBox(
        southDeg: wire.southDeg, westDeg: wire.westDeg, northDeg: wire.northDeg,
        eastDeg: wire.eastDeg),
      computedAt: Instant(nanoseconds: wire.computedNs),
      violations: try Self.violations(wire.violations, spanCount: spans.count),
      trafficAgeS: wire.trafficAgeS, offRoadDestination: offRoad,
      addedStops: try AddedStop.all(wire.addedStops))
    assumedVehicle = wire.assumedVehicle.map { VehicleSize(wire: $0) }
    try checkIndices()
  }

  private static func shape(_ text: String) throws(RouteWireFault) -> [Coordinate] {
    let points: [Coordinate]
    do {
      points = try EncodedPolyline.decode(text)
    } catch {
      throw RouteWireFault(field: "shape", message: "not a polyline with six decimals: \(error)")
    }
    guard points.count >= 2 else {
      throw RouteWireFault(field: "shape", message: "has \(points.count) points, fewer than two")
    }
    return points
  }

  private static func violations(
    _ wire: [WireViolation], spanCount: Int
  ) throws(RouteWireFault) -> [Violation] {
    var all: [Violation] = []
    for violation in wire {
      guard let kind = Violation.Kind(rawValue: violation.kind.rawValue) else { continue }
      var spans: [Int] = []
      for span in violation.spans {
        spans.append(try IndexChecks.index(span, below: spanCount, "violations.spans"))
      }
      all.append(Violation(kind: kind, spans: spans))
    }
    return all
  }

  private func checkIndices() throws(RouteWireFault) {
    func check(_ field: String, _ values: [Int], _ limit: Int) throws(RouteWireFault) {
      for value in values {
        _ = try IndexChecks.index(Int64(value), below: limit, field)
      }
    }
    guard !segments.isEmpty, !sections.isEmpty, !maneuvers.isEmpty, waypoints.count >= 2 else {
      throw RouteWireFault(
        field: "sections", message: "a route needs waypoints, sections, segments and maneuvers")
    }
    try check("segments.shape_index", segments.map(\.shapeIndex), shape.count)
    try check("spans.first_shape_index", spans.map(\.firstShapeIndex), shape.count)
    try check("maneuvers.shape_index", maneuvers.map(\.shapeIndex), shape.count)
    try check("maneuvers.segment", maneuvers.map(\.segment), segments.count)
    try check("maneuvers.last_segment", maneuvers.map(\.lastSegment), segments.count)
    try check("maneuvers.passed_exits", maneuvers.flatMap(\.passedExits), segments.count)
    try check("maneuvers.section", maneuvers.map(\.section), sections.count)
    try check("added_stops.section", addedStops.map(\.section), sections.count)
    try check("added_stops.shape_index", addedStops.map(\.shapeIndex), shape.count)
    try check("waypoints.section", waypoints.map(\.section), sections.count)
    try check("waypoints.shape_index", waypoints.map(\.shapeIndex), shape.count)
    try check("sections.last_waypoint", sections.map(\.lastWaypoint), waypoints.count)
    try check("sections.first_waypoint", sections.map(\.firstWaypoint), waypoints.count)
  }
}
