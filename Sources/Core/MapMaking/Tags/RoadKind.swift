import RoadGraph

/// The kind of road that a way is, before its details.
struct RoadKind: Hashable {
  var roadClass: RoadClass
  /// A ramp or slip road.
  var isLink: Bool
  /// The value of `highway`, or `ferry`, `shuttle_train`.
  var word: String
  /// An area to walk across, and not only along its border.
  var isArea = false

  /// The kind of a way; nil for ways that are not for travelling.
  init?(_ tags: OSMTags) {
    if let highway = tags["highway"], highway != "platform" {
      guard let (roadClass, isLink) = Self.highway(highway) else { return nil }
      self.init(roadClass: roadClass, isLink: isLink, word: highway)
      isArea = tags["area"] == "yes"
    } else if let word = AreaTags.word(tags) {
      self.init(roadClass: .path, isLink: false, word: word)
      isArea = true
    } else if let route = tags["route"] {
      switch route {
      case "ferry": self.init(roadClass: .ferry, isLink: false, word: route)
      case "shuttle_train": self.init(roadClass: .shuttleTrain, isLink: false, word: route)
      default: return nil
      }
    } else {
      return nil
    }
  }

  private init(roadClass: RoadClass, isLink: Bool, word: String) {
    self.roadClass = roadClass
    self.isLink = isLink
    self.word = word
  }

  private static func highway(_ word: String) -> (RoadClass, isLink: Bool)? {
    switch word {
    case "motorway": (.motorway, false)
    case "motorway_link": (.motorway, true)
    case "trunk": (.trunk, false)
    case "trunk_link": (.trunk, true)
    case "primary": (.primary, false)
    case "primary_link": (.primary, true)
    case "secondary": (.secondary, false)
    case "secondary_link": (.secondary, true)
    case "tertiary": (.tertiary, false)
    case "tertiary_link": (.tertiary, true)
    case "unclassified", "road": (.unclassified, false)
    case "residential": (.residential, false)
    case "living_street": (.livingStreet, false)
    case "service", "services", "busway", "bus_guideway": (.service, false)
    case "track": (.track, false)
    case "pedestrian": (.pedestrian, false)
    case "cycleway": (.cycleway, false)
    case "path", "footway", "bridleway", "corridor", "via_ferrata": (.path, false)
    case "steps": (.steps, false)
    default: nil
    }
  }
}

/// Along a way's nodes, or against them.
enum TravelDirection: Hashable {
  case forward
  case backward

  var suffix: String { self == .forward ? ":forward" : ":backward" }
}
