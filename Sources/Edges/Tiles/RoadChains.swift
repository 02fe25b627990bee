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
    var appearance: RoadAppearance
    var links: [Link]
  }

  private struct End: Hashable {
    var appearance: RoadAppearance
    var node: NodeID
  }

  private let graph: RoadGraph
  private var appearances: [Int: RoadAppearance] = [:]
  private var ends: [End: [Int]] = [:]

  /// The lines of `pieces` in drawing order; the same segments give the same lines.
  ///
  /// n log n in the number of segments.
  static func chains(
    of pieces: [(piece: Int, appearance: RoadAppearance)], in graph: RoadGraph
  ) -> [Chain] {
    var chains = RoadChains(graph: graph)
    let ordered = pieces.sorted { ($0.appearance, $0.piece) < ($1.appearance, $1.piece) }
    for (piece, appearance) in ordered { chains.add(piece, appearance) }
    return ordered.compactMap { piece, appearance in chains.chain(from: piece, appearance) }
  }

  private init(graph: RoadGraph) {
    self.graph = graph
  }

  private mutating func add(_ piece: Int, _ appearance: RoadAppearance) {
    appearances[piece] = appearance
    for node in [tail(piece), head(piece)] {
      ends[End(appearance: appearance, node: node), default: []].append(piece)
    }
  }

  /// Grows a line from `piece`; nil if an earlier line contains it.
  private mutating func chain(from piece: Int, _ appearance: RoadAppearance) -> Chain? {
    guard appearances.removeValue(forKey: piece) != nil else { return nil }
    var points = pointCount(piece)
    let forward = grow(from: head(piece), appearance, along: true, points: &points)
    let backward = grow(from: tail(piece), appearance, along: false, points: &points)
    let links = backward.reversed() + [Link(piece: piece, isReversed: false)] + forward
    return Chain(appearance: appearance, links: links)
  }

  private mutating func grow(
    from start: NodeID, _ appearance: RoadAppearance, along: Bool, points: inout Int
  ) -> [Link] {
    var links: [Link] = []
    var node = start
    while points < TileRules.joinLimit, let next = free(at: node, appearance, along: along) {
      // Traversed along the line, a segment that ends at the current node is traversed against its
      // edge.
      let entersAtTail = tail(next) == node
      links.append(Link(piece: next, isReversed: entersAtTail != along))
      appearances[next] = nil
      points += pointCount(next)
      node = entersAtTail ? head(next) : tail(next)
    }
    return links
  }

  /// An unused segment at `node`; a one-way segment only in its own direction.
  private mutating func free(at node: NodeID, _ appearance: RoadAppearance, along: Bool) -> Int? {
    let end = End(appearance: appearance, node: node)
    guard var candidates = ends[end] else { return nil }
    candidates.removeAll { appearances[$0] == nil }
    ends[end] = candidates
    guard appearance.flags.contains(.oneWay) else { return candidates.first }
    return candidates.first { (along ? tail($0) : head($0)) == node }
  }

  private func edge(_ piece: Int) -> EdgeID { graph.columns.pieceEdge[piece] }
  private func tail(_ piece: Int) -> NodeID { graph.tail(edge(piece)) }
  private func head(_ piece: Int) -> NodeID { graph.head(edge(piece)) }

  private func pointCount(_ piece: Int) -> Int {
    graph.columns.pointCount(ofPiece: piece) + 2
  }
}
