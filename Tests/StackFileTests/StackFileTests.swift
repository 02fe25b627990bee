import Foundation
import StackFile
import Testing

@Suite struct StackFileTests {
  private func problems(_ yaml: String) -> [String] {
    StackFile.parse(yaml).problems.inOrder.map { $0.text(file: "s.yaml") }
  }

  @Test func `a whole file is read`() throws {
    let (stack, problems) = StackFile.parse(
      """
      stack: demo
      clock: sim
      vehicles: [ego, van-2]
      map: town.osm
      defaults: {ready: 30s, watchdog: 7s, stop: 2s, limits: {memory: 1GiB}}
      nodes:
        matcher:
          run: nav-map-matcher --fast 'two words'
          args: [-v]
          params: {max_snap_m: 40}
          after: [voice]
          ready: {within: 500 ms}
        voice:
          run: python3 voice.py
          required: false
          ready: {log: "listening"}
          restart: {on: always, first: 1s, max: 5s, give_up: {times: 3, within: 2 min}}
          env: {A: b}
      external: [traffic/]
      start:
        - navigate/start: {to: {lat_deg: 1, lon_deg: 2.5}}
      expect:
        - {topic: location/matched, rate: ">= 0.5 Hz", age: <= 3 s, lost: 0, within: 10s}
      until: {topic: guidance/arrival, where: {event: destination_reached}}
      """)
    #expect(problems.isEmpty, "\(problems)")
    let read = try #require(stack)
    #expect(read.clock == .sim)
    #expect(read.vehicles == ["ego", "van-2"])
    let matcher = try #require(read.node("matcher"))
    #expect(matcher.run.value == ["nav-map-matcher", "--fast", "two words"])
    #expect(matcher.policy.readyWithinS == 0.5)
    #expect(matcher.policy.watchdogS == 7)
    #expect(matcher.policy.memoryBytes == 1 << 30)
    let voice = try #require(read.node("voice"))
    #expect(!voice.isRequired)
    #expect(voice.policy.readiness == .log("listening"))
    #expect(voice.policy.watchdogS == nil)
    #expect(voice.policy.giveUpWithinS == 120)
    #expect(read.expectations[0].rate == Bound(.atLeast, 0.5, .hertz))
    #expect(read.expectations[0].lost == Bound(.equal, 0, .messages))
    #expect(read.until?.fields.count == 1)
  }

  @Test func `an unknown key is named with its place and the nearest that is known`() {
    #expect(
      problems("stack: s\nnodes:\n  a:\n    run: x\n    requird: no\n") == [
        "s.yaml:5:5: error: nodes.a: unknown key \"requird\" "
          + "(did you mean \"required\": true or false?)"
      ])
  }

  @Test func `all errors come at once`() {
    #expect(
      problems("stack: S!\nnodes: {a: {run: x, stop: soon}}\nclock: liv\n") == [
        "s.yaml:1:8: error: stack: expected a name of a-z 0-9 . _ - with at most 63 characters, "
          + "found \"S!\"",
        "s.yaml:2:27: error: nodes.a.stop: expected a time such as 5s, 500 ms, 2 min, "
          + "found \"soon\"",
        "s.yaml:3:8: error: clock: expected live | sim | replay, found \"liv\" "
          + "(did you mean \"live\"?)",
      ])
  }

  @Test(arguments: [
    ("", "the file is empty"),
    ("# nothing\n", "the file is empty"),
    ("- a\n- b\n", "expected a map with a name and nodes, found a list"),
    ("just words", "expected a map"),
    ("stack: [", "this is not YAML"),
    ("\tstack: s", "this is not YAML"),
    ("stack: s\nstack: t\nnodes: {a: {run: x}}", "the key \"stack\" is given twice"),
    ("stack: s", "\"nodes\" is missing"),
    ("stack: s\nnodes: {}", "a stack needs at least one node"),
    ("stack: s\nnodes: {a: {params: {}}}", "\"run\" is missing"),
    ("stack: s\nnodes: {A b: {run: x}}", "cannot name a node"),
    ("stack: s\nnodes: {a: {run: \"'x\"}}", "a quotation mark is not closed"),
    ("stack: s\nnodes: {a: {run: x, ready: {log: \"(\"}}}", "is not a regular expression"),
    ("stack: s\nnodes: {a: {run: x}}\nstart: [{a: {}, b: {}}]", "expected one call"),
    ("stack: s\nnodes: {navlaunch: {run: x}}", "cannot name a node"),
    (
      "stack: s\nnodes: {a: {run: x, replicas: 0}}",
      "expected a whole number from 1 to 62, found \"0\""
    ),
    ("stack: s\nnodes: {a: {run: x, replicas: 64}}", "expected a whole number from 1 to 62"),
    ("stack: s\nnodes: {a: {run: x, replica: 4}}", "(did you mean \"replicas\":"),
    ("stack: s\nnodes: {a: {run: x, shard: vehicle}}", "\"shard\" needs \"replicas\""),
    ("stack: s\nnodes: {a: {run: x, replicas: 2, shard: vehicel}}", "(did you mean \"vehicle\"?)"),
    ("stack: s\nnodes: {a: {run: x, replicas: 2}, a.1: {run: x}}", "is a name of replicas of a"),
    ("stack: s\nnodes: {a: {run: x, replicas: 40}, b: {run: x, replicas: 40}}", "at most 62"),
    ("stack: s\nnodes: {a: {run: x, follow: true}}", "\"follow\" needs \"after\""),
    ("stack: s\nnodes: {a: {run: x, nice: 20}}", "expected a whole number from -20 to 19"),
    ("stack: s\nnodes: {a: {run: x, cpus: [2-1]}}", "expected processors such as 3 or 2-5"),
    ("stack: s\nnodes: {a: {run: x, cpus: 2}}", "expected a list"),
    ("stack: s\nrecord: {}\nnodes: {a: {run: x}}", "\"to\" is missing"),
    (
      "stack: s\nrecord: {to: \"a-{strat}.mcap\"}\nnodes: {a: {run: x}}",
      "(did you mean \"{start}\"?)"
    ),
    ("stack: s\nrecord: {to: a, topics: [Big/one]}\nnodes: {a: {run: x}}", "found \"Big/one\""),
    ("stack: s\nrecord: {to: a, topic: [x]}\nnodes: {a: {run: x}}", "(did you mean \"topics\":"),
    ("stack: s\nrecord: {to: a, split: {every: soon}}\nnodes: {a: {run: x}}", "expected a time"),
    ("stack: s\nrecord: {to: a, keep: many}\nnodes: {a: {run: x}}", "expected a size"),
    ("stack: s\nlog: {format: xml}\nnodes: {a: {run: x}}", "expected text | json"),
  ])
  func `what is no stack gets one clear sentence`(yaml: String, expected: String) {
    let found = problems(yaml)
    #expect(found.count == 1)
    #expect(found.first?.contains(expected) ?? false, "\(found)")
  }

  @Test func `replicas, shares of the machine and a recording are read`() throws {
    let (stack, problems) = StackFile.parse(
      """
      stack: demo
      nodes:
        m: {run: x, replicas: 3, shard: vehicle, cpus: [0, 2-3], nice: 5}
        v: {run: x, after: [m], follow: true}
        w: {run: x, replicas: 1}
      record:
        to: recordings/{stack}-{start}.mcap
        topics: ["*", "!location/raw", "!_log/"]
        split: {every: 10min, size: 1GiB}
        keep: 50 GiB
      """)
    #expect(problems.isEmpty, "\(problems)")
    let read = try #require(stack)
    #expect(
      read.nodes.processes == [
        StackProcess(name: "m.0", node: "m", lane: 1),
        StackProcess(name: "m.1", node: "m", lane: 2),
        StackProcess(name: "m.2", node: "m", lane: 3), StackProcess(name: "v", node: "v"),
        StackProcess(name: "w.0", node: "w", lane: 4),
      ])
    #expect(read.nodes[0].policy.processors.map(\.value) == [0...0, 2...3])
    #expect(read.nodes[0].policy.niceness?.value == 5)
    #expect(read.nodes[1].follows)
    let record = try #require(read.record)
    #expect(
      record.path(stack: "demo", start: "20260801-120338") == "recordings/demo-20260801-120338.mcap"
    )
    #expect(record.topics.map(\.value) == ["*", "!location/raw", "!_log/"])
    #expect(record.splitEveryS == 600)
    #expect(record.keepBytes == 50 << 30)
  }

  @Test(arguments: [
    "a: &a [x]\nb: {? *a : 1}", "a: &a [x]\n? *a\n: 1", "a: &a [x]\n*a : 1", "a: &a [x]\n[*a]: 1",
    "a: &a [x]\n{b: *a}: 1", "? [a, b]\n: 1",
  ])
  func `a key that is no word is refused before it is read`(yaml: String) {
    #expect(problems(yaml).contains { $0.contains("a key must be a plain word") })
  }

  @Test func `quotes, comments, block texts and merged maps hold no odd keys`() {
    let found = problems(
      """
      x-shared: &shared {restart: never}
      stack: demo  # what [*is]: this?
      nodes:
        a: {<<: *shared, run: "x [*y]: ? *z", env: {A: 'it''s [b]: c'}}
        b:
          <<: *shared
          run: >
            word
            ? *no
            [*key]: here
      """)
    #expect(!found.contains { $0.contains("a key must be a plain word") })
    #expect(!found.contains { $0.contains("x-shared") })
  }

  @Test func `the environment is put in anywhere, and what it has not is named`() {
    let yaml = """
      stack: demo
      log: {to: "${env:WHERE}/run.log"}
      nodes: {a: {run: x, args: ["${env:WORD}"], params: {rate: "${env:RATE}"}}}
      """
    let (stack, problems) = StackFile.parse(yaml, environment: ["WHERE": "/logs", "RATE": "2"])
    #expect(stack?.log.file?.value == "/logs/run.log")
    #expect(problems.map(\.message).contains("the environment variable WORD is not set"))
    #expect(problems.map(\.path).contains("nodes.a.args[0]"))
  }

  @Test func `aliases that explode are refused`() {
    let levels = (1...12).map { level in
      "l\(level): &l\(level) [\(Array(repeating: "*l\(level - 1)", count: 9).joined(separator: ", "))]"
    }
    let found = problems("l0: &l0 x\n" + levels.joined(separator: "\n"))
    #expect(found.first?.contains("too large") ?? false, "\(found)")
  }

  @Test(arguments: 0..<200)
  func `damaged files never crash the reader`(seed: Int) {
    let text = """
      stack: demo
      nodes: {a: {run: "x y", params: {k: [1, 2]}, ready: {log: z}}}
      expect: [{topic: a/b, rate: ">= 1 Hz"}]
      """
    var bytes = Array(text.utf8)
    var state = UInt64(seed + 1)
    for _ in 0..<3 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let index = Int(state >> 33) % bytes.count
      bytes[index] = UInt8(truncatingIfNeeded: state >> 17) & 0x7f
    }
    let (stack, problems) = StackFile.parse(String(decoding: bytes, as: UTF8.self))
    #expect(stack != nil || problems.hasErrors)
  }

  @Test func `the schema in Launch is the one of the program`() throws {
    let root = (#filePath as NSString).resolvingSymlinksInPath
      .split(separator: "/").dropLast(3).joined(separator: "/")
    let committed = try String(contentsOfFile: "/\(root)/Launch/stack.schema.json", encoding: .utf8)
    #expect(committed == StackSchema.text, "run navlaunch --schema > Launch/stack.schema.json")
  }
}
