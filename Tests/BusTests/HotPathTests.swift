import Foundations
import Glibc
import MessagePack
import Synchronization
import Testing

@testable import Broker
@testable import BusClient
@testable import BusProtocol
@testable import ZMQ

@Suite struct HotPathTests {
  @Test func `the scan of a header and its decoding take and refuse the same, BUS-5`() {
    var random = SplitMix64(seed: 11)
    var full = Header(
      sequence: 7, stampNS: -5, source: "matcher", run: 1 << 40, schema: "location_matched/1.0",
      cause: Origin(topic: "location/raw", source: "gpx", run: 3, sequence: 41), key: "k\u{e9}",
      id: "abc", ttlMS: 500, nextMS: 15_000, isLatched: true, wallNS: 1 << 60, deliveryClass: .event
    )
    var agreements = [0, 0]
    for round in 0..<200_000 {
      full.sequence = UInt64.random(in: 0...300, using: &random)
      let bare = Header(sequence: 1, stampNS: 0, source: "a", run: 1, schema: "")
      var bytes = (round % 4 == 0 ? bare : full).encoded()
      switch round % 5 {
      case 0: break
      case 1: bytes.removeLast(Int.random(in: 1...bytes.count - 1, using: &random))
      case 2: bytes.append(UInt8.random(in: 0...255, using: &random))
      default:
        for _ in 0..<Int.random(in: 1...3, using: &random) {
          bytes[Int.random(in: 0..<bytes.count, using: &random)] =
            UInt8.random(in: 0...255, using: &random)
        }
      }
      let decoded = try? Header(decoding: bytes)
      let scanned = bytes.withUnsafeBytes { HeaderScan($0).map { Header($0) } }
      guard decoded == scanned else {
        Issue.record("round \(round): \(bytes) is \(String(describing: decoded)) to one only")
        return
      }
      agreements[decoded == nil ? 0 : 1] += 1
    }
    #expect(agreements[0] > 20_000 && agreements[1] > 20_000)
  }

  @Test func `a header's unknown keys may hold anything, nested 32 deep and no deeper`() throws {
    for (depth, isTaken) in [(1, true), (31, true), (32, false), (60, false)] {
      var bytes = Header(sequence: 1, stampNS: 0, source: "a", run: 1, schema: "").encoded()
      bytes[0] += 1
      bytes += [0xa3] + Array("new".utf8) + [UInt8](repeating: 0x91, count: depth) + [0xc0]
      let decoded = try? Header(decoding: bytes)
      #expect((decoded != nil) == isTaken, "depth \(depth)")
      #expect(bytes.withUnsafeBytes { HeaderScan($0) != nil } == isTaken, "depth \(depth)")
    }
  }

  @Test func `names get numbers in the order in which they come, however many there are`() {
    var index = NameIndex()
    func number(_ name: String) -> Int? { Array(name.utf8).withUnsafeBytes(index.number(of:)) }
    for count in 0..<5_000 {
      #expect(number("car\(count)/route/active") == nil)
      let added = Array("car\(count)/route/active".utf8).withUnsafeBytes { index.add($0) }
      #expect(added == count)
    }
    for count in 0..<5_000 { #expect(number("car\(count)/route/active") == count) }
    #expect(number("") == nil)
  }

  @Test func `a lane hears what is the system's, and a vehicle's messages go to the shared one`()
    throws
  {
    var core = BrokerCore(run: 1)
    let now = MonotonicTime(nanoseconds: 0)
    core.openLane(2)
    core.openLane(2)
    core.openLane(EgressSet.last + 1)
    let header = Header(sequence: 1, stampNS: 0, source: "s", run: 1, schema: "")
    let clock = Message(Frame(topic: "_clock", header: header, payload: []).parts)
    let fix = Message(Frame(topic: "ego/location/raw", header: header, payload: []).parts)
    core.ingest(clock, now: now)
    core.ingest(fix, now: now)
    core.closeLane(2)
    #expect(
      core.outgoing == [
        .openLane(2), .egress(clock, [.shared, .lane(2)]), .egress(fix, .shared), .closeLane(2),
      ])
    #expect(core.openLanes == .shared)
  }

  @Test func `a lane's address follows the shared one's`() throws {
    let local = try BusAddress("ipc:///run/bus")
    #expect(local.egress(lane: 0) == "ipc:///run/bus/out.0")
    #expect(local.egress(lane: EgressSet.plainNumber) == local.egress)
    #expect(local.egress(lane: 3) == "ipc:///run/bus/out.3")
    let remote = try BusAddress("tcp://127.0.0.1:7400", isInsecureAllowed: true)
    #expect(remote.egress(lane: 1) == "tcp://127.0.0.1:7404")
    #expect(throws: BusAddress.Invalid.self) {
      try BusAddress("tcp://127.0.0.1:65500", isInsecureAllowed: true)
    }
  }

  @Test func `a tap hears the last values first, then all that is accepted, in its order`() throws {
    let broker = try TestBroker(try freshAddress())
    let writer = try client("writer", at: broker.address)
    try #require(writer.waitForBroker(timeoutMS: 5_000))
    for number in [1, 2] { _ = writer.publish(publication("ego/test/state", number)) }
    try #require(eventually { writer.topicReports()?.first?.messages == 2 })
    let tap = TestTap()
    broker.broker.start(tap)
    try #require(eventually { tap.lines.count == 1 })
    for number in 3...4 { _ = writer.publish(publication("ego/test/state", number)) }
    for number in 1...500 { _ = writer.publish(publication("ego/test/stream", number)) }
    #expect(eventually { tap.lines.count == 503 })
    broker.broker.stop(tap)
    #expect(eventually { tap.lines.last == "end 504 messages" })
    _ = writer.publish(publication("ego/test/state", 5))
    try #require(
      eventually { writer.topicReports()?.first { $0.name == "ego/test/state" }?.messages == 5 })
    let lines = tap.lines
    #expect(lines.first == "begin ego/test/state 2 true")
    #expect(
      lines[1...3] == ["ego/test/state 3 [3]", "ego/test/state 4 [4]", "ego/test/stream 1 [1]"])
    #expect(lines.count == 504)
    let other = TestTap()
    broker.broker.start(other)
    try #require(eventually { !other.lines.isEmpty })
    writer.close()
    broker.end()
    #expect(other.lines.last == "end 505 messages")
  }
}

private final class TestTap: BrokerTap {
  private let heard = Synchronization.Mutex<[String]>([])

  var lines: [String] { heard.withLock { $0 } }

  func start(latched: [Frame], topics: [TopicReport], brokerRun: UInt64, wallNS: Int64) {
    heard.withLock { lines in
      for frame in latched {
        lines.append("begin \(frame.topic) \(frame.header.sequence) \(frame.header.isLatched)")
      }
      if latched.isEmpty { lines.append("begin") }
    }
  }

  func record(
    _ topic: UnsafeRawBufferPointer, _ header: UnsafeRawBufferPointer,
    _ payload: UnsafeRawBufferPointer, wallNS: Int64
  ) {
    let number = HeaderScan(header)?.sequence ?? 0
    let name = String(decoding: topic, as: UTF8.self)
    heard.withLock { $0.append("\(name) \(number) \(Array(payload))") }
  }

  func end(_ figures: Broker.Figures, topics: [TopicReport]) {
    let messages = topics.filter { $0.name.hasPrefix("ego/") }.map(\.messages).reduce(0, +)
    heard.withLock { $0.append("end \(messages) messages") }
  }
}
