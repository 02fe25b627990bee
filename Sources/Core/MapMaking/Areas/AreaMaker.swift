import RoadGraph

/// Collects the areas of a map and returns them as ways: their outlines, and lines of sight across
/// them.
///
/// Walkers cross a square straight from one entrance to another. Entrances are the nodes that an
/// area shares with roads or other areas. If they do not all see each other, the corners in between
/// are added. Areas without any connection are left out.
struct AreaMaker {
  /// An area: its tags, and the ways of its border.
  private struct Area {
    var tags: OSMTags
    var outer: [Line]
    var holes: [[Int64]]
  }

  /// A part of a border.
  ///
  /// If it is already a road, no second way is created along it.
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
    // A border may also belong to a multipolygon.
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

  /// A multipolygon is an area without an explicit tag.
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

  /// Ways that multipolygons refer to and that have not been added yet.
  var missing: [Int64] { members.filter { lines[$0] == nil } }

  func isMember(_ way: Int64) -> Bool { members.contains(way) }

  mutating func addLine(_ way: OSMWay) { lines[way.id] = way.nodes }

  /// The ways whose nodes multipolygons take from the roads.
  var roadMembers: Set<Int64> { Set(missing) }

  /// Completes the ways; `road` returns the nodes of a way that is also a road.
  mutating func endWays(road: (Int64) -> [Int64]?) {
    for relation in relations {
      let outer = relation.outer.compactMap { id -> Line? in
        if let nodes = lines[id] { return Line(way: id, nodes: nodes, isRoad: seen.contains(id)) }
        return road(id).map { Line(way: id, nodes: $0, isRoad: true) }
      }
      // A part of a border does not show what lies inside.
      guard !outer.isEmpty, outer.count == relation.outer.count else { continue }
      for line in outer { seen.insert(line.way) }
      let inner = relation.inner.compactMap { lines[$0] ?? road($0) }
      areas.append(Area(tags: relation.tags, outer: outer, holes: Rings.joined(inner)))
    }
    (relations, members, lines) = ([], [], [:])
  }

  /// The nodes of all borders.
  var references: [Int64] {
    areas.flatMap { $0.outer.flatMap(\.nodes) + $0.holes.flatMap { $0 } }
  }

  /// A way of an area: lines of nodes, which need not be connected.
  ///
  /// They are parts of its border, and pairs of nodes that see each other across it.
  struct Way {
    var id: Int64
    var tags: OSMTags
    var lines: [[Int64]]
  }

  /// The ways of all connected areas, and the number of unconnected areas.
  ///
  /// `uses` is the number of roads through each node of the table, with an end counting twice.
  /// `sides` are the pieces of roads between consecutive border nodes.
  func ways(
    _ table: NodeTable, uses: [UInt8], sides: Set<Side>
  ) -> (ways: [Way], unconnected: Int) {
    var shared = [UInt8](repeating: 0, count: table.count)
    let borders = areas.map { area in Set(area.outer.flatMap(\.nodes) + area.holes.flatMap { $0 }) }
    for border in borders {
      for node in border {
        if let index = table.index(of: node) { shared[index] = min(2, shared[index] + 1) }
      }
    }
    let isConnected = Self.connected(borders, table, uses)
    var drawn = sides
    var ways: [Way] = []
    var unconnected = 0
    for (index, area) in areas.enumerated() {
      guard isConnected[index] else {
        unconnected += 1
        continue
      }
      let rings = Rings.joined(area.outer.map(\.nodes))
      let entrances = Self.entrances(
        rings + area.holes, area, table, uses: uses, shared: shared, sides)
      var across =
        Sightlines(rings: rings, holes: area.holes, table)?.lines(between: entrances)
        .map { [$0.0, $0.1] } ?? []
      // The edge of a car park is not walked along.
      let isBorderWalked = AreaTags.word(area.tags) != "parking"
      for line in area.outer where !line.isRoad {
        // A border shared by two areas becomes a way only once.
        let lines = (isBorderWalked ? Self.undrawn(line.nodes, &drawn) : []) + across
        across = []
        if !lines.isEmpty { ways.append(Way(id: line.way, tags: area.tags, lines: lines)) }
      }
    }
    return (ways, unconnected)
  }

  /// Two consecutive nodes of a border, in either order.
  struct Side: Hashable {
    private var low: Int64
    private var high: Int64

    init(_ a: Int64, _ b: Int64) { (low, high) = (min(a, b), max(a, b)) }
  }

  /// The parts of a border that do not belong to an earlier border.
  private static func undrawn(_ nodes: [Int64], _ drawn: inout Set<Side>) -> [[Int64]] {
    var parts: [[Int64]] = []
    var isOpen = false
    for (a, b) in zip(nodes, nodes.dropFirst()) {
      guard drawn.insert(Side(a, b)).inserted else {
        isOpen = false
        continue
      }
      if isOpen { parts[parts.count - 1].append(b) } else { parts.append([a, b]) }
      isOpen = true
    }
    return parts
  }

  /// The nodes of a border at which it can be entered.
  ///
  /// These are nodes where roads lead to it, and the ends of what it shares with roads and other
  /// areas. A strong entrance is more than a place that a road passes.
  private static func entrances(
    _ rings: [[Int64]], _ area: Area, _ table: NodeTable, uses: [UInt8], shared: [UInt8],
    _ roads: Set<Side>
  ) -> [(id: Int64, isStrong: Bool)] {
    var found: [Int64: Bool] = [:]
    func index(_ node: Int64) -> Int? {
      table.index(of: node).flatMap { table.isKnown($0) ? $0 : nil }
    }
    func isShared(_ a: Int64, _ b: Int64) -> Bool {
      roads.contains(Side(a, b))
        || [a, b].allSatisfy { index($0).map { shared[$0] > 1 } ?? false }
    }
    func add(_ node: Int64, isWithin: Bool) {
      guard let index = index(node) else { return }
      let isEnd = uses[index] > 1 || !isWithin && (uses[index] > 0 || shared[index] > 1)
      if isEnd { found[node] = uses[index] != 1 }
    }
    for ring in rings {
      let nodes = Array(ring.dropLast())
      for k in nodes.indices {
        let before = nodes[(k + nodes.count - 1) % nodes.count]
        let after = nodes[(k + 1) % nodes.count]
        add(nodes[k], isWithin: isShared(before, nodes[k]) && isShared(nodes[k], after))
      }
    }
    // A border that does not close has entrances as well.
    if rings.isEmpty {
      for node in area.outer.flatMap(\.nodes) { add(node, isWithin: false) }
    }
    return found.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// Whether each area is connected to a road, directly or by other areas that share nodes with it.
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
  /// The closed rings formed by lines; lines that do not close are left out.
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
