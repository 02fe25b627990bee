import DrawnMaps
import DrawnRoutes
import Foundations
import Geodesy
import MessagePack
import Messages
import NavigatorStage
import Route
import RouteWire
import Stage
import Testing

/// From the router's answer to what a screen and the voice hear of a ferry.
@Suite struct AddedStopStageTests {
  /// 900 m of which a ferry goes from 300 m to 600 m, between two stops.
  private var route: Route {
    var route = drawn("abcdefghij", stops: [2])
    route.addedStops = [
      AddedStop(
        kind: .ferry, name: "Isle Ferry", place: place(300), offsetM: 300, lengthM: 300, section: 1,
        shapeIndex: 3)
    ]
    return route
  }

  private func navigator() throws -> NavigatorStage {
    NavigatorStage(
      vehicle: "ego",
      shared: try NavigatorStage.load(
        try Parameters([:], declared: NavigatorStage.manifest.parameters)))
  }

  private func follow(_ stage: inout NavigatorStage) throws {
    _ = try stage.receive(
      .call(
        EncodedCall(
          id: "c-1", name: NavigateSetRouteRequest.call, stamp: Instant(seconds: 0),
          payload: NavigateSetRouteRequest(route: route.wire).encoded())))
  }

  /// The milestones of a drive along the route, 10 m a second.
  private func drive(
    _ stage: inout NavigatorStage, _ seconds: Range<Int>
  ) throws -> [GuidanceMilestone] {
    var reported: [GuidanceMilestone] = []
    for second in seconds {
      let at = place(Double(second) * 10)
      let location = LocationMatched(
        state: .matched, latDeg: at.latitudeDeg, lonDeg: at.longitudeDeg, bearingDeg: 90,
        segment: route.segments[second / 10].reference.wire, offsetM: Double(second % 10) * 10,
        probability: 0.9,
        raw: LocationRaw(
          latDeg: at.latitudeDeg, lonDeg: at.longitudeDeg, speedMps: 10, accuracyM: 5))
      let outputs = try stage.receive(
        .message(
          EncodedMessage(
            topic: LocationMatched.topic, stamp: Instant(seconds: Double(second)), source: "test",
            run: 1, sequence: UInt64(second + 1), payload: location.encoded())))
      for case .publish(GuidanceMilestone.topic, _, let payload, _, _, _) in outputs {
        reported.append(try GuidanceMilestone(decoding: payload))
      }
    }
    return reported
  }

  @Test func `the router's answer carries the ferry beside the waypoints, MS-1`() throws {
    var bench = RouterStageTests.Bench(
      try DrawnMap(
        "a-b-c-d",
        ways: [
          "ab": "highway=tertiary", "bc": "route=ferry duration=00:10 name=Crossing",
          "cd": "highway=tertiary",
        ]))
    let wire = try bench.route("ad")
    let stop = try #require(wire.addedStops.first)
    #expect(wire.addedStops.count == 1)
    #expect(stop.kind == .ferry)
    #expect(stop.name == "Crossing")
    #expect(abs(stop.offsetM - 200) < 2)
    #expect(wire.waypoints.map(\.userIndex) == [0, 1])
    #expect(try Route(wire: wire).wire == wire)
    // Who knows nothing of added stops sends none, and gets his route.
    var older = wire
    older.addedStops = []
    #expect(try Route(wire: older).addedStops.isEmpty)
  }

  @Test func `added stops that do not fit their route are refused by name, MS-1, BUS-5`() throws {
    let good = route.wire
    let breaks: [(field: String, (inout WireAddedStop) -> Void)] = [
      ("added_stops.offset_m", { $0.offsetM = .infinity }),
      ("added_stops.length_m", { $0.lengthM = -1 }),
      ("added_stops.section", { $0.section = 2 }),
      ("added_stops.shape_index", { $0.shapeIndex = .max }),
    ]
    for (field, change) in breaks {
      var wire = good
      change(&wire.addedStops[0])
      let fault = #expect(throws: RouteWireFault.self) { try Route(wire: wire) }
      #expect(fault?.field == field)
    }
    var wire = good
    wire.addedStops.append(wire.addedStops[0])
    wire.addedStops[1].offsetM = 100
    let fault = #expect(throws: RouteWireFault.self) { try Route(wire: wire) }
    #expect(fault?.field == "added_stops.offset_m")
  }

  @Test func `a ferry is reported on the wire by its place, without an index, MS-1`() throws {
    var stage = try navigator()
    try follow(&stage)
    let reported = try drive(&stage, 0..<90)
    #expect(reported.map(\.kind) == [.stopover, .added, .destination])
    #expect(reported.map(\.index) == [1, nil, 2])
    // The stop before which it lies: whoever looks it up finds one.
    #expect(reported.map(\.waypoint) == [1, 2, 2])
    let ferry = reported[1]
    #expect(ferry.event == .reached)
    #expect((ferry.addedStop, ferry.boards, ferry.name) == (0, .ferry, "Isle Ferry"))
    #expect(ferry.section == 1)
    #expect(ferry.matchedLonDeg == place(300).longitudeDeg)
    #expect((reported[0].addedStop, reported[0].boards) == (nil, nil))
  }

  @Test(arguments: [29, 31])
  func `a restart, or a successor, repeats no ferry and forgets none, MS-1, PR-11, BUS-6`(
    second: Int
  ) throws {
    for isSwap in [false, true] {
      var stage = try navigator()
      try follow(&stage)
      var reported = try drive(&stage, 0..<second)
      var next = try navigator()
      if isSwap {
        try next.takeOver(try #require(stage.handOverState))
      } else {
        try next.restore(try #require(stage.savedState))
      }
      reported += try drive(&next, second..<90)
      #expect(reported.map(\.kind) == [.stopover, .added, .destination])
    }
  }

  @Test(arguments: [GuidanceMilestone.Event.reached, .missed])
  func `of a ferry the voice says nothing but its maneuvers, MS-1`(
    event: GuidanceMilestone.Event
  ) throws {
    func milestone(_ kind: GuidanceMilestone.Kind) -> GuidanceMilestone {
      GuidanceMilestone(
        routeId: "r-1", event: event, kind: kind, waypoint: 1, section: 0, name: "Isle Ferry",
        latDeg: 0, lonDeg: 0, matchedLatDeg: 0, matchedLonDeg: 0,
        addedStop: kind == .added ? 0 : nil, boards: kind == .added ? .ferry : nil)
    }
    var drive = try VoiceDrive()
    try drive.follow(.town(), reason: .new)
    try drive.send(milestone(.added))
    #expect(drive.texts.isEmpty)
    try drive.send(milestone(.stopover))
    #expect(!drive.texts.isEmpty)
  }
}
