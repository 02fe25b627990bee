/// The attributes of a road in one direction of travel; shared by all edges with equal attributes.
///
/// A fixed layout of 88 bytes without padding, because it is stored in map files as it is in
/// memory.
@frozen
public struct RoadAttributes: Hashable, Sendable, BitwiseCopyable {
  public var flags = RoadFlags()
  public var name = TextID.empty
  /// Road numbers as signed, separated by `;`.
  public var number = TextID.empty
  /// Destinations of the road on its signposts (`destination`), separated by `;`.
  public var destination = TextID.empty
  public var destinationNumber = TextID.empty
  /// Exit number of this ramp (`junction:ref`).
  public var exitNumber = TextID.empty
  /// `turn:lanes` of this direction, left to right, in OSM notation.
  public var turnLanes = TextID.empty
  /// Other names as `xx=Name` lines, other numbers as `ref:xx=Number` lines.
  public var namesByLanguage = TextID.empty
  /// Access of each `TravelMode` by its raw value, with the difficulty of the road in the upper
  /// four bits.
  public var accessByMode: (UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8) =
    (0, 0, 0, 0, 0, 0, 0)
  /// The code of `boardingS`; 0 for no wait.
  public var boardingCode: UInt8 = 0
  /// Usual free-flow speed of a car, km/h; 0 if no car may use the road.
  public var carSpeedKmh: UInt8 = 0
  public var truckSpeedKmh: UInt8 = 0
  public var bicycleSpeedKmh: UInt8 = 0
  public var pedestrianSpeedKmh: UInt8 = 0
  /// Legal limit for cars, km/h; 0 if unknown, 255 for none.
  public var speedLimitKmh: UInt8 = 0
  public var truckSpeedLimitKmh: UInt8 = 0
  /// Lanes in this direction; 0 if unknown.
  public var laneCount: UInt8 = 0
  public var roadClassRaw: UInt8 = 0
  public var surfaceRaw: UInt8 = 0
  /// OSM `layer`: the upper one of crossing roads has the higher value.
  public var layer: Int8 = 0
  /// ISO 3166-1 letters in two bytes; 0, 0 if unknown.
  public var countryCode: (UInt8, UInt8) = (0, 0)
  /// Seconds of a ferry's crossing for this edge; 0 if it follows from the speed.
  public var crossingS: UInt16 = 0
  /// Maximum load of one axle, 10 kg; 0 for no limit.
  public var maxAxleLoad10Kg: UInt16 = 0
  /// Its name, and in a second line its ISO 3166-2 code if the map contains it: see
  /// `RoadGraph.state`.
  public var stateName = TextID.empty
  /// Time-dependent rules: lines in the format of `RoadRule`.
  public var rules = TextID.empty
  /// Further attributes of the lanes, as `key=value` lines with OSM values, left to right.
  ///
  /// Keys are `change:lanes`, `access:lanes`, `hov:lanes`, `bus:lanes`, `destination:lanes` and
  /// similar.
  public var laneDetails = TextID.empty
  /// Symbols on the signposts (`destination:symbol`), separated by `;`.
  public var destinationSymbol = TextID.empty
  /// Data of route relations for each number, in the order of `number`, separated by `;`.
  ///
  /// Each entry is the signed direction (`north`), preceded by the network and `|` if the number
  /// alone does not determine that.
  public var numberRoutes = TextID.empty
  /// Maximum size of a vehicle, centimetres; 0 for no limit.
  public var maxHeightCm: UInt16 = 0
  public var maxWidthCm: UInt16 = 0
  public var maxLengthCm: UInt16 = 0
  /// Maximum weight of a vehicle, 10 kg; 0 for no limit.
  public var maxWeight10Kg: UInt16 = 0
  /// Advised speed, km/h; 0 for none.
  public var advisoryLimitKmh: UInt8 = 0
  /// Legal limit that only applies to buses, km/h; 0 if unknown, 255 for none.
  public var busSpeedLimitKmh: UInt8 = 0
  /// Modes that pay toll.
  public var tollModes: TravelModes = []
  /// The extent of the network of the road's first number, 1 (the whole country) to 6.
  ///
  /// It is 0 if only the class determines it.
  public var networkLevel: UInt8 = 0

  public init() {}

  /// The fields that contain texts.
  public static var textPaths: [WritableKeyPath<RoadAttributes, TextID>] {
    [
      \.name, \.number, \.destination, \.destinationNumber, \.exitNumber, \.turnLanes,
      \.namesByLanguage, \.stateName, \.rules, \.laneDetails, \.destinationSymbol,
      \.numberRoutes,
    ]
  }

  public func access(_ mode: TravelMode) -> Access {
    Access(rawValue: accessByte(mode) & 0x0f) ?? .no
  }

  /// Sets the access of a mode, and keeps the difficulty of the road for it.
  public mutating func setAccess(_ access: Access, for mode: TravelMode) {
    setAccessByte(accessByte(mode) & 0xf0 | access.rawValue, for: mode)
  }

  func accessByte(_ mode: TravelMode) -> UInt8 {
    switch mode {
    case .car: accessByMode.0
    case .truck: accessByMode.1
    case .bus: accessByMode.2
    case .taxi: accessByMode.3
    case .scooter: accessByMode.4
    case .bicycle: accessByMode.5
    case .pedestrian: accessByMode.6
    }
  }

  mutating func setAccessByte(_ byte: UInt8, for mode: TravelMode) {
    switch mode {
    case .car: accessByMode.0 = byte
    case .truck: accessByMode.1 = byte
    case .bus: accessByMode.2 = byte
    case .taxi: accessByMode.3 = byte
    case .scooter: accessByMode.4 = byte
    case .bicycle: accessByMode.5 = byte
    case .pedestrian: accessByMode.6 = byte
    }
  }

  /// Whether no mode may use the road at any time: travellers only see it.
  public var isClosedToAll: Bool {
    rules.isEmpty && TravelMode.allCases.allSatisfy { access($0) == .no }
  }

  /// Whether every mode has the same access as on another road.
  func hasAccess(of other: RoadAttributes) -> Bool {
    TravelMode.allCases.allSatisfy { access($0) == other.access($0) }
  }

  /// The mean wait for a ferry or car train to leave, in seconds; 0 if no interval is known.
  ///
  /// Stored in steps of 30 s up to half an hour, with about 1.6 % precision above; 33.6 h at most.
  public var boardingS: Double {
    get {
      let (exponent, mantissa) = (boardingCode >> 5, UInt32(boardingCode & 31))
      let units = exponent == 0 ? mantissa : (32 + mantissa) << UInt32(exponent - 1)
      return Double(units) * Self.boardingUnitS
    }
    set {
      let most = Double(63 << 6)
      guard newValue > 0 else {
        boardingCode = 0
        return
      }
      let wanted = Double.maximum(1, Double.minimum(most, newValue / Self.boardingUnitS))
      var (units, exponent) = (wanted, UInt8(1))
      while units.rounded() >= 64 {
        units /= 2
        exponent += 1
      }
      let whole = UInt8(units.rounded())
      boardingCode = whole < 32 ? whole : exponent << 5 | (whole - 32)
    }
  }

  private static let boardingUnitS = 30.0

  public var roadClass: RoadClass {
    get { RoadClass(rawValue: roadClassRaw) ?? .service }
    set { roadClassRaw = newValue.rawValue }
  }

  public var surface: Surface {
    get { Surface(rawValue: surfaceRaw) ?? .unknown }
    set { surfaceRaw = newValue.rawValue }
  }

  /// Two capital letters; nil if the country is not known.
  public var country: String? {
    countryCode.0 == 0
      ? nil : String(decoding: [countryCode.0, countryCode.1], as: UTF8.self)
  }

  /// Usual speed of a mode without obstruction, metres per second; 0 if it may not use the road.
  public func freeFlowMps(_ mode: TravelMode) -> Double {
    guard access(mode).isUsable else { return 0 }
    let kmh =
      switch mode {
      case .car, .taxi: carSpeedKmh
      case .truck: truckSpeedKmh
      case .bus: busSpeedKmh
      case .scooter: min(carSpeedKmh, 45)
      case .bicycle: bicycleSpeedKmh
      case .pedestrian: pedestrianSpeedKmh
      }
    return Double(kmh) / 3.6
  }

  /// Buses drive like cars up to the speed of a coach, and respect their own limit; km/h.
  private var busSpeedKmh: UInt8 {
    let usual = min(carSpeedKmh, roadClass == .motorway ? 90 : 75)
    return busSpeedLimitKmh == 0 ? usual : min(usual, busSpeedLimitKmh)
  }

  /// The extent of the road's number, 1 (the whole country) to 6 (a quarter): by its network,
  /// otherwise by its class.
  public var numberLevel: Int {
    networkLevel > 0 ? Int(networkLevel) : roadClass.numberLevel
  }

  /// Whether a vehicle of this size and weight may drive here, by the signs that always apply.
  public func lets(_ vehicle: VehicleSize) -> Bool {
    func fits(_ value: Double, _ most: UInt16) -> Bool {
      most == 0 || (value * 100).rounded() <= Double(most)
    }
    return fits(vehicle.heightM, maxHeightCm) && fits(vehicle.widthM, maxWidthCm)
      && fits(vehicle.lengthM, maxLengthCm) && fits(vehicle.weightT, maxWeight10Kg)
      && fits(vehicle.axleLoadT, maxAxleLoad10Kg)
      && !(vehicle.carriesHazardousGoods && flags.contains(.noHazardousGoods))
  }

  /// Legal limit in metres per second: nil if unknown, infinity for none.
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
