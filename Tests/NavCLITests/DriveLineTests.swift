import Foundations
import Messages
import Testing

@testable import Harness
@testable import NavCLI

@Suite struct DriveLineTests {
  private func line(_ message: some TopicMessage, seconds: Double) -> String? {
    DriveLine.text(
      PublishedMessage(
        vehicle: "ego", topic: type(of: message).topic, stamp: Instant(seconds: seconds),
        source: "navigator", run: 1, sequence: 1, schema: type(of: message).schema, key: nil,
        ttlMS: nil, cause: nil, payload: message.encoded()))
  }

  @Test func `a line has the time of day, the topic and the fields that are set`() throws {
    let speed = GuidanceSpeed(limitMps: 13.888_888, speedMps: 15, exceeded: true)
    let text = try #require(line(speed, seconds: 3_723.25))
    #expect(text.hasPrefix("01:02:03.2  guidance/speed  "))
    #expect(text.contains("limit_mps=13.89") && text.contains("exceeded=true"))
    #expect(!text.contains("condition"))
  }

  @Test func `streams and damaged payloads have no line`() {
    let raw = LocationRaw(latDeg: 1, lonDeg: 2)
    #expect(line(raw, seconds: 1) == nil)
    var message = PublishedMessage(
      vehicle: "ego", topic: GuidanceSpeed.topic, stamp: Instant(seconds: 1), source: "n", run: 1,
      sequence: 1, schema: "", key: nil, ttlMS: nil, cause: nil, payload: [0xc1])
    #expect(DriveLine.text(message) == nil)
    message.topic = "_clock"
    #expect(DriveLine.text(message) == nil)
  }
}
