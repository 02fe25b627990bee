import RoadGraph

/// The surface of a road.
enum SurfaceTags {
  static func surface(_ tags: OSMTags) -> Surface {
    if let value = tags["surface"], let surface = surface(value) { return surface }
    switch tags["tracktype"] {
    case "grade1": return .paved
    case "grade2": return .compacted
    case "grade3": return .gravel
    case "grade4", "grade5": return .dirt
    default: return tags["highway"] == "track" ? .gravel : .unknown
    }
  }

  private static func surface(_ value: String) -> Surface? {
    let word = value.prefix { $0 != ":" && $0 != ";" }
    switch word {
    case "paved", "asphalt", "concrete", "paving_stones", "metal", "wood", "chipseal", "tarmac",
      "rubber", "tartan", "bricks", "brick", "cement":
      return .paved
    case "sett", "cobblestone", "unhewn_cobblestone", "stone", "grass_paver": return .cobbles
    case "compacted", "fine_gravel", "pebblestone": return .compacted
    case "unpaved", "gravel", "shells", "rock", "rocky": return .gravel
    case "dirt", "earth", "ground", "grass", "mud", "sand", "woodchips", "snow", "ice", "soil",
      "clay":
      return .dirt
    default: return nil
    }
  }

  /// Whether the road counts as unpaved for routes that avoid unpaved roads.
  static func isUnpaved(_ surface: Surface) -> Bool {
    switch surface {
    case .unknown, .paved, .cobbles: false
    case .compacted, .gravel, .dirt: true
    }
  }
}
