extension OpeningHours {
  /// Maximum number of rules in one text.
  static let mostRules = 200

  /// Reads opening hours, strictly by the specification.
  ///
  /// - Throws: `HoursFault` with the byte of the first invalid part. Linear.
  public init(_ text: String) throws(HoursFault) {
    let bytes = Array(text.utf8)
    try self.init(bytes, from: 0, to: bytes.count)
  }

  init(_ bytes: [UInt8], from: Int, to: Int) throws(HoursFault) {
    var parser = HoursParser(scanner: HoursScanner(bytes, from: from, to: to))
    rules = try parser.rules()
  }
}

/// Reads rules in sequence.
struct HoursParser {
  var scanner: HoursScanner

  mutating func rules() throws(HoursFault) -> [HoursRule] {
    var rules: [HoursRule] = []
    var joint = HoursRule.RuleSeparator.replaces
    while true {
      scanner.skipSpaces()
      guard rules.count < OpeningHours.mostRules else { throw scanner.fault("too many rules") }
      rules.append(try rule(joint))
      scanner.skipSpaces()
      if scanner.isAtEnd { return rules }
      if scanner.consume("||") {
        joint = .fallsBack
      } else if scanner.consume(";") {
        joint = .replaces
        scanner.skipSpaces()
        // A semicolon at the end is common and harmless.
        if scanner.isAtEnd { return rules }
      } else if scanner.consume(",") {
        joint = .adds
      } else {
        throw scanner.fault("the remaining text is not part of a rule")
      }
    }
  }

  private mutating func rule(_ joint: HoursRule.RuleSeparator) throws(HoursFault) -> HoursRule {
    let start = scanner.offset
    var rule = HoursRule(joint: joint)
    if scanner.consume("24/7") {
      scanner.skipSpaces()
    } else {
      try wideSelectors(&rule)
      try daySelectors(&rule)
      scanner.skipSpaces()
      if startsTime { rule.times = try times() }
    }
    let hasSelectors = scanner.offset > start
    let hasState = try state(&rule)
    guard hasSelectors || hasState else { throw scanner.fault("a rule is missing") }
    return rule
  }

  /// Years, dates and weeks, and an optional colon after them.
  private mutating func wideSelectors(_ rule: inout HoursRule) throws(HoursFault) {
    let start = scanner.offset
    rule.years = try years()
    scanner.skipSpaces()
    rule.dates = try dates()
    scanner.skipSpaces()
    if scanner.consumeWord("week") {
      scanner.skipSpaces()
      rule.weeks = try numbers(1...53, "week")
    }
    if scanner.offset > start {
      _ = scanner.consume(":")
      scanner.skipSpaces()
    }
  }

  private mutating func state(_ rule: inout HoursRule) throws(HoursFault) -> Bool {
    scanner.skipSpaces()
    let words: [StaticString] = ["open", "closed", "off", "unknown"]
    let word = scanner.consumeOne(of: words)
    switch word {
    case 0: rule.state = .open
    case 1, 2: rule.state = .closed
    case 3: rule.state = .unknown
    default: break
    }
    scanner.skipSpaces()
    guard scanner.next == UInt8(ascii: "\"") else { return word != nil }
    let start = scanner.offset + 1
    scanner.offset = start
    while let next = scanner.next, next != UInt8(ascii: "\"") { scanner.offset += 1 }
    rule.comment = String(decoding: scanner.bytes[start..<scanner.offset], as: UTF8.self)
    guard scanner.consume("\"") else { throw scanner.fault("the comment is not closed") }
    // "Mo-Fr by appointment": with only a comment, the state is unknown to everyone but the owner.
    if word == nil { rule.state = .unknown }
    return true
  }

  /// Numbers and ranges of them, separated by commas: `1-10/2,20`.
  mutating func numbers(
    _ valid: ClosedRange<Int>, _ what: String
  ) throws(HoursFault) -> [NumberRange] {
    var ranges: [NumberRange] = []
    repeat {
      guard let from = scanner.consumeNumber(digits: 2), valid.contains(from) else {
        throw scanner.fault("a \(what) is missing")
      }
      var range = NumberRange(from: from, to: from)
      if consumeDash() {
        guard let to = scanner.consumeNumber(digits: 2), valid.contains(to) else {
          throw scanner.fault("the last \(what) is missing")
        }
        range.to = to
        if scanner.consume("/") {
          guard let every = scanner.consumeNumber(digits: 2), every > 0, from <= to else {
            throw scanner.fault("the interval is missing")
          }
          range.every = every
        }
      }
      ranges.append(range)
    } while consumeComma { $0.digitsAhead > 0 }
    return ranges
  }

  /// Consumes a hyphen or an en dash between the two ends of a range, including spaces around it.
  mutating func consumeDash() -> Bool {
    var ahead = scanner
    ahead.skipSpaces()
    guard ahead.consume("-") || ahead.consume("\u{2013}") else { return false }
    ahead.skipSpaces()
    scanner = ahead
    return true
  }

  /// Consumes a comma, and spaces after it, if the following part belongs to the same list.
  mutating func consumeComma(_ belongs: (inout HoursScanner) -> Bool) -> Bool {
    var ahead = scanner
    ahead.skipSpaces()
    guard ahead.consume(",") else { return false }
    ahead.skipSpaces()
    var probe = ahead
    guard belongs(&probe) else { return false }
    scanner = ahead
    return true
  }

  /// `+2 days`, `-1 day`; nil if none follows.
  mutating func dayOffset() throws(HoursFault) -> Int? {
    var ahead = scanner
    ahead.skipSpaces()
    let isAfter = ahead.consume("+")
    guard isAfter || ahead.consume("-"), let count = ahead.consumeNumber(digits: 3) else {
      return nil
    }
    ahead.skipSpaces()
    guard ahead.consumeWord("days") || ahead.consumeWord("day") else { return nil }
    scanner = ahead
    return isAfter ? count : -count
  }
}
