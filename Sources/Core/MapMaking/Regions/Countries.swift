import Boundaries

/// Differences between countries: limits by zone, and the side to drive on.
enum Countries {
  /// The meaning of a zone value: `DE:urban`, `BE-VLG:rural`, `DE:zone:30`, `it:motorway`,
  /// `JP:express:nsl`.
  static func zoneLimit(_ value: String) -> SpeedTags.Limit? {
    let words = value.split(separator: ":", omittingEmptySubsequences: true).map(String.init)
    guard words.count >= 2, let last = words.last else { return nil }
    let place = words[0].uppercased().split(separator: "-").map(String.init)
    guard let letters = place.first, letters.utf8.count == 2 else { return nil }
    let country = letters == "UK" ? "GB" : letters
    let digits = last.drop { !$0.isNumber }
    if let number = Double(String(digits)), number > 0, number < 200 {
      return .kmh(number)
    }
    let zones = words.dropFirst().map { $0.lowercased() }
    let part = place.count > 1 ? "\(country)-\(place[1])" : "\(country)-\(words[1].uppercased())"
    if let own = CountryTable.words["\(country):\(zones.joined(separator: ":"))"] {
      return .kmh(own)
    }
    let limits = Self.limits(country, part: part) ?? CountryTable.usual
    // The first known word decides, since others only divide the zone further.
    for zone in zones {
      if let limit = limit(zone, limits) { return limit }
    }
    return nil
  }

  private static func limit(_ zone: String, _ limits: CountryRow) -> SpeedTags.Limit? {
    switch zone {
    case "urban", "built_up", "nsl_restricted": .kmh(limits.urban)
    case "rural", "nonurban", "nsl_single", "nsl": .kmh(limits.rural)
    case "trunk", "nsl_dual", "expressway", "motorroad":
      .kmh(limits.divided ?? Double.maximum(limits.rural, 100))
    case "motorway", "express": limits.motorway.map { .kmh($0) } ?? SpeedTags.Limit.none
    case "living_street", "walk", "pedestrian_zone", "shared_zone": .kmh(limits.living)
    case "bicycle_road", "cycle_street", "zone": .kmh(30)
    default: nil
    }
  }

  /// The general limits of a country, or of a part of it by its ISO 3166-2 code; nil for a country
  /// that is not listed.
  static func limits(_ country: String?, part: String? = nil) -> CountryRow? {
    guard let row = country.flatMap({ CountryTable.rows[$0] }) else { return nil }
    return part.flatMap { CountryParts.rows[$0] }.map { row.with($0) } ?? row
  }

  /// Whether traffic drives on the left in the country; nil if unknown.
  static func drivesOnLeft(_ country: String?) -> Bool? {
    country.map { DrivingSide.isLeft(country: $0) }
  }
}
