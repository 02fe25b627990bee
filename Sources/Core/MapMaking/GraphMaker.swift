public import RoadGraph

/// Makes a road graph from a stream of OSM objects.
///
/// First ways and relations in any order, then `beginNodes()`, then nodes, then `finish()`. The
/// same objects in the same order give byte-identical columns. Memory is linear in the roads kept,
/// time n log n.
public struct GraphMaker {
  let options: MapOptions
  var report = MapMakingReport()
  var texts = TextTable()
  var attributes = AttributeTable()
  /// Kept ways: id, attributes along and against (`UInt32.max` for none), shape `[ways]`.
  var wayIDs: [Int64] = []
  var forward: [UInt32] = []
  var backward: [UInt32] = []
  /// Shape `[ways + 1]`: the nodes of way `k` are `references[firstReference[k] ..<
  /// firstReference[k + 1]]`.
  var firstReference: [Int] = [0]
  var references: [Int64] = []
  /// Seconds of the ferries among the ways, by the way's place.
  var crossingS: [Int: Double] = [:]
  /// The relation whose ways share the crossing time, by the way's place.
  var crossingRelation: [Int: Int64] = [:]
  /// Months in which ways are passable, by the way's place; other ways always are.
  var seasons: [Int: Season] = [:]
  /// `DefaultAccess` of each way, packed; empty for existing maps, whose countries are known.
  var defaults: [UInt16] = []
  /// Places of ways whose tags describe toll.
  var hasReportedToll: Set<Int> = []
  var ferries = FerryRoutes()
  var areas = AreaMaker()
  private var bareWays = UntaggedWays()
  var restrictions: [TurnRestriction] = []
  var nodes = NodeTable()
  var regions = RegionMaker()
  var numbers = RoadNumbers()
  private var trams = TramTracks()
  var places: [Place] = []
  var junctions: [Int: (number: TextID, name: TextID)] = [:]
  /// Whether existing maps are joined, so that a piece may occur twice.
  var joins = false
  var carried: [ImportedRestriction] = []
  /// OSM ids of the points of existing maps, in the order of the ids that they have here; 0 if
  /// unknown.
  var pointIDs: [Int64] = []
  private var seenWays: Set<Int64> = []

  struct Place {
    var latitudeE7: Int32
    var longitudeE7: Int32
    var name: TextID
    var kind: TextID
  }

  public init(options: MapOptions = MapOptions()) { self.options = options }

  /// Adds a way: roads and boundaries are kept, anything else is skipped.
  public mutating func add(_ way: OSMWay) {
    if trams.add(way) { return }
    report.waysRead += 1
    if way.tags.isEmpty {
      bareWays.add(way)
      return
    }
    if regions.add(way) { return }
    if FerryRoutes.isFerry(way.tags) {
      ferries.hold(way)
      return
    }
    if AreaTags.isArea(way.tags) {
      let isClosed = way.nodes.count > 3 && way.nodes.first == way.nodes.last
      // A platform or pier may be a line, but half of a car park is useless.
      let word = AreaTags.word(way.tags)
      if isClosed || word != nil {
        if isClosed || word != "parking" { areas.hold(way) }
        return
      }
    }
    keep(way)
  }

  /// Counts objects of a file that an editor saved as deleted.
  public mutating func countDeleted(_ count: Int) { report.deletedObjects += count }

  private mutating func keep(_ way: OSMWay) {
    guard let road = RoadTags(way.tags, options: options, texts: &texts) else { return }
    guard way.nodes.count > 1 else {
      report.waysTooShort += 1
      return
    }
    guard seenWays.insert(way.id).inserted else {
      report.duplicateWays += 1
      return
    }
    report.timedRules += road.timedRules
    report.unreadableRules += road.unreadableRules.count
    for key in road.unreadableRules { report.unreadableKeys[key, default: 0] += 1 }
    for key in road.unreadableValues { report.unreadableValues[key, default: 0] += 1 }
    if let crossingS = road.crossingS { self.crossingS[wayIDs.count] = crossingS }
    if let season = road.season { seasons[wayIDs.count] = season }
    if TollTags.areSpokenOf(way.tags) { hasReportedToll.insert(wayIDs.count) }
    defaults.append(road.defaults.packed)
    wayIDs.append(way.id)
    forward.append(road.forward.map { attributes.id($0) } ?? .max)
    backward.append(road.backward.map { attributes.id($0) } ?? .max)
    references.append(contentsOf: way.nodes)
    firstReference.append(references.count)
    report.roadsKept += 1
  }

  /// Adds a relation: turn restrictions and boundaries are kept.
  public mutating func add(_ relation: OSMRelation) {
    if RestrictionTags.isRestriction(relation.tags) {
      let reading = RestrictionTags.read(relation)
      restrictions += reading.restrictions
      report.timedRules += reading.timed
      report.unreadableRules += reading.unreadable
      if reading.unreadable > 0 {
        report.unreadableKeys["restriction:conditional", default: 0] += reading.unreadable
      }
      for reason in reading.dropped { report.drop(reason) }
    } else if RoadNumbers.isRoute(relation.tags) {
      numbers.add(relation)
    } else if FerryRoutes.isRoute(relation.tags) {
      ferries.add(relation)
    } else if AreaMaker.isArea(relation) {
      areas.add(relation)
    } else {
      regions.add(relation)
    }
  }

  /// Completes the ways, and returns the ids of the nodes that are needed now, ascending.
  public mutating func completeWays() -> [Int64] {
    addUntaggedWays()
    keepFerries()
    seenWays = []
    let (ids, firsts, nodesOfRoads) = (wayIDs, firstReference, references)
    // A boundary refers to only a few of a country's ways.
    let named = regions.otherMembers.union(areas.roadMembers)
    var places: [Int64: Int] = [:]
    if !named.isEmpty {
      for (place, way) in ids.enumerated() where named.contains(way) && places[way] == nil {
        places[way] = place
      }
    }
    let road = { (way: Int64) in
      places[way].map { Array(nodesOfRoads[firsts[$0]..<firsts[$0 + 1]]) }
    }
    regions.endWays(road: road)
    areas.endWays(road: road)
    nodes = NodeTable(references: references + regions.references + areas.references)
    return nodes.ids
  }

  /// Adds ways without tags for the relations that refer to them.
  private mutating func addUntaggedWays() {
    let missing = Set(ferries.members).union(areas.missing)
    bareWays.forEach(among: missing) { way in
      if ferries.isMember(way.id) { ferries.hold(way) }
      if areas.isMember(way.id) { areas.addLine(way) }
    }
    bareWays = UntaggedWays()
  }

  private mutating func keepFerries() {
    for way in ferries.ways {
      let (full, relation) = ferries.completed(way)
      let place = wayIDs.count
      keep(full)
      if wayIDs.count > place, crossingS[place] != nil { crossingRelation[place] = relation }
    }
    ferries = FerryRoutes()
  }

  /// Adds the connected areas as ways, now that all locations are known.
  private mutating func keepAreas() {
    guard !areas.isEmpty else { return }
    var uses = [UInt8](repeating: 0, count: nodes.count)
    let border = Set(areas.references)
    var sides: Set<AreaMaker.Side> = []
    for way in wayIDs.indices {
      let range = firstReference[way]..<firstReference[way + 1]
      for k in range {
        guard let index = nodes.index(of: references[k]) else { continue }
        uses[index] = min(
          2, uses[index] + (k == range.lowerBound || k == range.upperBound - 1 ? 2 : 1))
        if k > range.lowerBound, border.contains(references[k]), border.contains(references[k - 1])
        {
          sides.insert(AreaMaker.Side(references[k - 1], references[k]))
        }
      }
    }
    let found = areas.ways(nodes, uses: uses, sides: sides)
    report.areasUnconnected = found.unconnected
    areas = AreaMaker()
    for way in found.ways {
      let place = wayIDs.count
      keep(OSMWay(id: way.id, nodes: way.lines[0], tags: way.tags))
      guard wayIDs.count > place else { continue }
      report.areas += 1
      for line in way.lines.dropFirst() { references += [Self.gap] + line }
      firstReference[wayIDs.count] = references.count
    }
    seenWays = []
  }

  /// Separates unconnected parts of a way.
  static let gap = Int64.max

  /// Sets the location of a node without tags.
  public mutating func addLocation(id: Int64, latitudeE7: Int32, longitudeE7: Int32) {
    _ = nodes.set(id, latitudeE7: latitudeE7, longitudeE7: longitudeE7)
  }

  /// Adds a node; a node that no way needs is kept if it names a place.
  public mutating func add(_ node: OSMNode) {
    let index = nodes.set(node.id, latitudeE7: node.latitudeE7, longitudeE7: node.longitudeE7)
    guard !node.tags.isEmpty else { return }
    if let index {
      var tags = trams.adjusted(NodeTags(node.tags), of: node)
      if let barrier = NodeBarrier(node.tags, texts: &texts, &report) {
        // A condition may allow modes at times although the usual access bars them.
        tags.barred = barrier.barred
        nodes.setBarrier(barrier, at: index)
      }
      nodes.setTags(tags, at: index)
      if tags.flags.contains(.motorwayJunction) {
        junctions[index] = (texts.id(node.tags["ref"]), texts.id(NameTags.junction(node.tags)))
      }
    }
    if let kind = PlaceTags.kind(node.tags), let name = node.tags["name"] {
      places.append(
        Place(
          latitudeE7: node.latitudeE7, longitudeE7: node.longitudeE7, name: texts.id(name),
          kind: texts.id(kind)))
    }
  }

  /// Releases the ways' nodes, which their pieces contain by now.
  mutating func forgetReferences() { (references, firstReference) = ([], []) }

  /// Releases everything known about ways and nodes except their ids and places.
  mutating func forgetDetails() {
    (attributes, forward, backward, defaults) = (AttributeTable(), [], [], [])
    nodes.forgetIDs()
  }

  /// Makes the columns.
  ///
  /// - Throws: `MapMakingFault` if the map is too large for its 32-bit indices.
  public consuming func finish() throws(MapMakingFault) -> MapMakingResult {
    joinAcrossAntimeridian()
    keepAreas()
    var assembly = try GraphAssembly(self)
    return try assembly.finish()
  }

  /// Makes a graph from objects in memory.
  public static func make(
    _ data: OSMData, options: MapOptions = MapOptions()
  ) throws(MapMakingFault) -> MapMakingResult {
    var maker = GraphMaker(options: options)
    for relation in data.relations { maker.add(relation) }
    for way in data.ways { maker.add(way) }
    _ = maker.completeWays()
    for node in data.nodes { maker.add(node) }
    return try maker.finish()
  }
}

/// The result of map making: the columns, their hash, and a report.
public struct MapMakingResult: Sendable {
  public var columns: RoadColumns
  public var hash: UInt64
  public var report: MapMakingReport

  /// The graph over the columns.
  public func graph() throws(GraphFault) -> RoadGraph {
    try RoadGraph(columns: columns, hash: hash)
  }
}

/// Why no map could be made.
public enum MapMakingFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// More records than 32-bit indices can count.
  case tooLarge(column: String, count: Int)

  public var description: String {
    switch self {
    case .tooLarge(let column, let count):
      "the map is too large: \(count) records of \(column); cut it into regions"
    }
  }
}

/// Nodes with a name for search.
enum PlaceTags {
  private static let keys = [
    "place", "amenity", "tourism", "railway", "aeroway", "leisure", "shop", "office", "historic",
    "public_transport", "healthcare",
  ]

  /// Values that do not tell what a place is, and parts of the railway that are no destination.
  ///
  /// A stop position is the point on the track or road that belongs to a stop, and a platform is a
  /// part of one.
  private static let nameless: Set<String> = [
    "no", "yes", "stop_position", "platform", "platform_edge", "signal", "switch", "buffer_stop",
    "level_crossing", "crossing", "tram_level_crossing", "tram_crossing", "railway_crossing",
    "milestone", "derail", "owner_change", "vacant", "construction", "disused", "abandoned",
  ]

  /// The kind of place; nil for nodes that are not places.
  static func kind(_ tags: OSMTags) -> String? {
    for key in keys {
      if let value = tags[key], !nameless.contains(value) { return value }
    }
    return nil
  }
}
