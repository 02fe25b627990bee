import Geodesy
public import RoadGraph

/// A piece of road of a scenario event: as named in the scenario, otherwise a whole edge.
public struct ScenarioPiece: Hashable, Sendable {
  public var segment: SegmentReference
  /// The edge, or the first edge, that it lies on.
  public var edge: EdgeID
}

/// Finds the pieces of road of a scenario's events.
///
/// Streets are looked up in one pass over the graph for all events, boxes and lines in its spatial
/// index. Events at the same place share their pieces. The cost is linear in the events and in the
/// roads near each; `examined` counts it.
public struct ScenarioPlacer {
  private let graph: RoadGraph
  private var finder: EdgePartFinder
  /// Places that were already found.
  private var known: [ScenarioPlace: [ScenarioPiece]] = [:]
  /// Number of comparisons of an edge with a box or with a segment of a line so far.
  public private(set) var examined = 0

  public init(_ graph: RoadGraph, index: SegmentIndex) {
    self.graph = graph
    finder = EdgePartFinder(index, in: graph)
  }

  /// The pieces of each event, by edge id if no segments are given; empty if the map has none of
  /// them.
  public mutating func pieces(of events: [ScenarioEvent]) -> [[ScenarioPiece]] {
    var streets = Streets(Set(events.compactMap(\.place.street)), graph)
    return events.map { pieces(of: $0.place, &streets) }
  }

  private mutating func pieces(
    of place: ScenarioPlace, _ streets: inout Streets
  ) -> [ScenarioPiece] {
    if let known = known[place] { return known }
    let pieces =
      place.segments.isEmpty
      ? edges(of: place, &streets).map { ScenarioPiece(segment: graph.reference($0), edge: $0) }
      : place.segments.compactMap { segment in
        finder.parts(segment).first.map { ScenarioPiece(segment: segment, edge: $0.edge) }
      }
    known[place] = pieces
    return pieces
  }

  private mutating func edges(of place: ScenarioPlace, _ streets: inout Streets) -> [EdgeID] {
    let path = place.line.count > 1 ? Polyline(place.line) : nil
    guard let area = place.box ?? path.flatMap({ BoundingBox(around: $0.points) }) else {
      return place.street.flatMap { streets.edges[$0] } ?? []
    }
    let reach = place.box == nil ? area.expanded(byM: place.withinM * 1.01 + 1) : area
    if let street = place.street, let near = streets.edges(of: street, in: reach, graph) {
      examined += near.compared
      var found: [EdgeID] = []
      for edge in near.edges where isInBox(edge, place) && isAlong(edge, path, nil, place) {
        found.append(edge)
      }
      return found
    }
    var found: [EdgeID] = []
    for (edge, segments) in near(place, path)
    where (place.street.map { streets.has($0, edge, graph) } ?? true) && isInBox(edge, place)
      && isAlong(edge, path, segments, place)
    {
      found.append(edge)
    }
    return found
  }

  /// The edges around the box, otherwise around the line, of a place, by id; and the line's
  /// segments near each.
  private func near(
    _ place: ScenarioPlace, _ path: Polyline?
  ) -> [(edge: EdgeID, segments: [Int]?)] {
    var pieces: [Int: [Int]] = [:]
    if let box = place.box {
      graph.forEachPiece(in: box) { pieces[$0] = [] }
    } else if let path {
      for (number, (a, b)) in zip(path.points, path.points.dropFirst()).enumerated() {
        guard let box = BoundingBox(around: [a, b])?.expanded(byM: place.withinM) else { continue }
        graph.forEachPiece(in: box) { pieces[$0, default: []].append(number) }
      }
    }
    let segments = place.box == nil
    return pieces.flatMap { piece, numbers -> [(edge: EdgeID, segments: [Int]?)] in
      let edge = graph.columns.pieceEdge[piece]
      return [edge, graph.twin(edge)].compactMap { $0 }.map { ($0, segments ? numbers : nil) }
    }.sorted { $0.edge < $1.edge }
  }

  // A piece lies in the box if its middle does.
  private mutating func isInBox(_ edge: EdgeID, _ place: ScenarioPlace) -> Bool {
    guard let box = place.box else { return true }
    examined += 1
    return box.contains(graph.middle(edge))
  }

  /// Whether the middle of an edge is near a line and in its direction; only `segments` are near
  /// it, nil for all.
  private mutating func isAlong(
    _ edge: EdgeID, _ path: Polyline?, _ segments: [Int]?, _ place: ScenarioPlace
  ) -> Bool {
    guard let path else { return true }
    let middle = graph.middle(edge)
    var projection: Projection?
    for segment in segments ?? Array(0..<path.points.count - 1) {
      examined += 1
      let own = path.projection(
        of: middle, fromM: path.offsetsM[segment], toM: path.offsetsM[segment + 1])
      if let own, own.distanceM < projection?.distanceM ?? .infinity { projection = own }
    }
    guard let projection, projection.distanceM <= place.withinM,
      let along = path.bearingDeg(atM: projection.offsetM)
    else { return false }
    let own = graph.bearingDeg(RoadPosition(edge: edge, offsetM: graph.lengthM(edge) / 2))
    return Angle.differenceDeg(along, own) < 45
  }
}

extension RoadGraph {
  fileprivate func middle(_ edge: EdgeID) -> Coordinate {
    coordinate(RoadPosition(edge: edge, offsetM: lengthM(edge) / 2))
  }
}

/// The roads with given names or numbers.
private struct Streets {
  /// In the order of their ids.
  private(set) var edges: [String: [EdgeID]] = [:]
  private var names: [UInt32: [String]] = [:]
  /// The edges of a street by the latitude of their middles; made when a part of it is requested.
  private var byLatitude: [String: [(middle: Coordinate, edge: EdgeID)]] = [:]

  /// Streets with more edges in the latitudes of an area are searched for by the spatial index.
  private static let listLimit = 4096

  /// Linear in the graph; no work if no names are requested.
  init(_ wanted: Set<String>, _ graph: RoadGraph) {
    guard !wanted.isEmpty else { return }
    for (kind, road) in graph.columns.attributes.records.enumerated() {
      let own = Set([graph.text(road.name), graph.text(road.number)]).intersection(wanted)
      if !own.isEmpty { names[UInt32(kind)] = own.sorted() }
    }
    for edge in 0..<graph.edgeCount {
      for name in names[graph.columns.attributeIndex[edge]] ?? [] {
        edges[name, default: []].append(EdgeID(edge))
      }
    }
  }

  func has(_ name: String, _ edge: EdgeID, _ graph: RoadGraph) -> Bool {
    names[graph.columns.attributeIndex[edge.index]]?.contains(name) ?? false
  }

  /// The edges of a street whose middles lie in an area, by id, and the number of comparisons; nil
  /// if there are too many.
  ///
  /// Linear in the edges of the street in the latitudes of the area, after the first time.
  mutating func edges(
    of name: String, in area: BoundingBox, _ graph: RoadGraph
  ) -> (edges: [EdgeID], compared: Int)? {
    guard let own = edges[name] else { return ([], 0) }
    if byLatitude[name] == nil {
      byLatitude[name] = own.map { (graph.middle($0), $0) }.sorted {
        ($0.0.latitudeDeg, $0.1) < ($1.0.latitudeDeg, $1.1)
      }
    }
    guard let rows = byLatitude[name] else { return nil }
    func first(from latitudeDeg: Double) -> Int {
      var (low, high) = (0, rows.count)
      while low < high {
        let middle = (low + high) / 2
        if rows[middle].middle.latitudeDeg < latitudeDeg { low = middle + 1 } else { high = middle }
      }
      return low
    }
    let (low, high) = (first(from: area.southDeg), first(from: area.northDeg.nextUp))
    guard high - low <= Self.listLimit else { return nil }
    let near = rows[low..<max(low, high)]
    return (near.filter { area.contains($0.middle) }.map(\.edge).sorted(), near.count)
  }
}
