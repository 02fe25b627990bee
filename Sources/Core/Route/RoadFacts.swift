public import RoadGraph
public import RoadNumbering

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
  /// ISO 3166-2 code of the state; nil unknown.
  public var stateCode: String?
  public var isCarPool: Bool
  /// Where its signs say that it leads; the most important first.
  public var toward: [String]
  /// The name on the spot, where `name` is that of the language asked for.
  public var localName: String?
  /// How far the first number reaches, 1 the whole country to 6; nil without a number.
  public var numberLevel: Int?
  /// Direction of the first number's route by its signs: `north`; nil where it is not known.
  public var numberDirection: String?
  public var surface: Surface
  /// A crossing of a carriageway for those who walk or cycle.
  public var isCrossing: Bool
  /// Bicycles are pushed.
  public var isDismount: Bool
  /// Within a building.
  public var isIndoor: Bool
  /// The numbers where they do not follow from the other facts; nil elsewhere.
  private var completeNumbers: [RoadNumber]?

  /// Describes a road; `numbers` is nil where nothing more is known of them than the other facts tell.
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
    // Equal facts stay equal whether the numbers were given or follow.
    if let numbers, numbers != derivedNumbers { completeNumbers = numbers }
  }

  /// Each number of the road: those in the language asked for first, then those as signed.
  ///
  /// Computed at each access unless the map knows more than the numbers' texts.
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
