import RoadGraph

/// Roads that only vehicles with enough occupants may use.
///
/// https://wiki.openstreetmap.org/wiki/Key:hov
enum CarPoolTags {
  /// Whether a car with only its driver may not use the road.
  ///
  /// `hov=yes` only permits car pools, so it counts only if the road is closed otherwise.
  static func isForCarPoolsOnly(_ tags: OSMTags) -> Bool {
    switch tags["hov"] {
    case "designated", "only": return true
    case "yes" where closes(tags): return true
    default: break
    }
    if let lanes = tags["hov:lanes"], !lanes.isEmpty,
      lanes.split(separator: "|", omittingEmptySubsequences: false).allSatisfy({
        $0 == "designated" || $0 == "only"
      })
    {
      return true
    }
    return carValue(tags) == "hov"
  }

  /// Whether the road is open to the car pools of a mode although its other tags close it.
  static func opens(_ tags: OSMTags, to mode: TravelMode) -> Bool {
    guard mode.isMotorised, mode != .truck, let value = tags["hov"] else { return false }
    return value == "designated" || value == "only" || value == "yes"
  }

  private static func closes(_ tags: OSMTags) -> Bool {
    carValue(tags).flatMap { AccessTags.access($0, for: .car) } == .no
  }

  /// The value of the most specific key that applies to cars.
  private static func carValue(_ tags: OSMTags) -> String? {
    AccessTags.keys(.car).reversed().lazy.compactMap { tags[$0] }.first
  }
}
