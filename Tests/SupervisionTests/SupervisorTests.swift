import StackFile
import Stage
import Supervision
import Testing

/// A supervisor whose processes are drawn: what it asks for is noted, nothing runs.
struct DrawnStack {
  var supervisor: Supervisor
  var random = Draws()
  var nowS = 0.0
  var actions: [Supervisor.Action] = []

  /// Words in even steps; without a step always the middle, so that backoff is without jitter.
  struct Draws: RandomNumberGenerator {
    var word: UInt64 = .max / 2 + 1
    var step: UInt64 = 0

    mutating func next() -> UInt64 {
      word &+= step
      return step == 0 ? word : (word ^ (word >> 31)) &* 0xbf58_476d_1ce4_e5b9
    }
  }

  init(_ yaml: String, manifests: [String: Manifest] = [:], bus: Bool = false) throws {
    let (stack, problems) = StackFile.parse(yaml)
    try #require(problems.isEmpty, "\(problems)")
    let nodes = try #require(stack).nodes
    supervisor = Supervisor(
      nodes, order: StartOrder(nodes, manifests: manifests), busPolicy: bus ? NodePolicy() : nil)
  }

  mutating func feed(_ event: Supervisor.Event, atS now: Double? = nil) {
    nowS = now ?? nowS
    actions += supervisor.handle(event, atS: nowS, using: &random)
  }

  /// Brings a node up to readiness.
  mutating func bringUp(_ names: String..., atS now: Double? = nil) {
    nowS = now ?? nowS
    for name in names {
      feed(.spawned(name))
      feed(.ready(name, note: nil))
    }
  }

  /// What was asked for since this was last called.
  mutating func drain() -> [Supervisor.Action] {
    defer { actions = [] }
    return actions
  }

  mutating func drainSpawns() -> [String] {
    drain().compactMap { if case .spawn(let name) = $0 { name } else { nil } }
  }

  func phase(_ name: String) -> String {
    supervisor.processes.first { $0.name == name }?.phase.word ?? "none"
  }
}

@Suite struct SupervisorTests {
  static let two =
    "{stack: s, nodes: {a: {run: x, watchdog: off}, b: {run: x, watchdog: off, after: [a]}}}"
  static let one = "{stack: s, nodes: {a: {run: x}}}"

  @Test func `the bus is first, and a node waits for those it stands after`() throws {
    var stack = try DrawnStack(Self.two, bus: true)
    stack.feed(.start)
    #expect(stack.drainSpawns() == ["bus"])
    stack.bringUp("bus")
    #expect(stack.drainSpawns() == ["a"])
    stack.feed(.spawned("a"))
    #expect(stack.drainSpawns().isEmpty)
    stack.feed(.ready("a", note: nil), atS: 0.3)
    let actions = stack.drain()
    #expect(actions.contains(.say(node: "a", "ready in 0.3 s")))
    #expect(actions.contains(.spawn("b")))
    #expect(!actions.contains(.allReady))
    stack.bringUp("b")
    #expect(stack.drain().filter { $0 == .allReady }.count == 1)
  }

  @Test func `restarts come at once, then after 0.5 s doubling`() throws {
    var stack = try DrawnStack(
      "{stack: s, nodes: {a: {run: x, restart: {give_up: {times: 100}}}}}")
    stack.feed(.start)
    stack.bringUp("a")
    _ = stack.drain()
    var waits: [Double] = []
    for _ in 0..<9 {
      let diedS = stack.nowS + 0.1
      stack.feed(.ended("a", .code(1)), atS: diedS)
      if stack.drainSpawns().isEmpty {
        let next = try #require(stack.supervisor.nextDeadlineS)
        stack.feed(.tick, atS: next)
        #expect(stack.drainSpawns() == ["a"])
      }
      waits.append(((stack.nowS - diedS) * 100).rounded() / 100)
      stack.feed(.spawned("a"))
    }
    #expect(waits == [0, 0.5, 1, 2, 4, 8, 16, 30, 30])
  }

  @Test func `who was ready for five seconds is started at once when it is killed, BUS-6`() throws {
    var stack = try DrawnStack(
      "{stack: s, nodes: {a: {run: x, watchdog: 60s, restart: {give_up: {times: 4}}}}}")
    stack.feed(.start)
    for kill in 1...3 {
      stack.bringUp("a")
      _ = stack.drain()
      stack.feed(.ended("a", .signal(9)), atS: stack.nowS + 5)
      #expect(stack.drainSpawns() == ["a"], "kill \(kill)")
    }
    // Ready for less: it waits; and four deaths in a minute are a crash loop as ever.
    stack.bringUp("a")
    _ = stack.drain()
    stack.feed(.ended("a", .signal(9)), atS: stack.nowS + 4)
    #expect(stack.drainSpawns().isEmpty)
    guard case .failed? = stack.supervisor.processes.first(where: { $0.name == "a" })?.phase else {
      Issue.record("four deaths within a minute are no crash loop")
      return
    }
  }

  @Test func `who was ready for less waits before its second restart`() throws {
    var stack = try DrawnStack(Self.one)
    stack.feed(.start)
    for isFirst in [true, false] {
      stack.bringUp("a")
      _ = stack.drain()
      stack.feed(.ended("a", .signal(9)), atS: stack.nowS + 4)
      #expect(stack.drainSpawns().isEmpty != isFirst)
    }
  }

  @Test func `backoff is spread by a fifth to either side`() throws {
    var waits: [Double] = []
    for seed in 0..<200 {
      var stack = try DrawnStack(Self.one)
      stack.random = DrawnStack.Draws(word: UInt64(seed), step: 0x9e37_79b9_7f4a_7c15)
      stack.feed(.start)
      for _ in 0..<2 {
        stack.bringUp("a")
        stack.feed(.ended("a", .code(1)))
      }
      waits.append(try #require(stack.supervisor.nextDeadlineS))
    }
    let shortest = waits.min() ?? 0
    let longest = waits.max() ?? 9
    #expect(shortest >= 0.4 && shortest < 0.42)
    #expect(longest <= 0.6 && longest > 0.58)
  }

  @Test func `five failures in a minute are a crash loop that ends the stack with 70`() throws {
    var stack = try DrawnStack(Self.two)
    stack.feed(.start)
    stack.bringUp("a")
    stack.bringUp("b")
    for attempt in 1...5 {
      stack.feed(.ended("b", .signal(4)), atS: Double(attempt) * 5)
      if attempt < 5 {
        stack.feed(.tick, atS: Double(attempt) * 5 + 4)
        stack.bringUp("b")
      }
    }
    let actions = stack.drain()
    #expect(actions.contains(.showLastLines("b")))
    let text = "b died: SIGILL after 1 s; crash loop: 5 failures within 1m 00s"
    #expect(actions.contains(.announce(text)))
    #expect(actions.last == .signal("a", .terminate))
    stack.feed(.ended("a", .code(0)))
    #expect(stack.drain().last == .finished(70))
  }

  @Test func `a minute of health is a clean slate`() throws {
    var stack = try DrawnStack(Self.one)
    stack.feed(.start)
    var now = 0.0
    for _ in 0..<10 {
      stack.bringUp("a", atS: now)
      // It says so now and then, or the watchdog would bite.
      now += 61
      stack.feed(.ended("a", .code(1)), atS: now)
      #expect(stack.drainSpawns().contains("a"))
    }
  }

  @Test func `an optional node that crashes stays down, and the stack goes on`() throws {
    var stack = try DrawnStack(
      "{stack: s, nodes: {a: {run: x}, b: {run: x, required: false, restart: never}}}")
    stack.feed(.start)
    stack.bringUp("a", "b")
    stack.feed(.ended("b", .code(1)))
    #expect(stack.phase("b") == "failed")
    #expect(!stack.supervisor.isStopping)
  }

  @Test(arguments: [Int32(64), 78])
  func `what a restart cannot mend is not restarted`(code: Int32) throws {
    var stack = try DrawnStack(Self.one)
    stack.feed(.start)
    stack.feed(.spawned("a"))
    _ = stack.drain()
    stack.feed(.ended("a", .code(code)))
    let actions = stack.drain()
    #expect(!actions.contains(.spawn("a")))
    #expect(actions.last == .finished(1))
  }

  @Test func `a clean exit is a decision`() throws {
    var stack = try DrawnStack(Self.two)
    stack.feed(.start)
    stack.bringUp("a")
    stack.bringUp("b")
    stack.feed(.ended("a", .code(0)))
    #expect(stack.phase("a") == "exited")
    #expect(!stack.supervisor.isStopping)
    stack.feed(.ended("b", .code(0)))
    #expect(stack.drain().last == .finished(0))
  }

  @Test func `silence of a ready node is ended with SIGABRT, then SIGKILL, then a restart`() throws
  {
    var stack = try DrawnStack(Self.one)
    stack.feed(.start)
    stack.bringUp("a")
    stack.feed(.heartbeat("a"), atS: 4)
    stack.feed(.tick, atS: 8.9)
    #expect(!stack.drain().contains(.signal("a", .abort)))
    stack.feed(.tick, atS: 9)
    #expect(stack.drain() == [.signal("a", .abort)])
    stack.feed(.tick, atS: 11)
    #expect(stack.drain() == [.signal("a", .kill)])
    stack.feed(.ended("a", .signal(9)))
    #expect(stack.drainSpawns() == ["a"])
    #expect(
      stack.supervisor.processes[0].history.lastEnd == "its work loop was silent for 5 s (SIGKILL)")
    #expect(stack.supervisor.processes[0].history.lastEndS != nil)
    #expect(!stack.supervisor.processes[0].history.wasAskedToEnd)
  }

  @Test func `a node that is not ready in time is started again`() throws {
    var stack = try DrawnStack("{stack: s, nodes: {a: {run: x, ready: 3s}}}")
    stack.feed(.start)
    stack.feed(.spawned("a"))
    _ = stack.drain()
    stack.feed(.tick, atS: 3)
    #expect(stack.drain().last == .signal("a", .abort))
  }

  @Test func `too much memory ends a node, and its end says so`() throws {
    var stack = try DrawnStack("{stack: s, nodes: {a: {run: x, limits: {memory: 1GiB}}}}")
    stack.feed(.start)
    stack.bringUp("a")
    stack.feed(.memory("a", bytes: 1 << 30))
    #expect(!stack.drain().contains(.signal("a", .kill)))
    stack.feed(.memory("a", bytes: 1_100 << 20))
    #expect(stack.drain() == [.signal("a", .kill)])
    stack.feed(.ended("a", .signal(9)))
    #expect(stack.supervisor.processes[0].history.lastEnd == "memory 1.1 GiB > 1 GiB (SIGKILL)")
  }

  @Test func `the stop goes backwards, and the bus is last`() throws {
    var stack = try DrawnStack(Self.two, bus: true)
    stack.feed(.start)
    stack.bringUp("bus", "a", "b")
    _ = stack.drain()
    stack.feed(.stop(reason: "as asked", code: 0))
    #expect(stack.drain() == [.announce("stopping: as asked"), .signal("b", .terminate)])
    stack.feed(.ended("b", .code(0)))
    #expect(stack.drain() == [.signal("a", .terminate)])
    stack.feed(.ended("a", .signal(15)))
    #expect(stack.drain() == [.signal("bus", .terminate)])
    stack.feed(.ended("bus", .code(0)))
    #expect(stack.drain() == [.finished(0)])
  }

  @Test func `who does not stop in time is killed, and the exit code is 137`() throws {
    var stack = try DrawnStack(Self.one)
    stack.feed(.start)
    stack.bringUp("a")
    stack.feed(.stop(reason: "as asked", code: 0))
    _ = stack.drain()
    stack.feed(.tick, atS: 5)
    #expect(stack.drain().last == .signal("a", .kill))
    stack.feed(.ended("a", .signal(9)))
    #expect(stack.drain() == [.finished(137)])
  }

  @Test func `a second request kills all at once`() throws {
    var stack = try DrawnStack(Self.two)
    stack.feed(.start)
    stack.bringUp("a")
    stack.bringUp("b")
    stack.feed(.stop(reason: "as asked", code: 0))
    _ = stack.drain()
    stack.feed(.kill)
    #expect(stack.drain() == [.signal("a", .kill), .signal("b", .kill)])
  }

  @Test func `a node after one that has failed fails too`() throws {
    var stack = try DrawnStack(
      "{stack: s, nodes: {a: {run: x, required: false, restart: never}, b: {run: x, after: [a]}}}")
    stack.feed(.start)
    stack.feed(.spawned("a"))
    stack.feed(.ended("a", .code(1)))
    #expect(stack.drain().contains(.announce("b: it waits for a, which failed")))
  }

  @Test func `a program that only has to end well is ready by that`() throws {
    var stack = try DrawnStack(
      "{stack: s, nodes: {a: {run: x, ready: {exit: true}}, b: {run: x, after: [a]}}}")
    stack.feed(.start)
    stack.feed(.spawned("a"))
    stack.feed(.ended("a", .code(0)))
    #expect(stack.drainSpawns() == ["a", "b"])
  }
}
