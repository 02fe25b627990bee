import RoadGraph

/// What the law of a country lets a driver be told of speed cameras.
///
/// Where it says nothing of them their places are told.
public enum CameraLaw {
  /// Countries that let nobody tell where a camera stands, only in which danger zone.
  ///
  /// France with its overseas departments: article R413-15 of the Code de la route forbids devices that tell
  /// of cameras; by the agreement of 2011 between the state and the makers of driving aids zones do not.
  static let zoneCountries: Set = ["FR", "GF", "GP", "MQ", "RE", "YT"]

  /// Countries whose drivers may not have themselves warned of cameras at all.
  ///
  /// Switzerland: article 98a of the Strassenverkehrsgesetz; Germany: § 23 (1c) of the Straßenverkehrs-Ordnung.
  public static let silentCountries: Set = ["CH", "DE"]

  /// Whether a road's country wants danger zones.
  static func wantsZones(_ road: RoadAttributes) -> Bool {
    road.country.map(zoneCountries.contains) ?? false
  }

  /// Metres that a danger zone has at least, by the road at the camera: motorway, built-up, other.
  static func zoneM(_ road: RoadAttributes) -> Double {
    if road.roadClass == .motorway { return 4000 }
    let isStreet = road.roadClass == .residential || road.roadClass == .livingStreet
    return isStreet || road.flags.contains(.builtUp) ? 300 : 2000
  }
}
