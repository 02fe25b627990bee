public import Geodesy

/// A line location in OpenLR's binary format, version 3: points on a road and their attributes on
/// the publisher's map.
///
/// OpenLR White Paper, version 1.5, revision 2 (TomTom, 2012), chapter 7. Angles and distances are
/// the middles of their intervals; `bearingToleranceDeg` and `lengthToleranceM` are half of an
/// interval.
public struct OpenLRReference: Hashable, Sendable {
  /// One location reference point.
  public struct Point: Hashable, Sendable {
    public var at: Coordinate
    /// Functional road class, 0 the main roads to 7.
    public var roadClass: Int
    /// Form of way, 0 undefined to 7.
    public var form: Int
    /// Direction of the line over its first 20 m; at the last point back along its last 20 m.
    public var bearingDeg: Double
    /// The least important class on the path to the next point; 7 at the last one.
    public var leastClass = 7
    /// Metres to the next point; 0 at the last one.
    public var toNextM = 0.0
  }

  public static let bearingStepDeg = 360.0 / 32
  public static let distanceStepM = 15_000.0 / 256
  /// Longer references are rejected.
  public static let pointLimit = 256

  public var points: [Point]
  /// Shares of the paths between the first two points, and between the last two, that do not belong
  /// to the line.
  public var positiveOffset = 0.0
  public var negativeOffset = 0.0

  /// Maximum difference of the true direction and length of a point from the stored ones, due to
  /// rounding.
  public var bearingToleranceDeg = bearingStepDeg / 2
  public var lengthToleranceM = distanceStepM / 2
  /// The code as it was received; nil if it was not a text.
  public var code: String?

  public init(points: [Point], positiveOffset: Double = 0, negativeOffset: Double = 0) {
    self.points = points
    self.positiveOffset = positiveOffset
    self.negativeOffset = negativeOffset
  }

  /// The code, or the first point, for log lines; at most 80 characters of a code.
  public var name: String {
    if let code { return Self.shortened(code) }
    guard let at = points.first?.at else { return "without points" }
    return "from \(at.latitudeDeg), \(at.longitudeDeg)"
  }

  /// A code for log lines.
  public static func shortened(_ code: String) -> String {
    "\"\(code.prefix(80))\(code.count > 80 ? "…" : "")\""
  }

  /// Reads a reference in base64.
  ///
  /// - Throws: `FeedFault` for a text that is not base64, of another version or kind, truncated, or
  ///   too long.
  public init(base64 text: String) throws(FeedFault) {
    guard let bytes = Base64.bytes(text) else { throw FeedFault("it is not base64") }
    try self.init(bytes: bytes)
    code = text
  }

  /// Reads a reference.
  public init(bytes: [UInt8]) throws(FeedFault) {
    guard let status = bytes.first else { throw FeedFault("it is empty") }
    guard status & 0x7 == 3 else {
      throw FeedFault("its version is \(status & 0x7); only version 3 is supported")
    }
    guard status & 0x78 == 0x08 else {
      throw FeedFault("it is \(Self.kind(status, bytes.count)); only lines are supported")
    }
    // One point of 9 bytes, some of 7, the last one of 6, and up to two offsets.
    let rest = bytes.count - 1 - 9 - 6
    guard rest >= 0 else {
      throw FeedFault("it has \(bytes.count) bytes, which is too short for a line")
    }
    let between = rest / 7
    guard between + 2 <= Self.pointLimit else {
      throw FeedFault("it has more than \(Self.pointLimit) points")
    }
    var reader = Reader(bytes: bytes, place: 1)
    points = []
    var at = Coordinate(latitudeDeg: 0, longitudeDeg: 0)
    for number in 0...between {
      at = number == 0 ? reader.absolute() : reader.relative(to: at)
      points.append(reader.point(at))
    }
    at = reader.relative(to: at)
    let (last, flags) = reader.last(at)
    points.append(last)
    let offsets = (flags & 0x40 != 0 ? 1 : 0) + (flags & 0x20 != 0 ? 1 : 0)
    guard bytes.count - reader.place == offsets else {
      throw FeedFault("it has \(bytes.count) bytes, which is not a whole number of points")
    }
    if flags & 0x40 != 0 { positiveOffset = (Double(reader.byte()) + 0.5) / 256 }
    if flags & 0x20 != 0 { negativeOffset = (Double(reader.byte()) + 0.5) / 256 }
    guard points.allSatisfy({ $0.at.isValid }) else {
      throw FeedFault("a point has invalid coordinates")
    }
  }

  /// Whether a text is not the code of another kind of location in the binary format; it may be
  /// malformed.
  static func isLine(base64 text: String) -> Bool {
    guard let status = Base64.bytes(text)?.first, status & 0x7 == 3 else { return true }
    return status & 0x78 == 0x08
  }

  /// The kind of a location that is not a line, by its status byte and length (White Paper, 7.4).
  private static func kind(_ status: UInt8, _ count: Int) -> String {
    switch status >> 3 & 0xf {
    case 0b0000: "a circle"
    case 0b0010: "a polygon"
    case 0b0100: count > 9 ? "a point of interest with access or another point" : "a geo-coordinate"
    case 0b0101: count > 16 ? "a point of interest with an access point" : "a point along a line"
    case 0b1000: count > 13 ? "a grid" : "a rectangle"
    case 0b1011: "a closed line"
    default: "of an unknown kind"
    }
  }

  private struct Reader {
    let bytes: [UInt8]
    var place: Int

    mutating func byte() -> UInt8 {
      defer { place += 1 }
      return place < bytes.count ? bytes[place] : 0
    }

    private mutating func signed(_ count: Int) -> Int {
      var value = 0
      for _ in 0..<count { value = value << 8 | Int(byte()) }
      return value >= 1 << (8 * count - 1) ? value - 1 << (8 * count) : value
    }

    mutating func absolute() -> Coordinate {
      func degrees(_ value: Int) -> Double {
        (Double(value) - 0.5 * Double(value.signum())) * 360 / Double(1 << 24)
      }
      let longitude = signed(3)
      let latitude = signed(3)
      return Coordinate(latitudeDeg: degrees(latitude), longitudeDeg: degrees(longitude))
    }

    mutating func relative(to other: Coordinate) -> Coordinate {
      let longitude = signed(2)
      let latitude = signed(2)
      return Coordinate(
        latitudeDeg: other.latitudeDeg + Double(latitude) / 1e5,
        longitudeDeg: other.longitudeDeg + Double(longitude) / 1e5)
    }

    mutating func point(_ at: Coordinate) -> Point {
      let (road, way, distance) = (byte(), byte(), byte())
      return Point(
        at: at, roadClass: Int(road >> 3 & 7), form: Int(road & 7),
        bearingDeg: (Double(way & 31) + 0.5) * bearingStepDeg, leastClass: Int(way >> 5),
        toNextM: (Double(distance) + 0.5) * distanceStepM)
    }

    mutating func last(_ at: Coordinate) -> (point: Point, flags: UInt8) {
      let (road, way) = (byte(), byte())
      let point = Point(
        at: at, roadClass: Int(road >> 3 & 7), form: Int(road & 7),
        bearingDeg: (Double(way & 31) + 0.5) * bearingStepDeg)
      return (point, way)
    }
  }
}

/// Base64 by RFC 4648, with both alphabets, and with or without padding.
enum Base64 {
  /// The bytes of a text; nil for other letters, letters after padding, and a last letter without a
  /// complete byte.
  static func bytes(_ text: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    var (word, bits) = (0, 0)
    var isPadded = false
    for letter in text.utf8 {
      let value: Int
      switch letter {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = Int(letter) - 65
      case UInt8(ascii: "a")...UInt8(ascii: "z"): value = Int(letter) - 97 + 26
      case UInt8(ascii: "0")...UInt8(ascii: "9"): value = Int(letter) - 48 + 52
      case UInt8(ascii: "+"), UInt8(ascii: "-"): value = 62
      case UInt8(ascii: "/"), UInt8(ascii: "_"): value = 63
      case UInt8(ascii: "="):
        isPadded = true
        continue
      case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"): continue
      default: return nil
      }
      guard !isPadded else { return nil }
      word = (word << 6 | value) & 0xff_ffff
      bits += 6
      if bits >= 8 {
        bits -= 8
        bytes.append(UInt8(truncatingIfNeeded: word >> bits))
      }
    }
    return bits < 6 ? bytes : nil
  }
}
