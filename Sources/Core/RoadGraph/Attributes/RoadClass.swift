/// The class of a road, the most important first.
public enum RoadClass: UInt8, Codable, Hashable, Comparable, Sendable, CaseIterable {
  case motorway = 0
  case trunk = 1
  case primary = 2
  case secondary = 3
  case tertiary = 4
  case unclassified = 5
  case residential = 6
  case livingStreet = 7
  case service = 8
  case track = 9
  case pedestrian = 10
  case cycleway = 11
  case path = 12
  case steps = 13
  case ferry = 14
  case shuttleTrain = 15

  public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }

  /// The name in messages, in OSM notation if it has one.
  public var word: String {
    switch self {
    case .livingStreet: "living_street"
    case .shuttleTrain: "shuttle_train"
    default: "\(self)"
    }
  }

  /// The level suggested by the class for a road's number if its network is not known: 1 to 6.
  public var numberLevel: Int {
    switch self {
    case .motorway: 1
    case .trunk: 2
    case .primary: 3
    case .secondary: 4
    case .tertiary: 5
    default: 6
    }
  }

  public init?(word: String) {
    guard let known = Self.allCases.first(where: { $0.word == word }) else { return nil }
    self = known
  }
}

/// The surface of a road.
public enum Surface: UInt8, Codable, Hashable, Sendable, CaseIterable {
  case unknown = 0
  case paved = 1
  case cobbles = 2
  case compacted = 3
  case gravel = 4
  case dirt = 5

  /// The name in messages; nil if the surface is not known.
  public var word: String? { self == .unknown ? nil : "\(self)" }

  /// The surface with a name; unknown for others.
  public init(word: String?) {
    self = word.flatMap { word in Self.allCases.first { $0.word == word } } ?? .unknown
  }
}
