public import Geodesy
public import RoadGraph

/// Which pieces of an existing map to take: all, or those in a part of the country.
public struct MapPart: Sendable {
  let graph: RoadGraph
  /// Ascending.
  let pieces: [Int]
  /// The boxes that the part was cut out by; nil for the whole map.
  public let areas: [BoundingBox]?

  /// The whole map.
  public init(_ graph: RoadGraph) {
    self.graph = graph
    pieces = Array(0..<graph.pieceCount)
    areas = nil
  }

  /// The pieces that intersect a box; pieces are kept whole.
  public init(_ graph: RoadGraph, box: BoundingBox) {
    self.graph = graph
    var found: [Int] = []
    graph.forEachPiece(in: box) { found.append($0) }
    pieces = found.sorted()
    areas = [box]
  }

  /// The pieces within `widthM` of a line, as along a route; pieces are kept whole.
  ///
  /// The time depends on the number of pieces along the line.
  public init(_ graph: RoadGraph, corridor line: [Coordinate], widthM: Double) {
    self.graph = graph
    var found: Set<Int> = []
    var areas: [BoundingBox] = []
    for (a, b) in zip(line, line.dropFirst().isEmpty ? line[...] : line.dropFirst()) {
      // Long steps are cut, so that their boxes contain little apart from the line's surroundings.
      let steps = max(1, Int((a.distanceM(to: b) / 2000).rounded(.up)))
      for step in 0..<steps {
        let ends = [step, step + 1].map {
          a.interpolated(to: b, fraction: Double($0) / Double(steps))
        }
        guard let box = BoundingBox(around: ends)?.expanded(byM: widthM) else { continue }
        areas.append(box)
        let stretch = Polyline(ends)
        graph.forEachPiece(in: box) { piece in
          guard !found.contains(piece) else { return }
          if Self.reaches(graph, piece, stretch, withinM: widthM) { found.insert(piece) }
        }
      }
    }
    pieces = found.sorted()
    self.areas = areas
  }

  private static func reaches(
    _ graph: RoadGraph, _ piece: Int, _ line: Polyline, withinM: Double
  ) -> Bool {
    let shape = graph.shape(graph.columns.pieceEdge[piece])
    let isNear = shape.contains { (line.projection(of: $0)?.distanceM ?? .infinity) <= withinM }
    if isNear { return true }
    // A long straight piece may pass between its points.
    let road = Polyline(shape)
    return line.points.contains { (road.projection(of: $0)?.distanceM ?? .infinity) <= withinM }
  }

  /// Whether the part contains no pieces.
  public var isEmpty: Bool { pieces.isEmpty }

  func holds(_ place: Coordinate) -> Bool {
    areas?.contains { $0.contains(place) } ?? true
  }
}

extension GraphMaker {
  /// Makes one map from parts of existing maps: joins regions, or cuts one out.
  ///
  /// A piece that several maps contain is added once. If one map cuts a way at a crossing that
  /// another map does not know, the other's way is cut there too. Islands and dead ends are
  /// computed again. Memory and time are the same as for making a map.
  ///
  /// - Throws: `MapMakingFault` if the result is too large for its 32-bit indices.
  public static func make(_ parts: [MapPart]) throws(MapMakingFault) -> MapMakingResult {
    var maker = GraphMaker()
    maker.joins = true
    let cuts = parts.count > 1 ? CommonSplitNodes(parts) : CommonSplitNodes([])
    var nextPoint = Int64.min
    for part in parts { maker.addRoads(of: part, cuts: cuts, nextPoint: &nextPoint) }
    _ = maker.completeWays()
    nextPoint = Int64.min
    var seenPlaces: Set<PlaceKey> = []
    for part in parts {
      maker.addNodes(of: part, cuts: cuts, nextPoint: &nextPoint)
      maker.addPlaces(of: part, seen: &seenPlaces)
    }
    return try maker.finish()
  }

  private mutating func addRoads(
    of part: MapPart, cuts: CommonSplitNodes, nextPoint: inout Int64
  ) {
    let graph = part.graph
    let columns = graph.columns
    for piece in part.pieces {
      let edge = columns.pieceEdge[piece]
      wayIDs.append(columns.way(edge))
      forward.append(attribute(of: edge, in: graph))
      backward.append(graph.twin(edge).map { attribute(of: $0, in: graph) } ?? .max)
      references.append(columns.nodeOSM[graph.tail(edge).index])
      let own = columns.pointIDs(ofPiece: piece)
      var place = 0
      forEachPoint(piece, of: graph, cuts, &nextPoint) { id, _, _ in
        references.append(id)
        if id < Self.firstRealNode { pointIDs.append(own.isEmpty ? 0 : own[place]) }
        place += 1
      }
      references.append(columns.nodeOSM[graph.head(edge).index])
      firstReference.append(references.count)
    }
    report.roadsKept += part.pieces.count
    for restriction in columns.restrictionModes.records.indices {
      carry(
        graph.restrictedSequence(restriction), graph, columns.restrictionModes[restriction],
        when: nil)
    }
    for restriction in columns.timedRestrictionModes.records.indices {
      carry(
        graph.timedRestrictedSequence(restriction), graph,
        columns.timedRestrictionModes[restriction],
        when: graph.text(columns.timedRestrictionWhen[restriction]))
    }
  }

  private mutating func carry(
    _ edges: [EdgeID], _ graph: RoadGraph, _ modes: TravelModes, when: String?
  ) {
    carried.append(
      ImportedRestriction(segments: edges.map { graph.reference($0) }, modes: modes, when: when))
  }

  /// The attributes of an edge with their texts in this maker's table, without those that are
  /// computed again.
  private mutating func attribute(of edge: EdgeID, in graph: RoadGraph) -> UInt32 {
    var road = graph.attributes(edge)
    road.flags.remove([.island, .noThrough])
    return attributes.id(carried(road, from: graph))
  }

  /// The attributes with their texts in this maker's table.
  private mutating func carried(
    _ attributes: RoadAttributes, from graph: RoadGraph
  ) -> RoadAttributes {
    var road = attributes
    for path in RoadAttributes.textPaths {
      let id = road[keyPath: path]
      road[keyPath: path] = id.isEmpty ? .empty : texts.id(graph.text(id))
    }
    return road
  }

  /// The points of a piece with their ids: the node's id where another map cuts, otherwise an id of
  /// their own.
  private func forEachPoint(
    _ piece: Int, of graph: RoadGraph, _ cuts: CommonSplitNodes, _ nextPoint: inout Int64,
    _ body: (Int64, Int32, Int32) -> Void
  ) {
    let way = graph.columns.way(graph.columns.pieceEdge[piece])
    let known = cuts.nodes[way]
    graph.columns.forEachPoint(ofPiece: piece) { latitude, longitude in
      if let node = known?[CommonSplitNodes.Place(latitude: latitude, longitude: longitude)] {
        body(node, latitude, longitude)
      } else {
        body(nextPoint, latitude, longitude)
        nextPoint += 1
      }
    }
  }

  private mutating func addNodes(
    of part: MapPart, cuts: CommonSplitNodes, nextPoint: inout Int64
  ) {
    let graph = part.graph
    let columns = graph.columns
    for piece in part.pieces {
      let edge = columns.pieceEdge[piece]
      for node in [graph.tail(edge), graph.head(edge)] { addNode(node, of: graph) }
      var points: [(Int64, Int32, Int32)] = []
      forEachPoint(piece, of: graph, cuts, &nextPoint) { points.append(($0, $1, $2)) }
      for (id, latitude, longitude) in points where id < Self.firstRealNode {
        addLocation(id: id, latitudeE7: latitude, longitudeE7: longitude)
      }
    }
  }

  /// Ids of points that are not OSM nodes are below all ids that OSM and its editors assign.
  private static let firstRealNode = Int64.min / 2

  /// The OSM id of a node that has an id of this maker; 0 if it is unknown.
  func realID(_ id: Int64) -> Int64 {
    guard id < Self.firstRealNode else { return id }
    let place = Int(id &- .min)
    return place < pointIDs.count ? pointIDs[place] : 0
  }

  private mutating func addNode(_ node: NodeID, of graph: RoadGraph) {
    let columns = graph.columns
    let index = nodes.set(
      columns.nodeOSM[node.index], latitudeE7: columns.nodeLatitude[node.index],
      longitudeE7: columns.nodeLongitude[node.index])
    if let index, let barrier = graph.barrier(at: node) {
      nodes.setBarrier(NodeBarrier(road: carried(barrier, from: graph)), at: index)
    }
    guard let index, nodes.tags(index) == nil else { return }
    nodes.setTags(NodeTags(flags: columns.nodeFlags[node.index]), at: index)
    if let (number, name, exitTo) = graph.junction(node) {
      let name = exitTo.isEmpty ? name : "\(name)\n\(exitTo)"
      junctions[index] = (texts.id(number), texts.id(name))
    }
  }

  private struct PlaceKey: Hashable {
    var latitude: Int32
    var longitude: Int32
    var name: String
  }

  private mutating func addPlaces(of part: MapPart, seen: inout Set<PlaceKey>) {
    let columns = part.graph.columns
    for place in 0..<columns.placeName.count {
      let (latitude, longitude) = (columns.placeLatitude[place], columns.placeLongitude[place])
      let coordinate = Coordinate(
        latitudeDeg: Double(latitude) / 1e7, longitudeDeg: Double(longitude) / 1e7)
      let name = part.graph.text(columns.placeName[place])
      guard part.holds(coordinate),
        seen.insert(PlaceKey(latitude: latitude, longitude: longitude, name: name)).inserted
      else { continue }
      places.append(
        Place(
          latitudeE7: latitude, longitudeE7: longitude, name: texts.id(name),
          kind: texts.id(part.graph.text(columns.placeKind[place]))))
    }
  }
}

/// A turn restriction of an existing map, with its edges as segment references.
struct ImportedRestriction {
  var segments: [SegmentReference]
  var modes: TravelModes
  /// nil for always.
  var when: String?
}

/// Where ways that several maps contain are cut in any of them: the nodes of each way by their
/// places.
struct CommonSplitNodes {
  struct Place: Hashable {
    var latitude: Int32
    var longitude: Int32
  }

  private(set) var nodes: [Int64: [Place: Int64]] = [:]

  init(_ parts: [MapPart]) {
    var maps: [Int64: Int] = [:]
    for part in parts {
      for way in Set(part.pieces.map { part.graph.columns.way(part.graph.columns.pieceEdge[$0]) }) {
        maps[way, default: 0] += 1
      }
    }
    for part in parts {
      let columns = part.graph.columns
      for piece in part.pieces {
        let edge = columns.pieceEdge[piece]
        let way = columns.way(edge)
        guard maps[way, default: 0] > 1 else { continue }
        for node in [part.graph.tail(edge).index, part.graph.head(edge).index] {
          let place = Place(
            latitude: columns.nodeLatitude[node], longitude: columns.nodeLongitude[node])
          nodes[way, default: [:]][place] = columns.nodeOSM[node]
        }
      }
    }
  }
}
