/// A preference that the route violates, and where.
public struct Violation: Codable, Hashable, Sendable {
  public enum Kind: String, Codable, Hashable, Sendable, CaseIterable {
    case tolls
    case motorways
    case ferries
    case tunnels
    case unpaved
    case turnRestriction = "turn_restriction"
    case blockedRoad = "blocked_road"
    case area
    case privateRoad = "private_road"
    case difficultTurns = "difficult_turns"
    case uTurns = "u_turns"
    case carPool = "car_pool"
    case country
    case segment
    case lowEmissionZones = "low_emission_zones"
    /// A sign bars a vehicle of this size, weight or load, or the road is more demanding than the request accepts.
    case vehicle
  }
  public var kind: Kind
  /// Indices of the spans where it happens.
  public var spans: [Int]

  public init(kind: Kind, spans: [Int]) {
    self.kind = kind
    self.spans = spans
  }
}
