import Foundations

/// Public holidays of whole countries, for `PH` in opening hours.
///
/// Holidays of single states are left out.
enum Holidays {
  /// Whether a day is a holiday; nil if the country's holidays are not built in.
  static func isHoliday(_ date: CivilDate, country: String?) -> Bool? {
    guard let country, let days = table[country] else { return nil }
    let (year, month, dayOfMonth) = date.parts
    let fromEaster = date.day - CivilDate.easter(year: year).day
    return days.fixed.contains(month * 100 + dayOfMonth) || days.fromEaster.contains(fromEaster)
      || days.weekdays.contains { $0.isOn(date, month: month, dayOfMonth: dayOfMonth) }
  }

  /// The n-th occurrence of a weekday in a month, -1 for the last; Monday is 0.
  private struct Weekday {
    var month: Int
    var weekday: Int
    var nth: Int

    init(_ month: Int, _ weekday: Int, _ nth: Int) {
      self.month = month
      self.weekday = weekday
      self.nth = nth
    }

    func isOn(_ date: CivilDate, month: Int, dayOfMonth: Int) -> Bool {
      guard month == self.month, date.weekday == weekday else { return false }
      let last = CivilDate.daysInMonth(year: date.year, month: month)
      return nth > 0 ? (dayOfMonth - 1) / 7 + 1 == nth : dayOfMonth > last - 7
    }
  }

  private struct Days {
    /// Month times 100 plus day.
    var fixed: Set<Int>
    var fromEaster: Set<Int> = []
    var weekdays: [Weekday] = []
  }

  private static let table: [String: Days] = [
    "AT": Days(
      fixed: [101, 106, 501, 815, 1026, 1101, 1208, 1225, 1226], fromEaster: [1, 39, 50, 60]),
    "AU": Days(fixed: [101, 126, 425, 1225, 1226], fromEaster: [-2, 1]),
    "BE": Days(fixed: [101, 501, 721, 815, 1101, 1111, 1225], fromEaster: [1, 39, 50]),
    "CH": Days(fixed: [101, 801, 1225, 1226], fromEaster: [-2, 1, 39, 50]),
    "CZ": Days(
      fixed: [101, 501, 508, 705, 706, 928, 1028, 1117, 1224, 1225, 1226], fromEaster: [-2, 1]),
    "DE": Days(fixed: [101, 501, 1003, 1225, 1226], fromEaster: [-2, 1, 39, 50]),
    "DK": Days(fixed: [101, 1225, 1226], fromEaster: [-3, -2, 0, 1, 39, 49, 50]),
    "ES": Days(fixed: [101, 106, 501, 815, 1012, 1101, 1206, 1208, 1225], fromEaster: [-2]),
    "FI": Days(fixed: [101, 106, 501, 1206, 1225, 1226], fromEaster: [-2, 0, 1, 39, 49]),
    "FR": Days(fixed: [101, 501, 508, 714, 815, 1101, 1111, 1225], fromEaster: [1, 39, 50]),
    "GB": Days(
      fixed: [101, 1225, 1226], fromEaster: [-2, 1],
      weekdays: [Weekday(5, 0, 1), Weekday(5, 0, -1), Weekday(8, 0, -1)]),
    "HU": Days(
      fixed: [101, 315, 501, 820, 1023, 1101, 1225, 1226], fromEaster: [-2, 0, 1, 49, 50]),
    "IE": Days(
      fixed: [101, 317, 1225, 1226], fromEaster: [1],
      weekdays: [Weekday(5, 0, 1), Weekday(6, 0, 1), Weekday(8, 0, 1), Weekday(10, 0, -1)]),
    "IT": Days(
      fixed: [101, 106, 425, 501, 602, 815, 1101, 1208, 1225, 1226], fromEaster: [0, 1]),
    "LU": Days(fixed: [101, 501, 509, 623, 815, 1101, 1225, 1226], fromEaster: [1, 39, 50]),
    "MC": Days(fixed: [101, 127, 501, 815, 1101, 1119, 1208, 1225], fromEaster: [1, 39, 50, 60]),
    "MT": Days(
      fixed: [101, 210, 319, 331, 501, 607, 629, 815, 908, 921, 1208, 1213, 1225],
      fromEaster: [-2]),
    "NL": Days(fixed: [101, 427, 505, 1225, 1226], fromEaster: [-2, 0, 1, 39, 49, 50]),
    "NO": Days(fixed: [101, 501, 517, 1225, 1226], fromEaster: [-3, -2, 0, 1, 39, 49, 50]),
    "PL": Days(
      fixed: [101, 106, 501, 503, 815, 1101, 1111, 1225, 1226], fromEaster: [0, 1, 49, 60]),
    "PT": Days(
      fixed: [101, 425, 501, 610, 815, 1005, 1101, 1201, 1208, 1225], fromEaster: [-2, 0, 60]),
    "SE": Days(fixed: [101, 106, 501, 606, 1225, 1226], fromEaster: [-2, 0, 1, 39, 49]),
    "SK": Days(
      fixed: [101, 106, 501, 508, 705, 829, 901, 915, 1101, 1117, 1224, 1225, 1226],
      fromEaster: [-2, 1]),
    "US": Days(
      fixed: [101, 619, 704, 1111, 1225],
      weekdays: [
        Weekday(1, 0, 3), Weekday(2, 0, 3), Weekday(5, 0, -1), Weekday(9, 0, 1), Weekday(10, 0, 2),
        Weekday(11, 3, 4),
      ]),
  ]
}
