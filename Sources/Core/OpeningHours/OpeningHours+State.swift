import Foundations

extension OpeningHours {
  /// Whether it is open at a moment.
  ///
  /// Linear in the rules.
  public func state(at moment: LocalMoment) -> State {
    var group: [HoursRule] = []
    for rule in rules {
      if rule.joint == .fallsBack {
        if let state = Self.state(of: group, at: moment) { return state }
        group = []
      }
      group.append(rule)
    }
    return Self.state(of: group, at: moment) ?? .closed
  }

  /// The state by the rules of a moment: first those of its own day, then spans that continue from
  /// the day before.
  private static func state(of rules: [HoursRule], at moment: LocalMoment) -> State? {
    state(of: rules, on: moment.date, minute: moment.minute, moment)
      ?? state(
        of: rules, on: CivilDate(day: moment.date.day - 1), minute: moment.minute + 1440, moment)
  }

  private static func state(
    of rules: [HoursRule], on date: CivilDate, minute: Int, _ moment: LocalMoment
  ) -> State? {
    var state: State?
    for rule in rules {
      let match = rule.matches(date, country: moment.country)
      guard match != .no else { continue }
      let covers = rule.covers(minute, on: date, moment)
      if rule.joint == .replaces, rule.state != .closed, match == .yes { state = nil }
      if covers { state = match == .yes || state == rule.state ? rule.state : .unknown }
    }
    return state
  }
}

extension OpeningHours {
  /// The first span between two clock times that contains no moment of a grid, as it was written.
  ///
  /// An evaluation only at these moments, every `everyMin` minutes from midnight on, would never
  /// see it. The result is nil if each span contains a moment. `everyMin` divides a day. Linear in
  /// the spans.
  public func spanUnseen(everyMin: Int) -> String? {
    rules.lazy.flatMap(\.times).first { !$0.isSeen(everyMin: everyMin) }?.text
  }
}

extension HoursRule {
  enum Match: Hashable {
    case no
    case maybe
    case yes
  }

  func matches(_ date: CivilDate, country: String?) -> Match {
    guard years.isEmpty || years.contains(where: { $0.contains(date.year) }),
      dates.isEmpty || dates.contains(where: { $0.contains(date) }),
      weeks.isEmpty || weeks.contains(where: { $0.contains(date.isoWeek) })
    else { return .no }
    let day = Self.match(days, date, country)
    let holiday = Self.match(holidays, date, country)
    if day == .no || holiday == .no { return .no }
    return day == .yes && holiday == .yes ? .yes : .maybe
  }

  private static func match(_ selectors: [DaySelector], _ date: CivilDate, _ country: String?)
    -> Match
  {
    guard !selectors.isEmpty else { return .yes }
    var best = Match.no
    for selector in selectors {
      switch selector.matches(date, country: country) {
      case .yes: return .yes
      case .maybe: best = .maybe
      case .no: break
      }
    }
    return best
  }

  func covers(_ minute: Int, on date: CivilDate, _ moment: LocalMoment) -> Bool {
    if times.isEmpty { return minute < 1440 }
    return times.contains { $0.covers(minute, on: date, moment) }
  }
}

extension DaySelector {
  func matches(_ date: CivilDate, country: String?) -> HoursRule.Match {
    switch self {
    case .weekdays(let range): return range.contains(date.weekday) ? .yes : .no
    case .nth(let weekday, let positions, let offsetDays):
      let base = CivilDate(day: date.day - offsetDays)
      guard base.weekday == weekday else { return .no }
      let (year, month, dayOfMonth) = base.parts
      let position = (dayOfMonth - 1) / 7 + 1
      let fromEnd = -((CivilDate.daysInMonth(year: year, month: month) - dayOfMonth) / 7 + 1)
      return positions.contains { $0.contains(position) || $0.contains(fromEnd) } ? .yes : .no
    case .publicHoliday(let offsetDays):
      let day = CivilDate(day: date.day - offsetDays)
      guard let isHoliday = Holidays.isHoliday(day, country: country) else { return .maybe }
      return isHoliday ? .yes : .no
    case .schoolHoliday: return .maybe
    }
  }
}

extension TimePoint {
  /// Minutes of the day; nil if the sun does not rise or set.
  func minute(on date: CivilDate, _ moment: LocalMoment) -> Int? {
    let (event, offset): (Sun.Event, Int)
    switch self {
    case .minute(let minute): return minute
    case .dawn(let min): (event, offset) = (.dawn, min)
    case .sunrise(let min): (event, offset) = (.sunrise, min)
    case .sunset(let min): (event, offset) = (.sunset, min)
    case .dusk(let min): (event, offset) = (.dusk, min)
    }
    return Sun.minute(event, on: moment, date: date).map { $0 + offset }
  }
}

extension TimeSpan {
  func covers(_ minute: Int, on date: CivilDate, _ moment: LocalMoment) -> Bool {
    guard let start = from.minute(on: date, moment) else { return false }
    if isOpenEnded, to == nil { return minute >= start && minute < max(1440, start + 1) }
    guard let to else { return minute == start }
    guard var end = to.minute(on: date, moment) else { return false }
    if end <= start { end += 1440 }
    if everyMin > 0 {
      return minute >= start && minute <= end && (minute - start) % everyMin == 0
    }
    return minute >= start && minute < end
  }

  /// Whether it contains a moment of a grid; the sun's times move across the grid during the year.
  fileprivate func isSeen(everyMin grid: Int) -> Bool {
    guard case .minute(let start) = from else { return true }
    let end: Int
    switch to {
    case .minute(let minute): end = minute <= start ? minute + 1440 : minute
    case nil: end = isOpenEnded ? max(1440, start + 1) : start + 1
    default: return true
    }
    if everyMin > 0 {
      return stride(from: start, through: end, by: everyMin).contains { $0 % grid == 0 }
    }
    return (start + grid - 1) / grid * grid < end
  }

  /// The span as written, if its times are clock times.
  fileprivate var text: String {
    func clock(_ point: TimePoint) -> String {
      guard case .minute(let minute) = point else { return "" }
      func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
      return "\(two(minute / 60)):\(two(minute % 60))"
    }
    return clock(from) + (to.map { "-" + clock($0) } ?? "")
  }
}
