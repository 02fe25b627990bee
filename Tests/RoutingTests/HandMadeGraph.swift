import Geodesy
import RoadGraph

/// A road graph put together piece by piece, for tests that need no drawing.
struct HandMadeGraph {
  struct Piece {
    var from: Int
    var to: Int
    var forward: RoadAttributes
    var backward: RoadAttributes?
    var points: [Coordinate] = []
    var way: Int64
  }

  var nodes: [Coordinate] = []
  var flags: [NodeFlags] = []
  var pieces: [Piece] = []
  /// Banned sequences as pairs of piece and direction.
  var restrictions: [[(piece: Int, isForward: Bool)]] = []
  var texts = [""]

  mutating func node(eastM: Double, northM: Double, _ flag: NodeFlags = []) -> Int {
    let plane = LocalPlane(origin: Coordinate(latitudeDeg: 41.15, longitudeDeg: -8.61))
    nodes.append(plane.coordinate(PlanePoint(eastM: eastM, northM: northM)))
    flags.append(flag)
    return nodes.count - 1
  }

  mutating func text(_ word: String) -> TextID {
    texts.append(word)
    return TextID(rawValue: UInt32(texts.count - 1))
  }

  @discardableResult mutating func road(
    _ from: Int, _ to: Int, kmh: UInt8 = 50, isOneWay: Bool = false,
    access: Access = .yes, flags: RoadFlags = [], roadClass: RoadClass = .residential,
    name: TextID = .empty
  ) -> Int {
    var road = RoadAttributes()
    road.carSpeedKmh = kmh
    road.truckSpeedKmh = kmh
    road.bicycleSpeedKmh = 15
    road.pedestrianSpeedKmh = 5
    road.flags = flags
    road.name = name
    road.roadClass = roadClass
    for mode in TravelMode.allCases { road.setAccess(access, for: mode) }
    if isOneWay { road.flags.insert(.oneWay) }
    pieces.append(
      Piece(
        from: from, to: to, forward: road, backward: isOneWay ? nil : road,
        way: Int64(1000 + pieces.count)))
    return pieces.count - 1
  }

  /// The graph, and the edges of each piece along and against it.
  func build() throws -> (graph: RoadGraph, edges: [(along: EdgeID, against: EdgeID?)]) {
    struct Draft {
      var tail: Int
      var head: Int
      var piece: Int
      var isForward: Bool
      var road: RoadAttributes
    }
    var drafts: [Draft] = []
    for (index, piece) in pieces.enumerated() {
      drafts.append(
        Draft(
          tail: piece.from, head: piece.to, piece: index, isForward: true, road: piece.forward))
      if let road = piece.backward {
        drafts.append(
          Draft(tail: piece.to, head: piece.from, piece: index, isForward: false, road: road))
      }
    }
    drafts.sort {
      ($0.tail, $0.piece, $0.isForward ? 0 : 1) < ($1.tail, $1.piece, $1.isForward ? 0 : 1)
    }
    var along = [Int](repeating: -1, count: pieces.count)
    var against = along
    for (index, draft) in drafts.enumerated() {
      if draft.isForward { along[draft.piece] = index } else { against[draft.piece] = index }
    }
    var columns = RoadColumns()
    columns.nodeLatitude = Column(nodes.map { Int32(($0.latitudeDeg * 1e7).rounded()) })
    columns.nodeLongitude = Column(nodes.map { Int32(($0.longitudeDeg * 1e7).rounded()) })
    columns.nodeOSM = Column(nodes.indices.map { Int64(1 + $0) })
    columns.nodeFlags = Column(flags)
    columns.firstOut = Self.firsts(drafts.map(\.tail), count: nodes.count)
    let entering = drafts.indices.sorted { (drafts[$0].head, $0) < (drafts[$1].head, $1) }
    columns.firstIn = Self.firsts(entering.map { drafts[$0].head }, count: nodes.count)
    columns.inEdge = Column(entering.map { EdgeID($0) })
    columns.tail = Column(drafts.map { NodeID($0.tail) })
    columns.head = Column(drafts.map { NodeID($0.head) })
    columns.twin = Column(
      drafts.map { draft in
        let other = draft.isForward ? against[draft.piece] : along[draft.piece]
        return EdgeID(rawValue: other < 0 ? .max : UInt32(other))
      })
    columns.lengthMM = Column(
      drafts.map { draft in
        let points =
          [nodes[pieces[draft.piece].from]] + pieces[draft.piece].points
          + [nodes[pieces[draft.piece].to]]
        return UInt32((Polyline(points).lengthM * 1000).rounded())
      })
    columns.attributes = Column(drafts.map(\.road))
    columns.attributeIndex = Column(drafts.indices.map { UInt32($0) })
    columns.piece = Column(drafts.map { UInt32($0.piece * 2 + ($0.isForward ? 0 : 1)) })
    columns.pieceEdge = Column(along.map { EdgeID($0) })
    columns.setWays(pieces.map(\.way))
    var shapes = PieceShapes()
    for piece in pieces {
      let start = nodes[piece.from]
      shapes.startPiece(
        latitudeE7: Self.e7(start.latitudeDeg), longitudeE7: Self.e7(start.longitudeDeg),
        pointCount: piece.points.count)
      for point in piece.points {
        shapes.append(
          latitudeE7: Self.e7(point.latitudeDeg), longitudeE7: Self.e7(point.longitudeDeg))
      }
    }
    shapes.finish(&columns)
    let sequences = restrictions.map { restriction in
      restriction.map { EdgeID($0.isForward ? along[$0.piece] : against[$0.piece]) }
    }.sorted { $0[0] < $1[0] }
    columns.firstRestriction = Self.sums(sequences.map(\.count))
    columns.restrictionEdge = Column(sequences.flatMap { $0 })
    columns.restrictionModes = Column(sequences.map { _ in TravelModes.all })
    columns.firstText = Self.sums(texts.map { $0.utf8.count })
    columns.textByte = Column(texts.flatMap { Array($0.utf8) })
    SpatialIndex.build(for: &columns)
    let graph = try RoadGraph(columns: columns, hash: 1)
    let edges = along.indices.map {
      (EdgeID(along[$0]), against[$0] < 0 ? nil : EdgeID(against[$0]))
    }
    return (graph, edges)
  }

  private static func e7(_ degrees: Double) -> Int32 { Int32((degrees * 1e7).rounded()) }

  private static func firsts(_ sorted: [Int], count: Int) -> Column<UInt32> {
    var counts = [Int](repeating: 0, count: count)
    for key in sorted { counts[key] += 1 }
    return sums(counts)
  }

  private static func sums(_ counts: [Int]) -> Column<UInt32> {
    var total: UInt32 = 0
    return Column(
      [0]
        + counts.map { count in
          total += UInt32(count)
          return total
        })
  }
}
