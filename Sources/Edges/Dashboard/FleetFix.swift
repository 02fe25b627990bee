import MessagePack

/// The fields of a `location/matched` that a map of the fleet shows.
///
/// Decoding skips all other fields, so that it costs about a microsecond.
struct FleetFix: Hashable, Sendable {
  /// The state of a vehicle, as a byte on the wire.
  enum State: UInt8, CaseIterable, Sendable {
    /// The place is free, or the vehicle has been silent for a long time.
    case gone = 0
    case driving = 1
    /// It follows a route.
    case guided = 2
    case standing = 3
    case offRoute = 4
    /// Its fix has no match on a road.
    case unmatched = 5
    /// Its location is extrapolated, because there is no usable fix.
    case estimated = 6
    /// It drives against a one-way road.
    case wrongWay = 7
    /// It has sent nothing for some seconds.
    case silent = 8
  }

  var latDeg: Double
  var lonDeg: Double
  var bearingDeg: Double
  var speedMPS: Double
  var state: State

  /// Speed below which a vehicle stands, in metres per second.
  static let standingMPS = 0.5
  /// Probability from which a vehicle counts as off its route.
  static let offRouteProbability = 0.9

  private static let keys: [StaticString] = [
    "state", "lat_deg", "lon_deg", "bearing_deg", "off_route_probability", "wrong_way",
    "estimated", "speed_mps", "raw",
  ]
  private static let rawKeys: [StaticString] = ["lat_deg", "lon_deg", "bearing_deg"]

  /// Decodes the payload of `location/matched`; nil if it contains no place.
  ///
  /// - Throws: `DecodeError` for a payload that violates the contract.
  init?(decoding payload: [UInt8]) throws(DecodeError) {
    var reader = Unpacker(payload)
    var place: [Double?] = [nil, nil, nil]
    var isMatched = false
    var (isWrongWay, isEstimated) = (false, false)
    var offRoute: Double?
    var speed = 0.0
    try reader.fields(Self.keys, required: 1) { (index, reader) throws(DecodeError) in
      switch index {
      case 0: isMatched = try reader.string() == "matched"
      case 1: place[0] = try reader.double(-90, 90)
      case 2: place[1] = try reader.double(-180, 180)
      case 3: place[2] = try reader.double(0, 360)
      case 4: offRoute = try reader.double(0, 1)
      case 5: isWrongWay = try reader.bool()
      case 6: isEstimated = try reader.bool()
      case 7: speed = try reader.double(atLeast: 0)
      default:
        guard place[0] == nil || place[1] == nil else { return try reader.skip() }
        try reader.fields(Self.rawKeys, required: 0) { (index, reader) throws(DecodeError) in
          let limit = [90.0, 180, 360][index]
          place[index] = try reader.double(index == 2 ? 0 : -limit, limit)
        }
      }
    }
    guard let latDeg = place[0], let lonDeg = place[1] else { return nil }
    self.latDeg = latDeg
    self.lonDeg = lonDeg
    bearingDeg = place[2] ?? 0
    speedMPS = speed
    let isStanding = speed < Self.standingMPS
    state =
      switch (isMatched, isWrongWay, isEstimated) {
      case (false, _, _): .unmatched
      case (_, true, _): .wrongWay
      case _ where offRoute.map { $0 >= Self.offRouteProbability } ?? false: .offRoute
      case (_, _, true): .estimated
      case _ where isStanding: .standing
      default: offRoute == nil ? .driving : .guided
      }
  }

  init(
    latDeg: Double, lonDeg: Double, bearingDeg: Double = 0, speedMPS: Double = 0,
    state: State = .driving
  ) {
    self.latDeg = latDeg
    self.lonDeg = lonDeg
    self.bearingDeg = bearingDeg
    self.speedMPS = speedMPS
    self.state = state
  }
}
