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

  /// What a span may not change.
  private struct Look: Equatable {
    var road: RoadFacts
    var kind: SpeedKind
    var jam: Int
    var isClosed: Bool
  }

  func spans(cuts: Set<Int>) -> [RouteSpan] {
    var spans: [RouteSpan] = []
    var first = 0
    var current: Look?
    let kinds = metric.network.graph.columns.attributeIndex
    for index in edges.indices {
      // Edges of equal attributes have equal facts: most follow one of the same kind.
      let isSame = index > 0 && kinds[edges[index].index] == kinds[edges[index - 1].index]
      let next = look(edges[index], isSame ? current?.road : nil)
      if let known = current, known != next || cuts.contains(index) {
        spans.append(span(first..<index, known.road))
        first = index
      }
      current = next
    }
    if let current { spans.append(span(first..<edges.count, current.road)) }
    return spans
  }

  private func look(_ edge: EdgeID, _ known: RoadFacts?) -> Look {
    let jam = metric.jamFactor(edge)
    return Look(
      road: known ?? RoadFacts(metric.network.graph, edge, language: language),
      kind: metric.speedKind(edge),
      jam: Int(jam), isClosed: jam >= 10)
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
    for index in range { jam = Double.maximum(jam, metric.jamFactor(edges[index])) }
    let until = metric.until(edges[range])
    return RouteSpan(
      startM: first.startM, lengthM: lengthM, firstShapeIndex: first.shapeIndex, segments: range,
      durations: times[range].map(\.durations).reduce(.zero, +), road: road,
      baseSpeedMps: freeS > 0.5 ? lengthM / freeS : usualMps,
      trafficSpeedMps: latestS > 0.5 ? lengthM / latestS : usualMps,
      trafficKind: metric.speedKind(edges[range.lowerBound]), jamFactor: jam, until: until)
  }
}
