import EventTime
import Geodesy
import Messages
import RoadGraph
import RouteWire
import Stage
import Traffic

extension TrafficBoard {
  /// Takes a message of a traffic topic; false for other topics.
  mutating func take(_ message: Inbound) throws(Refusal) -> Bool {
    switch message.topic {
    case TrafficFlow.topic:
      if message.payload.isEmpty {
        removeFlow(feed: message.key ?? "")
      } else {
        set(FlowSnapshot(wire: try Wire.decoded(TrafficFlow.self, message)))
      }
      return true
    case TrafficIncidents.topic:
      if message.payload.isEmpty {
        removeIncidents(feed: message.key ?? "")
      } else {
        set(IncidentList(wire: try Wire.decoded(TrafficIncidents.self, message)))
      }
      return true
    default:
      return false
    }
  }
}

extension FlowSnapshot {
  init(wire: TrafficFlow) {
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
      feed: wire.feed, observed: observed,
      until: wire.untilNs.map { Instant(nanoseconds: $0) }, reports: reports)
  }
}

extension IncidentList {
  init(wire: TrafficIncidents) {
    self.init(
      feed: wire.feed, observed: Instant(nanoseconds: wire.observedNs),
      incidents: wire.incidents.map { Incident(wire: $0) })
  }
}

extension Incident {
  init(wire: WireIncident) {
    self.init(
      id: wire.id, kind: wire.kind.rawValue, impact: wire.impact?.rawValue, text: wire.text,
      latitudeDeg: wire.latDeg, longitudeDeg: wire.lonDeg,
      segments: wire.segments.map { SegmentReference(wire: $0) }, isClosed: wire.closed,
      delayS: wire.delayS, from: wire.fromNs.map { Instant(nanoseconds: $0) },
      until: wire.untilNs.map { Instant(nanoseconds: $0) })
  }

  var wire: WireIncident {
    WireIncident(
      id: id, kind: WireIncident.Kind(rawValue: kind) ?? .other,
      impact: impact.flatMap { WireIncident.Impact(rawValue: $0) }, text: text,
      latDeg: latitudeDeg, lonDeg: longitudeDeg, segments: segments.map(\.wire), closed: isClosed,
      delayS: delayS, fromNs: from?.nanoseconds, untilNs: until?.nanoseconds)
  }
}
