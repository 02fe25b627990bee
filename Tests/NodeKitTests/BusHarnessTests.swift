import ByteStage
import Foundations
import Messages
import NodeKit
import Stage
import Synchronization
import Testing

@testable import BusClient
@testable import BusProtocol
@testable import Harness
@testable import ZMQ

@Suite struct BusHarnessTests {
  @Test func `a stage alone on the bus reads, says, counts and answers, BUS-1`() throws {
    let stack = try TestStack()
    defer { stack.end() }
    let outside = try stack.client("outside")
    defer { outside.close() }
    #expect(
      outside.subscribe(
        ["ego/toy/out", "_node/counting/status", "_log/counting"], waitingMS: 5_000))
    let node = try stack.start(CountingStage.self, "counting", parameters: ["step": 3])
    defer { node.end() }
    let ready = try #require(outside.status { $0.state == .ready })
    #expect(ready.program == "toy-counting")
    for number: UInt8 in [1, 2] { outside.publish("ego/toy/in", [number]) }
    outside.publish("ego/toy/in", [])
    let outputs = outside.deliveries(2) { $0.leaf == "toy/out" }
    #expect(outputs.map(\.payload) == [[3], [9]])
    #expect(outputs.map(\.header.sequence) == [1, 2])
    #expect(
      outputs.last?.header.cause
        == Origin(
          topic: "toy/in", source: "outside", run: outside.configuration.run, sequence: 2))
    #expect(outside.callAndWait("toy/add", payload: [2, 3]) == .ok(payload: [5]))
    #expect(outside.callAndWait("toy/slow", payload: []) == .ok(payload: [99]))
    #expect(
      outside.callAndWait("toy/add", payload: [2])
        == .failed(code: "invalid", message: "two numbers expected", field: "numbers"))
    let status = try #require(outside.status { $0.counters["seen"] == 2 && $0.refusals.count == 2 })
    #expect(status.refusals == ["toy/in does_not_decode": 1, "toy/add out_of_range": 1])
    #expect(status.subscriptions["toy/in"]?.received == 3)
    #expect(status.publications["toy/out"]?.sent == 2)
    node.end()
    #expect(outside.status { $0.state == .stopping } != nil)
  }

  @Test func `refused messages give a line per vehicle and are all counted, LOC-7, BUS-5`() throws {
    let stack = try TestStack()
    defer { stack.end() }
    let outside = try stack.client("outside")
    defer { outside.close() }
    #expect(outside.subscribe(["_node/counting/status", "_log/counting"], waitingMS: 5_000))
    let node = try stack.start(CountingStage.self, "counting", environment: ["NAV_VEHICLE": "any"])
    defer { node.end() }
    _ = try #require(outside.status { $0.state == .ready })
    for _ in 0..<50 {
      for vehicle in ["v1", "v2"] { outside.publish("\(vehicle)/toy/in", []) }
    }
    var lines: [NodeLog] = []
    var status: NodeStatus?
    _ = outside.deliveries(1) { delivery in
      if delivery.topic == "_log/counting" {
        if let line = try? NodeLog(decoding: delivery.payload), line.level == .warning {
          lines.append(line)
        }
      } else {
        status = try? NodeStatus(decoding: delivery.payload)
      }
      return status?.refusals["toy/in does_not_decode"] == 100
    }
    #expect(lines.map(\.text) == ["v1/toy/in: empty", "v2/toy/in: empty"])
    #expect(lines.map(\.vehicle) == ["v1", "v2"])
    let refused = try #require(status?.refused.first)
    #expect(refused.byVehicle == ["v1": 50, "v2": 50] && refused.count == 100)
    #expect(refused.text == "empty" && refused.topic == "toy/in")
  }

  @Test func `what answers a call, a reply or a tick says so in its header, LOC-1`() throws {
    let stack = try TestStack()
    defer { stack.end() }
    let outside = try stack.client("outside")
    defer { outside.close() }
    #expect(outside.subscribe(["ego/toy/"], waitingMS: 5_000))
    let counting = try stack.start(CountingStage.self, "counting")
    defer { counting.end() }
    #expect(outside.callAndWait("toy/add", payload: [9, 9]) == .ok(payload: [18]))
    let reported = try #require(outside.deliveries(1) { $0.leaf == "toy/out" }.first)
    #expect(
      reported.header.cause == Origin(topic: "_svc/toy/add", source: "outside", run: 0, sequence: 0)
    )
    let asking = try stack.start(CallingStage.self, "asking")
    defer { asking.end() }
    let ticking = try stack.start(ClockStage.self, "ticking")
    defer { ticking.end() }
    var causes: [String: Origin] = [:]
    _ = outside.deliveries(1) { delivery in
      causes[delivery.leaf] = delivery.header.cause
      return causes["toy/answer"] != nil && causes["toy/in"] != nil
    }
    #expect(
      causes["toy/answer"] == Origin(topic: "_svc/toy/add", source: "asking", run: 0, sequence: 0))
    #expect(causes["toy/in"] == Origin(topic: "_clock", source: "ticking", run: 0, sequence: 0))
  }

  @Test func `what a replaced map led to names the map, LOC-1, OF-2`() throws {
    let folder = try TemporaryMap()
    let stack = try TestStack()
    defer { stack.end() }
    let outside = try stack.client("outside")
    defer { outside.close() }
    #expect(outside.subscribe(["ego/toy/out"], waitingMS: 5_000))
    let node = try stack.start(
      MappedStage.self, "mapped", parameters: ["map": .string(folder.path)])
    defer { node.end() }
    try folder.replace()
    let reported = try #require(outside.deliveries(1) { $0.leaf == "toy/out" }.first)
    #expect(reported.header.cause == Origin(topic: "_map", source: "mapped", run: 0, sequence: 0))
    #expect(reported.header.cause?.words == "a replaced map of mapped")
  }

  @Test func `one process serves thousands of vehicles, each by itself, BUS-8`() throws {
    let stack = try TestStack()
    defer { stack.end() }
    let outside = try stack.client("outside")
    defer { outside.close() }
    #expect(outside.subscribe(["*/toy/out"], waitingMS: 5_000))
    let node = try stack.start(CountingStage.self, "counting", environment: ["NAV_VEHICLE": "any"])
    defer { node.end() }
    let vehicles = 3_000
    for (given, sum) in [(UInt8(1), UInt8(1)), (2, 3), (3, 6)] {
      for vehicle in 0..<vehicles { outside.publish("car\(vehicle)/toy/in", [given]) }
      let outputs = outside.deliveries(vehicles) { $0.leaf == "toy/out" }
      #expect(Set(outputs.map(\.topic)).count == vehicles)
      #expect(outputs.allSatisfy { $0.payload == [sum] })
    }
  }

  @Test func `a gap is logged, and shown in the status of the node, BUS-4`() throws {
    let stack = try TestStack()
    defer { stack.end() }
    let outside = try stack.client("outside")
    defer { outside.close() }
    #expect(
      outside.subscribe(["_node/counting/status", "_log/counting"], waitingMS: 5_000))
    let node = try stack.start(CountingStage.self, "counting")
    defer { node.end() }
    _ = try #require(outside.status { $0.state == .ready })
    let push = try Socket(.push, in: try Context())
    try push.connect(stack.address.ingest)
    for number: UInt64 in [1, 2, 5] {
      let header = Header(
        sequence: number, stampNS: 1, source: "raw", run: 1,
        schema: Contract.schema(ofTopic: "toy/in"), deliveryClass: .stream)
      try push.send([Array("ego/toy/in".utf8), header.encoded(), [1]])
    }
    var isLogged = false
    var isShown = false
    _ = outside.deliveries(1) { delivery in
      if delivery.topic == "_log/counting" {
        let text = String(decoding: delivery.payload, as: UTF8.self)
        isLogged = isLogged || text.contains("ego/toy/in: 2 messages lost")
      } else if let input = (try? NodeStatus(decoding: delivery.payload))?.subscriptions["toy/in"] {
        isShown = isShown || (input.lost == 2 && input.gaps == 1)
      }
      return isLogged && isShown
    }
    #expect(isLogged)
    #expect(isShown)
  }

  @Test func `a node that comes back goes on where it was, BUS-6`() throws {
    let stack = try TestStack()
    defer { stack.end() }
    let outside = try stack.client("outside")
    defer { outside.close() }
    #expect(outside.subscribe(["ego/toy/out", "ego/guidance/"], waitingMS: 5_000))
    let first = try stack.start(CountingStage.self, "counting")
    for number: UInt8 in [1, 7] { outside.publish("ego/toy/in", [number]) }
    #expect(outside.deliveries(3) { _ in true }.map(\.payload) == [[1], [8], [8]])
    first.end()
    let second = try stack.start(CountingStage.self, "counting")
    defer { second.end() }
    outside.publish("ego/toy/in", [2])
    #expect(outside.deliveries(1) { _ in true }.map(\.payload) == [[10]])
  }

  @Test func `wake-ups follow the stack's clock, whatever its rate`() throws {
    let stack = try TestStack()
    defer { stack.end() }
    let outside = try stack.client("outside")
    defer { outside.close() }
    #expect(outside.subscribe(["ego/toy/answer"], waitingMS: 5_000))
    let server = try stack.start(CountingStage.self, "counting")
    let asking = try stack.start(CallingStage.self, "asking")
    defer {
      asking.end()
      server.end()
    }
    #expect(outside.next(waitingMS: 50) == nil, "woken before time was known")
    let start = MonotonicTime.now
    outside.publish(
      "_clock", Contract.clockPayload(now: ClockStage.day, rate: 20, isPaused: false, run: 1))
    let answers = outside.deliveries(5) { _ in true }
    #expect(answers.map(\.payload) == (1...5).map { [$0 + 1, $0] })
    // Four seconds of stack time at twenty to one.
    #expect(MonotonicTime.now.milliseconds(since: start) >= 190)
    let first = try #require(answers.first).header.stampNS
    #expect((0..<5_000_000_000).contains(first - ClockStage.day.nanoseconds))
  }

  @Test func `a source of time that comes back is woken by the time that went on`() throws {
    let stack = try TestStack()
    defer { stack.end() }
    let outside = try stack.client("outside")
    defer { outside.close() }
    #expect(outside.subscribe(["ego/toy/first"], waitingMS: 5_000))
    try stack.start(Starting.self, "starting").end()
    try stack.start(Starting.self, "starting").end()
    let stamps = outside.deliveries(2) { _ in true }.map(\.header.stampNS)
    try #require(stamps.count == 2)
    #expect(stamps[0] > 1_600_000_000 * 1_000_000_000, "the machine's time")
    #expect((0..<60_000_000_000).contains(stamps[1] - ClockStage.day.nanoseconds))
  }

  @Test func `another major version is refused by name, BUS-5`() throws {
    let stack = try TestStack()
    defer { stack.end() }
    let outside = try stack.client("outside")
    defer { outside.close() }
    #expect(outside.subscribe(["_node/reading/status"], waitingMS: 5_000))
    let node = try stack.start(Reading.self, "reading")
    defer { node.end() }
    outside.publish("ego/location/raw", [0x80], schema: "location_raw/2.0")
    let status = try #require(outside.status { $0.state == .degraded })
    #expect(status.why == "location/raw is received as location_raw/2.0, expected location_raw/1.0")
    outside.publish("ego/location/raw", [0x80], schema: "location_raw/1.7")
    #expect(outside.status { $0.state == .ready && $0.counters["read"] == 1 } != nil)
  }

  @Test func `a stage that never sleeps is slowed down, and its node says so until time goes on`()
    throws
  {
    let stack = try TestStack()
    defer { stack.end() }
    let outside = try stack.client("outside")
    defer { outside.close() }
    #expect(outside.subscribe(["_node/sleepless/status"], waitingMS: 5_000))
    let node = try stack.start(RepeatedWakeStage.self, "sleepless")
    defer { node.end() }
    outside.publish(
      "_clock", Contract.clockPayload(now: ClockStage.day, rate: 0.00001, isPaused: false, run: 1),
      schema: "clock/1.0")
    let status = try #require(outside.status { $0.state == .degraded })
    #expect(status.why?.contains("repeated wake-ups while stack time is paused") == true)
  }

  @Test func `a node is degraded while an input that it requires is not well, and says why`() throws
  {
    let stack = try TestStack()
    defer { stack.end() }
    let outside = try stack.client("outside")
    defer { outside.close() }
    #expect(outside.subscribe(["_node/needing/status"], waitingMS: 5_000))
    let node = try stack.start(RequiringStage.self, "needing", parameters: ["size": 3])
    defer { node.end() }
    func updateClock(rate: Double) {
      outside.publish(
        "_clock",
        Contract.clockPayload(now: ClockStage.day, rate: rate, isPaused: false, run: 1),
        schema: "clock/1.0")
    }
    updateClock(rate: 0.01)
    outside.publish("ego/location/raw", [0x80], schema: "location_raw/1.0")
    #expect(outside.status { $0.subscriptions["location/raw"]?.health == .ok } != nil)
    // A hundred seconds of event time each of the machine's.
    updateClock(rate: 100)
    let status = try #require(outside.status { $0.state == .degraded })
    #expect(
      status.why == "input location/raw is stale (no message for 3 s, expected every 1 s)")
    #expect((status.sinceNs ?? 0) > ClockStage.day.nanoseconds)
    #expect(status.subscriptions["location/raw"]?.health == .stale)
    #expect(status.configHash?.count == 16)
    outside.publish("ego/location/raw", [0x80], schema: "location_raw/1.0")
    #expect(outside.status { $0.state == .ready && $0.why == nil } != nil)
  }

  @Test func `the same parameters have the same hash, others another one`() throws {
    func hash(_ given: [String: ParameterValue]) throws -> String {
      NodeFigures.hash(of: try Parameters(given, declared: RequiringStage.manifest.parameters))
    }
    #expect(try hash([:]) == hash(["size": 1]))
    #expect(try hash(["size": 2]) != hash([:]))
  }

  @Test func `an attachment sees what is published, reads states, calls and injects`() throws {
    let stack = try TestStack()
    defer { stack.end() }
    let outside = try stack.client("outside")
    defer { outside.close() }
    try #require(outside.waitForBroker(timeoutMS: 5_000))
    outside.publish("ego/session", [0x80])
    let attachment = Listening()
    let node = try stack.start(CountingStage.self, "counting", attachments: [attachment])
    defer { node.end() }
    #expect(
      eventually {
        attachment.seen == ["start", "session latched", "published toy/out [5]", "call ok [7]"]
      }, "\(attachment.seen)")
    node.end()
    #expect(attachment.seen.last == "stop")
  }

  @Test func `wrong parameters are refused with their names`() {
    let error = #expect(throws: StageFailure.self) {
      try Parameters(["stepp": 1, "step": 1_000], declared: CountingStage.manifest.parameters)
    }
    #expect(error?.message.contains("unknown parameter \"stepp\"") == true)
    #expect(error?.message.contains("step: 1000 is out of range") == true)
  }
}

/// Reads real topics.
private struct Reading: ByteStage {
  static let manifest = Manifest(name: "toy-reading", about: "Reads.", inputs: ["location/raw"])
  static func load(_ parameters: Parameters) throws(StageFailure) {}
  init(vehicle: String, shared: Void) {}
  mutating func handle(_ event: EncodedEvent) throws(Refusal) -> [EncodedOutput] {
    if case .message = event { [.count("read", 1)] } else { [] }
  }
}

/// Cannot do without fixes.
private struct RequiringStage: ByteStage {
  static let manifest = Manifest(
    name: "toy-needing", about: "Needs.",
    parameters: [ParameterDeclaration("size", .int, default: 1, "Of what it does.")],
    inputs: ["location/raw"], requires: ["location/raw"])
  static func load(_ parameters: Parameters) throws(StageFailure) {}
  init(vehicle: String, shared: Void) {}
  mutating func handle(_ event: EncodedEvent) throws(Refusal) -> [EncodedOutput] { [] }
}

/// Sets the clock to the day, and says with which time it was woken.
private struct Starting: ByteStage {
  static let manifest = Manifest(
    name: "toy-starting", about: "Starts.", outputs: ["_clock", "toy/first"])
  static func load(_ parameters: Parameters) throws(StageFailure) {}
  init(vehicle: String, shared: Void) {}
  mutating func handle(_ event: EncodedEvent) throws(Refusal) -> [EncodedOutput] {
    guard case .wake(let now) = event else { return [] }
    return [
      .publish(topic: "toy/first", stamp: now, payload: []),
      .setClock(now: ClockStage.day, rate: 1, isPaused: false, run: 1),
    ]
  }
}

private final class Listening: NodeAttachment {
  private let words = Mutex<[String]>([])
  var seen: [String] { words.withLock { $0 } }
  private func record(_ word: String) { words.withLock { $0.append(word) } }

  func start(_ node: any NodeHandle) throws(StageFailure) {
    record("start")
    handle.withLock { $0 = node }
    node.subscribe(["session"]) { [self] _, message in
      record("\(message.topic) \(message.isLatched ? "latched" : "live")")
      node.inject(
        .message(
          EncodedMessage(
            topic: "toy/in", stamp: message.stamp, source: "x", run: 1, sequence: 1, payload: [5])),
        vehicle: "ego")
    }
  }

  func didPublish(_ message: PublishedMessage) {
    record("published \(message.topic) \(message.payload)")
    handle.withLock { $0 }?.call("toy/add", payload: [3, 4], timeoutMS: 1_000, vehicle: "ego") {
      [self] outcome in
      if case .ok(let payload) = outcome { record("call ok \(payload)") }
    }
  }

  func stop() { record("stop") }
  private let handle = Mutex<(any NodeHandle)?>(nil)
}
