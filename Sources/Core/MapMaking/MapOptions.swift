/// What the builder of a map may say where the data are silent.
public struct MapOptions: Hashable, Sendable {
  /// ISO 3166-1 code of the country of roads that no boundary in the data encloses; nil for that of
  /// the built-in table (`Boundaries`).
  public var country: String?
  /// The side on which traffic drives where neither tags nor the country say so.
  public var drivesOnLeft: Bool

  public init(country: String? = nil, drivesOnLeft: Bool = false) {
    self.country = country
    self.drivesOnLeft = drivesOnLeft
  }
}

/// What making a map met: for reports, so that nothing is left out silently.
public struct MakingReport: Hashable, Sendable, Codable {
  public var waysRead = 0
  public var roadsKept = 0
  /// Ways of fewer than two nodes.
  public var waysTooShort = 0
  /// Ways given a second time, as merged extracts do.
  public var duplicateWays = 0
  /// Objects that an editor saved as deleted, and that are left out.
  public var deletedObjects = 0
  /// Nodes that ways name and the file lacks, as at the rim of an extract.
  public var missingNodes = 0
  public var restrictionsKept = 0
  /// Restrictions that are left out, as those whose members are missing or do not meet.
  public var restrictionsUnusable = 0
  /// Restrictions that are left out by the reason, a sentence.
  public var restrictionsDropped: [String: Int] = [:]
  /// Restrictions, access rules and limits bound to a time, the weather or a vehicle.
  public var timedRules = 0
  /// Such rules whose condition could not be read, and which are left out.
  public var unreadableRules = 0
  /// Such rules of ways by their key, such as `opening_hours` of a ferry.
  public var unreadableKeys: [String: Int] = [:]
  /// Areas to walk across, each part of their borders counted.
  public var areas = 0
  /// Areas to which no road leads, which are left out.
  public var areasUnconnected = 0
  /// Sizes, weights and speeds of signs that could not be read and are left out, by their key.
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
  /// Edges for which no country, tag, option or roundabout tells the side of driving: the right is assumed.
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

/// The generation of map making: a greater number when the same data give another map.
public enum MapMakingVersion {
  public static let number = 10
}
