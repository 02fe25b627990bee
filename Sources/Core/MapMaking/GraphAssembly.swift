import Geodesy
import RoadGraph

/// Numbers nodes, pieces and edges, and fills the columns.
struct GraphAssembly {
  let maker: GraphMaker
  let run: [UInt32]
  /// Sorted by their lower node, so that neighbours on the ground are neighbours in the file.
  let pieces: [Piece]
  var report: MakingReport
  /// Node table places of the graph's nodes, in the order of a space-filling curve.
  let nodes: [UInt32]
  /// For each place of the node table its node of the graph; `UInt32.max` for none.
  let nodeAt: [UInt32]

  /// Shape `[edges]`, sorted by tail.
  var tail: [UInt32] = []
  var head: [UInt32] = []
  /// Place of the piece times two, plus one against its points.
  var code: [UInt32] = []
  var lengthMM: [UInt32] = []
  var attribute: [UInt32] = []
  var firstOut: [UInt32] = []
  /// Shape `[pieces]`: the edges along and against each; `UInt32.max` for none.
  var along: [UInt32] = []
  var against: [UInt32] = []

  init(_ maker: consuming GraphMaker) throws(MakingFault) {
    var splitter = WaySplitter(maker)
    report = maker.report
    report.missingNodes = splitter.missingNodes
    report.waysTooShort += splitter.tooShort
    run = splitter.run
    (nodes, nodeAt) = Self.numberNodes(splitter.pieces, maker.nodes)
    pieces = Self.sorted(splitter, nodeAt: nodeAt)
    splitter = WaySplitter.empty
    self.maker = maker
    guard pieces.count < Int(UInt32.max) / 4, run.count < Int(UInt32.max) / 2 else {
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
      keyed.append((morton(table.latitude[node], table.longitude[node]), UInt32(node)))
    }
    keyed.sort { ($0.key, $0.node) < ($1.key, $1.node) }
    var nodeAt = [UInt32](repeating: .max, count: table.count)
    for (number, entry) in keyed.enumerated() { nodeAt[Int(entry.node)] = UInt32(number) }
    return (keyed.map(\.node), nodeAt)
  }

  /// The bits of both coordinates in turns (Morton, 1966).
  private static func morton(_ latitude: Int32, _ longitude: Int32) -> UInt64 {
    func spread(_ value: Int32) -> UInt64 {
      var x = UInt64(UInt32(bitPattern: value) ^ 0x8000_0000)
      x = (x | x << 16) & 0x0000_ffff_0000_ffff
      x = (x | x << 8) & 0x00ff_00ff_00ff_00ff
      x = (x | x << 4) & 0x0f0f_0f0f_0f0f_0f0f
      x = (x | x << 2) & 0x3333_3333_3333_3333
      return (x | x << 1) & 0x5555_5555_5555_5555
    }
    return spread(latitude) << 1 | spread(longitude)
  }

  private static func sorted(_ splitter: WaySplitter, nodeAt: [UInt32]) -> [Piece] {
    let pieces = splitter.pieces
    let keys = pieces.map { piece in
      let (a, b) = (nodeAt[Int(piece.from)], nodeAt[Int(piece.to)])
      return UInt64(min(a, b)) << 32 | UInt64(max(a, b))
    }
    let order = pieces.indices.sorted { (keys[$0], $0) < (keys[$1], $1) }
    return order.map { pieces[$0] }
  }

  // MARK: Edges

  private mutating func makeEdges() {
    var out = [UInt32](repeating: 0, count: nodes.count + 1)
    for piece in pieces {
      if maker.forward[Int(piece.way)] != .max { out[node(piece.from) + 1] += 1 }
      if maker.backward[Int(piece.way)] != .max { out[node(piece.to) + 1] += 1 }
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
      let way = Int(piece.way)
      if maker.forward[way] != .max {
        let edge = take(&out, piece.from)
        along[k] = UInt32(edge)
        set(edge, piece.from, piece.to, UInt32(k) << 1, length, maker.forward[way])
      }
      if maker.backward[way] != .max {
        let edge = take(&out, piece.to)
        against[k] = UInt32(edge)
        set(edge, piece.to, piece.from, UInt32(k) << 1 | 1, length, maker.backward[way])
      }
    }
  }

  func node(_ place: UInt32) -> Int { Int(nodeAt[Int(place)]) }

  private func take(_ next: inout [UInt32], _ place: UInt32) -> Int {
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

  /// The attributes that the way's tags gave an edge.
  func wayAttribute(_ edge: UInt32) -> UInt32 {
    let code = code[Int(edge)]
    let way = Int(pieces[Int(code >> 1)].way)
    return code & 1 == 0 ? maker.forward[way] : maker.backward[way]
  }

  func coordinate(_ place: UInt32) -> Coordinate {
    Coordinate(
      latitudeDeg: Double(maker.nodes.latitude[Int(place)]) / 1e7,
      longitudeDeg: Double(maker.nodes.longitude[Int(place)]) / 1e7)
  }

  /// At least 1 mm: two nodes at one place stay two, so that restrictions and references hold.
  private func lengthMM(_ piece: Piece) -> UInt32 {
    var total = 0.0
    var last = coordinate(piece.from)
    for k in piece.firstPoint..<piece.firstPoint + piece.pointCount {
      let next = coordinate(run[k])
      total += last.distanceM(to: next)
      last = next
    }
    total += last.distanceM(to: coordinate(piece.to))
    return UInt32(Double.maximum(1, Double.minimum(4e9, (total * 1000).rounded())))
  }
}
