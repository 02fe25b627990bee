import Foundations
import Geodesy
import RoadGraph
import Route
import Traffic

/// A route under construction.
struct RouteDraft {
  let metric: RoadMetric
  var geometry = RouteGeometry()
  var edges: [EdgeID] = []
  var times: [SegmentTime] = []
  var entryM: [Double] = []
  var startPoint: [Int] = []
  /// Index of the first segment, and of the last point, of each section.
  var firstSegment: [Int] = []
  var lastPoint: [Int] = []
  var maneuvers: [Maneuver] = []
  /// Milliseconds from the departure to the end of the added sections, including the rests before
  /// it.
  private var clockMS: UInt64 = 0

  init(metric: RoadMetric) { self.metric = metric }

  private var graph: RoadGraph { metric.network.graph }

  /// Adds a section that begins after a rest of the given seconds.
  mutating func add(
    _ plan: SectionPlan, section: Int, maneuvers new: [Maneuver], afterRestS restS: Double
  ) {
    clockMS += UInt64(Double.maximum(0, restS) * 1000)
    let graph = graph
    let first = edges.count
    firstSegment.append(first)
    times += metric.routeTimes(along: plan.path, after: edges.last, clockMS: &clockMS)
    for (index, edge) in plan.path.edges.enumerated() {
      let part = plan.path.part(index, graph)
      startPoint.append(geometry.add(graph, edge, fromM: part.fromM, toM: part.toM))
      entryM.append(part.fromM)
    }
    edges += plan.path.edges
    let start = startPoint[first]
    if geometry.points.count - 1 == start { geometry.stand() }
    lastPoint.append(geometry.points.count - 1)
    let known = maneuvers.count
    maneuvers += new
    for index in known..<maneuvers.count {
      let segment = min(first + maneuvers[index].segment, edges.count - 1)
      maneuvers[index].section = section
      maneuvers[index].segment = segment
      maneuvers[index].lastSegment = min(first + maneuvers[index].lastSegment, edges.count - 1)
      maneuvers[index].passedExits = maneuvers[index].passedExits.map { first + $0 }
      maneuvers[index].shapeIndex =
        maneuvers[index].action == .arrive ? geometry.points.count - 1 : startPoint[segment]
    }
  }

  mutating func finished(
    _ found: FoundPath, request: RouteRequest, id: String, handle: String?, computedAt: Instant,
    plans: [SectionPlan]
  ) -> Route {
    let offsetsM = Polyline(geometry.points).offsetsM
    let segments = segments(offsetsM)
    let spans = SpanCutter(
      metric: metric, edges: edges, times: times, segments: segments, offsetsM: offsetsM,
      language: request.language
    ).spans(cuts: cuts)
    time(segments, offsetsM)
    let sections = sections(plans, spans, offsetsM)
    let last = found.stops.count - 1
    let isOffRoad = found.stops[last].distanceM > metric.tuning.matchingRadiusM
    return Route(
      id: id, handle: handle, request: request,
      waypoints: waypoints(found, request, plans, sections, segments, offsetsM),
      shape: geometry.points, shapeOffsetsM: offsetsM, segments: segments, sections: sections,
      spans: spans, maneuvers: maneuvers,
      durations: times.map(\.durations).reduce(.zero, +),
      boundingBox: BoundingBox(around: geometry.points)
        ?? BoundingBox(southDeg: 0, westDeg: 0, northDeg: 0, eastDeg: 0),
      computedAt: computedAt,
      violations: ViolationFinder(
        metric: metric, edges: edges, entered: times.map(\.entered), spans: spans,
        sections: firstSegment
      )
      .violations(),
      trafficAgeS: metric.traffic?.ageS(at: computedAt),
      offRoadDestination: isOffRoad ? request.waypoints[last].entry : nil,
      addedStops: addedStops(segments, language: request.language))
  }

  /// Segments at which a span must begin: sections and maneuvers.
  private var cuts: Set<Int> {
    var cuts = Set(firstSegment)
    for index in maneuvers.indices where maneuvers[index].action != .arrive {
      cuts.insert(maneuvers[index].segment)
    }
    return cuts
  }

  private func segments(_ offsetsM: [Double]) -> [RouteSegment] {
    edges.indices.map { index in
      let end = index + 1 < edges.count ? startPoint[index + 1] : offsetsM.count - 1
      return RouteSegment(
        reference: graph.reference(edges[index]), startM: offsetsM[startPoint[index]],
        lengthM: offsetsM[end] - offsetsM[startPoint[index]], entryOffsetM: entryM[index],
        shapeIndex: startPoint[index], durationS: times[index].durations.trafficS)
    }
  }

  // Sets the positions of the maneuvers, and the distance and time from each to the next.
  private mutating func time(_ segments: [RouteSegment], _ offsetsM: [Double]) {
    for index in maneuvers.indices {
      let shapeIndex = maneuvers[index].shapeIndex
      maneuvers[index].offsetM = offsetsM[shapeIndex]
      maneuvers[index].place = geometry.points[shapeIndex]
      guard index + 1 < maneuvers.count, maneuvers[index].action != .arrive else { continue }
      let isNextArrival = maneuvers[index + 1].action == .arrive
      let start = maneuvers[index].segment
      let end = maneuvers[index + 1].segment + (isNextArrival ? 1 : 0)
      let durations = times[start..<max(end, start)].map(\.durations).reduce(.zero, +)
      maneuvers[index].lengthM =
        offsetsM[maneuvers[index + 1].shapeIndex] - offsetsM[shapeIndex]
      maneuvers[index].durations = durations
      maneuvers[index].durationS = durations.trafficS
    }
  }

  private func sections(
    _ plans: [SectionPlan], _ spans: [RouteSpan], _ offsetsM: [Double]
  ) -> [RouteSection] {
    plans.indices.map { index in
      let first = firstSegment[index]
      let end = index + 1 < firstSegment.count ? firstSegment[index + 1] : edges.count
      let ownSpans = spans.partition(from: first, to: end)
      let firstManeuver =
        maneuvers.indices.first { maneuvers[$0].section == index } ?? maneuvers.count
      let count = maneuvers.indices.count { maneuvers[$0].section == index }
      let startM = offsetsM[startPoint[first]]
      return RouteSection(
        firstWaypoint: plans[index].firstWaypoint, lastWaypoint: plans[index].lastWaypoint,
        startM: startM, lengthM: offsetsM[lastPoint[index]] - startM,
        durations: times[first..<end].map(\.durations).reduce(.zero, +),
        firstShapeIndex: startPoint[first], lastShapeIndex: lastPoint[index], spans: ownSpans,
        maneuvers: firstManeuver..<(firstManeuver + count))
    }
  }
}

extension [RouteSpan] {
  /// The spans of the segments `first ..< end`; spans never cross sections.
  fileprivate func partition(from first: Int, to end: Int) -> Range<Int> {
    let lower = firstIndex { $0.segments.lowerBound >= first } ?? count
    let upper = firstIndex { $0.segments.lowerBound >= end } ?? count
    return lower..<Swift.max(lower, upper)
  }
}
