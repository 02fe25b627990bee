import Testing

@testable import BusClient
@testable import BusProtocol
@testable import ZMQ

/// What the two processes of a swap receive while a node is handed over slot by slot.
@Suite struct ReceivedSlotsTests {
  private let now = MonotonicTime(nanoseconds: 0)

  private func message(
    _ topic: String, _ sequence: UInt64, _ deliveryClass: DeliveryClass = .stream
  ) -> Message {
    let header = Header(
      sequence: sequence, stampNS: 5, source: "raw", run: 1, schema: "t/1.0",
      deliveryClass: deliveryClass)
    return Message([Array(topic.utf8), header.encoded(), [1]])
  }

  private func delivered(_ reception: inout Reception) -> [String] {
    moveOut(&reception.outputs).compactMap {
      if case .deliver(let delivery) = $0 {
        "\(delivery.topic) \(delivery.header.sequence)"
      } else {
        nil
      }
    }
  }

  private func reception() -> Reception {
    var reception = Reception(table: TopicTable([TopicTraits("m", .stream)]))
    _ = reception.subscribe(["*/m", "_x/"])
    return reception
  }

  private let first = SlotSet([SlotSet.slot(of: "a".utf8)])
  private let second = SlotSet([SlotSet.slot(of: "b".utf8)])

  @Test func `a standby receives the streams of the slots that it has taken over, BUS-6`() throws {
    var reception = reception()
    reception.receivedSlots = SlotSet()
    try #require(!first.contains(vehicle: "b"))
    reception.beginHandover(token: 1, slots: first)
    // The first is held for the handover, the second belongs to the predecessor.
    reception.live(message("a/m", 2), now: now)
    reception.live(message("b/m", 2), now: now)
    reception.live(message("_x/y", 1), now: now)
    #expect(delivered(&reception) == ["_x/y 1"])
    let held = reception.releaseHeld(
      token: 1, after: [InputMark("a/m", Writer(source: "raw", run: 1), 1)], now: now)
    #expect(held.map(\.header.sequence) == [2])
    reception.live(message("a/m", 3), now: now)
    reception.live(message("b/m", 3), now: now)
    #expect(delivered(&reception) == ["a/m 3"])
    // A part that fails stays with the predecessor.
    reception.beginHandover(token: 2, slots: second)
    reception.endHandover(token: 2)
    reception.live(message("b/m", 4), now: now)
    #expect(delivered(&reception).isEmpty)
    reception.receivedSlots = nil
    reception.live(message("b/m", 5), now: now)
    #expect(delivered(&reception) == ["b/m 5"])
  }

  @Test func `a whole node that is taken over is received from the marker on, BUS-6`() {
    var reception = reception()
    reception.receivedSlots = SlotSet()
    reception.live(message("a/m", 1), now: now)
    reception.beginHandover(token: 1, slots: nil)
    reception.live(message("a/m", 2), now: now)
    reception.live(message("b/m", 2), now: now)
    #expect(delivered(&reception).isEmpty)
    let held = reception.releaseHeld(token: 1, after: [], now: now)
    #expect(held.map(\.topic) == ["a/m", "b/m"])
    reception.live(message("b/m", 3), now: now)
    #expect(delivered(&reception) == ["b/m 3"])
  }

  @Test func `slots that come back are received again and count no losses, BUS-4 BUS-6`() {
    var reception = reception()
    for vehicle in ["a", "b"] { reception.live(message("\(vehicle)/m", 1), now: now) }
    reception.stopReceiving(first)
    for vehicle in ["a", "b"] { reception.live(message("\(vehicle)/m", 2), now: now) }
    #expect(delivered(&reception) == ["a/m 1", "b/m 1", "b/m 2"])
    reception.receiveAllSlots()
    for vehicle in ["a", "b"] { reception.live(message("\(vehicle)/m", 9), now: now) }
    #expect(delivered(&reception) == ["a/m 9", "b/m 9"])
    #expect(reception.drainLosses().map(\.topic) == ["b/m"])
  }

  @Test func `the last message of a slot that another process has is not lost, BUS-4 BUS-6`() {
    var reception = reception()
    for vehicle in ["a", "b"] { reception.live(message("\(vehicle)/m", 1), now: now) }
    reception.stopReceiving(first)
    for vehicle in ["a", "b"] {
      let origin = Origin(topic: "\(vehicle)/m", source: "raw", run: 1, sequence: 3)
      let isMissing = reception.record(Tail(origin), round: 1)
      #expect(isMissing == (vehicle == "b"))
    }
    reception.settle(1)
    reception.tick(now: now)
    #expect(reception.drainLosses().map(\.topic) == ["b/m"])
  }

  @Test func `events of slots that come back are complete, BUS-3 BUS-6`() {
    var reception = Reception(table: TopicTable([TopicTraits("e", .event)]))
    _ = reception.subscribe(["*/e"])
    reception.live(message("a/e", 1, .event), now: now)
    reception.stopReceiving(first)
    // The third waits for the second, which is requested.
    reception.live(message("a/e", 3, .event), now: now)
    reception.receiveAllSlots()
    reception.live(message("a/e", 2, .event), now: now)
    #expect(delivered(&reception) == ["a/e 1", "a/e 2", "a/e 3"])
  }
}
