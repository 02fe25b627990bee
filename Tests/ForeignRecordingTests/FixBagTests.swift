import Bag
import FixRecordings
import Foundation
import Foundations
import MessagePack
import Messages
import Positioning
import Testing

/// A new file's path, removed with the value.
final class DrawnFile {
  let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).mcap")
    .path

  deinit { try? FileManager.default.removeItem(atPath: path) }
}

@Suite struct FixBagTests {
  private func write(
    _ file: DrawnFile, topic: String = "/gps/fix", schema: String = "sensor_msgs/msg/NavSatFix",
    encoding: String = "cdr", _ payloads: [[UInt8]]
  ) throws {
    let writer = try BagWriter(path: file.path)
    let schemaID = try writer.addSchema(name: schema, encoding: "", data: [])
    let channel = try writer.addChannel(
      topic: topic, messageEncoding: encoding, schema: schemaID)
    for (index, payload) in payloads.enumerated() {
      try writer.write(
        BagMessage(
          channelID: channel, sequence: UInt32(index), logTimeNS: 9_000_000_000 + UInt64(index),
          publishTimeNS: 0, payload: payload))
    }
    try writer.close()
  }

  @Test func `a bag of fixes is a trace of each topic, and says what it left out, LOC-9`() throws {
    let file = DrawnFile()
    try write(
      file,
      [
        CDRWriter.navSatFix(sec: 100), CDRWriter.navSatFix(sec: 101, status: -1), [0, 1],
        CDRWriter.navSatFix(sec: 0, nanosec: 0),
      ])
    #expect(FixBag.isBag(path: file.path))
    let recording = try FixBag.read(path: file.path)
    #expect(recording.traces.map(\.name) == ["/gps/fix"])
    #expect(
      recording.traces[0].fixes.map(\.time) == [
        Instant(nanoseconds: 100_000_000_005), Instant(nanoseconds: 9_000_000_003),
      ])
    let remarks = recording.remarks.sentences.joined(separator: "\n")
    #expect(
      remarks.contains("without a position fix are left out: 1; the first: message 2 of /gps/fix"))
    #expect(
      remarks.contains(
        "unreadable messages are left out: 1; the first: message 3 of /gps/fix, byte 0"))
    #expect(remarks.contains("without a stamp"))
  }

  @Test func `a recording of this bus is one, too, LOC-9`() throws {
    let file = DrawnFile()
    let raw = LocationRaw(latDeg: 47.5, lonDeg: 9.25, timeNs: 7, speedMps: 3)
    try write(
      file, topic: "ego/location/raw", schema: LocationRaw.schema, encoding: "msgpack",
      [raw.encoded()])
    let recording = try FixBag.read(path: file.path)
    #expect(recording.traces.first?.fixes.first?.speedMps == 3)
    #expect(recording.traces.first?.fixes.first?.time == Instant(nanoseconds: 7))
  }

  @Test func `without fixes it says what is there and what is read, LOC-9`() throws {
    let file = DrawnFile()
    try write(file, topic: "/imu", schema: "sensor_msgs/msg/Imu", [[0, 1, 0, 0]])
    let fault = #expect(throws: FixBagFault.self) { try FixBag.read(path: file.path) }
    #expect(fault?.description.contains("/imu (sensor_msgs/msg/Imu, cdr)") == true)
    #expect(fault?.description.contains("NavSatFix") == true)
    let silent = DrawnFile()
    try write(silent, [CDRWriter.navSatFix(status: -1)])
    let none = #expect(throws: FixBagFault.self) { try FixBag.read(path: silent.path) }
    #expect(none?.description.contains("contains no fix") == true)
  }

  @Test func `a file that was cut is read up to there, LOC-9`() throws {
    let file = DrawnFile()
    try write(file, (0..<50).map { CDRWriter.navSatFix(sec: 100 + $0) })
    let bytes = try Data(contentsOf: URL(fileURLWithPath: file.path))
    var most = 0
    for count in stride(from: 8, to: bytes.count, by: 7) {
      let part = DrawnFile()
      try bytes.prefix(count).write(to: URL(fileURLWithPath: part.path))
      guard let recording = try? FixBag.read(path: part.path) else { continue }
      most = max(most, recording.traces[0].fixes.count)
    }
    #expect(most == 50)
  }
}
