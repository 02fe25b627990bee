/// Numbers with units, as people write them in a stack file.
public enum Quantity {
  /// Seconds of `5s`, `500 ms`, `2 min`, `1h`; nil for anything else.
  public static func durationS(_ text: String) -> Double? {
    guard let (number, unit) = split(text), number >= 0 else { return nil }
    switch unit {
    case "ms": return number / 1_000
    case "s": return number
    case "min", "m": return number * 60
    case "h": return number * 3_600
    case "": return number == 0 ? 0 : nil
    default: return nil
    }
  }

  /// Bytes of `512MiB`, `1 GiB`, `10 kB`, `4096 B`; nil for anything else.
  public static func bytes(_ text: String) -> Int? {
    let units: [String: Double] = [
      "b": 1, "kb": 1e3, "mb": 1e6, "gb": 1e9, "kib": 1_024, "mib": 1_048_576, "gib": 1_073_741_824,
    ]
    guard let (number, unit) = split(text), number >= 0, let factor = units[unit.lowercased()],
      number * factor < 9e18
    else { return nil }
    return Int(number * factor)
  }

  /// Hertz of `10 Hz`, `0.5`; nil for anything else.
  public static func hertz(_ text: String) -> Double? {
    guard let (number, unit) = split(text), number >= 0, ["", "hz"].contains(unit.lowercased())
    else { return nil }
    return number
  }

  /// A range of processor numbers, from 0 to 255: `3`, `2-5`; nil for anything else.
  public static func processors(_ text: String) -> ClosedRange<Int>? {
    let ends = trimmed(text).split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count <= 2, let first = ends.first.flatMap({ Int($0) }),
      let last = ends.last.flatMap({ Int($0) }), first >= 0, first <= last, last <= 255
    else { return nil }
    return first...last
  }

  /// A number and the text after it.
  static func split(_ text: String) -> (number: Double, unit: String)? {
    let text = trimmed(text)
    let digits = text.prefix { $0.isASCII && ($0.isNumber || ".-+".contains($0)) }
    guard let number = Double(digits), number.isFinite else { return nil }
    return (number, trimmed(String(text.dropFirst(digits.count))))
  }

  package static func trimmed(_ text: String) -> String {
    guard let first = text.firstIndex(where: { !$0.isWhitespace }),
      let last = text.lastIndex(where: { !$0.isWhitespace })
    else { return "" }
    return String(text[first...last])
  }
}

/// A bound on a figure: `>= 0.5 Hz`, `<= 300 ms`, `0`.
public struct Bound: Hashable, Sendable {
  public enum Relation: String, Hashable, Sendable, CaseIterable {
    case atLeast = ">="
    case atMost = "<="
    case above = ">"
    case below = "<"
    case equal = "=="
  }

  /// What the figure counts.
  public enum Unit: String, Hashable, Sendable {
    case hertz = "Hz"
    case seconds = "s"
    case messages = "messages"
  }

  public var relation: Relation
  public var value: Double
  public var unit: Unit

  public init(_ relation: Relation, _ value: Double, _ unit: Unit) {
    self.relation = relation
    self.value = value
    self.unit = unit
  }

  /// Parses a bound, nil if it is invalid; a bare figure means equality.
  public init?(_ text: String, _ unit: Unit) {
    let text = Quantity.trimmed(text)
    let relation = Relation.allCases.first { text.hasPrefix($0.rawValue) }
    let figure = String(text.dropFirst(relation?.rawValue.count ?? 0))
    let value: Double?
    switch unit {
    case .hertz: value = Quantity.hertz(figure)
    case .seconds: value = Quantity.durationS(figure)
    case .messages: value = Int(Quantity.trimmed(figure)).map(Double.init)
    }
    guard let value else { return nil }
    self.init(relation ?? .equal, value, unit)
  }

  public func holds(for figure: Double) -> Bool {
    switch relation {
    case .atLeast: figure >= value
    case .atMost: figure <= value
    case .above: figure > value
    case .below: figure < value
    case .equal: figure == value
    }
  }

  public var text: String { "\(relation.rawValue) \(Figures.plain(value)) \(unit.rawValue)" }
}

/// Formats figures for people.
public enum Figures {
  /// Up to three decimals, none if not needed: `0.5`, `12`.
  public static func plain(_ value: Double) -> String {
    guard value.isFinite, abs(value) < 1e15 else { return "\(value)" }
    let thousandths = (value * 1_000).rounded() / 1_000
    if thousandths == thousandths.rounded() { return "\(Int(thousandths))" }
    return "\(thousandths)"
  }

  /// `0.3 s`, `3m 25s`, `2h 05m`.
  public static func duration(seconds: Double) -> String {
    if seconds < 60 { return "\(plain((seconds * 10).rounded() / 10)) s" }
    let whole = Int(seconds)
    if whole < 3_600 { return "\(whole / 60)m \(twoDigits(whole % 60))s" }
    return "\(whole / 3_600)h \(twoDigits(whole % 3_600 / 60))m"
  }

  /// `41 MiB`, `1.9 GiB`.
  public static func memory(bytes: Int) -> String {
    let mebibytes = Double(bytes) / 1_048_576
    if mebibytes < 1_024 { return "\(plain(mebibytes.rounded())) MiB" }
    return "\(plain((mebibytes / 102.4).rounded() / 10)) GiB"
  }

  package static func twoDigits(_ number: Int) -> String {
    number < 10 ? "0\(number)" : "\(number)"
  }
}
