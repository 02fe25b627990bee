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

  /// The word on the wire, as OSM writes it where it has one.
  public var word: String {
    switch self {
    case .livingStreet: "living_street"
    case .shuttleTrain: "shuttle_train"
    default: "\(self)"
    }
  }

  public init?(word: String) {
    guard let known = Self.allCases.first(where: { $0.word == word }) else { return nil }
    self = known
  }
}

public enum Surface: UInt8, Hashable, Sendable {
  case unknown = 0
  case paved = 1
  case cobbles = 2
  case compacted = 3
  case gravel = 4
  case dirt = 5
}

/// Properties of a road that hold or do not.
public struct RoadFlags: OptionSet, Hashable, Sendable, BitwiseCopyable {
  public let rawValue: UInt32
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// The road may be driven in one direction only by motor vehicles; wrong-way travel is possible to speak of.
  public static let oneWay = RoadFlags(rawValue: 1 << 0)
  public static let roundabout = RoadFlags(rawValue: 1 << 1)
  /// A ramp or a slip road (`*_link`).
  public static let link = RoadFlags(rawValue: 1 << 2)
  public static let tunnel = RoadFlags(rawValue: 1 << 3)
  public static let bridge = RoadFlags(rawValue: 1 << 4)
  public static let toll = RoadFlags(rawValue: 1 << 5)
  public static let ferry = RoadFlags(rawValue: 1 << 6)
  public static let unpaved = RoadFlags(rawValue: 1 << 7)
  /// Traffic drives on the left here.
  public static let leftHand = RoadFlags(rawValue: 1 << 8)
  public static let carPool = RoadFlags(rawValue: 1 << 9)
  public static let controlledAccess = RoadFlags(rawValue: 1 << 10)
  /// One carriageway of a divided road.
  public static let divided = RoadFlags(rawValue: 1 << 11)
  /// Part of a small island of road that the rest of the map cannot be reached from.
  public static let island = RoadFlags(rawValue: 1 << 12)
  public static let noThrough = RoadFlags(rawValue: 1 << 13)
  public static let schoolZone = RoadFlags(rawValue: 1 << 14)
  public static let lit = RoadFlags(rawValue: 1 << 15)
  public static let builtUp = RoadFlags(rawValue: 1 << 16)
  public static let parkingAisle = RoadFlags(rawValue: 1 << 17)
  public static let driveway = RoadFlags(rawValue: 1 << 18)
  public static let reversible = RoadFlags(rawValue: 1 << 19)
  public static let trafficCalming = RoadFlags(rawValue: 1 << 20)
  public static let circular = RoadFlags(rawValue: 1 << 21)
}

/// What is known of a road in one direction of travel; shared by all edges that are alike.
///
/// A fixed layout of 60 bytes with no padding, because it is stored in map files as it lies in memory.
@frozen
public struct RoadAttributes: Hashable, Sendable, BitwiseCopyable {
  public var flags = RoadFlags()
  public var name = TextID.empty
  /// Road numbers as signed, `;` between several.
  public var number = TextID.empty
  /// Where the road leads by its signposts (`destination`), `;` between several.
  public var destination = TextID.empty
  public var destinationNumber = TextID.empty
  /// Number of the exit that this ramp is (`junction:ref`).
  public var exitNumber = TextID.empty
  /// `turn:lanes` of this direction, left to right, as OSM writes it.
  public var turnLanes = TextID.empty
  /// Other names as `xx=Name` lines.
  public var namesByLanguage = TextID.empty
  /// Access of each `TravelMode`, by its raw value; the eighth is unused.
  public var accessByMode: (UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8) =
    (0, 0, 0, 0, 0, 0, 0, 0)
  /// Usual free-flow speed of a car, km/h; 0 where no car may drive.
  public var carSpeedKmh: UInt8 = 0
  public var truckSpeedKmh: UInt8 = 0
  public var bicycleSpeedKmh: UInt8 = 0
  public var pedestrianSpeedKmh: UInt8 = 0
  /// Legal limit for cars, km/h; 0 unknown, 255 none.
  public var speedLimitKmh: UInt8 = 0
  public var truckSpeedLimitKmh: UInt8 = 0
  /// Lanes in this direction; 0 unknown.
  public var laneCount: UInt8 = 0
  public var roadClassRaw: UInt8 = 0
  public var surfaceRaw: UInt8 = 0
  /// OSM `layer`: what crosses above has the greater one.
  public var layer: Int8 = 0
  /// ISO 3166-1 letters in two bytes; 0, 0 unknown.
  public var countryCode: (UInt8, UInt8) = (0, 0)
  /// Seconds of a ferry's crossing for this edge; 0 where speed decides.
  public var crossingS: UInt16 = 0
  public var spare: UInt16 = 0
  public var stateName = TextID.empty

  public init() {}

  public func access(_ mode: TravelMode) -> Access {
    let raw =
      switch mode {
      case .car: accessByMode.0
      case .truck: accessByMode.1
      case .bus: accessByMode.2
      case .taxi: accessByMode.3
      case .scooter: accessByMode.4
      case .bicycle: accessByMode.5
      case .pedestrian: accessByMode.6
      }
    return Access(rawValue: raw) ?? .no
  }

  public mutating func setAccess(_ access: Access, for mode: TravelMode) {
    switch mode {
    case .car: accessByMode.0 = access.rawValue
    case .truck: accessByMode.1 = access.rawValue
    case .bus: accessByMode.2 = access.rawValue
    case .taxi: accessByMode.3 = access.rawValue
    case .scooter: accessByMode.4 = access.rawValue
    case .bicycle: accessByMode.5 = access.rawValue
    case .pedestrian: accessByMode.6 = access.rawValue
    }
  }

  public var roadClass: RoadClass {
    get { RoadClass(rawValue: roadClassRaw) ?? .service }
    set { roadClassRaw = newValue.rawValue }
  }

  public var surface: Surface {
    get { Surface(rawValue: surfaceRaw) ?? .unknown }
    set { surfaceRaw = newValue.rawValue }
  }

  /// Two capital letters; nil where the country is not known.
  public var country: String? {
    countryCode.0 == 0
      ? nil : String(decoding: [countryCode.0, countryCode.1], as: UTF8.self)
  }

  /// Usual speed of a mode where nothing slows it, metres a second; 0 where it may not go.
  public func freeFlowMps(_ mode: TravelMode) -> Double {
    guard access(mode).isUsable else { return 0 }
    let kmh =
      switch mode {
      case .car, .taxi: carSpeedKmh
      case .truck, .bus: truckSpeedKmh
      case .scooter: min(carSpeedKmh, 45)
      case .bicycle: bicycleSpeedKmh
      case .pedestrian: pedestrianSpeedKmh
      }
    return Double(kmh) / 3.6
  }

  /// Legal limit in metres a second: nil unknown, infinity for none.
  public var speedLimitMps: Double? {
    switch speedLimitKmh {
    case 0: nil
    case 255: .infinity
    default: Double(speedLimitKmh) / 3.6
    }
  }

  public static func == (a: Self, b: Self) -> Bool {
    withUnsafeBytes(of: a) { x in withUnsafeBytes(of: b) { y in x.elementsEqual(y) } }
  }

  public func hash(into hasher: inout Hasher) {
    withUnsafeBytes(of: self) { hasher.combine(bytes: $0) }
  }
}

/// What stands at a node.
public struct NodeFlags: OptionSet, Hashable, Sendable, BitwiseCopyable {
  public let rawValue: UInt32
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  public static let trafficSignals = NodeFlags(rawValue: 1 << 0)
  public static let stopSign = NodeFlags(rawValue: 1 << 1)
  public static let giveWay = NodeFlags(rawValue: 1 << 2)
  public static let crossing = NodeFlags(rawValue: 1 << 3)
  public static let levelCrossing = NodeFlags(rawValue: 1 << 4)
  public static let tollBooth = NodeFlags(rawValue: 1 << 5)
  public static let motorwayJunction = NodeFlags(rawValue: 1 << 6)
  public static let miniRoundabout = NodeFlags(rawValue: 1 << 7)
  public static let barrier = NodeFlags(rawValue: 1 << 8)
  public static let border = NodeFlags(rawValue: 1 << 9)
  public static let speedCamera = NodeFlags(rawValue: 1 << 10)
  public static let trafficCalming = NodeFlags(rawValue: 1 << 11)
  public static let turningCircle = NodeFlags(rawValue: 1 << 12)
}
