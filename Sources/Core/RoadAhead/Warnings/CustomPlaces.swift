public import Geodesy
public import RoadGraph
public import Route

/// A user-defined place to warn of: a point, a line along roads, or an area.
public struct CustomPlace: Hashable, Sendable {
  public enum Form: Hashable, Sendable {
    case point(Coordinate)
    case line([Coordinate])
    /// An outer ring, followed by holes.
    case area([[Coordinate]])
  }

  public var id: String
  public var kind: WarningKind
  public var text: String?
  public var limitMps: Double?
  /// The place only concerns vehicles travelling in this direction; nil for all directions.
  public var bearingDeg: Double?
  public var form: Form

  public init(
    id: String, kind: WarningKind = .custom, text: String? = nil, limitMps: Double? = nil,
    bearingDeg: Double? = nil, form: Form
  ) {
    self.id = id
    self.kind = kind
    self.text = text
    self.limitMps = limitMps
    self.bearingDeg = bearingDeg
    self.form = form
  }
}

/// Custom places matched to the roads of a map.
public struct CustomPlaces: Sendable {
  /// Where a place touches an edge; `fromM` and `toM` are equal for a point.
  struct Touch: Hashable, Sendable {
    var place: Int
    var fromM: Double
    var toM: Double
  }

  public private(set) var places: [CustomPlace] = []
  /// Indices of places that lie on no road.
  public private(set) var stray: [Int] = []
  var touches: [EdgeID: [Touch]] = [:]

  /// Maximum distance between a point or a line and its road, in metres.
  static let nearM = 20.0
  private static let stepM = 5.0

  public init() {}

  /// Finds the roads of the places.
  ///
  /// Linear in the roads near them. Each road is sampled every few metres, and each sample is
  /// compared only with the segments of the place in its row of latitude.
  public init(_ places: [CustomPlace], on graph: RoadGraph) {
    self.places = places
    for (index, place) in places.enumerated() {
      let before = touches.count
      var hasTouched = false
      switch place.form {
      case .point(let at): hasTouched = add(point: at, of: index, graph)
      case .line(let points): hasTouched = add(line: points, of: index, graph)
      case .area(let rings): hasTouched = add(area: rings, of: index, graph)
      }
      if !hasTouched, touches.count == before { stray.append(index) }
    }
  }

  private mutating func add(point: Coordinate, of place: Int, _ graph: RoadGraph) -> Bool {
    let near = graph.edges(near: point, withinM: Self.nearM)
    guard let nearest = near.first?.distanceM else { return false }
    var hasTouched = false
    // Both directions of the nearest road, but no other road next to it.
    for edge in near where edge.distanceM <= nearest + 1 && faces(place, edge.bearingDeg) {
      let metres = edge.position.offsetM
      touches[edge.position.edge, default: []].append(
        Touch(place: place, fromM: metres, toM: metres))
      hasTouched = true
    }
    return hasTouched
  }

  private func faces(_ place: Int, _ bearingDeg: Double) -> Bool {
    places[place].bearingDeg.map { Angle.differenceDeg($0, bearingDeg) <= 45 } ?? true
  }

  private mutating func add(line: [Coordinate], of place: Int, _ graph: RoadGraph) -> Bool {
    let rows = SegmentRows([line], isClosed: false, marginM: 2 * Self.nearM)
    return add(place, around: line, graph) { at, bearingDeg in
      guard let near = rows.nearest(to: at), near.distanceM <= Self.nearM else { return false }
      let turn = Angle.differenceDeg(near.bearingDeg, bearingDeg)
      return min(turn, 180 - turn) <= 45
    }
  }

  private mutating func add(area: [[Coordinate]], of place: Int, _ graph: RoadGraph) -> Bool {
    let rows = SegmentRows(area, isClosed: true)
    return add(place, around: area.first ?? [], graph) { at, _ in rows.encloses(at) }
  }

  // Adds the parts of edges for which `holds` is true, sampled every few metres.
  private mutating func add(
    _ place: Int, around points: [Coordinate], _ graph: RoadGraph,
    where holds: (Coordinate, Double) -> Bool
  ) -> Bool {
    guard let box = BoundingBox(around: points)?.expanded(byM: Self.nearM) else { return false }
    var edges: Set<EdgeID> = []
    graph.forEachPiece(in: box) { piece in
      let edge = graph.columns.pieceEdge[piece]
      edges.insert(edge)
      if let twin = graph.twin(edge) { edges.insert(twin) }
    }
    var hasTouched = false
    for edge in edges.sorted() {
      let line = Polyline(graph.shape(edge))
      let lengthM = graph.lengthM(edge)
      let count = max(1, Int((lengthM / Self.stepM).rounded(.up)))
      let step = lengthM / Double(count)
      var open: Double?
      for number in 0..<count {
        // The middle of each step stands for the whole step.
        let metres = (Double(number) + 0.5) * step
        let bearing = line.bearingDeg(atM: metres) ?? 0
        let isIn =
          line.coordinate(atM: metres).map { holds($0, bearing) } ?? false && faces(place, bearing)
        if isIn, open == nil { open = Double(number) * step }
        if !isIn, let from = open {
          touches[edge, default: []].append(
            Touch(place: place, fromM: from, toM: Double(number) * step))
          open = nil
        }
        hasTouched = hasTouched || isIn
      }
      if let from = open {
        touches[edge, default: []].append(Touch(place: place, fromM: from, toM: lengthM))
      }
    }
    return hasTouched
  }
}
