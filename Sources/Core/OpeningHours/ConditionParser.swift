/// A value and its condition: one part of `no @ (Mo-Fr 07:00-09:00); destination @ wet`.
public struct ConditionalValue: Hashable, Sendable {
  public var value: String
  public var condition: Condition
  /// The condition as written, without surrounding parentheses.
  public var text: String

  /// The parts of a conditional tag in their order; a later one whose condition is true takes
  /// precedence.
  ///
  /// - Throws: `HoursFault` with the byte of the first invalid part. Linear.
  public static func parse(_ tag: String) throws(HoursFault) -> [ConditionalValue] {
    let bytes = Array(tag.utf8)
    var values: [ConditionalValue] = []
    for (from, to) in try parts(bytes) {
      values.append(try part(bytes, from, to))
    }
    return values
  }

  /// Splits at semicolons outside parentheses and comments.
  private static func parts(_ bytes: [UInt8]) throws(HoursFault) -> [(Int, Int)] {
    var parts: [(Int, Int)] = []
    var depth = 0
    var isComment = false
    var start = 0
    for (offset, byte) in bytes.enumerated() {
      switch byte {
      case UInt8(ascii: "\""): isComment.toggle()
      case UInt8(ascii: "(") where !isComment: depth += 1
      case UInt8(ascii: ")") where !isComment:
        depth -= 1
        if depth < 0 {
          throw HoursFault(reason: "a closing parenthesis without an opening one", byte: offset)
        }
      case UInt8(ascii: ";") where depth == 0 && !isComment:
        // Without parentheses a semicolon may separate rules of hours: only "@" begins the next
        // value.
        if bytes[offset...].dropFirst().prefix(while: { $0 != UInt8(ascii: ";") })
          .contains(UInt8(ascii: "@"))
        {
          parts.append((start, offset))
          start = offset + 1
        }
      default: break
      }
    }
    guard depth == 0, !isComment else {
      throw HoursFault(reason: "a parenthesis or a comment is not closed", byte: bytes.count)
    }
    parts.append((start, bytes.count))
    return parts
  }

  private static func part(
    _ bytes: [UInt8], _ from: Int, _ to: Int
  ) throws(HoursFault) -> ConditionalValue {
    guard let at = bytes[from..<to].firstIndex(of: UInt8(ascii: "@")) else {
      throw HoursFault(reason: "\"@\" is missing", byte: to)
    }
    let value = trimmed(bytes, from, at)
    guard value.from < value.to else { throw HoursFault(reason: "a value is missing", byte: from) }
    var rest = trimmed(bytes, at + 1, to)
    if rest.from < rest.to, bytes[rest.to - 1] == UInt8(ascii: ";") {
      rest = trimmed(bytes, rest.from, rest.to - 1)
    }
    if rest.from < rest.to, bytes[rest.from] == UInt8(ascii: "("),
      closing(bytes, rest.from, rest.to) == rest.to - 1
    {
      rest = trimmed(bytes, rest.from + 1, rest.to - 1)
    }
    return ConditionalValue(
      value: String(decoding: bytes[value.from..<value.to], as: UTF8.self),
      condition: try Condition(bytes, from: rest.from, to: rest.to),
      // Rules are stored line by line, so a comment must not contain line breaks.
      text: String(
        decoding: bytes[rest.from..<rest.to].map { $0 < 0x20 ? 0x20 : $0 }, as: UTF8.self))
  }

  private static func closing(_ bytes: [UInt8], _ from: Int, _ to: Int) -> Int? {
    var depth = 0
    var isComment = false
    for offset in from..<to {
      if bytes[offset] == UInt8(ascii: "\"") { isComment.toggle() }
      if isComment { continue }
      if bytes[offset] == UInt8(ascii: "(") { depth += 1 }
      if bytes[offset] == UInt8(ascii: ")") {
        depth -= 1
        if depth == 0 { return offset }
      }
    }
    return nil
  }

  private static func trimmed(_ bytes: [UInt8], _ from: Int, _ to: Int) -> (from: Int, to: Int) {
    var (from, to) = (from, to)
    while from < to, bytes[from] == UInt8(ascii: " ") { from += 1 }
    while to > from, bytes[to - 1] == UInt8(ascii: " ") { to -= 1 }
    return (from, to)
  }
}

extension Condition {
  /// Reads a condition: terms separated by `AND`.
  ///
  /// - Throws: `HoursFault` with the byte of the first invalid part. Linear.
  public init(_ text: String) throws(HoursFault) {
    let bytes = Array(text.utf8)
    try self.init(bytes, from: 0, to: bytes.count)
  }

  init(_ bytes: [UInt8], from: Int, to: Int) throws(HoursFault) {
    terms = []
    var start = from
    var offset = from
    var isComment = false
    while offset < to {
      if bytes[offset] == UInt8(ascii: "\"") { isComment.toggle() }
      if !isComment, Self.isAnd(bytes, at: offset, to) {
        terms.append(try Self.term(bytes, start, offset))
        offset += 5
        start = offset
      } else {
        offset += 1
      }
    }
    terms.append(try Self.term(bytes, start, to))
  }

  private static func isAnd(_ bytes: [UInt8], at offset: Int, _ end: Int) -> Bool {
    guard offset + 5 <= end else { return false }
    return zip(bytes[offset..<offset + 5], " and ".utf8).allSatisfy { byte, letter in
      byte == letter || (letter != 0x20 && byte | 0x20 == letter)
    }
  }

  private static func term(_ bytes: [UInt8], _ from: Int, _ to: Int) throws(HoursFault) -> Term {
    var scanner = HoursScanner(bytes, from: from, to: to)
    scanner.skipSpaces()
    let start = scanner.offset
    while let next = scanner.next,
      HoursScanner.isLetter(next) || next == UInt8(ascii: "_") || next == UInt8(ascii: ":")
    {
      scanner.offset += 1
    }
    let word = String(decoding: bytes[start..<scanner.offset], as: UTF8.self)
    let wordEnd = scanner.offset
    scanner.skipSpaces()
    // A notation of map making: the times at which the following hours are closed.
    if word == "outside", !scanner.isAtEnd {
      return .outside(try OpeningHours(bytes, from: scanner.offset, to: to))
    }
    if let measure = Measure(word: word.lowercased()), !scanner.isAtEnd {
      return try comparison(measure, &scanner)
    }
    let isWord = scanner.isAtEnd && wordEnd > start
    if isWord, let weather = Weather(rawValue: word) { return .weather(weather) }
    let startsLower = start < to && bytes[start] >= UInt8(ascii: "a")
    let hourWords: Set<String> = [
      "sunrise", "sunset", "dawn", "dusk", "easter", "open", "closed", "off", "unknown", "week",
    ]
    if isWord, startsLower, !hourWords.contains(word) { return .word(word) }
    return .hours(try OpeningHours(bytes, from: start, to: to))
  }

  private static func comparison(
    _ measure: Measure, _ scanner: inout HoursScanner
  ) throws(HoursFault) -> Term {
    let comparison: Comparison
    if scanner.consume("<=") {
      comparison = .atMost
    } else if scanner.consume(">=") {
      comparison = .atLeast
    } else if scanner.consume("<") {
      comparison = .less
    } else if scanner.consume(">") {
      comparison = .more
    } else if scanner.consume("=") {
      comparison = .equal
    } else {
      throw scanner.fault("a comparison is missing")
    }
    scanner.skipSpaces()
    guard let value = Quantity.number(&scanner) else { throw scanner.fault("a number is missing") }
    let unit = String(decoding: scanner.bytes[scanner.offset..<scanner.end], as: UTF8.self)
    guard let inUnits = Quantity.converted(value, unit: unit, measure: measure) else {
      throw scanner.fault("the unit is unknown")
    }
    return .comparison(measure, comparison, inUnits)
  }
}

/// Numbers with units.
enum Quantity {
  static func number(_ scanner: inout HoursScanner) -> Double? {
    let start = scanner.offset
    while let next = scanner.next, HoursScanner.isDigit(next) || next == UInt8(ascii: ".") {
      scanner.offset += 1
    }
    return Double(String(decoding: scanner.bytes[start..<scanner.offset], as: UTF8.self))
  }

  /// Tonnes, metres or counts; nil for a unit that does not belong to the measure.
  static func converted(_ value: Double, unit: String, measure: Condition.Measure) -> Double? {
    var unit = Substring(unit)
    while unit.first == " " { unit.removeFirst() }
    while unit.last == " " { unit.removeLast() }
    guard value.isFinite, value >= 0, value < 1e6 else { return nil }
    switch (measure, unit) {
    case (_, ""): return value
    case (.weight, "t"), (.axleLoad, "t"): return value
    case (.weight, "kg"), (.axleLoad, "kg"): return value / 1000
    case (.weight, "st"), (.axleLoad, "st"): return value * 0.907_184_74
    case (.weight, "lbs"), (.axleLoad, "lbs"): return value * 0.000_453_592_37
    case (.height, "m"), (.length, "m"), (.width, "m"): return value
    case (.height, "ft"), (.length, "ft"), (.width, "ft"): return value * 0.3048
    default: return nil
    }
  }
}
