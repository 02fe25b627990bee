import BusClient
import ByteStage
import Foundations
import NodeKit
import Stage
import Testing

@testable import Harness

/// Says what it is told to: s a stream, t a state, e an event.
private struct ScriptedOutputStage: ByteStage {
  static let manifest = Manifest(
    name: "toy-talking", about: "Talks.", inputs: ["toy/in"],
    outputs: ["guidance/progress", "guidance/road", "guidance/milestone"])

  var heard: UInt8 = 0

  static func load(_ parameters: Parameters) throws(StageFailure) {}
  init(vehicle: String, shared: Void) {}

  mutating func handle(_ event: EncodedEvent) throws(Refusal) -> [EncodedOutput] {
    guard case .message(let message) = event else { return [] }
    heard += 1
    return message.payload.map { letter in
      let topic =
        switch letter {
        case UInt8(ascii: "s"): "guidance/progress"
        case UInt8(ascii: "t"): "guidance/road"
        default: "guidance/milestone"
        }
      return .publish(topic: topic, stamp: message.stamp, payload: [heard])
    }
  }

  var savedState: [UInt8]? { [heard] }
  mutating func restore(_ state: [UInt8]) throws(Refusal) {}
}

/// In which order a node keeps its state and says what it says.
@Suite struct OutputOrderTests {
  /// `-` is the state that a successor takes back.
  @Test(arguments: [
    ("e", "-e"), ("se", "s-e"), ("sses", "ss-es"), ("tse", "-tse"), ("ste", "s-te"),
    ("s", "s-"), ("ts", "ts-"),
  ])
  func `a stream does not wait for the saved state, and what is heard does, BUS-6`(
    reported: String, order: String
  ) throws {
    let stack = try TestStack()
    defer { stack.end() }
    let outside = try stack.client("outside")
    defer { outside.close() }
    #expect(outside.subscribe(["_state/talking", "ego/guidance/"], waitingMS: 5_000))
    let node = try stack.start(ScriptedOutputStage.self, "talking")
    defer { node.end() }
    outside.publish("ego/toy/in", Array(reported.utf8))
    let said = outside.deliveries(order.count) { _ in true }.map { delivery in
      switch delivery.topic {
      case "_state/talking": "-"
      case "ego/guidance/progress": "s"
      case "ego/guidance/road": "t"
      default: "e"
      }
    }
    #expect(said.joined() == order)
  }
}
