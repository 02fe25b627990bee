import Messages
import Testing

@testable import Watch

/// Refused input, ends of processes and failed orders in an explanation.
@Suite struct CauseTests {
  /// 12:04:40 of a day.
  private static let atNS: Int64 =
    1_790_000_000_000_000_000 / 86_400_000_000_000
    * 86_400_000_000_000 + 43_480_000_000_000

  private func process(
    _ name: String, node: String = "matcher", _ state: WireStackProcess.State = .ready,
    restarts: UInt64 = 0, lastEnd: String? = nil, by caller: String? = nil
  ) -> WireStackProcess {
    WireStackProcess(
      name: name, node: node, program: "p", state: state, role: .member, restarts: restarts,
      uptimeS: 1, lastEnd: lastEnd, lastEndWallNs: lastEnd.map { _ in Self.atNS }, stoppedBy: caller
    )
  }

  private func evidence(_ processes: [WireStackProcess]) -> Evidence {
    var evidence = Evidence()
    evidence.wallNS = Self.atNS + 14_000_000_000
    evidence.processes = processes
    return evidence
  }

  private func lines(_ process: WireStackProcess, _ stack: DrawnStack = DrawnStack()) -> [String] {
    Explanation(node: process.name, in: stack.picture, evidence: evidence([process])).lines
  }

  private func refused(
    _ reason: String, _ byVehicle: [String: UInt64], text: String? = nil, vehicles: UInt64? = nil,
    ageS: Int64 = 1
  ) -> WireRefusedInput {
    WireRefusedInput(
      topic: "location/raw", reason: reason, count: byVehicle.values.reduce(0, +),
      vehicles: vehicles ?? UInt64(byVehicle.count), byVehicle: byVehicle,
      lastWallNs: Self.atNS + (14 - ageS) * 1_000_000_000, text: text)
  }

  @Test func `a crash, a hang and a stop are named with their time and who asked, BUS-14`() {
    let crash = lines(process("matcher", restarts: 3, lastEnd: "SIGSEGV"))
    #expect(
      crash[1]
        == "  it crashed at 12:04:40 UTC (14 s ago): SIGSEGV; it was started again, 3 restarts in total; "
        + "`nav node output matcher` shows its lines")
    #expect(crash.last == "it has no fault, and its inputs are healthy")
    let hang = lines(
      process("matcher", restarts: 1, lastEnd: "its work loop was silent for 5 s (SIGABRT)"))
    #expect(hang[1].hasPrefix("  it hung and was ended by the watchdog at 12:04:40 UTC (14 s ago)"))
    #expect(hang[1].contains("1 restart in total"))
    let asked = lines(process("matcher", restarts: 1, lastEnd: "exit 0", by: "nav-42"))
    #expect(asked[1].hasPrefix("  it was restarted by nav-42: it ended at 12:04:40 UTC"))
    var gone = DrawnStack()
    gone.nodes["matcher"]?.isAlive = false
    gone.nodes["matcher"]?.silenceMS = 14_000
    let stopped = lines(process("matcher", .stopped, lastEnd: "exit 0", by: "nav-42"), gone)
    #expect(stopped[0].hasSuffix("is disconnected: last message 14 s ago  <-- first deviation"))
    #expect(
      stopped[1]
        == "  matcher was stopped at 12:04:40 UTC (14 s ago) by nav-42; `nav node start matcher` starts it again"
    )
    let failed = lines(process("matcher", .failed, restarts: 4, lastEnd: "exit 3"), gone)
    #expect(failed[1].contains("ended with an error at 12:04:40 UTC"))
    #expect(failed[1].contains("exit 3 and stays down, after 4 restarts"))
    // A process that never came to the bus.
    let absent = lines(process("poller", node: "poller", .backoff, restarts: 2, lastEnd: "SIGILL"))
    #expect(absent[0].hasPrefix("poller crashed at 12:04:40 UTC"))
    #expect(absent[0].hasSuffix("<-- first deviation"))
  }

  @Test func `a failed order has its time, BUS-14`() {
    var one = process("matcher")
    one.failedOrder = "stack/swap: matcher was not handed over: late"
    one.failedOrderWallNs = Self.atNS
    #expect(
      lines(one)[1]
        == "  the last order for it failed: stack/swap: matcher was not handed over: late "
        + "at 12:04:40 UTC (14 s ago)")
  }

  @Test func `refused fixes are explained by reason, with the hint of the gate, LOC-8, BUS-14`() {
    var stack = DrawnStack()
    stack.refused["matcher"] = [
      refused(
        "clock_not_set", ["van1": 8, "van2": 4],
        text: "time_ns 1790000000000 is before 1990: it looks like milliseconds"),
      refused("other_source", ["ego": 3]),
      refused("time_went_back", ["ego": 3], text: "the fix is older", ageS: 300),
    ]
    let explanation = Explanation(node: "matcher", in: stack.picture, evidence: evidence([]))
    let lines = explanation.lines
    #expect(
      lines[1]
        == "  12 messages on location/raw of van1 and van2 were refused, the last at 12:04:53 UTC (1 s ago): "
        + "time_ns 1790000000000 is before 1990: it looks like milliseconds (clock_not_set)  <-- first deviation"
    )
    #expect(lines[2].contains("3 messages on location/raw of ego were not used"))
    #expect(explanation.steps.filter(\.isFirstDeviation).count == 1)
  }

  @Test func `a vehicle is followed from its fixes to the reason why they have no match, BUS-14`() {
    var stack = DrawnStack()
    stack.foreign["van1/location/raw"] = "gps"
    func lines(_ vehicle: String) -> [String] {
      Explanation(vehicle: vehicle, in: stack.picture, evidence: evidence([])).lines
    }
    #expect(lines("ego").last == "the locations of ego have no fault")
    #expect(
      lines("van1").last?.contains("its fixes are not matched, and matcher does not report why")
        == true)
    stack.refused["matcher"] = [refused("frozen_position", ["van1": 5])]
    #expect(lines("van1").last?.contains("the receiver repeats its last position") == true)
    #expect(lines("van1").last?.hasSuffix("<-- first deviation") == true)
    #expect(lines("ego").last == "the locations of ego have no fault")
    // A frozen position of one vehicle is no fault of the node.
    #expect(!Explanation(node: "matcher", in: stack.picture, evidence: evidence([])).deviates)
    #expect(lines("van9")[0].hasPrefix("van9 has no fixes: "))
    stack.nodes["location"]?.ageMS = 25_000
    #expect(lines("ego")[1].hasPrefix("  the source location is silent"))
  }

  @Test func `a node with replicas is explained as one, BUS-14`() {
    var stack = DrawnStack()
    stack.nodes["matcher"] = nil
    for number in 0..<12 {
      stack.nodes["matcher.\(number)"] = DrawnStack.Node(
        reads: ["location/raw": .well], writes: ["location/matched"])
    }
    let members = stack.picture.members(of: "matcher")
    #expect(members.first == "matcher.0" && members.last == "matcher.11" && members.count == 12)
    #expect(stack.picture.groups == ["matcher"] && stack.picture.members(of: "match").isEmpty)
    func explain(_ processes: [WireStackProcess] = []) -> Explanation {
      Explanation(
        group: "matcher", members: members, in: stack.picture, evidence: evidence(processes))
    }
    #expect(
      explain().lines == [
        "matcher is 12 processes: matcher.0, matcher.1, matcher.2, matcher.3 and 8 more",
        "  matcher.0, matcher.1, matcher.2, matcher.3 and 8 more are ready",
        "they have no fault, and their inputs are healthy",
      ])
    stack.nodes["matcher.7"]?.silenceMS = 4_000
    stack.refused["matcher.1"] = [refused("no_time", ["a": 1])]
    stack.refused["matcher.2"] = [refused("no_time", ["b": 2])]
    let lines = explain([process("matcher.3", restarts: 1, lastEnd: "SIGKILL")]).lines
    #expect(lines[1].contains("3 messages on location/raw of b and a were not used"))
    #expect(lines[1].contains("set it to nanoseconds since 1970 (no_time)  <-- first deviation"))
    #expect(
      lines.contains { $0.hasPrefix("    it was killed at 12:04:40 UTC (14 s ago): SIGKILL") })
    #expect(
      lines.contains {
        $0
          == "  matcher.7 is silent: its process has made no progress for 4 s  <-- first deviation"
      })
    let whole = Explanation(stack: stack.picture, evidence: evidence([])).lines
    #expect(whole[0] == "matcher (12 processes)")
    #expect(!whole.contains { $0.hasPrefix("navigator") })
  }

  @Test func `the whole stack is explained by its faults alone, BUS-14`() {
    var stack = DrawnStack()
    #expect(
      Explanation(stack: stack.picture, evidence: evidence([])).lines
        == ["the 4 nodes have no fault"])
    stack.nodes["voice"]?.silenceMS = 4_000
    let explanation = Explanation(
      stack: stack.picture,
      evidence: evidence([process("poller", node: "poller", .failed, lastEnd: "exit 78")]))
    #expect(explanation.lines.count == 2)
    #expect(explanation.lines[0].hasPrefix("poller ended with an error at 12:04:40 UTC"))
    #expect(explanation.lines[1].hasPrefix("voice is silent"))
  }

  @Test func `most locations without a match are reported with their reasons, BUS-14`() {
    var evidence = evidence([])
    for number in 0..<6 {
      var location = LocationMatched(state: number < 2 ? .matched : .noMatch)
      location.reason = number < 2 ? nil : number == 2 ? .warmingUp : .offRoad
      evidence.ingest("ego", "location/matched", location.encoded())
    }
    let lines = Explanation(vehicle: "ego", in: DrawnStack().picture, evidence: evidence).lines
    #expect(
      lines.last?.contains(
        "4 of the last 6 locations of ego have no match: off_road 3, warming_up 1")
        == true)
  }
}
