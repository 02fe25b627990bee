/// A part of the skeleton with its own numbering, to be cut in two.
struct CellGraph: Sendable {
  let nodeCount: Int
  /// Arcs `2 k` and `2 k + 1` are edge `k` from its first end to its second and back.
  let head: FlatArray<UInt32>
  let width: FlatArray<UInt8>
  let first: FlatArray<UInt32>
  let arc: FlatArray<UInt32>
  let x: FlatArray<Int32>
  let y: FlatArray<Int32>

  init(nodeCount: Int, edgeCount: Int) {
    self.nodeCount = nodeCount
    head = FlatArray(repeating: 0, count: 2 * edgeCount)
    width = FlatArray(repeating: 0, count: edgeCount)
    first = FlatArray(repeating: 0, count: nodeCount + 1)
    arc = FlatArray(repeating: 0, count: 2 * edgeCount)
    x = FlatArray(repeating: 0, count: nodeCount)
    y = FlatArray(repeating: 0, count: nodeCount)
  }

  /// Fills `first` and `arc` from `head`.
  func link() {
    let (head, first, arc) = (head.buffer, first.buffer, arc.buffer)
    for a in head.indices { first[Int(head[a ^ 1]) + 1] += 1 }
    for v in 0..<nodeCount { first[v + 1] += first[v] }
    let places = FlatArray<UInt32>(repeating: 0, count: nodeCount)
    let next = places.buffer
    for v in 0..<nodeCount { next[v] = first[v] }
    for a in head.indices {
      let tail = Int(head[a ^ 1])
      arc[Int(next[tail])] = UInt32(a)
      next[tail] += 1
    }
    withExtendedLifetime(places) {}
  }
}

/// A division of a cell: how much is cut, and the side of each node.
struct CellCut: Sendable {
  var width: Int
  /// Nodes on the smaller side.
  var smaller: Int
  /// For each node whether it lies on the first side.
  var isFirst: FlatArray<Bool>

  /// Lower is better: the size of the cut for each node that is cut off.
  func isBetter(than other: CellCut) -> Bool {
    let (mine, theirs) = (width * other.smaller, other.width * smaller)
    return mine != theirs ? mine < theirs : smaller > other.smaller
  }
}

/// Cuts a cell across one direction by a maximum flow.
///
/// A. Schild and C. Sommer, "On balanced separators in road networks", SEA 2015: the first and the
/// last quarter of the nodes along a line are poles; the minimum cut between them follows rivers
/// and motorways. Flow after E. A. Dinic (1970).
struct InertialCut {
  private static let poleShare = 4

  let nodeCount: Int
  private let head: UnsafeMutableBufferPointer<UInt32>
  private let first: UnsafeMutableBufferPointer<UInt32>
  private let arc: UnsafeMutableBufferPointer<UInt32>
  private let residual: UnsafeMutableBufferPointer<UInt8>
  private let level: UnsafeMutableBufferPointer<Int32>
  private let next: UnsafeMutableBufferPointer<UInt32>
  private let queue: UnsafeMutableBufferPointer<UInt32>
  private let pole: UnsafeMutableBufferPointer<UInt8>
  private var flow = 0

  private init(_ cell: CellGraph) {
    nodeCount = cell.nodeCount
    head = cell.head.buffer
    first = cell.first.buffer
    arc = cell.arc.buffer
    residual = .allocate(capacity: cell.head.count)
    level = .allocate(capacity: cell.nodeCount)
    next = .allocate(capacity: cell.nodeCount)
    queue = .allocate(capacity: cell.nodeCount)
    pole = .allocate(capacity: cell.nodeCount)
  }

  private func deallocate() {
    residual.deallocate()
    level.deallocate()
    next.deallocate()
    queue.deallocate()
    pole.deallocate()
  }

  /// The minimum cut across direction `number` of four; nil if it cannot become better than `best`.
  static func cut(_ cell: CellGraph, direction number: Int, best: CellCut? = nil) -> CellCut? {
    var search = InertialCut(cell)
    defer { search.deallocate() }
    search.placePoles(cell, direction: number)
    for a in search.head.indices { search.residual[a] = cell.width[a >> 1] }
    while search.findLevels() {
      search.saturate()
      // Even if it halved the cell, it would not be better.
      if let best, search.flow * 2 * best.smaller > best.width * cell.nodeCount { return nil }
    }
    return search.balanced()
  }

  private func placePoles(_ cell: CellGraph, direction: Int) {
    let n = cell.nodeCount
    var keys = [UInt64](repeating: 0, count: n)
    for v in 0..<n {
      let (x, y) = (Int64(cell.x[v]), Int64(cell.y[v]))
      let along =
        switch direction {
        case 0: 2 * x
        case 1: 2 * y
        case 2: x + y
        default: x - y
        }
      // Sixteen units are 0.2 m at most; closer nodes may have any fixed order.
      keys[v] = UInt64(bitPattern: (along + 1 << 34) >> 4) << 32 | UInt64(v)
    }
    let count = max(1, n / Self.poleShare)
    keys.withUnsafeMutableBufferPointer { keys in
      Self.select(keys, count)
      Self.select(UnsafeMutableBufferPointer(rebasing: keys[count...]), n - 2 * count)
    }
    for (place, key) in keys.enumerated() {
      let v = Int(key & 0xffff_ffff)
      pole[v] = place < count ? 1 : place >= n - count ? 2 : 0
    }
  }

  /// Moves the `count` smallest keys to the front, in no particular order.
  private static func select(_ keys: UnsafeMutableBufferPointer<UInt64>, _ count: Int) {
    var low = 0
    var high = keys.count - 1
    while low < high {
      let (a, b, c) = (keys[low], keys[(low + high) / 2], keys[high])
      let pivot = max(min(a, b), min(max(a, b), c))
      var (i, j) = (low, high)
      while i <= j {
        while keys[i] < pivot { i += 1 }
        while keys[j] > pivot { j -= 1 }
        if i <= j {
          keys.swapAt(i, j)
          i += 1
          j -= 1
        }
      }
      if count <= j { high = j } else if count >= i { low = i } else { return }
    }
  }

  private func findLevels() -> Bool {
    var count = 0
    var isReached = false
    for v in 0..<nodeCount {
      level[v] = -1
      next[v] = first[v]
      if pole[v] == 1 {
        level[v] = 0
        queue[count] = UInt32(v)
        count += 1
      }
    }
    var at = 0
    while at < count {
      let v = Int(queue[at])
      at += 1
      if pole[v] == 2 { continue }
      for slot in Int(first[v])..<Int(first[v + 1]) {
        let a = Int(arc[slot])
        let w = Int(head[a])
        guard residual[a] > 0, level[w] < 0 else { continue }
        level[w] = level[v] + 1
        if pole[w] == 2 { isReached = true }
        queue[count] = UInt32(w)
        count += 1
      }
    }
    return isReached
  }

  private mutating func saturate() {
    var path: [Int] = []
    for root in 0..<nodeCount where pole[root] == 1 {
      var v = root
      while true {
        if pole[v] == 2 {
          var push = UInt8.max
          for a in path { push = min(push, residual[a]) }
          var back = 0
          for (place, a) in path.enumerated().reversed() {
            residual[a] -= push
            residual[a ^ 1] += push
            if residual[a] == 0 { back = place }
          }
          flow += Int(push)
          v = Int(head[path[back] ^ 1])
          path.removeSubrange(back...)
          continue
        }
        var isMoved = false
        while next[v] < first[v + 1] {
          let a = Int(arc[Int(next[v])])
          let w = Int(head[a])
          if residual[a] > 0, level[w] == level[v] + 1, pole[w] != 1 {
            path.append(a)
            v = w
            isMoved = true
            break
          }
          next[v] += 1
        }
        if isMoved { continue }
        guard let last = path.popLast() else { break }
        v = Int(head[last ^ 1])
        next[v] += 1
      }
    }
  }

  /// The more balanced of the cuts nearest to the two poles.
  private func balanced() -> CellCut {
    let n = nodeCount
    let nearFirst = FlatArray(repeating: false, count: n)
    var firstCount = 0
    for v in 0..<n where level[v] >= 0 {
      nearFirst[v] = true
      firstCount += 1
    }
    let notSecond = FlatArray(repeating: true, count: n)
    var secondCount = 0
    var count = 0
    for v in 0..<n where pole[v] == 2 {
      notSecond[v] = false
      queue[count] = UInt32(v)
      count += 1
    }
    var at = 0
    while at < count {
      let v = Int(queue[at])
      at += 1
      secondCount += 1
      for slot in Int(first[v])..<Int(first[v + 1]) {
        let a = Int(arc[slot])
        let w = Int(head[a])
        guard residual[a ^ 1] > 0, notSecond[w] else { continue }
        notSecond[w] = false
        queue[count] = UInt32(w)
        count += 1
      }
    }
    let a = min(firstCount, n - firstCount)
    let b = min(secondCount, n - secondCount)
    return a >= b
      ? CellCut(width: flow, smaller: a, isFirst: nearFirst)
      : CellCut(width: flow, smaller: b, isFirst: notSecond)
  }
}
