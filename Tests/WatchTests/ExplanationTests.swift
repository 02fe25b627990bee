import Bus
import Messages
import Testing
import Watch

@Suite struct ExplanationTests {
  private func why(_ node: String, _ stack: DrawnStack) -> [String] {
    Explanation(node: node, in: stack.picture).lines
  }

  @Test func `where all is well, that is said`() {
    let explanation = Explanation(node: "navigator", in: DrawnStack().picture)
    #expect(!explanation.deviates)
    #expect(
      explanation.lines == [
        "navigator is ready (loop 14 ms, queue 0)",
        "nothing is wrong with it, nor with what it reads",
      ])
  }

  @Test func `a stopped process is found behind the input that it leaves stale`() {
    var stack = DrawnStack()
    stack.nodes["navigator"]?.state = .degraded
    stack.nodes["navigator"]?.why = "input location/matched is stale (nothing for 3 s)"
    stack.nodes["navigator"]?.reads["location/matched"] = .stale
    stack.nodes["matcher"]?.silenceMS = 1_900
    #expect(
      why("navigator", stack) == [
        "navigator is degraded since 12:04:40: input location/matched is stale (nothing for 3 s)",
        "  its input location/matched is stale: nothing for 3.4 s",
        "    location/matched comes from matcher is silent: its process has not moved for 1.9 s"
          + "  <-- first deviation",
      ])
  }

  @Test func `the way leads up to who has all that it needs and gives too little, BUS-10`() {
    var stack = DrawnStack()
    stack.nodes["navigator"]?.state = .degraded
    stack.nodes["navigator"]?.why = "input location/matched is slow (0.61 of 1 Hz)"
    stack.nodes["navigator"]?.reads["location/matched"] = .slow
    stack.nodes["matcher"]?.state = .degraded
    stack.nodes["matcher"]?.why = "input location/raw is slow (0.61 of 1 Hz)"
    stack.nodes["matcher"]?.reads["location/raw"] = .slow
    let steps = Explanation(node: "navigator", in: stack.picture).steps
    let first = steps.filter(\.isFirstDeviation)
    #expect(first.map(\.node) == ["location"] && first.map(\.topic) == ["location/raw"])
    #expect(first.first?.depth == 4)
    #expect(steps.count == 5)
  }

  @Test func `dead, stuck, failed, absent and strange writers are each called so`() {
    func first(_ change: (inout DrawnStack) -> Void) -> String {
      var stack = DrawnStack()
      stack.nodes["navigator"]?.reads["location/matched"] = .stale
      change(&stack)
      let steps = Explanation(node: "navigator", in: stack.picture).steps
      return steps.first { $0.isFirstDeviation }?.text ?? "none"
    }
    let gone = first {
      $0.nodes["matcher"]?.isAlive = false
      $0.nodes["matcher"]?.silenceMS = 64_000
    }
    #expect(gone.hasSuffix("matcher has gone: last heard 64 s ago"))
    let stuck = first { $0.nodes["matcher"]?.statusAgeMS = 4_200 }
    #expect(stuck.hasSuffix("matcher is stuck: its work loop has not turned for 4.2 s"))
    let damaged = first {
      $0.nodes["matcher"]?.state = .degraded
      $0.nodes["matcher"]?.why = "the map is damaged; input route/active is stale"
    }
    #expect(damaged == "the map is damaged")
    let absent = first { $0.nodes["matcher"] = nil }
    #expect(absent == "nobody writes location/matched")
    let strange = first {
      $0.nodes["matcher"] = nil
      $0.strangers["location/matched"] = "tests"
    }
    #expect(strange.hasPrefix("location/matched comes from tests, which is no node of this bus"))
  }

  @Test func `nodes that wait for each other are told once`() {
    var stack = DrawnStack()
    stack.nodes["navigator"]?.reads = ["location/matched": .stale]
    stack.nodes["matcher"]?.reads = ["guidance/progress": .stale]
    let lines = why("navigator", stack)
    #expect(lines.last == "        guidance/progress comes from navigator: see above")
    #expect(lines.count == 5)
  }

  @Test func `an input that never came counts where the node misses it`() {
    var stack = DrawnStack()
    #expect(why("voice", stack).count == 2)
    stack.nodes["voice"]?.state = .degraded
    stack.nodes["voice"]?.why = "input guidance/warning is missing (nothing has ever come)"
    #expect(why("voice", stack).last == "    nobody writes guidance/warning  <-- first deviation")
  }

  private func frame(
    _ leaf: String, _ source: String, _ sequence: UInt64, sentMS: Int64, cause: Origin? = nil
  ) -> Frame {
    Frame(
      topic: "ego/\(leaf)",
      header: Header(
        sequence: sequence, stampNS: 0, source: source, run: 3, schema: "", cause: cause,
        wallNS: sentMS * 1_000_000), payload: [])
  }

  @Test func `a trail leads from a message back to what it began with, BUS-10`() {
    let raw = Origin(topic: "location/raw", source: "gps", run: 3, sequence: 7)
    let matched = Origin(topic: "location/matched", source: "matcher", run: 3, sequence: 9)
    let event = frame("guidance/maneuver", "navigator", 2, sentMS: 1_004, cause: matched)
    var heard = HeardHeaders()
    heard.hear(frame("location/matched", "matcher", 9, sentMS: 1_001, cause: raw))
    let torn = Trail(of: event, through: heard)
    #expect(!torn.isWhole)
    #expect(torn.lines(nowNS: 2_000_000_000).last?.hasSuffix("(before this listened)") == true)
    heard.hear(frame("location/raw", "gps", 7, sentMS: 1_000))
    let trail = Trail(of: event, through: heard)
    #expect(trail.isWhole)
    #expect(
      trail.lines(nowNS: 2_004_000_000) == [
        "guidance/maneuver  seq 2  from navigator  00:00:00  1 s ago, 3 ms after",
        "caused by location/matched  seq 9  from matcher  00:00:00  1 s ago, 1 ms after",
        "caused by location/raw  seq 7  from gps  00:00:00  1 s ago",
      ])
  }

  @Test(arguments: [
    ("_svc/navigate/start", "page", "caused by the call navigate/start of page"),
    ("_clock", "voice", "caused by a tick of the clock at voice"),
  ])
  func `a trail ends at a call or a tick, LOC-1, BUS-10`(
    topic: String, source: String, words: String
  ) {
    let began = Origin(topic: topic, source: source, run: 0, sequence: 0)
    let event = frame("route/active", "navigator", 2, sentMS: 1_004, cause: began)
    let trail = Trail(of: event, through: HeardHeaders())
    #expect(trail.isWhole)
    #expect(trail.lines(nowNS: 2_004_000_000).last == words)
  }
}
