import Foundations
import Messages
import Positioning
import RoadGraph
import RouteWire
import Traffic

/// The reported traffic through which a simulated driver drives.
///
/// Every report counts until it ends or is replaced, regardless of whether a router uses it: this
/// is the world of the simulation. Messages are stored as received. Of the newest message of each
/// feed, only the rows on the driver's own OSM ways are kept.
struct SimulatedTraffic: Sendable {
  /// A message that does not decode.
  struct Fault {
    var topic: String
    var message: String
  }

  private struct Source: Hashable, Comparable {
    var topic: String
    var key: String

    static func < (a: Self, b: Self) -> Bool { (a.topic, a.key) < (b.topic, b.key) }
  }

  /// The newest message of each feed.
  private var payloads: [Source: [UInt8]] = [:]
  /// Feeds whose message is not decoded into `board` yet.
  private var unread: Set<Source> = []
  private var ways = WaySet([])
  private var reports: TrafficReports

  init() {
    var ages = TrafficAges()
    (ages.liveHoldS, ages.forecastHoldS) = (.infinity, .infinity)
    reports = TrafficReports(ages: ages)
  }

  /// Stores a message of `traffic/flow` or `traffic/incidents`; one without payload removes its
  /// feed.
  mutating func set(_ topic: String, key: String, _ payload: [UInt8]) {
    let source = Source(topic: topic, key: key)
    unread.insert(source)
    payloads[source] = payload
  }

  /// Decodes the new messages for a driver on the given OSM ways, and returns the messages that do
  /// not decode.
  ///
  /// Linear in the new messages; linear in all of them if the driver uses ways that were not known
  /// before.
  mutating func read(for ways: Set<Int64>) -> [Fault] {
    if !self.ways.contains(ways) {
      self.ways = WaySet(ways)
      unread = Set(payloads.keys)
    }
    let sources = unread.sorted()
    unread = []
    return sources.compactMap { source in
      do throws(DecodeError) {
        try read(source)
        return nil
      } catch {
        // The fault is reported once.
        payloads[source] = nil
        return Fault(topic: source.topic, message: error.message)
      }
    }
  }

  private mutating func read(_ source: Source) throws(DecodeError) {
    let isFlow = source.topic == TrafficFlow.topic
    if isFlow {
      reports.removeFlow(feed: source.key)
    } else {
      reports.removeIncidents(feed: source.key)
    }
    guard let payload = payloads[source], !payload.isEmpty else {
      payloads[source] = nil
      return
    }
    if isFlow {
      let flow = try TrafficFlow(decoding: payload)
      reports.set(FlowSnapshot(flow, feed: source.key, on: ways))
    } else {
      let list = try TrafficIncidents(decoding: payload)
      reports.set(IncidentList(list, feed: source.key, on: ways))
    }
  }

  /// Returns the next moment after `now` at which a value begins or ends; nil if there is none.
  func nextChange(after now: Instant) -> Instant? { reports.nextChange(after: now) }

  /// Returns the traffic that holds at `now` by road segment, with the rules that a router applies.
  ///
  /// Without streets the parts of a road are unknown: only values of whole segments count, the last
  /// one of each.
  func states(
    at now: Instant, _ streets: StreetNetwork?
  ) -> (SegmentReference) -> TrafficState? {
    guard let streets else {
      var states: [SegmentReference: TrafficState] = [:]
      for flow in reports.flows.values.sorted(by: {
        ($0.observed, $0.feed) < ($1.observed, $1.feed)
      }) {
        for report in flow.reports where flow.counts(report, at: now, reports.ages) {
          states[report.segment] = report.state
        }
      }
      return { [states] in states[$0] }
    }
    let view = reports.view(at: now, index: streets.index, graph: streets.graph)
    return { streets.index.edge($0).flatMap { view.state(of: $0) } }
  }
}

/// A set of OSM ways that rejects nearly all other ways without a look-up in the hash table.
private struct WaySet: Sendable {
  private let ways: Set<Int64>
  /// One bit for each value of `place`.
  private let bits: [UInt64]

  init(_ ways: Set<Int64>) {
    self.ways = ways
    var bits = [UInt64](repeating: 0, count: 1024)
    for way in ways {
      let place = Self.place(way)
      bits[place >> 6] |= 1 << UInt64(place & 63)
    }
    self.bits = bits
  }

  @inline(__always) private static func place(_ way: Int64) -> Int {
    Int((UInt64(bitPattern: way) &* 0x9E37_79B9_7F4A_7C15) >> 48)
  }

  @inline(__always) func contains(_ way: Int64) -> Bool {
    let place = Self.place(way)
    return bits[place >> 6] >> UInt64(place & 63) & 1 == 1 && ways.contains(way)
  }

  func contains(_ others: Set<Int64>) -> Bool { others.isSubset(of: ways) }
}

extension FlowSnapshot {
  /// Keeps the possible values of a message on the given OSM ways.
  fileprivate init(_ wire: TrafficFlow, feed: String, on ways: WaySet) {
    let observed = Instant(nanoseconds: wire.observedNs)
    let source = SpeedSource(rawValue: wire.speedKind.rawValue) ?? .live
    let flow = wire.flow
    var reports: [FlowReport] = []
    for index in flow.way.indices where ways.contains(flow.way[index]) {
      let (speed, jam) = (flow.speedMmps[index], flow.jamFactor[index])
      guard speed >= 0, (0...100).contains(jam) else { continue }
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
    self.init(
      feed: feed, observed: observed, until: wire.untilNs.map { Instant(nanoseconds: $0) },
      reports: reports)
  }
}

extension IncidentList {
  /// Keeps the incidents of a message on segments of the given OSM ways.
  fileprivate init(_ wire: TrafficIncidents, feed: String, on ways: WaySet) {
    self.init(
      feed: feed, observed: Instant(nanoseconds: wire.observedNs),
      incidents: wire.incidents.filter { $0.segments.contains { ways.contains($0.way) } }.map {
        Incident(
          id: $0.id, kind: $0.kind.rawValue,
          segments: $0.segments.map { SegmentReference(wire: $0) }, isClosed: $0.closed,
          delayS: $0.delayS, from: $0.fromNs.map { Instant(nanoseconds: $0) },
          until: $0.untilNs.map { Instant(nanoseconds: $0) })
      })
  }
}
