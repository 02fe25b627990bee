import EventTime
import Geodesy
import MessagePack
import Messages
import RendererStage
import Stage
import Testing

/// A renderer with a route of three points, and the messages of a drive along it.
private struct Screen {
  var stage: RendererStage
  private var sequence: UInt64 = 0
  static let shape = [(47.0, 9.0), (47.0, 9.01), (47.01, 9.01)].map {
    Coordinate(latitudeDeg: $0.0, longitudeDeg: $0.1)
  }

  init(_ given: [String: ParameterValue] = [:]) throws {
    let parameters = try Parameters(
      ["map": "none.navmap"].merging(given) { $1 },
      declared: RendererStage.manifest.parameters)
    stage = RendererStage(vehicle: "ego", shared: try RendererStage.load(parameters))
  }

  mutating func send(
    _ topic: String, _ payload: [UInt8], seconds: Double
  ) throws -> [StageOutput] {
    sequence += 1
    return try stage.handle(
      .message(
        Inbound(
          topic: topic, stamp: Instant(seconds: 1_790_000_000 + seconds), source: "test", run: 1,
          sequence: sequence, payload: payload)))
  }

  mutating func send(_ message: some TopicMessage, seconds: Double) throws -> [StageOutput] {
    try send(type(of: message).topic, message.encoded(), seconds: seconds)
  }

  static func frames(_ outputs: [StageOutput]) throws -> [SceneFrame] {
    try outputs.compactMap {
      guard case .publish(_, _, let payload, _, _, _) = $0 else { return nil }
      return try SceneFrame(decoding: payload)
    }
  }

  static func road(_ name: String) -> WireRoad { WireRoad(name: name) }

  static var route: WireRoute {
    let turn = WireManeuver(
      action: .turn, grade: .left, latDeg: 47, lonDeg: 9.01, offsetM: 758, section: 0, segment: 1,
      shapeIndex: 1, bearingBeforeDeg: 90, bearingAfterDeg: 0, fromRoad: road("Long Road"),
      ontoRoad: road("Mill Lane"), lanes: [], lengthM: 1112, durationS: 90,
      text: "Turn left onto Mill Lane.")
    var depart = turn
    depart.action = .depart
    depart.grade = nil
    depart.offsetM = 0
    return WireRoute(
      id: "r-1", request: WireRouteRequest(waypoints: [], mode: .bicycle), waypoints: [],
      lengthM: 1870, durationFreeFlowS: 190, durationTrafficS: 190, durationLatestS: 190,
      southDeg: 47, westDeg: 9, northDeg: 47.01, eastDeg: 9.01,
      shape: EncodedPolyline.encode(shape), segments: .none, sections: [], roads: [],
      spans: .none, maneuvers: [depart, turn], violations: [], computedNs: 0)
  }

  static func location(_ longitude: Double) -> LocationMatched {
    LocationMatched(
      state: .matched, latDeg: 47, lonDeg: longitude, bearingDeg: 90, path: [], speedMps: 10)
  }

  static func progress(fraction: Double, remainingM: Double) -> GuidanceProgress {
    GuidanceProgress(
      routeId: "r-1", onRoute: .yes, section: 0, travelledOnSectionM: 0, travelledM: 0,
      remainingM: remainingM + 1112, remainingS: 100, remainingText: "", remainingNumber: 0,
      remainingUnit: .m, etaNs: 1_790_000_100_000_000_000, sections: [],
      maneuvers: [WireManeuverProgress(index: 1, remainingM: remainingM, remainingS: 30)],
      shapeIndex: 0, shapeFraction: fraction, latDeg: 47, lonDeg: 9, speedMps: 10)
  }
}

extension WireRouteSegments {
  fileprivate static var none: Self {
    Self(
      way: [], from: [], to: [], startM: [], lengthM: [], entryOffsetM: [], shapeIndex: [],
      durationS: [])
  }
}

extension WireRouteSpans {
  fileprivate static var none: Self {
    Self(
      startM: [], lengthM: [], firstShapeIndex: [], firstSegment: [], segmentCount: [],
      durationFreeFlowS: [], durationTrafficS: [], durationLatestS: [], road: [],
      baseSpeedMps: [], trafficSpeedMps: [], trafficKind: [], jamFactor: [])
  }
}

@Suite struct RendererStageTests {
  @Test func `a location and its progress become one frame with a panel, RN-5`() throws {
    var screen = try Screen()
    _ = try screen.send(
      RouteActive(reason: .new, paused: false, route: Screen.route), seconds: 0)
    _ = try screen.send(Screen.location(9.0), seconds: 0)
    _ = try screen.send(Screen.progress(fraction: 0.0, remainingM: 758), seconds: 0)
    #expect(try Screen.frames(screen.send(Screen.location(9.005), seconds: 38)).isEmpty)
    let outputs = try screen.send(Screen.progress(fraction: 0.5, remainingM: 379), seconds: 38)
    let frame = try #require(try Screen.frames(outputs).first)
    #expect(frame.routeId == "r-1")
    #expect(frame.indicatorStyle == .bicycle)
    #expect(frame.eatUpShapeIndex == 0)
    #expect(abs((frame.eatUpShapeFraction ?? 0) - 0.5) < 0.01)
    let panel = try #require(frame.panel)
    #expect(panel.maneuverIndex == 1)
    #expect(panel.action == .turn)
    #expect(panel.grade == .left)
    #expect(panel.nextRoad?.name == "Mill Lane")
    #expect(panel.maneuverDistanceText == "400 m")
    #expect(panel.etaNs == 1_790_000_100_000_000_000)
  }

  @Test func `a frame names what it answers, LOC-1`() throws {
    var screen = try Screen()
    let outputs = try screen.send(Screen.location(9.0), seconds: 0)
    guard case .publish(let topic, let stamp, _, _, _, let cause)? = outputs.first else {
      Issue.record("no frame came")
      return
    }
    #expect(topic == "scene/frame")
    #expect(stamp == Instant(seconds: 1_790_000_000))
    #expect(cause?.topic == "location/matched")
  }

  @Test(arguments: [
    "location/matched", "guidance/progress", "guidance/deviation", "route/active",
    "guidance/lanes", "guidance/speed",
  ])
  func `garbage is refused by name, and the screen stays, BUS-5`(topic: String) throws {
    var screen = try Screen()
    _ = try screen.send(Screen.location(9.0), seconds: 0)
    let refusal = #expect(throws: Refusal.self) {
      _ = try screen.send(topic, [0xC1, 0x00], seconds: 1)
    }
    #expect(refusal?.message.hasPrefix(topic) == true)
    #expect(try Screen.frames(screen.send(Screen.location(9.001), seconds: 2)).count == 1)
  }

  @Test func `a shape that is no polyline is refused`() throws {
    var screen = try Screen()
    var route = Screen.route
    route.shape = "_izlhA~"
    let active = RouteActive(reason: .new, paused: false, route: route)
    #expect(throws: Refusal.self) { _ = try screen.send(active, seconds: 0) }
  }

  @Test func `without a frame rate nothing is carried on between locations, RN-6`() throws {
    var screen = try Screen()
    let outputs = try screen.send(Screen.location(9.0), seconds: 0)
    #expect(outputs.count == 1)
  }

  @Test func `with a frame rate the scene moves between locations, until they stay away, RN-6`()
    throws
  {
    var screen = try Screen(["publish_hz": .double(10)])
    var wake: Instant?
    func heed(_ outputs: [StageOutput]) throws -> SceneFrame? {
      wake = nil
      for case .wake(let at) in outputs { wake = at }
      return try Screen.frames(outputs).first
    }
    var last = try #require(try heed(screen.send(Screen.location(9.0), seconds: 0)))
    var count = 0
    while let due = wake, count < 200 {
      guard let frame = try heed(screen.stage.handle(.wake(now: due))) else { break }
      if count < 30 { #expect((frame.indicatorLonDeg ?? 0) > (last.indicatorLonDeg ?? 0)) }
      last = frame
      count += 1
    }
    // Ten frames a second for the six seconds in which the location may be trusted.
    #expect((55...65).contains(count))
  }

  @Test func `the renderer answers no calls`() throws {
    var screen = try Screen()
    let outputs = try screen.stage.handle(
      .call(CallRequest(id: "c", name: "x", stamp: Instant(seconds: 0), payload: [])))
    guard case .reply("c", .failed(let error))? = outputs.first else {
      Issue.record("no reply came")
      return
    }
    #expect(error.code == "no_such_service")
  }
}
