import Geodesy

/// A part of a directed edge, in metres from its beginning.
public struct EdgePart: Hashable, Sendable {
  public var edge: EdgeID
  public var fromM: Double
  public var toM: Double

  public init(edge: EdgeID, fromM: Double, toM: Double) {
    self.edge = edge
    self.fromM = fromM
    self.toM = toM
  }

  public var lengthM: Double { toM - fromM }
}

/// The directed edges of one way with all of their nodes, for references to places between
/// junctions.
///
/// Creating it is linear in the points of the way; keep it for all references to one way.
public struct WayNodes: Sendable {
  private let graph: RoadGraph
  public let way: Int64
  private let edges: [EdgeID]
  /// OSM ids from tail to head of each edge; only tail and head if the map has no point ids.
  private let nodes: [[Int64]]
  /// Positions of each id: the index in `edges` and of the node, without the last node of an edge.
  private let starts: [Int64: [(edge: Int, node: Int)]]
  /// Indices in `edges` of those that leave a node of the graph.
  private let leaving: [NodeID: [Int]]

  public init(_ way: Int64, index: SegmentIndex, graph: RoadGraph) {
    self.graph = graph
    self.way = way
    edges = index.edges(ofWay: way)
    nodes = edges.map { Self.nodes(of: $0, graph) }
    var starts: [Int64: [(edge: Int, node: Int)]] = [:]
    var leaving: [NodeID: [Int]] = [:]
    for (place, ids) in nodes.enumerated() {
      leaving[graph.tail(edges[place]), default: []].append(place)
      for (node, id) in ids.dropLast().enumerated() where id != 0 {
        starts[id, default: []].append((place, node))
      }
    }
    self.starts = starts
    self.leaving = leaving
  }

  private static func nodes(of edge: EdgeID, _ graph: RoadGraph) -> [Int64] {
    let columns = graph.columns
    let code = columns.piece[edge.index]
    let between = columns.pointIDs(ofPiece: Int(code >> 1))
    let reference = graph.reference(edge)
    return [reference.from] + (code & 1 == 0 ? between : between.reversed()) + [reference.to]
  }

  /// The parts of edges from one node to another along the way, in driving order; empty if there
  /// are none.
  ///
  /// On a circular way the shorter direction is taken. Linear in the edges in between.
  public func parts(from: Int64, to: Int64) -> [EdgePart] {
    guard from != to else { return [] }
    var best: (lengthM: Double, parts: [EdgePart]) = (.infinity, [])
    for start in starts[from] ?? [] {
      var chain: [(edge: Int, first: Int, last: Int)] = []
      var (edge, first) = (start.edge, start.node)
      while chain.count <= edges.count {
        if let last = nodes[edge].dropFirst(first + 1).firstIndex(of: to) {
          chain.append((edge, first, last))
          let parts = chain.map { part($0.edge, $0.first, $0.last) }
          let lengthM = parts.reduce(0) { $0 + $1.lengthM }
          if lengthM < best.lengthM { best = (lengthM, parts) }
          break
        }
        chain.append((edge, first, nodes[edge].count - 1))
        let next = leaving[graph.head(edges[edge])]?.first { edges[$0] != graph.twin(edges[edge]) }
        guard let next else { break }
        (edge, first) = (next, 0)
      }
    }
    return best.parts
  }

  private func part(_ place: Int, _ first: Int, _ last: Int) -> EdgePart {
    let edge = edges[place]
    let lengthM = graph.lengthM(edge)
    guard first > 0 || last < nodes[place].count - 1 else {
      return EdgePart(edge: edge, fromM: 0, toM: lengthM)
    }
    let shape = Polyline(graph.shape(edge))
    // The stored length is rounded to millimetres.
    let scale = shape.lengthM > 0 ? lengthM / shape.lengthM : 1
    return EdgePart(
      edge: edge, fromM: shape.offsetsM[first] * scale, toM: shape.offsetsM[last] * scale)
  }
}

/// Finds the parts of edges of many references; consecutive references to one way are cheapest.
public struct EdgePartFinder: Sendable {
  private let index: SegmentIndex
  private let graph: RoadGraph
  private var last: WayNodes?

  public init(_ index: SegmentIndex, in graph: RoadGraph) {
    self.index = index
    self.graph = graph
  }

  /// The whole edge of a reference; nil if it is not exactly one edge.
  public func edge(_ reference: SegmentReference) -> EdgeID? { index.edge(reference) }

  /// The parts of edges of a reference; empty if the map has none.
  ///
  /// A reference may name a whole edge, several consecutive ones, or begin and end between
  /// junctions.
  public mutating func parts(_ reference: SegmentReference) -> [EdgePart] {
    if let edge = index.edge(reference) {
      return [EdgePart(edge: edge, fromM: 0, toM: graph.lengthM(edge))]
    }
    if last?.way != reference.way {
      last = WayNodes(reference.way, index: index, graph: graph)
    }
    return last?.parts(from: reference.from, to: reference.to) ?? []
  }
}

extension SegmentIndex {
  /// The whole edges of a way from one node to another, if `graph` has cut the piece into smaller
  /// ones.
  ///
  /// Empty if the nodes do not follow each other along the way, or lie between junctions: see
  /// `EdgePartFinder`.
  public func edges(along reference: SegmentReference, in graph: RoadGraph) -> [EdgeID] {
    if let edge = edge(reference) { return [edge] }
    let parts = WayNodes(reference.way, index: self, graph: graph)
      .parts(from: reference.from, to: reference.to)
    return parts.allSatisfy { $0.fromM == 0 && $0.toM == graph.lengthM($0.edge) }
      ? parts.map(\.edge) : []
  }
}
