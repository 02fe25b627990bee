public import Foundations
public import RoadGraph

/// A speed or jam factor on a piece of road, as reported by a feed.
public struct FlowReport: Hashable, Sendable {
  public var segment: SegmentReference
  public var state: TrafficState

  public init(segment: SegmentReference, state: TrafficState) {
    self.segment = segment
    self.state = state
  }
}

/// The whole flow of one feed at one moment; it replaces the feed's previous flow.
public struct FlowSnapshot: Hashable, Sendable {
  public var feed: String
  /// Event time that the values describe.
  public var observed: Instant
  /// When they expire; nil if they are valid until replaced.
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
  /// The same values as if observed at another moment: their ends are shifted too.
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

/// Something that obstructs traffic at a place for a time.
public struct Incident: Hashable, Sendable {
  public var id: String
  /// A value from Protocols/types/incident.yaml: `accident`, `construction`, ...
  public var kind: String
  /// `low`, `minor`, `major`, `critical`; nil if not known.
  public var impact: String?
  public var text: String?
  public var latitudeDeg: Double?
  public var longitudeDeg: Double?
  public var segments: [SegmentReference]
  /// The pieces of road found near its coordinates, if the feed names none.
  public var snapped: [SegmentReference] = []
  /// An OpenLR line location, binary version 3 in base64, if the feed names no pieces; nil for
  /// none.
  public var openLR: String?
  /// Why no road was found for the OpenLR line; nil if one was found, or if there is no line.
  public var openLRProblem: String?
  /// Direction of travel that it applies to, clockwise from north; nil for both.
  public var bearingDeg: Double?
  /// Whether no traffic gets through.
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

  /// Whether it applies at a moment: from its beginning until before its end.
  public func holds(at now: Instant) -> Bool {
    (from.map { $0 <= now } ?? true) && (until.map { now < $0 } ?? true)
  }
}

/// All incidents that one feed knows; it replaces the feed's previous list.
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
