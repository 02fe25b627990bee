import Foundations

/// A segment tree that finds the largest number in a range of indices in logarithmic time.
///
/// The number 0 stands for an empty entry.
private struct RangeMaximumTree {
  private let size: Int
  private var values: [(value: Int, index: Int)]

  init(count: Int) {
    size = max(1, count)
    values = Array(repeating: (0, 0), count: 2 * size)
  }

  mutating func set(_ index: Int, to value: Int) {
    var node = index + size
    values[node] = (value, index)
    while node > 1 {
      node /= 2
      let (left, right) = (values[2 * node], values[2 * node + 1])
      values[node] = left.value >= right.value ? left : right
    }
  }

  /// Returns the index of the largest value in the range; nil if all entries are empty.
  func largest(_ range: Range<Int>) -> Int? {
    var best = (value: 0, index: 0)
    var (low, high) = (range.lowerBound + size, range.upperBound + size)
    while low < high {
      if !low.isMultiple(of: 2) {
        if values[low].value > best.value { best = values[low] }
        low += 1
      }
      if !high.isMultiple(of: 2) {
        high -= 1
        if values[high].value > best.value { best = values[high] }
      }
      low /= 2
      high /= 2
    }
    return best.value > 0 ? best.index : nil
  }
}

extension [Instant] {
  /// Returns the index of the first element that satisfies a condition, by binary search.
  ///
  /// All elements after the first match must satisfy it as well.
  fileprivate func firstNumber(where isBehind: (Instant) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isBehind(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

/// Examines the times of recorded fixes: their order, and which of them can be true together.
public enum TraceTimes {
  /// Returns the fixes in time order where the recording has them newest first; otherwise nil.
  static func oldestFirst(_ fixes: [Fix]) -> [Fix]? {
    var last: Instant?
    var (forward, back) = (0, 0)
    for fix in fixes {
      guard let time = fix.time else { continue }
      if let last, time != last { if time < last { back += 1 } else { forward += 1 } }
      last = time
    }
    // A single step back among many steps forward is a clock that was set, and vice versa.
    return back > 1 && back > 9 * forward ? fixes.reversed() : nil
  }

  /// Interval to the next fix, in seconds, beyond which its time may be from another clock.
  static let linkS = 3_600.0
  /// Seconds by which fixes may be out of order.
  private static let latenessS = 10.0
  /// Interval, in seconds, that no drive spans: the clock was wrong on one side of it.
  private static let leapS = 366.0 * 86_400

  /// Consecutive fixes whose times continue from each other.
  private struct Chain {
    var indices: [Int]
    var first: Instant
    var last: Instant
  }

  /// Returns for each fix whether its time can be true together with the times of most others.
  ///
  /// It is false for a fix without a time, or from a clock that is not set. Where times go back or
  /// jump by years, it is false for the smaller group of fixes. Cost is n log n.
  public static func plausible(_ fixes: [Fix]) -> [Bool] {
    var isPlausible = Array(repeating: false, count: fixes.count)
    for chain in mostFixes(chains(fixes)) {
      for index in chain.indices { isPlausible[index] = true }
    }
    return isPlausible
  }

  private static func chains(_ fixes: [Fix]) -> [Chain] {
    // In a recording without any date, seconds from any start are all in 1970, which is valid.
    let isDated = fixes.contains { $0.time.map(FixGate.possibleTimes.contains) == true }
    var chains: [Chain] = []
    for (index, fix) in fixes.enumerated() {
      guard let time = fix.time, !isDated || FixGate.possibleTimes.contains(time) else { continue }
      // The chain itself is not copied, since each fix would need a new copy.
      if let last = chains.last?.last {
        let stepS = time.seconds(since: last)
        if stepS >= -latenessS, stepS <= linkS {
          chains[chains.count - 1].indices.append(index)
          chains[chains.count - 1].last = max(last, time)
          continue
        }
      }
      chains.append(Chain(indices: [index], first: time, last: time))
    }
    return chains
  }

  /// Returns the sequence of chains that contains the most fixes.
  ///
  /// Its chains follow each other in time without a jump of years.
  private static func mostFixes(_ chains: [Chain]) -> [Chain] {
    let order = chains.indices.sorted { chains[$0].last < chains[$1].last }
    let lasts = order.map { chains[$0].last }
    var place = Array(repeating: 0, count: chains.count)
    for (index, number) in order.enumerated() { place[number] = index }
    var best = RangeMaximumTree(count: chains.count)
    var fixes = Array(repeating: 0, count: chains.count)
    var before: [Int?] = Array(repeating: nil, count: chains.count)
    for (number, chain) in chains.enumerated() {
      let from = lasts.firstNumber { $0 >= chain.first.advanced(bySeconds: -leapS) }
      let to = lasts.firstNumber { $0 > chain.first }
      let previous = best.largest(from..<to).map { order[$0] }
      before[number] = previous
      fixes[number] = chain.indices.count + (previous.map { fixes[$0] } ?? 0)
      best.set(place[number], to: fixes[number])
    }
    var taken: [Chain] = []
    var next = fixes.indices.max { fixes[$0] < fixes[$1] }
    while let number = next {
      taken.append(chains[number])
      next = before[number]
    }
    return taken
  }

  /// Returns remarks about the times: jumps, week-number rollovers, and times that are all equal.
  public static func remarks(_ fixes: [Fix]) -> [String] {
    let timed = fixes.indices.filter { fixes[$0].time != nil }
    guard let first = timed.first, let firstTime = fixes[first].time, fixes.count > 1 else {
      return []
    }
    if timed.count > 1, timed.allSatisfy({ fixes[$0].time == firstTime }) {
      return ["all fixes have the same time \(TimeText.utc(firstTime)), which is implausible"]
    }
    var remarks: [String] = []
    let isPlausible = plausible(fixes)
    let strays = timed.filter { !isPlausible[$0] }
    if let stray = strays.first, let time = fixes[stray].time {
      let known = timed.first { isPlausible[$0] }.flatMap { fixes[$0].time.map(TimeText.utc) }
      let others = known.map { ", most others from \($0) on" } ?? ""
      remarks.append(
        "fixes with a wrong date or time: \(strays.count); the first: fix \(stray) at \(TimeText.utc(time))\(others)"
      )
    }
    for (one, next) in zip(timed, timed.dropFirst()) {
      guard let time = fixes[one].time, let later = fixes[next].time,
        let weeks = rollovers(later.seconds(since: time))
      else { continue }
      remarks.append(
        "at fix \(next) the date jumps by \(weeks) weeks: the week number of the receiver has rolled over"
      )
      break
    }
    return remarks
  }

  /// Returns the weeks of a jump that is a rollover to within an hour; otherwise nil.
  private static func rollovers(_ leapS: Double) -> Int? {
    let oneS = Double(NMEAOptions.rolloverWeeks) * NMEAOptions.weekS
    let count = (abs(leapS) / oneS).rounded()
    guard count >= 1, abs(abs(leapS) - count * oneS) < 3_600 else { return nil }
    return Int(count) * NMEAOptions.rolloverWeeks
  }
}
