import Supervision
import Testing

/// Reports on processes that are not ready.
@Suite struct ReadinessTests {
  @Test(arguments: [
    ("3s", "send the datagram READY=1 to the Unix socket that NOTIFY_SOCKET names"),
    ("{log: up, within: 3s}", "no output line matched ready.log: \"up\""),
    (
      "{port: 8080, within: 3s}", "no program accepted a connection on ready.port 8080 of 127.0.0.1"
    ),
    ("{exit: true, within: 3s}", "it did not end, as ready: {exit: true} expects"),
  ])
  func `a node that is not ready in time learns what to send or write, BUS-14`(
    ready: String, expected: String
  ) throws {
    var stack = try DrawnStack("{stack: s, nodes: {a: {run: x, ready: \(ready)}}}")
    stack.feed(.start)
    stack.feed(.spawned("a"))
    _ = stack.drain()
    stack.feed(.tick, atS: 3)
    let actions = stack.drain()
    guard case .say(node: "a", let text)? = actions.first else {
      Issue.record("\(actions)")
      return
    }
    #expect(text.contains(expected), "\(text)")
    #expect(actions.last == .signal("a", .abort))
  }

  @Test func `the summary counts what is ready and names the rest`() throws {
    var stack = try DrawnStack("{stack: s, nodes: {a: {run: x}, b: {run: x, after: [a]}}}")
    stack.feed(.start)
    #expect(
      stack.supervisor.summary
        == "starting: 0 of 2 processes are ready; a starting, b pending")
    stack.bringUp("a", "b")
    #expect(stack.supervisor.summary == "2 processes are ready")
    stack.feed(.ended("b", .code(1)), atS: 1)
    #expect(stack.supervisor.summary == "ready: 1 of 2 processes are ready; b starting")
    stack.feed(.stop(reason: "as asked", code: 0))
    #expect(stack.supervisor.summary == "stopping: a, b")
  }
}
