public import Foundations
public import RoadGraph
public import Route
public import Traffic

/// Traffic on the rest of a route; lengths and geometry are the route's own.
public struct RouteTraffic: Hashable, Sendable {
  public struct Section: Hashable, Sendable {
    public var section: Int
    public var lengthM: Double
    public var durations: Durations
    /// Indices into `incidents`.
    public var incidents: [Int]
    public var baseSpeedMps: Double
    public var trafficSpeedMps: Double
    /// The maximum of its spans.
    public var jamFactor: Double
  }

  public struct Span: Hashable, Sendable {
    public var span: Int
    public var lengthM: Double
    public var durations: Durations
    public var baseSpeedMps: Double
    public var trafficSpeedMps: Double
    public var jamFactor: Double
    public var kind: SpeedKind
    /// When the speed expires; nil if it is valid until it is replaced.
    public var until: Instant?
    /// Indices into `incidents`.
    public var incidents: [Int]
  }

  public var lengthM: Double
  public var durations: Durations
  public var sections: [Section]
  public var spans: [Span]
  /// The incidents ahead, the nearest first.
  public var incidents: [Incident]
  /// Seconds since the newest report; nil if traffic is ignored.
  public var ageS: Double?
}

/// Prices a route again with the traffic of a metric.
public struct RoutePricing {
  public let metric: RoadMetric
  let route: Route
  let edges: [EdgeID]
  private let times: [SegmentTime]

  /// `sections` are the paths that the route was built from.
  ///
  /// If the metric has a clock, its departure is the time at which the vehicle is `travelledM`
  /// metres along `section`.
  public init(
    metric: RoadMetric, route: Route, sections: [RoadPath], section start: Int = 0,
    travelledM: Double = 0
  ) {
    self.metric = metric
    self.route = route
    edges = sections.flatMap(\.edges)
    var times: [SegmentTime] = []
    var last: EdgeID?
    var clockMS: UInt64 = 0
    for (index, section) in sections.enumerated() {
      if index == start, metric.clock != nil, start < route.sections.count {
        let hereM = route.sections[start].startM + Double.maximum(0, travelledM)
        times += Self.times(metric, route, section, after: last, times.count, hereM, &clockMS)
      } else {
        if index < start { clockMS = 0 }
        if index > start { clockMS += Self.restMS(route, before: index) }
        times += metric.routeTimes(along: section, after: last, clockMS: &clockMS)
      }
      last = section.edges.last
    }
    self.times = times
  }

  /// Times of a section of which the vehicle has already driven the route's first `hereM` metres.
  ///
  /// Pieces behind the vehicle get the prices of the departure. The current piece is timed as if
  /// all of it were driven at the speed of its rest.
  private static func times(
    _ metric: RoadMetric, _ route: Route, _ path: RoadPath, after last: EdgeID?, _ first: Int,
    _ hereM: Double, _ clockMS: inout UInt64
  ) -> [SegmentTime] {
    var times = metric.times(along: path, after: last)
    let pieces = route.segments[first..<min(first + path.edges.count, route.segments.count)]
    guard !pieces.isEmpty else { return times }
    let at = pieces.lastIndex { $0.startM <= hereM }.map { $0 - first } ?? 0
    let doneM = Double.minimum(
      route.segments[first + at].lengthM, hereM - route.segments[first + at].startM)
    var rest = path
    rest.edges = Array(path.edges[at...])
    rest.startOffsetM = (at == 0 ? path.startOffsetM : 0) + Double.maximum(0, doneM)
    if rest.edges.count == 1 {
      rest.endOffsetM = Double.maximum(rest.startOffsetM, rest.endOffsetM)
    }
    clockMS = 0
    let ahead = metric.routeTimes(
      along: rest, clockMS: &clockMS, waitsAtStart: at > 0 && doneM < Self.barrierM)
    for (index, time) in ahead.enumerated() where index > 0 { times[at + index] = time }
    times[at].entered = ahead.first?.entered
    let lengthM = route.segments[first + at].lengthM
    let share = lengthM > 0 ? 1 - Double.maximum(0, doneM) / lengthM : 1
    if let rest = ahead.first, share > 0 { times[at].latestS = rest.latestS / share }
    return times
  }

  /// A vehicle no farther than this behind the start of a road may still be standing in front of
  /// it.
  private static let barrierM = 25.0

  /// The rest at the stop before a section.
  private static func restMS(_ route: Route, before section: Int) -> UInt64 {
    let number = route.sections[section].firstWaypoint
    guard route.waypoints.indices.contains(number) else { return 0 }
    return UInt64(Double.maximum(0, route.waypoints[number].original.restS ?? 0) * 1000)
  }

  /// Traffic from a position on: the section last travelled, and the metres travelled on it.
  public func traffic(section: Int, travelledM: Double) -> RouteTraffic {
    let first = route.sections[section]
    let hereM = first.startM + Double.minimum(Double.maximum(0, travelledM), first.lengthM)
    var spans: [RouteTraffic.Span] = []
    for index in first.spans.lowerBound..<route.spans.count {
      let endM = route.spans[index].startM + route.spans[index].lengthM
      guard endM > hereM || index == route.spans.count - 1 else { continue }
      spans.append(span(index, remainingFromM: hereM))
    }
    let (incidents, ofSpan) = incidentsAhead(ofM: hereM, from: section)
    for place in spans.indices { spans[place].incidents = ofSpan[spans[place].span] ?? [] }
    let sections = (section..<route.sections.count).map { index in
      Self.section(index, spans.filter { route.sections[index].spans.contains($0.span) })
    }
    return RouteTraffic(
      lengthM: route.lengthM - hereM, durations: spans.map(\.durations).reduce(.zero, +),
      sections: sections, spans: spans, incidents: incidents, ageS: metric.traffic?.ageS)
  }

  private static func section(
    _ index: Int, _ spans: [RouteTraffic.Span]
  ) -> RouteTraffic.Section {
    let lengthM = spans.reduce(0) { $0 + $1.lengthM }
    var incidents: [Int] = []
    var (freeS, latestS, jam) = (0.0, 0.0, 0.0)
    for span in spans {
      for incident in span.incidents where !incidents.contains(incident) {
        incidents.append(incident)
      }
      freeS += span.baseSpeedMps > 0 ? span.lengthM / span.baseSpeedMps : 0
      latestS += span.trafficSpeedMps > 0 ? span.lengthM / span.trafficSpeedMps : 0
      jam = Double.maximum(jam, span.jamFactor)
    }
    return RouteTraffic.Section(
      section: index, lengthM: lengthM, durations: spans.map(\.durations).reduce(.zero, +),
      incidents: incidents, baseSpeedMps: freeS > 0 ? lengthM / freeS : 0,
      trafficSpeedMps: latestS > 0 ? lengthM / latestS : 0, jamFactor: jam)
  }

  private func span(_ index: Int, remainingFromM hereM: Double) -> RouteTraffic.Span {
    let span = route.spans[index]
    var durations = Durations.zero
    var lengthM = 0.0
    var edgeS = (free: 0.0, latest: 0.0)
    var jam = 0.0
    for segment in span.segments {
      let piece = route.segments[segment]
      let doneM = Double.minimum(piece.lengthM, Double.maximum(0, hereM - piece.startM))
      if doneM >= piece.lengthM, doneM > 0 { continue }
      let share = piece.lengthM > 0 ? 1 - doneM / piece.lengthM : 1
      let time = times[segment]
      let turnS = doneM > 0 ? 0 : time.turnS
      durations =
        durations
        + Durations(
          freeFlowS: turnS + time.freeFlowS * share, trafficS: piece.durationS * share,
          latestS: turnS + time.latestS * share)
      edgeS = (edgeS.free + time.freeFlowS * share, edgeS.latest + time.latestS * share)
      lengthM += piece.lengthM - doneM
      jam = Double.maximum(jam, metric.jamFactor(edges[segment], at: time.entered))
    }
    return RouteTraffic.Span(
      span: index, lengthM: lengthM, durations: durations,
      baseSpeedMps: edgeS.free > 0.5 ? lengthM / edgeS.free : span.baseSpeedMps,
      trafficSpeedMps: edgeS.latest > 0.5 ? lengthM / edgeS.latest : span.baseSpeedMps,
      jamFactor: jam,
      kind: metric.speedKind(
        edges[span.segments], at: times[span.segments].map(\.entered)),
      until: metric.until(edges[span.segments], at: times[span.segments].map(\.entered)),
      incidents: [])
  }

  private func incidentsAhead(
    ofM hereM: Double, from section: Int
  ) -> (incidents: [Incident], ofSpan: [Int: [Int]]) {
    guard let traffic = metric.traffic else { return ([], [:]) }
    var slot: [Int: Int] = [:]
    var incidents: [Incident] = []
    var ofSpan: [Int: [Int]] = [:]
    for span in route.sections[section].spans.lowerBound..<route.spans.count {
      for segment in route.spans[span].segments {
        let piece = route.segments[segment]
        guard piece.startM + piece.lengthM > hereM else { continue }
        for number in traffic.incidents(on: edges[segment]) {
          // An incident that ends before its place is reached does not affect the trip.
          let entered = times[segment].entered
          if let entered, !traffic.incidents[number].holds(at: entered) { continue }
          let place = slot[number] ?? incidents.count
          if slot[number] == nil {
            incidents.append(traffic.incidents[number])
            slot[number] = place
          }
          if !(ofSpan[span] ?? []).contains(place) { ofSpan[span, default: []].append(place) }
        }
      }
    }
    return (incidents, ofSpan)
  }
}

extension RoadMetric {
  /// The jam factor of an edge at a moment of the metric's trip, nil for the moment of its prices;
  /// 0 if nothing is known.
  func jamFactor(_ edge: EdgeID, at moment: Instant? = nil) -> Double {
    guard let state = state(of: edge, at: moment) else { return 0 }
    return state.jamFactor(freeFlowMps: network.graph.attributes(edge).freeFlowMps(key.mode))
  }

  /// The source of the edge's latest speed.
  func speedKind(_ edge: EdgeID, at moment: Instant? = nil) -> SpeedKind {
    guard let state = state(of: edge, at: moment) else { return .freeFlow }
    return SpeedKind(rawValue: state.source.rawValue) ?? .live
  }

  /// The source of the speed on some edges: that of the first edge with a known one, otherwise
  /// none.
  func speedKind(_ edges: ArraySlice<EdgeID>, at moments: [Instant?]) -> SpeedKind {
    zip(edges, moments).map { speedKind($0, at: $1) }.first { $0 != .freeFlow } ?? .freeFlow
  }

  /// When the data known about some edges expires; nil if none of it does.
  func until(_ edges: ArraySlice<EdgeID>, at moments: [Instant?]) -> Instant? {
    guard traffic != nil || clock != nil else { return nil }
    return zip(edges, moments).compactMap { state(of: $0, at: $1)?.until }.min()
  }
}
