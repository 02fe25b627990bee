import Geodesy
import RoadGraph

/// Numbers nodes, pieces and edges, and fills the columns.
struct GraphAssembly {
  /// The data read from the objects; data that the edges no longer need is released on the way.
  private(set) var maker: GraphMaker
  let sides: DrivingSideDetector
  let run: [UInt32]
  /// Sorted by their lowest edges, so that neighbours on the ground are neighbours in the file.
  let pieces: [Piece]
  var report: MapMakingReport
  /// Node table places of the graph's nodes, in the order of a space-filling curve.
  let nodes: [UInt32]
  /// For each place of the node table its node of the graph; `UInt32.max` for none.
  let nodeAt: [UInt32]

  /// Shape `[edges]`, sorted by tail.
  var tail: [UInt32] = []
  var head: [UInt32] = []
  /// Place of the piece times two, plus one if against its points.
  var code: [UInt32] = []
  var lengthMM: [UInt32] = []
  var attribute: [UInt32] = []
  var firstOut: [UInt32] = []
  /// Shape `[pieces]`: the edges along and against each; `UInt32.max` for none.
  var along: [UInt32] = []
  var against: [UInt32] = []

  init(_ maker: consuming GraphMaker) throws(MapMakingFault) {
    guard maker.references.count < Int(UInt32.max) / 2 else {
      throw .tooLarge(column: "points", count: maker.references.count)
    }
    var splitter = WaySplitter(maker)
    report = maker.report
    report.missingNodes = splitter.missingNodes
    report.waysTooShort += splitter.tooShort
    run = splitter.run
    (nodes, nodeAt) = Self.numberNodes(splitter.pieces, maker.nodes)
    pieces = Self.sorted(splitter.movePieces(), maker, nodeAt: nodeAt)
    sides = DrivingSideDetector(maker)
    maker.forgetReferences()
    self.maker = maker
    guard pieces.count < Int(UInt32.max) / 4 else {
      throw .tooLarge(column: "pieces", count: pieces.count)
    }
    makeEdges()
  }

  private static func numberNodes(
    _ pieces: [Piece], _ table: NodeTable
  ) -> (nodes: [UInt32], nodeAt: [UInt32]) {
    var isEnd = [Bool](repeating: false, count: table.count)
    for piece in pieces {
      isEnd[Int(piece.from)] = true
      isEnd[Int(piece.to)] = true
    }
    var keyed: [(key: UInt64, node: UInt32)] = []
    for node in isEnd.indices where isEnd[node] {
      keyed.append((place(table.latitude[node], table.longitude[node]), UInt32(node)))
    }
    keyed.sort { ($0.key, $0.node) < ($1.key, $1.node) }
    var nodeAt = [UInt32](repeating: .max, count: table.count)
    for (number, entry) in keyed.enumerated() { nodeAt[Int(entry.node)] = UInt32(number) }
    return (keyed.map(\.node), nodeAt)
  }

  /// The position of a node on a Hilbert curve around the globe.
  private static func place(_ latitude: Int32, _ longitude: Int32) -> UInt64 {
    SpatialIndex.hilbert(
      x: UInt32(bitPattern: longitude) ^ 0x8000_0000,
      y: UInt32(bitPattern: latitude) ^ 0x8000_0000)
  }

  /// Each piece in the direction of its lowest edge, sorted by that edge.
  ///
  /// Twins, lengths and pieces of edges then follow from the order, and a map file does not need to
  /// store them.
  private static func sorted(
    _ found: consuming [Piece], _ maker: borrowing GraphMaker, nodeAt: [UInt32]
  ) -> [Piece] {
    var pieces = found
    for k in pieces.indices {
      let piece = pieces[k]
      let isTurned =
        maker.forward[Int(piece.way)] == .max
        || (maker.backward[Int(piece.way)] != .max
          && nodeAt[Int(piece.to)] < nodeAt[Int(piece.from)])
      if isTurned { pieces[k] = piece.turned }
    }
    // Pieces between the same nodes keep the order of their points, as their ways were added.
    func key(_ piece: Piece) -> (UInt32, UInt32, UInt32) {
      (nodeAt[Int(piece.from)], nodeAt[Int(piece.to)], piece.firstPoint)
    }
    pieces.sort { key($0) < key($1) }
    return pieces
  }

  // MARK: Letting go

  /// Moves the texts out, since a copy would double them as soon as one is added.
  mutating func moveTexts() -> TextTable {
    let texts = maker.texts
    maker.texts = TextTable()
    return texts
  }

  /// Releases the data that only details and turn restrictions need, before shapes and the index
  /// are made.
  mutating func forgetDetails() {
    maker.forgetDetails()
    (tail, head, code, lengthMM, attribute, firstOut, against) = ([], [], [], [], [], [], [])
  }

  // MARK: Edges

  private mutating func makeEdges() {
    var out = [UInt32](repeating: 0, count: nodes.count + 1)
    for piece in pieces {
      out[node(piece.from) + 1] += 1
      if attributeAgainst(piece) != .max { out[node(piece.to) + 1] += 1 }
    }
    for k in 0..<nodes.count { out[k + 1] += out[k] }
    firstOut = out
    let count = Int(out[nodes.count])
    for column in [\Self.tail, \.head, \.code, \.lengthMM, \.attribute] {
      self[keyPath: column] = Array(repeating: 0, count: count)
    }
    along = Array(repeating: .max, count: pieces.count)
    against = along
    for (k, piece) in pieces.enumerated() {
      let length = lengthMM(piece)
      let edge = nextEdge(&out, piece.from)
      along[k] = UInt32(edge)
      set(edge, piece.from, piece.to, UInt32(k) << 1, length, attributeAlong(piece))
      guard attributeAgainst(piece) != .max else { continue }
      let back = nextEdge(&out, piece.to)
      against[k] = UInt32(back)
      set(back, piece.to, piece.from, UInt32(k) << 1 | 1, length, attributeAgainst(piece))
    }
  }

  private func attributeAlong(_ piece: Piece) -> UInt32 {
    piece.isReversed ? maker.backward[Int(piece.way)] : maker.forward[Int(piece.way)]
  }

  /// The attributes against the piece; `UInt32.max` if no edge leads back.
  private func attributeAgainst(_ piece: Piece) -> UInt32 {
    piece.isReversed ? maker.forward[Int(piece.way)] : maker.backward[Int(piece.way)]
  }

  func node(_ place: UInt32) -> Int { Int(nodeAt[Int(place)]) }

  private func nextEdge(_ next: inout [UInt32], _ place: UInt32) -> Int {
    let edge = next[node(place)]
    next[node(place)] += 1
    return Int(edge)
  }

  private mutating func set(
    _ edge: Int, _ from: UInt32, _ to: UInt32, _ code: UInt32, _ length: UInt32,
    _ attribute: UInt32
  ) {
    tail[edge] = nodeAt[Int(from)]
    head[edge] = nodeAt[Int(to)]
    self.code[edge] = code
    lengthMM[edge] = length
    self.attribute[edge] = attribute
  }

  /// The attributes of an edge from the way's tags.
  func wayAttribute(_ edge: UInt32) -> UInt32 {
    let code = code[Int(edge)]
    let piece = pieces[Int(code >> 1)]
    return code & 1 == 0 ? attributeAlong(piece) : attributeAgainst(piece)
  }

  func coordinate(_ place: UInt32) -> Coordinate {
    Coordinate(
      latitudeDeg: Double(maker.nodes.latitude[Int(place)]) / 1e7,
      longitudeDeg: Double(maker.nodes.longitude[Int(place)]) / 1e7)
  }

  /// At least 1 mm: two nodes at the same place stay separate, so that restrictions and references
  /// remain valid.
  private func lengthMM(_ piece: Piece) -> UInt32 {
    var total = 0.0
    var last = coordinate(piece.from)
    for k in piece.points {
      let next = coordinate(run[k])
      total += last.distanceM(to: next)
      last = next
    }
    total += last.distanceM(to: coordinate(piece.to))
    return UInt32(Double.maximum(1, Double.minimum(4e9, (total * 1000).rounded())))
  }
}
