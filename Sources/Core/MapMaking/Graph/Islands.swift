import RoadGraph

/// Finds roads that cannot be reached from the rest of the map.
enum Islands {
  /// A network with this many nodes that cars can use freely is never an island, however many there
  /// are.
  static let leastMainNetwork = 1000

  /// For each edge whether it lies on an island.
  ///
  /// A connected part of the network is an island if it is shorter than 10 km and than a tenth of
  /// the largest part. On a map with a large network, a road from which cars cannot reach such a
  /// network and come back is an island too (R. Tarjan, "Depth-First Search and Linear Graph
  /// Algorithms", SIAM J. Comput. 1972). Streets that are closed to everybody join nothing. Linear.
  static func find(
    nodeCount: Int, tail: [UInt32], head: [UInt32], lengthMM: [UInt32], isCar: [Bool],
    isClosed: [Bool]
  ) -> [Bool] {
    var parts = DisjointSets(count: nodeCount)
    for edge in tail.indices where !isClosed[edge] {
      parts.join(Int(tail[edge]), Int(head[edge]))
    }
    var length = [UInt64](repeating: 0, count: nodeCount)
    for edge in tail.indices where !isClosed[edge] {
      length[parts.root(Int(tail[edge]))] += UInt64(lengthMM[edge])
    }
    let greatest = length.max() ?? 0
    var isIsland = tail.indices.map { edge in
      guard !isClosed[edge] else { return false }
      let own = length[parts.root(Int(tail[edge]))]
      return own < greatest && own < greatest / 10 && own < 20_000_000
    }
    let component = StrongComponents.find(
      nodeCount: nodeCount, tail: tail, head: head, isUsed: isCar)
    var size = [Int](repeating: 0, count: nodeCount)
    for c in component { size[Int(c)] += 1 }
    guard let greatestSize = size.max(), greatestSize >= leastMainNetwork else { return isIsland }
    for edge in tail.indices where isCar[edge] {
      let (from, to) = (Int(component[Int(tail[edge])]), Int(component[Int(head[edge])]))
      if max(size[from], size[to]) < leastMainNetwork { isIsland[edge] = true }
    }
    return isIsland
  }
}

/// Sets that grow together: union by size with halving of paths.
struct DisjointSets {
  private var parent: [Int]
  private var size: [Int]

  init(count: Int) {
    parent = Array(0..<count)
    size = Array(repeating: 1, count: count)
  }

  mutating func root(_ item: Int) -> Int {
    var item = item
    while parent[item] != item {
      parent[item] = parent[parent[item]]
      item = parent[item]
    }
    return item
  }

  mutating func join(_ a: Int, _ b: Int) {
    var (a, b) = (root(a), root(b))
    guard a != b else { return }
    if size[a] < size[b] { swap(&a, &b) }
    parent[b] = a
    size[a] += size[b]
  }
}

/// Strongly connected components, without recursion.
enum StrongComponents {
  /// For each node the number of its component; edges are sorted by tail.
  static func find(nodeCount: Int, tail: [UInt32], head: [UInt32], isUsed: [Bool]) -> [UInt32] {
    var first = [Int](repeating: 0, count: nodeCount + 1)
    for node in tail { first[Int(node) + 1] += 1 }
    for k in 0..<nodeCount { first[k + 1] += first[k] }
    var component = [UInt32](repeating: .max, count: nodeCount)
    var order = [UInt32](repeating: 0, count: nodeCount)
    var low = order
    var next = first
    var open: [Int] = []
    var path: [Int] = []
    var counter: UInt32 = 0
    var components: UInt32 = 0
    for start in 0..<nodeCount where order[start] == 0 {
      path.append(start)
      while let node = path.last {
        if order[node] == 0 {
          counter += 1
          order[node] = counter
          low[node] = counter
          open.append(node)
        }
        var isDone = true
        while next[node] < first[node + 1] {
          let edge = next[node]
          next[node] += 1
          guard isUsed[edge] else { continue }
          let target = Int(head[edge])
          if order[target] == 0 {
            path.append(target)
            isDone = false
            break
          }
          if component[target] == .max { low[node] = min(low[node], order[target]) }
        }
        guard isDone else { continue }
        path.removeLast()
        if low[node] == order[node] {
          while let member = open.popLast() {
            component[member] = components
            if member == node { break }
          }
          components += 1
        }
        if let parent = path.last { low[parent] = min(low[parent], low[node]) }
      }
    }
    return component
  }
}
