import DrawnMaps
import Foundation
import Foundations
import Geodesy
import MapMaking
import MessagePack
import Messages
import NavigatorStage
import RoadAhead
import RoadGraph
import Route
import RouteWire
import Stage
import Testing

/// A navigator on a drawn map, fed with locations on it.
private struct Road {
  let drawn: DrawnMap
  let shared: NavigatorSettings
  var stage: NavigatorStage
  var outputs: [EncodedOutput] = []

  init(
    _ drawn: DrawnMap, _ given: [String: ParameterValue] = [:], custom: [CustomPlace] = []
  ) throws {
    self.drawn = drawn
    shared = try Self.settings(drawn, given, custom: custom)
    stage = NavigatorStage(vehicle: "ego", shared: shared)
  }

  static func settings(
    _ drawn: DrawnMap, _ given: [String: ParameterValue] = [:], custom: [CustomPlace] = []
  ) throws -> NavigatorSettings {
    NavigatorSettings(
      try Parameters(given, declared: NavigatorStage.manifest.parameters),
      map: RoadMap(drawn.graph, custom: CustomPlaces(custom, on: drawn.graph)))
  }

  /// Another map under the running stage.
  mutating func change(to new: DrawnMap) throws {
    outputs += stage.receiveMap(try Self.settings(new))
  }

  mutating func send(
    _ message: some TopicMessage, t: Double, key: String? = nil
  ) throws {
    outputs += try stage.receive(
      .message(
        EncodedMessage(
          topic: type(of: message).topic, stamp: Instant(seconds: t), source: "test", run: 1,
          sequence: 1, key: key, payload: message.encoded())))
  }

  /// Drives along the letters at 20 m a second from `t` on; says when it is there.
  @discardableResult mutating func drive(
    _ letters: String, from t: Double = 0, seconds: Range<Int>? = nil
  ) throws -> Double {
    var second = 0
    var leftM = 0.0
    for edge in try drawn.edges(letters) {
      let lengthM = drawn.graph.lengthM(edge)
      while leftM < lengthM {
        if seconds?.contains(second) ?? true { try locate(edge, leftM, t: t + Double(second)) }
        leftM += 20
        second += 1
      }
      leftM -= lengthM
    }
    return t + Double(second)
  }

  mutating func locate(_ edge: EdgeID, _ offsetM: Double, t: Double) throws {
    let graph = drawn.graph
    let at = graph.coordinate(RoadPosition(edge: edge, offsetM: offsetM))
    try send(
      LocationMatched(
        state: .matched, latDeg: at.latitudeDeg, lonDeg: at.longitudeDeg, bearingDeg: 90,
        segment: graph.reference(edge).wire, offsetM: offsetM, probability: 0.95,
        raw: LocationRaw(
          latDeg: at.latitudeDeg, lonDeg: at.longitudeDeg, speedMps: 20, accuracyM: 5)), t: t)
  }

  func said<Message: TopicMessage>(_: Message.Type) throws -> [Message] {
    try outputs.compactMap { output in
      guard case .publish(let topic, _, let payload, _, _, _) = output, topic == Message.topic
      else { return nil }
      return try Message(decoding: payload)
    }
  }
}

@Suite struct NavigatorAheadTests {
  private func map() throws -> DrawnMap {
    try DrawnMap(
      "a-------b---c---d",
      ways: [
        "ab": "highway=primary name=A maxspeed=50",
        "bc": "highway=primary name=A maxspeed=50 tunnel=yes",
        "cd": "highway=primary name=B maxspeed=80",
      ], nodes: ["d": "highway=traffic_signals"])
  }

  @Test
  func `without a route road, limit, warnings and horizon come, PR-1, EV-1, EV-2, EV-4, EV-7`()
    throws
  {
    var road = try Road(try map())
    try road.drive("abcd")
    #expect(try road.said(GuidanceProgress.self).isEmpty)
    #expect(try road.said(GuidanceRoad.self).map { $0.road?.tunnel } == [false, true, false])
    #expect(
      try road.said(GuidanceSpeed.self).map { (($0.limitMps ?? 0) * 3.6).rounded() } == [
        50, 50, 80,
      ])
    #expect(
      try road.said(GuidanceSpeed.self).compactMap(\.warning) == [.exceeded, .restored])
    let warnings = try road.said(GuidanceWarning.self)
    #expect(
      warnings.filter { $0.kind == .tunnel }.map(\.event) == [.ahead, .reached, .passed])
    #expect(warnings.first?.lengthM.map { abs($0 - 400) < 1 } == true)
    #expect(warnings.filter { $0.kind == .trafficSignals }.map(\.event) == [.ahead])
    #expect(warnings.allSatisfy { $0.routeId == nil })
    let tree = try #require(try road.said(GuidanceHorizon.self).first)
    #expect(tree.pieces.map(\.level) == [0, 0])
    #expect(tree.pieces.map(\.parent) == [nil, 0])
    #expect(tree.pieces.last?.road.tunnel == true)
  }

  @Test func `a warning's id is turned into the distance left, EV-5`() throws {
    var road = try Road(try map())
    try road.drive("abcd", seconds: 0..<31)
    let warning = try #require(
      try road.said(GuidanceWarning.self).first { $0.kind == .tunnel })
    func distance(_ id: String) throws -> Double? {
      let request = EncodedCall(
        id: "c-1", name: WarningDistanceRequest.call, stamp: Instant(seconds: 31),
        payload: WarningDistanceRequest(id: id).encoded())
      for case .reply("c-1", .ok(let payload)) in try road.stage.receive(.call(request)) {
        return try WarningDistanceReply(decoding: payload).distanceM
      }
      Issue.record("no reply")
      return nil
    }
    #expect(abs(try distance(warning.id).map { $0 - 200 } ?? 99) < 1)
    #expect(try distance("nothing") == nil)
    try road.drive("abcd", seconds: 31..<70)
    #expect(try distance(warning.id) == nil)
  }

  @Test func `only what one wants to be warned of is told, EV-4`() throws {
    var road = try Road(try map(), ["warnings": .strings(["safety_camera"])])
    try road.drive("abcd")
    #expect(try road.said(GuidanceWarning.self).isEmpty)
    let wrong = try Parameters(
      ["warnings": .strings(["dragon"])], declared: NavigatorStage.manifest.parameters)
    #expect(throws: StageFailure.self) { try NavigatorStage.load(wrong) }
  }

  @Test func `countries that are silent of cameras are a setting, EV-4`() throws {
    let map = try DrawnMap(
      "a---b---c", ways: ["abc": "highway=primary country=CH"],
      nodes: ["b": "highway=speed_camera"])
    var silent = try Road(map)
    try silent.drive("abc")
    #expect(try silent.said(GuidanceWarning.self).isEmpty)
    for countries in [[], ["de"]] {
      var open = try Road(map, ["silent_cameras": .strings(countries)])
      try open.drive("abc")
      #expect(try open.said(GuidanceWarning.self).map(\.kind) == [.safetyCamera, .safetyCamera])
    }
    var set = try Road(map, ["silent_cameras": .strings(["fr", "ch"])])
    try set.drive("abc")
    #expect(try set.said(GuidanceWarning.self).isEmpty)
    let wrong = try Parameters(
      ["silent_cameras": .strings(["Switzerland"])], declared: NavigatorStage.manifest.parameters)
    #expect(throws: StageFailure.self) { try NavigatorStage.load(wrong) }
  }

  @Test func `incidents of feeds are warned of without a route, which none lists, EV-4`() throws {
    let map = try map()
    let segment = map.graph.reference(try map.edge("bc")).wire
    let works = TrafficIncidents(
      feed: "f", observedNs: 0,
      incidents: [
        WireIncident(id: "i-1", kind: .construction, text: "Road works", segments: [segment])
      ])
    var road = try Road(map)
    try road.send(works, t: 0, key: "f")
    try road.drive("abcd", from: 1)
    let warnings = try road.said(GuidanceWarning.self).filter { $0.kind == .incident }
    #expect(warnings.map(\.event) == [.ahead, .reached, .passed])
    #expect(warnings.first?.text == "Road works")
    // No route, no list of the route.
    #expect(try road.said(GuidanceTraffic.self).isEmpty)
  }

  @Test func `an id that a feed uses twice is told of, EV-4, TR-5`() throws {
    let map = try map()
    let segment = map.graph.reference(try map.edge("bc")).wire
    var road = try Road(map)
    try road.send(
      TrafficIncidents(
        feed: "f", observedNs: 0,
        incidents: [.construction, .accident].map {
          WireIncident(id: "i-1", kind: $0, segments: [segment])
        }), t: 0, key: "f")
    let counts = road.outputs.compactMap { output in
      if case .count("incidents_repeated", let count) = output { count } else { nil }
    }
    #expect(counts == [1])
  }

  @Test func `places of one's own that lie on no road are told of once, EV-4`() throws {
    let far = Coordinate(latitudeDeg: 46, longitudeDeg: -30)
    var road = try Road(
      try map(), custom: (1...7).map { CustomPlace(id: "p-\($0)", form: .point(far)) })
    try road.drive("abcd")
    // Whatever the vehicles of the process.
    road.stage = NavigatorStage(vehicle: "other", shared: road.shared)
    try road.drive("abcd")
    var counts: [Int] = []
    var lines: [String] = []
    for output in road.outputs {
      if case .count("custom_places_on_no_road", let count) = output { counts.append(count) }
      if case .log(.warning, let line) = output, line.hasPrefix("custom") { lines.append(line) }
    }
    #expect(counts == [7])
    #expect(
      lines == [
        "custom_warnings: 7 of 7 places lie on no road of the map: "
          + #""p-1", "p-2", "p-3", "p-4", "p-5" and 2 more"#
      ])
  }

  @Test func `an assumed side of driving is reported once for each map, RT-11`() throws {
    func warnings(country: String?, mode: String = "car") throws -> [String] {
      let drawn = try DrawnMap(
        "a-b-c", ways: ["abc": "highway=residential name=A"],
        options: MapOptions(country: country))
      var road = try Road(drawn, ["mode": .string(mode)])
      try road.drive("ac")
      road.stage = NavigatorStage(vehicle: "other", shared: road.shared)
      try road.drive("ac")
      return road.outputs.compactMap { output in
        if case .log(.warning, let line) = output { line } else { nil }
      }
    }
    #expect(
      try warnings(country: nil) == [
        "the map has no country at 47.0,-30.0: driving on the right is assumed;"
          + " nav map build --country or --drive-left sets it"
      ])
    #expect(try warnings(country: "GB").isEmpty)
    #expect(try warnings(country: nil, mode: "pedestrian").isEmpty)
  }

  @Test func `another map keeps incidents and what was told, EV-4, OF-2`() throws {
    let old = try map()
    let tunnel = WireIncident(
      id: "i-1", kind: .construction, text: "Road works",
      segments: [old.graph.reference(try old.edge("bc")).wire])
    var road = try Road(old)
    try road.send(TrafficIncidents(feed: "f", observedNs: 0, incidents: [tunnel]), t: 0, key: "f")
    try road.drive("abcd", from: 1, seconds: 0..<30)
    func told() throws -> [String] {
      try road.said(GuidanceWarning.self).map { "\($0.kind.rawValue) \($0.event.rawValue)" }
    }
    #expect(try told() == ["incident ahead", "tunnel ahead"])
    // The same roads, one of them cut: the edges have other numbers.
    let new = try DrawnMap(
      "a--x----b---c---d",
      ways: [
        "ab": "highway=primary name=A maxspeed=50",
        "bc": "highway=primary name=A maxspeed=50 tunnel=yes",
        "cd": "highway=primary name=B maxspeed=80",
      ], nodes: ["d": "highway=traffic_signals", "x": "highway=traffic_signals"])
    try road.change(to: new)
    try road.drive("abcd", from: 1, seconds: 30..<62)
    #expect(
      try told() == [
        "incident ahead", "tunnel ahead", "incident reached", "tunnel reached",
        "traffic_signals ahead", "incident passed", "tunnel passed",
      ])
  }

  @Test func `what another map does not have ends, EV-4, OF-2`() throws {
    var road = try Road(try map())
    try road.drive("abcd", seconds: 0..<35)
    let new = try DrawnMap(
      "a-------b---c---d",
      ways: [
        "ab": "highway=primary name=A maxspeed=50", "bc": "highway=primary name=A maxspeed=50",
        "cd": "highway=primary name=B maxspeed=80",
      ], nodes: ["d": "highway=traffic_signals"])
    try road.change(to: new)
    let told = try road.said(GuidanceHorizon.self).count
    try road.drive("abcd", seconds: 35..<50)
    let tunnel = try road.said(GuidanceWarning.self).filter { $0.kind == .tunnel }
    #expect(tunnel.map(\.event) == [.ahead, .cancelled])
    // The tree of the new map is told.
    #expect(try road.said(GuidanceHorizon.self).count > told)
  }

  @Test func `a successor goes on with the very next event, EV-4, BUS-6`() throws {
    var road = try Road(try map())
    var other = try Road(try map())
    try road.drive("abcd", seconds: 0..<35)
    try other.stage.takeOver(try #require(road.stage.handOverState))
    road.outputs = []
    try road.drive("abcd", seconds: 35..<80)
    try other.drive("abcd", seconds: 35..<80)
    #expect(try other.said(GuidanceWarning.self) == road.said(GuidanceWarning.self))
    #expect(try other.said(GuidanceHorizon.self) == road.said(GuidanceHorizon.self))
  }

  @Test func `after a crash nothing is told a second time, EV-4, BUS-6`() throws {
    var road = try Road(try map())
    var other = try Road(try map())
    try road.drive("abcd", seconds: 0..<35)
    try other.stage.restore(try #require(road.stage.savedState))
    try other.drive("abcd", seconds: 35..<80)
    #expect(
      try other.said(GuidanceWarning.self).filter { $0.kind == .tunnel }.map(\.event)
        == [.reached, .passed])
  }

  @Test func `the saved state is what the contract says, PR-11`() throws {
    var road = try Road(try map())
    try road.drive("abcd", seconds: 0..<35)
    let state = try WireNavigatorState(decoding: try #require(road.stage.savedState))
    #expect(state.warnings.map(\.kind) == ["tunnel"])
    #expect(state.speeding)
    #expect(state.route == nil)
  }
}
