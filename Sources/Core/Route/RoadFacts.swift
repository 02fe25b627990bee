public import RoadGraph
public import RoadNumbering

/// The attributes of a road that matter to a traveller.
public struct RoadFacts: Codable, Hashable, Sendable {
  /// Empty if the road has none.
  public var name: String
  /// Road numbers as signed, separated by `;`; empty for none.
  public var number: String
  public var roadClass: RoadClass
  /// Metres per second; nil if unknown, infinity for none.
  public var speedLimitMps: Double?
  public var isTunnel: Bool
  public var isBridge: Bool
  public var isToll: Bool
  public var isFerry: Bool
  public var isUnpaved: Bool
  public var isRoundabout: Bool
  public var isLink: Bool
  public var isLeftHand: Bool
  /// ISO 3166-1 letters; nil if unknown.
  public var country: String?
  public var state: String?
  /// ISO 3166-2 code of the state; nil if unknown.
  public var stateCode: String?
  public var isCarPool: Bool
  /// The destinations on its signs, the most important first.
  public var toward: [String]
  /// The local name, if `name` is in the requested language.
  public var localName: String?
  /// The extent of the first number, 1 for the whole country to 6; nil without a number.
  public var numberLevel: Int?
  /// Direction of the first number's route by its signs: `north`; nil if it is not known.
  public var numberDirection: String?
  public var surface: Surface
  /// Whether it is a crossing of a carriageway for walkers or cyclists.
  public var isCrossing: Bool
  /// Whether bicycles must be pushed.
  public var isDismount: Bool
  /// Whether it is within a building.
  public var isIndoor: Bool
  /// The numbers if they do not follow from the other facts; nil otherwise.
  private var completeNumbers: [RoadNumber]?

  /// Describes a road; `numbers` is nil if nothing beyond the other facts is known about them.
  public init(
    name: String = "", number: String = "", roadClass: RoadClass = .unclassified,
    speedLimitMps: Double? = nil, isTunnel: Bool = false, isBridge: Bool = false,
    isToll: Bool = false, isFerry: Bool = false, isUnpaved: Bool = false,
    isRoundabout: Bool = false, isLink: Bool = false, isLeftHand: Bool = false,
    country: String? = nil, state: String? = nil, stateCode: String? = nil,
    isCarPool: Bool = false, toward: [String] = [], localName: String? = nil,
    numberLevel: Int? = nil, numberDirection: String? = nil,
    surface: Surface = .unknown, isCrossing: Bool = false, isDismount: Bool = false,
    isIndoor: Bool = false, numbers: [RoadNumber]? = nil
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
    self.stateCode = stateCode
    self.isCarPool = isCarPool
    self.toward = toward
    self.localName = localName
    self.numberLevel = numberLevel
    self.numberDirection = numberDirection
    self.surface = surface
    self.isCrossing = isCrossing
    self.isDismount = isDismount
    self.isIndoor = isIndoor
    // Equal facts stay equal whether the numbers were given or derived.
    if let numbers, numbers != derivedNumbers { completeNumbers = numbers }
  }

  /// Each number of the road: those in the requested language first, then those as signed.
  ///
  /// Computed at each access unless the map contains more than the texts of the numbers.
  public var numbers: [RoadNumber] { completeNumbers ?? derivedNumbers }

  private var derivedNumbers: [RoadNumber] {
    var list = RoadNumber.list(
      RoadNumber.split(number), country: country, state: stateCode,
      classLevel: roadClass.numberLevel)
    if !list.isEmpty {
      if let numberLevel { list[0].level = numberLevel }
      if let numberDirection { list[0].direction = numberDirection }
    }
    return list
  }

  /// The same road without its numbers.
  public func withoutNumbers() -> RoadFacts {
    var road = self
    (road.number, road.numberLevel, road.numberDirection) = ("", nil, nil)
    road.completeNumbers = nil
    return road
  }
}
