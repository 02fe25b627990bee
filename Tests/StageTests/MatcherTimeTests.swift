import DrawnMaps
import Foundations
import Geodesy
import MapMatching
import MatcherStage
import Messages
import Stage
import Testing

/// A matcher whose fixes have wrong times, and what its parameters say of themselves.
@Suite struct MatcherTimeTests {
  private struct Desk {
    let map: DrawnMap
    var stage: MatcherStage
    var matched: [LocationMatched] = []
    var interpolated: [LocationMatched] = []
    var counts: [String: Int] = [:]
    var wake: Instant?

    init(_ given: [String: ParameterValue] = [:]) throws {
      map = try DrawnMap("a----b----c", ways: ["abc": "highway=primary"])
      let parameters = try Parameters(
        given.merging(["map": "drawn"]) { $1 }, declared: MatcherStage.manifest.parameters)
      stage = MatcherStage(
        vehicle: "ego", shared: MatcherShared(graph: map.graph, parameters: parameters))
    }

    mutating func handle(_ event: EncodedEvent) throws {
      do {
        for output in try stage.receive(event) {
          switch output {
          case .publish(LocationMatched.topic, _, let payload, _, _, _):
            matched.append(try LocationMatched(decoding: payload))
          case .publish(LocationInterpolated.topic, _, let payload, _, _, _):
            interpolated.append(try LocationInterpolated(decoding: payload).body)
          case .count(let name, let by): counts[name, default: 0] += by
          case .wake(let at): wake = at
          default: break
          }
        }
      } catch let refusal as Refusal {
        counts[refusal.reason, default: 0] += 1
      }
    }

    mutating func fix(
      _ time: Instant, at fraction: Double = 0.2, of source: String = "gps", priority: Int64? = nil
    ) throws {
      let place = try map.coordinate("a", "c", fraction)
      let raw = LocationRaw(
        latDeg: place.latitudeDeg, lonDeg: place.longitudeDeg, timeNs: time.nanoseconds,
        bearingDeg: 90, speedMps: 5, accuracyM: 5, provider: source, priority: priority)
      try handle(
        .message(
          EncodedMessage(
            topic: LocationRaw.topic, stamp: time, source: "p", run: 1, sequence: 1,
            payload: raw.encoded())))
    }

    /// Wakes it as often as it asks, up to `end`.
    mutating func wakes(until end: Instant) throws {
      while let due = wake, due <= end {
        wake = nil
        try handle(.wake(now: due))
      }
    }
  }

  private let noon = Instant(seconds: 1_790_000_000)
  private let year = 365.0 * 86_400

  private func at(_ seconds: Double) -> Instant { noon.advanced(bySeconds: seconds) }

  @Test(arguments: [1, 3, 50])
  func `fixes far in the future stop the stream for three fixes at most, LOC-7`(count: Int) throws {
    var desk = try Desk()
    for second in 0..<10 { try desk.fix(at(Double(second)), at: 0.1 + Double(second) * 0.01) }
    for number in 0..<count { try desk.fix(at(year + Double(number))) }
    let before = desk.matched.count
    for second in 10..<30 { try desk.fix(at(Double(second)), at: 0.1 + Double(second) * 0.01) }
    #expect(desk.matched.count - before >= 18)
    #expect(desk.matched.last?.raw?.timeNs == at(29).nanoseconds)
    #expect(desk.matched.last?.state == .matched)
    #expect((desk.counts["time_leapt"] ?? 0) >= 1)
  }

  @Test func `a better receiver with a wrong date does not silence the others, LOC-2, LOC-7`()
    throws
  {
    var desk = try Desk()
    for second in 0..<30 {
      let place = 0.1 + Double(second) * 0.01
      try desk.fix(at(Double(second)), at: place, of: "phone")
      try desk.fix(at(year + Double(second)), at: place, of: "car", priority: 9)
    }
    #expect(desk.matched.count == 30)
    #expect(desk.counts["time_leapt"] == 30)
  }

  @Test func `each fix has its location or is counted under a reason, LOC-7, MM-2, BUS-4`() throws {
    var desk = try Desk()
    var sent = 0
    func add(_ change: (inout LocationRaw) -> Void, of source: String = "gps") throws {
      let place = try desk.map.coordinate("a", "c", 0.2 + Double(sent) * 0.01)
      var raw = LocationRaw(
        latDeg: place.latitudeDeg, lonDeg: place.longitudeDeg,
        timeNs: at(Double(sent)).nanoseconds, bearingDeg: 90, speedMps: 10, accuracyM: 5,
        provider: source)
      change(&raw)
      try desk.handle(
        .message(
          EncodedMessage(
            topic: LocationRaw.topic, stamp: at(Double(sent)), source: "p", run: 1, sequence: 1,
            payload: raw.encoded())))
      sent += 1
    }
    for _ in 0..<10 { try add { _ in } }
    // Of another source, without a time, in milliseconds, at an old time, too weak, and nowhere.
    for _ in 0..<2 { try add({ _ in }, of: "phone") }
    for _ in 0..<3 { try add { $0.timeNs = nil } }
    for _ in 0..<4 { try add { $0.timeNs = ($0.timeNs ?? 0) / 1_000_000 } }
    for _ in 0..<2 { try add { $0.timeNs = noon.nanoseconds } }
    for _ in 0..<3 { try add { $0.accuracyM = 500 } }
    try add { $0.latDeg = 91 }
    for _ in 0..<10 { try add { _ in } }
    // The receiver repeats its position while its speed goes on.
    let frozen = try desk.map.coordinate("a", "c", 0.2 + Double(sent) * 0.01)
    for _ in 0..<20 {
      try add {
        $0.latDeg = frozen.latitudeDeg
        $0.lonDeg = frozen.longitudeDeg
      }
    }
    let answered = desk.matched.filter { $0.raw != nil }.count
    let reasons = [
      "clock_not_set", "time_went_back", "time_stood_still", "out_of_range",
      "does_not_decode", "location/raw other_source", "location/raw answered_by_estimate",
      "location/raw frozen_position",
    ]
    let counted = reasons.reduce(0) { $0 + (desk.counts[$1] ?? 0) }
    #expect(answered + counted == sent, "\(answered) \(desk.counts)")
    #expect(desk.counts["location/raw no_time"] == 3)
    #expect(desk.matched.filter { $0.reason == .noTime }.count == 3)
    #expect(desk.counts["clock_not_set"] == 4 && desk.counts["location/raw other_source"] == 2)
    #expect((desk.counts["location/raw frozen_position"] ?? 0) >= 15)
  }

  @Test func `the node's numbers are the matcher's own, MM-3`() throws {
    let parameters = try Parameters(["map": "drawn"], declared: MatcherStage.manifest.parameters)
    let tuning = MatcherTuning()
    #expect(parameters.double("default_sigma_m") == tuning.defaultSigmaM)
    #expect(parameters.double("route_prior") == tuning.routeNats)
  }

  @Test func `a successor that is to be asked does not go on unasked, TU-5`() throws {
    var before = try Desk(["interpolate": "always"])
    try before.fix(at(0))
    try before.fix(at(1))
    var after = try Desk()
    try after.stage.takeOver(try #require(before.stage.handOverState))
    after.wake = at(1.1)
    try after.wakes(until: at(1.9))
    try after.fix(at(2))
    try after.wakes(until: at(2.4))
    #expect(after.interpolated.isEmpty)
    var always = try Desk(["interpolate": "always"])
    var asked = try Desk()
    try asked.fix(at(0))
    try always.stage.takeOver(try #require(asked.stage.handOverState))
    try always.fix(at(1))
    try always.wakes(until: at(1.4))
    #expect(always.interpolated.count >= 20)
  }

  @Test func `a fix ahead of the clock does not end the stream of places, TU-5`() throws {
    var desk = try Desk(["interpolate": "always"])
    try desk.fix(at(0))
    try desk.wakes(until: at(0.9))
    try desk.fix(at(1), at: 0.22)
    desk.interpolated = []
    try desk.wakes(until: at(1.5))
    #expect(desk.interpolated.count >= 25)
  }

  @Test func `between the fixes nothing is estimated, and after them all is, TU-2, TU-5`() throws {
    var desk = try Desk(["interpolate": "always", "extrapolation": false])
    try desk.fix(at(0), at: 0.2)
    try desk.wakes(until: at(0.99))
    try desk.fix(at(1), at: 0.22)
    try desk.wakes(until: at(2.4))
    #expect(!desk.interpolated.isEmpty && desk.interpolated.allSatisfy { !$0.estimated })
    desk.interpolated = []
    try desk.wakes(until: at(2.6))
    desk.interpolated = []
    try desk.wakes(until: at(5))
    #expect(!desk.interpolated.isEmpty && desk.interpolated.allSatisfy(\.estimated))
  }

  /// What a renderer says of its frame rate.
  private func frameRates(_ freeHz: Double, guidanceHz: Double, at time: Instant) -> EncodedEvent {
    let settings = WireSceneSettings(
      camera: .dynamic, tracking: true, fixedZoom: 16, tiltDeg: 50, northUp: false, anchorX: 0.5,
      anchorY: 0.7, theme: .auto, eatUp: true, frameRateHz: freeHz, guidanceFrameRateHz: guidanceHz,
      indicator: .auto)
    return .message(
      EncodedMessage(
        topic: SceneSettings.topic, stamp: time, source: "renderer", run: 1, sequence: 1,
        payload: SceneSettings(settings).encoded()))
  }

  @Test func `the stream of places follows the frame rate of the renderer, TU-5, RN-10`() throws {
    // Parameters that are written down hold until a renderer says its own.
    var desk = try Desk(["interpolate": "always", "free_hz": 40.0])
    func count(second: Double) throws -> Int {
      desk.interpolated = []
      try desk.fix(at(second), at: 0.2 + second * 0.01)
      try desk.wakes(until: at(second + 0.999))
      return desk.interpolated.count
    }
    _ = try count(second: 0)
    #expect(abs(try count(second: 1) - 40) <= 1)
    try desk.handle(frameRates(10, guidanceHz: 5, at: at(2)))
    #expect(abs(try count(second: 2) - 10) <= 1)
    var next = try Desk(["interpolate": "always"])
    try next.stage.takeOver(try #require(desk.stage.handOverState))
    next.wake = desk.wake
    desk = next
    #expect(abs(try count(second: 3) - 10) <= 1, "a successor goes on with it")
    try desk.handle(frameRates(90, guidanceHz: 45, at: at(4)))
    #expect(abs(try count(second: 4) - 90) <= 2)
    let refusal = #expect(throws: Refusal.self) {
      _ = try desk.stage.receive(
        .message(
          EncodedMessage(
            topic: SceneSettings.topic, stamp: at(5), source: "x", run: 1, sequence: 1,
            payload: [0xC1])))
    }
    #expect(refusal != nil)
    #expect(abs(try count(second: 5) - 90) <= 2)
  }

  @Test func `the rate of the renderer is reported for requested places, TU-5, RN-10`() throws {
    var desk = try Desk()
    func hz() throws -> Double? {
      let call = EncodedCall(
        id: "1", name: LocationInterpolateRequest.call, stamp: at(0),
        payload: LocationInterpolateRequest(forS: 10).encoded())
      for case .reply(_, .ok(let payload)) in try desk.stage.receive(.call(call)) {
        return try LocationInterpolateReply(decoding: payload).hz
      }
      return nil
    }
    #expect(try hz() == 60)
    try desk.handle(frameRates(24, guidanceHz: 12, at: at(0)))
    #expect(try hz() == 24)
  }

  @Test func `a faster rate does not wait for the next place of a slow one, TU-5, RN-10`() throws {
    var desk = try Desk(["interpolate": "always", "free_hz": 1.0])
    try desk.fix(at(0))
    #expect(desk.wake.map { $0 > at(0.4) } == true)
    try desk.handle(frameRates(50, guidanceHz: 50, at: at(0.2)))
    #expect(desk.wake == at(0.2))
    try desk.wakes(until: at(0.399))
    #expect(abs(desk.interpolated.count - 10) <= 1)
  }
}
