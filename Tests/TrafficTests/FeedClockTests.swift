import Foundations
import Testing
import Traffic

@Suite struct FeedClockTests {
  private func at(_ seconds: Double) -> Instant { Instant(seconds: 1_000_000 + seconds) }

  @Test func `a stamp of the future counts as now, and a constant lead is taken off`() {
    var clock = FeedClock()
    let first = clock.judge(observed: at(3600), seen: at(0), countsS: 1200)
    #expect(first.observed == at(0) && first.finding == .ahead(3600))
    // The next one was under way for 20 s more.
    let second = clock.judge(observed: at(3640), seen: at(60), countsS: 1200)
    #expect(second.observed == at(40) && second.finding == .ahead(3600))
    // The clock was set right.
    let third = clock.judge(observed: at(118), seen: at(120), countsS: 1200)
    #expect(third.observed == at(118) && third.finding == .right)
  }

  @Test func `processes may differ by a few seconds`() {
    var clock = FeedClock()
    let found = clock.judge(observed: at(4), seen: at(0), countsS: 1200)
    #expect(found.observed == at(0) && found.finding == .right)
  }

  @Test func `a wrong time zone is recognised by the third message, other old values stay old`() {
    var clock = FeedClock()
    for minute in 0..<2 {
      let seen = 60.0 * Double(minute)
      let found = clock.judge(observed: at(seen - 3603), seen: at(seen), countsS: 1200)
      #expect(found.finding == .stale(3603) && found.observed == at(seen - 3603))
    }
    let third = clock.judge(observed: at(120 - 3605), seen: at(120), countsS: 1200)
    #expect(third.finding == .behind(3600) && third.observed == at(115))
    var slow = FeedClock()
    for minute in 0..<8 {
      let seen = 60.0 * Double(minute)
      let found = slow.judge(observed: at(seen - 2500), seen: at(seen), countsS: 1200)
      #expect(found.finding == .stale(2500) && found.observed == at(seen - 2500))
    }
    // A feed that repeats an old value is not behind.
    var repeating = FeedClock()
    for minute in 0..<8 {
      let seen = 60.0 * Double(minute)
      let found = repeating.judge(observed: at(-3600), seen: at(seen), countsS: 1200)
      #expect(found.finding == .stale(3600 + seen))
    }
  }

  @Test func `values with an end are not stale`() {
    var clock = FeedClock()
    let found = clock.judge(observed: at(-86_400), seen: at(0), countsS: .infinity)
    #expect(found.finding == .right)
  }
}
