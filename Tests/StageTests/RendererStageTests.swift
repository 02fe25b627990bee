import Foundations
import Messages
import RendererStage
import Stage
import Testing

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
    #expect(panel.etaZone == "Europe/Vaduz" && panel.etaUtcOffsetS == 7200)
    #expect(panel.etaZoneDiffers)
  }

  @Test func `a frame names what it answers, LOC-1`() throws {
    var screen = try Screen()
    let outputs = try screen.send(Screen.location(9.0), seconds: 0)
    guard
      case .publish(let topic, let stamp, _, _, _, let cause)? = outputs.last(where: {
        if case .publish = $0 { true } else { false }
      })
    else {
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
    _ = try screen.send(Screen.location(9.0), seconds: 0)
    let outputs = try screen.send(Screen.location(9.001), seconds: 1)
    #expect(try Screen.frames(outputs).count == 1)
    // The stage is only woken to say that the location is lost.
    let lostAt = Instant(seconds: 1_790_000_004)
    guard case .wake(lostAt)? = outputs.last else {
      Issue.record("the stage is not woken at \(lostAt)")
      return
    }
    let lost = try screen.stage.receive(.wake(now: lostAt))
    let frame = try #require(try Screen.frames(lost).first)
    #expect(frame.indicatorStyle == .grey && frame.panel?.speedMps == nil)
    #expect(lost.count == 1, "once")
  }

  @Test func `locations whose stamps lag behind stack time are not lost while they arrive, RN-7`()
    throws
  {
    var screen = try Screen()
    let ahead = Instant(seconds: 1_790_000_060)
    for second in 0..<8 {
      let outputs = try screen.send(
        Screen.location(9 + 0.0001 * Double(second)), seconds: Double(second))
      #expect(try Screen.frames(outputs).first?.indicatorStyle != .grey)
      let now = ahead.advanced(bySeconds: Double(second))
      #expect(try Screen.frames(screen.stage.receive(.wake(now: now))).isEmpty)
    }
    // They stay away.
    let end = ahead.advanced(bySeconds: 11)
    let frame = try Screen.frames(screen.stage.receive(.wake(now: end))).first
    #expect(frame?.indicatorStyle == .grey)
  }

  @Test func `with a frame rate the scene moves between locations, until they stay away, RN-6`()
    throws
  {
    var screen = try Screen(["publish_hz": .double(10)])
    var wake: Instant?
    func heed(_ outputs: [EncodedOutput]) throws -> SceneFrame? {
      wake = nil
      for case .wake(let at) in outputs { wake = at }
      return try Screen.frames(outputs).first
    }
    var last = try #require(try heed(screen.send(Screen.location(9.0), seconds: 0)))
    var count = 0
    while let due = wake, count < 200 {
      guard let frame = try heed(screen.stage.receive(.wake(now: due))) else { break }
      if count < 30 { #expect((frame.indicatorLonDeg ?? 0) > (last.indicatorLonDeg ?? 0)) }
      last = frame
      count += 1
    }
    // Ten frames a second for the six seconds in which the location may be trusted.
    #expect((55...65).contains(count))
  }

  @Test func `a call that the renderer does not serve is refused by name`() throws {
    var screen = try Screen()
    let outputs = try screen.stage.receive(
      .call(EncodedCall(id: "c", name: "x", stamp: Instant(seconds: 0), payload: [])))
    guard case .reply("c", .failed(let error))? = outputs.last else {
      Issue.record("no reply came")
      return
    }
    #expect(error.code == "no_such_service")
    #expect(error.message.contains("x"))
  }

  @Test func `new traffic on the route that is shown moves nothing, RN-3`() throws {
    var screen = try Screen()
    _ = try screen.send(
      RouteActive(reason: .new, paused: false, route: Screen.route), seconds: 0)
    // The matcher has the vehicle 30 m beside the route, on which the navigator has it.
    var location = Screen.location(9.005)
    location.latDeg = 47.0003
    _ = try screen.send(location, seconds: 1)
    let before = try #require(
      try Screen.frames(
        screen.send(Screen.progress(fraction: 0.5, remainingM: 379), seconds: 1)
      ).first)
    var jammed = Screen.route
    jammed.durationLatestS += 300
    let outputs = try screen.send(
      RouteActive(reason: .traffic, paused: false, route: jammed), seconds: 1.5)
    #expect(try Screen.frames(outputs) == [before])
    let tick = try screen.stage.receive(.wake(now: Instant(seconds: 1_790_000_001.7)))
    let after = try #require(try Screen.frames(tick).first)
    #expect(after.indicatorLatDeg == before.indicatorLatDeg)
    #expect(after.eatUpShapeIndex == 0 && (after.eatUpShapeFraction ?? 0) > 0.5)
  }

  @Test func `an estimated location shows no speed, and is carried on by it, TU-2, RN-5`() throws {
    var screen = try Screen()
    _ = try screen.send(
      RouteActive(reason: .new, paused: false, route: Screen.route), seconds: 0)
    func frame(
      _ seconds: Double, isEstimated: Bool, progressMps: Double?
    ) throws -> SceneFrame {
      var location = Screen.location(9.001)
      location.estimated = isEstimated
      location.speedMps = 12
      _ = try screen.send(location, seconds: seconds)
      let progress = Screen.progress(
        fraction: seconds / 70, remainingM: 700, speedMps: progressMps, isEstimated: isEstimated)
      return try #require(try Screen.frames(screen.send(progress, seconds: seconds)).first)
    }
    #expect(try frame(1, isEstimated: false, progressMps: 11).panel?.speedMps == 11)
    let hidden = try frame(2, isEstimated: true, progressMps: nil)
    #expect(hidden.panel != nil && hidden.panel?.speedMps == nil)
    // Nor where a navigator still writes the speed that it calculates with.
    #expect(try frame(3, isEstimated: true, progressMps: 12).panel?.speedMps == nil)
    let between = try Screen.frames(
      screen.stage.receive(.wake(now: Instant(seconds: 1_790_000_003.8))))
    #expect(try #require(between.first?.eatUpShapeFraction) > 3.0 / 70 + 0.005)
    #expect(try frame(4, isEstimated: false, progressMps: 9).panel?.speedMps == 9)
  }
}
