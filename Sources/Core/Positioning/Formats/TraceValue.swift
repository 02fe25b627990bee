import Foundations

/// Parses the numbers and times of recordings in the notations that loggers use.
enum TraceValue {
  /// Parses a number with a decimal point or a decimal comma; nil for any other text.
  static func number(_ text: String) -> Double? {
    // The conversion of the standard library ends at a zero byte as if the text ended there.
    guard !text.utf8.contains(0) else { return nil }
    if let value = Double(text) { return value.isFinite ? value : nil }
    guard text.utf8.contains(0x2c), !text.utf8.contains(0x2e),
      text.utf8.count(where: { $0 == 0x2c }) == 1
    else { return nil }
    let pointed = String(decoding: text.utf8.map { $0 == 0x2c ? 0x2e : $0 }, as: UTF8.self)
    return Double(pointed).flatMap { $0.isFinite ? $0 : nil }
  }

  /// Returns a text without blanks at its ends.
  static func trimmed(_ text: String) -> String {
    func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0d).contains(byte) }
    guard text.utf8.first.map(isBlank) == true || text.utf8.last.map(isBlank) == true else {
      return text
    }
    var part = Array(text.utf8)[...]
    while let first = part.first, isBlank(first) { part.removeFirst() }
    while let last = part.last, isBlank(last) { part.removeLast() }
    return String(decoding: part, as: UTF8.self)
  }

  /// Parses a time: ISO 8601, also with slashes between year, month and day, a number, or a date of
  /// the form `01.06.2026` before the time of day.
  static func time(_ text: String, unit: EpochUnit? = nil, start: Instant) -> Instant? {
    if let number = EpochTime.instant(text, unit: unit, start: start) { return number }
    if let instant = TimeText.iso8601(text) { return instant }
    if let instant = TimeText.iso8601(isoOrder(text)) { return instant }
    guard text.utf8.count >= 16, text.utf8.dropFirst(4).first == 0x2f else { return nil }
    return TimeText.iso8601(
      String(decoding: text.utf8.map { $0 == 0x2f ? 0x2d : $0 }, as: UTF8.self))
  }
}

extension TraceValue {
  /// Returns `1.6.2026 10:00:00` as `2026-06-01 10:00:00`, and any other text as it is.
  ///
  /// With full stops, the day is first everywhere; with slashes, it may be the month.
  private static func isoOrder(_ text: String) -> String {
    let parts = text.split(separator: " ", maxSplits: 1)
    guard parts.count == 2 else { return text }
    let date = parts[0].split(separator: ".", omittingEmptySubsequences: false)
    guard date.count == 3, date[2].utf8.count == 4,
      date.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
      date[0].utf8.count <= 2, date[1].utf8.count <= 2
    else { return text }
    let digits = { (part: Substring) in part.utf8.count == 1 ? "0\(part)" : String(part) }
    return "\(date[2])-\(digits(date[1]))-\(digits(date[0])) \(parts[1])"
  }
}

/// The unit of a time that is written as a number.
enum EpochUnit: Int64, Sendable {
  case seconds = 1_000_000_000
  case milliseconds = 1_000_000
  case microseconds = 1_000
  case nanoseconds = 1
}

/// Converts times that are written as numbers.
enum EpochTime {
  /// Seconds below this (1973) count from the start of the recording, not from 1970.
  static let firstS = 1e8
  /// Maximum time in seconds since 1970 (year 2262); greater numbers are in a finer unit.
  static let lastS = 9.2e9

  /// Parses a number as a time in a known unit, or in the unit that its size determines.
  ///
  /// 1e11 milliseconds, 1e14 microseconds and 1e17 nanoseconds since 1970 are all a day in 1973.
  /// The units therefore cannot be confused. The result is nil for text that is no number, and for
  /// a time that no unit allows.
  static func instant(_ text: String, unit: EpochUnit?, start: Instant) -> Instant? {
    if let whole = Int64(text) {
      guard let unit = unit ?? self.unit(Double(whole)) else { return nil }
      let (nanoseconds, overflow) = whole.multipliedReportingOverflow(by: unit.rawValue)
      guard !overflow else { return nil }
      return moment(Instant(nanoseconds: nanoseconds), start)
    }
    return TraceValue.number(text).flatMap { instant($0, unit: unit, start: start) }
  }

  /// Converts a number that is already parsed.
  static func instant(_ value: Double, unit: EpochUnit?, start: Instant) -> Instant? {
    guard value.isFinite, let unit = unit ?? self.unit(value) else { return nil }
    let seconds = value * (Double(unit.rawValue) / 1e9)
    guard abs(seconds) <= lastS else { return nil }
    return moment(Instant(seconds: seconds), start)
  }

  private static func unit(_ value: Double) -> EpochUnit? {
    switch abs(value) {
    case ...lastS: .seconds
    case 1e11..<1e14: .milliseconds
    case 1e14..<1e17: .microseconds
    case 1e17..<9.2e18: .nanoseconds
    default: nil
    }
  }

  private static func moment(_ time: Instant, _ start: Instant) -> Instant {
    time.seconds < firstS ? start.advanced(bySeconds: time.seconds) : time
  }
}
