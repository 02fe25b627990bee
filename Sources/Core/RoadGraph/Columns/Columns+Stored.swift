extension RoadColumns {
  /// All columns of `source` by name, and those derived from them; linear.
  public init<Source: ColumnSource>(from source: Source) throws(Source.Failure) {
    nodeLatitude = try source.column("node.lat", of: Int32.self)
    nodeLongitude = try source.column("node.lon", of: Int32.self)
    nodeOSM = try source.column("node.osm", of: Int64.self)
    nodeFlags = try source.column("node.flags", of: NodeFlags.self)
    let degree = try source.column("node.degree", of: UInt32.self)
    let links = try source.column("edge.link", of: UInt32.self)
    attributeIndex = try source.column("edge.attributes", of: UInt32.self)
    let lengths = try source.column("piece.length_mm", of: UInt32.self)
    pieceWay = try source.column("piece.way", of: UInt32.self)
    wayID = try source.column("way.id", of: Int64.self)
    pointBlock = try source.column("point.block", of: UInt32.self)
    pointByte = try source.column("point.byte", of: UInt8.self)
    if source.contains("point.id_block") {
      pointIDBlock = try source.column("point.id_block", of: UInt32.self)
      pointIDByte = try source.column("point.id_byte", of: UInt8.self)
    }
    attributes = try source.column("attributes", of: RoadAttributes.self)
    firstRestriction = try source.column("ban.first", of: UInt32.self)
    restrictionEdge = try source.column("ban.edge", of: EdgeID.self)
    restrictionModes = try source.column("ban.modes", of: TravelModes.self)
    firstTimedRestriction = try source.column("timed_ban.first", of: UInt32.self)
    timedRestrictionEdge = try source.column("timed_ban.edge", of: EdgeID.self)
    timedRestrictionModes = try source.column("timed_ban.modes", of: TravelModes.self)
    timedRestrictionWhen = try source.column("timed_ban.when", of: TextID.self)
    firstText = try source.column("text.first", of: UInt32.self)
    textByte = try source.column("text.byte", of: UInt8.self)
    placeLatitude = try source.column("place.lat", of: Int32.self)
    placeLongitude = try source.column("place.lon", of: Int32.self)
    placeName = try source.column("place.name", of: TextID.self)
    placeKind = try source.column("place.kind", of: TextID.self)
    junctionNode = try source.column("junction.node", of: NodeID.self)
    junctionNumber = try source.column("junction.number", of: TextID.self)
    junctionName = try source.column("junction.name", of: TextID.self)
    if source.contains("barrier.node") {
      barrierNode = try source.column("barrier.node", of: NodeID.self)
      barrierAttribute = try source.column("barrier.attributes", of: UInt32.self)
    }
    boxes = try source.column("index.box", of: IndexBox.self)
    pieceBoxes = try source.column("index.piece", of: PieceBox.self)
    do throws(GraphFault) {
      try derive(degree: degree, links: links, pieceLengths: lengths)
    } catch {
      throw source.failure(error)
    }
  }

  /// Writes every stored column to `sink` by name, always in the same order.
  ///
  /// The columns must be in the order of map making: see `isCanonical`.
  public func write<Sink: ColumnSink>(to sink: inout Sink) throws(Sink.Failure) {
    try sink.write("node.lat", nodeLatitude, .deltas)
    try sink.write("node.lon", nodeLongitude, .deltas)
    try sink.write("node.osm", nodeOSM, .deltas)
    try sink.write("node.flags", nodeFlags, .varint)
    try sink.write("node.degree", degrees, .varint)
    try sink.write("edge.link", links, .varint)
    try sink.write("edge.attributes", attributeIndex, .deltas)
    try sink.write("piece.length_mm", pieceLengths, .varint)
    try sink.write("piece.way", pieceWay, .deltas)
    try sink.write("way.id", wayID, .deltas)
    try sink.write("point.block", pointBlock, .deltas)
    try sink.write("point.byte", pointByte, .raw)
    if hasPointIDs {
      try sink.write("point.id_block", pointIDBlock, .deltas)
      try sink.write("point.id_byte", pointIDByte, .raw)
    }
    try sink.write("attributes", attributes, .rows)
    try sink.write("ban.first", firstRestriction, .deltas)
    try sink.write("ban.edge", restrictionEdge, .deltas)
    try sink.write("ban.modes", restrictionModes, .raw)
    try sink.write("timed_ban.first", firstTimedRestriction, .deltas)
    try sink.write("timed_ban.edge", timedRestrictionEdge, .deltas)
    try sink.write("timed_ban.modes", timedRestrictionModes, .raw)
    try sink.write("timed_ban.when", timedRestrictionWhen, .deltas)
    try sink.write("text.first", firstText, .deltas)
    try sink.write("text.byte", textByte, .raw)
    try sink.write("place.lat", placeLatitude, .deltas)
    try sink.write("place.lon", placeLongitude, .deltas)
    try sink.write("place.name", placeName, .deltas)
    try sink.write("place.kind", placeKind, .deltas)
    try sink.write("junction.node", junctionNode, .deltas)
    try sink.write("junction.number", junctionNumber, .deltas)
    try sink.write("junction.name", junctionName, .deltas)
    if barrierNode.count > 0 {
      try sink.write("barrier.node", barrierNode, .deltas)
      try sink.write("barrier.attributes", barrierAttribute, .varint)
    }
    try sink.write("index.box", boxes, .raw)
    try sink.write("index.piece", pieceBoxes, .raw)
  }
}
