public import Stage

/// The nodes that each node waits for, and the resulting order.
///
/// The order in the file (`after:`) always holds. Further dependencies follow from the topics and
/// calls of the nodes, unless they would form a cycle: data may flow in cycles, starting may not.
public struct StartOrder: Hashable, Sendable {
  /// Nodes in starting order; those that may start together are in the order of the file.
  public private(set) var names: [String]
  /// The nodes that must be ready before each node starts.
  public private(set) var waits: [String: Set<String>]
  /// The nodes of `waits` that the file names.
  public private(set) var written: [String: Set<String>]
  /// A cycle of nodes in which each must start after the next; nil if there is none.
  public private(set) var cycle: [String]?

  public init(_ nodes: [NodeSettings], manifests: [String: Manifest]) {
    names = nodes.map(\.name.value)
    let known = Set(names)
    written = [:]
    for node in nodes {
      written[node.name.value] = Set(node.after.map(\.value)).intersection(known)
    }
    waits = written
    cycle = Self.cycle(names, written)
    guard cycle == nil else { return }
    for (reader, writer) in Self.flows(nodes, manifests) {
      guard !Self.leads(from: writer, to: reader, waits) else { continue }
      waits[reader, default: []].insert(writer)
    }
    names = Self.sorted(names, waits)
  }

  /// Reader and writer of each flow, calls first, because a caller cannot work without its server.
  private static func flows(
    _ nodes: [NodeSettings], _ manifests: [String: Manifest]
  ) -> [(String, String)] {
    let known = nodes.map(\.name.value)
    var flows: [(String, String)] = []
    for (needs, gives) in [(\Manifest.calls, \Manifest.serves), (\.inputs, \.outputs)] {
      for reader in known {
        for writer in known where writer != reader {
          guard let wanted = manifests[reader]?[keyPath: needs],
            let given = manifests[writer]?[keyPath: gives],
            wanted.contains(where: given.contains)
          else { continue }
          flows.append((reader, writer))
        }
      }
    }
    return flows
  }

  /// Whether `start` waits for `end`, directly or indirectly.
  private static func leads(
    from start: String, to end: String, _ waits: [String: Set<String>]
  ) -> Bool {
    var seen: Set<String> = [start]
    var open = [start]
    while let name = open.popLast() {
      if name == end { return true }
      for next in waits[name] ?? [] where seen.insert(next).inserted { open.append(next) }
    }
    return false
  }

  private static func cycle(_ names: [String], _ waits: [String: Set<String>]) -> [String]? {
    for name in names {
      var path = [name]
      var place = [name: 0]
      // Follows the first unfinished wait; a node that occurs again closes the cycle.
      while let next = (waits[path[path.count - 1]] ?? []).sorted()
        .first(where: { leads(from: $0, to: path[path.count - 1], waits) })
      {
        if let start = place[next] { return Array(path[start...]) }
        place[next] = path.count
        path.append(next)
      }
    }
    return nil
  }

  private static func sorted(_ names: [String], _ waits: [String: Set<String>]) -> [String] {
    var done: [String] = []
    var left = names
    while !left.isEmpty {
      let index = left.firstIndex { (waits[$0] ?? []).isSubset(of: done) } ?? 0
      done.append(left.remove(at: index))
    }
    return done
  }
}
