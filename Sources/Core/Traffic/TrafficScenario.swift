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

  /// The next second after `elapsedS` at which an event begins or ends; nil where none will.
  public func nextChangeS(afterS elapsedS: Double) -> Double? {
    var next: Double?
    for event in events {
      for second in [event.atS, event.untilS ?? event.atS] where second > elapsedS {
        next = min(next ?? second, second)
      }
    }
    return next
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
}
