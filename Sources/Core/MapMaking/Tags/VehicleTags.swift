/// Lengths and weights in the notation of signs: `3.8`, `12'6"`, `7.5 t`, `26000 lbs`.
enum VehicleTags {
  /// Metres of `3.8`, `3.8 m`, `380 cm`, `12'6"`, `12'-6"`, `12 ft`, `12 ft 6 in`, `12 feet 6 inches`, `150"`; nil for
  /// what cannot be read.
  static func metres(_ value: String) -> Double? {
    var rest = plain(value)[...]
    guard let first = number(&rest) else { return nil }
    if let unit = metric[String(rest)] { return first * unit }
    if inches.contains(String(rest)) { return first * 0.0254 }
    guard let foot = feet.first(where: { rest.hasPrefix($0) }) else { return nil }
    rest = trimmed(rest.dropFirst(foot.count))[...]
    if rest.first == "-" { rest = trimmed(rest.dropFirst())[...] }
    if rest.isEmpty { return first * 0.3048 }
    guard let second = number(&rest), rest.isEmpty || inches.contains(String(rest)) else {
      return nil
    }
    return first * 0.3048 + second * 0.0254
  }

  /// Tonnes of `7.5`, `7.5 t`, `7500 kg`, `10 st`, `26000 lbs`; nil if it cannot be read.
  ///
  /// `ton` and `tons` are interpreted as metric, `st` and `short tons` as 2000 pounds.
  static func tonnes(of value: String) -> Double? {
    var rest = plain(value)[...]
    guard let number = number(&rest), let unit = weights[String(rest)] else { return nil }
    return number * unit
  }

  /// Whether a value states that there is no sign, or no limit on the sign.
  static func isUnlimited(_ value: String) -> Bool {
    unlimited.contains(plain(value))
  }

  private static let metric: [String: Double] = [
    "": 1, "m": 1, "meter": 1, "meters": 1, "metre": 1, "metres": 1, "cm": 0.01, "mm": 0.001,
  ]
  private static let inches: Set<String> = ["\"", "''", "in", "in.", "inch", "inches"]
  private static let feet = ["feet", "foot", "ft.", "ft", "'"]
  private static let weights: [String: Double] = [
    "": 1, "t": 1, "mt": 1, "to": 1, "ton": 1, "tons": 1, "tonne": 1, "tonnes": 1, "kg": 0.001,
    "kgs": 0.001, "st": 0.907_184_74, "short ton": 0.907_184_74, "short tons": 0.907_184_74,
    "lt": 1.016_046_9, "long ton": 1.016_046_9, "long tons": 1.016_046_9,
    "lbs": 0.000_453_592_37, "lb": 0.000_453_592_37, "pounds": 0.000_453_592_37,
    "cwt": 0.050_802_345,
  ]
  private static let unlimited: Set<String> = [
    "", "none", "no", "default", "below_default", "no_sign", "no_indications", "unsigned",
    "unlimited", "unknown", "-",
  ]

  /// Lower-case text with typographic foot and inch signs replaced by plain ones.
  private static func plain(_ value: String) -> String {
    var text = ""
    for letter in trimmed(value).lowercased() {
      switch letter {
      case "′", "’", "‘", "´", "`": text.append("'")
      case "″", "”", "“": text.append("\"")
      case "\u{a0}", "\u{202f}": text.append(" ")
      default: text.append(letter)
      }
    }
    return text
  }

  private static func number(_ rest: inout Substring) -> Double? {
    let digits = rest.prefix { $0.isASCII && ($0.isNumber || $0 == "." || $0 == ",") }
    let text = String(digits.map { $0 == "," ? "." : $0 })
    guard let number = Double(text), number.isFinite else { return nil }
    rest = trimmed(rest.dropFirst(digits.count))[...]
    return number
  }
}
