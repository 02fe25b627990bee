import BusClient
import BusProtocol
import Foundations
import Messages
import NodeKit
import Stage
import Testing

@testable import Harness

/// Replicas that share the vehicles of a stage, over real sockets and under load.
@Suite(.serialized) struct ScaleTests {
  private func replica(
    _ lane: Int, _ stack: TestStack, parameters: [String: ParameterValue] = [:],
    vehicles: String = "any"
  ) throws -> TestNode {
    try stack.start(
      Tally.self, "tally.\(lane)", parameters: parameters,
      environment: ["NAV_GROUP": "tally", "NAV_LANE": "\(lane)", "NAV_VEHICLE": vehicles])
  }

  private func sum(_ outcome: RescaleOutcome) -> Int { outcome.slotsByLane.values.reduce(0, +) }

  /// Over tcp it is what replicas on several machines do.
  @Test(arguments: [(true, false), (false, false), (true, true)])
  func `4 to 6 to 3 replicas under load: order kept, nothing lost, nothing doubled, BUS-8`(
    isFull: Bool, isRemote: Bool
  ) throws {
    let stack = try TestStack(isRemote: isRemote)
    defer { stack.end() }
    let owner = try stack.client("owner")
    defer { owner.close() }
    #expect(owner.waitForBroker(timeoutMS: 5_000))
    let first = owner.rescale(group: "tally", lanes: [1, 2, 3, 4])
    #expect(first.isDone && sum(first) == 256 && first.moves == 0, "\(first.message)")
    var nodes: [Int: TestNode] = [:]
    for lane in 1...4 {
      nodes[lane] = try replica(lane, stack, parameters: ["full": .bool(isFull)])
    }
    let vehicles = (0..<100).map { "car\($0)" }
    let drive = try Drive(stack, vehicles: vehicles, perSecond: 2_000)
    #expect(eventually { drive.heard > 200 })
    var held: [Double] = []
    for round in 0..<times("NAV_RESCALES", default: 1) {
      for lane in 5...6 {
        nodes[lane] = try replica(lane, stack, parameters: ["full": .bool(isFull)])
      }
      let before = drive.heard
      var wider = owner.rescale(group: "tally", lanes: [1, 2, 3, 4, 5, 6])
      // Their status may have come before they said that their subscriptions are in place.
      _ = eventually {
        if wider.code == "no_such_lane" {
          wider = owner.rescale(group: "tally", lanes: [1, 2, 3, 4, 5, 6])
        }
        return wider.code != "no_such_lane"
      }
      #expect(wider.isDone, "round \(round): \(wider.code) \(wider.message)")
      #expect(Set(wider.slotsByLane.keys) == [1, 2, 3, 4, 5, 6])
      #expect(eventually { drive.heard > before + 400 })
      let narrower = owner.rescale(group: "tally", lanes: [1, 2, 3])
      #expect(narrower.isDone, "round \(round): \(narrower.code) \(narrower.message)")
      #expect(narrower.slotsByLane.mapValues { $0 / 85 } == [1: 1, 2: 1, 3: 1])
      let after = drive.heard
      #expect(eventually { drive.heard > after + 400 })
      for lane in 4...6 { nodes.removeValue(forKey: lane)?.end() }
      held += [wider.heldMS, narrower.heldMS]
      // Back to four, for the next round.
      nodes[4] = try replica(4, stack, parameters: ["full": .bool(isFull)])
      #expect(
        eventually { owner.rescale(group: "tally", lanes: [1, 2, 3, 4]).isDone })
    }
    for vehicle in vehicles.prefix(20) {
      guard case .ok(let payload) = owner.callAndWait("toy/count", vehicle: vehicle, payload: [])
      else {
        Issue.record("\(vehicle) is not answered")
        continue
      }
      #expect(Tally.value(payload) > 0, "a call goes to the replica that has the vehicle")
    }
    let (sent, findings) = drive.end()
    #expect(findings == Drive.Findings(heard: sent), "\(findings.first ?? "")")
    for node in nodes.values { node.end() }
    print(
      "rescales: messages \(sent), lost \(findings.lost), doubled \(findings.doubled), "
        + "longest hold \(held.max() ?? 0) ms")
  }

  @Test func `a move that fails leaves the slots where they are, with nothing lost`() throws {
    let stack = try TestStack()
    defer { stack.end() }
    let owner = try stack.client("owner")
    defer { owner.close() }
    #expect(owner.waitForBroker(timeoutMS: 5_000))
    #expect(owner.rescale(group: "tally", lanes: [1]).isDone)
    let first = try replica(1, stack)
    let drive = try Drive(stack, vehicles: (0..<20).map { "car\($0)" }, perSecond: 2_000)
    let second = try replica(2, stack, parameters: ["refuses": true])
    for _ in 0..<times("NAV_FAILURES", default: 3) {
      let before = drive.heard
      var outcome: RescaleOutcome?
      _ = eventually {
        outcome = owner.rescale(group: "tally", lanes: [1, 2])
        return outcome?.code != "no_such_lane"
      }
      #expect(outcome?.code == "refused", "\(outcome?.message ?? "")")
      #expect(outcome?.slotsByLane == [1: 256])
      #expect(eventually { drive.heard > before + 100 })
    }
    let (sent, findings) = drive.end()
    #expect(findings == Drive.Findings(heard: sent), "\(findings.first ?? "")")
    first.end()
    second.end()
  }

  @Test func `a replica gets last values, vehicles and calls of its own slots only`() throws {
    let stack = try TestStack()
    defer { stack.end() }
    let owner = try stack.client("owner")
    defer { owner.close() }
    #expect(owner.waitForBroker(timeoutMS: 5_000))
    #expect(owner.rescale(group: "tally", lanes: [1, 2]).isDone)
    let vehicles = (0..<10).map { "car\($0)" }
    for vehicle in vehicles { owner.publish("\(vehicle)/route/active", [7]) }
    let nodes = try [1, 2].map {
      try replica($0, stack, vehicles: vehicles.joined(separator: ","))
    }
    let statuses = try stack.client("statuses")
    defer { statuses.close() }
    #expect(statuses.subscribe(["_node/tally.1/status", "_node/tally.2/status"], waitingMS: 5_000))
    let counts = statuses.deliveries(2) { _ in true }.compactMap {
      try? NodeStatus(decoding: $0.payload).vehicles
    }
    #expect(counts.reduce(0, +) == 10 && counts.allSatisfy { $0 > 0 })
    #expect(statuses.subscribe(vehicles.map { "\($0)/location/matched" }, waitingMS: 5_000))
    for vehicle in vehicles { owner.publish("\(vehicle)/location/raw", Tally.bytes(0)) }
    let answers = statuses.deliveries(10) { $0.leaf == "location/matched" }
    #expect(answers.count == 10 && answers.allSatisfy { $0.payload.last == 7 })
    #expect(Set(answers.map(\.header.source)) == ["tally.1", "tally.2"])
    for node in nodes { node.end() }
  }
}
