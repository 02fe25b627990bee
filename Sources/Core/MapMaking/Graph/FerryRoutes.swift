/// Ferries and car trains that are mapped as relations, with the data that the relations add to
/// their member ways.
///
/// A relation `route=ferry` over ways without tags turns them into a ferry. Ways that are already a
/// ferry take missing tags from it. https://wiki.openstreetmap.org/wiki/Tag:route=ferry
struct FerryRoutes {
  private var relations: [(id: Int64, tags: OSMTags)] = []
  private var relation: [Int64: Int] = [:]
  /// Ways that are held until all relations are read, in the order in which they were added.
  private(set) var ways: [OSMWay] = []

  var members: some Collection<Int64> { relation.keys }

  static func isFerry(_ tags: OSMTags) -> Bool {
    tags["highway"] == nil && (tags["route"] == "ferry" || tags["route"] == "shuttle_train")
  }

  static func isRoute(_ tags: OSMTags) -> Bool {
    tags["type"] == "route" && (tags["route"] == "ferry" || tags["route"] == "shuttle_train")
  }

  mutating func add(_ found: OSMRelation) {
    relations.append((found.id, found.tags))
    for member in found.members
    where member.kind == .way && member.role != "platform" && relation[member.id] == nil {
      relation[member.id] = relations.count - 1
    }
  }

  mutating func hold(_ way: OSMWay) { ways.append(way) }

  func isMember(_ way: Int64) -> Bool { relation[way] != nil }

  /// Whether a key of a relation describes the line itself, and not the service or its map.
  private static func matters(_ key: String) -> Bool {
    switch key {
    case "type", "area", "oneway", "from", "to", "via", "colour", "fixme", "layer": false
    default: true
    }
  }

  /// A way with the relation's additions, and the relation whose duration it shares; nil for a
  /// duration of its own.
  func completed(_ way: OSMWay) -> (way: OSMWay, sharesDurationOf: Int64?) {
    guard let index = relation[way.id] else { return (way, nil) }
    let (id, added) = relations[index]
    var full = way
    let hasDuration =
      way.tags["duration"] != nil || way.tags["duration:conditional"] != nil
    for tag in added.pairs where Self.matters(tag.key) && full.tags[tag.key] == nil {
      if hasDuration, tag.key.hasPrefix("duration") { continue }
      full.tags[tag.key] = tag.value
    }
    let isShared = !hasDuration && full.tags["duration"] != nil
    return (full, isShared ? id : nil)
  }
}
