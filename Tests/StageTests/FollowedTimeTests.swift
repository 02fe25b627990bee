import Foundations
import LocationStage
import Messages
import Stage
import Testing

/// The stack's clock by outside sources: when it begins a new run, and when it does not.
@Suite struct FollowedTimeTests {
  private struct Bench {
    var stage: LocationStage
    var now = Instant(nanoseconds: 0)
    var run: UInt64 = 0
    var counts: [String: Int] = [:]

    init() throws {
      let parameters = try Parameters(
        ["source": "external"], declared: LocationStage.manifest.parameters)
      stage = LocationStage(vehicle: "ego", shared: try LocationStage.load(parameters))
      try handle(.wake(now: Instant(seconds: 5)))
    }

    mutating func handle(_ event: EncodedEvent) throws {
      do throws(Refusal) {
        for output in try stage.receive(event) {
          switch output {
          case .setClock(let time, _, _, let run): (now, self.run) = (time, run)
          case .count(let name, let by): counts[name, default: 0] += by
          default: break
          }
        }
      } catch {
        counts[error.reason, default: 0] += 1
      }
    }

    mutating func fix(_ time: Instant, of source: String = "gps") throws {
      let raw = LocationRaw(latDeg: 1, lonDeg: 2, timeNs: time.nanoseconds, provider: source)
      try handle(
        .message(
          EncodedMessage(
            topic: LocationRaw.topic, stamp: time, source: "python", run: 1, sequence: 1,
            payload: raw.encoded())))
    }

    /// The stack's clock runs on with no fix.
    mutating func passes(_ seconds: Int) throws {
      for _ in 0..<seconds { try handle(.wake(now: now.advanced(bySeconds: 1))) }
    }
  }

  private let noon = Instant(seconds: 1_790_000_000)
  private let year = 365.0 * 86_400

  private func at(_ seconds: Double) -> Instant { noon.advanced(bySeconds: seconds) }

  @Test func `one old or future fix begins no run, and is counted, LOC-7`() throws {
    var bench = try Bench()
    for second in [0, 1, 2, -year, 3, year, 4] { try bench.fix(at(second)) }
    #expect(bench.now == at(4) && bench.run == 1)
    #expect(bench.counts == ["time_went_back": 1, "time_leapt": 1])
  }

  @Test func `two receivers of other dates begin no runs, LOC-7`() throws {
    var bench = try Bench()
    for second in 0..<100 {
      try bench.fix(at(Double(second)), of: "right")
      try bench.fix(at(Double(second) - year), of: "wrong")
    }
    #expect(bench.now == at(99) && bench.run == 1)
    #expect(bench.counts == ["time_went_back": 100])
  }

  @Test func `what a stalled receiver hands in begins no run, LOC-7`() throws {
    var bench = try Bench()
    for second in 0..<10 { try bench.fix(at(Double(second))) }
    try bench.passes(60)
    #expect(bench.now > at(60))
    for second in 10..<70 { try bench.fix(at(Double(second))) }
    for second in 70..<90 { try bench.fix(at(Double(second))) }
    #expect(bench.now == at(89) && bench.run == 1)
    #expect((bench.counts["location/raw late"] ?? 0) > 40)
  }

  @Test func `a source that stood for minutes sets the clock back once, LOC-6`() throws {
    var bench = try Bench()
    for second in 0..<10 { try bench.fix(at(Double(second))) }
    try bench.passes(300)
    for second in 10..<60 {
      try bench.fix(at(Double(second)))
      try bench.passes(1)
    }
    #expect(bench.run == 2)
    #expect(abs(bench.now.seconds(since: at(60))) < 2)
  }

  @Test func `a recording that is played again begins one run, LOC-6`() throws {
    var bench = try Bench()
    for second in 0..<100 { try bench.fix(at(Double(second))) }
    for second in 0..<50 { try bench.fix(at(Double(second))) }
    #expect(bench.now == at(49) && bench.run == 2)
  }

  @Test func `a first fix of years ago sets the clock at once, LOC-2`() throws {
    var bench = try Bench()
    try bench.fix(Instant(seconds: 1_372_640_943))
    #expect(bench.now == Instant(seconds: 1_372_640_943) && bench.run == 2)
  }

  @Test(arguments: [(-1800.0, 2), (86_400, 2), (600, 1)])
  func `a clock that is set during a drive begins a run where no pause explains it, LOC-7`(
    stepS: Double, runs: Int
  ) throws {
    var bench = try Bench()
    for second in 0..<90 { try bench.fix(at(Double(second))) }
    for second in 90..<100 { try bench.fix(at(Double(second) + stepS)) }
    #expect(bench.now == at(99 + stepS) && bench.run == UInt64(runs))
  }
}
