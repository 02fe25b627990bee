import Documents
import Foundations
import Geodesy

/// The forms of a fix in recordings of ROS and Foxglove, by the schema and the encoding of a
/// channel.
public enum FixMessageForm: Hashable, Sendable, CaseIterable {
  /// `sensor_msgs/msg/NavSatFix` of ROS 2.
  case navSatFixCDR
  /// `sensor_msgs/NavSatFix` of ROS 1.
  case navSatFixROS1
  /// `foxglove.LocationFix` in JSON.
  case locationFixJSON
  /// `foxglove.LocationFix` in Protocol Buffers.
  case locationFixProtobuf

  /// nil for a channel without fixes in a known form.
  public init?(schema: String, encoding: String) {
    switch (schema, encoding) {
    case ("sensor_msgs/msg/NavSatFix", "cdr"): self = .navSatFixCDR
    case ("sensor_msgs/NavSatFix", "ros1"): self = .navSatFixROS1
    case ("foxglove.LocationFix", "json"): self = .locationFixJSON
    case ("foxglove.LocationFix", "protobuf"): self = .locationFixProtobuf
    default: return nil
    }
  }

  /// The message types and encodings that can be read, as text for people.
  public static let known =
    "sensor_msgs/msg/NavSatFix (cdr, ros1) and foxglove.LocationFix (json, protobuf)"

  /// Decodes a message; nil if the receiver had no fix.
  ///
  /// The time is the message's own; nil if that is 0.
  ///
  /// - Throws: `MessageFault` for bytes that are not such a message.
  public func fix(_ bytes: [UInt8]) throws(MessageFault) -> Fix? {
    switch self {
    case .navSatFixCDR:
      var reader = try CDRReader(cdr: bytes)
      return try Self.navSatFix(&reader)
    case .navSatFixROS1:
      var reader = CDRReader(ros1: bytes)
      _ = try reader.uint32()
      return try Self.navSatFix(&reader)
    case .locationFixJSON: return try Self.locationFix(json: bytes)
    case .locationFixProtobuf: return try Self.locationFix(protobuf: bytes)
    }
  }

  /// Status of a receiver without a fix.
  private static let noFix: Int8 = -1

  private static func navSatFix(_ reader: inout CDRReader) throws(MessageFault) -> Fix? {
    let second = try reader.int32()
    let nanosecond = try reader.uint32()
    _ = try reader.string()
    let status = try reader.int8()
    _ = try reader.uint16()
    let latitude = try reader.double()
    let longitude = try reader.double()
    let altitude = try reader.double()
    var covariance: [Double] = []
    for _ in 0..<9 { covariance.append(try reader.double()) }
    let covarianceType = try reader.uint8()
    guard status != noFix else { return nil }
    return fix(
      latitude, longitude, altitude, time: time(Int64(second), Int64(nanosecond)),
      covariance: covarianceType == 0 ? [] : covariance)
  }

  private static func locationFix(json bytes: [UInt8]) throws(MessageFault) -> Fix? {
    let root: JSONValue
    do throws(DocumentFault) { root = try JSONReader.value(bytes) } catch {
      throw MessageFault(offset: 0, problem: "this is not JSON: \(error)")
    }
    guard let latitude = root["latitude"]?.number, let longitude = root["longitude"]?.number else {
      throw MessageFault(offset: 0, problem: "the message has no latitude and longitude")
    }
    let covariance = root["position_covariance"]?.array?.compactMap(\.number) ?? []
    let hasCovariance =
      root["position_covariance_type"].map { $0.number != 0 && $0.string != "UNKNOWN" } ?? false
    var fix = Self.fix(
      latitude, longitude, root["altitude"]?.number, time: time(root["timestamp"]),
      covariance: hasCovariance ? covariance : [])
    fix?.setMotion(
      headingRad: root["heading"]?.number, eastMps: root["velocity"]?["x"]?.number,
      northMps: root["velocity"]?["y"]?.number)
    return fix
  }

  private static func time(_ value: JSONValue?) -> Instant? {
    if let text = value?.string { return TraceValue.time(text, start: Instant(nanoseconds: 0)) }
    guard let second = value?["sec"]?.number, abs(second) < 1e11 else { return nil }
    let nanosecond = value?["nsec"]?.number ?? value?["nanosec"]?.number ?? 0
    guard (0..<1e9).contains(nanosecond) else { return nil }
    return time(Int64(second), Int64(nanosecond))
  }

  private static func locationFix(protobuf bytes: [UInt8]) throws(MessageFault) -> Fix? {
    var reader = ProtobufReader(bytes[...])
    // A field with its type's zero value is omitted.
    var (latitude, longitude, altitude) = (0.0, 0.0, Double?.none)
    var covariance: [Double] = []
    var covarianceType: UInt64 = 0
    var moment: Instant?
    var heading: Double?
    var velocity: (east: Double, north: Double)?
    while let (number, value) = try reader.next() {
      switch number {
      case 1: latitude = value.double ?? latitude
      case 2: longitude = value.double ?? longitude
      case 3: altitude = value.double
      case 4: covariance += doubles(value)
      case 5: covarianceType = value.number ?? 0
      case 6: moment = try time(protobuf: value.message ?? [])
      case 10: heading = value.double
      case 11: velocity = try plane(protobuf: value.message ?? [])
      default: break
      }
    }
    var fix = Self.fix(
      latitude, longitude, altitude, time: moment, covariance: covarianceType == 0 ? [] : covariance
    )
    fix?.setMotion(headingRad: heading, eastMps: velocity?.east, northMps: velocity?.north)
    return fix
  }

  private static func doubles(_ value: ProtobufReader.Value) -> [Double] {
    if let single = value.double { return [single] }
    guard let packed = value.message else { return [] }
    return stride(from: packed.startIndex, to: packed.endIndex - 7, by: 8).map { start in
      Double(
        bitPattern: packed[start..<start + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) })
    }
  }

  private static func time(protobuf bytes: ArraySlice<UInt8>) throws(MessageFault) -> Instant? {
    var reader = ProtobufReader(bytes)
    var (second, nanosecond) = (Int64(0), Int64(0))
    while let (number, value) = try reader.next() {
      let word = Int64(bitPattern: value.number ?? 0)
      if number == 1 { second = word }
      if number == 2 { nanosecond = word }
    }
    return time(second, nanosecond)
  }

  private static func plane(
    protobuf bytes: ArraySlice<UInt8>
  ) throws(MessageFault) -> (east: Double, north: Double) {
    var reader = ProtobufReader(bytes)
    var plane = (east: 0.0, north: 0.0)
    while let (number, value) = try reader.next() {
      if number == 1 { plane.east = value.double ?? 0 }
      if number == 2 { plane.north = value.double ?? 0 }
    }
    return plane
  }

  /// nil if the stamp was not set.
  private static func time(_ second: Int64, _ nanosecond: Int64) -> Instant? {
    guard second != 0 || nanosecond != 0, abs(second) < 100_000_000_000,
      (0..<1_000_000_000).contains(nanosecond)
    else { return nil }
    let (scaled, isOver) = second.multipliedReportingOverflow(by: 1_000_000_000)
    return isOver ? nil : Instant(nanoseconds: scaled + nanosecond)
  }

  /// nil if there is no position: receivers without a fix report NaN.
  ///
  /// `covariance` is in square metres, east, north and up, row by row; empty if it is not known.
  private static func fix(
    _ latitude: Double, _ longitude: Double, _ altitude: Double?, time: Instant?,
    covariance: [Double]
  ) -> Fix? {
    guard latitude.isFinite, longitude.isFinite else { return nil }
    return Fix(
      place: Coordinate(latitudeDeg: latitude, longitudeDeg: longitude), time: time,
      accuracyM: accuracyM(covariance), altitudeM: altitude.flatMap { $0.isFinite ? $0 : nil })
  }

  /// Radius that contains the true position with a probability of 68 %, from the variances to the
  /// east and north.
  private static func accuracyM(_ covariance: [Double]) -> Double? {
    guard covariance.count == 9 else { return nil }
    let (east, north) = (covariance[0], covariance[4])
    guard east >= 0, north >= 0, east + north > 0, (east + north).isFinite else { return nil }
    // 68 % of a two-dimensional normal error lie within 1.51 sigma.
    return 1.51 * ((east + north) / 2).squareRoot()
  }
}

extension Fix {
  /// Sets speed and course from a velocity, otherwise the course from a heading (radians clockwise
  /// from north).
  ///
  /// The heading is the direction of the vehicle's front, which is not its course while it
  /// reverses.
  fileprivate mutating func setMotion(headingRad: Double?, eastMps: Double?, northMps: Double?) {
    if let eastMps, let northMps, eastMps.isFinite, northMps.isFinite {
      speedMps = (eastMps * eastMps + northMps * northMps).squareRoot()
      if (speedMps ?? 0) > 0.1 {
        bearingDeg = LocalPlane.bearingDeg(eastM: eastMps, northM: northMps)
      }
      if bearingDeg != nil { return }
    }
    if let headingRad, headingRad.isFinite, abs(headingRad) < 100 {
      bearingDeg = Angle.normalizedDeg(headingRad * 180 / .pi)
    }
  }
}
