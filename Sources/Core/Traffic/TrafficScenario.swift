public import Geodesy
public import RoadGraph

/// A scripted traffic scenario: what happens where, and at which second.
public struct TrafficScenario: Hashable, Sendable {
  public var feed: String
  public var events: [ScenarioEvent]

  public init(feed: String, events: [ScenarioEvent]) {
    self.feed = feed
    self.events = events
  }

  /// The next second after `elapsedS` at which an event begins or ends; nil if there is none.
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

/// One event: a place, a time, and how traffic moves there.
public struct ScenarioEvent: Hashable, Sendable {
  /// Seconds from the scenario's beginning.
  public var atS: Double
  /// nil for the end of the scenario.
  public var untilS: Double?
  public var place: ScenarioPlace
  /// From 0, free, to 10, closed; nil if a speed is given.
  public var jamFactor: Double?
  public var speedMps: Double?
  /// The incident to report; nil if only the flow changes.
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

/// The pieces of road of an event: those that match all given criteria.
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
