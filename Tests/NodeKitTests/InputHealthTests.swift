import Foundations
import Messages
import Testing

@testable import Harness

/// The verdicts on inputs, with drawn time: event time and the machine's go side by side.
@Suite struct InputHealthTests {
  /// A node that must have `location/raw` (1 Hz, stale after 3 s) and reads `guidance/progress`,
  /// which may pause.
  private struct Bench {
    var health: InputHealth
    var vehicles = ["ego"]
    /// Event seconds for each of the machine's.
    var rate = 1.0
    var stack = Instant(nanoseconds: 1_790_000_000_000_000_000)
    var atNS: Int64 = 0

    init(vehicles: [String] = ["ego"]) {
      self.vehicles = vehicles
      health = InputHealth(
        inputs: ["location/raw", "guidance/progress", "route/active"], required: ["location/raw"],
        vehicles: vehicles.count)
    }

    /// Lets event time pass; looks at the inputs as often as a node does.
    mutating func pass(_ seconds: Double) -> InputHealth.Finding {
      var left = rate > 0 ? seconds / rate : seconds
      while left > 0 {
        let step = min(left, 0.25)
        left -= step
        stack = stack.advanced(bySeconds: step * rate)
        atNS += Int64(step * 1e9)
        _ = look()
      }
      return look()
    }

    mutating func look(_ leaf: String = "location/raw") -> InputHealth.Finding {
      health.judge(vehicles, stackNow: stack, atNS: atNS)[leaf] ?? InputHealth.Finding()
    }

    mutating func ingest(
      _ leaf: String = "location/raw", _ vehicle: String = "ego", nextMS: UInt32? = nil
    ) {
      health.heard(
        leaf, vehicle: vehicle, stamp: stack, nextMS: nextMS, stackNow: stack, atNS: atNS)
    }

    /// Hears messages `seconds` apart; gives the worst that was found between them.
    mutating func ingest(_ count: Int, each seconds: Double, nextMS: UInt32? = nil) -> String {
      var reported = "ok"
      for _ in 0..<count {
        ingest(nextMS: nextMS)
        let finding = pass(seconds)
        if finding.verdict != .ok { reported = finding.verdict?.rawValue ?? "nothing" }
      }
      return reported
    }
  }

  @Test func `a steady input is well, and a silent one is stale until it speaks again`() {
    var bench = Bench()
    #expect(bench.ingest(30, each: 1) == "ok")
    #expect(bench.pass(1.9).verdict == .ok)
    let finding = bench.pass(0.5)
    #expect(finding.verdict == .stale)
    #expect(finding.why == "stale (no message for 3 s, expected every 1 s)")
    // It speaks, if too little over the last seconds; then it is as before.
    bench.ingest()
    #expect(bench.look().verdict == .slow)
    _ = bench.pass(1)
    _ = bench.ingest(4, each: 1)
    #expect(bench.ingest(10, each: 1) == "ok")
  }

  @Test func `an input with less than four fifths of its messages is slow, with its figures`() {
    var bench = Bench()
    #expect(bench.ingest(20, each: 1.2) == "ok")
    #expect(bench.ingest(20, each: 1.3) == "slow")
    #expect(bench.look().why == "slow (0.79 of 1 Hz)", "as it was when it became so")
    #expect(abs((bench.look().rateHz ?? 0) - 1 / 1.3) < 0.001)
    #expect(bench.ingest(5, each: 1) != "ok")
    #expect(bench.ingest(5, each: 1) == "ok", "it does not come back by itself")
  }

  @Test func `the words of a trouble stay while it lasts`() {
    var bench = Bench()
    _ = bench.ingest(10, each: 1.4)
    let first = bench.look().why
    _ = bench.ingest(10, each: 2)
    #expect(bench.look().verdict == .slow && bench.look().why == first)
    #expect(bench.look().rateHz ?? 1 < 0.51)
  }

  @Test func `a drive is judged the same at any speed, and not at all while the clock stands`() {
    for rate in [0.5, 1, 10, 100] {
      var bench = Bench()
      bench.rate = rate
      #expect(bench.ingest(30, each: 1) == "ok", "rate \(rate)")
      #expect(bench.ingest(30, each: 1.4) == "slow", "rate \(rate)")
    }
    var bench = Bench()
    _ = bench.ingest(10, each: 1)
    bench.rate = 0
    #expect(bench.pass(3_600).verdict == .ok)
  }

  @Test func `a fast drive makes no fault of a machine that is busy for less than a second`() {
    var bench = Bench()
    bench.rate = 100
    _ = bench.ingest(30, each: 1)
    #expect(bench.pass(90).verdict == .ok)
    #expect(bench.pass(20).verdict == .stale)
  }

  @Test func `a source that tells its pace is judged by it`() {
    var bench = Bench()
    #expect(bench.ingest(30, each: 15, nextMS: 15_000) == "ok")
    #expect(bench.pass(29).verdict == .ok)
    #expect(bench.pass(2).verdict == .stale)
    #expect(bench.look().why == "stale (no message for 45 s, expected every 15 s)")
    // The same without its word.
    bench = Bench()
    #expect(bench.ingest(3, each: 15) == "stale")
    // Ten a second, and half of them lost.
    bench = Bench()
    #expect(bench.ingest(100, each: 0.1, nextMS: 100) == "ok")
    #expect(bench.ingest(100, each: 0.2, nextMS: 100) == "slow")
  }

  @Test func `after the last message of a recording nothing is missed`() {
    var bench = Bench()
    _ = bench.ingest(10, each: 1, nextMS: 1_000)
    bench.ingest(nextMS: 0)
    #expect(bench.pass(86_400).verdict == .ok)
  }

  @Test func `what never comes is reported, and missed after a while of event time`() {
    var bench = Bench()
    #expect(bench.pass(4).verdict == .never && bench.look().why == nil)
    #expect(bench.pass(4).why == "missing (no message yet)")
    bench.ingest()
    #expect(bench.look().verdict == .ok)
    bench = Bench()
    bench.rate = 0
    #expect(bench.pass(3_600).why == nil, "the clock stands")
  }

  @Test func `an input of which nothing can be used is invalid, one bad message harms nothing`() {
    var bench = Bench()
    _ = bench.ingest(10, each: 1)
    bench.health.refused("location/raw")
    #expect(bench.look().verdict == .ok)
    for _ in 0..<5 {
      bench.health.refused("location/raw")
      _ = bench.pass(1)
    }
    #expect(bench.look().verdict == .invalid)
    #expect(bench.look().why == "invalid (its messages are refused)")
    bench.ingest()
    #expect(bench.look().verdict != .invalid)
  }

  @Test func `a topic that may pause has no verdict while it does, and one without a rate never`() {
    var bench = Bench()
    #expect(bench.look("guidance/progress").verdict == nil)
    for _ in 0..<10 {
      bench.ingest("guidance/progress")
      _ = bench.pass(1)
    }
    #expect(bench.look("guidance/progress").verdict == .ok)
    _ = bench.pass(60)
    #expect(bench.look("guidance/progress") == InputHealth.Finding())
    #expect(bench.look("route/active") == InputHealth.Finding())
  }

  @Test func `a seek, a loop and a recording that begins anew are no slowness`() {
    var bench = Bench()
    _ = bench.ingest(20, each: 1)
    bench.health.reset()
    bench.stack = bench.stack.advanced(bySeconds: -1_000)
    #expect(bench.look().verdict == .never)
    #expect(bench.ingest(20, each: 1) == "ok")
    // Without a reset: an outside source that goes back by itself.
    bench.stack = bench.stack.advanced(bySeconds: -500)
    #expect(bench.ingest(20, each: 1) == "ok")
  }

  @Test func `the worst of several vehicles is reported by name`() {
    var bench = Bench(vehicles: ["a", "b"])
    for _ in 0..<10 {
      bench.ingest("location/raw", "a")
      bench.ingest("location/raw", "b")
      _ = bench.pass(1)
    }
    #expect(bench.look().verdict == .ok)
    for _ in 0..<5 {
      bench.ingest("location/raw", "a")
      _ = bench.pass(1)
    }
    #expect(bench.look().why == "stale (no message for 3 s, expected every 1 s), vehicle b")
  }

  @Test func `where any vehicle is served none is missed, but silence of all is reported`() {
    var bench = Bench(vehicles: [])
    #expect(bench.pass(60).why == nil)
    for turn in 0..<20 {
      bench.ingest("location/raw", "cab\(turn % 7)")
      #expect(bench.pass(1).verdict == .ok)
    }
    #expect(bench.pass(5).verdict == .stale)
  }
}
