public import Foundations
public import Geodesy

/// A road network in flat columns: directed edges between nodes, with their shapes and attributes.
///
/// Immutable and shared; it is a class so that passing it costs one reference. Searches keep what
/// they use in local variables: `let head = graph.columns.head`.
public final class RoadGraph: Sendable {
  public let columns: RoadColumns
  /// Hash over all columns, without `order` and `dataTime`.
  ///
  /// Two maps with equal hashes have the same roads, places and rules.
  public let hash: UInt64
  public let nodeCount: Int
  public let edgeCount: Int
  /// Upper limit of the number of edges: an edge id and one flag share 32 bits.
  public static let edgeLimit = 1 << 31
  public let pieceCount: Int
  /// The order in which a hierarchy eliminates the edges; empty if the map has none.
  ///
  /// Every order gives the same routes, so it is not part of the content that `hash` covers.
  public let order: Column<EdgeID>
  /// The time of the OSM data from which the map was made; nil if it is unknown.
  ///
  /// With several data files, it is the oldest time. It is not part of the content that `hash`
  /// covers.
  public let dataTime: Instant?
  /// The box around all nodes; nil for a map without roads.
  public let boundingBox: BoundingBox?
  /// Where each level of the index over pieces begins.
  let indexLevels: [Int]

  /// A graph over consistent columns.
  ///
  /// - Throws: `GraphFault` for the first index, count or order that is inconsistent. Linear in the
  ///   columns.
  public init(
    columns: RoadColumns, hash: UInt64, order: Column<EdgeID> = Column([]),
    dataTime: Instant? = nil
  ) throws(GraphFault) {
    try Self.validate(order, count: columns.head.count)
    try columns.validate()
    self.columns = columns
    self.hash = hash
    self.order = order
    self.dataTime = dataTime
    nodeCount = columns.nodeLatitude.count
    edgeCount = columns.head.count
    pieceCount = columns.pieceEdge.count
    boundingBox = SpatialIndex.bounds(of: columns)
    indexLevels = SpatialIndex.levels(pieces: columns.pieceEdge.count)
  }

  private static func validate(_ order: Column<EdgeID>, count: Int) throws(GraphFault) {
    let name = "hierarchy.order"
    guard order.count > 0 else { return }
    guard order.count == count else {
      throw .wrongCount(column: name, expected: count, found: order.count)
    }
    var isNamed = [Bool](repeating: false, count: count)
    for (place, edge) in order.records.enumerated() {
      guard edge.index < count else {
        throw .outOfRange(
          column: name, record: place, value: UInt64(edge.rawValue), limit: UInt64(count))
      }
      guard !isNamed[edge.index] else { throw .repeated(column: name, record: place) }
      isNamed[edge.index] = true
    }
  }

  /// Whether a place lies on the map or at most 20 km beyond its edge.
  ///
  /// Farther away no road is known because the map ends, and not because there is none.
  public func reaches(_ place: Coordinate) -> Bool {
    boundingBox?.expanded(byM: 20_000).contains(place) ?? false
  }

  // MARK: Topology

  /// The edges that leave `node`.
  @inlinable public func edges(leaving node: NodeID) -> EdgeRange {
    EdgeRange(
      lower: columns.firstOut[node.index], upper: columns.firstOut[node.index + 1])
  }

  /// The edges that enter `node`.
  @inlinable public func edges(entering node: NodeID) -> InEdges {
    InEdges(
      graph: self, lower: Int(columns.firstIn[node.index]),
      upper: Int(columns.firstIn[node.index + 1]))
  }

  @inlinable public func head(_ edge: EdgeID) -> NodeID { columns.head[edge.index] }
  @inlinable public func tail(_ edge: EdgeID) -> NodeID { columns.tail[edge.index] }

  /// The edge along the same piece of road in the other direction; nil if no mode may use that.
  @inlinable public func twin(_ edge: EdgeID) -> EdgeID? {
    let twin = columns.twin[edge.index]
    return twin.rawValue == .max ? nil : twin
  }

  // MARK: Edges

  @inlinable public func lengthM(_ edge: EdgeID) -> Double {
    Double(columns.lengthMM[edge.index]) / 1000
  }

  @inlinable public func attributes(_ edge: EdgeID) -> RoadAttributes {
    columns.attributes[Int(columns.attributeIndex[edge.index])]
  }

  @inlinable public func text(_ id: TextID) -> String {
    let lower = Int(columns.firstText[Int(id.rawValue)])
    let upper = Int(columns.firstText[Int(id.rawValue) + 1])
    return String(decoding: columns.textByte.records[lower..<upper], as: UTF8.self)
  }

  /// The state in which a road lies: its name, and its ISO 3166-2 code if the map contains it.
  ///
  /// Both are lines of one text: the name, then the code.
  public func state(_ road: RoadAttributes) -> (name: String, code: String?)? {
    let lines = text(road.stateName).split(separator: "\n").map(String.init)
    guard let name = lines.first else { return nil }
    return (name, lines.count > 1 ? lines[1] : nil)
  }

  /// The name of the road; nil if it has none.
  public func name(_ edge: EdgeID) -> String? {
    let id = attributes(edge).name
    return id.isEmpty ? nil : text(id)
  }

  public func reference(_ edge: EdgeID) -> SegmentReference {
    SegmentReference(
      way: columns.way(edge), from: columns.nodeOSM[tail(edge).index],
      to: columns.nodeOSM[head(edge).index])
  }

  // MARK: Geometry

  public func coordinate(_ node: NodeID) -> Coordinate {
    Coordinate(
      latitudeDeg: Double(columns.nodeLatitude[node.index]) / 1e7,
      longitudeDeg: Double(columns.nodeLongitude[node.index]) / 1e7)
  }

  /// The edge's points in its direction, including the ends: at least two.
  public func shape(_ edge: EdgeID) -> [Coordinate] {
    var points: [Coordinate] = []
    forEachPoint(edge) { points.append($0) }
    return points
  }

  /// Calls `body` with the edge's points in its direction, including the ends.
  public func forEachPoint(_ edge: EdgeID, _ body: (Coordinate) -> Void) {
    // Bit 0 is set if the edge runs against the points of its piece.
    let code = columns.piece[edge.index]
    let piece = Int(code >> 1)
    body(coordinate(tail(edge)))
    if code & 1 == 0 {
      columns.forEachPoint(ofPiece: piece) { body(Self.coordinate($0, $1)) }
    } else {
      forEachPointReversed(ofPiece: piece, body)
    }
    body(coordinate(head(edge)))
  }

  private func forEachPointReversed(ofPiece piece: Int, _ body: (Coordinate) -> Void) {
    let count = columns.pointCount(ofPiece: piece)
    guard count > 0 else { return }
    withUnsafeTemporaryAllocation(of: (Int32, Int32).self, capacity: count) { points in
      var next = count
      columns.forEachPoint(ofPiece: piece) { latitude, longitude in
        next -= 1
        points.initializeElement(at: next, to: (latitude, longitude))
      }
      for (latitude, longitude) in points { body(Self.coordinate(latitude, longitude)) }
    }
  }

  static func coordinate(_ latitudeE7: Int32, _ longitudeE7: Int32) -> Coordinate {
    Coordinate(
      latitudeDeg: Double(latitudeE7) / 1e7, longitudeDeg: Double(longitudeE7) / 1e7)
  }

  /// The coordinate of a position on the edge's shape.
  public func coordinate(_ position: RoadPosition) -> Coordinate {
    let line = Polyline(shape(position.edge))
    return line.coordinate(atM: position.offsetM * scale(of: line, edge: position.edge))
      ?? coordinate(tail(position.edge))
  }

  /// The direction of travel at a position, clockwise from north.
  public func bearingDeg(_ position: RoadPosition) -> Double {
    let line = Polyline(shape(position.edge))
    return line.bearingDeg(atM: position.offsetM * scale(of: line, edge: position.edge)) ?? 0
  }

  // Stored lengths are rounded to the millimetre, so the newly measured shape may differ slightly.
  private func scale(of line: Polyline, edge: EdgeID) -> Double {
    let stored = lengthM(edge)
    return stored > 0 ? line.lengthM / stored : 1
  }

  // MARK: Turns

  /// The turn restrictions whose first edge is `edge`, as indices into the columns of
  /// restrictions.
  ///
  /// Logarithmic in the number of restrictions.
  public func restrictions(startingAt edge: EdgeID) -> Range<Int> {
    let lower = partition { columns.restrictionEdge[Int(columns.firstRestriction[$0])] >= edge }
    let upper = partition { columns.restrictionEdge[Int(columns.firstRestriction[$0])] > edge }
    return lower..<upper
  }

  private func partition(where isBeyond: (Int) -> Bool) -> Int {
    var low = 0
    var high = columns.restrictionModes.count
    while low < high {
      let middle = (low + high) / 2
      if isBeyond(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// The sequence of edges that turn restriction `index` forbids, two or more.
  public func restrictedSequence(_ index: Int) -> [EdgeID] {
    let lower = Int(columns.firstRestriction[index])
    let upper = Int(columns.firstRestriction[index + 1])
    return Array(columns.restrictionEdge.records[lower..<upper])
  }

  /// The sequence of edges that turn restriction `index` of the time-dependent ones forbids at times.
  public func timedRestrictedSequence(_ index: Int) -> [EdgeID] {
    let lower = Int(columns.firstTimedRestriction[index])
    let upper = Int(columns.firstTimedRestriction[index + 1])
    return Array(columns.timedRestrictionEdge.records[lower..<upper])
  }

  /// The access restrictions at `node`, as a road of zero length; nil if there are none.
  ///
  /// Logarithmic in the barriers.
  public func barrier(at node: NodeID) -> RoadAttributes? {
    columns.barrierNode.index(of: node).map {
      columns.attributes[Int(columns.barrierAttribute[$0])]
    }
  }

  /// Number, name and exit destinations (separated by `;`) of the motorway junction at `node`; nil
  /// if it is none.
  ///
  /// The columns store the name and the destinations as two lines of one text.
  public func junction(_ node: NodeID) -> (number: String, name: String, exitTo: String)? {
    guard let place = columns.junctionNode.index(of: node) else { return nil }
    let name = text(columns.junctionName[place])
    let end = name.firstIndex(of: "\n") ?? name.endIndex
    let exitTo = String(name[end...].dropFirst())
    return (text(columns.junctionNumber[place]), String(name[..<end]), exitTo)
  }
}

/// The edges that leave one node; consecutive ids.
@frozen
public struct EdgeRange: RandomAccessCollection, Sendable {
  public let lower: UInt32
  public let upper: UInt32

  @inlinable init(lower: UInt32, upper: UInt32) {
    self.lower = lower
    self.upper = upper
  }

  @inlinable public var startIndex: Int { Int(lower) }
  @inlinable public var endIndex: Int { Int(upper) }
  @inlinable public subscript(index: Int) -> EdgeID { EdgeID(index) }
}

/// The edges that enter one node.
public struct InEdges: RandomAccessCollection, Sendable {
  @usableFromInline let graph: RoadGraph
  public let startIndex: Int
  public let endIndex: Int

  @inlinable init(graph: RoadGraph, lower: Int, upper: Int) {
    self.graph = graph
    self.startIndex = lower
    self.endIndex = upper
  }

  @inlinable public subscript(index: Int) -> EdgeID { graph.columns.inEdge[index] }
}
