import RoadGraph

/// Collects the areas of a map and gives them as ways: their outlines, and lines of sight across them.
///
/// Walkers cross a square from one entrance straight to the next. Entrances are the nodes that an area shares with roads
/// or other areas; where not all see each other, the corners that stand in between join in. Areas that nothing leads to
/// are left out.
struct AreaMaker {
  /// One area: its tags, and the ways of its border.
  private struct Area {
    var tags: OSMTags
    var outer: [Line]
    var holes: [[Int64]]
  }

  /// A part of a border.
  ///
  /// Where it is a road already, it needs no second way along it.
  private struct Line {
    var way: Int64
    var nodes: [Int64]
    var isRoad: Bool
  }

  private var areas: [Area] = []
  private var relations: [(tags: OSMTags, outer: [Int64], inner: [Int64])] = []
  private var members: Set<Int64> = []
  private var lines: [Int64: [Int64]] = [:]
  private var seen: Set<Int64> = []

  var isEmpty: Bool { areas.isEmpty && relations.isEmpty }

  mutating func hold(_ way: OSMWay) {
    // A border may belong to a multipolygon as well.
    lines[way.id] = way.nodes
    guard seen.insert(way.id).inserted else { return }
    areas.append(
      Area(
        tags: way.tags, outer: [Line(way: way.id, nodes: way.nodes, isRoad: false)], holes: []))
  }

  static func isArea(_ relation: OSMRelation) -> Bool {
    guard relation.tags["type"] == "multipolygon" else { return false }
    return AreaTags.isArea(completed(relation.tags))
  }

  /// A multipolygon is an area without saying so.
  private static func completed(_ tags: OSMTags) -> OSMTags {
    guard tags["area"] == nil, tags["highway"] != nil else { return tags }
    var tags = tags
    tags["area"] = "yes"
    return tags
  }

  mutating func add(_ relation: OSMRelation) {
    let ways = relation.members.filter { $0.kind == .way }
    relations.append(
      (
        Self.completed(relation.tags), ways.filter { $0.role != "inner" }.map(\.id),
        ways.filter { $0.role == "inner" }.map(\.id)
      ))
    members.formUnion(ways.map(\.id))
  }

  /// Ways that multipolygons name and that are not here yet.
  var missing: [Int64] { members.filter { lines[$0] == nil } }

  func isMember(_ way: Int64) -> Bool { members.contains(way) }

  mutating func addLine(_ way: OSMWay) { lines[way.id] = way.nodes }

  /// The ways whose nodes multipolygons take from the roads.
  var roadMembers: Set<Int64> { Set(missing) }

  /// Ends the ways; `road` gives the nodes of a way that is a road as well.
  mutating func endWays(road: (Int64) -> [Int64]?) {
    for relation in relations {
      let outer = relation.outer.compactMap { id -> Line? in
        if let nodes = lines[id] { return Line(way: id, nodes: nodes, isRoad: seen.contains(id)) }
        return road(id).map { Line(way: id, nodes: $0, isRoad: true) }
      }
      // Part of a border tells nothing of what lies inside.
      guard !outer.isEmpty, outer.count == relation.outer.count else { continue }
      for line in outer { seen.insert(line.way) }
      let inner = relation.inner.compactMap { lines[$0] ?? road($0) }
      areas.append(Area(tags: relation.tags, outer: outer, holes: Rings.joined(inner)))
    }
    (relations, members, lines) = ([], [], [:])
  }

  var references: [Int64] {
    areas.flatMap { $0.outer.flatMap(\.nodes) + $0.holes.flatMap { $0 } }
  }

  /// A way of an area: its border, and pairs of nodes that see each other across it.
  struct Way {
    var id: Int64
    var tags: OSMTags
    var nodes: [Int64]
    var sights: [(Int64, Int64)]
  }

  /// The ways of all areas that something leads to, and how many areas nothing leads to.
  ///
  /// `uses` is how often roads go through a node of the table, an end counting twice.
  func ways(_ table: NodeTable, uses: [UInt8]) -> (ways: [Way], unconnected: Int) {
    var shared = [UInt8](repeating: 0, count: table.count)
    let borders = areas.map { area in Set(area.outer.flatMap(\.nodes) + area.holes.flatMap { $0 }) }
    for border in borders {
      for node in border {
        if let index = table.index(of: node) { shared[index] = min(2, shared[index] + 1) }
      }
    }
    let isConnected = Self.connected(borders, table, uses)
    var ways: [Way] = []
    var unconnected = 0
    for (index, (area, border)) in zip(areas, borders).enumerated() {
      let entrances = border.sorted().compactMap { node -> (id: Int64, isStrong: Bool)? in
        guard let index = table.index(of: node), table.isKnown(index) else { return nil }
        let isEntrance = uses[index] > 0 || shared[index] > 1
        return isEntrance ? (node, uses[index] != 1) : nil
      }
      guard isConnected[index] else {
        unconnected += 1
        continue
      }
      var sights =
        Sightlines(
          rings: Rings.joined(area.outer.map(\.nodes)), holes: area.holes, table
        )?.lines(between: entrances) ?? []
      // Nobody walks along the edge of a car park.
      if AreaTags.word(area.tags) == "parking" {
        guard let line = area.outer.first, !line.isRoad, let sight = sights.first else { continue }
        ways.append(
          Way(
            id: line.way, tags: area.tags, nodes: [sight.0, sight.1],
            sights: Array(sights.dropFirst())))
        continue
      }
      for line in area.outer where !line.isRoad {
        ways.append(Way(id: line.way, tags: area.tags, nodes: line.nodes, sights: sights))
        sights = []
      }
    }
    return (ways, unconnected)
  }

  /// For each area whether a road leads to it, or to an area that it shares a node with, and so on.
  private static func connected(
    _ borders: [Set<Int64>], _ table: NodeTable, _ uses: [UInt8]
  ) -> [Bool] {
    var isConnected = [Bool](repeating: false, count: borders.count)
    var areasAt: [Int64: [Int]] = [:]
    for (area, border) in borders.enumerated() {
      for node in border { areasAt[node, default: []].append(area) }
    }
    var open: [Int] = []
    func connect(_ area: Int) {
      guard !isConnected[area] else { return }
      isConnected[area] = true
      open.append(area)
    }
    for (area, border) in borders.enumerated() {
      let hasRoad = border.contains { node in table.index(of: node).map { uses[$0] > 0 } ?? false }
      if hasRoad { connect(area) }
    }
    while let area = open.popLast() {
      for node in borders[area] { for other in areasAt[node] ?? [] { connect(other) } }
    }
    return isConnected
  }
}

/// Joins lines of nodes at their ends.
enum Rings {
  /// The closed rings that lines make; what does not close is left out.
  static func joined(_ lines: [[Int64]]) -> [[Int64]] {
    var rings: [[Int64]] = []
    var open = lines.filter { $0.count > 1 }
    while var ring = open.popLast() {
      while ring.first != ring.last {
        guard let k = open.firstIndex(where: { $0.first == ring.last || $0.last == ring.last })
        else { break }
        let line = open.remove(at: k)
        ring += line.first == ring.last ? line.dropFirst() : line.reversed().dropFirst()
      }
      if ring.count > 3, ring.first == ring.last { rings.append(ring) }
    }
    return rings
  }
}
