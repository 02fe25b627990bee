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

  @Test func `the slower a part, the longer the pause after it`() {
    #expect([0, 8, 100].map { HandoverOrder.pauseMS(after: $0) } == [0, 8, 100])
    #expect(
      [200, 900, 1_000, 9_000].map { HandoverOrder.pauseMS(after: $0) } == [
        400, 1_800, 2_000, 2_000,
      ])
    #expect(
      (1...4).map { HandoverOrder.pauseMS(afterAttempt: $0) } == [1_000, 2_000, 4_000, 4_000])
  }

  @Test func `a late part is tried again after a pause in which nothing is held`() {
    var fixture = BrokerCoreFixture()
    for (name, lane) in [("matcher.0", 1), ("matcher.1", 2)] as [(String, UInt64)] {
      fixture.say(
        ControlMessage.Register(
          name: name, run: lane, ready: true, group: "matcher", lane: lane,
          slots: lane == 1 ? [0, 255] : [],
          parts: true),
        as: name)
    }
    fixture.register("launcher")
    fixture.say(
      ControlMessage.Rescale(token: 1, limitMs: 500, group: "matcher", lanes: [1, 2]),
      as: "launcher")
    func tokens(_ messages: [ControlMessage]) -> (weigh: [UInt64], freeze: [UInt64]) {
      messages.reduce(into: ([], [])) { tokens, message in
        if case .weigh(let body) = message { tokens.0.append(body.token) }
        if case .freeze(let body) = message { tokens.1.append(body.token) }
      }
    }
    guard let weigh = tokens(fixture.sent(to: "matcher.0")).weigh.first else {
      Issue.record("the sizes of the slots were not asked for")
      return
    }
    fixture.say(
      ControlMessage.Weight(token: weigh, ok: true, sizes: [UInt64](repeating: 100, count: 256)),
      as: "matcher.0")
    #expect(tokens(fixture.sent(to: "matcher.0")).freeze.count == 1)
    // Four failed attempts, each followed by a pause; the fifth ends the order.
    for pauseMS in [1_000, 2_000, 4_000, 4_000] as [Int64] {
      fixture.pass(ms: 500)
      #expect(tokens(fixture.sent(to: "matcher.0")).freeze == [])
      #expect(fixture.core.nextDeadline == fixture.now.advanced(byMS: pauseMS))
      fixture.pass(ms: pauseMS - 1)
      #expect(tokens(fixture.sent(to: "matcher.0")).freeze == [])
      fixture.pass(ms: 1)
      #expect(tokens(fixture.sent(to: "matcher.0")).freeze.count == 1)
    }
    fixture.pass(ms: 500)
    let outcomes = fixture.sent(to: "launcher").compactMap { message -> String? in
      guard case .outcome(let outcome) = message else { return nil }
      return outcome.code
    }
    #expect(outcomes == ["late"])
  }

  @Test func `the end of a process during a pause ends the order at once`() {
    var fixture = BrokerCoreFixture()
    for (name, lane) in [("matcher.0", 1), ("matcher.1", 2)] as [(String, UInt64)] {
      fixture.say(
        ControlMessage.Register(
          name: name, run: lane, ready: true, group: "matcher", lane: lane,
          slots: lane == 1 ? [0, 255] : [], parts: true),
        as: name)
    }
    fixture.register("launcher")
    fixture.say(
      ControlMessage.Rescale(token: 1, limitMs: 500, group: "matcher", lanes: [1, 2]),
      as: "launcher")
    let weigh = fixture.sent(to: "matcher.0").compactMap { message -> UInt64? in
      if case .weigh(let body) = message { body.token } else { nil }
    }
    fixture.say(
      ControlMessage.Weight(
        token: weigh.first ?? 0, ok: true, sizes: [UInt64](repeating: 100, count: 256)),
      as: "matcher.0")
    fixture.pass(ms: 500)
    #expect(fixture.core.nextDeadline == fixture.now.advanced(byMS: 1_000))
    _ = fixture.sent()
    fixture.say(ControlMessage.Bye(), as: "matcher.1")
    let codes = fixture.sent(to: "launcher").compactMap { message -> String? in
      if case .outcome(let outcome) = message { outcome.code } else { nil }
    }
    #expect(codes == ["gone"])
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
