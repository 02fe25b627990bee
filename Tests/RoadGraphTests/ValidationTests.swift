import Testing

@testable import RoadGraph

/// Every index and count that a map file could have wrong.
@Suite struct ValidationTests {
  struct Damage: Sendable, CustomTestStringConvertible {
    let column: String
    let harm: @Sendable (inout RoadColumns) -> Void
    var testDescription: String { column }

    init(_ column: String, _ harm: @escaping @Sendable (inout RoadColumns) -> Void) {
      self.column = column
      self.harm = harm
    }
  }

  static let damages: [Damage] = [
    Damage("node.lon") { $0.nodeLongitude = $0.nodeLongitude.shorter() },
    Damage("node.osm") { $0.nodeOSM = $0.nodeOSM.shorter() },
    Damage("node.flags") { $0.nodeFlags = $0.nodeFlags.shorter() },
    Damage("node.first_out") { $0.firstOut = $0.firstOut.with(.max, at: 1) },
    Damage("node.first_out") { $0.firstOut = $0.firstOut.with(1, at: 0) },
    Damage("node.first_out") { $0.firstOut = $0.firstOut.shorter() },
    Damage("node.first_in") { $0.firstIn = $0.firstIn.with(.max, at: 1) },
    Damage("node.in_edge") { $0.inEdge = $0.inEdge.with(EdgeID(rawValue: .max), at: 0) },
    Damage("edge.tail") { $0.tail = $0.tail.with(NodeID(rawValue: .max), at: 0) },
    Damage("edge.tail") { $0.tail = $0.tail.shorter() },
    Damage("edge.head") { $0.head = $0.head.with(NodeID(rawValue: 60_000), at: 3) },
    Damage("edge.twin") { $0.twin = $0.twin.with(EdgeID(rawValue: .max - 1), at: 0) },
    Damage("edge.length_mm") { $0.lengthMM = $0.lengthMM.shorter() },
    Damage("edge.attributes") { $0.attributeIndex = $0.attributeIndex.with(9999, at: 2) },
    Damage("edge.piece") { $0.piece = $0.piece.with(.max, at: 0) },
    Damage("node.lat") { $0.nodeLatitude = $0.nodeLatitude.with(900_000_001, at: 0) },
    Damage("piece.way") { $0.pieceWay = $0.pieceWay.shorter() },
    Damage("piece.way") { $0.pieceWay = $0.pieceWay.with(.max, at: 0) },
    Damage("way.id") { $0.wayID = $0.wayID.with($0.wayID[0], at: 1) },
    Damage("point.block") { $0.pointBlock = $0.pointBlock.with(.max, at: 1) },
    Damage("point.block") { $0.pointBlock = $0.pointBlock.shorter() },
    Damage("point.byte") { $0.pointByte = Column($0.pointByte.records + [0]) },
    Damage("point.byte") { columns in
      let offset = columns.points(ofPiece: columns.firstPieceWithPoints).offset
      let far: [UInt8] = [0xff, 0xff, 0xff, 0xff, 0x0f]
      columns.pointByte = Column(
        Array(columns.pointByte.records[..<offset]) + far + columns.pointByte.records[offset...])
    },
    Damage("piece.edge") { $0.pieceEdge = $0.pieceEdge.with(EdgeID(rawValue: .max), at: 0) },
    Damage("ban.first") { $0.firstRestriction = Column([]) },
    Damage("ban.first") {
      $0.firstRestriction = Column([0, 1])
      $0.restrictionEdge = Column([EdgeID(0)])
      $0.restrictionModes = Column([TravelModes.all])
    },
    Damage("ban.first") {
      $0.firstRestriction = Column([0, 65])
      $0.restrictionEdge = Column([EdgeID](repeating: EdgeID(0), count: 65))
      $0.restrictionModes = Column([TravelModes.all])
    },
    Damage("ban.edge") {
      $0.firstRestriction = Column([0, 2])
      $0.restrictionEdge = Column([EdgeID(0), EdgeID(rawValue: .max)])
      $0.restrictionModes = Column([TravelModes.all])
    },
    Damage("text.first") { $0.firstText = $0.firstText.with(.max, at: 1) },
    Damage("text.first") { $0.firstText = Column([]) },
    Damage("place.lon") { $0.placeLongitude = Column($0.placeLongitude.records + [1]) },
    Damage("junction.node") {
      $0.junctionNode = Column([NodeID(rawValue: .max)])
      $0.junctionNumber = Column([TextID.empty])
      $0.junctionName = Column([TextID.empty])
    },
    Damage("junction.name") {
      $0.junctionNode = Column([NodeID(rawValue: 0)])
      $0.junctionNumber = Column([TextID.empty])
      $0.junctionName = Column([TextID(rawValue: .max)])
    },
    Damage("attributes") { columns in
      var wrong = columns.attributes[0]
      wrong.name = TextID(rawValue: .max)
      columns.attributes = columns.attributes.with(wrong, at: 0)
    },
    Damage("index.box") { $0.boxes = $0.boxes.shorter() },
    Damage("index.piece") { $0.pieceBoxes = $0.pieceBoxes.shorter() },
  ]

  @Test func `columns that hold together make a graph`() throws {
    let graph = try RandomMap.graph(seed: 1)
    _ = try RoadGraph(columns: graph.columns, hash: 7)
    let empty = Self.empty()
    #expect(try RoadGraph(columns: empty, hash: 0).boundingBox == nil)
  }

  @Test(arguments: damages)
  func `damage is refused by the name of its column`(damage: Damage) throws {
    var damaged = try RandomMap.graph(seed: 1).columns
    damage.harm(&damaged)
    let columns = damaged
    let fault = #expect(throws: GraphFault.self) {
      _ = try RoadGraph(columns: columns, hash: 0)
    }
    #expect(fault?.column == damage.column)
    #expect(fault?.description.contains(damage.column) == true)
  }

  @Test func `a graph whose edges cannot be reported in 32 bits with one more is refused`() throws {
    try RoadColumns.checkEdgeCount(1 << 31 - 1)
    for count in [1 << 31, 1 << 31 + 1, 1 << 32] {
      let fault = #expect(throws: GraphFault.self) { try RoadColumns.checkEdgeCount(count) }
      #expect(fault?.description.contains("\(count) is not below 2147483648") == true)
    }
  }

  private static func empty() -> RoadColumns {
    var columns = RoadColumns()
    for path in [\RoadColumns.firstOut, \.firstIn, \.pointBlock, \.firstRestriction] {
      columns[keyPath: path] = Column([0])
    }
    columns.firstText = Column([0, 0])
    return columns
  }
}

extension GraphFault {
  fileprivate var column: String {
    switch self {
    case .wrongCount(let column, _, _), .outOfRange(let column, _, _, _),
      .notAscending(let column, _), .repeated(let column, _):
      column
    }
  }
}

extension RoadColumns {
  fileprivate var firstPieceWithPoints: Int {
    (0..<pieceEdge.count).first { pointCount(ofPiece: $0) > 0 } ?? 0
  }
}

extension Column {
  fileprivate func shorter() -> Column { Column(Array(records.dropLast())) }

  fileprivate func with(_ record: Element, at index: Int) -> Column {
    var all = Array(records)
    all[index] = record
    return Column(all)
  }
}
