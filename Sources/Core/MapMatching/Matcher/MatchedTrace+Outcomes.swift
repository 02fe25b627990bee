public import Positioning

extension MatchedTrace {
  /// Restores the reported fixes in a trace that was matched without their implausible values.
  ///
  /// `frozen` contains the indices of fixes that repeat an old position. Their outcome becomes
  /// `.noMatch(.frozen)`.
  public mutating func restore(_ fixes: [Fix], frozen: Set<Int>) {
    for index in matches.indices where index < fixes.count { matches[index].fix = fixes[index] }
    for index in frozen where matches.indices.contains(index) {
      matches[index].outcome = .noMatch(.frozen)
    }
  }

  /// The number of unused fixes for each reason.
  ///
  /// Fixes that are off the roads or outside the map are not counted.
  public var unused: [NoMatchReason: Int] {
    matches.reduce(into: [:]) { counts, match in
      guard let reason = match.reason, reason != .offRoad, reason != .noMapData else { return }
      counts[reason, default: 0] += 1
    }
  }

  /// The reason why no fix of the trace was matched, as a sentence without a full stop.
  public var whyNothingMatched: String {
    let unused = unused
    let count = unused.values.reduce(0, +)
    guard count == matches.count,
      let most = unused.max(by: { ($0.value, $1.key.rawValue) < ($1.value, $0.key.rawValue) })
    else { return "no fix of the trace lies on a road of the travel mode" }
    return "no fix of the trace can be used; of \(count) fixes \(most.value) \(most.key.predicate)"
  }
}

extension NoMatchReason {
  /// The predicate that follows the number of fixes in a sentence about this reason.
  public var predicate: String {
    switch self {
    case .offRoad: "are not near any road"
    case .noTime: "have no time"
    case .noMapData: "lie outside the map"
    case .outlier: "are implausible after the previous fixes"
    case .warmingUp, .inaccurate: "have an accuracy worse than 50 m"
    case .repeatedTime: "have the same time as the previous fix"
    case .frozen: "repeat an old position while the vehicle moves"
    }
  }
}
