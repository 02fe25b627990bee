import Foundations
import Messages
import RoadGraph
import RouteWire
import Stage
import Traffic
import TrafficFeeds

/// Processes the messages of the traffic topics: checks values, evaluates the feeds' clocks, and
/// updates the reports.
struct TrafficInbox: Sendable {
  private(set) var reports: TrafficReports
  /// By topic and feed.
  private var clocks: [String: FeedClock] = [:]
  /// Feeds whose last message has a later stamp than the last known stack time: their clocks are
  /// evaluated at the next wake-up.
  private var unjudged: [String: Message] = [:]
  /// The last known stack time.
  private var now: Instant?

  private struct Message {
    var topic: String
    var feed: String
    var stamp: Instant
    var observed: Instant
    var countsS: Double
  }

  init(ages: TrafficAges) { reports = TrafficReports(ages: ages) }

  /// The time of the next wake-up to evaluate clocks by stack time; nil if there is none to
  /// evaluate.
  var wake: Instant? { unjudged.isEmpty ? nil : now ?? Instant(nanoseconds: 0) }

  /// Processes a message; returns nil for other topics.
  mutating func ingest(
    _ message: Inbound, _ shared: RouterShared
  ) -> [StageOutput]? {
    switch message.value {
    case .trafficFlow(let flow): return ingest(flow, message, shared)
    case .deleted(.trafficFlow):
      reports.removeFlow(feed: message.key ?? "")
      return []
    case .trafficIncidents(let incidents): return ingest(incidents, message, shared)
    case .deleted(.trafficIncidents):
      reports.removeIncidents(feed: message.key ?? "")
      return []
    default:
      return nil
    }
  }

  private mutating func ingest(
    _ wire: TrafficFlow, _ message: Inbound, _ shared: RouterShared
  ) -> [StageOutput] {
    let (flow, bad) = FlowSnapshot.reading(wire)
    reports.set(flow)
    let (topic, feed, count) = (message.topic, flow.feed, flow.reports.count)
    var outputs = shared.watch.report(
      bad.count, .badValues, topic: topic, feed: feed,
      "\(bad.count) of \(wire.flow.way.count) rows are refused: speeds must be 0 or more, jam factors 0 to 100; the first is row \(bad.first ?? 0)"
    )
    let isUntimed = flow.until == nil && flow.reports.contains { $0.state.until == nil }
    let ends = flow.reports.first.flatMap { flow.fading(of: $0, reports.ages).end }
    outputs += judge(
      Message(
        topic: topic, feed: feed, stamp: message.stamp, observed: flow.observed,
        countsS: isUntimed ? ends?.seconds(since: flow.observed) ?? .infinity : .infinity),
      isLatched: message.isLatched, shared)
    if shared.watch.wantsCheck(topic: topic, feed: feed, count: count) {
      outputs.append(
        .work(callID: nil) {
          let check = FeedCheck(flow, index: shared.index, graph: shared.graph)
          return shared.watch.outputs(check, topic: topic, feed: feed, of: count)
        })
    }
    return outputs
  }

  private mutating func ingest(
    _ wire: TrafficIncidents, _ message: Inbound, _ shared: RouterShared
  ) -> [StageOutput] {
    var list = IncidentList(wire: wire)
    let (topic, feed, count) = (message.topic, list.feed, list.incidents.count)
    let bad = list.incidents.indices.filter {
      list.incidents[$0].delayS.map { !($0 >= 0 && $0 < .infinity) } ?? false
    }
    for place in bad { list.incidents[place].delayS = nil }
    list = shared.snapper.snapped(list)
    reports.set(list)
    var outputs = shared.watch.report(
      bad.count, .badValues, topic: topic, feed: feed,
      "\(bad.count) delays are refused: delay_s must be 0 or more; the first is that of \(bad.first.map { list.incidents[$0].id } ?? "")"
    )
    outputs += judge(
      Message(
        topic: topic, feed: feed, stamp: message.stamp, observed: list.observed,
        countsS: .infinity),
      isLatched: message.isLatched, shared)
    if shared.watch.wantsCheck(topic: topic, feed: feed, count: count) {
      let checked = list
      outputs.append(
        .work(callID: nil) {
          let check = FeedCheck(checked, index: shared.index, graph: shared.graph)
          return shared.watch.outputs(check, topic: topic, feed: feed, of: count)
        })
    }
    return outputs
  }

  // MARK: Clocks

  /// Evaluates a feed's clock by the stamp of its message, unless the stamp is later than stack
  /// time.
  private mutating func judge(
    _ message: Message, isLatched: Bool, _ shared: RouterShared
  ) -> [StageOutput] {
    unjudged["\(message.topic) \(message.feed)"] = nil
    // A retained message shows when its feed last wrote, not how late it is.
    guard !isLatched || message.observed > message.stamp else { return [] }
    guard let now, message.stamp.seconds(since: now) <= FeedClock.toleranceS else {
      unjudged["\(message.topic) \(message.feed)"] = message
      return []
    }
    return correct(message, seen: max(message.stamp, now), shared)
  }

  private mutating func correct(
    _ message: Message, seen: Instant, _ shared: RouterShared
  ) -> [StageOutput] {
    let key = "\(message.topic) \(message.feed)"
    let (observed, finding) = clocks[key, default: FeedClock()].judge(
      observed: message.observed, seen: seen, countsS: message.countsS)
    if message.topic == TrafficFlow.topic {
      if let flow = reports.flows[message.feed], flow.observed != observed {
        reports.set(flow.moved(to: observed))
      }
    } else if var list = reports.incidents[message.feed], list.observed != observed {
      // A forecast has a future stamp without an error of the clock.
      list.observed = observed
      reports.set(list)
    }
    return shared.watch.outputs(finding, topic: message.topic, feed: message.feed)
  }

  /// Updates stack time, and evaluates the clocks that waited for it.
  mutating func pass(_ now: Instant, _ shared: RouterShared) -> [StageOutput] {
    guard now.nanoseconds > 0 else { return [] }
    self.now = now
    let waiting = unjudged.sorted { $0.key < $1.key }.map(\.value)
    unjudged = [:]
    return waiting.flatMap { correct($0, seen: now, shared) }
  }

  /// Resets the state of the clocks, since stack time was set.
  mutating func reset(_ now: Instant) {
    (clocks, unjudged, self.now) = ([:], [:], now)
  }

  /// Replaces the reports by equal ones that are shared with others.
  mutating func share(_ reports: TrafficReports) { self.reports = reports }

  /// Finds the roads of incidents on another map.
  mutating func place(on shared: RouterShared) {
    for list in reports.incidents.values { reports.set(shared.snapper.snapped(list)) }
    reports.ages = shared.ages
  }
}
