import BusProtocol
import MessagePack
import Messages
import Testing
import Watch

@testable import Dashboard

@Suite struct DecisionTests {
  private func decision(_ leaf: String, _ payload: [UInt8]) -> Decision? {
    let frame = Frame(
      topic: "ego/\(leaf)",
      header: Header(sequence: 3, stampNS: 7, source: "navigator", run: 1, schema: "", wallNS: 9),
      payload: payload)
    return Decision(frame, vehicle: "ego", leaf: leaf, receivedNS: 1)
  }

  @Test func `a message of guidance becomes a sentence with its evidence, RN-9`() throws {
    let reroute = try #require(
      decision(
        GuidanceReroute.topic,
        GuidanceReroute(state: .failed, errorText: "no route found", attempt: 2).encoded()))
    #expect(reroute.text == "Reroute failed: no route found")
    #expect(reroute.level == .error && reroute.node == "navigator" && reroute.wallNS == 9)
    #expect(reroute.evidence["attempt"]?.number == 2)
    let better = RouteBetter(
      id: "b", state: .proposed, routeId: "r", gainS: 121, longerM: 340, shapeChanged: true)
    #expect(
      decision(RouteBetter.topic, better.encoded())?.text
        == "Better route proposed, 121 s faster, 340 m longer")
    let warning = GuidanceWarning(id: "w", kind: .safetyCamera, event: .ahead, distanceM: 480)
    #expect(
      decision(GuidanceWarning.topic, warning.encoded())?.text
        == "Warning ahead: safety camera in 480 m")
  }

  @Test func `only the first message of a deviation is a decision, and no broken one, RN-9`() {
    let later = MessagePackValue.map([.init("first", .bool(false))]).encoded()
    #expect(decision(GuidanceDeviation.topic, later) == nil)
    #expect(decision(GuidanceReroute.topic, [0xC1]) == nil)
    #expect(decision(LocationRaw.topic, MessagePackValue.map([]).encoded()) == nil)
  }

  @Test func `evidence contains no shapes, RN-9`() {
    let value = MessagePackValue.map([
      .init("gain_s", .double(60)), .init("shape", .string(String(repeating: "a", count: 500))),
      .init("route", .map([.init("spans", .array(Array(repeating: .int(1), count: 100)))])),
    ])
    #expect(Decision.small(value, depth: 0) == .map([.init("gain_s", .double(60))]))
  }

  @Test func `a restart and a change of state are events, a first look is none, RN-9`() {
    func picture(_ state: NodeStatus.State, restarts: UInt64) -> StackSnapshot {
      StackSnapshot(
        nodes: [
          NodeReport(
            name: "matcher", run: 1, kind: "node", version: "", pid: 1, isAlive: true,
            silenceMS: 0, restarts: restarts, publishes: [], subscribes: [], serves: [])
        ], topics: [], services: [],
        statuses: ["matcher": NodeStatus(node: "matcher", state: state, why: "w", run: 1)],
        at: MonotonicTime(nanoseconds: 0))
    }
    var log = DecisionLog()
    log.ingest(picture(.ready, restarts: 0), Evidence(), wallNS: 1)
    #expect(!log.hasNews)
    log.ingest(picture(.degraded, restarts: 1), Evidence(), wallNS: 2)
    #expect(log.hasNews)
    #expect(
      log.drain().map(\.text) == ["matcher is degraded: w", "matcher was started again, restart 1"])
    #expect(!log.hasNews)
  }

  @Test func `a jump of the matcher and a lost road are events, RN-9`() {
    var log = DecisionLog()
    func ingest(_ location: LocationMatched) {
      log.ingestMatch(
        location.encoded(), of: "ego",
        header: Header(sequence: 1, stampNS: 1, source: "matcher", run: 1, schema: ""), trail: [])
    }
    ingest(LocationMatched(state: .matched, latDeg: 1, lonDeg: 1, path: []))
    ingest(LocationMatched(state: .noMatch, reason: .offRoad, path: []))
    ingest(LocationMatched(state: .noMatch, reason: .offRoad, path: []))
    ingest(LocationMatched(state: .matched, latDeg: 1, lonDeg: 1, path: [], teleport: true))
    #expect(
      log.decisions.map(\.text) == [
        "Location without a match: off road", "Map matching restarted after a jump",
        "Location matched again",
      ])
  }

  @Test func `the log of decisions is bounded, RN-9`() {
    var log = DecisionLog()
    for number in 0..<500 {
      log.append(Decision(wallNS: Int64(number), kind: "log", level: .info, text: ""))
    }
    #expect(log.decisions.count == DecisionLog.kept)
    #expect(log.drain().first?.number == 500)
  }
}
