import EventTime
import Geodesy
import RoadGraph
import Route
import Traffic

/// A route in the making.
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

  init(metric: RoadMetric) { self.metric = metric }

  private var graph: RoadGraph { metric.network.graph }

  mutating func add(_ plan: SectionPlan, section: Int, maneuvers new: [Maneuver]) {
    let graph = graph
    let first = edges.count
    firstSegment.append(first)
    times += metric.times(along: plan.path, after: edges.last)
    for (index, edge) in plan.path.edges.enumerated() {
      let part = plan.path.part(index, graph)
      startPoint.append(geometry.add(graph, edge, fromM: part.fromM, toM: part.toM))
      entryM.append(part.fromM)
    }
    edges += plan.path.edges
    let start = startPoint[first]
    if geometry.points.count - 1 == start { geometry.stand() }
    lastPoint.append(geometry.points.count - 1)
    maneuvers.reserveCapacity(maneuvers.count + new.count)
    for var maneuver in new {
      maneuver.section = section
      maneuver.segment = min(first + maneuver.segment, edges.count - 1)
      maneuver.lastSegment = min(first + maneuver.lastSegment, edges.count - 1)
      maneuver.shapeIndex =
        maneuver.action == .arrive ? geometry.points.count - 1 : startPoint[maneuver.segment]
      maneuvers.append(maneuver)
    }
  }

  func finished(
    _ found: FoundPath, request: RouteRequest, id: String, handle: String?, computedAt: Instant,
    plans: [SectionPlan]
  ) -> Route {
    let offsetsM = Polyline(geometry.points).offsetsM
    let segments = segments(offsetsM)
    let spans = SpanCutter(
      metric: metric, edges: edges, times: times, segments: segments, offsetsM: offsetsM,
      language: request.language
    ).spans(cuts: cuts)
    let timed = timedManeuvers(segments, offsetsM)
    let sections = sections(plans, spans, timed, offsetsM)
    let last = found.stops.count - 1
    let isOffRoad = found.stops[last].distanceM > metric.tuning.matchingRadiusM
    return Route(
      id: id, handle: handle, request: request,
      waypoints: waypoints(found, request, plans, sections, segments, offsetsM),
      shape: geometry.points, shapeOffsetsM: offsetsM, segments: segments, sections: sections,
      spans: spans, maneuvers: timed,
      durations: times.map(\.durations).reduce(.zero, +),
      boundingBox: BoundingBox(around: geometry.points)
        ?? BoundingBox(southDeg: 0, westDeg: 0, northDeg: 0, eastDeg: 0),
      computedAt: computedAt,
      violations: ViolationFinder(
        metric: metric, edges: edges, spans: spans, sections: firstSegment
      )
      .violations(),
      trafficAgeS: metric.traffic?.ageS(at: computedAt),
      offRoadDestination: isOffRoad ? request.waypoints[last].entry : nil,
      addedStops: addedStops(segments, language: request.language))
  }

  /// Segments at which a span must begin: sections and maneuvers.
  private var cuts: Set<Int> {
    Set(firstSegment + maneuvers.filter { $0.action != .arrive }.map(\.segment))
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

  private func timedManeuvers(_ segments: [RouteSegment], _ offsetsM: [Double]) -> [Maneuver] {
    var timed = maneuvers
    for index in timed.indices {
      timed[index].offsetM = offsetsM[timed[index].shapeIndex]
      timed[index].place = geometry.points[timed[index].shapeIndex]
      guard index + 1 < timed.count, timed[index].action != .arrive else { continue }
      let isNextArrival = timed[index + 1].action == .arrive
      let end = timed[index + 1].segment + (isNextArrival ? 1 : 0)
      let durations = times[timed[index].segment..<max(end, timed[index].segment)]
        .map(\.durations).reduce(.zero, +)
      timed[index].lengthM =
        offsetsM[timed[index + 1].shapeIndex] - offsetsM[timed[index].shapeIndex]
      timed[index].durations = durations
      timed[index].durationS = durations.trafficS
    }
    return timed
  }

  private func sections(
    _ plans: [SectionPlan], _ spans: [RouteSpan], _ maneuvers: [Maneuver], _ offsetsM: [Double]
  ) -> [RouteSection] {
    plans.indices.map { index in
      let first = firstSegment[index]
      let end = index + 1 < firstSegment.count ? firstSegment[index + 1] : edges.count
      let ownSpans = spans.partition(from: first, to: end)
      let firstManeuver = maneuvers.firstIndex { $0.section == index } ?? maneuvers.count
      let count = maneuvers.count { $0.section == index }
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
