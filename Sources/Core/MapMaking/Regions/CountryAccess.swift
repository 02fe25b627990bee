import RoadGraph

/// Kinds of roads that the law of a country opens or closes differently from the world-wide
/// defaults, without tags.
///
/// Sources: https://wiki.openstreetmap.org/wiki/OSM_tags_for_routing/Access_restrictions, and the
/// law that a rule names.
enum CountryAccess {
  /// A kind of road whose users differ between countries.
  enum Kind: UInt8, CaseIterable {
    case other
    case trunk
    /// `motorroad=yes` of any class.
    case motorroad
    case livingStreet
    case track
    case pedestrian
    case cycleway
    case footway
    case bridleway

    /// The OSM spelling.
    var word: String {
      switch self {
      case .other: ""
      case .trunk: "highway=trunk"
      case .motorroad: "motorroad=yes"
      case .livingStreet: "highway=living_street"
      case .track: "highway=track"
      case .pedestrian: "highway=pedestrian"
      case .cycleway: "highway=cycleway"
      case .footway: "highway=footway"
      case .bridleway: "highway=bridleway"
      }
    }
  }

  /// The access of some modes to a kind of road.
  struct Rule: Hashable {
    var kind: Kind
    var modes: TravelModes
    var access: Access

    init(_ kind: Kind, _ modes: TravelModes, _ access: Access) {
      self.kind = kind
      self.modes = modes
      self.access = access
    }
  }

  private static let bicycle = TravelModes(.bicycle)
  private static let foot = TravelModes(.pedestrian)
  /// Trunk roads are for motor vehicles only, with or without `motorroad`.
  private static let motorTrunk = Rule(
    .trunk, [TravelModes(.scooter), bicycle, foot], .no)

  static let rules: [String: [Rule]] = [
    // StVO §47: Autostraße.
    "AT": [motorTrunk],
    // Traffic rules (PDD): bicycles on footpaths, no through traffic in residential zones.
    "BY": [
      Rule(.footway, bicycle, .yes), Rule(.livingStreet, .motorised, .destination),
    ],
    // VRV 35: Autostrasse.
    "CH": [motorTrunk],
    // StVO, annex 2, signs 237 and 238: cycleways and bridleways are for these users only.
    "DE": [Rule(.cycleway, foot, .no), Rule(.bridleway, bicycle.union(foot), .no)],
    // Motortrafikvej.
    "DK": [motorTrunk],
    // Reglamento General de Circulación 38: bicycles on the shoulder.
    "ES": [Rule(.motorroad, bicycle, .yes)],
    // Tieliikennelaki: bicycles may ride on pedestrian streets.
    "FI": [Rule(.pedestrian, bicycle, .yes)],
    // Code de la route R431-9.
    "FR": [Rule(.pedestrian, bicycle, .yes)],
    // Countryside Act 1968, section 30; Land Reform (Scotland) Act 2003.
    "GB": [Rule(.bridleway, bicycle, .yes)],
    // 1/1975 KPM-BM: autóút; 39/A, no through traffic in residential zones.
    "HU": [motorTrunk, Rule(.livingStreet, .motorised, .destination)],
    // Vehicles keep to roads, and tracks are public roads.
    "IS": [Rule(.track, .motorised, .yes)],
    // Codice della strada 3: bicycles may ride in pedestrian areas.
    "IT": [Rule(.pedestrian, bicycle, .yes)],
    // Trafikkreglene 18: bicycles on footpaths and pedestrian streets.
    "NO": [Rule(.footway, bicycle, .yes), Rule(.pedestrian, bicycle, .yes)],
    // PDD 17.2: no through traffic in residential zones.
    "RU": [Rule(.livingStreet, .motorised, .destination)],
    // Trafikförordningen 8:1.
    "SE": [Rule(.pedestrian, bicycle, .yes)],
    // PDR 26.2: no through traffic in residential zones.
    "UA": [Rule(.livingStreet, .motorised, .destination)],
  ]

  /// The rules of a country for a kind of road.
  static func rules(_ country: String?, _ kind: Kind) -> [Rule] {
    guard kind != .other, let rules = country.flatMap({ rules[$0] }) else { return [] }
    return rules.filter { $0.kind == kind }
  }
}

/// The kind of a way, and the modes whose access is not set by any of its tags.
struct DefaultAccess: Hashable {
  var kind: CountryAccess.Kind
  var modes: TravelModes

  /// Access by tags only, or by defaults that are the same in all countries.
  static let none = DefaultAccess(kind: .other, modes: [])

  private init(kind: CountryAccess.Kind, modes: TravelModes) {
    self.kind = kind
    self.modes = modes
  }

  /// Reads a way; linear in its tags.
  init(_ tags: OSMTags, kind road: RoadKind, barred: TravelModes) {
    kind = Self.kind(tags, road)
    modes = []
    guard kind != .other else { return }
    // Most ways have no access tag at all, which a single pass shows.
    guard tags.pairs.contains(where: { AccessTags.isKey($0.key) }) else {
      modes = TravelModes.all.subtracting(barred)
      return
    }
    for mode in TravelMode.allCases
    where !barred.contains(mode) && !AccessTags.decide(mode, kind: road, tags: tags) {
      modes.insert(TravelModes(mode))
    }
    if modes.isEmpty { kind = .other }
  }

  private static func kind(_ tags: OSMTags, _ road: RoadKind) -> CountryAccess.Kind {
    if road.roadClass <= .livingStreet, tags.isYes("motorroad") { return .motorroad }
    return switch road.word {
    case "trunk", "trunk_link": .trunk
    case "living_street": .livingStreet
    case "track": .track
    case "pedestrian": .pedestrian
    case "cycleway": .cycleway
    case "footway": .footway
    case "bridleway": .bridleway
    default: .other
    }
  }

  /// In two bytes, since there is one for each way of a country.
  var packed: UInt16 { UInt16(kind.rawValue) << 8 | UInt16(modes.rawValue) }

  init(packed: UInt16) {
    kind = CountryAccess.Kind(rawValue: UInt8(packed >> 8)) ?? .other
    modes = TravelModes(rawValue: UInt8(packed & 0xff))
  }

  /// Applies the country's rules to an edge.
  ///
  /// A direction that is closed stays closed, except for modes that may drive where cars do.
  func apply(to road: inout RoadAttributes, country: String?) {
    for rule in CountryAccess.rules(country, kind) {
      for mode in TravelMode.allCases where rule.modes.contains(mode) && modes.contains(mode) {
        guard road.access(mode).isUsable || kind == .motorroad && road.access(.car).isUsable else {
          continue
        }
        road.setAccess(rule.access, for: mode)
        if mode == .bicycle, rule.access == .yes {
          let kmh = FreeFlowSpeed.bicycleKmh(
            roadClass: road.roadClass, surface: road.surface, access: .yes)
          road.bicycleSpeedKmh = UInt8(Double.minimum(254, kmh.rounded()))
        }
      }
    }
  }
}
