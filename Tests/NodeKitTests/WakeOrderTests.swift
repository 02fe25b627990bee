import ByteStage
import Foundations
import NodeKit
import Stage
import Synchronization
import Testing

@testable import BusClient
@testable import BusProtocol
@testable import Harness

/// Says how often it has been woken; wants to be a second after each message, and is held up by
/// the first.
private struct DelayedWakeStage: ByteStage {
  static let manifest = Manifest(
    name: "toy-patient", about: "Waits.", inputs: ["toy/in"], outputs: ["toy/out"])
  static let isReleased = Mutex(false)

  var hasHeard = false
  var wakes: UInt8 = 0

  static func load(_ parameters: Parameters) throws(StageFailure) {}
  init(vehicle: String, shared: Void) {}

  mutating func handle(_ event: EncodedEvent) throws(Refusal) -> [EncodedOutput] {
    switch event {
    case .message(let message):
      hasHeard = true
      _ = eventually { Self.isReleased.withLock { $0 } }
      return [
        .publish(topic: "toy/out", stamp: message.stamp, payload: [wakes]),
        .wake(at: message.stamp.advanced(bySeconds: 1)),
      ]
    case .wake(let now) where hasHeard:
      wakes += 1
      return [.publish(topic: "toy/out", stamp: now, payload: [100 + wakes])]
    default: return []
    }
  }
}

/// A node that is behind wakes its stages in their place among what they hear.
@Suite struct WakeOrderTests {
  private static let vehicles = (0..<10).map { "car\($0)" }
  private static let each = 30

  @Test func `nobody is woken for the lack of what waits already, BUS-8`() throws {
    let stack = try TestStack()
    defer { stack.end() }
    let outside = try stack.client("outside")
    defer { outside.close() }
    #expect(outside.subscribe(["*/toy/out", "*/toy/in"], waitingMS: 5_000))
    let node = try stack.start(
      DelayedWakeStage.self, "patient", environment: ["NAV_VEHICLE": "any"])
    defer { node.end() }
    let began = MonotonicTime.now
    for _ in 0..<Self.each {
      for vehicle in Self.vehicles { outside.publish("\(vehicle)/toy/in", [1]) }
    }
    let count = Self.each * Self.vehicles.count
    #expect(outside.deliveries(count) { $0.leaf == "toy/in" }.count == count)
    // By now each would be woken, had it heard no more than its first message.
    try #require(eventually { MonotonicTime.now.milliseconds(since: began) > 1_500 })
    DelayedWakeStage.isReleased.withLock { $0 = true }
    let outputs = outside.deliveries(count + Self.vehicles.count) { $0.leaf == "toy/out" }
    #expect(outputs.prefix(count).allSatisfy { $0.payload == [0] })
    #expect(outputs.dropFirst(count).map(\.payload) == Self.vehicles.map { _ in [101] })
  }
}
