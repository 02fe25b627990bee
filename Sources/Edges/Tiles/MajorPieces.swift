import BaseMap
import Geodesy
import RoadGraph

/// The segments that are visible below zoom 12, where a tile covers much of the map, with their
/// boxes.
struct MajorPieces: Sendable {
  private struct Entry {
    var piece: UInt32
    var box: BaseMapBox
  }

  /// By the first zoom of the segments, then by segment.
  private var entries: [Entry] = []
  /// For each zoom below 12 the number of entries that are visible at it.
  private var counts: [Int] = []

  /// Linear in the segments of the graph.
  init(_ graph: RoadGraph) {
    var byZoom = [[Entry]](repeating: [], count: 12)
    for piece in 0..<graph.pieceCount {
      let edge = graph.columns.pieceEdge[piece]
      let attributes = graph.attributes(edge)
      let zoom = TileRules.firstZoom(
        of: attributes.roadClass, isLink: attributes.flags.contains(.link))
      guard zoom < byZoom.count, let box = Self.box(of: edge, in: graph) else { continue }
      byZoom[zoom].append(Entry(piece: UInt32(piece), box: BaseMapBox(box)))
    }
    for pieces in byZoom {
      entries += pieces
      counts.append(entries.count)
    }
  }

  private static func box(of edge: EdgeID, in graph: RoadGraph) -> BoundingBox? {
    var around: BoundingBox?
    graph.forEachPoint(edge) { place in
      if around == nil {
        around = BoundingBox(around: CollectionOfOne(place))
      } else {
        around?.extend(to: place)
      }
    }
    return around
  }

  /// Calls `body` with the segments that may lie in a tile below zoom 12, in ascending order of
  /// their first zoom; linear in the segments that are visible at its zoom.
  func forEach(in frame: TileFrame, _ body: (Int) -> Void) {
    let box = BaseMapBox(frame.box)
    for entry in entries.prefix(counts[min(frame.address.zoom, counts.count - 1)])
    where entry.box.intersects(box) {
      body(Int(entry.piece))
    }
  }
}
