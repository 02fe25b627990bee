import RoadGraph

/// Tags of a way that matter to walkers and cyclists.
enum FootTags {
  /// Flags of a way: crossings, ways within buildings, carriageways better avoided on foot or by
  /// bicycle.
  static func flags(_ tags: OSMTags, kind: RoadKind) -> RoadFlags {
    var flags = RoadFlags()
    let crossings = [tags["footway"], tags["path"], tags["cycleway"]]
    if kind.roadClass >= .pedestrian, crossings.contains("crossing") {
      flags.insert(.footCrossing)
    }
    if kind.word == "corridor" || tags.isYes("indoor") { flags.insert(.indoor) }
    guard kind.roadClass <= .residential else { return flags }
    if hasWalkersElsewhere(tags, kind) { flags.insert(.walkersElsewhere) }
    if hasCyclistsElsewhere(tags, kind) { flags.insert(.cyclistsElsewhere) }
    return flags
  }

  // https://wiki.openstreetmap.org/wiki/Key:sidewalk: a separate one is a way of its own.
  private static func hasWalkersElsewhere(_ tags: OSMTags, _ kind: RoadKind) -> Bool {
    let sides = sides("sidewalk", tags)
    if sides.contains("separate") { return !sides.contains(where: isThere) }
    if !sides.isEmpty { return sides.allSatisfy { $0 == "no" || $0 == "none" } }
    // A road tunnel is not for walkers unless the tags contain a sidewalk or walkers.
    let isTunnel = tags["tunnel"].map { $0 != "no" && $0 != "building_passage" } ?? false
    return isTunnel && kind.roadClass <= .unclassified && tags["foot"] == nil
  }

  // https://wiki.openstreetmap.org/wiki/Tag:cycleway=separate
  // https://wiki.openstreetmap.org/wiki/Key:expressway
  private static func hasCyclistsElsewhere(_ tags: OSMTags, _ kind: RoadKind) -> Bool {
    if tags["bicycle"] == "designated" { return false }
    let sides = sides("cycleway", tags)
    if sides.contains("separate") { return !sides.contains(where: isThere) }
    return sides.isEmpty && kind.roadClass <= .primary && tags.isYes("expressway")
  }

  /// The values of a key and of its `:both`, `:left` and `:right`.
  private static func sides(_ key: String, _ tags: OSMTags) -> [String] {
    ["", ":both", ":left", ":right"].compactMap { tags[key + $0] }
  }

  private static func isThere(_ value: String) -> Bool {
    value != "separate" && value != "no" && value != "none"
  }
}
