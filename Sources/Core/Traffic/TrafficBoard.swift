public import EventTime
public import RoadGraph

/// What all feeds say together, and what of it holds at a moment.
///
/// Where several feeds speak of one piece of road, `view` says which one counts.
public struct TrafficBoard: Hashable, Sendable {
  public private(set) var flows: [String: FlowSnapshot] = [:]
  public private(set) var incidents: [String: IncidentList] = [:]

  /// For how long speeds without an end count.
  public var ages: TrafficAges

  public init(ages: TrafficAges = TrafficAges()) { self.ages = ages }

  public var isEmpty: Bool { flows.isEmpty && incidents.isEmpty }

  public mutating func set(_ snapshot: FlowSnapshot) { flows[snapshot.feed] = snapshot }
  public mutating func set(_ list: IncidentList) { incidents[list.feed] = list }
  public mutating func removeFlow(feed: String) { flows[feed] = nil }
  public mutating func removeIncidents(feed: String) { incidents[feed] = nil }

  /// A number that equal boards have in common; made of what each feed says in general, not of its reports.
  public var mark: Int {
    var hasher = Hasher()
    for flow in flows.values.sorted(by: { $0.feed < $1.feed }) {
      hasher.combine(flow.feed)
      hasher.combine(flow.observed)
      hasher.combine(flow.reports.count)
    }
    for list in incidents.values.sorted(by: { $0.feed < $1.feed }) {
      hasher.combine(list.feed)
      hasher.combine(list.observed)
      hasher.combine(list.incidents.count)
    }
    return hasher.finalize()
  }

  /// From when and until when the same holds as at `now`; nil where nothing begins or ends to hold.
  public func period(around now: Instant) -> (since: Instant?, until: Instant?) {
    var since: Instant?
    var until: Instant?
    func consider(_ moment: Instant?) {
      guard let moment else { return }
      if moment > now { until = min(until ?? moment, moment) }
      if moment <= now { since = max(since ?? moment, moment) }
    }
    for flow in flows.values {
      consider(flow.until)
      var fades: Set<SpeedSource> = []
      for report in flow.reports {
        consider(report.state.until)
        guard flow.until == nil, report.state.until == nil,
          fades.insert(report.state.source).inserted
        else { continue }
        let step = ages.fading(report.state.source, observed: flow.observed).period(around: now)
        consider(step.since)
        consider(step.until)
      }
    }
    for list in incidents.values {
      for incident in list.incidents {
        consider(incident.from)
        consider(incident.until)
      }
    }
    return (since, until)
  }

  /// Whether a live speed without an end counts at a moment; looks at reports until it finds one.
  public func hasOpenEndedSpeed(at now: Instant) -> Bool {
    flows.values.contains { flow in
      guard flow.until == nil,
        ages.fading(.live, observed: flow.observed).weight(at: now) > 0
      else { return false }
      return flow.reports.contains { $0.state.source == .live && $0.state.until == nil }
    }
  }

  /// The next moment after `now` at which something begins or ends to hold; nil where nothing will.
  public func nextChange(after now: Instant) -> Instant? { period(around: now).until }

  /// What is known today of later moments: what is foretold for them, and incidents that last so long.
  ///
  /// Speeds measured live say nothing of them unless their feed says until when they hold. Forecasts without an end count
  /// however long ago they were made.
  public var foretold: TrafficBoard {
    var later = self
    later.ages.forecastHoldS = .infinity
    for (feed, snapshot) in flows {
      later.flows[feed]?.reports = snapshot.reports.filter {
        $0.state.source != .live || $0.state.until != nil || snapshot.until != nil
      }
    }
    return later
  }

  /// What holds at `now` on the edges of a graph; linear in the edges and the reports.
  ///
  /// On each piece of road the best source counts: measured before forecast before typical before free flow. Of two
  /// of one kind the later observation counts, of two of one moment the feed whose name comes last. A value that fades
  /// goes over to that of the next source, else to free flow. Incidents' closures count before all flow, and their delays
  /// where no measured or forecast flow speaks of the road. It is as new as the newest of what it holds: what has ended,
  /// or lies beside the graph, makes it no newer.
  public func view(at now: Instant, index: SegmentIndex, graph: RoadGraph) -> TrafficView {
    view(at: now, fadedTo: now, index: index, graph: graph)
  }

  /// The same with the weights that fading values have at another moment.
  func view(
    at now: Instant, fadedTo moment: Instant, index: SegmentIndex, graph: RoadGraph
  ) -> TrafficView {
    var maker = ViewMaker(graph, index: index, at: now, fadedTo: moment, ages: ages)
    let inOrder = flows.values.filter { $0.until.map { now < $0 } ?? true }
      .map { ($0.rank, min($0.observed, now), $0) }
      .sorted { (-$0.0, $0.1, $0.2.feed) < (-$1.0, $1.1, $1.2.feed) }
    for (_, _, flow) in inOrder { maker.add(flow) }
    maker.combinePieces()
    var closures: [Incident] = []
    for list in incidents.values.sorted(by: { $0.feed < $1.feed }) {
      for incident in list.incidents where incident.holds(at: now) {
        maker.add(incident, observed: list.observed)
        if incident.isClosed { closures.append(incident) }
      }
    }
    maker.finish(closures: closures)
    return maker.view
  }
}

extension FlowSnapshot {
  /// The rank of its reports, which a feed has in common.
  var rank: Int { reports.first?.state.source.rank ?? 0 }

  /// How a report of it fades: not at all where the feed says until when it holds.
  public func fading(of report: FlowReport, _ ages: TrafficAges) -> SpeedFading {
    report.state.until == nil && until == nil
      ? ages.fading(report.state.source, observed: observed) : .none
  }

  /// Whether a report of it still counts at a moment.
  public func counts(_ report: FlowReport, at now: Instant, _ ages: TrafficAges) -> Bool {
    if let until, until <= now { return false }
    if let until = report.state.until, until <= now { return false }
    return fading(of: report, ages).weight(at: now) > 0
  }
}
