/// Ways without tags, which relations may turn into roads; in flat arrays, since most are never
/// used.
struct UntaggedWays {
  private var ids: [Int64] = []
  /// Shape `[ways + 1]`.
  private var first = [0]
  private var nodes: [Int64] = []

  mutating func add(_ way: OSMWay) {
    guard way.nodes.count > 1 else { return }
    ids.append(way.id)
    nodes += way.nodes
    first.append(nodes.count)
  }

  /// Calls `body` with the ways with the given ids, in the order in which they were added.
  func forEach(among wanted: Set<Int64>, _ body: (OSMWay) -> Void) {
    guard !wanted.isEmpty else { return }
    for (place, id) in ids.enumerated() where wanted.contains(id) {
      body(OSMWay(id: id, nodes: Array(nodes[first[place]..<first[place + 1]]), tags: [:]))
    }
  }
}
