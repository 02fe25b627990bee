/// Settings of the map builder for missing data.
public struct MapOptions: Hashable, Sendable {
  /// ISO 3166-1 code of the country of roads that no boundary in the data encloses.
  ///
  /// If nil, the built-in table (`Boundaries`) decides.
  public var country: String?
  /// The side of driving if neither tags nor the country determine it.
  public var drivesOnLeft: Bool
  /// Whether the map contains water, land use, buildings and railways, which only pages draw.
  public var hasBaseMap: Bool

  public init(country: String? = nil, drivesOnLeft: Bool = false, hasBaseMap: Bool = true) {
    self.country = country
    self.drivesOnLeft = drivesOnLeft
    self.hasBaseMap = hasBaseMap
  }
}

/// Statistics of making a map, so that nothing is left out silently.
public struct MapMakingReport: Hashable, Sendable, Codable {
  public var waysRead = 0
  public var roadsKept = 0
  /// Ways with fewer than two nodes.
  public var waysTooShort = 0
  /// Ways that were added a second time, as in merged extracts.
  public var duplicateWays = 0
  /// Objects that an editor saved as deleted, which are left out.
  public var deletedObjects = 0
  /// Nodes that ways refer to and that are missing in the file, as at the edge of an extract.
  public var missingNodes = 0
  public var restrictionsKept = 0
  /// Restrictions that are left out, such as those whose members are missing or do not meet.
  public var restrictionsUnusable = 0
  /// Omitted restrictions by reason, a sentence.
  public var restrictionsDropped: [String: Int] = [:]
  /// Restrictions, access rules and limits that depend on the time, the weather or a vehicle.
  public var timedRules = 0
  /// Such rules with an unreadable condition, which are left out.
  public var unreadableRules = 0
  /// Such rules of ways by key, such as `opening_hours` of a ferry.
  public var unreadableKeys: [String: Int] = [:]
  /// Areas to walk across, with each part of their borders counted.
  public var areas = 0
  /// Areas that no road leads to, which are left out.
  public var areasUnconnected = 0
  /// Sizes, weights and speeds that could not be read and are left out, by key.
  public var unreadableValues: [String: Int] = [:]
  /// Barriers that are not open to through traffic, and signs on nodes that limit sizes.
  public var restrictedBarriers = 0
  /// Barriers on nodes that bar some mode.
  public var barriers = 0
  public var nodes = 0
  public var edges = 0
  public var pieces = 0
  public var bans = 0
  public var timedBans = 0
  public var islandEdges = 0
  public var places = 0
  /// Rings of boundaries that enclose a country or state.
  public var regions = 0
  /// Edges whose side of driving no country, tag, option or roundabout determines; right is
  /// assumed.
  public var guessedSides = 0
  /// How the country of each edge was found.
  public var countries = CountrySources()

  public init() {}

  mutating func drop(_ reason: DroppedRestriction) {
    restrictionsUnusable += 1
    restrictionsDropped[reason.rawValue, default: 0] += 1
  }
}

/// Counts of edges by the source of their country.
public struct CountrySources: Hashable, Sendable, Codable {
  /// Boundary relations and closed boundary ways of the data.
  public var boundaries = 0
  /// Tags of the road itself.
  public var tags = 0
  /// `MapOptions.country`.
  public var option = 0
  /// The built-in table of countries.
  public var builtIn = 0
  public var unknown = 0

  public init() {}

  enum Source {
    case boundaries, tags, option, builtIn, unknown
  }

  mutating func count(_ source: Source) {
    switch source {
    case .boundaries: boundaries += 1
    case .tags: tags += 1
    case .option: option += 1
    case .builtIn: builtIn += 1
    case .unknown: unknown += 1
    }
  }
}

/// The version of map making: it is increased when the same data give a different map.
public enum MapMakingVersion {
  public static let number = 13
}
