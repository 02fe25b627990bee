import RoadGraph

/// How large and heavy a vehicle may be: `maxheight=3.8`, `maxweight=7.5 t`, `maxheight=12'6"`.
enum VehicleTags {
  static func apply(_ tags: OSMTags, to road: inout RoadAttributes) {
    road.maxHeightCm = cm(tags["maxheight:physical"] ?? tags["maxheight"])
    if let legal = tags["maxheight"].map({ cm($0) }), legal > 0 {
      road.maxHeightCm = road.maxHeightCm == 0 ? legal : min(road.maxHeightCm, legal)
    }
    road.maxWidthCm = least(cm(tags["maxwidth:physical"]), cm(tags["maxwidth"]))
    road.maxLengthCm = cm(tags["maxlength"] ?? tags["maxlength:hgv"])
    road.maxWeight10Kg = least(tonnes(tags["maxweight"]), tonnes(tags["maxweightrating"]))
    road.maxWeight10Kg = least(road.maxWeight10Kg, tonnes(tags["maxgcweight"]))
    road.maxAxleLoad10Kg = tonnes(tags["maxaxleload"])
    if tags["hazmat"] == "no" { road.flags.insert(.noHazardousGoods) }
  }

  private static func least(_ a: UInt16, _ b: UInt16) -> UInt16 {
    a == 0 ? b : b == 0 ? a : min(a, b)
  }

  private static func cm(_ value: String?) -> UInt16 {
    guard let value, let metres = metres(value), metres > 0 else { return 0 }
    return UInt16(Double.maximum(1, Double.minimum(65_535, (metres * 100).rounded())))
  }

  private static func tonnes(_ value: String?) -> UInt16 {
    guard let value, let tonnes = tonnes(of: value), tonnes > 0 else { return 0 }
    return UInt16(Double.maximum(1, Double.minimum(65_535, (tonnes * 100).rounded())))
  }

  /// Metres of `3.8`, `3.8 m`, `380 cm`, `12'6"`, `12 ft`, `12 ft 6 in`; nil for `default`, `none` and what cannot be read.
  static func metres(_ value: String) -> Double? {
    var rest = trimmed(value)[...]
    guard let first = number(&rest) else { return nil }
    switch rest {
    case "", "m": return first
    case "cm": return first / 100
    case "\"", "in": return first * 0.0254
    default: break
    }
    let foot = ["'", "ft", "feet"].first { rest.hasPrefix($0) }
    guard let foot else { return nil }
    rest = trimmed(rest.dropFirst(foot.count))[...]
    if rest.isEmpty { return first * 0.3048 }
    guard let inches = number(&rest), ["\"", "in", ""].contains(rest) else { return nil }
    return first * 0.3048 + inches * 0.0254
  }

  /// Tonnes of `7.5`, `7.5 t`, `7500 kg`, `10 st`, `26000 lbs`; nil where it cannot be read.
  static func tonnes(of value: String) -> Double? {
    var rest = trimmed(value)[...]
    guard let number = number(&rest) else { return nil }
    switch rest {
    case "", "t", "mt": return number
    case "kg": return number / 1000
    case "st": return number * 0.907_184_74
    case "lt": return number * 1.016_046_9
    case "lbs", "lb": return number * 0.000_453_592_37
    case "cwt": return number * 0.050_802_345
    default: return nil
    }
  }

  private static func number(_ rest: inout Substring) -> Double? {
    let digits = rest.prefix { $0.isASCII && ($0.isNumber || $0 == "." || $0 == ",") }
    let text = String(digits.map { $0 == "," ? "." : $0 })
    guard let number = Double(text), number.isFinite else { return nil }
    rest = trimmed(rest.dropFirst(digits.count))[...]
    return number
  }
}
