import Foundations
import Geodesy
import Messages
import RoadGraph
import RouteWire
import Stage
import Traffic
import TrafficFeeds

/// Publishes feeds of incidents in event time: the whole feed whenever something in it changes.
///
/// Incidents that are over are dropped and counted; future ones are published with their start. A recurring incident is
/// published with its current or next period.
struct FeedPlayer: Hashable, Sendable {
  /// Fingerprints of the last publications, by topic and key; handed over to a successor.
  var published: [String: UInt64] = [:]
  /// Incidents that were found to be over, by feed.
  private var over: [String: Int] = [:]

  /// Appends the publications at `now` to `outputs` and returns the next moment at which something changes.
  mutating func play(
    _ feeds: [LoadedFeed], on graph: RoadGraph, at now: Instant, _ outputs: inout [StageOutput]
  ) -> Instant? {
    var next: Instant?
    for feed in feeds {
      var list: [WireIncident] = []
      var flows: [SpeedSource: FlowRows] = [:]
      var overCount = 0
      for (placed, zone) in zip(feed.placed, feed.zones) {
        guard let window = placed.incident.validity.window(at: now, zone: zone) else {
          overCount += 1
          continue
        }
        list.append(placed.wire(in: window, on: graph))
        let holds = window.holds(at: now)
        if let change = holds ? window.until : window.from { next = min(next ?? change, change) }
        guard holds else { continue }
        for speed in placed.flow(on: graph) {
          let freeFlowMps = graph.attributes(speed.edge).freeFlowMps(.car)
          flows[speed.state.source, default: FlowRows()].add(
            speed.segment, speed.state, freeFlowMps,
            untilS: window.until?.seconds(since: now))
        }
      }
      if overCount > over[feed.name, default: 0] {
        outputs.append(.count("feed_over", overCount - over[feed.name, default: 0]))
      }
      over[feed.name] = overCount
      publish(list, of: feed, at: now, &outputs)
      for (source, key) in [(SpeedSource.live, feed.name), (.predicted, "\(feed.name)_predicted")] {
        publish(flows[source], source, key: key, feed, at: now, &outputs)
      }
    }
    return next
  }

  private mutating func publish(
    _ list: [WireIncident], of feed: LoadedFeed, at now: Instant, _ outputs: inout [StageOutput]
  ) {
    var message = TrafficIncidents(feed: feed.name, observedNs: 0, incidents: list)
    guard isNew(message.encoded(), TrafficIncidents.topic, feed.name) else { return }
    message.observedNs = feed.observed(at: now).nanoseconds
    outputs.append(.publish(.trafficIncidents(message), stamp: now, key: feed.name))
  }

  private mutating func publish(
    _ rows: FlowRows?, _ source: SpeedSource, key: String, _ feed: LoadedFeed, at now: Instant,
    _ outputs: inout [StageOutput]
  ) {
    // A feed without speeds publishes no flow unless it did before.
    guard rows != nil || published["\(TrafficFlow.topic) \(key)"] != nil else { return }
    var message = TrafficFlow(
      feed: key, observedNs: 0, speedKind: WireSpeedKind(rawValue: source.rawValue) ?? .live,
      flow: rows?.columns ?? WireFlowColumns())
    guard isNew(message.unstamped, TrafficFlow.topic, key) else { return }
    // The columns count their seconds from observed_ns.
    message.observedNs = now.nanoseconds
    outputs.append(.publish(.trafficFlow(message), stamp: now, key: key))
  }

  private mutating func isNew(_ bytes: [UInt8], _ topic: String, _ key: String) -> Bool {
    let mark = FNV1a(bytes).value
    return published.updateValue(mark, forKey: "\(topic) \(key)") != mark
  }
}

extension TrafficFlow {
  /// The message without values that change with the clock alone.
  fileprivate var unstamped: [UInt8] {
    var same = self
    same.flow.untilS = same.flow.untilS.map { min(1, $0) }
    return same.encoded()
  }
}

extension LoadedFeed {
  /// Returns the event time that the incidents describe: their publication if that is known and
  /// past, else now.
  fileprivate func observed(at now: Instant) -> Instant { min(document.published ?? now, now) }
}

extension PlacedIncident {
  fileprivate func wire(in window: FeedWindow, on graph: RoadGraph) -> WireIncident {
    let own = incident.place.segments
    let segments = own.isEmpty ? edges.map { graph.reference($0) } : own
    return WireIncident(
      id: incident.id, kind: WireIncident.Kind(rawValue: incident.kind.rawValue) ?? .other,
      impact: incident.impact.flatMap { WireIncident.Impact(rawValue: $0.rawValue) },
      text: incident.text, latDeg: anchor?.latitudeDeg, lonDeg: anchor?.longitudeDeg,
      segments: segments.map(\.wire), closed: incident.effect.isClosed,
      delayS: incident.effect.delayS, fromNs: window.from?.nanoseconds,
      untilNs: window.until?.nanoseconds)
  }
}
