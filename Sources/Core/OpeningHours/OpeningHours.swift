import Foundations

/// Opening hours in OSM notation: `Mo-Fr 07:00-09:00,16:00-18:00; PH off`.
///
/// https://wiki.openstreetmap.org/wiki/Key:opening_hours/specification
public struct OpeningHours: Hashable, Sendable {
  /// The state at a moment.
  public enum State: Hashable, Sendable {
    case open
    case closed
    /// Specified by the rule, or dependent on data that is not built in, such as school holidays.
    case unknown
  }

  var rules: [HoursRule]
}

/// One rule: days, times, and the state then.
struct HoursRule: Hashable, Sendable {
  /// How a rule relates to those before it.
  enum RuleSeparator: Hashable, Sendable {
    /// `;`: replaces them on its days.
    case replaces
    /// `,`: adds to them.
    case adds
    /// `||`: applies if they have no result.
    case fallsBack
  }

  var joint: RuleSeparator
  /// Each is empty for any value.
  var years: [NumberRange] = []
  var dates: [DateRange] = []
  var weeks: [NumberRange] = []
  var days: [DaySelector] = []
  /// Days that must be a holiday in addition to one of `days`: `SH Mo-Fr`.
  var holidays: [DaySelector] = []
  var times: [TimeSpan] = []
  var state = OpeningHours.State.open
  var comment: String?
}

/// A range of numbers with a step; it wraps around if `from` is greater.
struct NumberRange: Hashable, Sendable {
  var from: Int
  var to: Int
  var every = 1

  func contains(_ number: Int) -> Bool {
    if from <= to { return number >= from && number <= to && (number - from) % every == 0 }
    return number >= from || number <= to
  }
}

/// A day of the year, or of one particular year.
struct DatePoint: Hashable, Sendable {
  var year: Int?
  /// 1 to 12; 0 is Easter Sunday.
  var month: Int
  /// nil for the whole month.
  var dayOfMonth: Int?
  /// Moved to the next given weekday (Monday is 0), or to the previous one.
  var weekday: (Int, isAfter: Bool)? {
    get { weekdayCode == 0 ? nil : (abs(weekdayCode) - 1, weekdayCode > 0) }
    set { weekdayCode = newValue.map { ($0.0 + 1) * ($0.isAfter ? 1 : -1) } ?? 0 }
  }
  private var weekdayCode = 0
  var offsetDays = 0

  init(year: Int? = nil, month: Int, dayOfMonth: Int? = nil) {
    self.year = year
    self.month = month
    self.dayOfMonth = dayOfMonth
  }

  /// The first and the last day of it in a year.
  func days(in year: Int) -> (first: CivilDate, last: CivilDate) {
    var first =
      month == 0
      ? CivilDate.easter(year: year)
      : CivilDate(year: year, month: month, dayOfMonth: dayOfMonth ?? 1)
    var last = first
    if month > 0, dayOfMonth == nil {
      last = CivilDate(day: first.day + CivilDate.daysInMonth(year: year, month: month) - 1)
    }
    if let (weekday, isAfter) = weekday {
      let step = isAfter ? (weekday - first.weekday + 7) % 7 : -((first.weekday - weekday + 7) % 7)
      first.day += step
      last = first
    }
    first.day += offsetDays
    last.day += offsetDays
    return (first, last)
  }
}

/// A range of days, every year or in given years.
struct DateRange: Hashable, Sendable {
  var from: DatePoint
  /// nil for a single point; see `isOpenEnded`.
  var to: DatePoint?
  /// `Mar 3+`: to the end of the year, or for ever if a year is given.
  var isOpenEnded = false

  func contains(_ date: CivilDate) -> Bool {
    let year = date.year
    if let fromYear = from.year {
      let first = from.days(in: fromYear).first
      if isOpenEnded { return date >= first }
      guard let to else { return date >= first && date <= from.days(in: fromYear).last }
      var last = to.days(in: to.year ?? fromYear).last
      if last < first, to.year == nil { last = to.days(in: fromYear + 1).last }
      return date >= first && date <= last
    }
    let own = from.days(in: year)
    if isOpenEnded { return date >= own.first }
    guard let to else { return date >= own.first && date <= own.last }
    let last = to.days(in: year).last
    return own.first <= last ? date >= own.first && date <= last : date >= own.first || date <= last
  }
}

/// Days of the week, or holidays.
enum DaySelector: Hashable, Sendable {
  /// Monday is 0.
  case weekdays(NumberRange)
  /// The n-th occurrences of a weekday in its month, negative from the end, and days to add.
  case nth(weekday: Int, positions: [NumberRange], offsetDays: Int)
  case publicHoliday(offsetDays: Int)
  case schoolHoliday
}

/// A time of day: minutes, or a time of the sun.
enum TimePoint: Hashable, Sendable {
  case minute(Int)
  case dawn(offsetMin: Int)
  case sunrise(offsetMin: Int)
  case sunset(offsetMin: Int)
  case dusk(offsetMin: Int)
}

/// From one time to another, across midnight if the end is not later.
struct TimeSpan: Hashable, Sendable {
  var from: TimePoint
  /// nil for a moment.
  var to: TimePoint?
  /// `17:00+`: an unknown end, assumed to be midnight.
  var isOpenEnded = false
  /// Moments at intervals of this many minutes; 0 for the whole span.
  var everyMin = 0
}
