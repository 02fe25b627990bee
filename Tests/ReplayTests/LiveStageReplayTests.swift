import Bag
import ByteStage
import Foundation
import Foundations
import Harness
import MessagePack
import Replay
import Stage
import Testing

/// Doubles what it hears on `toy/in`, asks `toy/add` of each, and says the answer; says the time at each wake.
struct DoublingStage: ByteStage {
  static let manifest = Manifest(
    name: "toy-doubling", about: "Doubles.",
    parameters: [ParameterDeclaration("factor", .int, default: 2, "By what.")],
    inputs: ["toy/in"], outputs: ["toy/out", "toy/tick"], serves: ["toy/factor"],
    calls: ["toy/add"])

  let factor: Int
  var token: UInt64 = 0

  static func load(_ parameters: Parameters) throws(StageFailure) -> Int {
    parameters.int("factor")
  }
  init(vehicle: String, shared: Int) { factor = shared }

  mutating func handle(_ event: EncodedEvent) throws(Refusal) -> [EncodedOutput] {
    switch event {
    case .message(let message):
      token += 1
      let doubled = UInt8(truncatingIfNeeded: Int(message.payload.first ?? 0) * factor)
      return [.call(name: "toy/add", payload: [doubled], timeoutMS: 1_000, token: token)]
    case .reply(_, let stamp, .ok(let payload)):
      return [.publish(topic: "toy/out", stamp: stamp, payload: payload)]
    case .wake(let now):
      return [
        .publish(topic: "toy/tick", stamp: now, payload: []), .wake(at: now.advanced(bySeconds: 3)),
      ]
    case .call(let call):
      return [.reply(callID: call.id, outcome: .ok(payload: [UInt8(factor)]))]
    default: return []
    }
  }
}

/// The source of time: ten numbers, one a second.
private struct ClockSourceStage: ByteStage {
  static let manifest = Manifest(
    name: "toy-saying", about: "Says.", outputs: ["toy/in", "_clock"], calls: ["toy/factor"])
  var count: UInt8 = 0
  static func load(_ parameters: Parameters) throws(StageFailure) {}
  init(vehicle: String, shared: Void) {}

  mutating func handle(_ event: EncodedEvent) throws(Refusal) -> [EncodedOutput] {
    guard case .wake = event, count < 10 else { return [] }
    count += 1
    let now = Instant(seconds: 1_700_000_000 + Double(count))
    return [
      .setClock(now: now, rate: 1, isPaused: false, run: 1),
      .publish(topic: "toy/in", stamp: now, payload: [count]),
      .call(name: "toy/factor", payload: [], timeoutMS: 1_000, token: UInt64(count)),
      .wake(at: now.advanced(bySeconds: 1)),
    ]
  }
}

/// Adds one.
private struct Adding: ByteStage {
  static let manifest = Manifest(name: "toy-adding", about: "Adds.", serves: ["toy/add"])
  static func load(_ parameters: Parameters) throws(StageFailure) {}
  init(vehicle: String, shared: Void) {}
  mutating func handle(_ event: EncodedEvent) throws(Refusal) -> [EncodedOutput] {
    guard case .call(let call) = event else { return [] }
    return [.reply(callID: call.id, outcome: .ok(payload: [(call.payload.first ?? 0) &+ 1]))]
  }
}

@Suite struct LiveStageReplayTests {
  /// The three as they were recorded; their order is not that of what follows from what.
  private func recording() throws -> String {
    let path = FileManager.default.temporaryDirectory.appending(
      path: "reenact-\(UUID().uuidString).mcap"
    ).path
    let writer = try FrameWriter(path: path)
    let conductor = Conductor()
    conductor.mirrorsCalls = true
    var problem: (any Error)?
    conductor.tap = { message in
      let now = conductor.now.nanoseconds
      do {
        try writer.write(message.frame(sentNS: now), logTimeNS: max(0, now))
      } catch {
        problem = error
      }
    }
    conductor.add(LocalNode(DoublingStage.self, name: "doubling", shared: 2))
    conductor.add(LocalNode(Adding.self, name: "adding", shared: ()))
    conductor.add(LocalNode(ClockSourceStage.self, name: "saying", shared: ()))
    #expect(conductor.run(until: Instant(seconds: 1_700_000_020)) == .timeLimit)
    try writer.close()
    if let problem { throw problem }
    return path
  }

  private func play(_ path: String, _ nodes: [any ConductedNode]) throws -> Comparison {
    let replay = LiveStageReplay(
      nodes, try RecordingSurvey(paths: [path]), try RecordedRun(path: path))
    return try replay.play()
  }

  @Test func `a stage that is the same says the same, alone and with others, BUS-7`() throws {
    let path = try recording()
    defer { try? FileManager.default.removeItem(atPath: path) }
    let doubling = { LocalNode(DoublingStage.self, name: "doubling", shared: 2) }
    let adding = { LocalNode(Adding.self, name: "adding", shared: ()) }
    let saying = { LocalNode(ClockSourceStage.self, name: "saying", shared: ()) }
    for nodes in [
      [doubling()], [adding()], [saying()], [doubling(), adding()],
      [doubling(), adding(), saying()],
    ] {
      let comparison = try play(path, nodes)
      #expect(comparison.isEqual, "\(nodes.map(\.name)): \(comparison.text)")
      #expect(!comparison.counts.isEmpty)
    }
    let alone = try play(path, [doubling()])
    #expect(alone.counts["ego/toy/out"]?.equal == 10)
    #expect(alone.counts["ego/toy/tick"]?.equal ?? 0 >= 4)
    #expect(alone.counts["call toy/add of ego: doubling requests"]?.equal == 10)
    #expect(alone.counts["call toy/factor of ego: saying receives"]?.equal == 10)
  }

  @Test func `a stage that is another differs from its first word on, BUS-7`() throws {
    let path = try recording()
    defer { try? FileManager.default.removeItem(atPath: path) }
    let comparison = try play(path, [LocalNode(DoublingStage.self, name: "doubling", shared: 3)])
    #expect(!comparison.isEqual)
    let first = try #require(comparison.first)
    #expect(first.topic.hasPrefix("call toy/"))
    #expect(comparison.counts["ego/toy/tick"]?.isEqual == true)
  }

  @Test func `a file that is no recording is named`() throws {
    #expect(throws: ReplayProblem.self) { try RecordingSurvey(paths: ["/dev/null"]) }
    do {
      _ = try RecordingSurvey(paths: ["/nowhere/x.mcap"])
    } catch {
      #expect(error.description.contains("/nowhere/x.mcap"))
    }
  }
}
