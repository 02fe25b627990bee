import Foundations
import Testing

/// Event time of a drive whose clock is set.
@Suite struct EventClockTests {
  private func at(_ seconds: Double) -> Instant { Instant(seconds: 1_790_000_000 + seconds) }

  private func driven() -> EventClock {
    var clock = EventClock()
    for second in 0..<10 { #expect(clock.located(at: at(Double(second))) == nil) }
    return clock
  }

  @Test(arguments: [-1800.0, -20, 86_400])
  func `a location far from the one before it tells that the clock was set`(stepS: Double) {
    var clock = driven()
    #expect(clock.located(at: at(10 + stepS)) == stepS + 1)
    #expect(clock.now == at(10 + stepS))
    #expect(clock.located(at: at(11 + stepS)) == nil)
    // The news comes twice, but the step is made once.
    #expect(abs(clock.set(to: at(11 + stepS))) < 1e-6)
  }

  @Test func `late locations and pauses are no steps`() {
    var clock = driven()
    #expect(clock.located(at: at(6)) == nil)
    #expect(clock.now == at(9))
    #expect(clock.located(at: at(3000)) == nil)
    // The clock went on through a silence.
    #expect(clock.reached(at(6500)) == nil)
    #expect(clock.located(at: at(6800)) == nil)
    #expect(clock.now == at(6800))
  }

  @Test func `a wake-up of another day tells that the clock was set`() {
    var clock = driven()
    #expect(clock.reached(at(86_409)) == 86_400)
    #expect(clock.located(at: at(86_410)) == nil)
    // Before any location a moment is only the time.
    var fresh = EventClock(now: at(0))
    #expect(fresh.reached(at(86_400)) == nil)
  }

  @Test func `a stamp of another clock does not take the time with it`() {
    var clock = driven()
    clock.stamped(at(86_400))
    #expect(clock.now == at(9))
    clock.stamped(at(60))
    #expect(clock.now == at(60))
  }

  @Test func `the first location takes the place of a time of another clock`() {
    var clock = EventClock()
    clock.stamped(at(86_400))
    #expect(clock.located(at: at(0)) == -86_400)
    #expect(clock.now == at(0))
  }

  @Test func `the first time that is set is no step`() {
    var clock = EventClock()
    #expect(clock.set(to: at(0)) == 0)
    #expect(clock.set(to: at(-1800)) == -1800)
  }
}
