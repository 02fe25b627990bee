import Testing

@testable import Broker
@testable import BusProtocol
@testable import ZMQ

/// What joined messages begin with, and what is asked of libzmq for a pattern.
@Suite struct TopicHashTests {
  private let names = [
    "ego/location/raw", "car00001/location/raw", "car00001/location/raw2", "car00001/route/active",
    "ego/foobar", "_node/x/status", "_clock", "_svc/route/compute", "clock",
  ]

  private func mark(_ name: String) -> TopicHash {
    Array(name.utf8).withUnsafeBytes { TopicHash(of: $0) }
  }

  @Test func `a mark is the hash of the topic without its vehicle, BUS-8`() {
    // FNV-1a's published value for "foobar".
    #expect(mark("ego/foobar").bytes == [0xbf, 0x9c, 0xf9, 0x68])
    #expect(mark("car7/foobar") == mark("ego/foobar"))
    #expect(mark("_node/x/status").number == 0)
    #expect(mark("clock").number == 0)
    #expect(mark("ego/location/raw") != mark("ego/location/raw2"))
  }

  @Test(
    arguments: [
      "", "ego/", "car00001/location/", "ego/location/raw", "*/location/raw", "_node/", "_clock",
      "_svc/route/compute", "clock",
    ])
  func `what is asked for a pattern is how its messages begin, BUS-8`(pattern: String) {
    let beginning = TopicHash.beginning(of: pattern)
    for name in names {
      let isSent = (mark(name).bytes + name.utf8 + [0]).starts(with: beginning)
      let isWanted = TopicName.matches(pattern, name)
      #expect(isSent || !isWanted, "\(name)")
      // A vehicle's subtree is the only one for which more is sent.
      if pattern.hasPrefix("_") || !pattern.hasSuffix("/") {
        #expect(isSent == isWanted, "\(name)")
      }
    }
  }

  @Test func `only subscriptions to the system's topics are patterns of the system, BUS-2`() {
    for pattern in ["_svc/", "_svc/route/compute", "_"] {
      #expect(TopicHash.systemPattern(ofBeginning: TopicHash.beginning(of: pattern)) == pattern)
    }
    for pattern in ["", "ego/", "*/location/raw", "ego/location/raw"] {
      #expect(TopicHash.systemPattern(ofBeginning: TopicHash.beginning(of: pattern)) == nil)
    }
  }

  @Test func `a message with the mark of another topic is counted and not passed on, BUS-5`() {
    let header = Header(
      sequence: 1, stampNS: 5, source: "raw", run: 1, schema: "test/1.0", deliveryClass: .stream
    ).encoded()
    func joined(_ mark: TopicHash) -> Message {
      let length = withUnsafeBytes(of: UInt32(header.count).bigEndian) { Array($0) }
      return Message([mark.bytes + "ego/test/stream".utf8 + [0] + length + header])
    }
    var core = BrokerCore(run: 1)
    core.ingest(joined(mark("ego/test/event")), now: MonotonicTime(nanoseconds: 0))
    #expect(core.counters == ["malformed_mark": 1])
    #expect(core.outgoing.isEmpty)
    core.ingest(joined(mark("ego/test/stream")), now: MonotonicTime(nanoseconds: 0))
    #expect(core.outgoing.count == 1)
  }
}
