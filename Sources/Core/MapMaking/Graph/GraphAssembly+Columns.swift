import RoadGraph

extension GraphAssembly {
  /// The columns of the finished map.
  mutating func finish() throws(MapMakingFault) -> MapMakingResult {
    var texts = moveTexts()
    var table = AttributeTable()
    let finalAttributes = EdgeDetails(self).apply(to: self, table: &table, texts: &texts, &report)
    attribute = finalAttributes
    let restrictions = TurnRestrictionMaker(self).make(&report)
    report.nodes = nodes.count
    report.edges = tail.count
    report.pieces = pieces.count
    report.bans = restrictions.always.modes.count
    report.timedBans = restrictions.timed.modes.count
    var columns = RoadColumns()
    fillNodes(&columns)
    fillEdges(&columns)
    fillBarriers(&columns, &table)
    columns.attributes = Column(table.records)
    columns.firstRestriction = Column(restrictions.always.first)
    columns.restrictionEdge = Column(restrictions.always.edges)
    columns.restrictionModes = Column(restrictions.always.modes)
    columns.firstTimedRestriction = Column(restrictions.timed.first)
    columns.timedRestrictionEdge = Column(restrictions.timed.edges)
    columns.timedRestrictionModes = Column(restrictions.timed.modes)
    columns.timedRestrictionWhen = Column(restrictions.timed.when.map { texts.id($0) })
    columns.firstText = Column(texts.first)
    columns.textByte = Column(texts.bytes)
    (texts, table) = (TextTable(), AttributeTable())
    fillPointIDs(&columns)
    forgetDetails()
    fillPieces(&columns)
    fillPlaces(&columns)
    SpatialIndex.build(for: &columns)
    return MapMakingResult(columns: columns, hash: ContentHash.hash(columns), report: report)
  }

  private func fillNodes(_ columns: inout RoadColumns) {
    let table = maker.nodes
    columns.nodeLatitude = Column(nodes.map { table.latitude[Int($0)] })
    columns.nodeLongitude = Column(nodes.map { table.longitude[Int($0)] })
    columns.nodeOSM = Column(nodes.map { table.ids[Int($0)] })
    columns.nodeFlags = Column(nodes.map { table.tags(Int($0))?.flags ?? [] })
    columns.firstOut = Column(firstOut)
    var firstIn = [UInt32](repeating: 0, count: nodes.count + 1)
    for node in head { firstIn[Int(node) + 1] += 1 }
    for k in 0..<nodes.count { firstIn[k + 1] += firstIn[k] }
    var next = firstIn
    var inEdge = [EdgeID](repeating: EdgeID(rawValue: 0), count: head.count)
    for (edge, node) in head.enumerated() {
      inEdge[Int(next[Int(node)])] = EdgeID(edge)
      next[Int(node)] += 1
    }
    columns.firstIn = Column(firstIn)
    columns.inEdge = Column(inEdge)
  }

  private func fillEdges(_ columns: inout RoadColumns) {
    columns.tail = Column(tail.map { NodeID(rawValue: $0) })
    columns.head = Column(head.map { NodeID(rawValue: $0) })
    columns.twin = Column(
      code.map { EdgeID(rawValue: $0 & 1 == 0 ? against[Int($0 >> 1)] : along[Int($0 >> 1)]) })
    columns.lengthMM = Column(lengthMM)
    columns.attributeIndex = Column(attribute)
    columns.piece = Column(code)
  }

  /// Stores the restrictions at nodes as roads of zero length.
  private mutating func fillBarriers(_ columns: inout RoadColumns, _ table: inout AttributeTable) {
    var barriers: [(node: UInt32, attribute: UInt32)] = []
    for (place, barrier) in maker.nodes.barriers.sorted(by: { $0.key < $1.key })
    where nodeAt[place] != .max && barrier.restricts {
      barriers.append((nodeAt[place], table.id(barrier.road)))
    }
    barriers.sort { $0.node < $1.node }
    report.restrictedBarriers = barriers.count
    columns.barrierNode = Column(barriers.map { NodeID(rawValue: $0.node) })
    columns.barrierAttribute = Column(barriers.map(\.attribute))
  }

  private func fillPieces(_ columns: inout RoadColumns) {
    var shapes = PieceShapes()
    let (latitude, longitude) = (maker.nodes.latitude, maker.nodes.longitude)
    for piece in pieces {
      shapes.startPiece(
        latitudeE7: latitude[Int(piece.from)], longitudeE7: longitude[Int(piece.from)],
        pointCount: Int(piece.pointCount))
      for k in piece.points {
        shapes.append(latitudeE7: latitude[Int(run[k])], longitudeE7: longitude[Int(run[k])])
      }
    }
    shapes.finish(&columns)
    columns.pieceEdge = Column(along.map { EdgeID(rawValue: $0) })
    columns.setWays(pieces.map { maker.wayIDs[Int($0.way)] })
  }

  private func fillPointIDs(_ columns: inout RoadColumns) {
    var ids = PieceNodes()
    for piece in pieces {
      ids.startPiece(tail: maker.nodes.ids[Int(piece.from)])
      for k in piece.points { ids.append(maker.realID(maker.nodes.ids[Int(run[k])])) }
    }
    ids.finish(&columns)
  }

  private mutating func fillPlaces(_ columns: inout RoadColumns) {
    let places = maker.places
    columns.placeLatitude = Column(places.map(\.latitudeE7))
    columns.placeLongitude = Column(places.map(\.longitudeE7))
    columns.placeName = Column(places.map(\.name))
    columns.placeKind = Column(places.map(\.kind))
    report.places = places.count
    var junctions: [(node: UInt32, number: TextID, name: TextID)] = []
    for (place, texts) in maker.junctions where nodeAt[place] != .max {
      junctions.append((nodeAt[place], texts.number, texts.name))
    }
    junctions.sort { $0.node < $1.node }
    columns.junctionNode = Column(junctions.map { NodeID(rawValue: $0.node) })
    columns.junctionNumber = Column(junctions.map(\.number))
    columns.junctionName = Column(junctions.map(\.name))
  }
}
