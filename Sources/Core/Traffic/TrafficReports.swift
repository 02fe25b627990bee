public import Foundations
public import RoadGraph

/// The combined reports of all feeds, and the part of them that is valid at a moment.
///
/// If several feeds report on one piece of road, `view` decides which one counts.
public struct TrafficReports: Hashable, Sendable {
  public private(set) var flows: [String: FlowSnapshot] = [:]
  public private(set) var incidents: [String: IncidentList] = [:]

  /// How long speeds without an end count.
  public var ages: TrafficAges

  public init(ages: TrafficAges = TrafficAges()) { self.ages = ages }

  public var isEmpty: Bool { flows.isEmpty && incidents.isEmpty }

  public mutating func set(_ snapshot: FlowSnapshot) { flows[snapshot.feed] = snapshot }
  public mutating func set(_ list: IncidentList) { incidents[list.feed] = list }
  public mutating func removeFlow(feed: String) { flows[feed] = nil }
  public mutating func removeIncidents(feed: String) { incidents[feed] = nil }

  /// A number that equal values share; made of the feeds' general data, not of their reports.
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

  /// The period around `now` without changes; nil at an end without a change.
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

  /// Whether a live speed without an end counts at a moment; examines reports until it finds one.
  public func hasOpenEndedSpeed(at now: Instant) -> Bool {
    flows.values.contains { flow in
      guard flow.until == nil,
        ages.fading(.live, observed: flow.observed).weight(at: now) > 0
      else { return false }
      return flow.reports.contains { $0.state.source == .live && $0.state.until == nil }
    }
  }

  /// The next moment after `now` at which a report becomes valid or expires; nil if there is none.
  public func nextChange(after now: Instant) -> Instant? { period(around: now).until }

  /// The part known today about later moments: forecasts for them, and incidents that last that
  /// long.
  ///
  /// Live speeds are not included unless their feed reports when they end. Forecasts without an end
  /// count, however old they are.
  public var foretold: TrafficReports {
    var later = self
    later.ages.forecastHoldS = .infinity
    for (feed, snapshot) in flows {
      later.flows[feed]?.reports = snapshot.reports.filter {
        $0.state.source != .live || $0.state.until != nil || snapshot.until != nil
      }
    }
    return later
  }

  /// The traffic at `now` on the edges of a graph; linear in the edges and the reports.
  ///
  /// On each piece of road the best source counts: measured before forecast before typical before
  /// free flow. Of two values of one source the later observation counts; of two with the same
  /// time, that of the feed whose name comes last. A value that fades approaches that of the next
  /// source, or free flow. Closures by incidents take precedence over all flow, and their delays
  /// count where no measured or forecast flow covers the road. The view is as new as the newest
  /// report in it: expired reports, or those off the graph, do not make it newer.
  public func view(at now: Instant, index: SegmentIndex, graph: RoadGraph) -> TrafficView {
    view(at: now, fadedTo: now, index: index, graph: graph)
  }

  /// The same with the weights of fading values at another moment.
  func view(
    at now: Instant, fadedTo moment: Instant, index: SegmentIndex, graph: RoadGraph
  ) -> TrafficView {
    var maker = TrafficViewMaker(graph, index: index, at: now, fadedTo: moment, ages: ages)
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
  /// The rank of its reports, which is the same for all of them.
  var rank: Int { reports.first?.state.source.rank ?? 0 }

  /// How one of its reports fades: not at all if the feed reports an end.
  public func fading(of report: FlowReport, _ ages: TrafficAges) -> SpeedFading {
    report.state.until == nil && until == nil
      ? ages.fading(report.state.source, observed: observed) : .none
  }

  /// Whether one of its reports still counts at a moment.
  public func counts(_ report: FlowReport, at now: Instant, _ ages: TrafficAges) -> Bool {
    if let until, until <= now { return false }
    if let until = report.state.until, until <= now { return false }
    return fading(of: report, ages).weight(at: now) > 0
  }
}
