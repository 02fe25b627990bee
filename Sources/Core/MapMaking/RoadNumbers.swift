import RoadGraph

/// What route relations say of the roads with a number: where they lead, and how far they reach.
struct RoadNumbers {
  /// What is said of one direction of a way.
  struct Saying: Hashable {
    var direction: String?
    var level: UInt8 = 0
  }

  private var along: [Int64: Saying] = [:]
  private var against: [Int64: Saying] = [:]

  var isEmpty: Bool { along.isEmpty && against.isEmpty }

  static func isRoute(_ tags: OSMTags) -> Bool {
    tags["type"] == "route" && tags["route"] == "road"
  }

  mutating func add(_ relation: OSMRelation) {
    let level = Self.level(relation.tags["network"])
    let whole = relation.tags["direction"].flatMap { Self.direction($0) }
    for member in relation.members where member.kind == .way {
      let own = Self.direction(member.role) ?? whole
      guard own != nil || level > 0 else { continue }
      let saying = Saying(direction: own, level: level)
      // A word such as "north" speaks of the way's own direction; so does "forward".
      if member.role != "backward" { Self.join(saying, to: &along[member.id]) }
      if member.role != "forward", Self.direction(member.role) == nil {
        Self.join(
          Saying(direction: member.role == "backward" ? own : nil, level: level),
          to: &against[member.id])
      }
    }
  }

  /// What is said of a way along its nodes or against them.
  func saying(_ way: Int64, isForward: Bool) -> Saying? { isForward ? along[way] : against[way] }

  /// Of several routes on one road the furthest reaching one counts.
  private static func join(_ saying: Saying, to known: inout Saying?) {
    guard var old = known else {
      known = saying
      return
    }
    let isGreater = saying.level > 0 && (old.level == 0 || saying.level < old.level)
    if isGreater { old.level = saying.level }
    if old.direction == nil || isGreater { old.direction = saying.direction ?? old.direction }
    known = old
  }

  private static func direction(_ word: String) -> String? {
    switch word {
    case "north", "south", "east", "west", "northeast", "northwest", "southeast", "southwest",
      "clockwise", "anticlockwise", "inner", "outer":
      word
    case "N": "north"
    case "S": "south"
    case "E": "east"
    case "W": "west"
    default: nil
    }
  }

  /// 1 the whole country to 6; 0 where the network's word does not tell.
  private static func level(_ network: String?) -> UInt8 {
    guard let network else { return 0 }
    switch network {
    case "e-road", "US:I", "BAB", "AsianHighway", "AH": return 1
    case "US:US", "CA:transcanada": return 2
    default: break
    }
    let words = network.split(separator: ":")
    if words.contains("national") || words.contains("motorway") { return 1 }
    if words.contains("regional") { return 3 }
    if words.contains("local") || words.contains("county") { return 5 }
    if words.count == 2, words[0] == "US" || words[0] == "CA" { return 3 }
    if words.count > 2, words[0] == "US" { return 5 }
    return 0
  }
}
