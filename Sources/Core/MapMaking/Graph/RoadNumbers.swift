/// The road routes of the data: which ways belong to which numbered route, and in which direction.
struct RoadNumbers {
  /// A route that a direction of a way belongs to.
  struct Membership: Hashable {
    /// `network` of the relation.
    var network: String?
    /// `ref` of the relation.
    var ref: String?
    /// `north`, `east`; nil if the relation does not contain it.
    var direction: String?
  }

  private var along: [Int64: [Membership]] = [:]
  private var against: [Int64: [Membership]] = [:]

  var isEmpty: Bool { along.isEmpty && against.isEmpty }

  static func isRoute(_ tags: OSMTags) -> Bool {
    tags["type"] == "route" && tags["route"] == "road"
  }

  mutating func add(_ relation: OSMRelation) {
    let route = Membership(network: relation.tags["network"], ref: relation.tags["ref"])
    let whole = relation.tags["direction"].flatMap { Self.direction($0) }
    for member in relation.members where member.kind == .way {
      let own = Self.direction(member.role)
      let direction = own ?? whole
      guard direction != nil || route.network != nil else { continue }
      // A role such as `north` refers to the way's own direction; so does `forward`.
      if member.role != "backward" {
        append(route, direction: direction, isForward: true, way: member.id)
      }
      if member.role != "forward", own == nil {
        append(
          route, direction: member.role == "backward" ? direction : nil, isForward: false,
          way: member.id)
      }
    }
  }

  /// The routes of a way along its nodes or against them.
  func memberships(_ way: Int64, isForward: Bool) -> [Membership] {
    (isForward ? along[way] : against[way]) ?? []
  }

  private mutating func append(
    _ route: Membership, direction: String?, isForward: Bool, way: Int64
  ) {
    var route = route
    route.direction = direction
    if isForward {
      along[way, default: []].append(route)
    } else {
      against[way, default: []].append(route)
    }
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
}
