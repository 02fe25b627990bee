import Supervision
import Testing

@Suite struct PauseTests {
  private let yaml = """
    stack: s
    defaults: {watchdog: 5s, ready: 10s, stop: 3s}
    nodes:
      a: {run: a}
      b: {run: b, after: [a]}
    """

  @Test func `nobody is judged by a time in which the supervisor did not run`() throws {
    var stack = try DrawnStack(yaml)
    stack.feed(.start)
    stack.bringUp("a", atS: 1)
    stack.feed(.spawned("b"), atS: 1)
    _ = stack.drain()
    stack.feed(.paused(600), atS: 601)
    stack.feed(.tick)
    #expect(stack.drain().isEmpty)
    // From then on the usual limits hold.
    stack.feed(.tick, atS: 605.9)
    #expect(stack.drain().isEmpty)
    stack.feed(.tick, atS: 606.1)
    #expect(stack.drain() == [.signal("a", .abort)])
    stack.feed(.tick, atS: 610.9)
    #expect(stack.phase("b") == "starting")
    stack.feed(.tick, atS: 611.1)
    #expect(stack.phase("b") == "ending")
  }

  @Test func `a pause counts for no crash loop's and no stop's time`() throws {
    var stack = try DrawnStack(yaml)
    stack.feed(.start)
    stack.bringUp("a", "b", atS: 1)
    stack.feed(.stop(reason: "asked", code: 0), atS: 2)
    _ = stack.drain()
    stack.feed(.paused(60), atS: 62)
    stack.feed(.tick)
    #expect(!stack.drain().contains(.signal("b", .kill)))
    stack.feed(.tick, atS: 65.5)
    #expect(stack.drain().contains(.signal("b", .kill)))
  }

  @Test func `a loop finds out that it stood still`() {
    var pulse = LoopStallDetector()
    #expect(pulse.pauseS(atS: 100) == nil)
    #expect(pulse.pauseS(atS: 100.5) == nil)
    #expect(pulse.pauseS(atS: 101.9) == nil)
    #expect(abs((pulse.pauseS(atS: 110) ?? 0) - 8.1) < 1e-9)
    #expect(pulse.pauseS(atS: 110.1) == nil)
  }
}
