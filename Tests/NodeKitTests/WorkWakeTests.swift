import ByteStage
import Foundations
import NodeKit
import Stage
import Synchronization
import Testing

@testable import BusClient
@testable import BusProtocol
@testable import Harness

/// Works until it is released, and says how often it has been woken meanwhile.
private struct LongWorkStage: ByteStage {
  static let manifest = Manifest(
    name: "toy-laborious", about: "Works.", outputs: ["toy/out"], serves: ["toy/slow"])
  static let isReleased = Mutex(false)

  var wakes: UInt8 = 0

  static func load(_ parameters: Parameters) throws(StageFailure) {}
  init(vehicle: String, shared: Void) {}

  mutating func handle(_ event: EncodedEvent) throws(Refusal) -> [EncodedOutput] {
    switch event {
    case .call(let request):
      let id = request.id
      return [
        .wakeDuringWork(everyS: 0.02),
        .work(callID: id) {
          _ = eventually { Self.isReleased.withLock { $0 } }
          return [.reply(callID: id, outcome: .ok(payload: [1]))]
        },
      ]
    case .wake(let now):
      wakes += 1
      return [.publish(topic: "toy/out", stamp: now, payload: [wakes])]
    default: return []
    }
  }
}

/// Wake-ups by the machine's clock while work runs beside the loop.
@Suite struct WorkWakeTests {
  @Test func `a stage is woken while its work runs, without any stack clock, RT-18`() throws {
    let stack = try TestStack()
    defer { stack.end() }
    let outside = try stack.client("outside")
    defer { outside.close() }
    #expect(outside.subscribe(["ego/toy/out"], waitingMS: 5_000))
    let node = try stack.start(LongWorkStage.self, "laborious")
    defer {
      LongWorkStage.isReleased.withLock { $0 = true }
      node.end()
    }
    let ends = Mutex<[CallEnd]>([])
    _ = outside.call("toy/slow", payload: []) { end in ends.withLock { $0.append(end) } }
    let reported = outside.deliveries(3) { $0.leaf == "toy/out" }
    #expect(reported.map(\.payload) == [[1], [2], [3]])
    #expect(reported.allSatisfy { $0.header.stampNS == 0 })
    #expect(ends.withLock { $0.isEmpty })
    LongWorkStage.isReleased.withLock { $0 = true }
    #expect(eventually { !ends.withLock { $0.isEmpty } })
    #expect(ends.withLock { $0 } == [.ok(payload: [1])])
  }

  @Test func `wake-ups keep their rhythm and end with the work, RT-18`() {
    var wakes = WorkWakes()
    let start = MonotonicTime(nanoseconds: 0)
    func at(_ ms: Int64) -> MonotonicTime { start.advanced(byMS: ms) }
    #expect(wakes.next == nil)
    #expect(wakes.popDue(at: at(10_000)).isEmpty)
    wakes.ask("b", everyS: 1, at: start)
    wakes.ask("a", everyS: 1, at: start)
    // A second calculation does not put the next report off.
    wakes.ask("b", everyS: 1, at: at(900))
    #expect(wakes.next == at(1_000))
    #expect(wakes.popDue(at: at(999)).isEmpty)
    #expect(wakes.popDue(at: at(1_001)) == ["a", "b"])
    #expect(wakes.next == at(2_001))
    wakes.end("b")
    #expect(wakes.popDue(at: at(2_001)) == ["a"])
    wakes.end("a")
    #expect(wakes.next == nil)
  }
}
