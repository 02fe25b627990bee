import MessagePack
import Testing

@testable import Broker
@testable import BusClient
@testable import BusProtocol
@testable import ZMQ

@Suite struct VehicleListTests {
  @Test(
    arguments: [
      ("", "*"), ("*/scene/frame", "*"), ("car7/scene/frame", "car7"), ("car7/scene/", "car7"),
      ("car7/", "car7"), ("*/scene/settings", nil), ("car7/route/active", nil), ("_node/", nil),
      ("_clock", nil), ("car7/scene/frames", nil),
    ] as [(String, String?)])
  func `a subscription names the vehicle of which it reads a topic, RN-9`(
    pattern: String, vehicle: String?
  ) {
    #expect(TopicName.vehicle(of: pattern, reading: ["scene/frame"]) == vehicle)
  }

  @Test(
    arguments: [
      ("", "*"), ("car", "*"), ("car7/", "car7"), ("car7/sce", "car7"),
      ("car7/scene/frame", "car7"),
      ("car7/scene/frames", nil), ("car7/route", nil), ("_log/", nil),
    ] as [(String, String?)])
  func `so does that of a plain socket, which takes what begins so, RN-9`(
    beginning: String, vehicle: String?
  ) {
    #expect(TopicName.vehicle(ofBeginning: beginning, reading: ["scene/frame"]) == vehicle)
  }

  @Test func `the broker lists readers without the one that asks, and vehicles by age, RN-9`() {
    var drawn = BrokerCoreFixture()
    for (peer, patterns) in [
      ("renderer", ["*/scene/frame"]), ("screen", ["car7/scene/frame", "car7/route/active"]),
      ("logger", ["_log/"]),
    ] {
      drawn.say(ControlMessage.Register(name: peer, run: 1, subscribes: patterns), as: peer)
    }
    drawn.core.subscription([[1] + Array("car9/scene/frame".utf8)], lane: EgressSet.plainNumber)
    #expect(drawn.readers(of: ["scene/frame"], as: "renderer") == ["car7", "car9"])
    #expect(drawn.readers(of: ["scene/frame"], as: "logger") == ["*"])
    drawn.core.subscription([[0] + Array("car9/scene/frame".utf8)], lane: EgressSet.plainNumber)
    #expect(drawn.readers(of: ["scene/frame"], as: "renderer") == ["car7"])

    let frame = Frame(
      topic: "car1/m", header: Header(sequence: 1, stampNS: 0, source: "x", run: 1, schema: ""),
      payload: [])
    drawn.core.ingest(Message(frame.parts), now: drawn.now)
    drawn.pass(ms: 5_000)
    let later = Frame(
      topic: "car2/m", header: Header(sequence: 1, stampNS: 0, source: "x", run: 1, schema: ""),
      payload: [])
    drawn.core.ingest(Message(later.parts), now: drawn.now)
    #expect(drawn.core.vehicles(heardSince: nil, now: drawn.now) == ["car1", "car2"])
    #expect(drawn.core.vehicles(heardSince: 1_000, now: drawn.now) == ["car2"])
  }

  @Test func `what a topic published while nobody subscribed is not missing, RN-9`() {
    var reception = Reception(table: TopicTable([TopicTraits("m", .stream)]))
    func live(_ sequence: UInt64) {
      reception.live(
        Frame(
          topic: "v/m",
          header: Header(sequence: sequence, stampNS: 0, source: "x", run: 1, schema: ""),
          payload: []), now: MonotonicTime(nanoseconds: 0))
    }
    _ = reception.subscribe(["v/m"])
    live(1)
    _ = reception.unsubscribe(["v/m"], forgets: true)
    live(2)
    _ = reception.subscribe(["v/m"])
    live(9)
    #expect(reception.counters["v/m"]?.received == 2)
    #expect(reception.counters["v/m"]?.lost == 0)
  }
}

extension BrokerCoreFixture {
  fileprivate mutating func readers(of leaves: [String], as peer: String) -> [String] {
    _ = sent()
    say(ControlMessage.List(token: 1, patterns: leaves, what: "readers"), as: peer)
    guard case .listing(let listing)? = sent(to: peer).last else { return [] }
    return listing.vehicles
  }
}
