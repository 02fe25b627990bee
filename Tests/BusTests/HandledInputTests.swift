import MessagePack
import Testing

@testable import Broker
@testable import BusClient
@testable import BusProtocol
@testable import ZMQ

/// The marks of handled inputs that a process receives when it starts after a predecessor that
/// died.
@Suite struct HandledInputTests {
  private static var core: BrokerCoreFixture {
    var drawn = BrokerCoreFixture()
    drawn.register("matcher")
    return drawn
  }

  private func publish(
    _ drawn: inout BrokerCoreFixture, _ topic: String, _ sequence: UInt64, as source: String,
    cause: Origin? = nil
  ) {
    var header = Header(
      sequence: sequence, stampNS: 1, source: source, run: 1, schema: "test/1.0")
    header.cause = cause
    let frame = Frame(topic: topic, header: header, payload: [0x80])
    drawn.core.ingest(Message(frame.parts), now: drawn.now)
  }

  private func marks(_ drawn: inout BrokerCoreFixture, of name: String) throws -> [InputMark] {
    let question = ControlMessage.Handled(token: 5, name: name, patterns: ["*/location/raw"])
    _ = drawn.sent()
    drawn.say(question, as: "next")
    for case .control(_, let parts) in drawn.sent() {
      guard case .marks(let head) = try ControlMessage(decoding: parts[0]), head.token == 5 else {
        continue
      }
      var reader = Unpacker(parts[1])
      return try reader.list()
    }
    return []
  }

  @Test func `the newest cause of what a node published is where its successor counts from, BUS-4`()
    throws
  {
    var drawn = Self.core
    for vehicle in ["car1", "car2"] {
      for number: UInt64 in 1...5 {
        publish(&drawn, "\(vehicle)/location/raw", number, as: "gps")
      }
    }
    for number: UInt64 in 1...3 {
      publish(
        &drawn, "car1/location/matched", number, as: "matcher",
        cause: Origin(topic: "location/raw", source: "gps", run: 1, sequence: number))
    }
    // An estimate answers no fix.
    publish(
      &drawn, "car1/location/matched", 4, as: "matcher",
      cause: Origin(topic: "_clock", source: "matcher", run: 1, sequence: 0))
    publish(
      &drawn, "car2/location/matched", 1, as: "other",
      cause: Origin(topic: "location/raw", source: "gps", run: 1, sequence: 4))
    publish(
      &drawn, "car2/guidance/progress", 1, as: "matcher",
      cause: Origin(topic: "location/matched", source: "other", run: 1, sequence: 1))
    let marks = try marks(&drawn, of: "matcher")
    #expect(
      marks == [InputMark("car1/location/raw", Writer(source: "gps", run: 1), 3)], "\(marks)")
    #expect(try self.marks(&drawn, of: "nobody") == [])
  }

  @Test func `what came between is lost with the first message, and nothing twice, BUS-4`() {
    var reception = Reception(table: TestBroker.table)
    let mark = InputMark("car1/location/raw", Writer(source: "gps", run: 1), 3)
    reception.goOn(after: [mark])
    _ = reception.subscribe(["*/location/raw"])
    func take(_ sequence: UInt64) {
      reception.live(
        Frame(
          topic: "car1/location/raw",
          header: Header(sequence: sequence, stampNS: 0, source: "gps", run: 1, schema: ""),
          payload: []), now: MonotonicTime(nanoseconds: 0))
    }
    take(8)
    take(9)
    #expect(reception.countersByLeaf["location/raw"]?.lost == 4)
    reception.goOn(after: [mark])
    take(10)
    #expect(reception.countersByLeaf["location/raw"]?.lost == 4, "more is known already")
  }
}
