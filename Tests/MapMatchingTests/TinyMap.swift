import Geodesy
import RoadGraph

/// A map of straight roads in metres east and north of one place, for maps that are generated.
///
/// A `DrawnMap` reads better where the map is fixed.
struct TinyMap {
  struct Road {
    var from: Int
    var to: Int
    var isOneWay: Bool
    var attributes: RoadAttributes
  }

  static let plane = LocalPlane(origin: Coordinate(latitudeDeg: 47.1, longitudeDeg: 9.5))

  var places: [PlanePoint] = []
  var roads: [Road] = []

  mutating func node(_ eastM: Double, _ northM: Double) -> Int {
    places.append(PlanePoint(eastM: eastM, northM: northM))
    return places.count - 1
  }

  /// Adds a road with a way id of its own, which is 100 plus its number.
  mutating func road(
    _ from: Int, _ to: Int, oneWay: Bool = false, speedKmh: UInt8 = 50,
    class roadClass: RoadClass = .residential, layer: Int8 = 0, flags: RoadFlags = [],
    modes: [TravelMode] = TravelMode.allCases
  ) {
    var attributes = RoadAttributes()
    attributes.roadClass = roadClass
    attributes.carSpeedKmh = speedKmh
    attributes.truckSpeedKmh = speedKmh
    attributes.bicycleSpeedKmh = 18
    attributes.pedestrianSpeedKmh = 5
    attributes.layer = layer
    attributes.flags = flags.union(oneWay ? .oneWay : [])
    for mode in modes { attributes.setAccess(.yes, for: mode) }
    roads.append(Road(from: from, to: to, isOneWay: oneWay, attributes: attributes))
  }

  /// Adds a road from each of `nodes` to the next one.
  mutating func line(_ nodes: [Int], oneWay: Bool = false, speedKmh: UInt8 = 50) {
    for (a, b) in zip(nodes, nodes.dropFirst()) { road(a, b, oneWay: oneWay, speedKmh: speedKmh) }
  }

  static func coordinate(_ eastM: Double, _ northM: Double) -> Coordinate {
    plane.coordinate(PlanePoint(eastM: eastM, northM: northM))
  }

  func graph() throws -> RoadGraph {
    var edges: [(tail: Int, head: Int, road: Int, isReversed: Bool)] = []
    for (index, road) in roads.enumerated() {
      edges.append((road.from, road.to, index, false))
      if !road.isOneWay { edges.append((road.to, road.from, index, true)) }
    }
    edges.sort { ($0.tail, $0.road, $0.head) < ($1.tail, $1.road, $1.head) }
    var columns = RoadColumns()
    let coordinates = places.map { Self.plane.coordinate($0) }
    columns.nodeLatitude = Column(coordinates.map { Int32(($0.latitudeDeg * 1e7).rounded()) })
    columns.nodeLongitude = Column(coordinates.map { Int32(($0.longitudeDeg * 1e7).rounded()) })
    columns.nodeOSM = Column(places.indices.map { Int64($0) })
    columns.nodeFlags = Column(places.map { _ in NodeFlags() })
    columns.firstOut = Column(
      (0...places.count).map { node in UInt32(edges.count { $0.tail < node }) })
    let entering = edges.indices.sorted { (edges[$0].head, $0) < (edges[$1].head, $1) }
    columns.firstIn = Column(
      (0...places.count).map { node in UInt32(edges.count { $0.head < node }) })
    columns.inEdge = Column(entering.map { EdgeID($0) })
    columns.tail = Column(edges.map { NodeID($0.tail) })
    columns.head = Column(edges.map { NodeID($0.head) })
    columns.twin = Column(
      edges.map { edge in
        edges.firstIndex { $0.road == edge.road && $0.isReversed != edge.isReversed }
          .map { EdgeID($0) } ?? EdgeID(rawValue: .max)
      })
    columns.lengthMM = Column(
      edges.map { UInt32((places[$0.tail].distanceM(to: places[$0.head]) * 1000).rounded()) })
    columns.attributeIndex = Column(edges.map { UInt32($0.road) })
    columns.piece = Column(edges.map { UInt32($0.road * 2 + ($0.isReversed ? 1 : 0)) })
    columns.pieceEdge = Column(
      roads.indices.map { road in
        EdgeID(edges.firstIndex { $0.road == road && !$0.isReversed } ?? 0)
      })
    columns.setWays(roads.indices.map { Int64(100 + $0) })
    var shapes = PieceShapes()
    for _ in roads { shapes.startPiece(latitudeE7: 0, longitudeE7: 0, pointCount: 0) }
    shapes.finish(&columns)
    columns.attributes = Column(roads.map(\.attributes))
    columns.firstRestriction = Column([0])
    columns.firstText = Column([0, 0])
    SpatialIndex.build(for: &columns)
    return try RoadGraph(columns: columns, hash: 1)
  }
}
