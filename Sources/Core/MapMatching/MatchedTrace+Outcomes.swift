public import Positioning

extension MatchedTrace {
  /// Puts the fixes back as they came, where they were matched without what cannot be believed of them.
  ///
  /// `frozen` are the numbers of those that repeat an old position.
  public mutating func restore(_ fixes: [Fix], frozen: Set<Int>) {
    for index in matches.indices where index < fixes.count { matches[index].fix = fixes[index] }
    for index in frozen where matches.indices.contains(index) {
      matches[index].outcome = .noMatch(.frozen)
    }
  }

  /// How many fixes were not used, by the reason, without those beside the roads and the map.
  public var unused: [NoMatchReason: Int] {
    matches.reduce(into: [:]) { counts, match in
      guard let reason = match.reason, reason != .offRoad, reason != .noMapData else { return }
      counts[reason, default: 0] += 1
    }
  }

  /// Why no fix of the trace has a place, in a sentence without a stop.
  public var whyNothingMatched: String {
    let unused = unused
    let count = unused.values.reduce(0, +)
    guard count == matches.count,
      let most = unused.max(by: { ($0.value, $1.key.rawValue) < ($1.value, $0.key.rawValue) })
    else { return "no fix of the trace lies on a road of the mode" }
    return "no fix of the trace can be used; of \(count) fixes \(most.value) \(most.key.predicate)"
  }
}

extension NoMatchReason {
  /// What holds for fixes of this reason, behind their count.
  public var predicate: String {
    switch self {
    case .offRoad: "lie beside all roads"
    case .noTime: "have no time"
    case .noMapData: "lie beyond the map"
    case .outlier: "cannot follow from those before them"
    case .warmingUp, .inaccurate: "have an accuracy worse than 50 m"
    case .repeatedTime: "have the time of the one before"
    case .frozen: "repeat an old position while the vehicle moves on"
    }
  }
}
