import DrawnRoutes
import Foundation
import Foundations
import Geodesy
import LocationStage
import MessagePack
import Messages
import Route
import RouteWire
import Stage
import Testing

@Suite struct LocationStageTests {
  /// Runs one stage as a harness does: drawn time, wake-ups where it asks for them.
  private struct Bench {
    var stage: LocationStage
    var now = Instant(nanoseconds: 0)
    var wakeAt: Instant? = Instant(nanoseconds: 0)
    var fixes: [(stamp: Instant, raw: LocationRaw)] = []
    var clocks: [(now: Instant, rate: Double, isPaused: Bool, run: UInt64)] = []

    init(_ given: [String: ParameterValue]) throws {
      let parameters = try Parameters(given, declared: LocationStage.manifest.parameters)
      stage = LocationStage(vehicle: "ego", shared: try LocationStage.load(parameters))
    }

    @discardableResult
    mutating func handle(_ event: EncodedEvent) throws -> [EncodedOutput] {
      let outputs = try stage.receive(event)
      for output in outputs {
        switch output {
        case .publish(LocationRaw.topic, let stamp, let payload, _, _, _):
          fixes.append((stamp, try LocationRaw(decoding: payload)))
        case .setClock(let time, let rate, let isPaused, let run):
          clocks.append((time, rate, isPaused, run))
          now = time
        case .wake(let at): wakeAt = at
        default: break
        }
      }
      return outputs
    }

    /// Goes on until `count` fixes are there, or nothing asks to be woken.
    mutating func run(untilFixes count: Int) throws {
      while fixes.count < count, let at = wakeAt {
        wakeAt = nil
        now = max(now, at)
        try handle(.wake(now: now))
      }
    }

    mutating func call(_ request: LocationControlRequest) throws -> EncodedOutcome? {
      let outputs = try handle(
        .call(
          EncodedCall(
            id: "c-1", name: "location/control", stamp: now, payload: request.encoded())))
      for case .reply(_, let outcome) in outputs { return outcome }
      return nil
    }

    mutating func adopt(_ route: Route?) throws {
      try handle(
        .message(
          EncodedMessage(
            topic: RouteActive.topic, stamp: now, source: "navigator", run: 1, sequence: 1,
            payload: RouteActive(reason: .new, route: route?.wire).encoded())))
    }
  }

  private func file(_ text: String, _ name: String) throws -> String {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "location-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let path = folder.appendingPathComponent(name).path
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    return path
  }

  private func csv() throws -> String {
    try file(
      "trip,time,lat,lon\n"
        + (0..<5).map { "1,\(1_372_640_943 + $0 * 15),41.15,-8.61\($0)\n" }.joined()
        + "2,1372650000,41.2,-8.7\n", "trips.csv")
  }

  @Test func `a recording keeps its times, and each replay gives the same bytes, LOC-6`() throws {
    let path = try csv()
    let runs = try [1.0, 50.0].map { rate in
      var bench = try Bench(["source": "csv", "file": .string(path), "rate": .double(rate)])
      try bench.run(untilFixes: 5)
      return bench
    }
    let times: [Double] = [0, 15, 30, 45, 60].map { 1_372_640_943 + $0 }
    for bench in runs {
      let stamps: [Double] = bench.fixes.map { $0.stamp.seconds }
      #expect(stamps == times)
      #expect(bench.fixes.allSatisfy { $0.raw.timeNs == $0.stamp.nanoseconds })
      #expect(bench.clocks.first?.now == Instant(seconds: 1_372_640_943))
      // The clock is told each stack second.
      #expect(bench.clocks.count == 61)
    }
    #expect(runs[0].fixes.map { $0.raw.encoded() } == runs[1].fixes.map { $0.raw.encoded() })
    #expect(runs[1].clocks[0].rate == 50)
  }

  @Test func `a pause of days is skipped, and said, LOC-6`() throws {
    let lines = [0, 1, 172_800, 172_801].map { "\(1_782_900_000 + $0),47,10\n" }.joined()
    let path = try file("time,lat,lon\n" + lines, "days.csv")
    var bench = try Bench(["source": "recording", "file": .string(path)])
    try bench.run(untilFixes: 4)
    #expect(bench.fixes.map { $0.stamp.seconds - 1_782_900_000 } == [0, 1, 172_800, 172_801])
    #expect(bench.clocks.count < 10)
    #expect(bench.clocks.allSatisfy { $0.run == 1 })
  }

  @Test func `a recording without length is not played again and again, LOC-6`() throws {
    for rows in ["1782900000,47,10\n", "1782900000,47,10\n1782900000,47,11\n"] {
      let path = try file("time,lat,lon\n" + rows, "short.csv")
      #expect {
        try Bench(["source": "csv", "file": .string(path), "loop": .bool(true)])
      } throws: {
        "\($0)".contains("cannot be looped")
      }
      var once = try Bench(["source": "csv", "file": .string(path)])
      try once.run(untilFixes: 1)
      #expect(!once.fixes.isEmpty)
    }
  }

  @Test func `what was left out of a recording is said at the start, LOC-7`() throws {
    let path = try file("time,lat,lon,note\n1782900000,47,10,x\n1782900001,x,10,y\n", "odd.csv")
    var bench = try Bench(["source": "csv", "file": .string(path)])
    let warnings = try bench.handle(.wake(now: Instant(nanoseconds: 0))).compactMap {
      if case .log(.warning, let text) = $0 { text } else { nil }
    }
    #expect(warnings.count == 2 && warnings[0].contains("note") && warnings[1].contains("line 3"))
  }

  @Test func `a trip is chosen by its name, LOC-2`() throws {
    var bench = try Bench(["source": "csv", "file": .string(try csv()), "trip": "2"])
    try bench.run(untilFixes: 1)
    #expect(bench.fixes[0].raw.latDeg == 41.2)
  }

  @Test func `what cannot be loaded is one sentence with the place, LOC-2`() throws {
    func failure(_ given: [String: ParameterValue]) -> String {
      do {
        _ = try Bench(given)
        return ""
      } catch {
        return "\(error)"
      }
    }
    #expect(failure(["source": "csv"]).contains("file: the source csv needs a recording"))
    #expect(failure(["source": "gpx", "file": "/no/such.gpx"]).contains("cannot be read"))
    let bad = try file("time,lat,lon\n1,x,3\n", "bad.csv")
    #expect(failure(["source": "csv", "file": .string(bad)]).contains("bad.csv:2:3: the latitude"))
    #expect(
      failure(["source": "csv", "file": .string(try csv()), "trip": "9"]).contains("no trip \"9\""))
    #expect(failure([:]).contains("start_at"))
    #expect(failure(["start_at": "north"]).contains("is not a place"))
    #expect(failure(["start_at": "1,2", "start_time": "noon"]).contains("is not a time"))
    let last: ParameterValue = "2262-04-11T23:47:16Z"
    #expect(failure(["start_at": "1,2", "start_time": last]).contains("1990 to 2199"))
  }

  @Test func `pause, step, resume, rate and seek do as they say, LOC-6`() throws {
    var bench = try Bench(["source": "csv", "file": .string(try csv())])
    try bench.run(untilFixes: 2)
    _ = try bench.call(LocationControlRequest(command: .pause))
    #expect(bench.clocks.last?.isPaused == true)
    let held = bench.fixes.count
    try bench.handle(.wake(now: bench.now.advanced(bySeconds: 100)))
    #expect(bench.fixes.count == held)
    // A question changes nothing.
    let clocks = bench.clocks.count
    let status = try bench.call(LocationControlRequest(command: .status))
    guard case .ok(let told)? = status else { throw Refusal(reason: "test", message: "no status") }
    let state = try LocationControlReply(decoding: told)
    #expect(state.paused && state.source == .recording)
    #expect(bench.clocks.count == clocks)
    _ = try bench.call(LocationControlRequest(command: .step, steps: 2))
    #expect(bench.fixes.count == held + 2)
    #expect(bench.clocks.last?.now == bench.fixes.last?.stamp)
    _ = try bench.call(LocationControlRequest(command: .rate, rate: 4))
    _ = try bench.call(LocationControlRequest(command: .resume))
    #expect(bench.clocks.last?.rate == 4 && bench.clocks.last?.isPaused == false)
    _ = try bench.call(LocationControlRequest(command: .seek, toS: 15))
    #expect(bench.clocks.last?.run == 2)
    #expect(bench.fixes.last?.stamp == Instant(seconds: 1_372_640_958))
    let beyond = try bench.call(LocationControlRequest(command: .seek, toS: 1500))
    guard case .failed(let error)? = beyond else {
      Issue.record("a seek beyond the end was taken")
      return
    }
    #expect(error.code == "invalid" && error.field == "to_s")
  }

  @Test func `a loop plays again in a new clock run, LOC-6`() throws {
    var bench = try Bench(["source": "csv", "file": .string(try csv()), "loop": true])
    try bench.run(untilFixes: 7)
    #expect(bench.fixes[5].stamp == bench.fixes[0].stamp)
    #expect(bench.clocks.last?.run == 2)
  }

  @Test func `a recording waits for a route where the parameter says so`() throws {
    var bench = try Bench(["source": "csv", "file": .string(try csv()), "wait_for": "route"])
    try bench.run(untilFixes: 3)
    // Nobody has heard it, so the first fix is told again; the clock all but stands.
    #expect(Set(bench.fixes.map { $0.stamp }).count == 1)
    #expect(bench.clocks.allSatisfy { $0.rate < 0.01 })
    try bench.handle(
      .message(
        EncodedMessage(
          topic: LocationMatched.topic, stamp: bench.now, source: "matcher", run: 1, sequence: 1,
          payload: [])))
    let heard = bench.fixes.count
    for _ in 0..<10 { try bench.handle(.wake(now: bench.now.advanced(bySeconds: 0.001))) }
    #expect(bench.fixes.count == heard)
    try bench.adopt(drawn("abc"))
    #expect(bench.clocks.last?.rate == 1)
    try bench.run(untilFixes: heard + 4)
    #expect(bench.fixes[heard].stamp == Instant(seconds: 1_372_640_958))
  }

  @Test func `the simulator stands, drives the active route, and stands again, LOC-5`() throws {
    let route = drawn("abcdef")
    let start = try #require(route.shape.first)
    var bench = try Bench([
      "start_at": .string("\(start.latitudeDeg),\(start.longitudeDeg)"), "speed_factor": 2,
    ])
    try bench.run(untilFixes: 3)
    #expect(bench.fixes.allSatisfy { $0.raw.speedMps == 0 })
    try bench.adopt(route)
    try bench.run(untilFixes: 100)
    let fastest: Double = bench.fixes.compactMap(\.raw.speedMps).max() ?? 0
    #expect(abs(fastest - 20) < 0.5)
    let last = try #require(bench.fixes.last)
    let end = try #require(route.shape.last)
    #expect(last.raw.speedMps == 0)
    let place = Coordinate(latitudeDeg: last.raw.latDeg, longitudeDeg: last.raw.lonDeg)
    #expect(place.distanceM(to: end) < 1)
    for (a, b) in zip(bench.fixes, bench.fixes.dropFirst()) {
      #expect(b.stamp.seconds(since: a.stamp) == 1)
    }
  }

  @Test func `a restarted simulator goes on where it was killed, BUS-6`() throws {
    let route = drawn("abcdefghijklmnop")
    let start = try #require(route.shape.first)
    let given: [String: ParameterValue] = [
      "start_at": .string("\(start.latitudeDeg),\(start.longitudeDeg)")
    ]
    var first = try Bench(given)
    try first.run(untilFixes: 1)
    try first.adopt(route)
    try first.run(untilFixes: 40)
    let before = try #require(first.fixes.last)
    var second = try Bench(given)
    try second.stage.restore(try #require(first.stage.savedState))
    second.now = first.now
    try second.adopt(route)
    second.wakeAt = first.now.advanced(bySeconds: 1)
    try second.run(untilFixes: 2)
    let after = try #require(second.fixes.first)
    #expect(after.stamp > before.stamp)
    #expect(second.clocks.first?.run == 1)
    let jump = Coordinate(latitudeDeg: after.raw.latDeg, longitudeDeg: after.raw.lonDeg)
      .distanceM(to: Coordinate(latitudeDeg: before.raw.latDeg, longitudeDeg: before.raw.lonDeg))
    #expect(jump < 30)
    try second.run(untilFixes: 400)
    #expect(second.fixes.last?.raw.speedMps == 0)
  }

  @Test func `an outside source carries the clock, LOC-2`() throws {
    var bench = try Bench(["source": "external"])
    try bench.handle(.wake(now: Instant(seconds: 5)))
    let time = Instant(seconds: 1_790_000_000)
    let raw = LocationRaw(latDeg: 1, lonDeg: 2, timeNs: time.nanoseconds)
    try bench.handle(
      .message(
        EncodedMessage(
          topic: LocationRaw.topic, stamp: time, source: "python", run: 1, sequence: 1,
          payload: raw.encoded())))
    #expect(bench.clocks.last?.now == time)
    #expect(bench.fixes.isEmpty)
  }

  @Test(arguments: 0..<100 as Range<UInt64>)
  func `garbage is refused and nothing stops, BUS-5`(seed: UInt64) throws {
    var bench = try Bench(["start_at": "47,9"])
    try bench.run(untilFixes: 1)
    let bytes = (0..<(seed % 40)).map { (index: UInt64) -> UInt8 in
      let mixed = (index &+ seed) &* 2_654_435_761
      return UInt8(truncatingIfNeeded: mixed >> 7)
    }
    #expect(throws: Refusal.self) {
      _ = try bench.stage.receive(
        .message(
          EncodedMessage(
            topic: RouteActive.topic, stamp: bench.now, source: "x", run: 1, sequence: 1,
            payload: bytes)))
    }
    #expect(throws: Refusal.self) {
      _ = try bench.stage.receive(
        .call(
          EncodedCall(id: "c", name: "location/control", stamp: bench.now, payload: bytes)))
    }
  }
}
