public import EventTime
public import RoadGraph

/// What all feeds say together, and what of it holds at a moment.
///
/// Feeds are merged in the order of their names; where two speak of one piece of road the later observation wins.
public struct TrafficBoard: Hashable, Sendable {
  public private(set) var flows: [String: FlowSnapshot] = [:]
  public private(set) var incidents: [String: IncidentList] = [:]

  public init() {}

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
      for report in flow.reports { consider(report.state.until) }
    }
    for list in incidents.values {
      for incident in list.incidents {
        consider(incident.from)
        consider(incident.until)
      }
    }
    return (since, until)
  }

  /// The next moment after `now` at which something begins or ends to hold; nil where nothing will.
  public func nextChange(after now: Instant) -> Instant? { period(around: now).until }

  /// What is known today of later moments: what is foretold for them, and incidents that last so long.
  ///
  /// Speeds measured live say nothing of them unless their feed says until when they hold.
  public var foretold: TrafficBoard {
    var later = self
    for (feed, snapshot) in flows {
      later.flows[feed]?.reports = snapshot.reports.filter {
        $0.state.source != .live || $0.state.until != nil || snapshot.until != nil
      }
    }
    return later
  }

  /// What holds at `now` on the edges of a graph; linear in the edges and the reports.
  ///
  /// It is as new as the newest of what it holds: what has ended, or lies beside the graph, makes it no newer.
  public func view(at now: Instant, index: SegmentIndex, graph: RoadGraph) -> TrafficView {
    var view = TrafficView(edgeCount: graph.edgeCount, asOf: now, observed: nil)
    let inOrder = flows.values.sorted { ($0.observed, $0.feed) < ($1.observed, $1.feed) }
    for flow in inOrder where flow.until.map({ now < $0 }) ?? true {
      view.reserve(flow.reports.count)
      var holdsAny = false
      for report in flow.reports {
        if let until = report.state.until, until <= now { continue }
        // Nearly all reports are of one edge; the map may have cut others finer.
        if let edge = index.edge(report.segment) {
          view.set(report.state, on: edge)
          holdsAny = true
          continue
        }
        for edge in index.edges(along: report.segment, in: graph) {
          view.set(report.state, on: edge)
          holdsAny = true
        }
      }
      if holdsAny { view.hold(observed: flow.observed) }
    }
    for list in incidents.values.sorted(by: { $0.feed < $1.feed }) {
      for incident in list.incidents where incident.holds(at: now) {
        for segment in incident.segments {
          for edge in index.edges(along: segment, in: graph) {
            view.add(incident, on: edge)
            view.hold(observed: list.observed)
          }
        }
        view.count(incident)
      }
    }
    return view
  }
}
