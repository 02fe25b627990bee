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
      ?? laneLimit(tags["maxspeed:lanes" + direction.suffix])
      ?? limit(tags["maxspeed"])
      ?? laneLimit(tags["maxspeed:lanes"])
      ?? limit(tags["maxspeed:motor_vehicle"])
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

  static func busLimit(_ tags: OSMTags, _ direction: TravelDirection) -> Limit? {
    for key in ["maxspeed:bus", "maxspeed:coach", "maxspeed:psv"] {
      if let limit = limit(tags[key + direction.suffix]) ?? limit(tags[key]) { return limit }
    }
    return nil
  }

  static func advisory(_ tags: OSMTags, _ direction: TravelDirection) -> Limit? {
    limit(tags["maxspeed:advisory" + direction.suffix]) ?? limit(tags["maxspeed:advisory"])
  }

  /// Whether signs above the road change the limit.
  static func isVariable(_ tags: OSMTags) -> Bool {
    if let value = tags["maxspeed:variable"], value != "no" { return true }
    return tags["maxspeed"] == "signals" || tags["maxspeed"] == "variable"
  }

  /// The greatest limit of any lane: the one that the fastest may drive by.
  private static func laneLimit(_ value: String?) -> Limit? {
    guard let value else { return nil }
    let limits = value.split(separator: "|").compactMap { limit(trimmed($0)) }
    if limits.contains(Limit.none) { return Limit.none }
    let greatest = limits.compactMap { if case .kmh(let kmh) = $0 { kmh } else { nil } }.max()
    return greatest.map { .kmh($0) }
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
