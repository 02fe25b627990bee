import RoadGraph

/// Makes the vector tiles of the traffic layer: the roads with known traffic.
///
/// Layer `flow`: lines in driving direction with `level` (`free`, `slow`, `jam`, `closed`), `jam`
/// (jam factor in tenths, 0 to 100), `speed` (percent of free flow), `class` of the road, and
/// `side`: 1 if the line belongs to the right of the road, -1 to the left, 0 to its middle. From
/// zoom 14 on there is one line for each directed edge, with its number as `edge`; clipping may
/// divide it. At lower zooms, edges that look alike are joined, and free ones are left out. Roads
/// appear from the same zoom on as in `TileMaker`. The same traffic and address give the same
/// bytes.
public struct FlowTiles: Sendable {
  /// At lower zooms, edges that look alike are joined, and free ones are left out.
  static let firstZoomOfEdges = 14

  private let maker: TileMaker
  private let graph: RoadGraph

  /// The tiles for the map of a maker, whose choice of roads they share.
  public init(_ maker: TileMaker) {
    self.maker = maker
    graph = maker.graph
  }

  private struct Appearance: Hashable {
    var level: FlowLevel
    var roadClass: RoadClass
    var side: Int
  }

  private struct Line {
    var appearance: Appearance
    var edges: [EdgeID]
    var value: RoadFlow.Value
  }

  /// The tile's bytes; empty if no traffic is visible, or beyond `TileMaker.maximumZoom`.
  ///
  /// n log n in the roads that `TileMaker` shows in the tile.
  public func tile(_ address: TileAddress, _ flow: RoadFlow) -> [UInt8] {
    guard address.zoom <= TileRules.maximumZoom, !flow.isEmpty else { return [] }
    let frame = TileFrame(address)
    let isJoined = address.zoom < Self.firstZoomOfEdges
    var lines = lines(in: frame, flow)
    if isJoined { lines = joined(lines.filter { $0.appearance.level > .free }) }
    // The worst lies on top, and of one level the most important road.
    lines.sort {
      let (a, b) = ($0.appearance, $1.appearance)
      return (a.level, b.roadClass.rawValue, a.side, $0.edges[0].rawValue)
        < (b.level, a.roadClass.rawValue, b.side, $1.edges[0].rawValue)
    }
    let writer = TileWriter(extent: TileRules.extent)
    writer.layer("flow") {
      for line in lines {
        for part in parts(of: line, in: frame) {
          writer.line(part) {
            writer.tag("level", line.appearance.level.word)
            writer.tag("jam", Int(line.value.jamTenths))
            writer.tag("speed", Int(line.value.speedPercent))
            writer.tag("class", TileRules.word(line.appearance.roadClass))
            writer.tag("side", line.appearance.side)
            if !isJoined { writer.tag("edge", Int(line.edges[0].rawValue)) }
          }
        }
      }
    }
    return writer.bytes()
  }

  private func lines(in frame: TileFrame, _ flow: RoadFlow) -> [Line] {
    var lines: [Line] = []
    for (piece, appearance) in maker.shownPieces(in: frame) {
      let edge = graph.columns.pieceEdge[piece]
      let twin = graph.twin(edge)
      for edge in [edge, twin].compactMap({ $0 }) {
        guard let value = flow.value(of: edge) else { continue }
        let flags = graph.attributes(edge).flags
        // A one-way road may have a twin for walkers.
        let isOneWay = twin == nil || flags.contains(.oneWay)
        let side = isOneWay ? 0 : flags.contains(.leftHand) ? -1 : 1
        lines.append(
          Line(
            appearance: Appearance(level: value.level, roadClass: appearance.roadClass, side: side),
            edges: [edge], value: value))
      }
    }
    return lines
  }

  // MARK: Joining

  private struct Joint: Hashable {
    var appearance: Appearance
    var node: NodeID
  }

  /// Lines of consecutive edges with one appearance; the value is that of the longest edge.
  private func joined(_ lines: [Line]) -> [Line] {
    let lines = lines.sorted { $0.edges[0].rawValue < $1.edges[0].rawValue }
    var leaving: [Joint: [Int]] = [:]
    var entered: Set<Joint> = []
    for (index, line) in lines.enumerated() {
      leaving[Joint(appearance: line.appearance, node: graph.tail(line.edges[0])), default: []]
        .append(index)
      entered.insert(Joint(appearance: line.appearance, node: graph.head(line.edges[0])))
    }
    var isUsed = [Bool](repeating: false, count: lines.count)
    var joined: [Line] = []
    func grow(from first: Int) {
      guard !isUsed[first] else { return }
      isUsed[first] = true
      var line = lines[first]
      var (edge, longestM) = (line.edges[0], graph.lengthM(line.edges[0]))
      var pointCount = pointCount(edge)
      while pointCount < TileRules.joinLimit {
        let next = leaving[Joint(appearance: line.appearance, node: graph.head(edge))]?
          .first { !isUsed[$0] && lines[$0].edges[0] != graph.twin(edge) }
        guard let next else { break }
        isUsed[next] = true
        edge = lines[next].edges[0]
        line.edges.append(edge)
        pointCount += self.pointCount(edge)
        let lengthM = graph.lengthM(edge)
        if lengthM > longestM { (line.value, longestM) = (lines[next].value, lengthM) }
      }
      joined.append(line)
    }
    // Lines begin where none leads to; those that remain run in circles.
    for (index, line) in lines.enumerated()
    where !entered.contains(Joint(appearance: line.appearance, node: graph.tail(line.edges[0]))) {
      grow(from: index)
    }
    for index in lines.indices { grow(from: index) }
    return joined
  }

  private func pointCount(_ edge: EdgeID) -> Int {
    graph.columns.pointCount(ofPiece: Int(graph.columns.piece[edge.index] >> 1)) + 2
  }

  private func parts(of line: Line, in frame: TileFrame) -> [[TilePoint]] {
    var points: [TilePoint] = []
    for edge in line.edges {
      var isFirst = !points.isEmpty
      graph.forEachPoint(edge) { place in
        if isFirst { isFirst = false } else { points.append(frame.point(place)) }
      }
    }
    let simple = TileLine.simplified(
      points, tolerance: TileRules.toleranceUnits(zoom: frame.address.zoom))
    return TileLine.clipped(
      simple, from: -Double(TileRules.buffer), to: Double(TileRules.extent + TileRules.buffer))
  }
}
