public import Foundations
import Geodesy

/// Plays recorded fixes at their recorded times (LOC-6).
public struct TraceReplay: Hashable, Sendable {
  /// The fixes; those after a clock step during the drive have the times at which they are due.
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
  /// date. Where the clock was set forward during the drive, the fixes after that follow at once.
  /// `start` is when the first fix is due where no fix has a time.
  public init(_ fixes: [Fix], start: Instant, intervalS: Double) {
    let isPlausible = TraceTimes.plausible(fixes)
    let times = Self.driven(fixes, isPlausible)
    dues = Self.dues(fixes, times, start: start, intervalS: intervalS)
    self.fixes = Self.retimed(fixes, times, dues)
  }

  /// Returns the plausible times, without the steps of a clock that was set forward during the
  /// drive.
  private static func driven(_ fixes: [Fix], _ isPlausible: [Bool]) -> [Instant?] {
    var times: [Instant?] = Array(repeating: nil, count: fixes.count)
    var (stepS, last) = (0.0, Int?.none)
    for index in fixes.indices where isPlausible[index] {
      guard let time = fixes[index].time else { continue }
      if let last, let before = fixes[last].time, time.seconds(since: before) > TraceTimes.linkS,
        let pauseS = drivingS(over: last, index, of: fixes)
      {
        stepS += time.seconds(since: before) - pauseS
      }
      times[index] = stepS == 0 ? time : time.advanced(bySeconds: -stepS)
      last = index
    }
    return times
  }

  /// Minimum speed of a vehicle that is certainly moving, m/s, and the longest interval for
  /// determining it, s.
  private static let drivingMps = 3.0
  private static let longestStepS = 30.0

  /// Seconds that the distance between two fixes took, if the vehicle kept its speed; otherwise
  /// nil.
  ///
  /// A vehicle that parked in between slows down before, or does not continue from where it would
  /// be a moment later.
  private static func drivingS(over one: Int, _ next: Int, of fixes: [Fix]) -> Double? {
    guard let before = speed(to: one, of: fixes), let after = speed(to: next + 1, of: fixes)
    else { return nil }
    let seconds = fixes[one].place.distanceM(to: fixes[next].place) / ((before.mps + after.mps) / 2)
    let usualS = min(before.seconds, after.seconds)
    return (0.5...2.5).contains(seconds / usualS) ? usualS : nil
  }

  private static func speed(to index: Int, of fixes: [Fix]) -> (mps: Double, seconds: Double)? {
    guard index > 0, index < fixes.count, let seconds = stepS(to: index, of: fixes),
      seconds <= longestStepS
    else { return nil }
    let mps = fixes[index - 1].place.distanceM(to: fixes[index].place) / seconds
    return mps >= drivingMps ? (mps, seconds) : nil
  }

  /// Returns the fixes, where a run from another clock gets the times at which it is due.
  ///
  /// A run needs at least as many fixes as a line of time (`FixTimeline`). Fewer fixes keep their
  /// times and are rejected.
  private static func retimed(
    _ fixes: [Fix], _ times: [Instant?], _ dues: [Instant]
  ) -> [Fix] {
    var retimed = fixes
    for index in fixes.indices where times[index] != nil && times[index] != fixes[index].time {
      retimed[index].time = times[index]
    }
    var first = 0
    while first < fixes.count {
      var end = first + 1
      guard isOtherClock(fixes[first], times[first]) else {
        first = end
        continue
      }
      while end < fixes.count, isOtherClock(fixes[end], times[end]),
        stepS(to: end, of: fixes) != nil
      {
        end += 1
      }
      let spanS = dues[end - 1].seconds(since: dues[first])
      if end - first >= FixTimeline.evidence, spanS >= FixTimeline.evidenceS {
        for index in first..<end { retimed[index].time = dues[index] }
      }
      first = end
    }
    return retimed
  }

  private static func isOtherClock(_ fix: Fix, _ plausible: Instant?) -> Bool {
    plausible == nil && fix.time.map(FixGate.possibleTimes.contains) == true
  }

  private static func dues(
    _ fixes: [Fix], _ times: [Instant?], start: Instant, intervalS: Double
  ) -> [Instant] {
    guard let first = times.firstIndex(where: { $0 != nil }), let firstTime = times[first] else {
      return fixes.indices.map { start.advanced(bySeconds: Double($0) * intervalS) }
    }
    var dues: [Instant] = []
    dues.reserveCapacity(fixes.count)
    // Fixes before the first plausible time lead up to it.
    var leadS = 0.0
    for index in (0..<first).reversed() {
      leadS += stepS(to: index + 1, of: fixes) ?? intervalS
      dues.append(firstTime.advanced(bySeconds: -leadS))
    }
    dues.reverse()
    let latest = latestDues(times)
    var last = firstTime
    for index in first..<fixes.count {
      if let time = times[index] {
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
  private static func latestDues(_ times: [Instant?]) -> [Instant?] {
    var latest: [Instant?] = Array(repeating: nil, count: times.count)
    var next: Instant?
    for index in times.indices.reversed() {
      if let time = times[index] { next = min(next ?? time, time) }
      latest[index] = next
    }
    return latest
  }

  /// Returns the seconds since the previous fix by their recorded times; nil if these break off.
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
  public mutating func nextFix() -> Fix? {
    guard next < fixes.count else { return nil }
    defer { next += 1 }
    return fixes[next]
  }

  /// Moves to the fix with the given index, or to the end if there are fewer fixes.
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
