public import EventTime

/// What the clock on the wall says somewhere, and what must be known of the place to judge it.
public struct LocalMoment: Hashable, Sendable {
  public var date: CivilDate
  /// 0 to 1439.
  public var minute: Int
  public var latitudeDeg: Double
  public var longitudeDeg: Double
  /// ISO 3166-1 letters; nil unknown.
  public var country: String?
  /// What the clock is ahead of UTC.
  public var offsetMin: Int

  public init(
    date: CivilDate, minute: Int, latitudeDeg: Double = 0, longitudeDeg: Double = 0,
    country: String? = nil, offsetMin: Int = 0
  ) {
    self.date = date
    self.minute = minute
    self.latitudeDeg = latitudeDeg
    self.longitudeDeg = longitudeDeg
    self.country = country
    self.offsetMin = offsetMin
  }

  /// A moment as a place's clock shows it, by the time zone of its country.
  public init(
    _ instant: Instant, latitudeDeg: Double, longitudeDeg: Double, country: String?
  ) {
    let zone = TimeZones.zone(
      country: country, latitudeDeg: latitudeDeg, longitudeDeg: longitudeDeg)
    let utcMin = Int((instant.seconds / 60).rounded(.down))
    let offset = zone.offsetMin(utcMin: utcMin)
    let local = utcMin + offset
    let day = Int((Double(local) / 1440).rounded(.down))
    self.init(
      date: CivilDate(day: day), minute: local - day * 1440, latitudeDeg: latitudeDeg,
      longitudeDeg: longitudeDeg, country: country, offsetMin: offset)
  }
}

/// A clock's distance from UTC, in winter and in summer.
public struct TimeZoneRule: Hashable, Sendable {
  /// When clocks are put forward by an hour.
  public enum Summer: Hashable, Sendable {
    case never
    /// Last Sunday of March to last Sunday of October, at 01:00 UTC.
    case europe
    /// Second Sunday of March to first Sunday of November, at 02:00 by the clock.
    case northAmerica
    /// First Sunday of October to first Sunday of April, at 02:00 standard time.
    case australia
    /// Last Sunday of September to first Sunday of April, at 02:00 standard time.
    case newZealand
  }

  public var standardMin: Int
  public var summer: Summer

  public init(_ standardMin: Int, _ summer: Summer = .never) {
    self.standardMin = standardMin
    self.summer = summer
  }

  /// What the clock is ahead of UTC, `utcMin` minutes after 1970 began.
  public func offsetMin(utcMin: Int) -> Int {
    isSummer(utcMin: utcMin) ? standardMin + 60 : standardMin
  }

  private func isSummer(utcMin: Int) -> Bool {
    let local = utcMin + standardMin
    let year = CivilDate(day: Int((Double(local) / 1440).rounded(.down))).year
    switch summer {
    case .never: return false
    case .europe:
      let from = Self.sunday(year, 3, nth: -1) + 60
      let to = Self.sunday(year, 10, nth: -1) + 60
      return utcMin >= from && utcMin < to
    case .northAmerica:
      return local >= Self.sunday(year, 3, nth: 2) + 120
        && local < Self.sunday(year, 11, nth: 1) + 60
    case .australia:
      return local >= Self.sunday(year, 10, nth: 1) + 120
        || local < Self.sunday(year, 4, nth: 1) + 120
    case .newZealand:
      return local >= Self.sunday(year, 9, nth: -1) + 120
        || local < Self.sunday(year, 4, nth: 1) + 120
    }
  }

  /// Minutes from 1970 to the start of the n-th Sunday of a month; -1 the last.
  private static func sunday(_ year: Int, _ month: Int, nth: Int) -> Int {
    let first = CivilDate(year: year, month: month, dayOfMonth: 1)
    let sunday = first.day + (6 - first.weekday)
    if nth > 0 { return (sunday + 7 * (nth - 1)) * 1440 }
    let last = first.day + CivilDate.daysInMonth(year: year, month: month) - 1
    return (last - (CivilDate(day: last).weekday + 1) % 7) * 1440
  }
}
