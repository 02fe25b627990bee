public import Geodesy
public import RoadGraph

/// An incident on the roads of one map.
public struct PlacedIncident: Hashable, Sendable {
  public var incident: FeedIncident
  /// Directed edges, in sequences that each run one way; empty if no road was found.
  public var runs: [[EdgeID]]
  /// For each of `runs`, the parts of its edges that the feed's segments name; empty if the feed
  /// names none.
  public var named: [[NamedPart]] = []
  /// Where it begins, for display; nil if the feed has no coordinates and the map does not have its
  /// segments.
  public var anchor: Coordinate?
  /// Why parts of its place were not found.
  public var notes: [FeedProblem]
  /// ISO 3166-1 letters of the country of its roads; nil if not known.
  public var country: String?

  /// All edges, each once, in their order.
  public var edges: [EdgeID] {
    var seen: Set<EdgeID> = []
    return runs.flatMap { $0 }.filter { seen.insert($0).inserted }
  }
}

/// A part of an edge, and the segment that names it: between junctions, the edge's own ends or
/// nodes inside it.
public struct NamedPart: Hashable, Sendable {
  public var part: EdgePart
  public var segment: SegmentReference

  public init(part: EdgePart, segment: SegmentReference) {
    self.part = part
    self.segment = segment
  }
}

extension PlacedIncident {
  /// The parts of edges that it lies on, by run: those that the feed names, otherwise whole edges.
  public func parts(on graph: RoadGraph) -> [[NamedPart]] {
    guard named.isEmpty else { return named }
    return runs.map { run in
      run.map { edge in
        NamedPart(
          part: EdgePart(edge: edge, fromM: 0, toM: graph.lengthM(edge)),
          segment: graph.reference(edge))
      }
    }
  }
}

/// Finds the directed edges that incidents lie on.
public struct FeedPlacer: Sendable {
  /// Maximum distance of a road from a point of an incident.
  public static let nearM = 50.0
  /// Maximum number of edges of one incident; an incident with more gets none.
  public static let edgeLimit = 20_000

  private let graph: RoadGraph
  private let index: SegmentIndex

  public init(_ graph: RoadGraph, index: SegmentIndex) {
    self.graph = graph
    self.index = index
  }

  /// An incident with its edges, or with a note that explains why it has none.
  ///
  /// Segments take precedence over coordinates.
  public func place(_ incident: FeedIncident) -> PlacedIncident {
    let place = incident.place
    var placed = PlacedIncident(
      incident: incident, runs: [], anchor: place.coordinates.first, notes: [], country: nil)
    func report(_ reason: FeedReason, _ problem: String) {
      placed.notes.append(FeedProblem(incident.id, reason, problem))
    }
    if place.segments.isEmpty {
      placed.runs = located(place, report)
    } else {
      var finder = EdgePartFinder(index, in: graph)
      var unknown: [SegmentReference] = []
      for segment in place.segments {
        let parts = named(finder.parts(segment), segment)
        if parts.isEmpty {
          unknown.append(segment)
        } else {
          placed.named.append(parts)
          placed.runs.append(parts.map(\.part.edge))
        }
      }
      if let first = unknown.first {
        report(
          .unknownSegment,
          "\(unknown.count) of \(place.segments.count) segments are not in the map; the first is [\(first.way), \(first.from), \(first.to)]"
        )
      }
    }
    if placed.runs.reduce(0, { $0 + $1.count }) > Self.edgeLimit {
      report(.tooLarge, "it lies on more than \(Self.edgeLimit) edges")
      placed.runs = []
      placed.named = []
    }
    if let edge = placed.runs.first?.first {
      placed.country = graph.attributes(edge).country
      let part = placed.named.first?.first?.part
      let middleM = part.map { ($0.fromM + $0.toM) / 2 } ?? graph.lengthM(edge) / 2
      placed.anchor =
        placed.anchor ?? graph.coordinate(RoadPosition(edge: edge, offsetM: middleM))
    }
    return placed
  }

  /// The parts of a segment, each with the reference that names it alone.
  private func named(_ parts: [EdgePart], _ segment: SegmentReference) -> [NamedPart] {
    parts.enumerated().map { number, part in
      var own = graph.reference(part.edge)
      if number == 0 { own.from = segment.from }
      if number == parts.count - 1 { own.to = segment.to }
      return NamedPart(part: part, segment: own)
    }
  }

  private func located(_ place: FeedPlace, _ report: (FeedReason, String) -> Void) -> [[EdgeID]] {
    let isOnMap = place.coordinates.contains { at in
      graph.boundingBox?.expanded(byM: Self.nearM).contains(at) ?? false
    }
    guard isOnMap else {
      if let first = place.coordinates.first {
        let code = place.references.first.map { "OpenLR \($0.name): " } ?? ""
        report(.offMap, code + "\(first.latitudeDeg), \(first.longitudeDeg) lies outside the map")
      }
      return []
    }
    var runs: [[EdgeID]] = []
    for reference in place.references {
      do throws(FeedFault) {
        runs.append(try edges(of: reference, place))
      } catch {
        report(.openLRWithoutPath, "OpenLR \(reference.name): \(error)")
      }
    }
    // A line that was found by its reference is more certain than any drawing.
    if !runs.isEmpty { return runs }
    for line in place.lines {
      var lines: [[Coordinate]] = []
      if place.direction != .against { lines.append(line) }
      if place.direction == .against || place.direction == .both { lines.append(line.reversed()) }
      let found = lines.map { edges(along: $0, place) }
      runs += found.map(\.edges)
      if place.direction == .road {
        runs += found.map { $0.edges.reversed().compactMap { graph.twin($0) } }
      }
      let coverage = found.map(\.coverage).max() ?? 0
      if coverage > 0, coverage < 0.5 {
        report(.partlyPlaced, "\(Int(coverage * 100)) % of a line lies along roads")
      }
    }
    // Next to lines a point is for display only.
    if place.lines.isEmpty { for point in place.points { runs += edges(at: point, place) } }
    for area in place.areas { runs += edges(in: area, place) }
    runs.removeAll { $0.isEmpty }
    if runs.isEmpty { report(.noRoadNear, "there is no suitable road within \(Int(Self.nearM)) m") }
    return runs
  }

  /// The edges of a reference's line; at its ends, those that it covers for half of their length,
  /// or for 20 m.
  ///
  /// If the line covers no edge to that extent, the result is the edge that it covers most.
  private func edges(
    of reference: OpenLRReference, _ place: FeedPlace
  ) throws(FeedFault) -> [EdgeID] {
    let parts = try OpenLRDecoder(on: graph) { isMeant($0, place) }.parts(reference)
    let edges = parts.filter {
      $0.lengthM >= Double.minimum(20, graph.lengthM($0.edge) / 2)
    }.map(\.edge)
    guard edges.isEmpty else { return edges }
    return parts.max { $0.lengthM < $1.lengthM }.map { [$0.edge] } ?? []
  }

  private func edges(
    along line: [Coordinate], _ place: FeedPlace
  ) -> (edges: [EdgeID], coverage: Double) {
    guard place.hasEndsOnly, let from = line.first, let to = line.last else {
      return LineMatcher(line, on: graph).edges { isMeant($0, place) }
    }
    let edges = EndpointPathFinder(on: graph) { isMeant($0, place) }.edges(from: from, to: to)
    return (edges, edges.isEmpty ? 0 : 1)
  }

  /// Whether an incident can lie on an edge: motor vehicles may use it, and it is a slip road if
  /// required.
  private func isMeant(_ edge: EdgeID, _ place: FeedPlace) -> Bool {
    let road = graph.attributes(edge)
    guard !place.isSlipRoad || road.flags.contains(.link) else { return false }
    return Self.isForMotorVehicles(edge, graph)
  }

  /// Whether motor vehicles of any kind may use an edge.
  public static func isForMotorVehicles(_ edge: EdgeID, _ graph: RoadGraph) -> Bool {
    let road = graph.attributes(edge)
    return TravelMode.allCases.contains { $0.isMotorised && road.access($0).isUsable }
  }

  // MARK: Points and areas

  /// The nearest road of a point: both directions, or those within 45 degrees of the bearing.
  private func edges(at point: Coordinate, _ place: FeedPlace) -> [[EdgeID]] {
    var near = graph.edges(near: point, withinM: Self.nearM).filter { near in
      isMeant(near.position.edge, place)
        && place.bearingDeg.map { Angle.differenceDeg($0, near.bearingDeg) <= 45 } ?? true
    }
    if let number = place.roadNumber.map(Self.letters), !number.isEmpty {
      let named = near.filter { isNumbered($0.position.edge, number) }
      if !named.isEmpty { near = named }
    }
    // At a junction several roads are equally near; the most important one is taken.
    func rank(_ near: NearbyEdge) -> (Int, RoadClass, EdgeID) {
      let edge = near.position.edge
      return (Int(near.distanceM), graph.attributes(edge).roadClass, edge)
    }
    guard let nearest = near.min(by: { rank($0) < rank($1) })?.position.edge else { return [] }
    let twin = graph.twin(nearest).flatMap { twin in
      near.contains { $0.position.edge == twin } ? twin : nil
    }
    return [[nearest]] + (twin.map { [[$0]] } ?? [])
  }

  private func isNumbered(_ edge: EdgeID, _ number: String) -> Bool {
    graph.text(graph.attributes(edge).number).split(separator: ";")
      .contains { Self.letters(String($0)) == number }
  }

  /// Letters and digits only, so that `A 7` and `a-7` are equal.
  private static func letters(_ number: String) -> String {
    number.uppercased().filter { $0.isLetter || $0.isNumber }
  }

  /// The edges whose middle lies in an area.
  private func edges(in area: [[Coordinate]], _ place: FeedPlace) -> [[EdgeID]] {
    guard let box = BoundingBox(around: area.first ?? []) else { return [] }
    let rows = SegmentRows(area, isClosed: true)
    var edges: [[EdgeID]] = []
    graph.forEachPiece(in: box) { piece in
      let edge = graph.columns.pieceEdge[piece]
      let middle = RoadPosition(edge: edge, offsetM: graph.lengthM(edge) / 2)
      guard edges.count <= Self.edgeLimit, rows.encloses(graph.coordinate(middle)) else { return }
      for edge in [edge, graph.twin(edge)].compactMap({ $0 }) where isMeant(edge, place) {
        edges.append([edge])
      }
    }
    return edges.sorted { ($0.first?.rawValue ?? 0) < ($1.first?.rawValue ?? 0) }
  }
}
