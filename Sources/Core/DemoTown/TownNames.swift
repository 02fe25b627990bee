import Foundations

/// Gives each street a unique name.
struct TownNames {
  private var taken: Set<String> = []

  private static let first = [
    "Abbey", "Alder", "Amber", "Anchor", "Arch", "Ash", "Aspen", "Baker", "Barley", "Beacon",
    "Beech", "Bell", "Birch", "Bishop", "Bramble", "Bridge", "Brook", "Canal", "Carpenter",
    "Castle", "Cedar", "Chapel", "Cherry", "Chestnut", "Church", "Clay", "Clover", "Copper",
    "Coral", "Crane", "Crown", "Dean", "Deer", "Dove", "Eagle", "Elder", "Elm", "Falcon", "Fern",
    "Ferry", "Field", "Finch", "Fisher", "Flint", "Forge", "Fox", "Garden", "Garnet", "Granary",
    "Grange", "Grove", "Hart", "Hawthorn", "Hazel", "Heath", "Heron", "Holly", "Hop", "Ivy",
    "Jasmine", "Juniper", "Kestrel", "Kiln", "King", "Lark", "Laurel", "Lavender", "Lilac", "Lime",
    "Linden", "Lock", "Maple", "Market", "Marsh", "Mason", "Meadow", "Mill", "Minster", "Mulberry",
    "Myrtle", "Oak", "Orchard", "Otter", "Pear", "Pepper", "Pine", "Plum", "Poplar", "Priory",
    "Quarry", "Queen", "Raven", "Reed", "River", "Robin", "Rose", "Rowan", "Saddler", "Saffron",
    "Sand", "School", "Silver", "Smith", "Sparrow", "Spring", "Spruce", "Star", "Stone", "Swan",
    "Sycamore", "Tanner", "Temple", "Thistle", "Thorn", "Tower", "Union", "Vine", "Walnut",
    "Weaver", "Well", "Wheat", "Willow", "Windmill", "Wren", "Yarrow", "Yew",
  ]

  /// A name with one of `endings` that no street has yet.
  mutating func next(_ endings: [String], _ random: inout SplitMix64) -> String {
    for _ in 0..<200 {
      let name = "\(random.pick(Self.first)) \(random.pick(endings))"
      if taken.insert(name).inserted { return name }
    }
    // Nearly all pairs are used, so a second word makes the rest unique.
    while true {
      let name = "\(random.pick(Self.first)) \(random.pick(Self.first)) \(random.pick(endings))"
      if taken.insert(name).inserted { return name }
    }
  }

  /// Reserves a name that is assigned by hand, so that it is not generated again.
  mutating func reserve(_ name: String) -> String {
    taken.insert(name)
    return name
  }

  static let streets = ["Street", "Road", "Street", "Avenue", "Lane"]
  static let closes = ["Close", "Court", "Mews", "Yard"]
  static let curves = ["Crescent", "Walk", "Rise", "Gardens"]
}
