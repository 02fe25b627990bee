public import EventTime

/// Plays recorded fixes at their recorded times (LOC-6).
public struct TraceReplay: Hashable, Sendable {
  public let fixes: [Fix]
  /// The time at which each fix is due, with the same count as `fixes`.
  ///
  /// It never decreases, even where the recorded times do.
  public let dues: [Instant]
  /// Index of the next fix; at the end, the number of fixes.
  public private(set) var next = 0

  /// Creates a replay of `fixes`.
  ///
  /// A fix without a plausible time is due `intervalS` seconds after the previous one.
  /// `TraceTimes.plausible` decides, so that a replay does not wait for decades because of a wrong
  /// date. `start` is when the first fix is due where no fix has a time.
  public init(_ fixes: [Fix], start: Instant, intervalS: Double) {
    self.fixes = fixes
    dues = Self.dues(fixes, start: start, intervalS: intervalS)
  }

  private static func dues(_ fixes: [Fix], start: Instant, intervalS: Double) -> [Instant] {
    let isPlausible = TraceTimes.plausible(fixes)
    guard let first = isPlausible.firstIndex(of: true), let firstTime = fixes[first].time else {
      return fixes.indices.map { start.advanced(bySeconds: Double($0) * intervalS) }
    }
    var dues: [Instant] = []
    dues.reserveCapacity(fixes.count)
    // Fixes before the first plausible time lead up to it.
    for index in 0..<first {
      dues.append(firstTime.advanced(bySeconds: -Double(first - index) * intervalS))
    }
    let latest = latestDues(fixes, isPlausible)
    var last = firstTime
    for index in first..<fixes.count {
      if isPlausible[index], let time = fixes[index].time {
        last = max(last, time)
      } else {
        let due = last.advanced(bySeconds: stepS(to: index, of: fixes) ?? intervalS)
        last = max(last, latest[index].map { min(due, $0) } ?? due)
      }
      dues.append(last)
    }
    return dues
  }

  /// Returns for each index the earliest plausible time from there on.
  ///
  /// No earlier fix may be due after it.
  private static func latestDues(_ fixes: [Fix], _ isPlausible: [Bool]) -> [Instant?] {
    var latest: [Instant?] = Array(repeating: nil, count: fixes.count)
    var next: Instant?
    for index in fixes.indices.reversed() {
      if isPlausible[index], let time = fixes[index].time { next = min(next ?? time, time) }
      latest[index] = next
    }
    return latest
  }

  /// Returns the seconds since the previous fix by their recorded times; nil where these break off.
  private static func stepS(to index: Int, of fixes: [Fix]) -> Double? {
    guard index > 0, let time = fixes[index].time, let before = fixes[index - 1].time else {
      return nil
    }
    let stepS = time.seconds(since: before)
    return stepS > 0 && stepS <= TraceTimes.linkS ? stepS : nil
  }

  /// Duration from the first fix to the last, in seconds.
  ///
  /// It is 0 for a single fix, and for fixes that are all due at the same time.
  public var lengthS: Double {
    guard let first = dues.first, let last = dues.last else { return 0 }
    return last.seconds(since: first)
  }

  /// When the next fix is due; nil at the end.
  public var nextDue: Instant? { next < dues.count ? dues[next] : nil }
  public var start: Instant? { dues.first }
  public var isAtEnd: Bool { next >= fixes.count }

  /// Returns the next fix and advances to the one after it; nil at the end.
  public mutating func take() -> Fix? {
    guard next < fixes.count else { return nil }
    defer { next += 1 }
    return fixes[next]
  }

  /// Moves to the fix with the given index, or to the end where there are fewer fixes.
  public mutating func goOn(with number: Int) { next = min(max(0, number), fixes.count) }

  /// Moves to the first fix that is due at `time` or later, in logarithmic time.
  public mutating func seek(to time: Instant) {
    var low = 0
    var high = dues.count
    while low < high {
      let middle = (low + high) / 2
      if dues[middle] < time { low = middle + 1 } else { high = middle }
    }
    next = low
  }
}
