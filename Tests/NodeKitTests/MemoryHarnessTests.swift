import Foundations
import Harness
import Stage
import Testing

@Suite struct MemoryHarnessTests {
  /// What three toy stages say in 25 seconds of their time.
  private func transcript() throws -> [PublishedMessage] {
    let harness = MemoryHarness()
    var messages: [PublishedMessage] = []
    harness.tap = { messages.append($0) }
    try harness.add(ClockStage.self, name: "ticking")
    try harness.add(CountingStage.self, name: "counting", parameters: ["step": 2])
    try harness.add(CallingStage.self, name: "asking")
    #expect(harness.run(until: ClockStage.day.advanced(bySeconds: 25)) == .timeLimit)
    return messages
  }

  @Test func `the same stages say the same in the same order, BUS-7`() throws {
    let first = try transcript()
    #expect(first.count > 60)
    #expect(try transcript() == first)
  }

  @Test func `a message's cause is what was being handled`() throws {
    let messages = try transcript()
    let output = try #require(messages.first { $0.topic == "toy/out" })
    #expect(
      output.cause == Cause(topic: "toy/in", source: "ticking", run: 1, sequence: 1))
    #expect(output.sequence == 1)
    #expect(output.name == "ego/toy/out")
    #expect(output.payload == [2])
  }

  @Test
  func
    `whatever is said names the message, the call, the reply or the tick that it answers, LOC-1`()
    throws
  {
    let said = try transcript().filter { $0.topic != "_clock" && !$0.topic.hasPrefix("_state/") }
    let causes = Dictionary(grouping: said, by: \.topic).mapValues { Set($0.map(\.cause)) }
    #expect(causes["toy/in"] == [.tick(at: "ticking")])
    #expect(causes["toy/answer"] == [.call("toy/add", of: "asking")])
    #expect(causes["toy/reset"] == [.tick(at: "asking")])
    #expect(causes["toy/out"]?.count == 20)
    #expect(causes.values.allSatisfy { !$0.contains(nil) })
  }

  @Test func `stages are woken first when the source of time has reported it`() throws {
    let messages = try transcript()
    let answer = try #require(messages.first { $0.topic == "toy/answer" })
    #expect(answer.stamp == ClockStage.day)
    #expect(messages.filter { $0.topic == "_clock" }.count == 20)
  }

  @Test func `a new run of the clock resets the stages but its source`() throws {
    let messages = try transcript()
    #expect(messages.filter { $0.topic == "toy/reset" }.map(\.source) == ["asking"])
  }

  @Test func `a call is answered, refused with its field, or served by nobody`() throws {
    let harness = MemoryHarness()
    try harness.add(CountingStage.self, name: "counting")
    #expect(harness.settle(call: "toy/add", payload: [2, 3]) == .ok(payload: [5]))
    #expect(harness.settle(call: "toy/slow", payload: []) == .ok(payload: [99]))
    guard case .failed(let invalid)? = harness.settle(call: "toy/add", payload: [2]),
      case .failed(let missing)? = harness.settle(call: "no/thing", payload: [])
    else {
      Issue.record("both calls should have failed")
      return
    }
    #expect(invalid.code == "invalid")
    #expect(invalid.field == "numbers")
    #expect(missing.code == "no_such_service")
    #expect(harness.refusals["counting"] == ["toy/add out_of_range": 1])
  }

  @Test func `a run ends at the message that is waited for`() throws {
    let harness = MemoryHarness()
    try harness.add(ClockStage.self, name: "ticking")
    try harness.add(CountingStage.self, name: "counting")
    #expect(harness.run(stopWhen: { $0.topic == "toy/out" && $0.payload == [6] }) == .condition)
    #expect(harness.now == ClockStage.day.advanced(bySeconds: 2))
    #expect(harness.run() == .idle)
  }

  @Test func `a killed node goes on where it was, BUS-6`() throws {
    let harness = MemoryHarness()
    var sums: [UInt8] = []
    harness.tap = { if $0.topic == "toy/out" { sums += $0.payload } }
    try harness.add(CountingStage.self, name: "counting")
    harness.publish(topic: "toy/in", stamp: ClockStage.day, payload: [4])
    _ = harness.run()
    harness.restart("counting")
    harness.publish(topic: "toy/in", stamp: ClockStage.day, payload: [5])
    _ = harness.run()
    #expect(sums == [4, 9])
  }

  @Test func `stages that keep each other busy for ever are noticed`() throws {
    let harness = MemoryHarness()
    try harness.add(EndlessWakeStage.self, name: "spinning")
    #expect(harness.run() == .stuck)
  }

  @Test func `a stage that never sleeps is noticed`() throws {
    let harness = MemoryHarness()
    try harness.add(RepeatedWakeStage.self, name: "sleepless")
    #expect(harness.run() == .stuck)
  }

  @Test func `a refused event is counted and nothing stops, BUS-5`() throws {
    let harness = MemoryHarness()
    try harness.add(CountingStage.self, name: "counting")
    harness.publish(topic: "toy/in", stamp: ClockStage.day, payload: [])
    harness.publish(topic: "toy/in", stamp: ClockStage.day, payload: [1])
    _ = harness.run()
    #expect(harness.refusals["counting"] == ["toy/in does_not_decode": 1])
    #expect(harness.counters["counting"] == ["seen": 1])
  }

  @Test func `vehicles are reported apart`() throws {
    let harness = MemoryHarness(vehicles: ["a", "b"])
    var sums: [String] = []
    harness.tap = { if $0.topic == "toy/out" { sums.append("\($0.vehicle ?? "")\($0.payload)") } }
    try harness.add(CountingStage.self, name: "counting")
    for vehicle in ["a", "b", "a", "c"] {
      harness.publish(topic: "toy/in", stamp: ClockStage.day, payload: [3], vehicle: vehicle)
    }
    _ = harness.run()
    #expect(sums == ["a[3]", "b[3]", "a[6]", "c[3]"])
  }
}
