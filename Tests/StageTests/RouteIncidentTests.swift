import DrawnRoutes
import Foundations
import Geodesy
import Messages
import NavigatorStage
import RoadGraph
import Route
import RouteWire
import Stage
import Testing

/// A navigator on a route of eight pieces with one stop, and the feeds that it hears.
private struct Listener {
  let route = drawn("abcdefghi", stops: [3])
  var stage: NavigatorStage
  private var outputs: [EncodedOutput] = []

  init() throws {
    stage = NavigatorStage(
      vehicle: "ego",
      shared: try NavigatorStage.load(
        try Parameters([:], declared: NavigatorStage.manifest.parameters)))
    outputs += try stage.receive(
      .call(
        EncodedCall(
          id: "c-1", name: NavigateSetRouteRequest.call, stamp: Instant(seconds: 0),
          payload: NavigateSetRouteRequest(route: route.wire).encoded())))
  }

  mutating func ingest(_ topic: String, _ payload: [UInt8], t: Double, key: String? = nil) throws {
    outputs += try stage.receive(
      .message(
        EncodedMessage(
          topic: topic, stamp: Instant(seconds: t), source: "test", run: 1, sequence: 1, key: key,
          payload: payload)))
  }

  mutating func feed(
    _ feed: String, _ id: String, _ pieces: [Int], t: Double, untilS: Int64? = nil
  ) throws {
    let incident = WireIncident(
      id: id, kind: .construction, text: "Road works",
      segments: pieces.map { route.segments[$0].reference.wire },
      untilNs: untilS.map { $0 * 1_000_000_000 })
    try ingest(
      TrafficIncidents.topic,
      TrafficIncidents(feed: feed, observedNs: 0, incidents: [incident]).encoded(), t: t, key: feed)
  }

  mutating func locate(atM: Double, t: Double) throws {
    let index = Int(atM) / 100
    let at = place(atM)
    try ingest(
      LocationMatched.topic,
      LocationMatched(
        state: .matched, latDeg: at.latitudeDeg, lonDeg: at.longitudeDeg, bearingDeg: 90,
        segment: route.segments[index].reference.wire,
        offsetM: atM.truncatingRemainder(dividingBy: 100), probability: 0.9,
        raw: LocationRaw(
          latDeg: at.latitudeDeg, lonDeg: at.longitudeDeg, speedMps: 10, accuracyM: 5)
      ).encoded(), t: t)
  }

  /// The lists told since the last call.
  mutating func lists() throws -> [GuidanceTraffic] {
    defer { outputs = [] }
    return try outputs.compactMap { output in
      guard case .publish(GuidanceTraffic.topic, _, let payload, _, _, _) = output else {
        return nil
      }
      return try GuidanceTraffic(decoding: payload)
    }
  }
}

@Suite struct RouteIncidentTests {
  @Test func `incidents on the route ahead are listed by place, section and span, TR-5`() throws {
    var listener = try Listener()
    try listener.locate(atM: 10, t: 1)
    #expect(try listener.lists().isEmpty)
    try listener.feed("f", "i-1", [4, 5], t: 2)
    let list = try #require(try listener.lists().last)
    #expect(list.routeId == "r-1")
    let reported = try #require(list.incidents.first)
    #expect(list.incidents.count == 1)
    #expect(reported.id == "i-1" && reported.feed == "f" && reported.kind == .construction)
    #expect(reported.text == "Road works")
    #expect(reported.startM == 400 && reported.lengthM == 200)
    #expect(reported.section == 1 && reported.spans == [4, 5])
    // An incident on other roads is none of the route's.
    let other = SegmentReference(way: 9, from: 1, to: 2).wire
    try listener.ingest(
      TrafficIncidents.topic,
      TrafficIncidents(
        feed: "g", observedNs: 0,
        incidents: [WireIncident(id: "i-2", kind: .accident, segments: [other])]
      ).encoded(), t: 3, key: "g")
    #expect(try listener.lists().isEmpty)
  }

  @Test func `the list is reported anew as incidents come, are passed and end, TR-5`() throws {
    var listener = try Listener()
    try listener.feed("f", "i-1", [2], t: 0)
    try listener.feed("g", "i-1", [6], t: 0, untilS: 30)
    try listener.locate(atM: 10, t: 1)
    #expect(try listener.lists().last?.incidents.map(\.feed) == ["f", "g"])
    for metres in stride(from: 20.0, through: 290, by: 10) {
      try listener.locate(atM: metres, t: metres / 10)
    }
    #expect(try listener.lists().isEmpty)
    try listener.locate(atM: 305, t: 29.5)
    #expect(try listener.lists().map { $0.incidents.map(\.feed) } == [["g"]])
    try listener.locate(atM: 310, t: 30)
    #expect(try listener.lists().map(\.incidents.count) == [0])
    // A feed that is gone takes its incidents along.
    try listener.feed("f", "i-3", [7], t: 31)
    #expect(try listener.lists().map(\.incidents.count) == [1])
    try listener.ingest(TrafficIncidents.topic, [], t: 32, key: "f")
    #expect(try listener.lists().map(\.incidents.count) == [0])
  }

  @Test func `without the route its list is empty, TR-5`() throws {
    var listener = try Listener()
    try listener.feed("f", "i-1", [5], t: 0)
    try listener.locate(atM: 10, t: 1)
    #expect(try listener.lists().last?.incidents.count == 1)
    _ = try listener.stage.receive(
      .call(
        EncodedCall(
          id: "c-2", name: NavigateStopRequest.call, stamp: Instant(seconds: 2),
          payload: NavigateStopRequest().encoded())))
    try listener.locate(atM: 20, t: 3)
    let list = try #require(try listener.lists().last)
    #expect(list.incidents.isEmpty && list.routeId == nil)
  }
}
