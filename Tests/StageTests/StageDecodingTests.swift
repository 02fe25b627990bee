import Foundations
import Messages
import Stage
import Testing

/// Keeps its events; reads each topic in the given form.
private struct KeepingStage: Stage {
  static let manifest = Manifest(name: "toy-keeping", about: "Keeps.")

  var interests: [Topics.Name: TopicInterest] = [:]
  var calls: [UInt64: Calls.Name] = [:]
  var events: [StageEvent] = []
  var outputs: [StageOutput] = []

  static func load(_ parameters: Parameters) throws(StageFailure) {}
  init(vehicle: String = "ego", shared: Void = ()) {}

  func interest(in topic: Topics.Name) -> TopicInterest { interests[topic] ?? .value }
  func call(of token: UInt64) -> Calls.Name? { calls[token] }

  mutating func handle(_ event: StageEvent) throws(Refusal) -> [StageOutput] {
    events.append(event)
    return outputs
  }
}

/// What is decoded for a stage, in which form, and what is refused in its place.
@Suite struct StageDecodingTests {
  private let stamp = Instant(seconds: 5)
  private let raw = LocationRaw(latDeg: 47, lonDeg: 9)

  private func message(_ topic: String, _ payload: [UInt8], key: String? = nil) -> EncodedEvent {
    .message(
      EncodedMessage(
        topic: topic, stamp: stamp, source: "car", run: 2, sequence: 3, key: key, isLatched: true,
        payload: payload))
  }

  private func inbound(_ value: TopicValue) -> StageEvent {
    .message(
      Inbound(value, stamp: stamp, source: "car", run: 2, sequence: 3, isLatched: true))
  }

  @Test func `a message is a value, with all that its header says`() throws {
    var stage = KeepingStage()
    _ = try stage.receive(message("location/raw", raw.encoded()))
    #expect(stage.events == [inbound(.locationRaw(raw))])
  }

  @Test func `what does not decode is refused with topic and field, and is not delivered`() {
    var stage = KeepingStage()
    let refusal = #expect(throws: Refusal.self) {
      try stage.receive(message("location/raw", [0x80]))
    }
    #expect(refusal?.reason == "missing_field" && refusal?.field == "lat_deg")
    #expect(refusal?.message.hasPrefix("location/raw: ") == true)
    let call = EncodedCall(id: "c", name: "map/fetch", stamp: stamp, payload: [0xc1])
    let second = #expect(throws: Refusal.self) { try stage.receive(.call(call)) }
    #expect(second?.message.hasPrefix("map/fetch: ") == true)
    #expect(stage.events.isEmpty)
  }

  @Test func `a topic is decoded only as far as the stage is interested`() throws {
    var stage = KeepingStage()
    let garbage: [UInt8] = [0xc1]
    stage.interests[.locationRaw] = .nothing
    #expect(try stage.receive(message("location/raw", garbage)).isEmpty)
    #expect(stage.events.isEmpty)
    stage.interests[.locationRaw] = .bytes
    _ = try stage.receive(message("location/raw", garbage))
    _ = try stage.receive(message("own/topic", garbage))
    #expect(
      stage.events == [
        inbound(.bytes(topic: "location/raw", garbage)),
        inbound(.bytes(topic: "own/topic", garbage)),
      ])
  }

  @Test func `a deleted key is delivered only to a stage that expects deletions`() throws {
    var stage = KeepingStage()
    #expect(throws: Refusal.self) { try stage.receive(message("traffic/flow", [])) }
    stage.interests[.trafficFlow] = .valueOrDeletion
    _ = try stage.receive(message("traffic/flow", []))
    #expect(stage.events == [inbound(.deleted(.trafficFlow))])
  }

  @Test func `a reply is decoded as that of the call of its token`() throws {
    var stage = KeepingStage()
    stage.calls = [1: .mapFetch, 2: .routeTraffic]
    let reply = MapFetchReply(regions: ["a"])
    for token in [1, 2, 3] as [UInt64] {
      let outcome = EncodedOutcome.ok(payload: reply.encoded())
      _ = try stage.receive(.reply(token: token, stamp: stamp, outcome: outcome))
    }
    let outcomes = stage.events.compactMap { event -> CallOutcome? in
      if case .reply(_, _, let outcome) = event { outcome } else { nil }
    }
    try #require(outcomes.count == 3)
    #expect(outcomes[0] == .ok(.mapFetch(reply)))
    guard case .failed(let error) = outcomes[1] else { return #expect(Bool(false)) }
    #expect(error.code == "internal" && error.message.hasPrefix("The router's answer: "))
    #expect(outcomes[2] == .ok(.bytes(reply.encoded())))
  }

  @Test func `outputs are encoded once, those of work when it has ended`() throws {
    var stage = KeepingStage()
    let output = StageOutput.publish(.locationRaw(raw), stamp: stamp, key: "k", ttlMS: 7)
    stage.outputs = [
      output, .work(callID: nil) { [output] },
      .publish(.deleted(.trafficFlow), stamp: stamp, key: "feed"),
      .promise(.locationRaw, nextS: 2),
      .call(.mapFetch(MapFetchRequest(name: "a")), timeoutMS: 9, token: 4),
    ]
    let encoded = try stage.receive(.wake(now: stamp))
    try #require(encoded.count == 5)
    guard case .work(nil, let body) = encoded[1] else { return #expect(Bool(false)) }
    for published in [encoded[0]] + body() {
      guard case .publish("location/raw", stamp, let payload, "k", 7, nil) = published else {
        return #expect(Bool(false))
      }
      #expect(payload == raw.encoded())
    }
    guard case .publish("traffic/flow", stamp, [], "feed", nil, nil) = encoded[2],
      case .promise("location/raw", 2) = encoded[3],
      case .call("map/fetch", let request, 9, 4) = encoded[4]
    else { return #expect(Bool(false)) }
    #expect(request == MapFetchRequest(name: "a").encoded())
  }
}
