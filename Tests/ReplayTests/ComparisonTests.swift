import BusProtocol
import MessagePack
import Replay
import Testing

@Suite struct ComparisonTests {
  private func frame(
    _ topic: String, _ number: UInt64, _ fields: [MessagePackValue.Entry], stampNS: Int64 = 0
  ) -> Frame {
    Frame(
      topic: topic,
      header: Header(
        sequence: number, stampNS: stampNS, source: "matcher", run: 1, schema: "toy/1.0",
        cause: Origin(topic: "location/raw", source: "location", run: 1, sequence: number)),
      payload: MessagePackValue.map(fields).encoded())
  }

  private func speed(_ topic: String, _ number: UInt64, _ mps: Double) -> Frame {
    frame(
      topic, number, [.init("speed_mps", .double(mps)), .init("road", .string("Mill Lane"))],
      stampNS: Int64(number) * 1_000_000_000)
  }

  @Test func `equal runs are equal, whichever side comes first`() {
    let frames = (1...100).map { speed("ego/a", $0, Double($0)) }
    let comparison = Comparison()
    for (index, frame) in frames.enumerated() {
      if index % 2 == 0 {
        comparison.addRecorded(frame)
        #expect(comparison.addCurrent(frame))
      } else {
        #expect(!comparison.addCurrent(frame))
        comparison.addRecorded(frame)
      }
    }
    comparison.finish()
    #expect(comparison.isEqual)
    #expect(comparison.counts["ego/a"]?.equal == 100)
    #expect(comparison.text == ["equal: 1 topics, 100 messages"])
  }

  @Test func `the first difference is named with its field, unit, time and cause, BUS-7`() throws {
    let comparison = Comparison()
    for number in 1...5 as ClosedRange<UInt64> {
      comparison.addRecorded(speed("ego/a", number, 10))
      comparison.addCurrent(speed("ego/a", number, number < 3 ? 10 : 12.5))
      comparison.addRecorded(speed("ego/b", number, 10))
      comparison.addCurrent(speed("ego/b", number, number < 2 ? 10 : 11))
    }
    comparison.finish()
    #expect(!comparison.isEqual)
    let first = try #require(comparison.first)
    #expect(first.topic == "ego/b" && first.place == 2)
    #expect(
      comparison.text == [
        "2 topics differ, 0 are equal", "  ego/a: 2 equal, 3 different",
        "  ego/b: 1 equal, 4 different", "first difference:",
        "  ego/b, message 2, at 00:00:02.000000000 by matcher",
        "  caused by location/raw 2 of location",
        "  speed_mps: 10.0 m/s before, 11.0 m/s now",
      ])
  }

  @Test func `what one side did not say is missing or added`() throws {
    let comparison = Comparison()
    comparison.addRecorded(speed("ego/a", 1, 1))
    comparison.addCurrent(speed("ego/b", 1, 1))
    comparison.finish()
    #expect(comparison.counts["ego/a"]?.missing == 1)
    #expect(comparison.counts["ego/b"]?.added == 1)
    let first = try #require(comparison.first)
    #expect(first.text.last?.hasPrefix("only in the old run: {\"speed_mps\"") == true)
  }

  @Test func `fields are followed into maps and lists`() {
    func value(_ distance: Double, _ count: Int64) -> MessagePackValue {
      .map([
        .init("maneuvers", .array([.map([.init("distance_m", .double(distance))])])),
        .init("lanes", .array(Array(repeating: .int(1), count: Int(count)))),
      ])
    }
    let found = FieldDifference.list(value(10, 1), value(11, 2))
    #expect(
      found.map(\.text) == [
        "maneuvers[0].distance_m: 10.0 m before, 11.0 m now", "lanes[1]: absent before, 1 now",
      ])
    #expect(FieldDifference.list(value(10, 1), value(10, 1)).isEmpty)
  }
}
