import Foundations

extension HoursParser {
  static let weekdays: [StaticString] = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"]
  static let months: [StaticString] = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  // MARK: Years

  /// Years on their own, not before a month: `2024-2026`, `2025+`.
  mutating func years() throws(HoursFault) -> [NumberRange] {
    var ranges: [NumberRange] = []
    while Self.isYear(scanner) {
      let start = scanner
      let from = try year()
      var range = NumberRange(from: from, to: from)
      if scanner.consume("+") {
        range.to = 9999
      } else if consumeDash() {
        range.to = try year()
        if scanner.consume("/") {
          guard let every = scanner.consumeNumber(digits: 2), every > 0 else {
            throw scanner.fault("the interval is missing")
          }
          range.every = every
        }
        guard range.from <= range.to else { throw scanner.fault("the years go backwards") }
      }
      // A year before a month belongs to the date.
      var ahead = scanner
      ahead.skipSpaces()
      if range.from == range.to, Self.isDate(ahead) {
        scanner = start
        return ranges
      }
      ranges.append(range)
      guard consumeComma({ Self.isYear($0) }) else { break }
    }
    return ranges
  }

  private static func isYear(_ scanner: HoursScanner) -> Bool {
    guard scanner.digitsAhead == 4 else { return false }
    return scanner.bytes[scanner.offset] != UInt8(ascii: "0")
  }

  private mutating func year() throws(HoursFault) -> Int {
    guard Self.isYear(scanner), let year = scanner.consumeNumber(digits: 4) else {
      throw scanner.fault("a year is missing")
    }
    return year
  }

  // MARK: Dates

  private static func isDate(_ scanner: HoursScanner) -> Bool {
    var ahead = scanner
    return ahead.consumeOne(of: months) != nil || ahead.consumeWord("easter")
  }

  mutating func dates() throws(HoursFault) -> [DateRange] {
    var ranges: [DateRange] = []
    while try isDateAhead() {
      ranges.append(try dateRange())
      guard consumeComma({ Self.startsDate($0) }) else { break }
    }
    return ranges
  }

  private func isDateAhead() throws(HoursFault) -> Bool { Self.startsDate(scanner) }

  /// Whether a month or Easter comes next, with or without a year before it.
  private static func startsDate(_ scanner: HoursScanner) -> Bool {
    if isDate(scanner) { return true }
    guard isYear(scanner) else { return false }
    var ahead = scanner
    ahead.offset += 4
    ahead.skipSpaces()
    return isDate(ahead)
  }

  private mutating func dateRange() throws(HoursFault) -> DateRange {
    let from = try datePoint()
    var range = DateRange(from: from)
    if scanner.consume("+") {
      range.isOpenEnded = true
      return range
    }
    guard consumeDash() else { return range }
    if scanner.digitsAhead > 0, scanner.digitsAhead <= 2, from.dayOfMonth != nil {
      var to = DatePoint(month: from.month)
      to.dayOfMonth = try dayOfMonth(from.month)
      to.offsetDays = try dayOffset() ?? 0
      range.to = to
    } else {
      range.to = try datePoint()
    }
    return range
  }

  private mutating func datePoint() throws(HoursFault) -> DatePoint {
    var year: Int?
    if Self.isYear(scanner) {
      year = try self.year()
      scanner.skipSpaces()
    }
    var point: DatePoint
    if scanner.consumeWord("easter") {
      point = DatePoint(year: year, month: 0)
    } else if let month = scanner.consumeOne(of: Self.months) {
      point = DatePoint(year: year, month: month + 1)
      var ahead = scanner
      ahead.skipSpaces()
      // "Jan 10:00" is a time and not the tenth of January.
      let digits = ahead.digitsAhead
      let isTime =
        ahead.offset + digits < ahead.end && ahead.bytes[ahead.offset + digits] == UInt8(ascii: ":")
        && ahead.offset + digits + 1 < ahead.end
        && HoursScanner.isDigit(ahead.bytes[ahead.offset + digits + 1])
      if digits > 0, digits <= 2, !isTime {
        scanner = ahead
        point.dayOfMonth = try dayOfMonth(month + 1)
      }
    } else {
      throw scanner.fault("a month is missing")
    }
    try shift(&point)
    return point
  }

  /// `+Su`, `-Mo`, `+1 day` after a date.
  private mutating func shift(_ point: inout DatePoint) throws(HoursFault) {
    var ahead = scanner
    ahead.skipSpaces()
    let isAfter = ahead.consume("+")
    if isAfter || ahead.consume("-"), let weekday = ahead.consumeOne(of: Self.weekdays) {
      point.weekday = (weekday, isAfter)
      scanner = ahead
    }
    point.offsetDays = try dayOffset() ?? 0
  }

  private mutating func dayOfMonth(_ month: Int) throws(HoursFault) -> Int {
    let most = month == 0 ? 31 : CivilDate.daysInMonth(year: 2024, month: month)
    guard let day = scanner.consumeNumber(digits: 2), (1...most).contains(day) else {
      throw scanner.fault("there is no such day in the month")
    }
    return day
  }

  // MARK: Days of the week

  /// Weekdays and holidays: `Mo-Fr,PH`, `SH Mo-Fr`, `Mo[1]`.
  mutating func daySelectors(_ rule: inout HoursRule) throws(HoursFault) {
    guard Self.startsDay(scanner) else { return }
    rule.days = try dayList()
    var ahead = scanner
    ahead.skipSpaces()
    guard ahead.offset > scanner.offset, Self.startsDay(ahead) else { return }
    // Holidays before or after weekdays restrict each other.
    let isHoliday = rule.days.allSatisfy(\.isHoliday)
    scanner = ahead
    rule.holidays = try dayList()
    guard isHoliday != rule.holidays.allSatisfy(\.isHoliday) else {
      throw scanner.fault("weekdays follow weekdays without a comma")
    }
  }

  private static func startsDay(_ scanner: HoursScanner) -> Bool {
    var ahead = scanner
    return ahead.consumeOne(of: weekdays) != nil || ahead.consumeWord("PH")
      || ahead.consumeWord("SH")
  }

  private mutating func dayList() throws(HoursFault) -> [DaySelector] {
    var days: [DaySelector] = []
    repeat { days.append(try day()) } while consumeComma({ Self.startsDay($0) })
    return days
  }

  private mutating func day() throws(HoursFault) -> DaySelector {
    if scanner.consumeWord("PH") { return .publicHoliday(offsetDays: try dayOffset() ?? 0) }
    if scanner.consumeWord("SH") { return .schoolHoliday }
    guard let from = scanner.consumeOne(of: Self.weekdays) else {
      throw scanner.fault("a weekday is missing")
    }
    if scanner.consume("[") {
      var positions: [NumberRange] = []
      repeat {
        let isFromEnd = scanner.consume("-")
        guard let first = scanner.consumeNumber(digits: 1), (1...5).contains(first) else {
          throw scanner.fault("the number of a weekday within the month is missing")
        }
        var range = NumberRange(from: isFromEnd ? -first : first, to: isFromEnd ? -first : first)
        if !isFromEnd, scanner.consume("-") {
          guard let last = scanner.consumeNumber(digits: 1), (first...5).contains(last) else {
            throw scanner.fault("the last number of a weekday within the month is missing")
          }
          range.to = last
        }
        positions.append(range)
      } while scanner.consume(",")
      guard scanner.consume("]") else { throw scanner.fault("a bracket is missing") }
      return .nth(weekday: from, positions: positions, offsetDays: try dayOffset() ?? 0)
    }
    var to = from
    if consumeDash() {
      guard let last = scanner.consumeOne(of: Self.weekdays) else {
        throw scanner.fault("the last weekday is missing")
      }
      to = last
    }
    return .weekdays(NumberRange(from: from, to: to))
  }
}

extension DaySelector {
  var isHoliday: Bool {
    switch self {
    case .publicHoliday, .schoolHoliday: true
    case .weekdays, .nth: false
    }
  }
}
