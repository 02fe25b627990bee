import RoadGraph

/// The warnings of speed cameras that the law of a country permits.
///
/// If the law does not restrict warnings, the positions of cameras are reported.
public enum CameraLaw {
  /// Countries that forbid reporting a camera's position and allow only the danger zone around it.
  ///
  /// France with its overseas departments: article R413-15 of the Code de la route forbids devices
  /// that report cameras. Zones are allowed by the agreement of 2011 between the state and the
  /// makers of driver assistance devices.
  static let zoneCountries: Set = ["FR", "GF", "GP", "MQ", "RE", "YT"]

  /// Countries where drivers may not be warned of cameras at all.
  ///
  /// Switzerland: article 98a of the Strassenverkehrsgesetz; Germany: § 23 (1c) of the
  /// Straßenverkehrs-Ordnung.
  public static let silentCountries: Set = ["CH", "DE"]

  /// Whether a road's country requires danger zones in place of camera positions.
  static func wantsZones(_ road: RoadAttributes) -> Bool {
    road.country.map(zoneCountries.contains) ?? false
  }

  /// Minimum length of a danger zone in metres, by the road at the camera: motorway, built-up,
  /// other.
  static func zoneM(_ road: RoadAttributes) -> Double {
    if road.roadClass == .motorway { return 4000 }
    let isStreet = road.roadClass == .residential || road.roadClass == .livingStreet
    return isStreet || road.flags.contains(.builtUp) ? 300 : 2000
  }
}
