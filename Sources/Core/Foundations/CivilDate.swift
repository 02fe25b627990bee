/// A day of the Gregorian calendar.
///
/// H. Hinnant, "chrono-Compatible Low-Level Date Algorithms", 2013.
public struct CivilDate: Hashable, Comparable, Sendable {
  /// Days since 1970-01-01.
  public var day: Int

  public init(day: Int) { self.day = day }

  /// The day of a year, month (1 to 12) and day of the month; days beyond the month's end continue
  /// into the next.
  public init(year: Int, month: Int, dayOfMonth: Int) {
    let y = month <= 2 ? year - 1 : year
    let era = (y >= 0 ? y : y - 399) / 400
    let yearOfEra = y - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + dayOfMonth - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    day = era * 146_097 + dayOfEra - 719_468
  }

  public var parts: (year: Int, month: Int, dayOfMonth: Int) {
    let z = day + 719_468
    let era = (z >= 0 ? z : z - 146_096) / 146_097
    let dayOfEra = z - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    let month = shifted < 10 ? shifted + 3 : shifted - 9
    return (
      yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shifted + 2) / 5 + 1
    )
  }

  public var year: Int { parts.year }

  /// 0 on Mondays to 6 on Sundays.
  public var weekday: Int { ((day + 3) % 7 + 7) % 7 }

  /// 1 to 366.
  public var dayOfYear: Int {
    day - CivilDate(year: year, month: 1, dayOfMonth: 1).day + 1
  }

  /// The ISO 8601 week: week 1 contains the year's first Thursday.
  public var isoWeek: Int {
    let thursday = CivilDate(day: day - weekday + 3)
    return (thursday.dayOfYear - 1) / 7 + 1
  }

  public static func daysInMonth(year: Int, month: Int) -> Int {
    let next =
      month == 12
      ? CivilDate(year: year + 1, month: 1, dayOfMonth: 1)
      : CivilDate(year: year, month: month + 1, dayOfMonth: 1)
    return next.day - CivilDate(year: year, month: month, dayOfMonth: 1).day
  }

  /// Easter Sunday of the western churches.
  ///
  /// J. Meeus, "Astronomical Algorithms", 1991, chapter 8.
  public static func easter(year: Int) -> CivilDate {
    let a = year % 19
    let (b, c) = (year / 100, year % 100)
    let h = (19 * a + b - b / 4 - (b - (b + 8) / 25 + 1) / 3 + 15) % 30
    let l = (32 + 2 * (b % 4) + 2 * (c / 4) - h - c % 4) % 7
    let m = (a + 11 * h + 22 * l) / 451
    let n = h + l - 7 * m + 114
    return CivilDate(year: year, month: n / 31, dayOfMonth: n % 31 + 1)
  }

  public static func < (a: Self, b: Self) -> Bool { a.day < b.day }
}
