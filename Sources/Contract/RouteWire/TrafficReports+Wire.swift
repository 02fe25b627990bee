import Foundations
public import Messages
import RoadGraph
public import Traffic

extension FlowSnapshot {
  /// Returns the flow of a message without rows that have an impossible value, and the indices of
  /// those rows, from 0.
  public static func reading(_ wire: TrafficFlow) -> (flow: FlowSnapshot, bad: [Int]) {
    let observed = Instant(nanoseconds: wire.observedNs)
    let source = SpeedSource(rawValue: wire.speedKind.rawValue) ?? .live
    let flow = wire.flow
    var bad: [Int] = []
    var reports: [FlowReport] = []
    reports.reserveCapacity(flow.way.count)
    for index in flow.way.indices {
      let (speed, jam) = (flow.speedMmps[index], flow.jamFactor[index])
      guard speed >= 0, (0...100).contains(jam) else {
        bad.append(index)
        continue
      }
      reports.append(
        FlowReport(
          segment: SegmentReference(
            way: flow.way[index], from: flow.from[index], to: flow.to[index]),
          state: TrafficState(
            measuredSpeedMps: Double(speed) / 1000, measuredJamFactor: Double(jam) / 10,
            source: source,
            until: flow.untilS[index] > 0
              ? observed.advanced(bySeconds: Double(flow.untilS[index])) : nil)))
    }
    let snapshot = FlowSnapshot(
      feed: wire.feed, observed: observed,
      until: wire.untilNs.map { Instant(nanoseconds: $0) }, reports: reports)
    return (snapshot, bad)
  }
}

extension IncidentList {
  /// The list of a message; its values are not checked beyond the contract.
  public init(wire: TrafficIncidents) {
    self.init(
      feed: wire.feed, observed: Instant(nanoseconds: wire.observedNs),
      incidents: wire.incidents.map { Incident(wire: $0) })
  }
}

extension Incident {
  public init(wire: WireIncident) {
    self.init(
      id: wire.id, kind: wire.kind.rawValue, impact: wire.impact?.rawValue, text: wire.text,
      latitudeDeg: wire.latDeg, longitudeDeg: wire.lonDeg,
      segments: wire.segments.map { SegmentReference(wire: $0) }, isClosed: wire.closed,
      delayS: wire.delayS, from: wire.fromNs.map { Instant(nanoseconds: $0) },
      until: wire.untilNs.map { Instant(nanoseconds: $0) })
    bearingDeg = wire.bearingDeg
    openLR = wire.openlr
  }

  public var wire: WireIncident {
    WireIncident(
      id: id, kind: WireIncident.Kind(rawValue: kind) ?? .other,
      impact: impact.flatMap { WireIncident.Impact(rawValue: $0) }, text: text,
      latDeg: latitudeDeg, lonDeg: longitudeDeg, segments: segments.map(\.wire), closed: isClosed,
      delayS: delayS, fromNs: from?.nanoseconds, untilNs: until?.nanoseconds)
  }
}
