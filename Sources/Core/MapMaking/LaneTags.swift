import RoadGraph

/// Lanes of one direction: how many, and where each leads.
enum LaneTags {
  /// Lanes in `direction`; 0 where the tags do not tell.
  static func count(_ tags: OSMTags, _ direction: TravelDirection, oneWay: OneWayTags.Rule) -> UInt8
  {
    if let own = number(tags["lanes" + direction.suffix]) { return own }
    guard let all = number(tags["lanes"]) else {
      return UInt8(clamping: turnLanes(tags, direction, oneWay: oneWay).map { laneCount($0) } ?? 0)
    }
    switch (oneWay, direction) {
    case (.forward, .forward), (.backward, .backward): return all
    case (.forward, .backward), (.backward, .forward): return 0
    case (.both, _), (.reversible, _): break
    }
    let other: TravelDirection = direction == .forward ? .backward : .forward
    let shared = number(tags["lanes:both_ways"]) ?? 0
    if let others = number(tags["lanes" + other.suffix]) {
      return all > others + shared ? all - others - shared : 1
    }
    return max(1, (all - min(all, shared)) / 2)
  }

  /// `turn:lanes` of `direction`, left to right; nil where there is none.
  static func turnLanes(
    _ tags: OSMTags, _ direction: TravelDirection, oneWay: OneWayTags.Rule
  ) -> String? {
    if let own = tags["turn:lanes" + direction.suffix] { return own }
    switch (oneWay, direction) {
    case (.forward, .forward), (.backward, .backward): return tags["turn:lanes"]
    default: return nil
    }
  }

  private static func laneCount(_ turnLanes: String) -> Int {
    turnLanes.utf8.reduce(1) { $0 + ($1 == UInt8(ascii: "|") ? 1 : 0) }
  }

  private static func number(_ value: String?) -> UInt8? {
    guard let value, let number = Double(value), number >= 0, number < 60 else { return nil }
    return UInt8(number.rounded(.down))
  }
}
