public import Geodesy
public import MapMaking
public import RoadGraph

/// A map drawn with letters, as the smallest map that shows a rule.
///
/// Each letter is a node, and each digit a free point such as a fix; other characters have no
/// meaning. Neighbouring characters are `cellM` metres apart, and so are neighbouring lines unless
/// `line` gives another distance. Ways run through letters and have OSM tags, and go through map
/// making as real maps do:
///
///     let map = try DrawnMap(
///       """
///       a--b--c
///          |
///          d
///       """,
///       ways: ["abc": "highway=primary name=High Street", "bd": "highway=residential oneway=yes"],
///       nodes: ["b": "highway=traffic_signals"],
///       restrictions: ["ab b bd": "no_right_turn"])
///
/// A way without tags is `highway=residential`. A node's OSM id is the letter's Unicode value; the
/// first way has the id 1001, the next one 1002.
public struct DrawnMap {
  public let graph: RoadGraph
  public let data: OSMData
  public let report: MapMakingReport
  public let grid: DrawingGrid
  private let places: [Character: Coordinate]
  private let wayIDs: [String: Int64]

  /// Draws a map.
  ///
  /// Tags are `key=value` pairs with spaces between; a word without `=` belongs to the value
  /// before it. A restriction's key is from-way, via node or ways, and to-way, each by letters that
  /// lie along the way; its value is a word such as `no_left_turn`, or tags. `cell` is the distance
  /// of two characters, and `line` that of two lines, in metres.
  public init(
    _ drawing: String, ways: KeyValuePairs<String, String> = [:],
    nodes: KeyValuePairs<String, String> = [:],
    restrictions: KeyValuePairs<String, String> = [:], cell cellM: Double = 100,
    line lineM: Double? = nil,
    origin: Coordinate = Coordinate(latitudeDeg: 47, longitudeDeg: -30),
    options: MapOptions = MapOptions()
  ) throws {
    try self.init(
      drawing, ways: ways.map { ($0, $1) }, nodes: nodes.map { ($0, $1) },
      restrictions: restrictions.map { ($0, $1) }, cell: cellM, line: lineM, origin: origin,
      options: options)
  }

  /// Draws a map whose ways come as a list.
  public init(
    _ drawing: String, ways: [(String, String)], nodes: [(String, String)] = [],
    restrictions: [(String, String)] = [], cell cellM: Double = 100, line lineM: Double? = nil,
    origin: Coordinate = Coordinate(latitudeDeg: 47, longitudeDeg: -30),
    options: MapOptions = MapOptions()
  ) throws {
    let lines = DrawingGrid.lines(drawing)
    grid = DrawingGrid(lines, cellM: cellM, lineM: lineM ?? cellM, origin: origin)
    places = Self.places(lines, on: grid)
    var data = OSMData()
    for (letter, place) in places.sorted(by: { $0.key < $1.key }) where letter.isLetter {
      data.nodes.append(
        OSMNode(
          id: try Self.id(letter), latitudeE7: Int32((place.latitudeDeg * 1e7).rounded()),
          longitudeE7: Int32((place.longitudeDeg * 1e7).rounded())))
    }
    var wayIDs: [String: Int64] = [:]
    for (letters, tags) in ways {
      let id = 1001 + Int64(data.ways.count)
      for letter in letters where places[letter] == nil { throw DrawingFault.unknown(letter) }
      wayIDs[letters] = id
      data.ways.append(
        OSMWay(
          id: id, nodes: try letters.map { try Self.id($0) },
          tags: Self.tags(tags.isEmpty ? "highway=residential" : tags)))
    }
    for (letter, tags) in nodes {
      let id = try letter.map { try Self.id($0) }.first
      guard let index = data.nodes.firstIndex(where: { $0.id == id }) else {
        throw DrawingFault.unknown(letter.first ?? "?")
      }
      data.nodes[index].tags = Self.tags(tags)
    }
    for (members, tags) in restrictions {
      data.relations.append(
        try Self.restriction(
          members, tags, id: 2001 + Int64(data.relations.count), ways: wayIDs))
    }
    let made = try GraphMaker.make(data, options: options)
    self.data = data
    self.wayIDs = wayIDs
    report = made.report
    graph = try made.graph()
  }

  // MARK: Places, nodes, edges and ways of letters

  /// The place of a letter or digit.
  public func coordinate(_ letter: Character) throws -> Coordinate {
    guard let place = places[letter] else { throw DrawingFault.unknown(letter) }
    return place
  }

  /// A place at `fraction` of the straight line from one letter to another.
  public func coordinate(_ a: Character, _ b: Character, _ fraction: Double) throws -> Coordinate {
    try coordinate(a).interpolated(to: coordinate(b), fraction: fraction)
  }

  /// The OSM id of a letter.
  public func osmID(_ letter: Character) throws -> Int64 { try Self.id(letter) }

  /// The OSM id of the way with exactly these letters.
  public func way(_ letters: String) throws -> Int64 {
    guard let id = wayIDs[letters] else { throw DrawingFault.noWay(letters) }
    return id
  }

  /// The letters of the way with an OSM id; nil if the map has no such way.
  public func letters(ofWay id: Int64) -> String? { wayIDs.first { $0.value == id }?.key }

  /// The graph's node at a letter.
  public func node(_ letter: Character) throws -> NodeID {
    let id = try Self.id(letter)
    for index in 0..<graph.nodeCount where graph.columns.nodeOSM[index] == id {
      return NodeID(index)
    }
    throw DrawingFault.noNode(letter)
  }

  /// The one directed edge between two letters, in their order.
  public func edge(_ letters: String) throws -> EdgeID {
    let path = try edges(letters)
    guard path.count == 1 else { throw DrawingFault.severalEdges(letters, path.count) }
    return path[0]
  }

  /// The shortest sequence of directed edges through the letters, in their order.
  public func edges(_ letters: String) throws -> [EdgeID] {
    var path: [EdgeID] = []
    for (a, b) in zip(letters, letters.dropFirst()) {
      path += try shortest(from: node(a), to: node(b), letters: letters)
    }
    return path
  }

  /// The path through the letters, whole edges.
  public func path(_ letters: String) throws -> RoadPath {
    let edges = try edges(letters)
    guard let last = edges.last else { throw DrawingFault.noEdge(letters) }
    return RoadPath(edges: edges, startOffsetM: 0, endOffsetM: graph.lengthM(last))
  }

  /// A place `fraction` of the one edge between two letters.
  public func position(_ letters: String, _ fraction: Double) throws -> RoadPosition {
    let edge = try edge(letters)
    return RoadPosition(edge: edge, offsetM: graph.lengthM(edge) * fraction)
  }

  /// The letters that a sequence of edges runs through; `?` where a node has none.
  public func letters(_ edges: [EdgeID]) -> String {
    guard let first = edges.first else { return "" }
    let nodes = [graph.tail(first)] + edges.map { graph.head($0) }
    return String(nodes.map { letter(graph.columns.nodeOSM[$0.index]) })
  }

  private func letter(_ id: Int64) -> Character {
    UInt32(exactly: id).flatMap { Unicode.Scalar($0) }.map { Character($0) } ?? "?"
  }

  // Dijkstra without a heap: drawings are small.
  private func shortest(from: NodeID, to: NodeID, letters: String) throws -> [EdgeID] {
    var best: [NodeID: (lengthM: Double, by: EdgeID?)] = [from: (0, nil)]
    var settled: Set<NodeID> = []
    while let (node, entry) = best.filter({ !settled.contains($0.key) })
      .min(by: { ($0.value.lengthM, $0.key) < ($1.value.lengthM, $1.key) })
    {
      settled.insert(node)
      if node == to, let by = entry.by { return trace(back: by, to: from, best) }
      for edge in graph.edges(leaving: node) {
        let length = entry.lengthM + graph.lengthM(edge)
        if length < best[graph.head(edge)]?.lengthM ?? .infinity {
          best[graph.head(edge)] = (length, edge)
        }
      }
    }
    throw DrawingFault.noEdge(letters)
  }

  private func trace(
    back edge: EdgeID, to start: NodeID, _ best: [NodeID: (lengthM: Double, by: EdgeID?)]
  ) -> [EdgeID] {
    var path = [edge]
    while let first = path.first, graph.tail(first) != start, let by = best[graph.tail(first)]?.by {
      path.insert(by, at: 0)
    }
    return path
  }
}
