import StackFile
import Stage
import Testing

@testable import Supervision

/// Swaps and changes of scale as reducers: drawn events in, actions out.
@Suite struct OperationTests {
  private static func node(_ name: String, replicas: Int? = nil) -> NodeSettings {
    var node = NodeSettings(
      name: Located(name, at: .start), run: Located(["x"], at: .start), parametersPlace: .start)
    node.replicas = replicas.map { Located($0, at: .start) }
    return node
  }

  private static func plans(_ names: String...) -> [ProcessPlan] {
    names.enumerated().map { index, name in
      ProcessPlan(
        process: StackProcess(name: name, node: "a", lane: name == "a" ? nil : index + 1),
        node: node("a"), program: "/bin/x", parameters: [:])
    }
  }

  private static let successor = Successor(
    node: node("a"), program: "/bin/y", parameters: ["k": .int(2)],
    manifest: Manifest(name: "y", about: ""))

  /// Actions in short words.
  private static func words(_ actions: [OperationAction]) -> [String] {
    actions.map { action in
      switch action {
      case .judge: "judge"
      case .admit(let key, let plan):
        "admit \(key) \(plan.program)\(plan.isStandby ? " standby" : "")"
      case .shadow(let name): "shadow \(name)"
      case .handOver(let name): "hand over \(name)"
      case .rescale(let group, let lanes):
        "rescale \(group) \(lanes.map(String.init).joined(separator: ","))"
      case .promote(let key, let name): "adopt \(key) as \(name)"
      case .discard(let key): "dismiss \(key)"
      case .retire(let name): "retire \(name)"
      case .settle: "settle"
      case .resize(_, let replicas): "resize \(replicas)"
      case .finish(.success): "good"
      case .finish(.failure(let failure)): "\(failure.code): \(failure.message)"
      }
    }
  }

  private func feed(
    _ operation: inout some StackOperation, _ events: OperationEvent..., atS now: Double = 0
  ) -> [String] {
    events.flatMap { Self.words(operation.handle($0, atS: now)) }
  }

  @Test func `a swap judges, starts, hands over, adopts`() {
    var swap = SwapOperation(node: "a", plans: Self.plans("a"), serial: 7)
    #expect(feed(&swap, .begin) == ["judge"])
    #expect(feed(&swap, .judged(.success(Self.successor))) == ["admit a+7 /bin/y standby"])
    #expect(feed(&swap, .ready("b")) == [])
    #expect(feed(&swap, .ready("a+7")) == ["hand over a"])
    #expect(
      feed(&swap, .outcome(HandoverReport(heldMS: 2))) == ["adopt a+7 as a", "settle", "good"])
    #expect(feed(&swap, .left("a+7", reason: "exit 0"), .stop) == [])
  }

  @Test func `what does not fit starts nothing`() {
    var swap = SwapOperation(node: "a", plans: Self.plans("a"), serial: 1)
    _ = feed(&swap, .begin)
    let failure = OperationFailure("does_not_fit", "no")
    #expect(feed(&swap, .judged(.failure(failure))) == ["does_not_fit: no"])
  }

  @Test func `a standby that dies ends the swap, BUS-1`() {
    var swap = SwapOperation(node: "a", plans: Self.plans("a"), serial: 1)
    _ = feed(&swap, .begin, .judged(.success(Self.successor)))
    #expect(
      feed(&swap, .left("a+1", reason: "exit 3")) == [
        "dismiss a+1", "not_ready: the new a ended before it was ready: exit 3",
      ])
    #expect(feed(&swap, .ready("a+1"), .outcome(HandoverReport())) == [])
  }

  @Test func `the broker's word counts when a standby dies in the middle`() {
    var swap = SwapOperation(node: "a", plans: Self.plans("a"), serial: 1)
    _ = feed(&swap, .begin, .judged(.success(Self.successor)), .ready("a+1"))
    #expect(feed(&swap, .left("a+1", reason: "SIGKILL")) == [])
    #expect(
      feed(&swap, .outcome(HandoverReport(failure: "the new one is gone"))) == [
        "dismiss a+1", "failed: a was not handed over: the new one is gone",
      ])
  }

  @Test func `replicas are swapped one after the other once all new ones are ready`() {
    var swap = SwapOperation(node: "a", plans: Self.plans("a.0", "a.1"), serial: 1)
    _ = feed(&swap, .begin)
    #expect(
      feed(&swap, .judged(.success(Self.successor))) == [
        "admit a.0+1 /bin/y standby", "admit a.1+1 /bin/y standby",
      ])
    #expect(feed(&swap, .ready("a.1+1")) == [])
    #expect(feed(&swap, .ready("a.0+1")) == ["hand over a.0"])
    #expect(feed(&swap, .outcome(HandoverReport())) == ["adopt a.0+1 as a.0", "hand over a.1"])
    #expect(
      feed(&swap, .outcome(HandoverReport(failure: "late"))) == [
        "dismiss a.1+1",
        "failed: a.1 was not handed over: late; a.0 already run the new program, a.1 the old one",
      ])
  }

  @Test func `a broker that was asked too early is asked again, for a while`() {
    var swap = SwapOperation(node: "a", plans: Self.plans("a"), serial: 1)
    _ = feed(&swap, .begin, .judged(.success(Self.successor)))
    #expect(feed(&swap, .ready("a+1"), atS: 1) == ["hand over a"])
    let early = HandoverReport(failure: "not ready", isEarly: true)
    #expect(feed(&swap, .outcome(early), atS: 1.01) == [])
    #expect(feed(&swap, .tick, atS: 1.02) == [])
    #expect(feed(&swap, .tick, atS: swap.deadlineS ?? 0) == ["hand over a"])
    #expect(
      feed(&swap, .outcome(early), atS: 3.01) == [
        "dismiss a+1", "failed: a was not handed over: not ready",
      ])
  }

  @Test func `a shadow does the same for a while before it takes over`() {
    var swap = SwapOperation(node: "a", plans: Self.plans("a.0", "a.1"), serial: 1, shadowS: 60)
    _ = feed(&swap, .begin, .judged(.success(Self.successor)), .ready("a.0+1"))
    #expect(feed(&swap, .ready("a.1+1"), atS: 5) == ["shadow a.0"])
    let early = HandoverReport(failure: "not ready", isEarly: true)
    #expect(feed(&swap, .outcome(early), atS: 5) == [])
    #expect(feed(&swap, .tick, atS: 5.1) == ["shadow a.0"])
    #expect(feed(&swap, .outcome(HandoverReport()), atS: 5.2) == ["shadow a.1"])
    #expect(feed(&swap, .outcome(HandoverReport()), atS: 6) == [])
    #expect(swap.deadlineS == 66)
    #expect(feed(&swap, .tick, atS: 65) == [])
    #expect(feed(&swap, .tick, atS: 66) == ["hand over a.0"])
  }

  @Test func `a shadow that cannot begin ends the swap`() {
    var swap = SwapOperation(node: "a", plans: Self.plans("a"), serial: 1, shadowS: 60)
    _ = feed(&swap, .begin, .judged(.success(Self.successor)), .ready("a+1"))
    #expect(
      feed(&swap, .outcome(HandoverReport(failure: "late"))) == [
        "dismiss a+1", "failed: the shadow of a did not start: late",
      ])
  }

  @Test func `a dry run ends what it has started`() {
    var swap = SwapOperation(node: "a", plans: Self.plans("a"), serial: 1, isDryRun: true)
    _ = feed(&swap, .begin, .judged(.success(Self.successor)))
    #expect(feed(&swap, .ready("a+1")) == ["dismiss a+1", "good"])
  }

  @Test func `a stop ends a swap`() {
    var swap = SwapOperation(node: "a", plans: Self.plans("a"), serial: 1)
    _ = feed(&swap, .begin, .judged(.success(Self.successor)))
    #expect(feed(&swap, .stop) == ["dismiss a+1", "failed: the stack is stopping"])
  }

  @Test func `more replicas are ready before vehicles move, BUS-8`() {
    let plans = Self.plans("a.0", "a.1", "a.2")
    var scale = ScaleOperation(
      node: "a", present: [plans[0]], kept: [plans[0]], added: Array(plans[1...]))
    #expect(feed(&scale, .begin) == ["admit a.1 /bin/x", "admit a.2 /bin/x"])
    #expect(feed(&scale, .ready("a.2")) == [])
    #expect(feed(&scale, .ready("a.1")) == ["rescale a 1,2,3"])
    #expect(
      feed(&scale, .outcome(HandoverReport(count: 170))) == [
        "adopt a.1 as a.1", "adopt a.2 as a.2", "resize 3", "good",
      ])
  }

  @Test func `fewer replicas give their vehicles away before they end, BUS-8`() {
    let plans = Self.plans("a.0", "a.1", "a.2")
    var scale = ScaleOperation(node: "a", present: plans, kept: [plans[0]], added: [])
    #expect(feed(&scale, .begin) == ["rescale a 1"])
    #expect(
      feed(&scale, .outcome(HandoverReport())) == ["retire a.1", "retire a.2", "resize 1", "good"])
  }

  @Test func `moves that fail are taken back`() {
    let plans = Self.plans("a.0", "a.1")
    var scale = ScaleOperation(node: "a", present: [plans[0]], kept: [plans[0]], added: [plans[1]])
    _ = feed(&scale, .begin)
    _ = feed(&scale, .ready("a.1"))
    #expect(feed(&scale, .outcome(HandoverReport(failure: "late"))) == ["rescale a 1"])
    #expect(
      feed(&scale, .outcome(HandoverReport())) == [
        "dismiss a.1", "failed: the vehicles were not moved: late",
      ])
  }

  @Test func `where moves cannot be taken back all processes stay`() {
    let plans = Self.plans("a.0", "a.1")
    var scale = ScaleOperation(node: "a", present: [plans[0]], kept: [plans[0]], added: [plans[1]])
    _ = feed(&scale, .begin)
    _ = feed(&scale, .ready("a.1"), .outcome(HandoverReport(failure: "late")))
    let words = feed(&scale, .outcome(HandoverReport(failure: "gone")))
    #expect(words.first == "adopt a.1 as a.1")
    #expect(words.last?.hasSuffix("so 2 processes continue") ?? false, "\(words)")
  }

  @Test func `another stage is reported apart by what it reads, writes and answers`() {
    let old = Manifest(name: "x", about: "", inputs: ["a/b"], outputs: ["c/d"], serves: ["e/f"])
    let new = Manifest(name: "y", about: "", inputs: ["a/b"], outputs: ["c/g"], serves: [])
    #expect(
      ReplacementCheck.differences(from: old, to: new) == [
        "it does not publish \"c/d\"", "it would also publish \"c/g\"", "it does not serve \"e/f\"",
      ])
    #expect(ReplacementCheck.differences(from: old, to: old).isEmpty)
  }
}
