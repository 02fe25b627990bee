public import Foundations
public import OpeningHours

/// When an incident holds: an overall time, and within it periods that may recur by day and hour.
public struct FeedValidity: Hashable, Sendable {
  /// nil: it holds already.
  public var from: Instant?
  /// nil: not known.
  public var until: Instant?
  /// The incident holds only in these; empty for the whole time.
  public var periods: [FeedPeriod]
  /// The incident does not hold in these.
  public var exceptions: [FeedPeriod]

  public init(
    from: Instant? = nil, until: Instant? = nil, periods: [FeedPeriod] = [],
    exceptions: [FeedPeriod] = []
  ) {
    self.from = from
    self.until = until
    self.periods = periods
    self.exceptions = exceptions
  }

  /// Days that are searched for the next period; the longer range only if the shorter one has none.
  private static let daysAhead = [9, 400]

  /// The period that contains `now`, otherwise the next one; nil if the incident is over.
  ///
  /// `zone` is the time zone of the place. Linear in the periods times the searched days, at most
  /// 400.
  public func window(at now: Instant, zone: TimeZoneRule) -> FeedWindow? {
    let overall = FeedWindow(from: from, until: until)
    guard !overall.isOver(at: now), overall.isSomething else { return nil }
    guard !periods.isEmpty || !exceptions.isEmpty else { return overall }
    for days in Self.daysAhead {
      let start = max(now, from ?? now)
      var windows =
        periods.isEmpty
        ? [overall] : periods.flatMap { $0.windows(around: start, days: days, zone: zone) }
      windows = FeedWindow.joined(windows.compactMap { $0.intersection(overall) })
      for exception in exceptions {
        for hole in exception.windows(around: start, days: days, zone: zone) {
          windows = windows.flatMap { $0.without(hole) }
        }
      }
      if let found = windows.first(where: { !$0.isOver(at: now) }) { return found }
    }
    return nil
  }
}

/// A period of a validity: a stretch of time, optionally restricted to some hours, weekdays and months.
public struct FeedPeriod: Hashable, Sendable {
  public var from: Instant?
  public var until: Instant?
  /// Empty: the whole day.
  public var hours: [FeedHours]
  /// 0 on Mondays to 6 on Sundays; empty: every day.
  public var weekdays: Set<Int>
  /// 1 to 12; empty: every month.
  public var months: Set<Int>

  public init(
    from: Instant? = nil, until: Instant? = nil, hours: [FeedHours] = [], weekdays: Set<Int> = [],
    months: Set<Int> = []
  ) {
    self.from = from
    self.until = until
    self.hours = hours
    self.weekdays = weekdays
    self.months = months
  }

  private var recurs: Bool { !hours.isEmpty || !weekdays.isEmpty || !months.isEmpty }

  /// The occurrences of this period from a day before `start` on, in order.
  func windows(around start: Instant, days: Int, zone: TimeZoneRule) -> [FeedWindow] {
    let whole = FeedWindow(from: from, until: until)
    guard recurs else { return whole.isSomething ? [whole] : [] }
    let first = max(start, from ?? start)
    let utcMin = Int((first.seconds / 60).rounded(.down))
    let today = Int(
      (Double(utcMin + zone.offsetMin(utcMin: utcMin)) / 1440).rounded(.down))
    var windows: [FeedWindow] = []
    for day in (today - 1)...(today + days) {
      let date = CivilDate(day: day)
      guard weekdays.isEmpty || weekdays.contains(date.weekday),
        months.isEmpty || months.contains(date.parts.month)
      else { continue }
      for hours in hours.isEmpty ? [FeedHours.wholeDay] : hours {
        if let window = hours.window(on: day, zone: zone).intersection(whole) {
          windows.append(window)
        }
      }
    }
    return FeedWindow.joined(windows)
  }
}

/// Hours of a day; they run through midnight if the end is not after the start.
public struct FeedHours: Hashable, Sendable {
  /// Seconds from midnight by the clock, 0 to 86,400.
  public var startS: Int
  public var endS: Int
  /// Minutes ahead of UTC; nil for the time zone of the place.
  public var offsetMin: Int?

  public static let wholeDay = FeedHours(startS: 0, endS: 86_400)

  public init(startS: Int, endS: Int, offsetMin: Int? = nil) {
    self.startS = startS
    self.endS = endS
    self.offsetMin = offsetMin
  }

  func window(on day: Int, zone: TimeZoneRule) -> FeedWindow {
    let endDay = endS > startS ? day : day + 1
    return FeedWindow(
      from: moment(day, startS, zone), until: moment(endDay, endS, zone))
  }

  private func moment(_ day: Int, _ second: Int, _ zone: TimeZoneRule) -> Instant {
    let local = day * 86_400 + second
    if let offsetMin { return Instant(seconds: Double(local - offsetMin * 60)) }
    // The offset depends on the moment and the moment on the offset; two iterations are sufficient.
    let guess = zone.offsetMin(utcMin: local / 60 - zone.standardMin)
    let offset = zone.offsetMin(utcMin: local / 60 - guess)
    return Instant(seconds: Double(local - offset * 60))
  }
}

/// A stretch of time; nil at either end for no bound.
public struct FeedWindow: Hashable, Sendable {
  public var from: Instant?
  public var until: Instant?

  public init(from: Instant? = nil, until: Instant? = nil) {
    self.from = from
    self.until = until
  }

  /// Whether it ended at or before a moment.
  public func isOver(at now: Instant) -> Bool { until.map { $0 <= now } ?? false }

  /// Whether it has begun at a moment, and not ended.
  public func holds(at now: Instant) -> Bool {
    (from.map { $0 <= now } ?? true) && !isOver(at: now)
  }

  var isSomething: Bool {
    guard let from, let until else { return true }
    return from < until
  }

  func intersection(_ other: FeedWindow) -> FeedWindow? {
    let starts = [from, other.from].compactMap { $0 }
    let ends = [until, other.until].compactMap { $0 }
    let both = FeedWindow(from: starts.max(), until: ends.min())
    return both.isSomething ? both : nil
  }

  /// What is left of it outside a hole.
  func without(_ hole: FeedWindow) -> [FeedWindow] {
    let before = hole.from.flatMap { intersection(FeedWindow(until: $0)) }
    let after = hole.until.flatMap { intersection(FeedWindow(from: $0)) }
    return [before, after].compactMap { $0 }
  }

  /// Sorted, with overlapping and adjacent windows merged.
  static func joined(_ windows: [FeedWindow]) -> [FeedWindow] {
    let first = Instant(nanoseconds: .min)
    var joined: [FeedWindow] = []
    for window in windows.sorted(by: { ($0.from ?? first) < ($1.from ?? first) }) {
      guard let last = joined.indices.last, let end = joined[last].until else {
        if joined.isEmpty { joined.append(window) }
        continue
      }
      if let from = window.from, from > end {
        joined.append(window)
      } else {
        joined[last].until = window.until.map { max($0, end) }
      }
    }
    return joined
  }
}
