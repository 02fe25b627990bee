public import Messages
public import RoadGraph
public import RoadNumbering
public import Route

extension RoadFacts {
  /// Decodes the attributes of a road in a message: a limit of 0 means none.
  public init(wire: WireRoad) {
    self.init(
      name: wire.name, number: wire.number, roadClass: RoadClass(wire: wire.roadClass),
      speedLimitMps: wire.speedLimitMps.map { $0 == 0 ? .infinity : $0 }, isTunnel: wire.tunnel,
      isBridge: wire.bridge, isToll: wire.toll, isFerry: wire.ferry, isUnpaved: wire.unpaved,
      isRoundabout: wire.roundabout, isLink: wire.link, isLeftHand: wire.leftHand,
      country: wire.country, state: wire.state, stateCode: wire.stateCode, isCarPool: wire.carPool,
      toward: wire.toward,
      localName: wire.localName, numberLevel: wire.numberLevel.map { Int($0) },
      numberDirection: wire.numberDirection, surface: Surface(word: wire.surface),
      isCrossing: wire.crossing ?? false, isDismount: wire.dismount ?? false,
      isIndoor: wire.indoor ?? false,
      numbers: wire.numbers.isEmpty ? nil : wire.numbers.map { RoadNumber(wire: $0) })
  }

  public var wire: WireRoad {
    WireRoad(
      name: name, number: number, roadClass: roadClass.wire,
      speedLimitMps: speedLimitMps.map { $0.isFinite ? $0 : 0 }, tunnel: isTunnel,
      bridge: isBridge, toll: isToll, ferry: isFerry, unpaved: isUnpaved,
      roundabout: isRoundabout, link: isLink, leftHand: isLeftHand, country: country, state: state,
      stateCode: stateCode, carPool: isCarPool, toward: toward, localName: localName,
      numberLevel: numberLevel.map { Int64($0) }, numberDirection: numberDirection,
      numbers: numbers.map(\.wire), crossing: isCrossing ? true : nil,
      dismount: isDismount ? true : nil, indoor: isIndoor ? true : nil, surface: surface.word)
  }
}

extension RoadNumber {
  public init(wire: WireRoadNumber) {
    self.init(
      text: wire.text, language: wire.language, level: wire.level.map { Int($0) } ?? 6,
      direction: wire.direction, network: wire.network, shieldText: wire.shieldText ?? wire.text)
  }

  public var wire: WireRoadNumber {
    WireRoadNumber(
      text: text, level: Int64(level), direction: direction, language: language,
      network: network, shieldText: shieldText)
  }
}

extension RoadClass {
  /// Decodes the road class of the contract; an unknown class counts as a service road.
  public init(wire: WireRoadClass) {
    self = RoadClass.allCases.first { $0.wire == wire } ?? .service
  }

  public var wire: WireRoadClass {
    switch self {
    case .motorway: .motorway
    case .trunk: .trunk
    case .primary: .primary
    case .secondary: .secondary
    case .tertiary: .tertiary
    case .unclassified: .unclassified
    case .residential: .residential
    case .livingStreet: .livingStreet
    case .service: .service
    case .track: .track
    case .pedestrian: .pedestrian
    case .cycleway: .cycleway
    case .path: .path
    case .steps: .steps
    case .ferry: .ferry
    case .shuttleTrain: .shuttleTrain
    }
  }
}

extension SpeedKind {
  public init(wire: WireSpeedKind) { self = SpeedKind(rawValue: wire.rawValue) ?? .freeFlow }
  public var wire: WireSpeedKind { WireSpeedKind(rawValue: rawValue) ?? .freeFlow }
}
