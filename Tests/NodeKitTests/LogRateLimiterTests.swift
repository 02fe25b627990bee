import BusProtocol
import Messages
import Stage
import Testing

@testable import Harness

@Suite struct LogRateLimiterTests {
  private func at(_ milliseconds: Int64) -> MonotonicTime {
    MonotonicTime(nanoseconds: milliseconds * 1_000_000)
  }

  private func line(_ vehicle: String) -> LogRateLimiter.Line {
    LogRateLimiter.Line(level: .warning, text: "\(vehicle)/toy/in: no time", vehicle: vehicle)
  }

  @Test func `a cause of one vehicle gives its first line and a summary a minute, LOC-7`() {
    var repeats = LogRateLimiter()
    var written: [LogRateLimiter.Line] = []
    // Ten minutes at one message a second.
    for second in 0..<600 {
      let now = at(Int64(second) * 1_000)
      if let line = repeats.record(line("ego"), cause: "c", at: now) { written.append(line) }
      written += repeats.summaries(at: now)
    }
    #expect(written.count == 11)
    #expect(written[0] == line("ego"))
    #expect(written[1].text == "ego/toy/in: no time (and 10 more like it in 10 s)")
    #expect(written[2].text == "ego/toy/in: no time (and 60 more like it in 60 s)")
    #expect(written.allSatisfy { $0.vehicle == "ego" })
  }

  @Test func `a cause of thousands of vehicles gives a few lines, all messages counted, LOC-7`() {
    var repeats = LogRateLimiter()
    var written: [LogRateLimiter.Line] = []
    for second in 0..<11 {
      for vehicle in 0..<3_000 {
        if let line = repeats.record(
          line("v\(vehicle)"), cause: "c", at: at(Int64(second) * 1_000))
        {
          written.append(line)
        }
      }
      written += repeats.summaries(at: at(Int64(second) * 1_000))
    }
    #expect(written.count == LogRateLimiter.mostBeginnings + 1)
    #expect(
      written.last?.text.hasSuffix(
        "(and 32995 more like it in 10 s, of 3000 vehicles: v0, v1, v10, …)")
        == true)
    #expect(written.last?.vehicle == nil)
  }

  @Test func `a cause that returns after a minute begins anew`() {
    var repeats = LogRateLimiter()
    #expect(repeats.record(line("ego"), cause: "c", at: at(0)) != nil)
    #expect(repeats.record(line("ego"), cause: "c", at: at(100)) == nil)
    #expect(repeats.summaries(at: at(10_000)).count == 1)
    #expect(repeats.summaries(at: at(70_100)).isEmpty)
    #expect(repeats.record(line("ego"), cause: "c", at: at(80_000)) != nil)
    #expect(repeats.record(line("other"), cause: "c", at: at(80_001)) != nil)
  }

  @Test func `any number of causes gives a bounded number of lines`() {
    var repeats = LogRateLimiter()
    var count = 0
    for number in 0..<10_000
    where repeats.record(line("ego"), cause: "c\(number)", at: at(0)) != nil {
      count += 1
    }
    #expect(count <= LogRateLimiter.mostCauses + 1)
    #expect(
      LogRateLimiter.cause(of: "3.5 s at 10:20, x7")
        == LogRateLimiter.cause(of: "44.1 s at 9:1, x0"))
    #expect(LogRateLimiter.cause(of: "a 1") != LogRateLimiter.cause(of: "b 1"))
  }

  @Test func `refused input is counted by topic, reason and vehicle, LOC-7`() {
    var refused = RefusedInputs()
    for number in 0..<1_000 {
      refused.record(
        "toy/in", "no_time", vehicle: "v\(number % 500)", text: "t\(number)",
        wallNS: Int64(number))
    }
    refused.record("toy/in", "late", vehicle: "ego", count: 3, wallNS: 2_000)
    let recent = refused.recent(at: 3_000)
    #expect(recent.map(\.reason) == ["late", "no_time"])
    #expect(recent[0].count == 3 && recent[0].byVehicle == ["ego": 3] && recent[0].text == nil)
    #expect(recent[1].count == 1_000 && recent[1].vehicles == 256 && recent[1].text == "t999")
    #expect(recent[1].byVehicle.count == 32 && recent[1].byVehicle.values.allSatisfy { $0 == 2 })
    #expect(recent[1].firstWallNs == 0 && recent[1].lastWallNs == 999)
    #expect(refused.recent(at: 700_000_000_000).isEmpty)
  }
}
