/// The town's random numbers: the same seed gives the same numbers on every machine.
///
/// G. Steele, D. Lea, C. Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014.
struct TownRandom: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }

  /// A random number within -1 ..< 1.
  mutating func swing() -> Double { Double(next() >> 11) / 4_503_599_627_370_496 - 1 }

  /// True with a probability of one in `n`.
  mutating func oneIn(_ n: UInt64) -> Bool { next() % n == 0 }

  mutating func pick<Item>(_ items: [Item]) -> Item {
    items[Int(next() % UInt64(items.count))]
  }
}

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
  mutating func next(_ endings: [String], _ dice: inout TownRandom) -> String {
    for _ in 0..<200 {
      let name = "\(dice.pick(Self.first)) \(dice.pick(endings))"
      if taken.insert(name).inserted { return name }
    }
    // Nearly all pairs are used, so a second word makes the rest unique.
    while true {
      let name = "\(dice.pick(Self.first)) \(dice.pick(Self.first)) \(dice.pick(endings))"
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
