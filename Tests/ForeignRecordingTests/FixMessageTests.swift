import Foundations
import Geodesy
import Positioning
import Testing

/// Writes CDR as ROS 2 does: each value aligned to its size, after four bytes that name the form.
struct CDRWriter {
  var bytes: [UInt8]
  private let isBigEndian: Bool

  init(isBigEndian: Bool = false) {
    self.isBigEndian = isBigEndian
    bytes = [0, isBigEndian ? 0 : 1, 0, 0]
  }

  mutating func put(_ value: some FixedWidthInteger) {
    let size = value.bitWidth / 8
    while (bytes.count - 4) % size != 0 { bytes.append(0) }
    let little = (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    bytes += isBigEndian ? little.reversed() : little
  }

  mutating func put(_ value: Double) { put(value.bitPattern) }

  mutating func put(_ text: String) {
    put(UInt32(text.utf8.count + 1))
    bytes += Array(text.utf8) + [0]
  }

  /// A message of `sensor_msgs/msg/NavSatFix`.
  static func navSatFix(
    sec: Int32 = 1_700_000_000, nanosec: UInt32 = 5, frame: String = "gps", status: Int8 = 0,
    latitude: Double = 47.5, longitude: Double = 9.25, altitude: Double = 430,
    variances: (Double, Double) = (4, 4), type: UInt8 = 2, isBigEndian: Bool = false
  ) -> [UInt8] {
    var writer = CDRWriter(isBigEndian: isBigEndian)
    writer.put(sec)
    writer.put(nanosec)
    writer.put(frame)
    writer.put(status)
    writer.put(UInt16(1))
    for value in [latitude, longitude, altitude] { writer.put(value) }
    for value in [variances.0, 0, 0, 0, variances.1, 0, 0, 0, 9] { writer.put(value) }
    writer.put(type)
    return writer.bytes
  }
}

@Suite struct FixMessageTests {
  private let form = FixMessageForm.navSatFixCDR

  @Test(arguments: ["", "gps", "base_link", "a/longer/frame"], [false, true])
  func `a NavSatFix is read whatever its frame's length and order of bytes, LOC-9`(
    frame: String, isBigEndian: Bool
  ) throws {
    let fix = try #require(
      try form.fix(CDRWriter.navSatFix(frame: frame, isBigEndian: isBigEndian)))
    #expect(fix.place == Coordinate(latitudeDeg: 47.5, longitudeDeg: 9.25))
    #expect(fix.altitudeM == 430)
    #expect(fix.time == Instant(nanoseconds: 1_700_000_000_000_000_005))
    #expect(abs((fix.accuracyM ?? 0) - 3.02) < 0.01)
  }

  @Test func `a receiver without a fix gives none, LOC-9`() throws {
    #expect(try form.fix(CDRWriter.navSatFix(status: -1)) == nil)
    #expect(try form.fix(CDRWriter.navSatFix(latitude: .nan)) == nil)
  }

  @Test func `what is not known is absent, LOC-9`() throws {
    let unknown = try #require(
      try form.fix(CDRWriter.navSatFix(sec: 0, nanosec: 0, altitude: .nan, type: 0)))
    #expect(unknown.accuracyM == nil && unknown.altitudeM == nil && unknown.time == nil)
    let negative = try #require(try form.fix(CDRWriter.navSatFix(variances: (-1, 4))))
    #expect(negative.accuracyM == nil)
  }

  @Test func `a message that breaks off is a fault with its place, LOC-9`() throws {
    let whole = CDRWriter.navSatFix()
    for count in whole.indices {
      #expect(throws: MessageFault.self) { try form.fix(Array(whole[..<count])) }
    }
    #expect(throws: MessageFault.self) { try form.fix([0, 3, 0, 0] + whole.dropFirst(4)) }
    // A text that is longer than the message.
    #expect(throws: MessageFault.self) {
      try form.fix([0, 1, 0, 0] + [UInt8](repeating: 0xff, count: 200))
    }
  }

  @Test func `a fix of Foxglove in JSON has speed and course, LOC-9`() throws {
    let json = """
      {"timestamp": {"sec": 1700000000, "nsec": 5}, "frame_id": "gps", "latitude": 47.5, "longitude": 9.25,
       "altitude": 430, "position_covariance": [4,0,0,0,4,0,0,0,9], "position_covariance_type": 2,
       "velocity": {"x": 3.0, "y": 4.0, "z": 0}}
      """
    let fix = try #require(try FixMessageForm.locationFixJSON.fix(Array(json.utf8)))
    #expect(fix.time == Instant(nanoseconds: 1_700_000_000_000_000_005))
    #expect(fix.speedMps == 5)
    #expect(abs((fix.bearingDeg ?? 0) - 36.87) < 0.01)
    #expect(abs((fix.accuracyM ?? 0) - 3.02) < 0.01)
    #expect(throws: MessageFault.self) {
      try FixMessageForm.locationFixJSON.fix(Array("{\"latitude\": 1}".utf8))
    }
    #expect(throws: MessageFault.self) { try FixMessageForm.locationFixJSON.fix([0xff]) }
  }

  /// The bytes are those of Foxglove's own library.
  @Test func `a fix of Foxglove in Protocol Buffers is read, LOC-9`() throws {
    let hex =
      "09000000000000f83f1100000000000004401900000000000008402248000000000000f03f0000000000000000"
      + "00000000000000000000000000000000000000000000f03f00000000000000000000000000000000000000000000"
      + "0000000000000000f03f28023204080510073a03677073"
    let bytes = stride(from: 0, to: hex.count, by: 2).compactMap { start in
      UInt8(hex.dropFirst(start).prefix(2), radix: 16)
    }
    let fix = try #require(try FixMessageForm.locationFixProtobuf.fix(bytes))
    #expect(fix.place == Coordinate(latitudeDeg: 1.5, longitudeDeg: 2.5))
    #expect(fix.altitudeM == 3)
    #expect(fix.time == Instant(nanoseconds: 5_000_000_007))
    #expect(abs((fix.accuracyM ?? 0) - 1.51) < 0.001)
    for count in 1..<bytes.count {
      // Whatever is cut off, it is read or refused.
      _ = try? FixMessageForm.locationFixProtobuf.fix(Array(bytes[..<count]))
    }
  }

  @Test func `the form is that of the channel's schema and encoding, LOC-9`() {
    #expect(FixMessageForm(schema: "sensor_msgs/msg/NavSatFix", encoding: "cdr") == .navSatFixCDR)
    #expect(FixMessageForm(schema: "sensor_msgs/NavSatFix", encoding: "ros1") == .navSatFixROS1)
    #expect(FixMessageForm(schema: "sensor_msgs/msg/Imu", encoding: "cdr") == nil)
    #expect(FixMessageForm(schema: "foxglove.LocationFix", encoding: "cdr") == nil)
  }
}
