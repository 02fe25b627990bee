public import RoadGraph

/// The order in which a hierarchy eliminates the edges of a road graph: nested dissection.
///
/// J. Dibbelt, B. Strasser, D. Wagner, "Customizable contraction hierarchies", JEA 21 (2016); for
/// turns V. Buchhold, D. Wagner, T. Zeitz, M. Zündorf (ATMOS 2020): a few road edges that cut a
/// cell in two are a small separator of the turn-expanded graph. Cells are cut until they are
/// small, and small cells are contracted greedily. The same graph gives the same order, however
/// many workers there are.
public struct DissectionOrder: Sendable {
  /// Increased whenever the same graph gets a different order, so that stored maps are made again.
  public static let version = 2

  private static let leafNodes = 24
  /// Cells with fewer nodes are processed by a single worker.
  private static let sharedNodes = 2_000

  private let skeleton: RoadSkeleton
  /// Nodes and edges of the skeleton, grouped by cell; the edges end up in the resulting order.
  private let nodes: FlatArray<UInt32>
  private let edges: FlatArray<UInt32>
  private let place: FlatArray<UInt32>
  /// Edges of the skeleton at each node.
  private let outer: [UInt16]

  private struct Cell: Sendable {
    var nodes: Range<Int>
    var edges: Range<Int>
  }

  /// Every edge of `graph`, the first one to be eliminated first.
  ///
  /// `progress` receives the completed share and returns whether to continue; the result is nil if
  /// it did not. n log n.
  public static func order(
    of graph: RoadGraph, inParallel: InParallel = oneByOne,
    progress: (Double) -> Bool = { _ in true }
  ) -> [EdgeID]? {
    let order = DissectionOrder(RoadSkeleton(graph))
    guard order.dissect(inParallel, progress) else { return nil }
    return order.directed(graph)
  }

  private init(_ skeleton: RoadSkeleton) {
    self.skeleton = skeleton
    nodes = FlatArray((0..<UInt32(skeleton.nodeCount)).map { $0 })
    place = FlatArray((0..<UInt32(skeleton.nodeCount)).map { $0 })
    edges = FlatArray((0..<UInt32(skeleton.piece.count)).map { $0 })
    var outer = [UInt16](repeating: 0, count: skeleton.nodeCount)
    for (a, b) in skeleton.ends {
      outer[Int(a)] &+= 1
      outer[Int(b)] &+= 1
    }
    self.outer = outer
  }

  private func directed(_ graph: RoadGraph) -> [EdgeID] {
    let columns = graph.columns
    var order: [EdgeID] = []
    order.reserveCapacity(graph.edgeCount)
    func add(_ piece: UInt32) {
      let edge = columns.pieceEdge[Int(piece)]
      order.append(edge)
      if let twin = graph.twin(edge) { order.append(twin) }
    }
    for piece in skeleton.early { add(piece) }
    for edge in edges.buffer { add(skeleton.piece[Int(edge)]) }
    return order
  }

  // MARK: Cells

  private func dissect(_ inParallel: InParallel, _ progress: (Double) -> Bool) -> Bool {
    guard edges.count > 0 else { return progress(1) }
    var open = [Cell(nodes: 0..<nodes.count, edges: 0..<edges.count)]
    var small: [Cell] = []
    while !open.isEmpty {
      guard progress(Double(small.reduce(0) { $0 + $1.nodes.count }) / Double(nodes.count) / 2)
      else {
        return false
      }
      small += open.filter { $0.nodes.count < Self.sharedNodes }
      open.removeAll { $0.nodes.count < Self.sharedNodes }
      let cells = open.map { local($0) }
      let cuts = CutTable(cells)
      inParallel(4 * cells.count) { cuts.cut($0) }
      var next: [Cell] = []
      for (index, cell) in open.enumerated() {
        next += divide(cell, cuts.best(of: index))
      }
      open = next
    }
    let batch = 16
    for start in stride(from: 0, to: small.count, by: batch) {
      let end = min(start + batch, small.count)
      let part = Array(small[start..<end])
      inParallel(part.count) { finish(part[$0]) }
      guard progress(0.5 + 0.5 * Double(end) / Double(small.count)) else { return false }
    }
    return true
  }

  private func finish(_ cell: Cell) {
    guard cell.nodes.count > Self.leafNodes else { return contract(cell) }
    let graph = local(cell)
    var best: CellCut?
    for direction in 0..<4 {
      guard let cut = InertialCut.cut(graph, direction: direction, best: best) else { continue }
      if best.map({ cut.isBetter(than: $0) }) ?? true { best = cut }
    }
    guard let best else { return contract(cell) }
    for part in divide(cell, best) { finish(part) }
  }

  private func local(_ cell: Cell) -> CellGraph {
    let graph = CellGraph(nodeCount: cell.nodes.count, edgeCount: cell.edges.count)
    for (v, slot) in cell.nodes.enumerated() {
      graph.x[v] = skeleton.x[Int(nodes[slot])]
      graph.y[v] = skeleton.y[Int(nodes[slot])]
    }
    for (k, slot) in cell.edges.enumerated() {
      let edge = Int(edges[slot])
      let (a, b) = skeleton.ends[edge]
      graph.head[2 * k] = place[Int(b)] - UInt32(cell.nodes.lowerBound)
      graph.head[2 * k + 1] = place[Int(a)] - UInt32(cell.nodes.lowerBound)
      graph.width[k] = skeleton.width[edge]
    }
    graph.link()
    return graph
  }

  /// Places the two sides next to each other, followed by the cut.
  private func divide(_ cell: Cell, _ cut: CellCut) -> [Cell] {
    let start = cell.nodes.lowerBound
    let old = Array(nodes.buffer[cell.nodes])
    let isFirst = { (node: UInt32) in cut.isFirst[Int(place[Int(node)]) - start] }
    let first = old.filter(isFirst)
    let second = old.filter { !isFirst($0) }
    let own = Array(edges.buffer[cell.edges])
    var sides: (first: [UInt32], second: [UInt32], cut: [UInt32]) = ([], [], [])
    for edge in own {
      let (a, b) = skeleton.ends[Int(edge)]
      switch (isFirst(a), isFirst(b)) {
      case (true, true): sides.first.append(edge)
      case (false, false): sides.second.append(edge)
      default: sides.cut.append(edge)
      }
    }
    for (offset, node) in (first + second).enumerated() {
      nodes[start + offset] = node
      place[Int(node)] = UInt32(start + offset)
    }
    let from = cell.edges.lowerBound
    for (offset, edge) in (sides.first + sides.second + sides.cut).enumerated() {
      edges[from + offset] = edge
    }
    let middle = start + first.count
    let half = from + sides.first.count
    return [
      Cell(nodes: start..<middle, edges: from..<half),
      Cell(nodes: middle..<cell.nodes.upperBound, edges: half..<(half + sides.second.count)),
    ].filter { !$0.edges.isEmpty }
  }

  /// Orders the edges of a small cell: the next edge is always the one whose ends have the fewest
  /// neighbours together.
  private func contract(_ cell: Cell) {
    let n = cell.nodes.count
    let start = cell.nodes.lowerBound
    var open = Array(edges.buffer[cell.edges])
    guard open.count > 1 else { return }
    var into = Array(0..<n)
    func root(_ node: UInt32) -> Int {
      var v = Int(place[Int(node)]) - start
      while into[v] != v { v = into[v] }
      return v
    }
    var between = [UInt8](repeating: 0, count: n * n)
    var degree = [Int](repeating: 0, count: n)
    for (v, slot) in cell.nodes.enumerated() { degree[v] = Int(outer[Int(nodes[slot])]) }
    for edge in open {
      let (a, b) = (root(skeleton.ends[Int(edge)].a), root(skeleton.ends[Int(edge)].b))
      between[a * n + b] &+= 1
      between[b * n + a] &+= 1
    }
    var ordered = cell.edges.lowerBound
    while !open.isEmpty {
      var best = (size: Int.max, index: 0)
      for (index, edge) in open.enumerated() {
        let (a, b) = (root(skeleton.ends[Int(edge)].a), root(skeleton.ends[Int(edge)].b))
        let size = degree[a] + degree[b] - 2 * Int(between[a * n + b])
        if size < best.size { best = (size, index) }
      }
      let chosen = open[best.index]
      let (a, b) = (root(skeleton.ends[Int(chosen)].a), root(skeleton.ends[Int(chosen)].b))
      degree[a] = best.size
      into[b] = a
      for v in 0..<n where v != a && v != b {
        between[a * n + v] &+= between[b * n + v]
        between[v * n + a] = between[a * n + v]
      }
      // Parallel edges no longer have different ends, so they are eliminated with it.
      var rest: [UInt32] = []
      for edge in open {
        if root(skeleton.ends[Int(edge)].a) == root(skeleton.ends[Int(edge)].b) {
          edges[ordered] = edge
          ordered += 1
        } else {
          rest.append(edge)
        }
      }
      open = rest
    }
  }
}

/// The cuts of several cells in all directions, found by several workers.
private struct CutTable: Sendable {
  private let cells: [CellGraph]
  private let found: FlatArray<Figures>
  private let sides: [FlatArray<Bool>]

  private struct Figures: BitwiseCopyable {
    var width = 0
    var smaller = 0
  }

  init(_ cells: [CellGraph]) {
    self.cells = cells
    found = FlatArray(repeating: Figures(), count: 4 * cells.count)
    sides = (0..<4 * cells.count).map {
      FlatArray(repeating: false, count: cells[$0 / 4].nodeCount)
    }
  }

  /// Cuts cell `number / 4` in direction `number % 4`.
  func cut(_ number: Int) {
    guard let cut = InertialCut.cut(cells[number / 4], direction: number % 4) else { return }
    found[number] = Figures(width: cut.width, smaller: cut.smaller)
    for (node, isFirst) in cut.isFirst.buffer.enumerated() { sides[number][node] = isFirst }
  }

  func best(of cell: Int) -> CellCut {
    var best = self[4 * cell]
    for direction in 1..<4 where self[4 * cell + direction].isBetter(than: best) {
      best = self[4 * cell + direction]
    }
    return best
  }

  private subscript(number: Int) -> CellCut {
    CellCut(
      width: found[number].width, smaller: found[number].smaller, isFirst: sides[number])
  }
}
