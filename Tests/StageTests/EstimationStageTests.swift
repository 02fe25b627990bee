import DrawnMaps
import DrawnRoutes
import Foundations
import Geodesy
import MatcherStage
import MessagePack
import Messages
import RoadGraph
import RouteWire
import Stage
import Testing

/// A matcher in a tunnel: what it says when fixes stay away.
@Suite struct EstimationStageTests {
  /// A matcher that is woken when it asked to be, and what it said.
  private struct Desk {
    var stage: MatcherStage
    var shared: MatcherShared
    var now = Instant(seconds: 1_790_000_000)
    var wake: Instant?
    var wakes = 0
    var matched: [(stamp: Instant, location: LocationMatched)] = []
    var interpolated: [(stamp: Instant, location: LocationMatched)] = []
    /// Hands the stage over to a fresh one before each event.
    var isSwapped = false

    init(_ map: DrawnMap, _ given: [String: ParameterValue] = [:]) throws {
      let parameters = try Parameters(
        given.merging(["map": "drawn"]) { $1 }, declared: MatcherStage.manifest.parameters)
      shared = MatcherShared(graph: map.graph, parameters: parameters)
      stage = MatcherStage(vehicle: "ego", shared: shared)
    }

    mutating func handle(_ event: EncodedEvent) throws {
      if isSwapped {
        let state = try #require(stage.handOverState)
        stage = MatcherStage(vehicle: "ego", shared: shared)
        try stage.takeOver(state)
      }
      for output in try stage.receive(event) {
        switch output {
        case .publish(LocationMatched.topic, let stamp, let payload, _, _, _):
          matched.append((stamp, try LocationMatched(decoding: payload)))
        case .publish(LocationInterpolated.topic, let stamp, let payload, _, _, _):
          interpolated.append((stamp, try LocationInterpolated(decoding: payload).body))
        case .wake(let at): wake = at
        default: break
        }
      }
    }

    mutating func fix(
      _ place: Coordinate, speedMps: Double? = 12, accuracyM: Double = 5
    ) throws {
      let raw = LocationRaw(
        latDeg: place.latitudeDeg, lonDeg: place.longitudeDeg, timeNs: now.nanoseconds,
        bearingDeg: speedMps == nil ? nil : 90, speedMps: speedMps, accuracyM: accuracyM)
      try handle(
        .message(
          EncodedMessage(
            topic: LocationRaw.topic, stamp: now, source: "gps", run: 1, sequence: 1,
            payload: raw.encoded())))
    }

    /// Lets time go on without a fix.
    mutating func pass(seconds: Double) throws {
      let end = now.advanced(bySeconds: seconds)
      while let at = wake, at <= end {
        wake = nil
        wakes += 1
        try #require(wakes < 10_000, "it asks to be woken at \(at) again and again")
        try handle(.wake(now: at))
      }
      now = end
    }
  }

  private func map() throws -> DrawnMap {
    try DrawnMap(
      """
      a---b-----c----d---------e
      """,
      ways: [
        "ab": "highway=primary maxspeed=50", "bcd": "highway=primary maxspeed=50 tunnel=yes",
        "de": "highway=primary maxspeed=50",
      ])
  }

  /// Drives at 12 m/s from `from` metres behind a for `count` seconds.
  private func drive(_ desk: inout Desk, _ map: DrawnMap, fromM: Double, count: Int) throws {
    for second in 0..<count {
      let part = (fromM + 12 * Double(second)) / 2500
      try desk.fix(try map.coordinate("a", "e", part))
      try desk.pass(seconds: 1)
    }
  }

  @Test func `a tunnel without fixes goes on each second, and says that it is estimated, TU-2`()
    throws
  {
    let map = try map()
    var desk = try Desk(map)
    try drive(&desk, map, fromM: 280, count: 12)
    let fixes = desk.matched.count
    try desk.pass(seconds: 120)
    let said = desk.matched.dropFirst(fixes).map(\.location)
    #expect(fixes == 12 && (85...105).contains(said.count))
    #expect(said.allSatisfy { $0.estimated && $0.state == .matched && $0.raw == nil })
    #expect(said.allSatisfy { $0.speedMps ?? 0 > 8 })
    let stamps = desk.matched.map(\.stamp)
    #expect(zip(stamps, stamps.dropFirst()).allSatisfy { $0 < $1 })
    let uncertain = said.compactMap(\.uncertaintyM)
    #expect(zip(uncertain, uncertain.dropFirst()).allSatisfy { $0 < $1 })
    #expect(said[0].inTunnel && said.contains { !$0.inTunnel })
    // Each path begins where the one before ended.
    for (before, after) in zip(said, said.dropFirst()) {
      #expect(after.path.first == before.path.last && after.path.last == after.segment)
    }
  }

  @Test func `fixes too weak to trust are replaced by estimates in a tunnel, TU-1`() throws {
    let map = try map()
    var desk = try Desk(map)
    try drive(&desk, map, fromM: 400, count: 5)
    for _ in 0..<20 {
      try desk.fix(try map.coordinate("a", "e", 0.15), accuracyM: 80)
      try desk.pass(seconds: 1)
    }
    let said = desk.matched.dropFirst(5).map(\.location)
    #expect(said.count == 20 && said.allSatisfy { $0.estimated && $0.raw == nil })
  }

  @Test func `a gap outside is filled for 5 s, and not with the switch off, TU-3`() throws {
    let map = try map()
    for (isOn, count) in [(true, 4), (false, 0)] {
      var desk = try Desk(map, ["extrapolation": .bool(isOn)])
      try drive(&desk, map, fromM: 1600, count: 5)
      // The last fix is a second ago: estimates 1.5, 2.5, 3.5 and 4.5 s behind it.
      try desk.pass(seconds: 30)
      #expect(desk.matched.dropFirst(5).map(\.location).count { $0.estimated } == count)
    }
  }

  @Test func `with tunnel extrapolation off a tunnel is a gap like others, TU-3`() throws {
    let map = try map()
    var desk = try Desk(map, ["tunnel_extrapolation": false])
    try drive(&desk, map, fromM: 450, count: 5)
    try desk.pass(seconds: 60)
    #expect(desk.matched.dropFirst(5).count == 4)
  }

  @Test func `behind a tunnel of ten minutes the match goes on without a jump, TU-4`() throws {
    let map = try map()
    var desk = try Desk(map)
    try drive(&desk, map, fromM: 350, count: 8)
    // A jam below ground.
    try desk.pass(seconds: 600)
    try drive(&desk, map, fromM: 1590, count: 5)
    let after = desk.matched.suffix(5).map(\.location)
    #expect(after.allSatisfy { $0.state == .matched && !$0.estimated && !$0.teleport })
  }

  @Test func `a fix that comes late is reported after the estimates, with its own time, TU-2`()
    throws
  {
    let map = try map()
    var desk = try Desk(map)
    try drive(&desk, map, fromM: 1600, count: 5)
    // The next fix is of this moment, and comes 0.8 s later.
    let late = desk.now
    try desk.pass(seconds: 0.8)
    desk.now = late
    try desk.fix(try map.coordinate("a", "e", 1660.0 / 2500))
    let reported = desk.matched.suffix(2)
    #expect(reported.map(\.location.estimated) == [true, false])
    #expect(reported.last?.location.raw?.timeNs == late.nanoseconds)
    let stamps = desk.matched.map(\.stamp)
    #expect(stamps == stamps.sorted() && reported.last?.stamp == reported.first?.stamp)
  }

  @Test func `a source of any pace wakes it a few times a gap, TU-3`() throws {
    let map = try map()
    for nanoseconds in [999_999_999, 1_000_000_001, 1_333_333_333, 2_000_000_001, 3_100_000_001] {
      var desk = try Desk(map)
      for number in 0..<6 {
        try desk.fix(try map.coordinate("a", "e", (1550 + 12 * Double(number)) / 2500))
        try desk.pass(seconds: Double(nanoseconds) / 1e9)
      }
      try desk.pass(seconds: 30)
      #expect(desk.wakes < 40, "each \(nanoseconds) ns")
    }
  }

  @Test func `a slow source is given its time outside of tunnels, TU-3`() throws {
    let map = try map()
    var desk = try Desk(map)
    for second in stride(from: 0.0, to: 40, by: 4) {
      try desk.fix(try map.coordinate("a", "e", (1550 + 12 * second) / 2500))
      try desk.pass(seconds: 4)
    }
    // The first intervals are not known yet, and one of 4 s is late only after more than the 5 s.
    #expect(desk.matched.suffix(6).allSatisfy { !$0.location.estimated })
  }

  @Test(arguments: [(true, 30.0, nil), (false, 60.0, nil), (true, 12.0, 24.0), (false, 24.0, 24.0)])
  func `who asks gets locations at frame rate, and nobody else pays, TU-5`(
    isGuided: Bool, hz: Double, rendererHz: Double?
  ) throws {
    let map = try map()
    var desk = try Desk(map)
    if let rendererHz {
      let settings = WireSceneSettings(
        camera: .dynamic, tracking: true, fixedZoom: 16, tiltDeg: 50, northUp: false, anchorX: 0.5,
        anchorY: 0.7, theme: .auto, eatUp: true, frameRateHz: rendererHz,
        guidanceFrameRateHz: rendererHz / 2, indicator: .auto)
      try desk.handle(
        .message(
          EncodedMessage(
            topic: SceneSettings.topic, stamp: desk.now, source: "renderer", run: 1, sequence: 1,
            payload: SceneSettings(settings).encoded())))
    }
    if isGuided {
      let references = try map.edges("abde").map { map.graph.reference($0).wire }
      var route = drawn("wxyz").wire
      route.segments.way = references.map(\.way)
      route.segments.from = references.map(\.from)
      route.segments.to = references.map(\.to)
      let active = RouteActive(reason: .new, route: route)
      try desk.handle(
        .message(
          EncodedMessage(
            topic: RouteActive.topic, stamp: desk.now, source: "navigator", run: 1, sequence: 1,
            payload: active.encoded())))
    }
    try drive(&desk, map, fromM: 40, count: 3)
    #expect(desk.interpolated.isEmpty && desk.wakes == 0)
    try desk.handle(
      .call(
        EncodedCall(
          id: "1", name: LocationInterpolateRequest.call, stamp: desk.now,
          payload: LocationInterpolateRequest(forS: 10).encoded())))
    try drive(&desk, map, fromM: 76, count: 20)
    let said = desk.interpolated
    #expect(abs(Double(said.count) - 10 * hz) <= 0.02 * 10 * hz)
    #expect(said.allSatisfy { $0.location.raw == nil && !$0.location.estimated })
    // Nor does anybody pay when that time is over.
    let wakes = desk.wakes
    try drive(&desk, map, fromM: 316, count: 3)
    #expect(desk.interpolated.count == said.count && desk.wakes == wakes)
    // It moves ahead, and by no more than a frame's way.
    let east = said.compactMap(\.location.lonDeg)
    let steps = zip(east, east.dropFirst()).map { ($1 - $0) * 111_320 * 0.682 }
    #expect(steps.allSatisfy { $0 >= -0.001 && $0 < 3 * 12 / hz })
  }

  @Test func `in a tunnel a swap changes nothing, TU-4`() throws {
    let map = try map()
    var kept = try Desk(map, ["interpolate": "always"])
    var swapped = kept
    swapped.isSwapped = true
    for desk in 0..<2 {
      var one = desk == 0 ? kept : swapped
      try drive(&one, map, fromM: 380, count: 4)
      try one.pass(seconds: 12)
      if desk == 0 { kept = one } else { swapped = one }
    }
    #expect(kept.matched.map(\.location) == swapped.matched.map(\.location))
    #expect(kept.interpolated.map(\.location) == swapped.interpolated.map(\.location))
    #expect(kept.interpolated.count > 300)
  }
}
