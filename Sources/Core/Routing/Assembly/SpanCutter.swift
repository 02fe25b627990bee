import RoadGraph
import Route
import Traffic

/// Cuts a route into spans on which attributes stay the same.
struct SpanCutter {
  let metric: RoadMetric
  let edges: [EdgeID]
  let times: [SegmentTime]
  let segments: [RouteSegment]
  let offsetsM: [Double]
  let language: String

  /// Values that must not change within a span, in addition to the road.
  private struct Flow: Equatable {
    var kind: SpeedKind
    var jam: Int
    var isClosed: Bool
  }

  func spans(cuts: Set<Int>) -> [RouteSpan] {
    guard let start = edges.first else { return [] }
    let graph = metric.network.graph
    let kinds = graph.columns.attributeIndex
    var spans: [RouteSpan] = []
    var first = 0
    var road = RoadFacts(graph, start, language: language)
    var flow = flow(0)
    for index in edges.indices.dropFirst() {
      let edge = edges[index]
      let here = self.flow(index)
      // Edges with equal attributes have equal facts, and most follow one of the same kind.
      let other =
        kinds[edge.index] == kinds[edges[index - 1].index]
        ? nil : RoadFacts(graph, edge, language: language)
      let isOther = other.map { $0 != road } ?? false
      if isOther || here != flow || cuts.contains(index) {
        spans.append(span(first..<index, road))
        first = index
      }
      if isOther, let other { road = other }
      flow = here
    }
    spans.append(span(first..<edges.count, road))
    return spans
  }

  private func flow(_ index: Int) -> Flow {
    let (edge, entered) = (edges[index], times[index].entered)
    let jam = metric.jamFactor(edge, at: entered)
    return Flow(kind: metric.speedKind(edge, at: entered), jam: Int(jam), isClosed: jam >= 10)
  }

  private func span(_ range: Range<Int>, _ road: RoadFacts) -> RouteSpan {
    let first = segments[range.lowerBound]
    let last = segments[range.upperBound - 1]
    let lengthM = last.startM + last.lengthM - first.startM
    let freeS = times[range].reduce(0) { $0 + $1.freeFlowS }
    let latestS = times[range].reduce(0) { $0 + $1.latestS }
    let whole = metric.network.graph.attributes(edges[range.lowerBound])
    let usualMps = whole.freeFlowMps(metric.key.mode)
    var jam = 0.0
    for index in range {
      jam = Double.maximum(jam, metric.jamFactor(edges[index], at: times[index].entered))
    }
    let until = metric.until(edges[range], at: times[range].map(\.entered))
    return RouteSpan(
      startM: first.startM, lengthM: lengthM, firstShapeIndex: first.shapeIndex, segments: range,
      durations: times[range].map(\.durations).reduce(.zero, +), road: road,
      baseSpeedMps: freeS > 0.5 ? lengthM / freeS : usualMps,
      trafficSpeedMps: latestS > 0.5 ? lengthM / latestS : usualMps,
      trafficKind: metric.speedKind(
        edges[range.lowerBound], at: times[range.lowerBound].entered), jamFactor: jam, until: until)
  }
}
