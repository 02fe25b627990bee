import Testing

@testable import Broker
@testable import BusClient
@testable import BusProtocol

@Suite struct HandoverPlanTests {
  @Test func `slots go together up to half a MiB, and none is cut`() {
    let sizes = [UInt64](repeating: 100 << 10, count: SlotSet.count)
    let parts = HandoverOrder.parts(of: .all, sizes)
    #expect(parts.count == 52 && parts.dropLast().allSatisfy { $0.count == 5 })
    #expect(parts.reduce(into: SlotSet()) { $0.formUnion($1) } == .all)
    var large = [UInt64](repeating: 0, count: SlotSet.count)
    large[7] = 9 << 20
    let around = HandoverOrder.parts(of: .all, large)
    #expect(around.map(\.runs) == [[0, 6], [7, 255]] || around.contains { $0.contains(7) })
    #expect(around.count <= 3)
    #expect(HandoverOrder.parts(of: SlotSet(), sizes) == [])
    #expect(HandoverOrder.parts(of: SlotSet([3, 9]), []).map(\.runs) == [[3, 3, 9, 9]])
  }

  @Test func `what is of no vehicle is part of the last part alone`() {
    var rest = SlotSet()
    #expect(rest.isEmpty && !rest.covers(topic: "_clock"))
    rest.hasRest = true
    #expect(!rest.isEmpty && rest.covers(topic: "_clock") && !rest.covers(topic: "ego/a"))
    var all = SlotSet.all
    #expect(!all.covers(topic: "_clock") && all.covers(topic: "ego/a"))
    all.formUnion(rest)
    #expect(all.hasRest && all.count == 256)
    all.subtract(rest)
    #expect(!all.hasRest && all.count == 256)
  }

  @Test func `handovers that have ended are remembered, the oldest forgotten`() {
    var ended = EndedHandovers()
    for token in 0..<100 as Range<UInt64> { ended.insert(token) }
    #expect(ended.contains(99) && ended.contains(99 - 63) && !ended.contains(35))
  }
}
