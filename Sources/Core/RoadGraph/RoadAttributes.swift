/// What is known of a road in one direction of travel; shared by all edges that are alike.
///
/// A fixed layout of 88 bytes with no padding, because it is stored in map files as it lies in memory.
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
  /// Other names as `xx=Name` lines, other numbers as `ref:xx=Number` lines.
  public var namesByLanguage = TextID.empty
  /// Access of each `TravelMode` by its raw value, and in the upper four bits the difficulty of the road for it.
  public var accessByMode: (UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8) =
    (0, 0, 0, 0, 0, 0, 0)
  /// The code of `boardingS`; 0 for no wait.
  public var boardingCode: UInt8 = 0
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
  /// Greatest load of one axle, 10 kg; 0 unlimited.
  public var maxAxleLoad10Kg: UInt16 = 0
  /// Its name, and in a second line its ISO 3166-2 code where the map knows it: see `RoadGraph.state`.
  public var stateName = TextID.empty
  /// What holds at times only: lines that `RoadRule` reads.
  public var rules = TextID.empty
  /// What else is known of the lanes, as `key=value` lines with the values of OSM: `change:lanes`,
  /// `access:lanes`, `hov:lanes`, `bus:lanes`, `destination:lanes` and the like, left to right.
  public var laneDetails = TextID.empty
  /// Pictures on the signposts (`destination:symbol`), `;` between several.
  public var destinationSymbol = TextID.empty
  /// What route relations report of each number, in the order of `number`: its direction by the signs
  /// (`north`), after its network and `|` where the number alone does not tell that; `;` between.
  public var numberRoutes = TextID.empty
  /// Greatest size of a vehicle, centimetres; 0 unlimited.
  public var maxHeightCm: UInt16 = 0
  public var maxWidthCm: UInt16 = 0
  public var maxLengthCm: UInt16 = 0
  /// Greatest weight of a vehicle, 10 kg; 0 unlimited.
  public var maxWeight10Kg: UInt16 = 0
  /// Advised speed, km/h; 0 none.
  public var advisoryLimitKmh: UInt8 = 0
  /// Legal limit of buses where it is their own, km/h; 0 unknown, 255 none.
  public var busSpeedLimitKmh: UInt8 = 0
  /// Modes that pay toll.
  public var tollModes: TravelModes = []
  /// How far the road's first number reaches by its network, 1 (the whole country) to 6; 0 where only
  /// the class tells.
  public var networkLevel: UInt8 = 0

  public init() {}

  /// The fields that are texts.
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

  /// Keeps the difficulty of the road for the mode.
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

  /// Whether every mode has the same access as on another road.
  func hasAccess(of other: RoadAttributes) -> Bool {
    TravelMode.allCases.allSatisfy { access($0) == other.access($0) }
  }

  /// The mean wait for a ferry or car train to leave, in seconds; 0 where no interval is known.
  ///
  /// Stored in steps of 30 s up to half an hour, and to about 1.6 % above; 33.6 h at most.
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
      case .truck: truckSpeedKmh
      case .bus: busSpeedKmh
      case .scooter: min(carSpeedKmh, 45)
      case .bicycle: bicycleSpeedKmh
      case .pedestrian: pedestrianSpeedKmh
      }
    return Double(kmh) / 3.6
  }

  /// Buses drive as cars do up to the speed of a coach, and keep their own limit; km/h.
  private var busSpeedKmh: UInt8 {
    let usual = min(carSpeedKmh, roadClass == .motorway ? 90 : 75)
    return busSpeedLimitKmh == 0 ? usual : min(usual, busSpeedLimitKmh)
  }

  /// How far the road's number reaches, 1 (the whole country) to 6 (a quarter): by its network, else by its class.
  public var numberLevel: Int {
    networkLevel > 0 ? Int(networkLevel) : roadClass.numberLevel
  }

  /// Whether a vehicle of such size and weight may drive here, by the signs that hold always.
  public func lets(_ vehicle: VehicleSize) -> Bool {
    func fits(_ value: Double, _ most: UInt16) -> Bool {
      most == 0 || (value * 100).rounded() <= Double(most)
    }
    return fits(vehicle.heightM, maxHeightCm) && fits(vehicle.widthM, maxWidthCm)
      && fits(vehicle.lengthM, maxLengthCm) && fits(vehicle.weightT, maxWeight10Kg)
      && fits(vehicle.axleLoadT, maxAxleLoad10Kg)
      && !(vehicle.carriesHazardousGoods && flags.contains(.noHazardousGoods))
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
