/// The columns of a road graph: what a map file stores and what map making fills.
///
/// Shapes: `n` nodes, `m` directed edges sorted by tail, `g` pieces of road (each driven one way or
/// both), `a` distinct attributes, `b` banned turns, `t` texts, `p` places, `j` junctions with a number.
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

  /// Shape `[m]`, as all of the edges' columns.
  public var tail = Column<NodeID>([])
  public var head = Column<NodeID>([])
  /// The same piece the other way; `UInt32.max` where no edge leads back.
  public var twin = Column<EdgeID>([])
  public var lengthMM = Column<UInt32>([])
  public var attributeIndex = Column<UInt32>([])
  /// Index of the piece times two, plus one where the edge runs against the piece's points.
  public var piece = Column<UInt32>([])
  public var way = Column<Int64>([])

  /// Shape `[g + 1]`: the points between the ends of piece `k` are `firstPoint[k] ..< firstPoint[k + 1]`.
  public var firstPoint = Column<UInt32>([])
  public var pointLatitude = Column<Int32>([])
  public var pointLongitude = Column<Int32>([])
  /// Shape `[g]`: an edge that runs along the piece's points, or where there is none the one against them.
  public var pieceEdge = Column<EdgeID>([])

  /// Shape `[a]`.
  public var attributes = Column<RoadAttributes>([])

  /// Shape `[b + 1]`: ban `k` forbids to drive `banEdge[firstBan[k] ..< firstBan[k + 1]]` one after the other.
  ///
  /// Two or more edges each; sorted by their first edge.
  public var firstBan = Column<UInt32>([])
  public var banEdge = Column<EdgeID>([])
  /// Shape `[b]`.
  public var banModes = Column<TravelModes>([])

  /// Shape `[t + 1]`: text `k` is the UTF-8 of `textByte[firstText[k] ..< firstText[k + 1]]`; text 0 is empty.
  public var firstText = Column<UInt32>([])
  public var textByte = Column<UInt8>([])

  /// Shape `[p]`: places that have a name.
  public var placeLatitude = Column<Int32>([])
  public var placeLongitude = Column<Int32>([])
  public var placeName = Column<TextID>([])
  public var placeKind = Column<TextID>([])

  /// Shape `[j]`, sorted: motorway junctions with their exit number and name.
  public var junctionNode = Column<NodeID>([])
  public var junctionNumber = Column<TextID>([])
  public var junctionName = Column<TextID>([])

  /// The packed Hilbert R-tree over the pieces, see `SpatialIndex`.
  public var boxes = Column<IndexBox>([])
  /// Shape `[levels]`: index of the first box of each level, leaves first.
  public var boxLevel = Column<UInt32>([])

  public init() {}
}

/// Where columns come from: a file, a test.
public protocol ColumnSource {
  associatedtype Failure: Error
  /// The column called `name`, of records of type `Element`.
  func column<Element: BitwiseCopyable>(
    _ name: String, of type: Element.Type
  ) throws(Failure) -> Column<Element>
}

/// Where columns go: a file, a checksum.
public protocol ColumnSink {
  associatedtype Failure: Error
  mutating func write<Element: BitwiseCopyable>(
    _ name: String, _ column: Column<Element>
  ) throws(Failure)
}

extension RoadColumns {
  /// All columns of `source` by their names.
  public init<Source: ColumnSource>(from source: Source) throws(Source.Failure) {
    nodeLatitude = try source.column("node.lat", of: Int32.self)
    nodeLongitude = try source.column("node.lon", of: Int32.self)
    nodeOSM = try source.column("node.osm", of: Int64.self)
    nodeFlags = try source.column("node.flags", of: NodeFlags.self)
    firstOut = try source.column("node.first_out", of: UInt32.self)
    firstIn = try source.column("node.first_in", of: UInt32.self)
    inEdge = try source.column("node.in_edge", of: EdgeID.self)
    tail = try source.column("edge.tail", of: NodeID.self)
    head = try source.column("edge.head", of: NodeID.self)
    twin = try source.column("edge.twin", of: EdgeID.self)
    lengthMM = try source.column("edge.length_mm", of: UInt32.self)
    attributeIndex = try source.column("edge.attributes", of: UInt32.self)
    piece = try source.column("edge.piece", of: UInt32.self)
    way = try source.column("edge.way", of: Int64.self)
    firstPoint = try source.column("piece.first_point", of: UInt32.self)
    pointLatitude = try source.column("point.lat", of: Int32.self)
    pointLongitude = try source.column("point.lon", of: Int32.self)
    pieceEdge = try source.column("piece.edge", of: EdgeID.self)
    attributes = try source.column("attributes", of: RoadAttributes.self)
    firstBan = try source.column("ban.first", of: UInt32.self)
    banEdge = try source.column("ban.edge", of: EdgeID.self)
    banModes = try source.column("ban.modes", of: TravelModes.self)
    firstText = try source.column("text.first", of: UInt32.self)
    textByte = try source.column("text.byte", of: UInt8.self)
    placeLatitude = try source.column("place.lat", of: Int32.self)
    placeLongitude = try source.column("place.lon", of: Int32.self)
    placeName = try source.column("place.name", of: TextID.self)
    placeKind = try source.column("place.kind", of: TextID.self)
    junctionNode = try source.column("junction.node", of: NodeID.self)
    junctionNumber = try source.column("junction.number", of: TextID.self)
    junctionName = try source.column("junction.name", of: TextID.self)
    boxes = try source.column("index.box", of: IndexBox.self)
    boxLevel = try source.column("index.level", of: UInt32.self)
  }

  /// Gives every column to `sink` by its name, always in the same order.
  public func write<Sink: ColumnSink>(to sink: inout Sink) throws(Sink.Failure) {
    try sink.write("node.lat", nodeLatitude)
    try sink.write("node.lon", nodeLongitude)
    try sink.write("node.osm", nodeOSM)
    try sink.write("node.flags", nodeFlags)
    try sink.write("node.first_out", firstOut)
    try sink.write("node.first_in", firstIn)
    try sink.write("node.in_edge", inEdge)
    try sink.write("edge.tail", tail)
    try sink.write("edge.head", head)
    try sink.write("edge.twin", twin)
    try sink.write("edge.length_mm", lengthMM)
    try sink.write("edge.attributes", attributeIndex)
    try sink.write("edge.piece", piece)
    try sink.write("edge.way", way)
    try sink.write("piece.first_point", firstPoint)
    try sink.write("point.lat", pointLatitude)
    try sink.write("point.lon", pointLongitude)
    try sink.write("piece.edge", pieceEdge)
    try sink.write("attributes", attributes)
    try sink.write("ban.first", firstBan)
    try sink.write("ban.edge", banEdge)
    try sink.write("ban.modes", banModes)
    try sink.write("text.first", firstText)
    try sink.write("text.byte", textByte)
    try sink.write("place.lat", placeLatitude)
    try sink.write("place.lon", placeLongitude)
    try sink.write("place.name", placeName)
    try sink.write("place.kind", placeKind)
    try sink.write("junction.node", junctionNode)
    try sink.write("junction.number", junctionNumber)
    try sink.write("junction.name", junctionName)
    try sink.write("index.box", boxes)
    try sink.write("index.level", boxLevel)
  }
}
