import Messages
import Testing
import Watch

@testable import BusProtocol

@Suite struct ExplanationTests {
  private func why(_ node: String, _ stack: DrawnStack) -> [String] {
    Explanation(node: node, in: stack.picture).lines
  }

  @Test func `the last order that failed is named, and is no deviation by itself, BUS-14`() {
    var evidence = Evidence()
    evidence.failedOrders["matcher"] = "stack/swap: matcher was not handed over: late"
    let explanation = Explanation(node: "matcher", in: DrawnStack().picture, evidence: evidence)
    #expect(!explanation.deviates)
    #expect(
      explanation.lines.contains {
        $0.contains("the last order for it failed: stack/swap: matcher was not")
      })
  }

  @Test func `where all is well, that is said`() {
    let explanation = Explanation(node: "navigator", in: DrawnStack().picture)
    #expect(!explanation.deviates)
    #expect(
      explanation.lines == [
        "navigator is ready (loop 14 ms, queue 0)",
        "it has no fault, and its inputs are healthy",
      ])
  }

  @Test func `a stopped process is found behind the input that it leaves stale`() {
    var stack = DrawnStack()
    stack.nodes["navigator"]?.state = .degraded
    stack.nodes["navigator"]?.why = "input location/matched is stale (no message for 3 s)"
    stack.nodes["navigator"]?.reads["location/matched"] = .stale
    stack.nodes["matcher"]?.silenceMS = 1_900
    #expect(
      why("navigator", stack) == [
        "navigator is degraded since 12:04:40: input location/matched is stale (no message for 3 s)",
        "  its input location/matched is stale: no message for 3.4 s",
        "    location/matched comes from matcher is silent: its process has made no progress for 1.9 s"
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
    #expect(gone.hasSuffix("matcher is disconnected: last message 64 s ago"))
    let stuck = first { $0.nodes["matcher"]?.statusAgeMS = 4_200 }
    #expect(stuck.hasSuffix("matcher is stuck: its work loop has made no progress for 4.2 s"))
    let damaged = first {
      $0.nodes["matcher"]?.state = .degraded
      $0.nodes["matcher"]?.why = "the map is damaged; input route/active is stale"
    }
    #expect(damaged == "the map is damaged")
    let absent = first { $0.nodes["matcher"] = nil }
    #expect(absent == "no node writes location/matched; 1 Hz is expected")
    let strange = first {
      $0.nodes["matcher"] = nil
      $0.strangers["location/matched"] = "tests"
    }
    #expect(strange.hasPrefix("location/matched comes from tests, which is not a node of this bus"))
  }

  @Test func `nodes that wait for each other are reported once`() {
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
    stack.nodes["voice"]?.why = "input guidance/warning is missing (no message yet)"
    #expect(why("voice", stack).last == "    no node writes guidance/warning  <-- first deviation")
  }

  @Test func `what comes under another name is found where no node writes the right one`() {
    func first(_ change: (inout DrawnStack) -> Void, _ evidence: Evidence = Evidence()) -> String {
      var stack = DrawnStack()
      stack.nodes["location"] = nil
      stack.nodes["matcher"]?.reads["location/raw"] = .awaited
      change(&stack)
      let steps = Explanation(node: "matcher", in: stack.picture, evidence: evidence).steps
      return steps.first { $0.isFirstDeviation }?.text ?? "none"
    }
    #expect(first { _ in } == "no node writes location/raw; 1 Hz is expected")
    let misspelt = first { $0.strangers["location/rawx"] = "rx" }
    #expect(misspelt.contains("rx writes ego/location/rawx, which no node reads"))
    let another = first { $0.foreign["car2/location/raw"] = "rx" }
    #expect(another.contains("for ego; rx writes it for car2, which the stack does not serve"))
    var evidence = Evidence()
    evidence.invalidTopic = "\"Ego/location/raw\""
    #expect(first({ _ in }, evidence).contains("messages on \"Ego/location/raw\" are dropped"))
    // A node that has just started misses nothing yet.
    let young = first { $0.nodes["matcher"]?.uptimeS = 2 }
    #expect(young == "none")
    // But who waits behind it has missed something.
    var behind = DrawnStack()
    behind.nodes["location"] = nil
    behind.nodes["matcher"]?.reads["location/raw"] = .awaited
    behind.nodes["matcher"]?.uptimeS = 4
    behind.nodes["navigator"]?.reads["location/matched"] = .awaited
    #expect(why("navigator", behind).last?.contains("no node writes location/raw") == true)
  }

  @Test func `a call that no node serves, and inputs that are refused, are reported`() {
    var stack = DrawnStack()
    stack.nodes["navigator"]?.program = "nav-navigator"
    var evidence = Evidence()
    evidence.calls = ["nav-navigator": ["route/calculate", "route/return"]]
    func lines() -> [String] {
      Explanation(node: "navigator", in: stack.picture, evidence: evidence).lines
    }
    #expect(lines().last?.contains("no node serves route/calculate") == true)
    stack.nodes["router"] = DrawnStack.Node(serves: ["route/calculate"])
    #expect(lines().last == "it has no fault, and its inputs are healthy")
    stack.nodes["navigator"]?.reads["location/matched"] = WireSubscriptionStatus(
      received: 10, refused: 9, health: .ok, expectHz: 1)
    #expect(
      lines().contains("  its input location/matched is received, but 9 of 10 messages are refused")
    )
  }

  @Test func `the clock, the session, the map and the end of a source are looked at`() throws {
    var stack = DrawnStack()
    func reported(_ evidence: Evidence) -> String {
      Explanation(node: "navigator", in: stack.picture, evidence: evidence).lines.last ?? ""
    }
    var paused = Evidence()
    paused.ingest(nil, "_clock", StackClock(nowNs: 0, rate: 1, paused: true, run: 1).encoded())
    #expect(reported(paused).contains("time was paused"))
    var held = Evidence()
    held.ingest(
      "ego", "session",
      Session(id: "s", state: .paused, mode: .car, startedNs: 0).encoded())
    #expect(reported(held).contains("guidance of ego is paused"))
    var lost = Evidence()
    for _ in 0..<3 {
      var location = LocationMatched(state: .noMatch)
      location.reason = .noMapData
      lost.ingest("ego", "location/matched", location.encoded())
    }
    #expect(reported(lost).contains("the map of another region"))
    lost.ingest("ego", "location/matched", LocationMatched(state: .matched).encoded())
    #expect(reported(lost) == "it has no fault, and its inputs are healthy")
    lost.ingest("ego", "location/matched", [0xff])
    stack.nodes["location"]?.ageMS = 12_000
    #expect(reported(Evidence()).contains("location has written no location/raw for 12 s, after 1"))
    stack.nodes["location"]?.ageMS = 300
    stack.services = [
      ServiceReport(
        name: "navigate/start", server: "navigator", calls: 2, failures: 2, pending: 0,
        codes: ["no_route": 2], late: 0, callers: [])
    ]
    var listened = Evidence()
    #expect(reported(listened) == "it has no fault, and its inputs are healthy")
    listened.hasListened = true
    #expect(
      reported(listened).contains("navigate/start has failed each time, 2 in total: no_route"))
    // A node that is no part of the drive has no part in its troubles.
    stack.nodes["router"] = DrawnStack.Node(reads: ["traffic/flow": WireSubscriptionStatus()])
    #expect(!Explanation(node: "router", in: stack.picture, evidence: paused).deviates)
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
    var heard = RecentHeaders()
    heard.ingest(frame("location/matched", "matcher", 9, sentMS: 1_001, cause: raw))
    let torn = CauseTrail(of: event, through: heard)
    #expect(!torn.isWhole)
    #expect(torn.lines(nowNS: 2_000_000_000).last?.hasSuffix("(before this subscription)") == true)
    heard.ingest(frame("location/raw", "gps", 7, sentMS: 1_000))
    let trail = CauseTrail(of: event, through: heard)
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
    let trail = CauseTrail(of: event, through: RecentHeaders())
    #expect(trail.isWhole)
    #expect(trail.lines(nowNS: 2_004_000_000).last == words)
  }
}
