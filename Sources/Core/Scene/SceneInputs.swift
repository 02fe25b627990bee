public import Foundations
public import Geodesy

/// The position of the vehicle from the matcher.
public struct SceneLocation: Codable, Hashable, Sendable {
  public var place: Coordinate
  public var bearingDeg: Double?
  public var speedMps: Double?
  public var at: Instant
  /// Whether no fix was usable, so that the position was extrapolated.
  public var isEstimated: Bool
  /// Whether it is in a tunnel, where no fix is expected.
  ///
  /// Optional, so that the state of an older program can be decoded; nil means false.
  public var isInTunnel: Bool?
  /// Radius in metres in which the vehicle is with a probability of about 68 %; nil if unknown.
  public var accuracyM: Double?

  public init(
    place: Coordinate, bearingDeg: Double?, speedMps: Double?, at: Instant, isEstimated: Bool,
    isInTunnel: Bool = false, accuracyM: Double? = nil
  ) {
    self.place = place
    self.bearingDeg = bearingDeg
    self.speedMps = speedMps
    self.at = at
    self.isEstimated = isEstimated
    self.isInTunnel = isInTunnel
    self.accuracyM = accuracyM
  }

  /// Whether the vehicle is known to be there: by a fix, or in a tunnel.
  var isKnown: Bool { !isEstimated || isInTunnel == true }
}

/// The position of the vehicle on the route from the navigator.
public struct SceneProgress: Codable, Hashable, Sendable {
  public var routeID: String
  /// Index of the shape point last passed, and the fraction between it and the next, 0 to 1.
  public var shapeIndex: Int
  public var shapeFraction: Double
  public var speedMps: Double?
  /// Whether position and speed were extrapolated from the last fix.
  public var isEstimated: Bool
  public var at: Instant
  /// False while the location is not matched and the last position is kept.
  public var isOnRoute: Bool
  public var remainingM: Double
  public var remainingS: Double
  public var arrivesAt: Instant
  public var arrivalClock: ArrivalClock?
  public var maneuverIndex: Int?
  public var maneuverRemainingM: Double?
  /// Metres per second; infinity for none, nil if not known.
  public var speedLimitMps: Double?

  public init(
    routeID: String, shapeIndex: Int, shapeFraction: Double, speedMps: Double?,
    isEstimated: Bool = false, at: Instant, isOnRoute: Bool, remainingM: Double, remainingS: Double,
    arrivesAt: Instant, arrivalClock: ArrivalClock? = nil,
    maneuverIndex: Int?, maneuverRemainingM: Double?, speedLimitMps: Double?
  ) {
    self.routeID = routeID
    self.shapeIndex = shapeIndex
    self.shapeFraction = shapeFraction
    self.speedMps = speedMps
    self.isEstimated = isEstimated
    self.at = at
    self.isOnRoute = isOnRoute
    self.remainingM = remainingM
    self.remainingS = remainingS
    self.arrivesAt = arrivesAt
    self.arrivalClock = arrivalClock
    self.maneuverIndex = maneuverIndex
    self.maneuverRemainingM = maneuverRemainingM
    self.speedLimitMps = speedLimitMps
  }
}

/// The local time of a destination at the arrival.
public struct ArrivalClock: Codable, Hashable, Sendable {
  /// IANA name of its time zone.
  public var zone: String
  /// Seconds that it is ahead of UTC.
  public var utcOffsetS: Int
  /// Whether the local time of the vehicle's position differs then.
  public var differs: Bool

  public init(zone: String, utcOffsetS: Int, differs: Bool) {
    self.zone = zone
    self.utcOffsetS = utcOffsetS
    self.differs = differs
  }
}

/// The part of a route that a scene needs.
public struct SceneRoute: Codable, Hashable, Sendable {
  public var id: String
  public var style: IndicatorStyle
  public var line: Polyline

  public init(id: String, style: IndicatorStyle, line: Polyline) {
    self.id = id
    self.style = style
    self.line = line
  }

  /// Metres from the start to a position on the shape; limited to the line.
  public func offsetM(shapeIndex: Int, fraction: Double) -> Double {
    guard let last = line.offsetsM.indices.last else { return 0 }
    let index = min(max(shapeIndex, 0), last)
    let next = min(index + 1, last)
    let share = Double.minimum(1, Double.maximum(0, fraction))
    return line.offsetsM[index] + (line.offsetsM[next] - line.offsetsM[index]) * share
  }
}

/// The look of the indicator.
public enum IndicatorStyle: String, Codable, Hashable, Sendable, CaseIterable {
  /// No route is followed.
  case tracking
  case car
  case truck
  case bus
  case scooter
  case pedestrian
  case bicycle
  /// The location is too old to trust.
  case grey
}
