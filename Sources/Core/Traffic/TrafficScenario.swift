public import Geodesy
public import RoadGraph

/// Traffic as somebody wrote it down: what happens where, at which second.
public struct TrafficScenario: Hashable, Sendable {
  public var feed: String
  public var events: [ScenarioEvent]

  public init(feed: String, events: [ScenarioEvent]) {
    self.feed = feed
    self.events = events
  }

  /// The events that hold `elapsedS` seconds after the scenario's beginning.
  public func active(atS elapsedS: Double) -> [ScenarioEvent] {
    events.filter { $0.atS <= elapsedS && elapsedS < ($0.untilS ?? .infinity) }
  }

  /// The next second after `elapsedS` at which an event begins or ends; nil where none will.
  public func nextChangeS(afterS elapsedS: Double) -> Double? {
    events.flatMap { [$0.atS] + ($0.untilS.map { [$0] } ?? []) }.filter { $0 > elapsedS }.min()
  }
}

/// One thing that happens: a place, a time, and how traffic moves there.
public struct ScenarioEvent: Hashable, Sendable {
  /// Seconds from the scenario's beginning.
  public var atS: Double
  /// nil: to the end.
  public var untilS: Double?
  public var place: ScenarioPlace
  /// From 0, free, to 10, closed; nil where a speed is given.
  public var jamFactor: Double?
  public var speedMps: Double?
  /// What is told as an incident; nil where only the flow changes.
  public var incident: Incident?

  public init(
    atS: Double, untilS: Double? = nil, place: ScenarioPlace, jamFactor: Double? = nil,
    speedMps: Double? = nil, incident: Incident? = nil
  ) {
    self.atS = atS
    self.untilS = untilS
    self.place = place
    self.jamFactor = jamFactor
    self.speedMps = speedMps
    self.incident = incident
  }
}

/// Which pieces of road an event lies on: those for which all that is given holds.
public struct ScenarioPlace: Hashable, Sendable {
  public var segments: [SegmentReference]
  /// Name or number of the road.
  public var street: String?
  public var box: BoundingBox?
  /// A line along which the pieces run, in its direction, within `withinM`.
  public var line: [Coordinate]
  public var withinM: Double

  public init(
    segments: [SegmentReference] = [], street: String? = nil, box: BoundingBox? = nil,
    line: [Coordinate] = [], withinM: Double = 20
  ) {
    self.segments = segments
    self.street = street
    self.box = box
    self.line = line
    self.withinM = withinM
  }

  /// The directed edges that are meant, by id; linear in the graph where no segments are given.
  public func edges(in graph: RoadGraph, index: SegmentIndex) -> [EdgeID] {
    if !segments.isEmpty {
      return segments.flatMap { index.edges(along: $0, in: graph) }
    }
    guard street != nil || box != nil || line.count > 1 else { return [] }
    let path = Polyline(line)
    return (0..<graph.edgeCount).map { EdgeID($0) }.filter { edge in
      isOnStreet(edge, graph) && isInBox(edge, graph) && isAlong(edge, path, graph)
    }
  }

  private func isOnStreet(_ edge: EdgeID, _ graph: RoadGraph) -> Bool {
    guard let street else { return true }
    let road = graph.attributes(edge)
    return graph.text(road.name) == street || graph.text(road.number) == street
  }

  // A piece lies in the box when its middle does.
  private func isInBox(_ edge: EdgeID, _ graph: RoadGraph) -> Bool {
    guard let box else { return true }
    return box.contains(middle(edge, graph))
  }

  private func isAlong(_ edge: EdgeID, _ path: Polyline, _ graph: RoadGraph) -> Bool {
    guard line.count > 1 else { return true }
    let middle = middle(edge, graph)
    guard let foot = path.projection(of: middle), foot.distanceM <= withinM,
      let along = path.bearingDeg(atM: foot.offsetM)
    else { return false }
    let own = graph.bearingDeg(RoadPosition(edge: edge, offsetM: graph.lengthM(edge) / 2))
    return Angle.differenceDeg(along, own) < 45
  }

  private func middle(_ edge: EdgeID, _ graph: RoadGraph) -> Coordinate {
    graph.coordinate(RoadPosition(edge: edge, offsetM: graph.lengthM(edge) / 2))
  }
}
