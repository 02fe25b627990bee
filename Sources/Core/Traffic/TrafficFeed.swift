public import EventTime
public import RoadGraph

/// A speed or jam factor on a piece of road, as a feed says it.
public struct FlowReport: Hashable, Sendable {
  public var segment: SegmentReference
  public var state: TrafficState

  public init(segment: SegmentReference, state: TrafficState) {
    self.segment = segment
    self.state = state
  }
}

/// The whole flow of one feed at one moment; it replaces what the feed said before.
public struct FlowSnapshot: Hashable, Sendable {
  public var feed: String
  /// Event time that the values describe.
  public var observed: Instant
  /// Until when they hold; nil until replaced.
  public var until: Instant?
  public var reports: [FlowReport]

  public init(feed: String, observed: Instant, until: Instant? = nil, reports: [FlowReport] = []) {
    self.feed = feed
    self.observed = observed
    self.until = until
    self.reports = reports
  }
}

extension FlowSnapshot {
  /// The same values as observed at another moment: their ends move with them.
  public func moved(to moment: Instant) -> FlowSnapshot {
    let seconds = moment.seconds(since: observed)
    var moved = self
    moved.observed = moment
    moved.until = until?.advanced(bySeconds: seconds)
    for place in reports.indices {
      guard let until = reports[place].state.until else { continue }
      moved.reports[place].state.until = until.advanced(bySeconds: seconds)
    }
    return moved
  }
}

/// Something that hinders traffic at a place for a time.
public struct Incident: Hashable, Sendable {
  public var id: String
  /// Word of Protocols/types/incident.yaml: `accident`, `construction`, ...
  public var kind: String
  /// `low`, `minor`, `major`, `critical`; nil where not known.
  public var impact: String?
  public var text: String?
  public var latitudeDeg: Double?
  public var longitudeDeg: Double?
  public var segments: [SegmentReference]
  /// The pieces of road found near its coordinates, where the feed names none.
  public var snapped: [SegmentReference] = []
  /// An OpenLR line location, binary version 3 in base64, where the feed names no pieces; nil for none.
  public var openLR: String?
  /// Why the OpenLR line gives no road; nil where it does, or where there is none.
  public var openLRProblem: String?
  /// Direction of travel that it concerns, clockwise from north; nil for both.
  public var bearingDeg: Double?
  /// Nobody gets through.
  public var isClosed: Bool
  public var delayS: Double?
  public var from: Instant?
  public var until: Instant?

  public init(
    id: String, kind: String, impact: String? = nil, text: String? = nil,
    latitudeDeg: Double? = nil, longitudeDeg: Double? = nil, segments: [SegmentReference] = [],
    isClosed: Bool = false, delayS: Double? = nil, from: Instant? = nil, until: Instant? = nil
  ) {
    self.id = id
    self.kind = kind
    self.impact = impact
    self.text = text
    self.latitudeDeg = latitudeDeg
    self.longitudeDeg = longitudeDeg
    self.segments = segments
    self.isClosed = isClosed
    self.delayS = delayS
    self.from = from
    self.until = until
  }

  /// The pieces of road that it lies on.
  public var places: [SegmentReference] { segments.isEmpty ? snapped : segments }

  /// Whether it holds at a moment: not before its beginning, not from its end on.
  public func holds(at now: Instant) -> Bool {
    (from.map { $0 <= now } ?? true) && (until.map { now < $0 } ?? true)
  }
}

/// All incidents that one feed knows of; replaces what it said before.
public struct IncidentList: Hashable, Sendable {
  public var feed: String
  public var observed: Instant
  public var incidents: [Incident]

  public init(feed: String, observed: Instant, incidents: [Incident] = []) {
    self.feed = feed
    self.observed = observed
    self.incidents = incidents
  }
}
