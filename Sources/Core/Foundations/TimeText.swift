/// Reads and writes points of time as text.
public enum TimeText {
  /// The moment of an ISO 8601 text, or nil for anything else.
  ///
  /// `2013-07-01T00:09:03[.5][Z|+02:00]`; without a zone UTC.
  public static func iso8601(_ text: some StringProtocol) -> Instant? {
    var digits = TextScanner(Array(text.utf8))
    guard let year = digits.number(4), digits.consume("-"), let month = digits.number(2),
      digits.consume("-"), let day = digits.number(2), (1...12).contains(month),
      (1...CivilDate.daysInMonth(year: year, month: month)).contains(day),
      digits.consume("T") || digits.consume("t") || digits.consume(" "),
      let hour = digits.number(2), digits.consume(":"), let minute = digits.number(2),
      hour < 24, minute < 60
    else { return nil }
    var second = 0
    var nanoseconds = 0
    if digits.consume(":") {
      guard let value = digits.number(2), value <= 60 else { return nil }
      second = value
      if digits.consume(".") || digits.consume(",") {
        guard let fraction = digits.fraction() else { return nil }
        nanoseconds = fraction
      }
    }
    guard let zoneS = digits.zone(), digits.isAtEnd else { return nil }
    let whole =
      CivilDate(year: year, month: month, dayOfMonth: day).day * 86400 + hour * 3600 + minute * 60
      + second - zoneS
    let (scaled, overflow) = Int64(whole).multipliedReportingOverflow(by: 1_000_000_000)
    return overflow ? nil : Instant(nanoseconds: scaled + Int64(nanoseconds))
  }

  /// A moment in UTC, rounded down to the second: `2013-07-01T00:09:03Z`.
  public static func utc(_ moment: Instant) -> String {
    let (rest, nanoseconds) = moment.nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    let seconds = Int(rest) - (nanoseconds < 0 ? 1 : 0)
    let day = seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400
    let second = seconds - day * 86_400
    let date = CivilDate(day: day).parts
    return "\(digits(date.year, 4))-\(digits(date.month))-\(digits(date.dayOfMonth))"
      + "T\(digits(second / 3600)):\(digits(second / 60 % 60)):\(digits(second % 60))Z"
  }

  private static func digits(_ value: Int, _ width: Int = 2) -> String {
    let text = String(value)
    return String(repeating: "0", count: max(0, width - text.count)) + text
  }
}

/// Reads consecutive fixed-width numbers.
private struct TextScanner {
  let bytes: [UInt8]
  var at = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var isAtEnd: Bool { at == bytes.count }

  mutating func consume(_ character: Unicode.Scalar) -> Bool {
    guard at < bytes.count, UInt32(bytes[at]) == character.value else { return false }
    at += 1
    return true
  }

  mutating func digit() -> Int? {
    guard at < bytes.count, bytes[at] >= 48, bytes[at] <= 57 else { return nil }
    at += 1
    return Int(bytes[at - 1] - 48)
  }

  mutating func number(_ width: Int) -> Int? {
    var value = 0
    for _ in 0..<width {
      guard let next = digit() else { return nil }
      value = value * 10 + next
    }
    return value
  }

  /// Nanoseconds of the digits after the point; further digits are dropped.
  mutating func fraction() -> Int? {
    var value = 0
    var unit = 100_000_000
    guard let first = digit() else { return nil }
    value += first * unit
    while let next = digit() {
      unit /= 10
      value += next * unit
    }
    return value
  }

  /// Seconds east of Greenwich.
  mutating func zone() -> Int? {
    if isAtEnd || consume("Z") || consume("z") { return 0 }
    let sign: Int
    if consume("+") { sign = 1 } else if consume("-") { sign = -1 } else { return nil }
    guard let hours = number(2), hours < 24 else { return nil }
    if isAtEnd { return sign * hours * 3600 }
    _ = consume(":")
    guard let minutes = number(2), minutes < 60 else { return nil }
    return sign * (hours * 3600 + minutes * 60)
  }
}
