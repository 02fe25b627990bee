import Documents
import Geodesy
import RoadGraph
import Route

/// Annotations for each piece of a leg's line.
///
/// One value for each pair of neighbouring points; `nodes` contains the ids that the map stores:
/// those of the graph's nodes, which are the ends of pieces.
struct OSRMAnnotations {
  let route: Route
  let section: RouteSection
  let graph: RoadGraph
  let edges: [EdgeID]

  /// A piece of the line: metres, seconds, and whether its speed is from live traffic.
  private struct Piece {
    var lengthM: Double
    var durationS: Double
    var source: Int
  }

  func write(_ json: inout JSONText, _ wanted: Set<OSRMAnnotation>) {
    let pieces = pieces
    json.object("annotation") { json in
      if wanted.contains(.distance) {
        json.list("distance", pieces) { $0.number($1.lengthM, decimals: 6) }
      }
      if wanted.contains(.duration) {
        json.list("duration", pieces) { $0.number($1.durationS) }
      }
      if wanted.contains(.weight) { json.list("weight", pieces) { $0.number($1.durationS) } }
      if wanted.contains(.speed) {
        json.list("speed", pieces) {
          $0.number($1.durationS > 0 ? $1.lengthM / $1.durationS : 0)
        }
      }
      if wanted.contains(.datasources) {
        json.list("datasources", pieces) { $0.number($1.source) }
        json.object("metadata") { json in
          json.list("datasource_names", ["map", "traffic"]) { $0.string($1) }
        }
      }
      if wanted.contains(.nodes) { json.list("nodes", nodes) { $0.number(Int($1)) } }
    }
  }

  private var segments: Range<Int> {
    guard let first = route.spans[section.spans].first, let last = route.spans[section.spans].last
    else { return 0..<0 }
    return first.segments.lowerBound..<last.segments.upperBound
  }

  private var pieces: [Piece] {
    var pieces: [Piece] = []
    for span in route.spans[section.spans] {
      let source = span.trafficKind == .live || span.trafficKind == .predicted ? 1 : 0
      for index in span.segments {
        let segment = route.segments[index]
        let isLast = index + 1 >= segments.upperBound
        let end = isLast ? section.lastShapeIndex : route.segments[index + 1].shapeIndex
        let lengthM = route.shapeOffsetsM[end] - route.shapeOffsetsM[segment.shapeIndex]
        for point in segment.shapeIndex..<max(segment.shapeIndex, end) {
          let partM = route.shapeOffsetsM[point + 1] - route.shapeOffsetsM[point]
          let share = lengthM > 0 ? partM / lengthM : 1 / Double(end - segment.shapeIndex)
          pieces.append(
            Piece(lengthM: partM, durationS: segment.durationS * share, source: source))
        }
      }
    }
    return pieces
  }

  private var nodes: [Int64] {
    guard let first = segments.first else { return [] }
    return [route.segments[first].reference.from] + route.segments[segments].map(\.reference.to)
  }
}
