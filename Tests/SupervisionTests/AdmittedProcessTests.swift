import StackFile
import Supervision
import Testing

/// Processes that come and go while the stack runs, and requests for single ones.
@Suite struct AdmittedProcessTests {
  static let one = "{stack: s, nodes: {a: {run: x, watchdog: off}}}"
  static let three = "{stack: s, nodes: {a: {run: x, watchdog: off, replicas: 3}}}"

  private func running(_ yaml: String) throws -> (stack: DrawnStack, node: NodeSettings) {
    let node = try #require(StackFile.parse(yaml).stack?.nodes.first)
    var stack = try DrawnStack(yaml)
    stack.feed(.start)
    for name in node.processNames { stack.bringUp(name) }
    _ = stack.drain()
    return (stack, node)
  }

  private func standby(_ node: NodeSettings, _ name: String = "a+1") -> Supervisor.Event {
    .admit(StackProcess(name: name, node: "a"), node, .standby)
  }

  @Test func `each replica is a process of its own`() throws {
    let (stack, node) = try running(Self.three)
    #expect(node.processNames == ["a.0", "a.1", "a.2"])
    #expect(stack.supervisor.processes.map(\.name) == ["a.0", "a.1", "a.2"])
    #expect(stack.supervisor.processes.allSatisfy { $0.node == "a" })
  }

  @Test func `who stands after a node with replicas waits for all of them`() throws {
    var stack = try DrawnStack(
      "{stack: s, nodes: {a: {run: x, replicas: 2}, b: {run: x, after: [a]}}}")
    stack.feed(.start)
    #expect(stack.drainSpawns() == ["a.0", "a.1"])
    stack.bringUp("a.0")
    #expect(stack.drainSpawns().isEmpty)
    stack.bringUp("a.1")
    #expect(stack.drainSpawns() == ["b"])
  }

  @Test func `a standby takes the name, the old one leaves and is not started again, BUS-1`() throws
  {
    var (stack, node) = try running(Self.one)
    stack.feed(standby(node))
    #expect(stack.drainSpawns() == ["a+1"])
    stack.bringUp("a+1", atS: 2)
    #expect(stack.drain().contains(.becameReady("a+1")))
    stack.feed(.allowReplacement("a"))
    stack.feed(.promote("a+1", as: "a"), atS: 3)
    #expect(stack.drain().isEmpty)
    #expect(stack.phase("a") == "ready")
    #expect(stack.phase("a+1") == "leaving")
    // The old one has the standby's name now.
    stack.feed(.ended("a+1", .code(0)))
    #expect(stack.drain() == [.left("a+1", reason: "exit 0")])
    #expect(stack.supervisor.processes.map(\.name) == ["a"])
    stack.feed(.ended("a", .signal(9)), atS: 9)
    #expect(stack.drainSpawns() == ["a"])
  }

  @Test func `an old one that is gone before its successor has the name is no end of the stack`()
    throws
  {
    var (stack, node) = try running(Self.one)
    stack.feed(standby(node))
    stack.bringUp("a+1")
    stack.feed(.allowReplacement("a"))
    _ = stack.drain()
    stack.feed(.ended("a", .code(0)))
    #expect(stack.drain().isEmpty)
    stack.feed(.promote("a+1", as: "a"))
    #expect(stack.supervisor.processes.map(\.name) == ["a"])
    #expect(!stack.supervisor.isStopping)
  }

  @Test func `a successor that dies before it has the name is started again under it`() throws {
    var (stack, node) = try running(Self.one)
    stack.feed(standby(node))
    stack.bringUp("a+1")
    stack.feed(.allowReplacement("a"))
    stack.feed(.ended("a", .code(0)))
    stack.feed(.ended("a+1", .signal(11)))
    _ = stack.drain()
    stack.feed(.promote("a+1", as: "a"))
    #expect(stack.drainSpawns() == ["a"])
  }

  @Test func `a process that ended for a cancelled replacement is started again`() throws {
    var (stack, _) = try running(Self.one)
    stack.feed(.allowReplacement("a"))
    stack.feed(.ended("a", .code(0)))
    stack.feed(.cancelReplacement("a"))
    #expect(stack.drainSpawns() == ["a"])
  }

  @Test func `a node that dies in a handover waits for its outcome, and is started again after it`()
    throws
  {
    var (stack, _) = try running(Self.one)
    stack.feed(.allowReplacement("a"))
    stack.feed(.ended("a", .signal(9)))
    #expect(stack.drainSpawns().isEmpty && stack.phase("a") == "stopped")
    stack.feed(.cancelReplacement("a"))
    #expect(stack.drainSpawns() == ["a"])
    #expect(stack.supervisor.processes.first?.history.restarts == 1)
  }

  @Test
  func `an old one that does not leave is reported to, then killed, and the exit code stays 0`()
    throws
  {
    var (stack, node) = try running(Self.one)
    stack.feed(standby(node))
    stack.bringUp("a+1")
    stack.feed(.promote("a+1", as: "a"), atS: 10)
    _ = stack.drain()
    stack.feed(.tick, atS: 11)
    #expect(stack.drain() == [.signal("a+1", .terminate)])
    stack.feed(.tick, atS: 16)
    #expect(stack.drain().contains(.signal("a+1", .kill)))
    stack.feed(.ended("a+1", .signal(9)))
    stack.feed(.stop(reason: "as asked", code: 0))
    stack.feed(.ended("a", .code(0)))
    #expect(stack.drain().last == .finished(0))
  }

  @Test func `an old one that finishes its requests is left alone while it gives signs of life`()
    throws
  {
    var (stack, node) = try running(Self.one)
    stack.feed(standby(node))
    stack.bringUp("a+1")
    stack.feed(.promote("a+1", as: "a"), atS: 10)
    stack.feed(.finishing("a+1"), atS: 10)
    _ = stack.drain()
    for second in 11...69 {
      stack.feed(.heartbeat("a+1"), atS: Double(second) - 0.5)
      stack.feed(.tick, atS: Double(second))
      #expect(stack.drain().isEmpty)
    }
    stack.feed(.heartbeat("a+1"), atS: 69.9)
    stack.feed(.tick, atS: 70)
    #expect(stack.drain() == [.signal("a+1", .terminate)])
  }

  @Test(arguments: [ProcessEnd.code(1), .code(78), .signal(11), .code(0)])
  func `a standby that dies is not started again and the stack goes on`(end: ProcessEnd) throws {
    var (stack, node) = try running(Self.one)
    stack.feed(standby(node))
    stack.feed(.spawned("a+1"))
    _ = stack.drain()
    stack.feed(.ended("a+1", end))
    #expect(stack.drain() == [.left("a+1", reason: end.text)])
    #expect(stack.supervisor.processes.map(\.name) == ["a"])
    #expect(!stack.supervisor.isStopping)
  }

  @Test func `a standby that is never ready is ended`() throws {
    var (stack, node) = try running("{stack: s, nodes: {a: {run: x, ready: 3s, watchdog: off}}}")
    stack.feed(standby(node), atS: 5)
    stack.feed(.spawned("a+1"))
    _ = stack.drain()
    stack.feed(.tick, atS: 8)
    #expect(stack.drain().last == .signal("a+1", .abort))
    stack.feed(.ended("a+1", .signal(6)))
    #expect(stack.drain() == [.left("a+1", reason: "not ready within 3 s (SIGABRT)")])
  }

  @Test func `who is dismissed is killed`() throws {
    var (stack, node) = try running(Self.one)
    stack.feed(standby(node))
    stack.bringUp("a+1")
    _ = stack.drain()
    stack.feed(.discard("a+1"))
    #expect(stack.drain() == [.signal("a+1", .kill)])
    stack.feed(.ended("a+1", .signal(9)))
    #expect(stack.supervisor.processes.map(\.name) == ["a"])
  }

  @Test func `a replica that retires is not started again`() throws {
    var (stack, _) = try running(Self.three)
    stack.feed(.retire("a.2"), atS: 1)
    stack.feed(.tick, atS: 2)
    #expect(stack.drain() == [.signal("a.2", .terminate)])
    stack.feed(.ended("a.2", .code(0)))
    #expect(stack.drain() == [.left("a.2", reason: "exit 0")])
    #expect(stack.supervisor.processes.map(\.name) == ["a.0", "a.1"])
  }

  @Test func `a stop takes standbys and leavers along`() throws {
    var (stack, node) = try running(Self.one)
    stack.feed(standby(node))
    stack.bringUp("a+1")
    stack.feed(.promote("a+1", as: "a"))
    stack.feed(standby(node, "a+2"))
    _ = stack.drain()
    stack.feed(.stop(reason: "as asked", code: 0))
    let signals = Set(stack.drain())
    #expect(signals.isSuperset(of: [.signal("a+2", .kill), .signal("a+1", .terminate)]))
    for (name, end) in [("a+2", ProcessEnd.signal(9)), ("a+1", .code(0)), ("a", .code(0))] {
      stack.feed(.ended(name, end))
    }
    #expect(stack.drain().last == .finished(0))
    stack.feed(standby(node, "a+3"))
    #expect(stack.drainSpawns().isEmpty)
  }

  @Test func `a node is stopped, started and started again as somebody asks`() throws {
    var (stack, _) = try running("{stack: s, nodes: {a: {run: x}, b: {run: x}}}")
    stack.bringUp("b")
    _ = stack.drain()
    stack.feed(.stopProcess("a"))
    #expect(stack.drain() == [.signal("a", .terminate)])
    stack.feed(.ended("a", .code(0)))
    #expect(stack.phase("a") == "stopped")
    #expect(stack.supervisor.processes.first { $0.name == "a" }?.history.wasAskedToEnd == true)
    #expect(!stack.supervisor.isStopping)
    _ = stack.drain()
    stack.feed(.startProcess("a"))
    #expect(stack.drainSpawns() == ["a"])
    stack.bringUp("a")
    _ = stack.drain()
    stack.feed(.restartProcess("a"))
    #expect(stack.drain() == [.signal("a", .terminate)])
    stack.feed(.ended("a", .signal(15)))
    #expect(stack.drainSpawns() == ["a"])
    #expect(stack.supervisor.processes[0].history.restarts == 1)
  }

  @Test func `a follower starts again with whom it stands after, once that is ready`() throws {
    var stack = try DrawnStack(
      "{stack: s, nodes: {a: {run: x}, b: {run: x, after: [a], follow: true}, c: {run: x, after: [a]}}}"
    )
    stack.feed(.start)
    stack.bringUp("a")
    stack.bringUp("b", "c")
    _ = stack.drain()
    stack.feed(.ended("a", .signal(9)))
    let actions = stack.drain()
    #expect(actions.contains(.spawn("a")))
    #expect(actions.contains(.signal("b", .terminate)))
    #expect(!actions.contains(.signal("c", .terminate)))
    stack.feed(.ended("b", .code(0)))
    #expect(stack.drainSpawns().isEmpty)
    stack.bringUp("a")
    #expect(stack.drainSpawns() == ["b"])
  }
}
