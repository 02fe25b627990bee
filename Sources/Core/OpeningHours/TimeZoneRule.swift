import Foundations

/// The offset of local time from UTC: a rule for all years, and past changes that the rule does not
/// cover.
public struct TimeZoneRule: Hashable, Sendable {
  /// The yearly changes of a zone with summer time, or with winter time (Ireland).
  public struct Summer: Hashable, Sendable {
    /// Minutes by which clocks are ahead of standard time during summer time.
    var aheadMin: Int
    var start: YearlyChange
    var end: YearlyChange

    /// Last Sunday of March to last Sunday of October, at 01:00 UTC, if clocks are an hour ahead of
    /// UTC in winter.
    public static let europe = Summer(
      aheadMin: 60, start: YearlyChange(month: 3, week: 5, weekday: 0, minute: 120),
      end: YearlyChange(month: 10, week: 5, weekday: 0, minute: 180))
  }

  /// A moment of each year: a weekday of a month, and minutes after midnight in the time before the
  /// change.
  struct YearlyChange: Hashable, Sendable {
    var month: Int
    /// 1 to 4; 5 is the last one.
    var week: Int
    /// 0 on Sundays to 6 on Saturdays.
    var weekday: Int
    /// May be negative, and more than a day.
    var minute: Int

    /// Minutes since 1970, in the time before the change.
    func minutes(year: Int) -> Int {
      let first = CivilDate(year: year, month: month, dayOfMonth: 1)
      let days = CivilDate.daysInMonth(year: year, month: month)
      var dayOfMonth = (weekday - (first.weekday + 1) % 7 + 7) % 7 + 7 * (week - 1)
      while dayOfMonth >= days { dayOfMonth -= 7 }
      return (first.day + dayOfMonth) * 1440 + minute
    }
  }

  /// A past change, or one that is not covered by a rule.
  private struct Change: Hashable, Sendable {
    var utcMin: Int
    var offsetMin: Int
  }

  public var standardMin: Int
  public var summer: Summer?
  private var changes: [Change] = []
  private var offsetBeforeMin = 0

  /// Clocks `standardMin` minutes ahead of UTC, and farther ahead in summer.
  public init(_ standardMin: Int, _ summer: Summer? = nil) {
    self.standardMin = standardMin
    self.summer = summer
  }

  /// Offset from UTC in minutes, `utcMin` minutes after 1970 began; logarithmic in the listed
  /// changes.
  public func offsetMin(utcMin: Int) -> Int {
    if let last = changes.last, utcMin < last.utcMin {
      var (low, high) = (0, changes.count)
      while low < high {
        let middle = (low + high) / 2
        if changes[middle].utcMin <= utcMin { low = middle + 1 } else { high = middle }
      }
      return low > 0 ? changes[low - 1].offsetMin : offsetBeforeMin
    }
    guard let summer else { return standardMin }
    let year = CivilDate(day: Int((Double(utcMin + standardMin) / 1440).rounded(.down))).year
    let start = summer.start.minutes(year: year) - standardMin
    let end = summer.end.minutes(year: year) - standardMin - summer.aheadMin
    let isSummer =
      start < end ? utcMin >= start && utcMin < end : utcMin >= start || utcMin < end
    return isSummer ? standardMin + summer.aheadMin : standardMin
  }
}

extension TimeZoneRule {
  /// A rule in the format of `TimeZoneData`: POSIX's TZ, then the previous offset and the listed
  /// changes.
  init?(words: ArraySlice<Substring>) {
    guard let posix = words.first, let rule = Self.posix(posix) else { return nil }
    self = rule
    for word in words.dropFirst() {
      let parts = word.split(separator: ":", omittingEmptySubsequences: false)
      guard parts.count == 2, let offset = Int(parts[1]) else { return nil }
      if parts[0].isEmpty {
        offsetBeforeMin = offset
      } else {
        guard let minute = Int(parts[0]) else { return nil }
        changes.append(Change(utcMin: minute, offsetMin: offset))
      }
    }
  }

  /// POSIX's TZ by RFC 9636: `CET-1CEST,M3.5.0,M10.5.0/3`; nil for forms that the tz database does
  /// not use.
  private static func posix(_ text: Substring) -> TimeZoneRule? {
    let parts = text.split(separator: ",")
    guard let zone = parts.first else { return nil }
    var rest = zone
    guard skipName(&rest), let standard = clock(&rest) else { return nil }
    guard parts.count == 3 else { return rest.isEmpty ? TimeZoneRule(-standard) : nil }
    guard skipName(&rest) else { return nil }
    let summer = rest.isEmpty ? standard - 60 : clock(&rest) ?? standard
    guard let start = change(parts[1]), let end = change(parts[2]) else { return nil }
    return TimeZoneRule(
      -standard, Summer(aheadMin: standard - summer, start: start, end: end))
  }

  /// Skips an abbreviation: letters, or any text within angle brackets.
  private static func skipName(_ text: inout Substring) -> Bool {
    if text.first == "<" {
      guard let end = text.firstIndex(of: ">") else { return false }
      text = text[text.index(after: end)...]
      return true
    }
    let letters = text.prefix { $0.isLetter }
    text = text.dropFirst(letters.count)
    return !letters.isEmpty
  }

  /// Reads `-9:30` as minutes; nil if no number comes next.
  private static func clock(_ text: inout Substring) -> Int? {
    let word = text.prefix { $0.isNumber || $0 == "-" || $0 == "+" || $0 == ":" }
    text = text.dropFirst(word.count)
    let parts = word.split(separator: ":")
    guard let first = parts.first, let hours = Int(first) else { return nil }
    let minutes = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
    return first.hasPrefix("-") ? hours * 60 - minutes : hours * 60 + minutes
  }

  /// Reads `M10.5.0/3`; two o'clock if no time is given.
  private static func change(_ text: Substring) -> YearlyChange? {
    let parts = text.split(separator: "/")
    guard let date = parts.first, date.first == "M" else { return nil }
    let numbers = date.dropFirst().split(separator: ".").compactMap { Int($0) }
    guard numbers.count == 3 else { return nil }
    var time = parts.count > 1 ? parts[1] : "2"
    guard let minute = clock(&time) else { return nil }
    return YearlyChange(
      month: numbers[0], week: numbers[1], weekday: numbers[2], minute: minute)
  }
}
