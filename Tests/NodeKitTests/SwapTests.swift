import BusClient
import BusProtocol
import Foundations
import NodeKit
import Stage
import Synchronization
import Testing
import ZMQ

@testable import Harness

/// Hot swaps of a node under load, over real sockets.
@Suite(.serialized) struct SwapTests {
  private static let standby = ["NAV_STANDBY": "1"]

  /// Orders a handover as soon as the standby waits for it.
  private func handOver(
    _ name: String, by owner: BusClient, limitMS: UInt64 = 2_000
  ) -> HandoverOutcome? {
    var outcome: HandoverOutcome?
    _ = eventually {
      let answer = owner.handOver(node: name, limitMS: limitMS)
      outcome = answer
      return !["no_standby", "not_ready", "no_such_node"].contains(answer.code)
    }
    return outcome
  }

  @Test
  func `swaps under 2,000 messages a second lose nothing, double nothing, keep the state, BUS-1`()
    throws
  {
    let stack = try TestStack()
    defer { stack.end() }
    let owner = try stack.client("owner")
    defer { owner.close() }
    let swaps = times("NAV_SWAPS", default: 10)
    var node = try stack.start(Tally.self, "tally")
    let drive = try Drive(stack, vehicles: ["ego"], perSecond: 2_000)
    // Somebody calls all the time; each call is answered, by the one process or the other.
    let caller = try stack.client("caller")
    #expect(caller.waitForBroker(timeoutMS: 5_000))
    let answers = Mutex((count: 0, failures: [String](), isEnding: false))
    let calling = TestNode("caller", try ThreadWaker()) { flag in
      while !answers.withLock({ $0.isEnding }) {
        let end = caller.callAndWait("toy/count", payload: [])
        answers.withLock {
          $0.count += 1
          if case .failed(let code, let message, _) = end { $0.failures.append(code + message) }
        }
      }
      flag.tellEnd()
    }
    var held: [Double] = []
    for swap in 0..<swaps {
      let successor = try stack.start(
        Tally.self, "tally", parameters: ["full": .bool(swap % 3 != 2)], environment: Self.standby)
      let before = drive.heard
      let outcome = try #require(handOver("tally", by: owner))
      #expect(outcome.isDone, "swap \(swap): \(outcome.code) \(outcome.message)")
      held.append(outcome.heldMS)
      #expect(eventually { node.isOver }, "the old process ends by itself")
      node.end()
      #expect(eventually { drive.heard > before + 100 })
      #expect(owner.callAndWait("toy/count", payload: []).isOK)
      node = successor
    }
    answers.withLock { $0.isEnding = true }
    calling.end()
    caller.close()
    let calls = answers.withLock { $0 }
    #expect(calls.failures == [] && calls.count > swaps)
    let (sent, findings) = drive.end()
    node.end()
    #expect(findings == Drive.Findings(heard: sent), "\(findings.first ?? "")")
    held.sort()
    let p99 = held[min(held.count - 1, held.count * 99 / 100)]
    print(
      "swaps: \(swaps), messages: \(sent), calls: \(calls.count), lost: \(findings.lost), doubled: \(findings.doubled), "
        + "held p50 \(held[held.count / 2]) ms, p99 \(p99) ms, max \(held.last ?? 0) ms")
  }

  /// When a standby that is to fail gives up.
  enum Weakness: String, CaseIterable, Sendable {
    case refusesState, leavesAtMarker, leavesWithState, leavesBeforeItBegins, neverAnswers
    case neverBegins
  }

  @Test(arguments: Weakness.allCases)
  func `a standby that fails leaves the node as it was, with nothing lost`(
    _ weakness: Weakness
  ) throws {
    let stack = try TestStack()
    defer { stack.end() }
    let owner = try stack.client("owner")
    defer { owner.close() }
    let node = try stack.start(Tally.self, "tally")
    let drive = try Drive(stack, vehicles: ["ego"], perSecond: 2_000)
    for _ in 0..<times("NAV_FAILURES", default: 2) {
      let before = drive.heard
      let outcome = try fail(weakness, stack, owner)
      #expect(!outcome.isDone && outcome.run == nil)
      let expected =
        switch weakness {
        case .refusesState: "refused"
        case .neverAnswers, .neverBegins: "late"
        default: "gone"
        }
      #expect(outcome.code == expected, "\(outcome.message)")
      #expect(eventually { drive.heard > before + 100 })
    }
    let (sent, findings) = drive.end()
    #expect(findings == Drive.Findings(heard: sent), "\(findings.first ?? "")")
    node.end()
  }

  /// Hands over to a standby that fails.
  private func fail(
    _ weakness: Weakness, _ stack: TestStack, _ owner: BusClient
  ) throws -> HandoverOutcome {
    if weakness == .refusesState {
      let successor = try stack.start(
        Tally.self, "tally", parameters: ["refuses": true], environment: Self.standby)
      let outcome = try #require(handOver("tally", by: owner))
      #expect(eventually { successor.isOver }, "the dismissed standby ends by itself")
      successor.end()
      return outcome
    }
    let standby = try BusClient(
      BusClient.Configuration(
        address: stack.address, name: "tally", table: Contract.table, isStandby: true,
        inputs: ["ego/location/raw", "ego/route/active"]))
    #expect(standby.subscribe(["ego/location/raw"], waitingMS: 5_000))
    standby.becomeReady()
    let hasLeft = TestNode("weak standby", try ThreadWaker()) { flag in
      while let event = standby.next(waitingMS: 5_000) {
        guard case .handover(let step) = event else { continue }
        switch (step, weakness) {
        case (.dismiss, _), (.cutForSuccessor, .leavesAtMarker), (.take, .leavesWithState),
          (.release, .leavesBeforeItBegins):
          standby.close()
          return flag.tellEnd()
        case (.take(let token, _), .leavesBeforeItBegins), (.take(let token, _), .neverBegins):
          standby.imported(token: token, fault: nil)
        default: break
        }
      }
    }
    let outcome = try #require(handOver("tally", by: owner, limitMS: 200))
    hasLeft.end()
    return outcome
  }

  @Test func `a marker that somebody else publishes stops nobody`() throws {
    let stack = try TestStack()
    defer { stack.end() }
    let stranger = try stack.client("stranger")
    defer { stranger.close() }
    let node = try stack.start(Tally.self, "tally")
    let drive = try Drive(stack, vehicles: ["ego"], perSecond: 500)
    // {op: marker, token: 1, slots: [0, 255]}, and whatever else.
    for payload: [UInt8] in [[0x80], [0x81, 0xa2, 0x6f, 0x70, 0xa6] + Array("marker".utf8)] {
      stranger.publish("_bus/handover/tally", payload)
    }
    let before = drive.heard
    #expect(eventually { drive.heard > before + 100 })
    #expect(eventually { stranger.busCounters()?["reserved_topic"] == 2 })
    let (sent, findings) = drive.end()
    #expect(findings == Drive.Findings(heard: sent))
    node.end()
  }

  @Test func `a broker that is restarted in the middle leaves the node as it was`() throws {
    let stack = try TestStack()
    defer { stack.end() }
    let owner = try stack.client("owner")
    defer { owner.close() }
    let node = try stack.start(Tally.self, "tally")
    let drive = try Drive(stack, vehicles: ["ego"], perSecond: 500)
    let standby = try BusClient(
      BusClient.Configuration(
        address: stack.address, name: "tally", table: Contract.table, isStandby: true,
        inputs: ["ego/location/raw", "ego/route/active"]))
    #expect(standby.subscribe(["ego/location/raw"], waitingMS: 5_000))
    standby.becomeReady()
    let outcome = Mutex<HandoverOutcome?>(nil)
    let order = TestNode("order", try ThreadWaker()) { [self] flag in
      let answer = handOver("tally", by: owner)
      outcome.withLock { $0 = answer }
      flag.tellEnd()
    }
    var hasState = false
    while !hasState, let event = standby.next(waitingMS: 5_000) {
      if case .handover(.take) = event { hasState = true }
    }
    #expect(hasState)
    let before = drive.heard
    try stack.restartBroker()
    #expect(eventually { drive.heard > before + 200 }, "the node goes on with what it kept")
    order.end()
    #expect(outcome.withLock { $0?.code } == "unavailable")
    standby.close()
    #expect(!node.isOver)
    // What was on its way to the old broker is lost with it, and counted by readers; not here.
    #expect(drive.end().findings.doubled == 0)
    node.end()
  }

  @Test(arguments: [0, 3])
  func `a shadow says what would be different, and the node goes on meanwhile`(skew: Int) throws {
    let stack = try TestStack()
    defer { stack.end() }
    let owner = try stack.client("owner")
    defer { owner.close() }
    let node = try stack.start(Tally.self, "tally")
    let drive = try Drive(stack, vehicles: ["ego"], perSecond: 2_000)
    #expect(eventually { drive.heard > 100 })
    let successor = try stack.start(
      Tally.self, "tally", parameters: ["skew": .int(skew)], environment: Self.standby)
    var begun: HandoverOutcome?
    _ = eventually {
      let answer = owner.shadow(node: "tally")
      begun = answer
      return answer.code != "no_standby" && answer.code != "not_ready"
    }
    #expect(begun?.isDone == true, "\(begun?.message ?? "")")
    let before = drive.heard
    #expect(eventually { drive.heard > before + 400 })
    #expect(!node.isOver)
    let outcome = owner.handOver(node: "tally")
    #expect(outcome.isDone, "\(outcome.message)")
    let compared = try #require(outcome.compared)
    #expect(compared > 300)
    #expect(outcome.different == (skew == 0 ? 0 : compared))
    #expect((outcome.difference == nil) == (skew == 0))
    if skew > 0 {
      #expect(outcome.difference?.contains("ego/location/matched") == true)
      #expect(outcome.difference?.contains("from byte 16 on") == true)
    }
    let after = drive.heard
    #expect(eventually { drive.heard > after + 100 })
    let (sent, findings) = drive.end()
    #expect(findings == Drive.Findings(heard: sent), "\(findings.first ?? "")")
    node.end()
    successor.end()
  }

  @Test func `a node that cannot finish in time goes on, and its call with it`() throws {
    let stack = try TestStack()
    defer { stack.end() }
    let owner = try stack.client("owner")
    defer { owner.close() }
    let node = try stack.start(Tally.self, "tally", parameters: ["stuck": true])
    defer { node.end() }
    // Somebody answers `toy/never`, but never does.
    owner.serve(["toy/never"])
    #expect(eventually { owner.serviceReports()?.contains { $0.name == "toy/never" } == true })
    let drive = try Drive(stack, vehicles: ["ego"], perSecond: 2_000)
    owner.publish("ego/route/active", [1])
    #expect(eventually { owner.serviceReports()?.contains { $0.pending == 1 } == true })
    let successor = try stack.start(Tally.self, "tally", environment: Self.standby)
    let outcome = try #require(handOver("tally", by: owner, limitMS: 200))
    #expect(outcome.code == "late", "\(outcome.message)")
    #expect(eventually { successor.isOver })
    successor.end()
    let (sent, findings) = drive.end()
    #expect(findings == Drive.Findings(heard: sent), "\(findings.first ?? "")")
  }

  @Test func `an order without a standby, or with one that reads less, is refused in words`() throws
  {
    let stack = try TestStack()
    defer { stack.end() }
    let owner = try stack.client("owner")
    defer { owner.close() }
    #expect(owner.waitForBroker(timeoutMS: 5_000))
    #expect(owner.handOver(node: "tally").code == "no_such_node")
    let node = try stack.start(Tally.self, "tally")
    defer { node.end() }
    #expect(owner.handOver(node: "tally").code == "no_standby")
    let other = try stack.start(CountingStage.self, "tally", environment: Self.standby)
    defer { other.end() }
    let outcome = try #require(handOver("tally", by: owner))
    #expect(outcome.code == "missing_input")
    #expect(outcome.message.contains("ego/location/raw"))
  }
}

extension CallEnd {
  var isOK: Bool { if case .ok = self { true } else { false } }
}
