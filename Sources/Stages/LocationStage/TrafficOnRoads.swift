import EventTime
import Messages
import RoadGraph
import RouteWire
import Stage
import Traffic

/// The reported traffic through which a simulated driver drives.
///
/// All that is reported counts, whatever a router believes of it: this is the world of the simulation.
struct TrafficOnRoads: Sendable {
  private var flows: [String: FlowSnapshot] = [:]

  /// Stores a message of `traffic/flow`; one without payload removes its feed.
  mutating func set(_ message: Inbound) throws(Refusal) {
    guard !message.payload.isEmpty else {
      flows[message.key ?? ""] = nil
      return
    }
    let snapshot = FlowSnapshot(wire: try Wire.decoded(TrafficFlow.self, message.payload))
    flows[snapshot.feed] = snapshot
  }

  /// The next moment after `now` at which a value ends; nil where none does; linear in the values.
  func nextEnd(after now: Instant) -> Instant? {
    flows.values.lazy.flatMap { flow in
      ([flow.until] + flow.reports.lazy.map(\.state.until)).lazy.compactMap { $0 }
    }.filter { $0 > now }.min()
  }

  /// Returns the speeds that hold at `now`, by piece of road; linear in the values.
  ///
  /// Of two values for a piece of road the live one counts, then the one observed later. References that name several
  /// pieces of the map are resolved where an `index` is given.
  func states(at now: Instant, _ index: SegmentIndex?, _ graph: RoadGraph?) -> States {
    var states: States = [:]
    let inOrder = flows.values.sorted { ($0.observed, $0.feed) < ($1.observed, $1.feed) }
    for wantsLive in [false, true] {
      for flow in inOrder where flow.until.map({ now < $0 }) ?? true {
        for report in flow.reports where (report.state.source == .live) == wantsLive {
          if let until = report.state.until, until <= now { continue }
          if let index, let graph, index.edge(report.segment) == nil {
            for edge in index.edges(along: report.segment, in: graph) {
              states[graph.reference(edge)] = report.state
            }
          } else {
            states[report.segment] = report.state
          }
        }
      }
    }
    return states
  }

  typealias States = [SegmentReference: TrafficState]
}

extension FlowSnapshot {
  fileprivate init(wire: TrafficFlow) {
    let observed = Instant(nanoseconds: wire.observedNs)
    let source = SpeedSource(rawValue: wire.speedKind.rawValue) ?? .live
    let flow = wire.flow
    let reports = flow.way.indices.map { index in
      FlowReport(
        segment: SegmentReference(
          way: flow.way[index], from: flow.from[index], to: flow.to[index]),
        state: TrafficState(
          measuredSpeedMps: Double(max(0, flow.speedMmps[index])) / 1000,
          measuredJamFactor: Double(max(0, min(100, flow.jamFactor[index]))) / 10, source: source,
          until: flow.untilS[index] > 0
            ? observed.advanced(bySeconds: Double(flow.untilS[index])) : nil))
    }
    self.init(
      feed: wire.feed, observed: observed, until: wire.untilNs.map { Instant(nanoseconds: $0) },
      reports: reports)
  }
}
