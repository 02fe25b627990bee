import NodeKit
import Stage
import Testing

@testable import BusClient
@testable import BusProtocol
@testable import Harness

/// Which input waits at a node that is being handed over in parts.
@Suite struct OutgoingHandoverTests {
  private func message(_ vehicle: String?) -> BusEvent {
    let topic = vehicle.map { "\($0)/location/raw" } ?? "_clock"
    let header = Header(sequence: 1, stampNS: 0, source: "gps", run: 1, schema: "")
    return .message(
      Delivery(
        Frame(topic: topic, header: header, payload: []),
        Delivery.Place(topic, Contract.table[topic], number: 0), arrival: .now))
  }

  private func cut(_ token: UInt64, _ slots: SlotSet?) -> BusEvent {
    .handover(.cut(token: token, slots: slots, inputs: [], isSettled: true, keepsCopy: true))
  }

  private func slots(of vehicle: String) -> SlotSet {
    var slots = SlotSet()
    slots.insert(SlotSet.slot(of: vehicle.utf8))
    return slots
  }

  /// Which of some events wait, in their order.
  private func held(_ events: [BusEvent], by leaving: inout OutgoingHandover) -> [Bool] {
    events.map { leaving.holds($0, vehicle: "ego") }
  }

  @Test func `input after the next part's marker waits with it, BUS-1, BUS-6`() {
    var leaving = OutgoingHandover(token: 1)
    #expect(held([message("car1")], by: &leaving) == [false], "its own marker has not come")
    leaving.slots = slots(of: "car1")
    leaving.hasCut = true
    #expect(held([message("car1"), message("car2")], by: &leaving) == [true, false])
    // The marker of the second part is read before the end of the first one.
    let next = [cut(2, slots(of: "car2")), message("car2"), message("car3"), message(nil)]
    #expect(held(next, by: &leaving) == [true, true, false, false])
    let ends: [BusEvent] = [.handover(.retire(token: 1)), .handover(.freeze(token: 2))]
    #expect(held(ends, by: &leaving) == [false, true])
    var rest = SlotSet()
    rest.hasRest = true
    #expect(
      held([cut(3, rest), message(nil), message("car3")], by: &leaving) == [true, true, false])
    #expect(held([cut(4, nil), message("car3")], by: &leaving) == [true, true])
  }
}
