public import EventTime

/// Plays recorded fixes at their recorded times (LOC-6).
public struct TraceReplay: Hashable, Sendable {
  public let fixes: [Fix]
  /// When each fix is due, same count; never falls, even where the recording does.
  public let dues: [Instant]
  /// Index of the next fix; the count of fixes at the end.
  public private(set) var next = 0

  /// A replay of `fixes`; those without a time that can be true follow the one before after `intervalS`.
  ///
  /// What can be true is judged by `TraceTimes.plausible`: a wrong date makes nobody wait for decades. `start` is
  /// when the first is due where no fix has a time.
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
    // Those before the first time lead up to it.
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

  /// The earliest time that can be true from each fix on: none before it is due later.
  private static func latestDues(_ fixes: [Fix], _ isPlausible: [Bool]) -> [Instant?] {
    var latest: [Instant?] = Array(repeating: nil, count: fixes.count)
    var next: Instant?
    for index in fixes.indices.reversed() {
      if isPlausible[index], let time = fixes[index].time { next = min(next ?? time, time) }
      latest[index] = next
    }
    return latest
  }

  /// Seconds from the fix before to a fix by their own times; nil where those do not go on from each other.
  private static func stepS(to index: Int, of fixes: [Fix]) -> Double? {
    guard index > 0, let time = fixes[index].time, let before = fixes[index - 1].time else {
      return nil
    }
    let stepS = time.seconds(since: before)
    return stepS > 0 && stepS <= TraceTimes.linkS ? stepS : nil
  }

  /// Seconds from the first fix to the last; 0 for one fix and for fixes of one time.
  public var lengthS: Double {
    guard let first = dues.first, let last = dues.last else { return 0 }
    return last.seconds(since: first)
  }

  /// When the next fix is due; nil at the end.
  public var nextDue: Instant? { next < dues.count ? dues[next] : nil }
  public var start: Instant? { dues.first }
  public var isAtEnd: Bool { next >= fixes.count }

  /// The next fix, and goes on to the one behind it.
  public mutating func take() -> Fix? {
    guard next < fixes.count else { return nil }
    defer { next += 1 }
    return fixes[next]
  }

  /// Goes to the fix of a number; to the end where there are fewer.
  public mutating func goOn(with number: Int) { next = min(max(0, number), fixes.count) }

  /// Goes to the first fix that is due at `time` or later; logarithmic.
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
