import DrawnMaps
import Foundations
import Geodesy
import MatcherStage
import MessagePack
import Messages
import RoadGraph
import Stage
import Testing

@Suite struct MatcherStageTests {
  private let start = Instant(seconds: 1_790_000_000)

  private func map() throws -> DrawnMap {
    try DrawnMap(
      """
      a----b----c
           |
           d
      """,
      ways: ["abc": "highway=primary", "bd": "highway=residential"])
  }

  private func stage(_ map: DrawnMap) -> MatcherStage {
    MatcherStage(vehicle: "ego", shared: MatcherShared(graph: map.graph))
  }

  private func message(
    _ payload: [UInt8], topic: String = LocationRaw.topic, source: String = "provider"
  ) -> EncodedEvent {
    .message(
      EncodedMessage(
        topic: topic, stamp: start, source: source, run: 1, sequence: 1, payload: payload))
  }

  /// A fix `fraction` of the way from a to c, at a second.
  private func raw(
    _ map: DrawnMap, _ fraction: Double, second: Double?, priority: Int64? = nil
  ) throws -> LocationRaw {
    let place = try map.coordinate("a", "c", fraction)
    return LocationRaw(
      latDeg: place.latitudeDeg, lonDeg: place.longitudeDeg,
      timeNs: second.map { start.advanced(bySeconds: $0).nanoseconds }, bearingDeg: 90,
      speedMps: 10, accuracyM: 5, provider: "gps", priority: priority)
  }

  private func published<M: TopicMessage>(_ type: M.Type, _ outputs: [EncodedOutput]) throws -> [M]
  {
    try outputs.compactMap { output in
      guard case .publish(M.topic, _, let payload, _, _, _) = output else { return nil }
      return try M(decoding: payload)
    }
  }

  @Test func `each fix gives a match at once and a smoothed one after the lag, MM-8, BUS-10`()
    throws
  {
    let map = try map()
    var stage = stage(map)
    var matched = 0
    var smoothed = 0
    for second in 0..<60 {
      let fix = try raw(map, 0.05 + Double(second) * 0.01, second: Double(second))
      let outputs = try stage.receive(message(fix.encoded()))
      let now = try published(LocationMatched.self, outputs)
      matched += now.count
      smoothed += try published(LocationSmoothed.self, outputs).count
      let match = try #require(now.first)
      #expect(match.state == .matched && match.raw == fix)
      #expect(match.segment?.way == 1001)
      #expect(match.consecutive == UInt64(second + 1))
      #expect(match.speedMps == 10)
      // BUS-10: how sure it is, how far away, and what else was weighed.
      #expect(try #require(match.probability) > 0.5)
      #expect(try #require(match.distanceM) < 1)
      #expect(try #require(match.offRoadProbability) < 0.5)
      #expect(try #require(match.candidates) >= 1)
    }
    #expect(matched == 60 && smoothed == 55)
  }

  @Test func `smoothed answers wait as long as they are reported to, or until ways agree, MM-8`()
    throws
  {
    let map = try map()
    func waits(_ given: [String: ParameterValue]) throws -> [Int] {
      let parameters = try Parameters(
        given.merging(["map": "drawn"]) { $1 }, declared: MatcherStage.manifest.parameters)
      var stage = MatcherStage(
        vehicle: "ego", shared: MatcherShared(graph: map.graph, parameters: parameters))
      var count = 0
      return try (0..<60).map { second in
        let fix = try raw(map, 0.05 + Double(second) * 0.01, second: Double(second))
        let outputs = try stage.receive(message(fix.encoded()))
        #expect(try published(LocationMatched.self, outputs).count == 1)
        count += try published(LocationSmoothed.self, outputs).count
        return second + 1 - count
      }
    }
    #expect(try waits([:]).max() == 5)
    #expect(try waits(["lag_fixes": 12, "lag_s": 100.0]).max() == 12)
    #expect(try waits(["lag_fixes": 12]).max() == 10)
    let agreed = try waits(["smoothing": "agreed"])
    #expect(try #require(agreed.max()) < 20)
    #expect(agreed.reduce(0, +) < 60 * 5)
    #expect(try waits(["smoothing": "agreed", "lag_fixes": 1]).max() == 1)
  }

  @Test func `a match carries all that is promised of it, MM-6`() throws {
    let map = try DrawnMap(
      "a---------b---------c",
      ways: ["ab": "highway=primary oneway=yes tunnel=yes layer=-1", "bc": "highway=primary"])
    var stage = stage(map)
    // At the end of the street, and then far away in the tunnel, driven against its direction, 4 m beside it.
    let street = (0..<8).map { 0.9 - 0.012 * Double($0) }
    let tunnel = (0..<12).map { 0.4 - 0.012 * Double($0) }
    var matches: [LocationMatched] = []
    var fixes: [LocationRaw] = []
    for (second, fraction) in (street + tunnel).enumerated() {
      var fix = try raw(map, fraction, second: Double(second))
      let place = try map.coordinate("a", "c", fraction).moved(bearingDeg: 0, distanceM: 4)
      (fix.latDeg, fix.lonDeg, fix.bearingDeg) = (place.latitudeDeg, place.longitudeDeg, 270)
      (fix.speedAccuracyMps, fix.bearingAccuracyDeg, fix.altitudeM) = (0.3, 2, 71)
      fix.speedMps = 24
      fixes.append(fix)
      matches += try published(LocationMatched.self, try stage.receive(message(fix.encoded())))
    }
    #expect(matches.map(\.raw) == fixes)
    let before = matches[street.count - 1]
    #expect(before.segment?.way == (try map.way("bc")) && before.zLevel == 0)
    #expect(!before.wrongWay && !before.inTunnel && !before.teleport && !before.estimated)
    #expect(matches.count { $0.teleport } == 1)
    let last = try #require(matches.last)
    let (b, place) = (try map.coordinate("b"), try map.coordinate("a", "c", tunnel[11]))
    let reported = Coordinate(
      latitudeDeg: try #require(last.latDeg), longitudeDeg: try #require(last.lonDeg))
    #expect(last.state == .matched && last.reason == nil && reported.distanceM(to: place) < 0.5)
    #expect(abs(try #require(last.bearingDeg) - 270) < 1)
    #expect(
      last.segment
        == WireSegment(way: try map.way("ab"), from: try map.osmID("b"), to: try map.osmID("a")))
    #expect(abs(try #require(last.offsetM) - b.distanceM(to: place)) < 1)
    #expect((0.5...1).contains(try #require(last.probability)))
    #expect((0..<0.5).contains(try #require(last.offRoadProbability)))
    #expect(abs(try #require(last.distanceM) - 4) < 0.1)
    #expect(last.wrongWay && last.inTunnel && last.zLevel == -1 && !last.estimated)
  }

  @Test func `the stamp of a match is that of its fix, MM-6`() throws {
    let map = try map()
    var stage = stage(map)
    let outputs = try stage.receive(message(try raw(map, 0.2, second: 7).encoded()))
    guard case .publish(_, let stamp, _, _, _, _)? = outputs.first else {
      Issue.record("nothing was published")
      return
    }
    #expect(stamp == start.advanced(bySeconds: 7))
  }

  @Test func `a fix without time gives no match and a logged error, MM-2`() throws {
    let map = try map()
    var stage = stage(map)
    let outputs = try stage.receive(message(try raw(map, 0.2, second: nil).encoded()))
    let match = try #require(try published(LocationMatched.self, outputs).first)
    #expect(match.state == .noMatch && match.reason == .noTime)
    #expect(
      outputs.contains {
        if case .log(.error, _) = $0 { true } else { false }
      })
  }

  @Test func `impossible fixes are refused with a reason and the stream goes on, LOC-7`() throws {
    let map = try map()
    var stage = stage(map)
    _ = try stage.receive(message(try raw(map, 0.2, second: 10).encoded()))
    func reason(_ payload: [UInt8]) -> String? {
      do throws(Refusal) {
        _ = try stage.receive(message(payload))
        return nil
      } catch {
        return error.reason
      }
    }
    #expect(reason(try raw(map, 0.2, second: 9).encoded()) == "time_went_back")
    #expect(reason(try raw(map, 0.2, second: 10).encoded()) == "time_stood_still")
    var fix = try raw(map, 0.2, second: 11)
    fix.timeNs = 0
    #expect(reason(fix.encoded()) == "clock_not_set")
    fix = try raw(map, 0.2, second: 11)
    fix.latDeg = 91
    #expect(reason(fix.encoded()) == "out_of_range")
    #expect(reason([0xc1, 0xff]) != nil)
    #expect(reason([]) != nil)
    #expect(reason(try raw(map, 0.21, second: 11).encoded()) == nil)
  }

  @Test func `a new clock run lets time go back, LOC-7`() throws {
    let map = try map()
    var stage = stage(map)
    _ = try stage.receive(message(try raw(map, 0.2, second: 100).encoded()))
    _ = try stage.receive(.clockReset(now: start))
    let outputs = try stage.receive(message(try raw(map, 0.2, second: 0).encoded()))
    #expect(try published(LocationMatched.self, outputs).count == 1)
  }

  @Test func `of two sources the better one is matched, LOC-2`() throws {
    let map = try map()
    var stage = stage(map)
    for second in 0..<10 {
      let place = 0.1 + Double(second) * 0.01
      let good = try raw(map, place, second: Double(second), priority: 5)
      let poor = try raw(map, place, second: Double(second) + 0.5)
      #expect(try stage.receive(message(good.encoded(), source: "car")).count > 0)
      let outputs = try stage.receive(message(poor.encoded(), source: "phone"))
      #expect(try published(LocationMatched.self, outputs).isEmpty)
    }
  }

  @Test func `a whole trace is matched by one call, MM-13`() throws {
    let map = try map()
    var stage = stage(map)
    let fixes = try (0..<20).map { try raw(map, Double($0) * 0.04, second: Double($0) * 4) }
    let reply = try call(&stage, MatchTraceRequest(fixes: fixes, mode: .car).encoded())
    guard case .ok(let payload) = reply else {
      Issue.record("\(reply)")
      return
    }
    let trace = try MatchTraceReply(decoding: payload)
    #expect(trace.matches.count == 20)
    #expect(trace.matches.allSatisfy { $0.state == .matched })
    #expect(trace.path.map(\.way) == [1001, 1001])
    let line = try EncodedPolyline.decode(trace.shape, decimals: 6)
    #expect(abs(Polyline(line).lengthM - trace.lengthM) < 1)
    let wholeM = try map.coordinate("a").distanceM(to: map.coordinate("c"))
    #expect(abs(trace.lengthM - 0.76 * wholeM) < 2)
  }

  @Test func `a trace that cannot be matched says why, MM-13`() throws {
    let map = try map()
    var stage = stage(map)
    func code(_ fixes: [LocationRaw]) throws -> String? {
      let outcome = try call(&stage, MatchTraceRequest(fixes: fixes, mode: .car).encoded())
      guard case .failed(let error) = outcome else { return nil }
      return error.code
    }
    #expect(try code([]) == "invalid")
    #expect(try code([raw(map, 0.1, second: nil)]) == "no_time")
    #expect(try code([raw(map, 0.1, second: 5), raw(map, 0.2, second: 4)]) == "invalid")
    var away = try raw(map, 0.5, second: 1)
    away.latDeg += 0.005
    #expect(try code([away]) == "no_match")
    away.latDeg += 5
    #expect(try code([away]) == "no_map_data")
  }

  @Test func `a restart takes no fix older than the last, BUS-6`() throws {
    let map = try map()
    var first = stage(map)
    _ = try first.receive(message(try raw(map, 0.2, second: 10).encoded()))
    var second = stage(map)
    try second.restore(try #require(first.savedState))
    #expect(throws: Refusal.self) {
      var copy = second
      _ = try copy.receive(message(try raw(map, 0.2, second: 9).encoded()))
    }
    let outputs = try second.receive(message(try raw(map, 0.2, second: 11).encoded()))
    #expect(try published(LocationMatched.self, outputs).count == 1)
    #expect(throws: Refusal.self) {
      var copy = second
      try copy.restore([0xff])
    }
  }

  @Test(arguments: 0..<200 as Range<UInt64>)
  func `garbage on any topic is refused and nothing stops, BUS-5`(seed: UInt64) throws {
    var random = GarbageRandom(seed: seed)
    var stage = stage(try map())
    for topic in [LocationRaw.topic, RouteActive.topic] {
      let bytes = (0..<Int(random.next() % 64)).map { _ in UInt8(truncatingIfNeeded: random.next())
      }
      #expect(throws: Refusal.self) { _ = try stage.receive(message(bytes, topic: topic)) }
    }
  }

  private func call(_ stage: inout MatcherStage, _ payload: [UInt8]) throws -> EncodedOutcome {
    let outputs = try stage.receive(
      .call(EncodedCall(id: "c-1", name: "match/trace", stamp: start, payload: payload)))
    guard case .work(_, let work)? = outputs.first, case .reply(_, let outcome)? = work().first
    else { return .failed(CallError(code: "none", message: "no reply")) }
    return outcome
  }
}

/// A small seeded generator for garbage.
private struct GarbageRandom {
  var state: UInt64

  init(seed: UInt64) { state = seed &* 0x9e37_79b9_7f4a_7c15 &+ 1 }

  mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state
  }
}
