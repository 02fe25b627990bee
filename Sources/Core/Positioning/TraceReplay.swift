public import EventTime

/// Plays recorded fixes at their recorded times (LOC-6).
public struct TraceReplay: Hashable, Sendable {
  public let fixes: [Fix]
  /// When each fix is due, same count; never falls, even where the recording does.
  public let dues: [Instant]
  /// Index of the next fix; the count of fixes at the end.
  public private(set) var next = 0

  /// A replay of `fixes`; those without a time follow the one before after `intervalS`.
  ///
  /// `start` is when the first is due if it has no time.
  public init(_ fixes: [Fix], start: Instant, intervalS: Double) {
    var dues: [Instant] = []
    for fix in fixes {
      let earliest = dues.last
      let due = fix.time ?? earliest?.advanced(bySeconds: intervalS) ?? start
      dues.append(earliest.map { max($0, due) } ?? due)
    }
    self.fixes = fixes
    self.dues = dues
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
