import Geodesy
public import RoadGraph

/// A piece of road that an event of a scenario lies on: as the scenario names it, else a whole edge.
public struct ScenarioPiece: Hashable, Sendable {
  public var segment: SegmentReference
  /// The edge, or the first one, that it lies on.
  public var edge: EdgeID
}

/// Finds the pieces of road of a scenario's events.
///
/// Streets are looked up in one pass over the graph for all events, boxes and lines in its spatial index.
public struct ScenarioPlacer {
  private let graph: RoadGraph
  private var finder: PartFinder

  public init(_ graph: RoadGraph, index: SegmentIndex) {
    self.graph = graph
    finder = PartFinder(index, in: graph)
  }

  /// For each event its pieces, by id of edge where no segments are given; empty where the map has none of them.
  public mutating func pieces(of events: [ScenarioEvent]) -> [[ScenarioPiece]] {
    let streets = Streets(Set(events.compactMap(\.place.street)), graph)
    return events.map { event in
      let place = event.place
      guard place.segments.isEmpty else {
        return place.segments.compactMap { segment in
          finder.parts(segment).first.map { ScenarioPiece(segment: segment, edge: $0.edge) }
        }
      }
      return edges(of: place, streets).map {
        ScenarioPiece(segment: graph.reference($0), edge: $0)
      }
    }
  }

  private func edges(of place: ScenarioPlace, _ streets: Streets) -> [EdgeID] {
    if let near = near(place) {
      let path = Polyline(place.line)
      return near.filter { edge in
        (place.street.map { streets.has($0, edge, graph) } ?? true) && isInBox(edge, place)
          && isAlong(edge, path, place)
      }
    }
    return place.street.flatMap { streets.edges[$0] } ?? []
  }

  /// The edges around the box, else around the line, of a place; nil where it has neither.
  private func near(_ place: ScenarioPlace) -> [EdgeID]? {
    var pieces: Set<Int> = []
    if let box = place.box {
      graph.forEachPiece(in: box) { pieces.insert($0) }
    } else if place.line.count > 1 {
      for (a, b) in zip(place.line, place.line.dropFirst()) {
        guard let box = BoundingBox(around: [a, b])?.expanded(byM: place.withinM) else { continue }
        graph.forEachPiece(in: box) { pieces.insert($0) }
      }
    } else {
      return nil
    }
    return pieces.flatMap { piece -> [EdgeID] in
      let edge = graph.columns.pieceEdge[piece]
      return [edge, graph.twin(edge)].compactMap { $0 }
    }.sorted()
  }

  // A piece lies in the box when its middle does.
  private func isInBox(_ edge: EdgeID, _ place: ScenarioPlace) -> Bool {
    place.box?.contains(middle(edge)) ?? true
  }

  private func isAlong(_ edge: EdgeID, _ path: Polyline, _ place: ScenarioPlace) -> Bool {
    guard place.line.count > 1 else { return true }
    guard let foot = path.projection(of: middle(edge)), foot.distanceM <= place.withinM,
      let along = path.bearingDeg(atM: foot.offsetM)
    else { return false }
    let own = graph.bearingDeg(RoadPosition(edge: edge, offsetM: graph.lengthM(edge) / 2))
    return Angle.differenceDeg(along, own) < 45
  }

  private func middle(_ edge: EdgeID) -> Coordinate {
    graph.coordinate(RoadPosition(edge: edge, offsetM: graph.lengthM(edge) / 2))
  }
}

/// The roads of some names or numbers.
private struct Streets {
  /// In the order of their ids.
  private(set) var edges: [String: [EdgeID]] = [:]
  private var names: [UInt32: [String]] = [:]

  /// Linear in the graph; nothing where no names are wanted.
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
}
