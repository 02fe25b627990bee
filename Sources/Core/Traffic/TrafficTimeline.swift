public import EventTime
public import RoadGraph

/// Traffic on the edges of one graph during a span of time: the state of an edge at each moment of it.
///
/// It contains only the edges on which something begins or ends within the span; on all others the
/// state at the beginning of the span holds. A value: searches under way keep theirs.
public struct TrafficTimeline: Sendable {
  public let from: Instant
  public let until: Instant
  /// The reported states of the edges that change, and since when; nil for none.
  fileprivate var reported: [EdgeID: [Step]] = [:]
  fileprivate var typical: TypicalShares?
  /// Edges whose traffic changes within the span; ascending.
  public fileprivate(set) var changing: [EdgeID] = []

  fileprivate struct Step: Sendable {
    var since: Instant
    var state: TrafficState?
  }

  /// Returns the state of an edge at a moment, and when it ends; nil for not within the span.
  ///
  /// This is the only place that decides on the traffic of a later moment. Logarithmic in the
  /// changes of the edge.
  public func value(
    of edge: EdgeID, at moment: Instant
  ) -> (state: TrafficState?, until: Instant?) {
    let steps = reported[edge] ?? []
    let later = steps.firstIndex { moment < $0.since } ?? steps.count
    let end = later < steps.count ? steps[later].since : nil
    let state = later > 0 ? steps[later - 1].state : nil
    guard let usual = typical?.value(of: edge, at: moment) else { return (state, end) }
    let change = usual.until.flatMap { $0 < until ? $0 : nil }
    let ends = [end, change].compactMap { $0 }.min()
    guard var state else { return (usual.state, ends) }
    if state.fallbackMps == nil, !state.isClosed {
      state.fallbackMps = usual.state?.measuredSpeedMps
    }
    return (state, ends)
  }
}

extension TrafficBoard {
  /// Number of different moments of change that a timeline distinguishes.
  static let timelineMoments = 48

  /// Returns what is known of the time from one moment to another.
  ///
  /// At each moment the state equals that in the view of that moment with typical speeds filled in,
  /// except that speeds without an end keep the weight that they have at `from`. Of more than 48
  /// different moments of change, 48 at equal ranks are kept; in between, changes take effect at the
  /// next kept moment. Linear in the reports, and in the edges that change for each moment of change.
  public func timeline(
    from: Instant, until: Instant, typical: TypicalShares? = nil, index: SegmentIndex,
    graph: RoadGraph
  ) -> TrafficTimeline {
    var timeline = TrafficTimeline(from: from, until: until, typical: typical)
    var parts = PartFinder(index, in: graph)
    let (edges, moments) = changes(from: from, until: until, &parts)
    let changing = edges.union(typical?.changing ?? [])
    guard !changing.isEmpty else { return timeline }
    timeline.changing = changing.sorted { $0.index < $1.index }
    let reports = reports(on: changing, &parts)
    guard !reports.isEmpty else { return timeline }
    for moment in [from] + moments {
      let view = reports.view(at: moment, fadedTo: from, index: index, graph: graph)
      for edge in timeline.changing {
        let state = view.state(of: edge)
        let steps = timeline.reported[edge] ?? []
        if steps.isEmpty ? state == nil : steps[steps.count - 1].state == state { continue }
        timeline.reported[edge, default: []].append(.init(since: moment, state: state))
      }
    }
    return timeline
  }

  /// Returns the edges on which something begins or ends within a span, and the moments of change.
  private func changes(
    from: Instant, until: Instant, _ parts: inout PartFinder
  ) -> (edges: Set<EdgeID>, moments: [Instant]) {
    var edges: Set<EdgeID> = []
    var moments: Set<Instant> = []
    /// Adds the moments within the span; true where there is one.
    func add(_ ends: [Instant?]) -> Bool {
      let within = ends.compactMap { $0 }.filter { from < $0 && $0 < until }
      moments.formUnion(within)
      return !within.isEmpty
    }
    for flow in flows.values {
      for report in flow.reports where add([flow.until, report.state.until]) {
        edges.formUnion(parts.parts(report.segment).map(\.edge))
      }
    }
    for list in incidents.values {
      for incident in list.incidents where add([incident.from, incident.until]) {
        edges.formUnion(incident.places.flatMap { parts.parts($0) }.map(\.edge))
      }
    }
    let all = moments.sorted()
    guard all.count > Self.timelineMoments else { return (edges, all) }
    let kept = (1...Self.timelineMoments).map { all[$0 * all.count / Self.timelineMoments - 1] }
    return (edges, kept)
  }

  /// Returns the board with only the reports and incidents that lie on some edges.
  private func reports(on edges: Set<EdgeID>, _ parts: inout PartFinder) -> TrafficBoard {
    func lies(_ segment: SegmentReference) -> Bool {
      parts.parts(segment).contains { edges.contains($0.edge) }
    }
    var board = TrafficBoard(ages: ages)
    for flow in flows.values {
      var own = flow
      own.reports = flow.reports.filter { lies($0.segment) }
      if !own.reports.isEmpty { board.set(own) }
    }
    for list in incidents.values {
      var own = list
      own.incidents = list.incidents.filter { $0.places.contains(where: lies) }
      if !own.incidents.isEmpty { board.set(own) }
    }
    return board
  }
}
