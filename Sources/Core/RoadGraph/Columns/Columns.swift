/// The columns of a road graph in the form that a search uses: the stored ones of a map file, and
/// the derived ones.
///
/// Shapes: `n` nodes, `m` directed edges sorted by tail, `g` pieces of road (each driven one way or
/// both), `w` ways, `a` distinct attributes, `b` forbidden turns, `t` texts, `p` places, `j`
/// junctions with a number.
public struct RoadColumns: Sendable {
  /// Degrees times 10^7, shape `[n]`.
  public var nodeLatitude = Column<Int32>([])
  public var nodeLongitude = Column<Int32>([])
  public var nodeOSM = Column<Int64>([])
  public var nodeFlags = Column<NodeFlags>([])
  /// Shape `[n + 1]`: the edges leaving node `v` are `firstOut[v] ..< firstOut[v + 1]`.
  public var firstOut = Column<UInt32>([])
  /// Shape `[n + 1]`: the edges entering node `v` are `inEdge[firstIn[v] ..< firstIn[v + 1]]`.
  public var firstIn = Column<UInt32>([])
  public var inEdge = Column<EdgeID>([])

  /// Shape `[m]`, like all columns of edges.
  public var tail = Column<NodeID>([])
  public var head = Column<NodeID>([])
  /// The same piece in the other direction; `UInt32.max` if no edge leads back.
  public var twin = Column<EdgeID>([])
  public var lengthMM = Column<UInt32>([])
  public var attributeIndex = Column<UInt32>([])
  /// Index of the piece times two, plus one if the edge runs against the piece's points.
  public var piece = Column<UInt32>([])

  /// Shape `[g]`: the edge along the piece's points.
  public var pieceEdge = Column<EdgeID>([])
  /// Shape `[g]`: index into `wayID`.
  public var pieceWay = Column<UInt32>([])
  /// Shape `[w]`, ascending: OSM ids of the ways.
  public var wayID = Column<Int64>([])
  /// Points between the ends of pieces, coded: see `PieceShapes`.
  public var pointByte = Column<UInt8>([])
  /// Shape `[(g + 3) / 4 + 1]`: the points of pieces `4 k` to `4 k + 3` are
  /// `pointByte[pointBlock[k] ..< pointBlock[k + 1]]`.
  public var pointBlock = Column<UInt32>([])
  /// OSM ids of these points, coded: see `PieceNodes`; empty if the map has none.
  public var pointIDByte = Column<UInt8>([])
  /// Shape `[(g + 3) / 4 + 1]` like `pointBlock`, or empty.
  public var pointIDBlock = Column<UInt32>([])

  /// Shape `[a]`.
  public var attributes = Column<RoadAttributes>([])

  /// Shape `[b + 1]`: turn restriction `k` forbids to drive `restrictionEdge[firstRestriction[k]
  /// ..< firstRestriction[k + 1]]` in sequence.
  ///
  /// Each has two or more edges; sorted by their first edge.
  public var firstRestriction = Column<UInt32>([])
  public var restrictionEdge = Column<EdgeID>([])
  /// Shape `[b]`.
  public var restrictionModes = Column<TravelModes>([])

  /// Time-dependent turn restrictions, like the others; shape `[c + 1]`, edges, `[c]` and `[c]`.
  public var firstTimedRestriction = Column<UInt32>([0])
  public var timedRestrictionEdge = Column<EdgeID>([])
  public var timedRestrictionModes = Column<TravelModes>([])
  /// The condition, in the syntax of `OpeningHours.Condition`.
  public var timedRestrictionWhen = Column<TextID>([])

  /// Shape `[t + 1]`: text `k` is the UTF-8 of `textByte[firstText[k] ..< firstText[k + 1]]`; text
  /// 0 is empty.
  public var firstText = Column<UInt32>([])
  public var textByte = Column<UInt8>([])

  /// Shape `[p]`: places with a name.
  public var placeLatitude = Column<Int32>([])
  public var placeLongitude = Column<Int32>([])
  public var placeName = Column<TextID>([])
  public var placeKind = Column<TextID>([])

  /// Shape `[j]`, sorted: motorway junctions with their exit number and name.
  public var junctionNode = Column<NodeID>([])
  public var junctionNumber = Column<TextID>([])
  public var junctionName = Column<TextID>([])

  /// Shape `[k]`, ascending: nodes with a barrier that not all modes may pass, or a sign that
  /// limits sizes.
  public var barrierNode = Column<NodeID>([])
  /// Shape `[k]`: index into `attributes` of the barrier as a road of zero length.
  public var barrierAttribute = Column<UInt32>([])

  /// The packed R-tree over the pieces, see `SpatialIndex`: boxes around 16 pieces, around 16 of
  /// these, up to one.
  public var boxes = Column<IndexBox>([])
  /// Shape `[g]`: each piece's box relative to that of its group of sixteen.
  public var pieceBoxes = Column<PieceBox>([])

  /// Restrictions over more edges than this are left out, since no turn is that long.
  public static let mostRestrictionEdges = 64

  public init() {}

  /// OSM id of the way that an edge belongs to.
  // Always inlined, like all accessors of single edges: a call would copy the columns' hundreds of
  // bytes.
  @inlinable @inline(__always) public func way(_ edge: EdgeID) -> Int64 {
    wayID[Int(pieceWay[Int(piece[edge.index] >> 1)])]
  }

  /// Sets the ways of the pieces by their OSM ids.
  public mutating func setWays(_ ofPiece: [Int64]) {
    let ids = Set(ofPiece).sorted()
    var place: [Int64: UInt32] = [:]
    for (k, id) in ids.enumerated() { place[id] = UInt32(k) }
    wayID = Column(ids)
    pieceWay = Column(ofPiece.map { place[$0] ?? 0 })
  }
}

/// A source of columns: a file, a test.
public protocol ColumnSource {
  associatedtype Failure: Error
  /// The column named `name`, with records of type `Element`.
  func column<Element: BitwiseCopyable>(
    _ name: String, of type: Element.Type
  ) throws(Failure) -> Column<Element>
  /// Whether there is a column named `name`; used for columns that a map may lack.
  func contains(_ name: String) -> Bool
  /// The source's own error for inconsistent columns.
  func failure(_ fault: GraphFault) -> Failure
}

/// A destination of columns: a file, a checksum.
public protocol ColumnSink {
  associatedtype Failure: Error
  mutating func write<Element: BitwiseCopyable>(
    _ name: String, _ column: Column<Element>, _ coding: ColumnCoding
  ) throws(Failure)
}
