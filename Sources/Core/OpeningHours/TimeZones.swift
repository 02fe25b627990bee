import Boundaries
public import Geodesy

/// The built-in time zones of the world, by position and by name.
///
/// After the tz database (version: see `TimeZoneData`): its rules, the changes since 2000 that they
/// do not cover, and the areas of `Boundaries`, whose lines are within 550 m of OpenStreetMap's.
/// Before 2000 the rules of 2000 apply. At sea beyond territorial waters, and in Antarctica, clocks
/// follow the nautical zones: whole hours by the meridian.
public enum TimeZones {
  /// A zone with its IANA name and its rule; at sea `Etc/GMT-3`, which is three hours ahead of UTC.
  public struct Zone: Hashable, Sendable {
    public var name: String
    public var rule: TimeZoneRule

    init(name: String, rule: TimeZoneRule) {
      self.name = name
      self.rule = rule
    }
  }

  /// The zone of a place, by the built-in areas.
  ///
  /// If `country` is given and differs from that of the area, the main zone of `country` is used,
  /// because a map has more precise borders. It costs a binary search, or none if the country has
  /// one zone.
  public static func zone(
    at place: Coordinate, country: String? = nil
  ) -> Zone {
    if let country, let only = countries[country], only.isSingle { return only.main }
    if let area = Boundaries.builtIn.zone(at: place), let zone = zone(named: area.name) {
      guard let country, country != area.country, let main = countries[country]?.main else {
        return zone
      }
      return main
    }
    return country.flatMap { countries[$0]?.main } ?? nautical(longitudeDeg: place.longitudeDeg)
  }

  /// The rule of the zone of a place.
  public static func zone(
    country: String?, latitudeDeg: Double, longitudeDeg: Double
  ) -> TimeZoneRule {
    zone(
      at: Coordinate(latitudeDeg: latitudeDeg, longitudeDeg: longitudeDeg), country: country
    ).rule
  }

  /// A zone by its IANA name, by a dictionary look-up; nil for names without an area.
  public static func zone(named name: String) -> Zone? {
    rules[name].map { Zone(name: name, rule: $0) }
  }

  /// IANA names of all zones with an area.
  public static var areaNames: [String] { Boundaries.builtIn.zones.map(\.name) }

  /// Nautical zones are 15 degrees wide, the first around Greenwich.
  private static func nautical(longitudeDeg: Double) -> Zone {
    let hours = longitudeDeg.isFinite ? Int((longitudeDeg / 15).rounded()) : 0
    let ahead = min(max(hours, -12), 12)
    // The sign in these names is the opposite of the offset from UTC.
    let name = ahead == 0 ? "Etc/GMT" : "Etc/GMT\(ahead > 0 ? "-" : "+")\(abs(ahead))"
    return Zone(name: name, rule: TimeZoneRule(ahead * 60))
  }

  private struct Country {
    var main: Zone
    var isSingle: Bool
  }

  private static let countries: [String: Country] = {
    var table: [String: Country] = [:]
    for area in Boundaries.builtIn.zones {
      guard let zone = zone(named: area.name) else { continue }
      if let main = table[area.country]?.main {
        table[area.country] = Country(
          main: main, isSingle: table[area.country]?.isSingle == true && main.rule == zone.rule)
      } else {
        table[area.country] = Country(main: zone, isSingle: true)
      }
    }
    return table
  }()

  private static let rules: [String: TimeZoneRule] = {
    var table: [String: TimeZoneRule] = [:]
    for line in TimeZoneData.rules.split(separator: "\n") {
      let words = line.split(separator: " ")
      guard let bar = words.firstIndex(of: "|"),
        let rule = TimeZoneRule(words: words[(bar + 1)...])
      else { continue }
      for name in words[..<bar] { table[String(name)] = rule }
    }
    return table
  }()
}
