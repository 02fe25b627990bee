import RoadGraph

/// Legal limits in the notation of tags: `50`, `30 mph`, `walk`, `none`, `DE:urban`.
enum SpeedTags {
  /// A limit in km/h; `none` if the sign states that there is no limit.
  enum Limit: Hashable {
    case kmh(Double)
    case none

    /// The value in `RoadAttributes`: 255 for none.
    var stored: UInt8 {
      switch self {
      case .none: 255
      case .kmh(let value): UInt8(Double.minimum(254, Double.maximum(1, value.rounded())))
      }
    }
  }

  /// The limit for cars in one direction; nil if the tags contain no readable limit.
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

  /// The limit that applies only to heavy vehicles.
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

  /// The highest limit of any lane: the one for the fastest traffic.
  private static func laneLimit(_ value: String?) -> Limit? {
    guard let value else { return nil }
    let limits = value.split(separator: "|").compactMap { limit(trimmed($0)) }
    if limits.contains(Limit.none) { return Limit.none }
    let greatest = limits.compactMap { if case .kmh(let kmh) = $0 { kmh } else { nil } }.max()
    return greatest.map { .kmh($0) }
  }

  static func limit(_ value: String?) -> Limit? {
    guard let value else { return nil }
    let text = parts(value).first ?? ""
    switch text.lowercased() {
    case "none", "unlimited": return Limit.none
    case "walk", "walking": return .kmh(7)
    // The signs of Great Britain that end a limit, on single carriageway roads.
    case "national", "nsl": return Countries.zoneLimit("GB:nsl_single")
    default: break
    }
    if let number = number(text) { return number }
    return Countries.zoneLimit(text)
  }

  private static func number(_ text: String) -> Limit? {
    let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    guard let number = Double(String(digits)), number > 0, number < 400 else { return nil }
    switch trimmed(text.dropFirst(digits.count)).lowercased() {
    case "", "km/h", "kmh", "kph", "kmph", "km": return .kmh(number)
    case "mph", "mp/h", "mi/h": return .kmh(number * 1.609344)
    case "knots", "knot", "kn": return .kmh(number * 1.852)
    default: return nil
    }
  }

  /// The keys of limits with unreadable values, for the report.
  static func unreadable(_ tags: OSMTags) -> [String] {
    tags.pairs.compactMap { tag in
      guard tag.key.hasPrefix("maxspeed"), keys.contains(tag.key) else { return nil }
      let values = tag.value.split(separator: "|").map { trimmed($0) }
      let isRead = values.allSatisfy { value in
        silent.contains(value.lowercased()) || limit(value) != nil
      }
      return isRead ? nil : tag.key
    }
  }

  private static let keys = Set(
    ["", ":hgv", ":bus", ":coach", ":psv", ":advisory", ":lanes", ":motor_vehicle", ":type"]
      .flatMap { ["maxspeed\($0)", "maxspeed\($0):forward", "maxspeed\($0):backward"] })

  /// Values that mark a limit without giving its value.
  private static let silent: Set<String> = [
    "", "signals", "variable", "default", "unknown", "implicit", "sign", "no", "yes",
  ]

  /// Whether the tags mark a built-up area: a zone of that name, or a limit by it.
  static func isBuiltUp(_ tags: OSMTags) -> Bool {
    for key in ["maxspeed", "maxspeed:type", "source:maxspeed", "zone:traffic", "zone:maxspeed"] {
      guard let value = tags[key] else { continue }
      if builtUp.contains(where: { value.hasSuffix($0) }) { return true }
    }
    return false
  }

  private static let builtUp = [":urban", ":built_up", ":nsl_restricted", ":30", ":zone30"]
}
