import EventTime

/// When something is open, as OSM writes it: `Mo-Fr 07:00-09:00,16:00-18:00; PH off`.
///
/// https://wiki.openstreetmap.org/wiki/Key:opening_hours/specification
public struct OpeningHours: Hashable, Sendable {
  /// What holds at a moment.
  public enum State: Hashable, Sendable {
    case open
    case closed
    /// The rule says so, or needs what nobody here knows, such as school holidays.
    case unknown
  }

  var rules: [HoursRule]
}

/// One rule: on which days, at which times, what holds.
struct HoursRule: Hashable, Sendable {
  /// How a rule stands to those before it.
  enum Joint: Hashable, Sendable {
    /// `;`: replaces them on its days.
    case replaces
    /// `,`: adds to them.
    case adds
    /// `||`: holds where they say nothing.
    case fallsBack
  }

  var joint: Joint
  /// Each empty for any.
  var years: [NumberRange] = []
  var dates: [DateRange] = []
  var weeks: [NumberRange] = []
  var days: [DaySelector] = []
  /// Days that are a holiday as well as one of `days`: `SH Mo-Fr`.
  var holidays: [DaySelector] = []
  var times: [TimeSpan] = []
  var state = OpeningHours.State.open
  var comment: String?
}

/// Numbers from one to another, every so many; it wraps where `from` is the greater.
struct NumberRange: Hashable, Sendable {
  var from: Int
  var to: Int
  var every = 1

  func contains(_ number: Int) -> Bool {
    if from <= to { return number >= from && number <= to && (number - from) % every == 0 }
    return number >= from || number <= to
  }
}

/// A day of the year, or of one year.
struct DatePoint: Hashable, Sendable {
  var year: Int?
  /// 1 to 12; 0 is Easter Sunday.
  var month: Int
  /// nil the whole month.
  var dayOfMonth: Int?
  /// To the next of a weekday (Monday is 0), or the one before.
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

  /// The first and the last day that is meant, in a year.
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

/// Days from one to another, year after year or in given years.
struct DateRange: Hashable, Sendable {
  var from: DatePoint
  /// nil one point; see `isOpenEnded`.
  var to: DatePoint?
  /// `Mar 3+`: to the end of the year, or for ever where a year is named.
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
  /// The n-th of a weekday in its month, negative from the end, and days to add.
  case nth(weekday: Int, positions: [NumberRange], offsetDays: Int)
  case publicHoliday(offsetDays: Int)
  case schoolHoliday
}

/// A time of day: minutes, or the sun's.
enum TimePoint: Hashable, Sendable {
  case minute(Int)
  case dawn(offsetMin: Int)
  case sunrise(offsetMin: Int)
  case sunset(offsetMin: Int)
  case dusk(offsetMin: Int)
}

/// From one time to another, over midnight where the end is not the later.
struct TimeSpan: Hashable, Sendable {
  var from: TimePoint
  /// nil a moment.
  var to: TimePoint?
  /// `17:00+`: until nobody knows when, taken as midnight.
  var isOpenEnded = false
  /// Moments every so many minutes; 0 the whole span.
  var everyMin = 0
}
