extension HoursParser {
  /// Whether a time comes next.
  var startsTime: Bool { Self.startsTime(scanner) }

  private static let events: [StaticString] = ["dawn", "sunrise", "sunset", "dusk"]

  private static func startsTime(_ scanner: HoursScanner) -> Bool {
    if scanner.next == UInt8(ascii: "(") { return true }
    let digits = scanner.digitsAhead
    if digits == 1 || digits == 2 {
      let colon = scanner.offset + digits
      return colon < scanner.end && scanner.bytes[colon] == UInt8(ascii: ":")
    }
    var ahead = scanner
    return ahead.consumeOne(of: events) != nil
  }

  /// Times of day, separated by commas.
  mutating func times() throws(HoursFault) -> [TimeSpan] {
    var spans: [TimeSpan] = []
    repeat { spans.append(try span()) } while consumeComma({ Self.startsTime($0) })
    return spans
  }

  private mutating func span() throws(HoursFault) -> TimeSpan {
    var span = TimeSpan(from: try time(most: 1440))
    if scanner.consume("+") {
      span.isOpenEnded = true
      return span
    }
    scanner.skipSpaces()
    guard consumeDash() else { return span }
    span.to = try time(most: 2880)
    if scanner.consume("+") {
      span.isOpenEnded = true
    } else if scanner.consume("/") {
      span.everyMin = try period()
    }
    return span
  }

  private mutating func period() throws(HoursFault) -> Int {
    guard let first = scanner.consumeNumber(digits: 4) else {
      throw scanner.fault("the interval is missing")
    }
    var minutes = first
    if scanner.consume(":") {
      guard let rest = scanner.consumeNumber(digits: 2), rest < 60 else {
        throw scanner.fault("the minutes are missing")
      }
      minutes = first * 60 + rest
    }
    guard minutes > 0, minutes <= 1440 else { throw scanner.fault("the interval is missing") }
    return minutes
  }

  private mutating func time(most: Int) throws(HoursFault) -> TimePoint {
    if scanner.consume("(") {
      guard let event = scanner.consumeOne(of: Self.events) else {
        throw scanner.fault("sunrise, sunset, dawn or dusk is missing")
      }
      let isAfter = scanner.consume("+")
      guard isAfter || scanner.consume("-") else { throw scanner.fault("plus or minus is missing") }
      let offset = try clock(most: 1440)
      guard scanner.consume(")") else { throw scanner.fault("a parenthesis is missing") }
      return Self.point(event, isAfter ? offset : -offset)
    }
    if let event = scanner.consumeOne(of: Self.events) { return Self.point(event, 0) }
    return .minute(try clock(most: most))
  }

  private static func point(_ event: Int, _ offsetMin: Int) -> TimePoint {
    switch event {
    case 0: .dawn(offsetMin: offsetMin)
    case 1: .sunrise(offsetMin: offsetMin)
    case 2: .sunset(offsetMin: offsetMin)
    default: .dusk(offsetMin: offsetMin)
    }
  }

  /// `hh:mm` as minutes.
  private mutating func clock(most: Int) throws(HoursFault) -> Int {
    let start = scanner.offset
    guard let hours = scanner.consumeNumber(digits: 2), scanner.consume(":"),
      scanner.digitsAhead == 2,
      let minutes = scanner.consumeNumber(digits: 2), minutes < 60, hours * 60 + minutes <= most
    else { throw HoursFault(reason: "a time of day is missing", byte: start) }
    return hours * 60 + minutes
  }
}
