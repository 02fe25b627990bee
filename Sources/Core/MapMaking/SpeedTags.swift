import RoadGraph

/// Legal limits as tags write them: `50`, `30 mph`, `walk`, `none`, `DE:urban`.
enum SpeedTags {
  /// A limit of km/h; `none` where the sign says that there is no limit.
  enum Limit: Hashable {
    case kmh(Double)
    case none

    /// As `RoadAttributes` stores it: 255 for none.
    var stored: UInt8 {
      switch self {
      case .none: 255
      case .kmh(let value): UInt8(Double.minimum(254, Double.maximum(1, value.rounded())))
      }
    }
  }

  /// The limit of cars in one direction; nil where the tags say nothing that can be read.
  static func limit(_ tags: OSMTags, _ direction: TravelDirection) -> Limit? {
    limit(tags["maxspeed" + direction.suffix])
      ?? limit(tags["maxspeed"])
      ?? limit(tags["maxspeed:type" + direction.suffix])
      ?? limit(tags["maxspeed:type"])
      ?? limit(tags["source:maxspeed"])
      ?? limit(tags["zone:maxspeed"])
      ?? limit(tags["zone:traffic"])
  }

  /// The limit that holds for heavy vehicles alone.
  static func truckLimit(_ tags: OSMTags, _ direction: TravelDirection) -> Limit? {
    limit(tags["maxspeed:hgv" + direction.suffix]) ?? limit(tags["maxspeed:hgv"])
  }

  static func limit(_ value: String?) -> Limit? {
    guard let value else { return nil }
    switch value {
    case "none", "unlimited": return Limit.none
    case "walk", "walking": return .kmh(7)
    default: break
    }
    if let number = number(value) { return number }
    return Countries.zoneLimit(value)
  }

  private static func number(_ value: String) -> Limit? {
    let first = value.utf8.first ?? 0
    guard first >= UInt8(ascii: "0"), first <= UInt8(ascii: "9") else { return nil }
    let text = value.split(separator: ";").first.map { trimmed($0) } ?? ""
    let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    guard let number = Double(String(digits)), number > 0, number < 400 else { return nil }
    switch trimmed(text.dropFirst(digits.count)) {
    case "", "km/h", "kmh", "kph": return .kmh(number)
    case "mph": return .kmh(number * 1.609344)
    case "knots": return .kmh(number * 1.852)
    default: return nil
    }
  }

  /// Whether the tags tell a built-up area: a zone of that name, or a limit by it.
  static func isBuiltUp(_ tags: OSMTags) -> Bool {
    for key in ["maxspeed", "maxspeed:type", "source:maxspeed", "zone:traffic", "zone:maxspeed"] {
      if let value = tags[key], value.hasSuffix(":urban") || value.hasSuffix(":30") { return true }
    }
    return false
  }
}
