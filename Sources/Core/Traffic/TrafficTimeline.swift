public import EventTime
public import RoadGraph

/// Traffic on the edges of one graph during a span of time: what holds on an edge at each moment of it.
///
/// Holds only the edges on which something begins or ends to hold within the span; on all others the traffic of any
/// moment of the span is that of its beginning. A value: searches under way keep theirs.
public struct TrafficTimeline: Sendable {
  public let from: Instant
  public let until: Instant
  /// What is reported of the edges that change, what counts before the rest first.
  fileprivate var reports: [EdgeID: [TimedState]] = [:]
  fileprivate var typical: TypicalShares?
  /// Edges whose traffic changes within the span; ascending.
  public fileprivate(set) var changing: [EdgeID] = []

  /// A reported state and the time during which it holds; nil for no bound.
  struct TimedState: Sendable {
    var state: TrafficState
    var from: Instant?
    var until: Instant?

    func holds(at moment: Instant) -> Bool {
      (from.map { $0 <= moment } ?? true) && (until.map { moment < $0 } ?? true)
    }
  }

  /// What holds on an edge at a moment, and when that ends; nil for not within the span.
  ///
  /// The one place where the traffic of a later moment is decided. Linear in what is reported of the edge.
  public func value(
    of edge: EdgeID, at moment: Instant
  ) -> (state: TrafficState?, until: Instant?) {
    var until: Instant?
    func end(_ change: Instant?) {
      guard let change, change > moment, change < self.until else { return }
      until = min(until ?? change, change)
    }
    for report in reports[edge] ?? [] {
      if report.holds(at: moment) {
        end(report.until)
        return (report.state, until)
      }
      // It will count before what comes after it here.
      if report.from.map({ moment < $0 }) ?? false { end(report.from) }
    }
    guard let usual = typical?.value(of: edge, at: moment) else { return (nil, until) }
    end(usual.until)
    return (usual.state, until)
  }
}

extension TrafficBoard {
  /// What is known of the time from one moment to another; linear in the reports, and in the edges that change.
  ///
  /// At each moment the same holds as in the board's view of that moment with what is typical filled in.
  public func timeline(
    from: Instant, until: Instant, typical: TypicalShares? = nil, index: SegmentIndex,
    graph: RoadGraph
  ) -> TrafficTimeline {
    var changing: Set<EdgeID> = []
    forEachReport { segment, state in
      let changes = [state.from, state.until].contains {
        $0.map { from < $0 && $0 < until } ?? false
      }
      if changes { changing.formUnion(index.edges(along: segment, in: graph)) }
    }
    changing.formUnion(typical?.changing ?? [])
    var reports: [EdgeID: [TrafficTimeline.TimedState]] = [:]
    if !changing.isEmpty {
      forEachReport { segment, state in
        for edge in index.edges(along: segment, in: graph) where changing.contains(edge) {
          reports[edge, default: []].append(state)
        }
      }
    }
    return TrafficTimeline(
      from: from, until: until, reports: reports.mapValues { $0.reversed() }, typical: typical,
      changing: changing.sorted { $0.index < $1.index })
  }

  /// Every report with the time during which it holds, in the order in which `view` sets them: later ones count before
  /// earlier ones.
  private func forEachReport(
    _ body: (SegmentReference, TrafficTimeline.TimedState) -> Void
  ) {
    for flow in flows.values.sorted(by: { ($0.observed, $0.feed) < ($1.observed, $1.feed) }) {
      for report in flow.reports {
        let until = [flow.until, report.state.until].compactMap { $0 }.min()
        body(report.segment, TrafficTimeline.TimedState(state: report.state, until: until))
      }
    }
    for list in incidents.values.sorted(by: { $0.feed < $1.feed }) {
      for incident in list.incidents where incident.isClosed {
        let closed = TrafficState(measuredJamFactor: 10, until: incident.until)
        for segment in incident.segments {
          body(
            segment,
            TrafficTimeline.TimedState(
              state: closed, from: incident.from, until: incident.until))
        }
      }
    }
  }
}
