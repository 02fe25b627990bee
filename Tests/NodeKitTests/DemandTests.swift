import BusClient
import BusProtocol
import ByteStage
import MessagePack
import Messages
import NodeKit
import Stage
import Testing

@testable import Harness

/// A moment of the machine's time, in milliseconds.
private func at(_ ms: Int64) -> MonotonicTime { MonotonicTime(nanoseconds: ms * 1_000_000) }

@Suite struct DemandTests {
  @Test func `a vehicle is watched from its first watcher until some seconds after its last, RN-9`()
  {
    var demand = Demand(leaves: ["scene/frame"])
    demand.watch("a")
    demand.watch("a")
    #expect(demand.drainChange(at: at(0)) == Demand.Change(begun: ["a"], ended: []))
    demand.unwatch("a", at: at(100))
    #expect(demand.drainChange(at: at(200)) == nil)
    demand.unwatch("a", at: at(300))
    demand.unwatch("a", at: at(300))
    #expect(demand.drainChange(at: at(300 + Demand.lingerMS - 1)) == nil)
    #expect(demand.includes("a"))
    #expect(
      demand.drainChange(at: at(300 + Demand.lingerMS)) == Demand.Change(begun: [], ended: ["a"]))
    #expect(!demand.includes("a"))
  }

  @Test func `a reader of all vehicles has all of them served, RN-9`() {
    var demand = Demand(leaves: ["scene/frame"])
    demand.setReaders(["*"])
    #expect(demand.drainChange(at: at(0)) == Demand.Change(begun: ["*"], ended: []))
    #expect(demand.includes("any"))
    demand.watch("b")
    #expect(demand.drainChange(at: at(0)) == Demand.Change(begun: ["b"], ended: []))
    demand.setReaders(["c", "No Name", ""])
    #expect(demand.drainChange(at: at(0)) == Demand.Change(begun: ["c"], ended: ["*"]))
    #expect(demand.subscribed == ["b", "c"])
  }
}

/// Publishes how many messages it has had of its vehicle, where somebody reads it; answers
/// `toy/add` with that number.
private struct VehicleCountStage: ByteStage {
  static let manifest = Manifest(
    name: "toy-watched", about: "Counts on demand.", inputs: ["toy/in", "session"],
    outputs: ["toy/out"], serves: ["toy/add"], demandedBy: ["toy/out"])

  var count: UInt8 = 0

  static func load(_ parameters: Parameters) throws(StageFailure) {}
  init(vehicle: String, shared: Void) {}

  mutating func handle(_ event: EncodedEvent) throws(Refusal) -> [EncodedOutput] {
    switch event {
    case .message(let message):
      count &+= 1
      return [.publish(topic: "toy/out", stamp: message.stamp, payload: [count])]
    case .call(let request): return [.reply(callID: request.id, outcome: .ok(payload: [count]))]
    default: return []
    }
  }
}

@Suite struct DemandHarnessTests {
  private struct Fleet {
    let stack: TestStack
    let outside: BusClient
    let status: BusClient
    let node: TestNode
    let vehicles = 500

    init() throws {
      stack = try TestStack()
      outside = try stack.client("outside")
      status = try stack.client("status")
      #expect(status.subscribe(["_node/watched/status"], waitingMS: 5_000))
      node = try stack.start(VehicleCountStage.self, "watched", environment: ["NAV_VEHICLE": "any"])
      #expect(outside.subscribe(["_node/outside"], waitingMS: 5_000))
    }

    func end() {
      node.end()
      outside.close()
      status.close()
      stack.end()
    }

    func publishOne() {
      for vehicle in 0..<vehicles { outside.publish("car\(vehicle)/toy/in", [1]) }
    }

    /// Messages that the node has received of `toy/in`, by a status that comes after `others` ones.
    func received(after others: Int = 1) -> UInt64? {
      var left = others
      let found = status.status { _ in
        left -= 1
        return left < 0
      }
      return found.map { $0.subscriptions["toy/in"]?.received ?? 0 }
    }
  }

  @Test func `vehicles that nobody watches are not even received, RN-9 BUS-8`() throws {
    let fleet = try Fleet()
    defer { fleet.end() }
    for _ in 0..<5 { fleet.publishOne() }
    #expect(fleet.received() == 0)
    #expect(fleet.outside.subscribe(["car7/toy/out"], waitingMS: 5_000))
    var outputs: [Delivery] = []
    // The node asks each second for the readers of its outputs.
    #expect(
      eventually {
        fleet.publishOne()
        if case .message(let delivery)? = fleet.outside.next(waitingMS: 100) {
          outputs.append(delivery)
        }
        return outputs.count >= 3
      })
    #expect(Set(outputs.map(\.topic)) == ["car7/toy/out"])
    #expect(outputs.map(\.payload) == [[1], [2], [3]])
    fleet.outside.unsubscribe(["car7/toy/out"])
    var last = fleet.received(after: 2)
    #expect(
      eventually {
        fleet.publishOne()
        let now = fleet.received(after: 0)
        defer { last = now }
        return now == last
      })
    let losses = fleet.status.status { _ in true }?.subscriptions["toy/in"]
    #expect(losses?.lost == 0 && losses?.gaps == 0)
  }

  @Test func `a call for a vehicle that nobody watches waits until its states are there, RN-9`()
    throws
  {
    let fleet = try Fleet()
    defer { fleet.end() }
    fleet.outside.publish("car3/session", [1])
    fleet.outside.publish("car4/session", [1])
    #expect(
      fleet.outside.callAndWait("toy/add", vehicle: "car3", payload: [])
        == .ok(payload: [1]))
    #expect(
      fleet.outside.callAndWait("toy/add", vehicle: "car5", payload: [])
        == .ok(payload: [0]))
  }
}
