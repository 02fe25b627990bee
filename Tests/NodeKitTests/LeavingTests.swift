import NodeKit
import Stage
import Testing

@testable import Bus
@testable import Harness

/// Which input waits at a node that is being handed over in parts.
@Suite struct LeavingTests {
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

  @Test func `input after the next part's marker waits with it, BUS-1, BUS-6`() {
    var leaving = Leaving(token: 1)
    #expect(!leaving.holds(message("car1"), vehicle: "ego"), "its own marker has not come")
    leaving.slots = slots(of: "car1")
    leaving.hasCut = true
    #expect(leaving.holds(message("car1"), vehicle: "ego"))
    #expect(!leaving.holds(message("car2"), vehicle: "ego"))
    // The marker of the second part is read before the end of the first one.
    #expect(leaving.holds(cut(2, slots(of: "car2")), vehicle: "ego"))
    #expect(leaving.holds(message("car2"), vehicle: "ego"))
    #expect(!leaving.holds(message("car3"), vehicle: "ego"))
    #expect(!leaving.holds(message(nil), vehicle: "ego"))
    #expect(!leaving.holds(.handover(.retire(token: 1)), vehicle: "ego"))
    #expect(leaving.holds(.handover(.freeze(token: 2)), vehicle: "ego"))
    var rest = SlotSet()
    rest.hasRest = true
    #expect(leaving.holds(cut(3, rest), vehicle: "ego"))
    #expect(leaving.holds(message(nil), vehicle: "ego"))
    #expect(leaving.holds(cut(4, nil), vehicle: "ego"))
    #expect(leaving.holds(message("car3"), vehicle: "ego"))
  }
}
