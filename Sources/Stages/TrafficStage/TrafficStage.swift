import Foundations
import Geodesy
public import Messages
import RoadGraph
import RouteWire
public import Stage
import Traffic

/// The traffic node: plays a scenario and feeds of incidents in stack time, and publishes each
/// completely at each change.
public struct TrafficStage: Stage {
  private(set) var shared: TrafficShared
  private var lastPlayed: Instant?
  /// The moment from which the scenario's seconds count; nil before it has started.
  var began: Instant?
  var hasStarted = false
  var published: [Int]?
  /// Feed of a predecessor's scenario whose messages are replaced with the next publication.
  var obsoleteFeed: String?
  /// Whether the table of speeds differs from what a predecessor has published.
  var publishesSpeeds = false
  var feeds = FeedPlayer()

  /// Returns the map and the feed files, which are read again after a change.
  public static func maps(_ parameters: Parameters) -> [String] {
    (parameters.string("map").map { [$0] } ?? [])
      + TrafficShared.files(parameters).map(\.path)
  }

  public static func load(_ parameters: Parameters) throws(StageFailure) -> TrafficShared {
    try TrafficShared(parameters)
  }

  public static func load(
    _ parameters: Parameters, replacing old: TrafficShared
  ) throws(StageFailure) -> TrafficShared {
    try TrafficShared(parameters, replacing: old)
  }

  public init(vehicle: String, shared: TrafficShared) { self.shared = shared }

  /// Only the route that starts the scenario is read.
  public func interest(in topic: Topics.Name) -> TopicInterest {
    topic == .routeActive && began == nil && shared.beginsWithRoute ? .value : .nothing
  }

  public mutating func handle(_ event: StageEvent) throws(Refusal) -> [StageOutput] {
    switch event {
    case .wake(let now):
      return wake(at: now)
    case .message(let message):
      guard case .routeActive(let active) = message.value, active.route != nil else { return [] }
      began = message.stamp
      return play(at: message.stamp)
    case .clockReset(let now):
      began = shared.beginsWithRoute ? nil : now
      published = nil
      feeds = FeedPlayer()
      return play(at: now)
    case .call, .cancelled, .reply:
      return []
    }
  }

  /// Publishes the current values again, with the references of a new map or from feeds that were
  /// read again.
  ///
  /// Feeds use the clock, which only a wake-up reports: one is requested at once.
  public mutating func changeMap(to new: TrafficShared) -> [StageOutput] {
    let old = shared
    shared = new
    var outputs = hasStarted ? reports(beside: old) : []
    guard let lastPlayed else { return outputs }
    // A file that was read again confirms its unchanged content.
    feeds.published = feeds.published.mapValues { _ in 0 }
    if old.graph !== new.graph || old.scenario != new.scenario || old.speeds != new.speeds {
      published = nil
      outputs += problems
      if !shared.speeds.isEmpty { outputs.append(speedTable(at: lastPlayed)) }
      outputs += playScenario(at: lastPlayed).outputs
    }
    outputs.append(.wake(at: lastPlayed))
    return outputs
  }

  private var problems: [StageOutput] {
    (shared.unplaced > 0 ? [.count("traffic_unplaced", shared.unplaced)] : [])
      + shared.problems.map { .log(.warning, $0) }
  }

  private mutating func wake(at now: Instant) -> [StageOutput] {
    var outputs: [StageOutput] = []
    if !hasStarted {
      hasStarted = true
      outputs += problems + reports(beside: nil)
      if !shared.speeds.isEmpty { outputs.append(speedTable(at: now)) }
      if !shared.beginsWithRoute, began == nil { began = now }
    }
    return outputs + play(at: now)
  }

  /// Publishes the current values if they differ from the last published ones, and requests the
  /// next wake-up.
  private mutating func play(at now: Instant) -> [StageOutput] {
    lastPlayed = now
    var (outputs, next) = playScenario(at: now)
    outputs = replacements(at: now) + outputs
    if let change = feeds.play(shared.feeds, on: shared.graph, at: now, &outputs) {
      next = min(next ?? change, change)
    }
    if let next { outputs.append(.wake(at: next)) }
    return outputs
  }

  /// Returns what replaces a predecessor's messages that this node does not publish itself.
  private mutating func replacements(at now: Instant) -> [StageOutput] {
    var outputs: [StageOutput] = []
    if publishesSpeeds { outputs.append(speedTable(at: now)) }
    publishesSpeeds = false
    if let feed = obsoleteFeed, feed != shared.scenario.feed || shared.scenario.events.isEmpty {
      let flow = TrafficFlow(
        feed: feed, observedNs: now.nanoseconds, untilNs: Self.end(from: now),
        flow: WireFlowColumns())
      let incidents = TrafficIncidents(feed: feed, observedNs: now.nanoseconds, incidents: [])
      outputs += [publication(of: flow, at: now), publication(of: incidents, at: now)]
    }
    obsoleteFeed = nil
    return outputs
  }

  /// Returns the scenario's outputs at `now`, and the time of the next change.
  private mutating func playScenario(at now: Instant) -> (outputs: [StageOutput], next: Instant?) {
    let events = shared.scenario.events
    let elapsedS = began.map { now.seconds(since: $0) }
    let active = events.indices.filter { index in
      guard let elapsedS else { return false }
      return events[index].atS <= elapsedS && elapsedS < (events[index].untilS ?? .infinity)
    }
    var outputs: [StageOutput] = []
    if active != published, !(active.isEmpty && published == nil && events.isEmpty) {
      published = active
      outputs = [
        publication(of: flow(active, at: now), at: now),
        publication(of: incidents(active, at: now), at: now),
      ]
    }
    guard let began, let elapsedS, let nextS = shared.scenario.nextChangeS(afterS: elapsedS) else {
      return (outputs, nil)
    }
    return (outputs, began.advanced(bySeconds: nextS))
  }

  // MARK: Messages

  /// Values of a file hold until the file changes, and do not fade like measured speeds.
  private static func end(from now: Instant) -> Int64 {
    now.advanced(bySeconds: 366 * 86_400).nanoseconds
  }

  private func flow(_ active: [Int], at now: Instant) -> TrafficFlow {
    var columns = FlowRows()
    for index in active {
      let event = shared.scenario.events[index]
      guard event.jamFactor != nil || event.speedMps != nil else { continue }
      let untilS = event.untilS.flatMap { end in
        began.map { $0.advanced(bySeconds: end).seconds(since: now) }
      }
      for piece in shared.pieces[index] {
        let freeFlowMps = shared.graph.attributes(piece.edge).freeFlowMps(.car)
        let state = TrafficState(
          measuredSpeedMps: event.speedMps, measuredJamFactor: event.jamFactor)
        columns.add(piece.segment, state, freeFlowMps, untilS: untilS)
      }
    }
    return TrafficFlow(
      feed: shared.scenario.feed, observedNs: now.nanoseconds, untilNs: Self.end(from: now),
      flow: columns.columns)
  }

  private func publication(of message: TrafficFlow, at now: Instant) -> StageOutput {
    .publish(.trafficFlow(message), stamp: now, key: message.feed)
  }

  private func publication(of message: TrafficIncidents, at now: Instant) -> StageOutput {
    .publish(.trafficIncidents(message), stamp: now, key: message.feed)
  }

  private func speedTable(at now: Instant) -> StageOutput {
    publication(of: speeds(at: now), at: now)
  }

  private func speeds(at now: Instant) -> TrafficFlow {
    var columns = FlowRows()
    for report in shared.speeds { columns.add(report.segment, report.state, 0, untilS: nil) }
    return TrafficFlow(
      feed: "speeds", observedNs: now.nanoseconds, untilNs: Self.end(from: now),
      flow: columns.columns)
  }

  /// Fingerprint of the table of speeds on this map, which does not depend on when it is published.
  var speedsFingerprint: UInt64 { FNV1a(speeds(at: Instant(nanoseconds: 0)).encoded()).value }

  private func incidents(_ active: [Int], at now: Instant) -> TrafficIncidents {
    let list = active.compactMap { index -> WireIncident? in
      let event = shared.scenario.events[index]
      guard let incident = event.incident else { return nil }
      let pieces = shared.pieces[index]
      let place = pieces.first.map {
        shared.graph.coordinate(
          RoadPosition(edge: $0.edge, offsetM: shared.graph.lengthM($0.edge) / 2))
      }
      return WireIncident(
        id: incident.id, kind: WireIncident.Kind(rawValue: incident.kind) ?? .other,
        impact: incident.impact.flatMap { WireIncident.Impact(rawValue: $0) },
        text: incident.text, latDeg: place?.latitudeDeg, lonDeg: place?.longitudeDeg,
        segments: pieces.map(\.segment.wire), closed: incident.isClosed, delayS: incident.delayS,
        fromNs: began?.advanced(bySeconds: event.atS).nanoseconds,
        untilNs: event.untilS.flatMap { end in
          began?.advanced(bySeconds: end).nanoseconds
        })
    }
    return TrafficIncidents(
      feed: shared.scenario.feed, observedNs: now.nanoseconds, incidents: list)
  }

  /// Returns a fingerprint of the messages about some events, which does not depend on when they are
  /// published.
  func fingerprint(of active: [Int]) -> UInt64 {
    let start = began ?? Instant(nanoseconds: 0)
    return FNV1a(flow(active, at: start).encoded() + incidents(active, at: start).encoded()).value
  }

  // MARK: State

  /// Start time of the scenario, so that a restart continues where it was.
  public var savedState: [UInt8]? {
    began.map { WireTrafficState(beganNs: $0.nanoseconds).encoded() }
  }

  public mutating func restore(_ state: [UInt8]) throws(Refusal) {
    began = Instant(nanoseconds: try WireTrafficState(savedState: state).beganNs)
  }
}
