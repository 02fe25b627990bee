/// Reads and writes points of time as text.
public enum TimeText {
  /// The moment of an ISO 8601 text, or nil for anything else.
  ///
  /// `2013-07-01T00:09:03[.5][Z|+02:00]`; without a zone UTC.
  public static func iso8601(_ text: some StringProtocol) -> Instant? {
    var digits = TextScanner(Array(text.utf8))
    guard let year = digits.number(4), digits.take("-"), let month = digits.number(2),
      digits.take("-"), let day = digits.number(2), (1...12).contains(month),
      (1...days(inMonth: month, year: year)).contains(day),
      digits.take("T") || digits.take("t") || digits.take(" "),
      let hour = digits.number(2), digits.take(":"), let minute = digits.number(2),
      hour < 24, minute < 60
    else { return nil }
    var second = 0
    var nanoseconds = 0
    if digits.take(":") {
      guard let value = digits.number(2), value <= 60 else { return nil }
      second = value
      if digits.take(".") || digits.take(",") {
        guard let fraction = digits.fraction() else { return nil }
        nanoseconds = fraction
      }
    }
    guard let zoneS = digits.zone(), digits.isAtEnd else { return nil }
    let whole =
      daysSince1970(year: year, month: month, day: day) * 86400 + hour * 3600 + minute * 60
      + second - zoneS
    let (scaled, overflow) = Int64(whole).multipliedReportingOverflow(by: 1_000_000_000)
    return overflow ? nil : Instant(nanoseconds: scaled + Int64(nanoseconds))
  }

  /// The moment in whole seconds of UTC, as `2013-07-01T00:09:03Z`.
  public static func utc(_ instant: Instant) -> String {
    let seconds = Int(
      (instant.nanoseconds / 1_000_000_000) - (instant.nanoseconds % 1_000_000_000 < 0 ? 1 : 0))
    let days = seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400
    let ofDay = seconds - days * 86_400
    // The inverse of `daysSince1970`, by the same source.
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let month = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * month + 2) / 5 + 1
    let year = yearOfEra + era * 400 + (month >= 10 ? 1 : 0)
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(year)-\(two(month < 10 ? month + 3 : month - 9))-\(two(day))"
      + "T\(two(ofDay / 3_600)):\(two(ofDay / 60 % 60)):\(two(ofDay % 60))Z"
  }

  /// Days from 1970-01-01 to a day of the Gregorian calendar.
  ///
  /// H. Hinnant, "chrono-compatible low-level date algorithms".
  public static func daysSince1970(year: Int, month: Int, day: Int) -> Int {
    let y = month <= 2 ? year - 1 : year
    let era = (y >= 0 ? y : y - 399) / 400
    let yearOfEra = y - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719468
  }

  /// A moment in UTC to the second: `2013-07-01T00:09:03Z`.
  ///
  /// H. Hinnant, "chrono-compatible low-level date algorithms".
  public static func text(_ moment: Instant) -> String {
    let seconds = Int((Double(moment.nanoseconds) / 1e9).rounded(.down))
    let days = seconds >= 0 ? seconds / 86400 : (seconds - 86399) / 86400
    let shifted = days + 719468
    let era = (shifted >= 0 ? shifted : shifted - 146096) / 146097
    let dayOfEra = shifted - era * 146097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    let second = seconds - days * 86400
    func digits(_ value: Int, _ width: Int = 2) -> String {
      let text = String(value)
      return String(repeating: "0", count: max(0, width - text.count)) + text
    }
    return "\(digits(year, 4))-\(digits(month))-\(digits(day))T\(digits(second / 3600))"
      + ":\(digits(second / 60 % 60)):\(digits(second % 60))Z"
  }

  public static func days(inMonth month: Int, year: Int) -> Int {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    return switch month {
    case 2: isLeap ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}

/// Reads fixed-width digits one after the other.
private struct TextScanner {
  let bytes: [UInt8]
  var at = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var isAtEnd: Bool { at == bytes.count }

  mutating func take(_ character: Unicode.Scalar) -> Bool {
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

  /// Nanoseconds of the digits behind the point; what is finer is cut.
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
    if isAtEnd || take("Z") || take("z") { return 0 }
    let sign: Int
    if take("+") { sign = 1 } else if take("-") { sign = -1 } else { return nil }
    guard let hours = number(2), hours < 24 else { return nil }
    if isAtEnd { return sign * hours * 3600 }
    _ = take(":")
    guard let minutes = number(2), minutes < 60 else { return nil }
    return sign * (hours * 3600 + minutes * 60)
  }
}
