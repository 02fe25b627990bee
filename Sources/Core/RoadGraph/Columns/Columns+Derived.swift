/// The derived columns, which are not stored: tails, twins, pieces and lengths of edges, and the
/// entering edges.
///
/// A map in canonical order numbers each piece by the lower of its edges, whose direction its
/// points have. It gives parallel pieces the same order at both ends.
extension RoadColumns {
  /// Shape `[n]`: number of edges that leave each node.
  var degrees: Column<UInt32> {
    Column((0..<nodeLatitude.count).map { firstOut[$0 + 1] - firstOut[$0] })
  }

  /// Shape `[m]`: the zigzag distance from tail to head, times two, plus one if a twin leads back.
  var links: Column<UInt32> {
    Column(
      (0..<head.count).map { edge in
        let step = Int32(bitPattern: head[edge].rawValue &- tail[edge].rawValue)
        return Varint.zigzag(step) << 1 | (twin[edge].rawValue == .max ? 0 : 1)
      })
  }

  /// Shape `[g]`, millimetres.
  var pieceLengths: Column<UInt32> {
    Column((0..<pieceEdge.count).map { lengthMM[pieceEdge[$0].index] })
  }

  /// Whether `derive` reproduces these columns from the stored ones; linear.
  public var isCanonical: Bool {
    var other = self
    do throws(GraphFault) {
      try other.derive(degree: degrees, links: links, pieceLengths: pieceLengths)
    } catch {
      return false
    }
    func same<E: Equatable>(_ path: KeyPath<RoadColumns, Column<E>>) -> Bool {
      self[keyPath: path].records.elementsEqual(other[keyPath: path].records)
    }
    return same(\.firstOut) && same(\.firstIn) && same(\.inEdge) && same(\.tail) && same(\.head)
      && same(\.twin) && same(\.lengthMM) && same(\.piece) && same(\.pieceEdge)
  }

  /// Fills the columns that follow from the arguments.
  ///
  /// - Throws: `GraphFault` if an edge leads to no node, or a twin is missing. Linear in the edges,
  ///   for nodes of usual degree.
  mutating func derive(
    degree: Column<UInt32>, links: Column<UInt32>, pieceLengths: Column<UInt32>
  ) throws(GraphFault) {
    let n = degree.count
    let m = links.count
    guard nodeLatitude.count == n else {
      throw .wrongCount(column: "node.degree", expected: nodeLatitude.count, found: n)
    }
    guard m < Int(UInt32.max) / 2 else {
      throw .wrongCount(column: "edge.link", expected: Int(UInt32.max) / 2, found: m)
    }
    var firstOut = [UInt32](repeating: 0, count: n + 1)
    var total = 0
    for node in 0..<n {
      total += Int(degree.records[node])
      guard total <= m else { break }
      firstOut[node + 1] = UInt32(total)
    }
    guard total == m else {
      throw .wrongCount(column: "edge.link", expected: total, found: m)
    }
    self.firstOut = Column(firstOut)
    try deriveEnds(links, firstOut)
    deriveEntering(nodes: n)
    try deriveTwins(links, firstOut, lengths: pieceLengths)
  }

  /// Checks the count, since numbers of edges and pieces are stored times two plus a bit and must
  /// not overflow.
  static func checkEdgeCount(_ count: Int) throws(GraphFault) {
    guard count < RoadGraph.edgeLimit else {
      throw .outOfRange(
        column: "edge.link", record: count - 1, value: UInt64(count),
        limit: UInt64(RoadGraph.edgeLimit))
    }
  }

  private mutating func deriveEnds(
    _ links: Column<UInt32>, _ firstOut: [UInt32]
  ) throws(GraphFault) {
    let n = firstOut.count - 1
    try Self.checkEdgeCount(links.count)
    var tail = [NodeID](repeating: NodeID(rawValue: 0), count: links.count)
    var head = tail
    for node in 0..<n {
      for edge in Int(firstOut[node])..<Int(firstOut[node + 1]) {
        tail[edge] = NodeID(node)
        let to =
          UInt32(truncatingIfNeeded: node)
          &+ UInt32(bitPattern: Varint.signed(links.records[edge] >> 1))
        guard to < UInt32(n) else {
          throw .outOfRange(column: "edge.link", record: edge, value: UInt64(to), limit: UInt64(n))
        }
        head[edge] = NodeID(rawValue: to)
      }
    }
    self.tail = Column(tail)
    self.head = Column(head)
  }

  private mutating func deriveEntering(nodes n: Int) {
    let m = head.count
    var first = [UInt32](repeating: 0, count: n + 1)
    for edge in 0..<m { first[head.records[edge].index + 1] += 1 }
    for node in 0..<n { first[node + 1] += first[node] }
    firstIn = Column(first)
    var entering = [EdgeID](repeating: EdgeID(rawValue: 0), count: m)
    for edge in 0..<m {
      let node = head.records[edge].index
      entering[Int(first[node])] = EdgeID(edge)
      first[node] += 1
    }
    inEdge = Column(entering)
  }

  private mutating func deriveTwins(
    _ links: Column<UInt32>, _ firstOut: [UInt32], lengths: Column<UInt32>
  ) throws(GraphFault) {
    let m = links.count
    let none = EdgeID(rawValue: .max)
    var twin = [EdgeID](repeating: none, count: m)
    var piece = [UInt32](repeating: 0, count: m)
    var lengthMM = piece
    var pieceEdge: [EdgeID] = []
    pieceEdge.reserveCapacity(lengths.count)
    for edge in 0..<m where twin[edge] == none {
      let number = pieceEdge.count
      guard number < lengths.count else {
        throw .wrongCount(column: "piece.length_mm", expected: number + 1, found: lengths.count)
      }
      pieceEdge.append(EdgeID(edge))
      piece[edge] = UInt32(number) << 1
      lengthMM[edge] = lengths.records[number]
      guard links.records[edge] & 1 == 1 else { continue }
      let from = tail.records[edge]
      let at = head.records[edge].index
      let back = (Int(firstOut[at])..<Int(firstOut[at + 1])).first {
        $0 > edge && links.records[$0] & 1 == 1 && twin[$0] == none && head.records[$0] == from
      }
      guard let back else {
        throw .outOfRange(column: "edge.link", record: edge, value: 1, limit: 1)
      }
      twin[edge] = EdgeID(back)
      twin[back] = EdgeID(edge)
      piece[back] = UInt32(number) << 1 | 1
      lengthMM[back] = lengthMM[edge]
    }
    guard pieceEdge.count == lengths.count else {
      throw .wrongCount(
        column: "piece.length_mm", expected: pieceEdge.count, found: lengths.count)
    }
    self.twin = Column(twin)
    self.piece = Column(piece)
    self.lengthMM = Column(lengthMM)
    self.pieceEdge = Column(pieceEdge)
  }
}
