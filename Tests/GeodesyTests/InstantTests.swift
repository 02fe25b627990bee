import Foundations
import Testing

@Suite struct InstantTests {
  @Test func `seconds far away saturate and do not trap`() {
    #expect(Instant(seconds: 1e30).nanoseconds == .max)
    #expect(Instant(seconds: -1e30).nanoseconds == .min)
    #expect(Instant(seconds: .nan).nanoseconds == 0)
    #expect(Instant(nanoseconds: .max).advanced(bySeconds: 1).nanoseconds == .max)
    #expect(Instant(nanoseconds: .min).advanced(bySeconds: -1).nanoseconds == .min)
  }

  @Test(arguments: 0..<10 as Range<UInt64>)
  func `later minus earlier is what was added`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<100 {
      let start = Instant(nanoseconds: .random(in: 0...2_000_000_000_000_000_000, using: &random))
      let seconds = Double.random(in: -100_000...100_000, using: &random)
      let end = start.advanced(bySeconds: seconds)
      #expect(abs(end.seconds(since: start) - seconds) < 1e-8)
      #expect((start < end) == (end.seconds(since: start) > 0))
    }
  }
}
