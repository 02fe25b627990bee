import RoadGraph

/// The limits that a country's law sets for roads without a sign.
enum CountryLimits {
  /// Fills in the limits of the class, the country and its part, and keeps trucks below theirs.
  ///
  /// `part` is an ISO 3166-2 code. Ordinary roads have a general limit too, but it depends on their
  /// surroundings.
  static func apply(to road: inout RoadAttributes, country: String?, part: String?) {
    guard let limits = Countries.limits(country, part: part) else { return }
    let isMotorway = road.roadClass == .motorway && !road.flags.contains(.link)
    if road.speedLimitKmh == 0, isMotorway {
      road.speedLimitKmh = stored(limits.motorway)
    }
    let isExpress = isMotorway || road.flags.contains(.controlledAccess)
    func most(_ limits: CountryRow.HeavyLimits) -> Double {
      isExpress ? limits.motorway : limits.rural
    }
    if let truck = limits.truck.map(most), road.truckSpeedLimitKmh == 0,
      Double(road.speedLimitKmh) > truck
    {
      road.truckSpeedLimitKmh = stored(truck)
      road.truckSpeedKmh = min(road.truckSpeedKmh, UInt8(truck))
    }
    if let bus = limits.bus.map(most), road.busSpeedLimitKmh == 0, Double(road.speedLimitKmh) > bus
    {
      road.busSpeedLimitKmh = stored(bus)
    }
  }

  private static func stored(_ kmh: Double?) -> UInt8 {
    guard let kmh else { return 255 }
    return UInt8(Double.minimum(254, Double.maximum(1, kmh.rounded())))
  }
}
