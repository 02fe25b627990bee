/// The encoded polyline format: signed differences in base 64, five bits per character.
///
/// Google, "Encoded Polyline Algorithm Format"; the stack uses six decimals (0.11 m) everywhere.
public enum EncodedPolyline {
  /// The text for `points` at `decimals` digits; linear in the points.
  public static func encode(_ points: some Sequence<Coordinate>, decimals: Int = 6) -> String {
    var bytes: [UInt8] = []
    let scale = power(decimals)
    var lastLat: Int64 = 0
    var lastLon: Int64 = 0
    for point in points {
      let lat = Int64((point.latitudeDeg * scale).rounded())
      let lon = Int64((point.longitudeDeg * scale).rounded())
      append(lat - lastLat, to: &bytes)
      append(lon - lastLon, to: &bytes)
      (lastLat, lastLon) = (lat, lon)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The places of `text`.
  ///
  /// - Throws: `PolylineError` with the byte at which the text breaks off or leaves the globe.
  public static func decode(
    _ text: String, decimals: Int = 6
  ) throws(PolylineError) -> [Coordinate] {
    let scale = power(decimals)
    var points: [Coordinate] = []
    var lat: Int64 = 0
    var lon: Int64 = 0
    let bytes = Array(text.utf8)
    var at = 0
    while at < bytes.count {
      let start = at
      lat &+= try number(bytes, &at)
      lon &+= try number(bytes, &at)
      let point = Coordinate(latitudeDeg: Double(lat) / scale, longitudeDeg: Double(lon) / scale)
      guard point.isValid else { throw .leavesGlobe(byte: start) }
      points.append(point)
    }
    return points
  }

  private static func power(_ decimals: Int) -> Double {
    var scale = 1.0
    for _ in 0..<max(0, min(9, decimals)) { scale *= 10 }
    return scale
  }

  private static func append(_ value: Int64, to bytes: inout [UInt8]) {
    var rest = UInt64(bitPattern: value < 0 ? ~(value << 1) : value << 1)
    while rest >= 0x20 {
      bytes.append(UInt8(0x20 | (rest & 0x1f)) + 63)
      rest >>= 5
    }
    bytes.append(UInt8(rest) + 63)
  }

  private static func number(_ bytes: [UInt8], _ at: inout Int) throws(PolylineError) -> Int64 {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while true {
      guard at < bytes.count else { throw .breaksOff(byte: at) }
      guard bytes[at] >= 63, bytes[at] < 127, shift < 60 else { throw .notPolyline(byte: at) }
      let chunk = UInt64(bytes[at] - 63)
      at += 1
      value |= (chunk & 0x1f) << shift
      shift += 5
      if chunk < 0x20 { break }
    }
    return value & 1 == 1 ? ~Int64(value >> 1) : Int64(value >> 1)
  }
}

/// Why a text is not an encoded polyline.
public enum PolylineError: Error, Hashable, Sendable {
  /// The text ends in the middle of a number, or after a latitude.
  case breaksOff(byte: Int)
  /// A character outside `?` ... `~`, or a number of more than 60 bits.
  case notPolyline(byte: Int)
  /// The point that starts at this byte is not on the globe: often the wrong number of decimals.
  case leavesGlobe(byte: Int)
}
