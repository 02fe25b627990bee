import Testing

@testable import Broker
@testable import BusProtocol

/// Whoever did not listen calls nobody silent.
@Suite struct LivenessTimeoutTests {
  private func at(_ ms: Int64) -> MonotonicTime { MonotonicTime(nanoseconds: ms * 1_000_000) }

  @Test func `silence is what passes while one listens, BUS-6`() {
    var silence = LivenessTimeout()
    silence.heard(at: at(1_000))
    for ms in stride(from: 1_000, through: 3_000, by: 250) as StrideThrough<Int64> {
      #expect(silence.turn(at: at(ms)) == 0)
    }
    #expect(silence.milliseconds(at: at(3_000)) == 2_000)
  }

  @Test func `a time in which one did not run is nobody's silence, BUS-6`() {
    var silence = LivenessTimeout()
    _ = silence.turn(at: at(1_000))
    silence.heard(at: at(1_000))
    _ = silence.turn(at: at(1_200))
    #expect(silence.turn(at: at(9_200)) == 8_000)
    #expect(silence.milliseconds(at: at(9_200)) == 200)
    _ = silence.turn(at: at(9_450))
    #expect(silence.milliseconds(at: at(9_450)) == 450)
  }

  @Test func `who spoke before the pause was noticed is not heard in the future, BUS-6`() {
    var silence = LivenessTimeout()
    _ = silence.turn(at: at(1_000))
    silence.heard(at: at(61_000))
    #expect(silence.turn(at: at(61_000)) == 60_000)
    #expect(silence.milliseconds(at: at(61_300)) == 300)
  }

  @Test func `who spoke first after a long pause and fell silent is let go as soon, BUS-6`() {
    var drawn = BrokerCoreFixture()
    drawn.register("matcher")
    drawn.pass(ms: 100)
    // The lid was closed for eight hours; a last ping is read before the pause is noticed.
    drawn.pass(ms: 8 * 3_600_000)
    for _ in 0..<29 { drawn.tick(afterMS: 100) }
    #expect(drawn.core.registry.node(named: "matcher") != nil)
    for _ in 0..<3 { drawn.tick(afterMS: 100) }
    #expect(drawn.core.registry.node(named: "matcher") == nil)
  }

  @Test func `a broker that stood still lets no node go, and one that falls silent then, BUS-6`() {
    var drawn = BrokerCoreFixture()
    drawn.register("matcher")
    for _ in 0..<10 { drawn.pass(ms: 100) }
    // The whole machine stood still for a minute; nothing was sent meanwhile.
    drawn.tick(afterMS: 60_000)
    #expect(drawn.core.registry.node(named: "matcher") != nil)
    for _ in 0..<29 { drawn.tick(afterMS: 100) }
    #expect(drawn.core.registry.node(named: "matcher") != nil)
    for _ in 0..<3 { drawn.tick(afterMS: 100) }
    #expect(drawn.core.registry.node(named: "matcher") == nil)
  }
}
