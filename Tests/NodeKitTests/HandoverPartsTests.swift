import BusClient
import BusProtocol
import Foundations
import NodeKit
import Stage
import Synchronization
import Testing
import ZMQ

@testable import Harness

/// Handovers of so much state that it goes over in parts, over real sockets and under load.
@Suite(.serialized) struct HandoverPartsTests {
  private static let any = ["NAV_VEHICLE": "any"]
  private static let standby = ["NAV_VEHICLE": "any", "NAV_STANDBY": "1"]
  /// Two MiB of state in all, which is four parts and the rest.
  private static let large: [String: ParameterValue] = ["ballast": .int(20_000)]
  private let vehicles = (0..<100).map { "car\($0)" }

  private func handOver(_ owner: BusClient, limitMS: UInt64 = 2_000) -> HandoverOutcome? {
    var outcome: HandoverOutcome?
    _ = eventually {
      let answer = owner.handOver(node: "tally", limitMS: limitMS)
      outcome = answer
      return !["no_standby", "not_ready", "no_such_node"].contains(answer.code)
    }
    return outcome
  }

  /// A stack with a node that has received input of every vehicle, and the load on it.
  private func loaded(_ stack: TestStack) throws -> (owner: BusClient, node: TestNode, Drive) {
    let owner = try stack.client("owner")
    #expect(owner.waitForBroker(timeoutMS: 5_000))
    let node = try stack.start(
      Tally.self, "tally", parameters: Self.large, environment: Self.any)
    let drive = try Drive(stack, vehicles: vehicles, perSecond: 1_000)
    #expect(eventually { drive.heard > 200 })
    return (owner, node, drive)
  }

  /// Whether each vehicle is answered again, since a moment.
  private func areAllAnswered(_ stack: TestStack, withinMS: Int = 30_000) throws -> Bool {
    let listener = try stack.client("again")
    defer { listener.close() }
    guard listener.subscribe(vehicles.map { "\($0)/location/matched" }, waitingMS: 5_000) else {
      return false
    }
    var missing = Set(vehicles)
    let deadline = MonotonicTime.now.advanced(byMS: Int64(withinMS))
    while !missing.isEmpty, deadline > .now {
      if case .message(let delivery)? = listener.next(waitingMS: 100), !delivery.header.isLatched {
        missing.remove(delivery.vehicle ?? "")
      }
    }
    return missing.isEmpty
  }

  @Test func `a swap in parts under load loses nothing, and no vehicle waits for all, BUS-1`()
    throws
  {
    let stack = try TestStack()
    defer { stack.end() }
    var (owner, node, drive) = try loaded(stack)
    defer { owner.close() }
    for swap in 0..<times("NAV_SWAPS", default: 3) {
      let successor = try stack.start(
        Tally.self, "tally", parameters: Self.large, environment: Self.standby)
      let outcome = try #require(handOver(owner))
      #expect(outcome.isDone, "swap \(swap): \(outcome.code) \(outcome.message)")
      #expect(outcome.parts >= 4 && outcome.stateBytes > 1_900_000, "\(outcome.parts) parts")
      #expect(eventually { node.isOver }, "the old process ends by itself")
      node.end()
      node = successor
      let before = drive.heard
      #expect(eventually { drive.heard > before + 200 })
      #expect(owner.callAndWait("toy/count", vehicle: "car7", payload: []).isOK)
    }
    let (sent, findings) = drive.end()
    #expect(findings == Drive.Findings(heard: sent), "\(findings.first ?? "")")
    node.end()
  }

  @Test func `replicas get their slots in parts, BUS-8`() throws {
    let stack = try TestStack()
    defer { stack.end() }
    let owner = try stack.client("owner")
    defer { owner.close() }
    #expect(owner.waitForBroker(timeoutMS: 5_000))
    #expect(owner.rescale(group: "tally", lanes: [1]).isDone)
    let nodes = try [1, 2].map { lane in
      try stack.start(
        Tally.self, "tally.\(lane)", parameters: Self.large,
        environment: ["NAV_GROUP": "tally", "NAV_LANE": "\(lane)", "NAV_VEHICLE": "any"])
    }
    let drive = try Drive(stack, vehicles: vehicles, perSecond: 1_000)
    #expect(eventually { drive.heard > 200 })
    for lanes in [[1, 2], [1], [1, 2]] {
      var outcome = owner.rescale(group: "tally", lanes: lanes)
      _ = eventually {
        if outcome.code == "no_such_lane" { outcome = owner.rescale(group: "tally", lanes: lanes) }
        return outcome.code != "no_such_lane"
      }
      #expect(outcome.isDone, "\(lanes): \(outcome.code) \(outcome.message)")
      #expect(outcome.moves >= 2 && outcome.movedSlots == 128, "\(outcome.moves) moves")
      let before = drive.heard
      #expect(eventually { drive.heard > before + 200 })
    }
    let (sent, findings) = drive.end()
    #expect(findings == Drive.Findings(heard: sent), "\(findings.first ?? "")")
    for node in nodes { node.end() }
  }

  @Test func `a standby that refuses a vehicle gives back what it has, and nothing is lost`() throws
  {
    let stack = try TestStack()
    defer { stack.end() }
    let (owner, node, drive) = try loaded(stack)
    defer { owner.close() }
    for _ in 0..<times("NAV_FAILURES", default: 2) {
      var parameters = Self.large
      // Its slot is among the last.
      let last = vehicles.max { SlotSet.slot(of: $0.utf8) < SlotSet.slot(of: $1.utf8) }
      parameters["refuses_vehicle"] = .string(last ?? "")
      let successor = try stack.start(
        Tally.self, "tally", parameters: parameters, environment: Self.standby)
      let outcome = try #require(handOver(owner))
      #expect(outcome.code == "refused", "\(outcome.message)")
      #expect(outcome.parts >= 6, "\(outcome.parts) parts there and back")
      #expect(eventually { successor.isOver }, "the dismissed standby ends by itself")
      successor.end()
      #expect(!node.isOver)
      let before = drive.heard
      #expect(eventually { drive.heard > before + 200 })
    }
    let (sent, findings) = drive.end()
    #expect(findings == Drive.Findings(heard: sent), "\(findings.first ?? "")")
    node.end()
  }

  /// A standby of the test's own: takes parts over, handles nothing, and does something in the middle.
  private func weakStandby(
    _ stack: TestStack, afterParts: Int, _ body: @escaping @Sendable (BusClient) -> Void
  ) throws -> (client: BusClient, thread: TestNode) {
    var configuration = BusClient.Configuration(
      address: stack.address, name: "tally", table: Contract.table, isStandby: true,
      inputs: ["*/location/raw", "*/route/active"])
    configuration.handsOverInParts = true
    let client = try BusClient(configuration)
    #expect(client.subscribe(["*/location/raw"], waitingMS: 5_000))
    client.becomeReady()
    let thread = TestNode("weak standby", try ThreadWaker()) { flag in
      var parts = 0
      while let event = client.next(waitingMS: 10_000) {
        guard case .handover(let step) = event else { continue }
        switch step {
        case .take(let token, _): client.imported(token: token, fault: nil)
        case .release:
          _ = client.publishFence()
          parts += 1
          if parts == afterParts {
            body(client)
            return flag.tellEnd()
          }
        default: break
        }
      }
    }
    return (client, thread)
  }

  @Test(arguments: [1, 3])
  func `a standby that dies in the middle leaves the node with all vehicles, BUS-6`(
    parts: Int
  ) throws {
    let stack = try TestStack()
    defer { stack.end() }
    let (owner, node, drive) = try loaded(stack)
    defer { owner.close() }
    let weak = try weakStandby(stack, afterParts: parts) { $0.close() }
    let outcome = try #require(handOver(owner))
    #expect(outcome.code == "gone", "\(outcome.message)")
    weak.thread.end()
    #expect(!node.isOver)
    #expect(try areAllAnswered(stack))
    #expect(drive.end().findings.doubled == 0)
    node.end()
  }

  @Test
  func `a broker that is restarted between two parts leaves the node with all vehicles, BUS-6`()
    throws
  {
    let stack = try TestStack()
    defer { stack.end() }
    let (owner, node, drive) = try loaded(stack)
    defer { owner.close() }
    let isThere = Mutex(false)
    let weak = try weakStandby(stack, afterParts: 2) { _ in isThere.withLock { $0 = true } }
    let order = TestNode("order", try ThreadWaker()) { [self] flag in
      _ = handOver(owner)
      flag.tellEnd()
    }
    #expect(eventually { isThere.withLock { $0 } })
    try stack.restartBroker()
    order.end()
    #expect(try areAllAnswered(stack))
    weak.client.close()
    weak.thread.end()
    #expect(!node.isOver)
    #expect(drive.end().findings.doubled == 0)
    node.end()
  }

  @Test func `a node that dies in the middle leaves its successor with all vehicles, BUS-6`() throws
  {
    let stack = try TestStack()
    defer { stack.end() }
    let owner = try stack.client("owner")
    defer { owner.close() }
    #expect(owner.waitForBroker(timeoutMS: 5_000))
    var configuration = BusClient.Configuration(
      address: stack.address, name: "tally", table: Contract.table, publishes: ["location/matched"],
      inputs: ["*/location/raw", "*/route/active"])
    configuration.handsOverInParts = true
    let old = try BusClient(configuration)
    #expect(old.subscribe(["*/location/raw"], waitingMS: 5_000))
    let dying = TestNode("dying", try ThreadWaker()) { flag in
      var cuts: [UInt64: [InputMark]] = [:]
      var parts = 0
      while let event = old.next(waitingMS: 10_000) {
        guard case .handover(let step) = event else { continue }
        switch step {
        case .weigh(let token):
          old.weighed(token: token, sizes: [UInt64](repeating: 20_000, count: SlotSet.count))
        case .cut(let token, _, let inputs, _, let keepsCopy):
          #expect(keepsCopy)
          cuts[token] = inputs
        case .freeze(let token):
          if parts == 3 {
            old.close()
            return flag.tellEnd()
          }
          parts += 1
          var handed = NodeHandoverState()
          handed.program = "toy-tally"
          handed.run = old.run
          handed.inputs = cuts[token] ?? []
          old.frozen(
            token: token, sequence: old.publishFence() ?? 0, state: handed.encoded())
        default: break
        }
      }
    }
    let successor = try stack.start(
      Tally.self, "tally", parameters: Self.large, environment: Self.standby)
    let outcome = try #require(handOver(owner))
    #expect(outcome.isDone && outcome.message.contains("disconnected"), "\(outcome.message)")
    dying.end()
    let drive = try Drive(stack, vehicles: vehicles, perSecond: 1_000)
    #expect(try areAllAnswered(stack))
    let (sent, findings) = drive.end()
    #expect(findings == Drive.Findings(heard: sent), "\(findings.first ?? "")")
    successor.end()
  }
}
