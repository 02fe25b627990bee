import Foundations
import MessagePack
import Testing

@testable import Broker
@testable import BusClient
@testable import BusProtocol
@testable import ZMQ

@Suite struct FrameTests {
  @Test func `a header comes back as it went`() throws {
    let header = Header(
      sequence: 7, stampNS: -5, source: "matcher", run: 12, schema: "location_matched/1.0",
      cause: Origin(topic: "location/raw", source: "gpx", run: 3, sequence: 41), key: "k",
      id: "abc", ttlMS: 500, nextMS: 1_000, isLatched: true, wallNS: 99, deliveryClass: .event)
    #expect(try Header(decoding: header.encoded()) == header)
    let bare = Header(sequence: 1, stampNS: 0, source: "a", run: 1, schema: "")
    #expect(try Header(decoding: bare.encoded()) == bare)
  }

  @Test func `a header without a number, a source or a run is refused`() {
    for missing in ["seq", "stamp", "src", "run", "schema"] {
      var packer = Packer()
      let keys: [StaticString] = ["seq", "stamp", "src", "run", "schema"]
      packer.packMapHeader(4)
      for key in keys where "\(key)" != missing {
        packer.pack(key)
        if key.utf8CodeUnitCount == 6 || "\(key)" == "src" {
          packer.pack("text")
        } else {
          packer.pack(UInt64(1))
        }
      }
      let bytes = packer.bytes
      #expect(throws: DecodeError.self, "\(missing)") { try Header(decoding: bytes) }
    }
  }

  @Test(arguments: [
    ("ego/location/raw", true), ("_clock", true), ("_node/matcher/status", true),
    ("car-7.b/x", true), ("ego", false), ("", false), ("_", false), ("ego/", false),
    ("/ego", false), ("ego//x", false), ("Ego/x", false), ("ego/x y", false), ("ego/é", false),
    ("-car/x", false),
  ])
  func `a topic's name is checked`(name: String, isValid: Bool) {
    #expect(TopicName.isValid(name) == isValid)
  }

  @Test func `names are bounded`() {
    #expect(!TopicName.isValid("v/" + String(repeating: "a", count: 199)))
    #expect(TopicName.isValid("v/" + String(repeating: "a", count: 198)))
    #expect(!TopicName.isValid(String(repeating: "v", count: 64) + "/a"))
    #expect(TopicName.isValid(String(repeating: "v", count: 63) + "/a"))
  }

  @Test func `an ipc path over 107 bytes is refused with its length`() throws {
    let fitting = "ipc:///" + String(repeating: "d", count: 98)
    #expect(try BusAddress(fitting).control.utf8.count == 6 + 107)
    let error = #expect(throws: BusAddress.Invalid.self) { try BusAddress(fitting + "d") }
    #expect(error?.description.contains("has 108 bytes") == true)
  }

  @Test func `tcp takes three ports in a row, and only where insecure is written, BUS-9`() throws {
    let address = try BusAddress("tcp://127.0.0.1:7400", isInsecureAllowed: true)
    #expect(address.ingest == "tcp://127.0.0.1:7400")
    #expect(address.egress == "tcp://127.0.0.1:7401")
    #expect(address.control == "tcp://127.0.0.1:7402")
    let error = #expect(throws: BusAddress.Invalid.self) { try BusAddress("tcp://127.0.0.1:7400") }
    #expect(error?.description.contains("insecure: yes") == true)
    #expect(throws: BusAddress.Invalid.self) {
      try BusAddress("tcp://host", isInsecureAllowed: true)
    }
    #expect(throws: BusAddress.Invalid.self) { try BusAddress("udp://host:1") }
  }

  @Test func `a hundred thousand malformed frames are counted and leave the core whole, BUS-5`() {
    var random = SplitMix64(seed: 7)
    var core = BrokerCore(run: 1)
    let good = Frame(
      topic: "ego/a", header: Header(sequence: 1, stampNS: 0, source: "s", run: 1, schema: ""),
      payload: []
    ).parts
    var accepted = 0
    for _ in 0..<100_000 {
      var parts = good
      switch UInt8.random(in: 0...4, using: &random) {
      case 0: parts = randomParts(&random)
      case 1: parts[0] = randomBytes(&random)
      case 2: parts[1] = randomBytes(&random)
      case 3: parts[1][Int.random(in: 0..<parts[1].count, using: &random)] ^= 1 << 7
      default: parts[1].removeLast(Int.random(in: 1...4, using: &random))
      }
      core.ingest(Message(parts), now: MonotonicTime(nanoseconds: 0))
      core.control(parts, now: MonotonicTime(nanoseconds: 0))
      core.subscription(parts, lane: EgressSet.plainNumber)
      accepted += core.outgoing.filter { if case .egress = $0 { true } else { false } }.count
      core.outgoing = []
    }
    let refused = core.counters.filter {
      [
        "malformed_part_count", "malformed_topic", "malformed_header", "malformed_mark",
        "stale_run",
      ]
      .contains($0.key)
    }.values.reduce(0, +)
    #expect(Int(refused) + accepted == 100_000)
    #expect(refused > 90_000)
    core.ingest(Message(good), now: MonotonicTime(nanoseconds: 0))
    #expect(core.outgoing == [.egress(Message(good), .shared)])
  }

  @Test func `a broker that is sent garbage on every socket goes on, BUS-5`() throws {
    let broker = try TestBroker(try freshAddress())
    defer { broker.end() }
    var random = SplitMix64(seed: 3)
    let raw = try RawPublisher(broker.address, source: "raw")
    let dealer = try Socket(.dealer, in: try Context())
    try dealer.connect(broker.address.control)
    for _ in 0..<2_000 {
      try raw.send(parts: randomParts(&random))
      try dealer.send(randomParts(&random))
    }
    let reader = try client("reader", at: broker.address)
    defer { reader.close() }
    #expect(reader.subscribe(["ego/"], waitingMS: 5_000))
    try raw.send("ego/test/stream", 1)
    #expect(reader.messages(1).count == 1)
    #expect((reader.busCounters()?["malformed_control"] ?? 0) > 1_900)
  }

  private func randomBytes(_ random: inout SplitMix64) -> [UInt8] {
    (0..<Int.random(in: 0...40, using: &random)).map { _ in .random(in: 0...255, using: &random) }
  }

  private func randomParts(_ random: inout SplitMix64) -> [[UInt8]] {
    (0..<Int.random(in: 1...20, using: &random)).map { _ in randomBytes(&random) }
  }
}
