import Foundations
import Messages
import Stage
import Testing

@testable import VoiceStage

@Suite struct VoiceStageTests {
  @Test func `a drive is announced, each key once, in time, VO-1 VO-5 BUS-10`() throws {
    var drive = try VoiceDrive()
    try drive.follow(.town(), reason: .new)
    try drive.drive(from: 0, to: 11_995, speedMps: 13.9)
    try drive.send(
      GuidanceArrival(
        routeId: "r-1", event: .destinationReached, rule: .passedWithin, latDeg: 47, lonDeg: 9,
        distanceM: 5, side: .right))
    #expect(
      drive.texts == [
        "Head east on Mill Lane.",
        "In 600 meters, turn right onto High Street, B 12 toward Harbour, then take the second exit.",
        "In 300 meters, turn right onto High Street, then take the second exit.",
        "Turn right, then take the second exit.",
        "Take the second exit.",
        "Continue for 10 kilometers on A 28, then take exit 4 on the left toward Old Town.",
        "In 600 meters, take exit 4 on the left toward Old Town.",
        "In 300 meters, take exit 4 on the left toward Old Town.",
        "Take the exit on the left.",
        "In 500 meters, you will reach your destination, on the right.",
        "In 300 meters, you will reach your destination, on the right.",
        "Your destination is on the right.",
        "You have reached your destination.",
      ])
    #expect(Set(drive.said.map(\.message.key)).count == drive.said.count)
    // BUS-10: each says why it is said.
    #expect(drive.said.allSatisfy { $0.message.rule?.isEmpty == false })
    #expect(drive.said.map(\.message.rule).first == "within 50 m of the start")
    #expect(drive.said.map(\.message.kind).filter { $0 == .action }.count == 4)
  }

  @Test(arguments: [30.0, 50, 100, 130])
  func `an action ends 1.5 s before the maneuver, VO-2`(speedKmh: Double) throws {
    var drive = try VoiceDrive()
    drive.limitMps = speedKmh / 3.6
    try drive.follow(.town(), reason: .new)
    try drive.drive(from: 0, to: 11_990, speedMps: speedKmh / 3.6)
    let actions = drive.said.filter { $0.message.kind == .action }
    #expect(actions.count == 4)
    for action in actions where action.message.maneuverIndex != 2 {
      let leftS = (action.message.distanceM ?? 0) / (speedKmh / 3.6)
      #expect(leftS - action.message.expectedDurationS - 0.1 >= 1.5)
    }
  }

  @Test func `a road without a limit does not keep that of the road before, VO-1`() throws {
    var drive = try VoiceDrive()
    drive.limitMps = 33.3
    try drive.follow(.town(), reason: .new)
    try drive.send(GuidanceSpeed(limitMps: 33.3, exceeded: false))
    try drive.drive(from: 0, to: 100, speedMps: 13.9)
    drive.limitMps = nil
    try drive.drive(from: 100, to: 11_990, speedMps: 13.9)
    let actions = drive.said.filter { $0.message.kind == .action }
    #expect(actions.count == 4)
    for action in actions { #expect((action.message.distanceM ?? .infinity) < 120) }
  }

  @Test func `an action that comes early at low speed says how far, and where to, VO-1`() throws {
    var drive = try VoiceDrive(["kinds": .strings(["action"])])
    drive.limitMps = 33.3
    try drive.follow(.town(), reason: .new)
    try drive.drive(from: 0, to: 11_990, speedMps: 15)
    let early = drive.said.filter {
      $0.message.kind == .action && ($0.message.distanceM ?? 0) > 18 * 15
    }
    #expect(!early.isEmpty)
    for action in early {
      #expect(action.message.text.hasPrefix("In "), "\(action.message.text)")
      let leftS = (action.message.distanceM ?? 0) / 15
      #expect(leftS - action.message.expectedDurationS - 0.1 >= 1.5)
    }
  }

  @Test func `nothing overlaps, VO-8`() throws {
    var drive = try VoiceDrive()
    try drive.follow(.town(), reason: .new)
    try drive.drive(from: 0, to: 11_990, speedMps: 30)
    for (first, second) in zip(drive.said, drive.said.dropFirst()) {
      let endS = first.atS + first.message.expectedDurationS
      #expect(endS <= second.atS + 0.01 || second.message.interrupts)
    }
  }

  @Test func `without a sink each announcement ends after its time, VO-9`() throws {
    var drive = try VoiceDrive(["sink": "none"])
    try drive.follow(.town(), reason: .new)
    try drive.drive(from: 0, to: 900, speedMps: 13.9)
    try drive.pass(5)
    #expect(!drive.said.isEmpty)
    #expect(drive.spoken.map(\.message.key) == drive.said.map(\.message.key))
    #expect(drive.spoken.allSatisfy { $0.message.outcome == .spoken && $0.message.sink == "none" })
  }

  @Test func `a measured duration replaces the estimate and moves the action earlier, VO-2`() throws
  {
    var drive = try VoiceDrive(["sink": "espeak", "double_maneuvers": false])
    drive.sinkTakesS = 6
    try drive.follow(.town(), reason: .new)
    try drive.drive(from: 0, to: 11_990, speedMps: 13.9)
    let actions = drive.said.filter { $0.message.kind == .action }
    let last = try #require(actions.last)
    var unmeasured = try VoiceDrive(["double_maneuvers": false])
    try unmeasured.follow(.town(), reason: .new)
    try unmeasured.drive(from: 11_000, to: 11_990, speedMps: 13.9)
    let guessed = try #require(unmeasured.said.last)
    #expect(guessed.message.text == last.message.text)
    #expect(last.message.expectedDurationS > guessed.message.expectedDurationS * 1.3)
    #expect((last.message.distanceM ?? 0) > (guessed.message.distanceM ?? 0) + 10)
    #expect((last.message.distanceM ?? 0) / 13.9 - last.message.expectedDurationS - 0.1 >= 1.5)
    #expect(drive.spoken.isEmpty)
  }

  @Test func `leaving the route says so or that it reroutes, once, VO-5`() throws {
    var drive = try VoiceDrive()
    try drive.follow(.town(), reason: .new)
    try drive.drive(from: 0, to: 500, speedMps: 13.9)
    let before = drive.said.count
    for second in 0..<4 {
      try drive.send(.off(first: second == 0))
      if second == 0 { try drive.send(GuidanceReroute(state: .started, routeId: "r-1")) }
      try drive.pass(1)
    }
    #expect(Array(drive.texts.dropFirst(before)) == ["Rerouting."])
    try drive.follow(.town(id: "r-2"), reason: .reroute)
    try drive.drive(from: 600, to: 700, speedMps: 13.9)
    for second in 0..<4 {
      try drive.send(.off(first: second == 0))
      try drive.pass(1)
    }
    #expect(drive.texts.last == "You have left the route.")
  }

  @Test func `a reroute that is only proposed is not announced as one, VO-5`() throws {
    var drive = try VoiceDrive()
    try drive.follow(.town(), reason: .new)
    try drive.drive(from: 0, to: 500, speedMps: 13.9)
    try drive.send(
      GuidanceReroute(
        state: .started, reason: .missedStop, routeId: "r-1", proposes: true))
    try drive.pass(5)
    #expect(!drive.texts.contains("Rerouting."))
    try drive.send(GuidanceReroute(state: .started, reason: .missedStop, routeId: "r-1"))
    try drive.pass(5)
    #expect(drive.texts.count { $0 == "Rerouting." } == 1)
  }

  @Test func `after a deviation the same maneuver is said again, on a better route it is not`()
    throws
  {
    var drive = try VoiceDrive()
    try drive.follow(.town(), reason: .new)
    try drive.drive(from: 0, to: 720, speedMps: 13.9)
    let before = drive.said.count
    try drive.follow(.town(id: "r-2"), reason: .better)
    try drive.drive(from: 721, to: 800, speedMps: 13.9)
    #expect(drive.said.count == before)
    try drive.send(.off(first: true))
    try drive.send(GuidanceReroute(state: .started, routeId: "r-2"))
    try drive.pass(20)
    try drive.follow(.town(id: "r-3"), reason: .reroute)
    try drive.drive(from: 720, to: 850, speedMps: 13.9)
    #expect(drive.said.last?.message.kind == .distance)
    #expect(drive.said.last?.message.routeId == "r-3")
  }

  @Test func `news of the road are said once each, VO-5`() throws {
    var drive = try VoiceDrive(["signal": false])
    try drive.follow(.town(), reason: .better)
    try drive.drive(from: 100, to: 130, speedMps: 10)
    let camera = GuidanceWarning(id: "w-1", kind: .safetyCamera, event: .ahead, distanceM: 480)
    try drive.send(camera)
    try drive.pass(4)
    try drive.send(camera)
    try drive.send(GuidanceWarning(id: "w-2", kind: .speedBump, event: .ahead, distanceM: 480))
    try drive.send(GuidanceSpeed(limitMps: 13.9, exceeded: true, warning: .exceeded))
    try drive.pass(5)
    try drive.send(
      RouteBetter(
        id: "b-1", state: .proposed, routeId: "r-1", gainS: 130, longerM: 5, shapeChanged: true))
    try drive.pass(6)
    try drive.send(GuidanceRoad(road: WireRoad(tunnel: false)))
    try drive.send(GuidanceRoad(road: WireRoad(tunnel: true)))
    try drive.pass(4)
    #expect(
      drive.texts == [
        "Safety camera in 500 meters.", "Mind your speed. The limit is 50.",
        "There is a faster route. It saves 2 minutes.", "Tunnel.",
      ])
  }

  @Test func `a faster route that is no longer offered is not said, VO-8`() throws {
    var drive = try VoiceDrive()
    try drive.follow(.town(), reason: .better)
    try drive.drive(from: 100, to: 130, speedMps: 10)
    let offer = RouteBetter(
      id: "b-1", state: .proposed, routeId: "r-1", gainS: 130, longerM: 5, shapeChanged: true)
    try drive.send(GuidanceWarning(id: "w-1", kind: .safetyCamera, event: .ahead, distanceM: 480))
    try drive.send(offer)
    var withdrawn = offer
    withdrawn.state = .expired
    try drive.send(withdrawn)
    try drive.pass(5)
    #expect(drive.texts == ["Safety camera in 500 meters."])
  }

  @Test func `what a wake-up says names the progress that it is reckoned from, LOC-1`() throws {
    var drive = try VoiceDrive()
    drive.intervalS = 15
    try drive.follow(.town(), reason: .new)
    try drive.drive(from: 0, to: 1500, speedMps: 13.9)
    let causes = drive.said.map(\.cause)
    #expect(causes.contains { $0?.topic == "guidance/progress" })
    #expect(drive.said.count > causes.filter { $0 == nil }.count)
  }

  @Test func `locations that fail to come and come again are reported, VO-5`() throws {
    var drive = try VoiceDrive()
    try drive.follow(.town(), reason: .better)
    try drive.drive(from: 100, to: 130, speedMps: 10)
    try drive.pass(30)
    #expect(drive.texts == ["Satellite signal lost."])
    try drive.drive(from: 140, to: 160, speedMps: 10)
    #expect(drive.texts == ["Satellite signal lost.", "Satellite signal found."])
  }

  @Test func `nothing about a route is repeated after it has ended, VO-8`() throws {
    var drive = try VoiceDrive()
    try drive.follow(.town(), reason: .new)
    try drive.drive(from: 0, to: 300, speedMps: 13.9)
    #expect(try drive.repeated() != nil)
    try drive.stop()
    #expect(try drive.repeated() == nil)
  }

  @Test func `a repeat says the next maneuver with the distance of now, VO-8`() throws {
    var drive = try VoiceDrive()
    #expect(try drive.repeated() == nil)
    try drive.follow(.town(), reason: .new)
    try drive.drive(from: 0, to: 510, speedMps: 13.9)
    let text = try #require(try drive.repeated())
    #expect(text.hasPrefix("In 500 meters, turn right onto High Street"))
    #expect(drive.said.last?.message.kind == .repeat)
  }

  @Test func `fixes 15 s apart without speed announce every maneuver`() throws {
    var drive = try VoiceDrive()
    drive.intervalS = 15
    drive.givesSpeed = false
    try drive.follow(.town(), reason: .new)
    try drive.drive(from: 0, to: 11_990, speedMps: 12)
    let actions = drive.said.filter { $0.message.kind == .action }
    #expect(actions.map(\.message.maneuverIndex) == [1, 2, 3, 4])
    for action in actions where action.message.maneuverIndex != 2 {
      let leftS =
        ([0, 1000, 1100, 11_400, 12_000][Int(action.message.maneuverIndex ?? 0)]
          - action.placeM) / 12
      #expect(leftS - action.message.expectedDurationS >= 1.5 && leftS < 12)
    }
  }

  @Test(arguments: [
    "route/active", "guidance/progress", "guidance/maneuver", "guidance/deviation",
    "guidance/reroute", "guidance/milestone", "guidance/arrival", "guidance/offroad",
    "guidance/warning", "guidance/speed", "guidance/road", "route/better", "voice/spoken",
  ])
  func `garbage is refused by name and changes nothing, BUS-5`(topic: String) throws {
    var drive = try VoiceDrive()
    let before = drive.stage.savedState
    let garbage = EncodedMessage(
      topic: topic, stamp: Instant(seconds: 1), source: "x", run: 1, sequence: 1,
      payload: [0x81, 0xa1, 0x61, 0xc1])
    let refusal = #expect(throws: Refusal.self) { try drive.stage.receive(.message(garbage)) }
    #expect(refusal?.message.hasPrefix(topic) == true)
    #expect(drive.stage.savedState == before)
  }

  @Test(arguments: [0, 1e-300, 1e6, 1e300, Double.greatestFiniteMagnitude])
  func `values at the edge of what decodes stop nothing, BUS-5`(extreme: Double) throws {
    var drive = try VoiceDrive()
    var route = WireRoute.town()
    for index in route.maneuvers.indices {
      route.maneuvers[index].exitCount = .max
      route.maneuvers[index].ontoRoad.name = String(repeating: "/-(\u{0} ", count: 200)
      route.maneuvers[index].ontoRoad.number = ";;-"
    }
    try drive.follow(route, reason: .new)
    for index in [Int64(1), 2, 3, .max] {
      try drive.send(
        GuidanceProgress(
          routeId: "r-1", onRoute: .yes, section: .max, travelledOnSectionM: extreme,
          travelledM: extreme, remainingM: extreme, remainingS: extreme, remainingText: "",
          remainingNumber: extreme, remainingUnit: .m, etaNs: .min,
          maneuvers: [
            WireManeuverProgress(index: index, remainingM: extreme, remainingS: extreme)
          ], shapeIndex: 0, shapeFraction: 0, latDeg: 90, lonDeg: -180, bearingDeg: 360,
          speedMps: extreme, speedLimitMps: extreme))
      try drive.pass(1)
    }
    try drive.send(GuidanceSpeed(limitMps: extreme, exceeded: true, warning: .exceeded))
    try drive.send(
      GuidanceWarning(id: "w", kind: .safetyCamera, event: .ahead, distanceM: extreme))
    try drive.send(
      RouteBetter(
        id: "b", state: .proposed, routeId: "r-1", gainS: -extreme, longerM: extreme,
        shapeChanged: true))
    try drive.pass(30)
    #expect(drive.said.allSatisfy { $0.message.text.hasSuffix(".") })
    #expect(!drive.said.isEmpty)
  }

  @Test func `a sink on another clock does not move the time, VO-9`() throws {
    var drive = try VoiceDrive(["sink": "command", "command": "true"])
    try drive.follow(.town(), reason: .new)
    try drive.drive(from: 0, to: 300, speedMps: 13.9)
    let report = VoiceSpoken(key: "r-1/0/depart", outcome: .spoken, durationS: 2, sink: "x")
    let stray = EncodedMessage(
      topic: VoiceSpoken.topic, stamp: Instant(seconds: 2e9), source: "x", run: 1, sequence: 1,
      payload: report.encoded())
    _ = try drive.stage.receive(.message(stray))
    try drive.drive(from: 300, to: 1000, speedMps: 13.9)
    #expect(drive.said.map(\.message.kind) == [.depart, .reminder, .distance, .action])
  }

  @Test func `switched-off parts stay unsaid, VO-8`() throws {
    var drive = try VoiceDrive([
      "street_names": false, "road_numbers": false, "signposts": false, "double_maneuvers": false,
      "kinds": .strings(["distance"]), "continue": false,
    ])
    try drive.follow(.town(), reason: .better)
    try drive.drive(from: 100, to: 11_990, speedMps: 13.9)
    #expect(
      drive.texts == [
        "In 300 meters, turn right.", "In 30 meters, at the roundabout, take the second exit.",
        "In 300 meters, take the exit on the left.",
        "In 300 meters, you will reach your destination, on the right.",
      ])
  }

  @Test(
    arguments: [
      ["kinds": .strings(["shout"])], ["slow_reminder_m": 200], ["warnings": .strings(["dragon"])],
      ["sink": "command"],
    ] as [[String: ParameterValue]])
  func `parameters that make no sense are refused with their name`(
    given: [String: ParameterValue]
  ) throws {
    #expect(throws: StageFailure.self) { try VoiceDrive(given) }
  }

  @Test func `a language not there is reported once in the log, VO-6`() throws {
    let parameters = try Parameters(["language": "tlh"], declared: VoiceStage.manifest.parameters)
    var stage = VoiceStage(vehicle: "ego", shared: try VoiceStage.load(parameters))
    let outputs = try stage.receive(.wake(now: Instant(seconds: 1)))
    let notes = outputs.compactMap { if case .log(.warning, let text) = $0 { text } else { nil } }
    #expect(
      notes == ["language tlh is not available, so texts are in en-US; available: en-US, en-GB"])
  }
}
