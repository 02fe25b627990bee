import RoadGraph

/// Lanes of one direction: how many, and where each leads.
enum LaneTags {
  /// Lanes in `direction`; 0 if the tags do not contain it.
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

  /// `turn:lanes` of `direction`, left to right; nil if there is none.
  static func turnLanes(
    _ tags: OSMTags, _ direction: TravelDirection, oneWay: OneWayTags.Rule
  ) -> String? {
    if let own = tags["turn:lanes" + direction.suffix] { return own }
    switch (oneWay, direction) {
    case (.forward, .forward), (.backward, .backward): return tags["turn:lanes"]
    default: return nil
    }
  }

  /// Keys with further attributes of each lane.
  private static let detailKeys = [
    "change:lanes", "access:lanes", "vehicle:lanes", "motor_vehicle:lanes", "hov:lanes",
    "bus:lanes", "psv:lanes", "taxi:lanes", "bicycle:lanes", "hgv:lanes", "maxspeed:lanes",
    "width:lanes", "destination:lanes", "destination:ref:lanes", "destination:symbol:lanes",
  ]

  /// `key=value` lines of the known attributes of a direction's lanes; nil if there are none.
  static func details(_ tags: OSMTags, _ direction: TravelDirection, bareHolds: Bool) -> String? {
    // Most roads have no such tag, which a single pass shows.
    guard tags.pairs.contains(where: { $0.key.utf8.count > 8 && isOfLanes($0.key) }) else {
      return nil
    }
    let lines = detailKeys.compactMap { key -> String? in
      let value = tags[key + direction.suffix] ?? (bareHolds ? tags[key] : nil)
      guard let value, !value.utf8.contains(UInt8(ascii: "\n")) else { return nil }
      return "\(key)=\(value)"
    }
    return lines.isEmpty ? nil : lines.joined(separator: "\n")
  }

  private static func isOfLanes(_ key: String) -> Bool {
    key.hasSuffix(":lanes") || key.hasSuffix(":lanes:forward") || key.hasSuffix(":lanes:backward")
  }

  private static func laneCount(_ turnLanes: String) -> Int {
    turnLanes.utf8.reduce(1) { $0 + ($1 == UInt8(ascii: "|") ? 1 : 0) }
  }

  private static func number(_ value: String?) -> UInt8? {
    guard let value, let number = Double(value), number >= 0, number < 60 else { return nil }
    return UInt8(number.rounded(.down))
  }
}
