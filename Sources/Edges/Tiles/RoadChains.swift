import RoadGraph

/// Road segments with the same appearance, joined end to end into long lines.
///
/// Fewer, longer lines make smaller tiles, and leave room for names along them.
struct RoadChains {
  /// A segment of a line, and whether it is traversed against its edge.
  struct Link: Hashable {
    var piece: Int
    var isReversed: Bool
  }

  struct Chain: Hashable {
    var look: RoadAppearance
    var links: [Link]
  }

  private struct End: Hashable {
    var look: RoadAppearance
    var node: NodeID
  }

  private let graph: RoadGraph
  private var looks: [Int: RoadAppearance] = [:]
  private var ends: [End: [Int]] = [:]

  /// The lines of `pieces` in drawing order; the same segments give the same lines.
  ///
  /// n log n in the number of segments.
  static func chains(
    of pieces: [(piece: Int, look: RoadAppearance)], in graph: RoadGraph
  ) -> [Chain] {
    var chains = RoadChains(graph: graph)
    let ordered = pieces.sorted { ($0.look, $0.piece) < ($1.look, $1.piece) }
    for (piece, look) in ordered { chains.add(piece, look) }
    return ordered.compactMap { piece, look in chains.take(from: piece, look) }
  }

  private init(graph: RoadGraph) {
    self.graph = graph
  }

  private mutating func add(_ piece: Int, _ look: RoadAppearance) {
    looks[piece] = look
    for node in [tail(piece), head(piece)] {
      ends[End(look: look, node: node), default: []].append(piece)
    }
  }

  /// Grows a line from `piece`; nil if an earlier line contains it.
  private mutating func take(from piece: Int, _ look: RoadAppearance) -> Chain? {
    guard looks.removeValue(forKey: piece) != nil else { return nil }
    var points = pointCount(piece)
    let forward = grow(from: head(piece), look, along: true, points: &points)
    let backward = grow(from: tail(piece), look, along: false, points: &points)
    let links = backward.reversed() + [Link(piece: piece, isReversed: false)] + forward
    return Chain(look: look, links: links)
  }

  private mutating func grow(
    from start: NodeID, _ look: RoadAppearance, along: Bool, points: inout Int
  ) -> [Link] {
    var links: [Link] = []
    var node = start
    while points < TileRules.joinLimit, let next = free(at: node, look, along: along) {
      // Traversed along the line, a segment that ends at the current node is traversed against its
      // edge.
      let entersAtTail = tail(next) == node
      links.append(Link(piece: next, isReversed: entersAtTail != along))
      looks[next] = nil
      points += pointCount(next)
      node = entersAtTail ? head(next) : tail(next)
    }
    return links
  }

  /// An unused segment at `node`; a one-way segment only in its own direction.
  private mutating func free(at node: NodeID, _ look: RoadAppearance, along: Bool) -> Int? {
    let end = End(look: look, node: node)
    guard var candidates = ends[end] else { return nil }
    candidates.removeAll { looks[$0] == nil }
    ends[end] = candidates
    guard look.flags.contains(.oneWay) else { return candidates.first }
    return candidates.first { (along ? tail($0) : head($0)) == node }
  }

  private func edge(_ piece: Int) -> EdgeID { graph.columns.pieceEdge[piece] }
  private func tail(_ piece: Int) -> NodeID { graph.tail(edge(piece)) }
  private func head(_ piece: Int) -> NodeID { graph.head(edge(piece)) }

  private func pointCount(_ piece: Int) -> Int {
    graph.columns.pointCount(ofPiece: piece) + 2
  }
}
