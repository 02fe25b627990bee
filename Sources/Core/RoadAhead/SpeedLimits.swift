public import Foundations
public import OpeningHours
public import RoadGraph

/// The limits of a road at a moment, in metres per second: nil if unknown, infinity for none.
public struct SpeedLimits: Codable, Hashable, Sendable {
  /// Why a limit does not apply at all times, or not to all vehicles.
  public enum Reason: String, Codable, Hashable, Sendable {
    case time
    case weather
    case school
    case vehicle
    case other
  }

  /// By sign, or by law.
  public var regularMps: Double?
  public var advisoryMps: Double?
  /// Set by a condition that holds now; it replaces the regular limit.
  public var conditionalMps: Double?
  public var reason: Reason?
  /// The limit of the vehicle: for its kind, by law or sign, or its own maximum.
  public var vehicleMps: Double?

  public init(
    regularMps: Double? = nil, advisoryMps: Double? = nil, conditionalMps: Double? = nil,
    reason: Reason? = nil, vehicleMps: Double? = nil
  ) {
    self.regularMps = regularMps
    self.advisoryMps = advisoryMps
    self.conditionalMps = conditionalMps
    self.reason = reason
    self.vehicleMps = vehicleMps
  }

  /// The lowest known limit that applies now; nil if none is known.
  public var effectiveMps: Double? {
    // A night limit replaces the daytime limit, whether it is lower or higher.
    [conditionalMps ?? regularMps, advisoryMps, vehicleMps].compactMap { $0 }.min()
  }

  /// The limits on an edge.
  ///
  /// A condition that depends on something unknown, such as the weather, counts as not fulfilled.
  public init(
    _ map: RoadMap, _ edge: EdgeID, mode: TravelMode, at now: Instant,
    vehicleMps own: Double? = nil, _ circumstances: Circumstances = Circumstances()
  ) {
    let road = map.graph.attributes(edge)
    self.init(
      regularMps: road.speedLimitMps,
      advisoryMps: road.advisoryLimitKmh > 0 ? Double(road.advisoryLimitKmh) / 3.6 : nil)
    let kind: UInt8 =
      switch mode {
      case .truck: road.truckSpeedLimitKmh
      case .bus: road.busSpeedLimitKmh
      case .car, .taxi, .scooter, .bicycle, .pedestrian: 0
      }
    vehicleMps = [Self.mps(kind), own].compactMap { $0 }.min()
    // The last rule whose condition holds decides, as with access.
    for rule in map.rules.rules(edge) where rule.modes.contains(mode) {
      guard case .limit(let kmh) = rule.effect,
        rule.condition.holds(map.rules.local(now, at: edge, circumstances)) == true
      else { continue }
      conditionalMps = kmh.map { $0 / 3.6 } ?? .infinity
      reason = Self.reason(rule.condition, isSchool: road.flags.contains(.schoolZone))
    }
  }

  private static func mps(_ kmh: UInt8) -> Double? {
    switch kmh {
    case 0: nil
    case 255: .infinity
    default: Double(kmh) / 3.6
    }
  }

  private static func reason(_ condition: Condition, isSchool: Bool) -> Reason {
    for term in condition.terms {
      switch term {
      case .hours, .outside: return isSchool ? .school : .time
      case .weather: return .weather
      case .comparison: return .vehicle
      case .word: continue
      }
    }
    return .other
  }
}
