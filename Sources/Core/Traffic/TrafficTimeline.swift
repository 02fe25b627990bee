public import Foundations
public import RoadGraph

/// Traffic on the edges of one graph during a span of time: the state of an edge at each moment of
/// it.
///
/// It contains only the edges with changes within the span; on all others the traffic is that of
/// the start of the span. A value type: running searches keep their copy.
public struct TrafficTimeline: Sendable {
  public let from: Instant
  public let until: Instant
  /// The reported states of the edges whose reports change, and since when they are valid; nil for
  /// no report.
  fileprivate var steps: [EdgeID: [Step]] = [:]
  /// The reported states of edges on which only typical speeds change.
  fileprivate var constant: [EdgeID: TrafficState] = [:]
  fileprivate var typical: TypicalShares?
  /// Edges whose traffic changes within the span; ascending.
  public fileprivate(set) var changing: [EdgeID] = []

  fileprivate struct Step: Sendable {
    var since: Instant
    var state: TrafficState?
  }

  /// Returns the state of a changing edge at a moment, and when it ends; nil if not within the
  /// span.
  ///
  /// Live values without an end count with a weight of `liveShare`. The traffic of a later moment
  /// is decided only here. Linear in the changes of the edge.
  public func value(
    of edge: EdgeID, at moment: Instant, liveShare: Double = 1
  ) -> (state: TrafficState?, until: Instant?) {
    var state = constant[edge]
    var until: Instant?
    if let steps = steps[edge] {
      let place = steps.lastIndex { $0.since <= moment } ?? 0
      state = steps[place].state
      until = place + 1 < steps.count ? steps[place + 1].since : nil
    }
    state = state.flatMap { $0.faded(to: liveShare) }
    guard let usual = typical?.value(of: edge, at: moment) else { return (state, until) }
    let end = [until, usual.until].compactMap { $0 }.min()
    guard var state else { return (usual.state, end) }
    // A fading speed approaches the typical one, as in `PlacedSpeeds.fill`.
    guard state.fallbackMps == nil, !state.isClosed else { return (state, until) }
    state.fallbackMps = usual.state?.measuredSpeedMps
    return (state, end)
  }
}

extension TrafficReports {
  /// Returns the known traffic from one moment to another.
  ///
  /// At each moment it equals the view of that moment, with typical speeds filled in.
  /// However, speeds without an end keep the weight that they have at `fadedTo`, by default `from`.
  /// Linear in the reports and in the changes, in addition to an empty view for each moment of a
  /// change.
  public func timeline(
    from: Instant, until: Instant, fadedTo: Instant? = nil, typical: TypicalShares? = nil,
    index: SegmentIndex, graph: RoadGraph
  ) -> TrafficTimeline {
    let fadedTo = fadedTo ?? from
    var timeline = TrafficTimeline(from: from, until: until, typical: typical)
    var edges: [Instant: Set<EdgeID>] = [:]
    var finder = EdgePartFinder(index, in: graph)
    forEachReport { segments, moments in
      for moment in moments where from < moment && moment < until {
        for segment in segments {
          edges[moment, default: []].formUnion(finder.parts(segment).map(\.edge))
        }
      }
    }
    let changing = edges.values.reduce(into: Set<EdgeID>()) { $0.formUnion($1) }
    let usual = Set(typical?.changing ?? []).subtracting(changing)
    timeline.changing = changing.union(usual).sorted()
    let parts = ReportsByEdge(self, of: changing.union(usual), &finder)
    for (moment, edges) in [(from, changing)] + edges.sorted(by: { $0.key < $1.key }) {
      let view = parts.reports(of: edges).view(
        at: moment, fadedTo: fadedTo, index: index, graph: graph)
      for edge in edges {
        timeline.steps[edge, default: []].append(
          TrafficTimeline.Step(since: moment, state: view.state(of: edge)))
      }
    }
    if !usual.isEmpty {
      let view = parts.reports(of: usual).view(
        at: from, fadedTo: fadedTo, index: index, graph: graph)
      for edge in usual { timeline.constant[edge] = view.state(of: edge) }
    }
    return timeline
  }

  /// The pieces of road of each report and incident, and the moments at which it becomes valid or
  /// expires.
  private func forEachReport(_ body: ([SegmentReference], [Instant]) -> Void) {
    for flow in flows.values {
      for report in flow.reports {
        guard let end = report.state.until ?? flow.until else { continue }
        body([report.segment], [flow.until.map { min($0, end) } ?? end])
      }
    }
    for incident in incidents.values.flatMap(\.incidents) {
      body(incident.places, [incident.from, incident.until].compactMap { $0 })
    }
  }
}

/// The reports by the edges on which they lie, for subsets with few edges.
private struct ReportsByEdge {
  private let traffic: TrafficReports
  /// The same feeds without reports.
  private let empty: TrafficReports
  /// By edge, the feeds and the indices of reports in their snapshots.
  private var reports: [EdgeID: [Place]] = [:]
  private var incidents: [EdgeID: [Place]] = [:]

  private struct Place: Hashable, Comparable {
    var feed: String
    var number: Int

    static func < (a: Self, b: Self) -> Bool { (a.feed, a.number) < (b.feed, b.number) }
  }

  /// Linear in the reports.
  init(_ traffic: TrafficReports, of edges: Set<EdgeID>, _ finder: inout EdgePartFinder) {
    self.traffic = traffic
    var empty = traffic
    for var flow in traffic.flows.values {
      flow.reports = []
      empty.set(flow)
    }
    for var list in traffic.incidents.values {
      list.incidents = []
      empty.set(list)
    }
    self.empty = empty
    guard !edges.isEmpty else { return }
    for (feed, flow) in traffic.flows {
      for (number, report) in flow.reports.enumerated() {
        for part in finder.parts(report.segment) where edges.contains(part.edge) {
          reports[part.edge, default: []].append(Place(feed: feed, number: number))
        }
      }
    }
    for (feed, list) in traffic.incidents {
      for (number, incident) in list.incidents.enumerated() {
        for part in incident.places.flatMap({ finder.parts($0) }) where edges.contains(part.edge) {
          incidents[part.edge, default: []].append(Place(feed: feed, number: number))
        }
      }
    }
  }

  /// All reports on some edges, in the order in which they were reported.
  func reports(of edges: Set<EdgeID>) -> TrafficReports {
    var part = empty
    let flowPlaces = Set(edges.flatMap { reports[$0] ?? [] }).sorted()
    for (feed, places) in Dictionary(grouping: flowPlaces, by: \.feed) {
      guard let flow = traffic.flows[feed], var own = empty.flows[feed] else { continue }
      own.reports = places.map { flow.reports[$0.number] }
      part.set(own)
    }
    let incidentPlaces = Set(edges.flatMap { incidents[$0] ?? [] }).sorted()
    for (feed, places) in Dictionary(grouping: incidentPlaces, by: \.feed) {
      guard let list = traffic.incidents[feed], var own = empty.incidents[feed] else { continue }
      own.incidents = places.map { list.incidents[$0.number] }
      part.set(own)
    }
    return part
  }
}
