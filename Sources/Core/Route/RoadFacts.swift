public import RoadGraph

/// What a traveller wants to know of a road.
public struct RoadFacts: Codable, Hashable, Sendable {
  /// Empty where the road has none.
  public var name: String
  /// Road numbers as signed, `;` between several; empty for none.
  public var number: String
  public var roadClass: RoadClass
  /// Metres a second; nil unknown, infinity for none.
  public var speedLimitMps: Double?
  public var isTunnel: Bool
  public var isBridge: Bool
  public var isToll: Bool
  public var isFerry: Bool
  public var isUnpaved: Bool
  public var isRoundabout: Bool
  public var isLink: Bool
  public var isLeftHand: Bool
  /// ISO 3166-1 letters; nil unknown.
  public var country: String?
  public var state: String?
  public var isCarPool: Bool
  /// Where its signs say that it leads; the most important first.
  public var toward: [String]

  public init(
    name: String = "", number: String = "", roadClass: RoadClass = .unclassified,
    speedLimitMps: Double? = nil, isTunnel: Bool = false, isBridge: Bool = false,
    isToll: Bool = false, isFerry: Bool = false, isUnpaved: Bool = false,
    isRoundabout: Bool = false, isLink: Bool = false, isLeftHand: Bool = false,
    country: String? = nil, state: String? = nil, isCarPool: Bool = false, toward: [String] = []
  ) {
    self.name = name
    self.number = number
    self.roadClass = roadClass
    self.speedLimitMps = speedLimitMps
    self.isTunnel = isTunnel
    self.isBridge = isBridge
    self.isToll = isToll
    self.isFerry = isFerry
    self.isUnpaved = isUnpaved
    self.isRoundabout = isRoundabout
    self.isLink = isLink
    self.isLeftHand = isLeftHand
    self.country = country
    self.state = state
    self.isCarPool = isCarPool
    self.toward = toward
  }
}
