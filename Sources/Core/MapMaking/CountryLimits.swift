import RoadGraph

/// The limits that a country's law sets where no sign does.
enum CountryLimits {
  /// Fills the limits that the class and the country tell, and keeps the speeds below them.
  ///
  /// Ordinary roads have a general limit too, but only their surroundings tell which.
  static func apply(to road: inout RoadAttributes, country: String?) {
    guard let limits = Countries.limits(country) else { return }
    let isMotorway = road.roadClass == .motorway && !road.flags.contains(.link)
    if road.speedLimitKmh == 0, isMotorway {
      road.speedLimitKmh = stored(limits.motorway)
    }
    let truck =
      isMotorway || road.flags.contains(.controlledAccess)
      ? limits.truckMotorway : limits.truckRural
    if road.truckSpeedLimitKmh == 0, Double(road.speedLimitKmh) > truck {
      road.truckSpeedLimitKmh = stored(truck)
      road.truckSpeedKmh = min(road.truckSpeedKmh, UInt8(truck))
    }
  }

  private static func stored(_ kmh: Double?) -> UInt8 {
    guard let kmh else { return 255 }
    return UInt8(Double.minimum(254, Double.maximum(1, kmh.rounded())))
  }
}
