import Boundaries

/// What differs from country to country: limits by zone, the side to drive on.
enum Countries {
  /// The general limits of a country, km/h; nil for a motorway without one.
  struct Limits {
    var urban: Double
    var rural: Double
    var motorway: Double?
    var living: Double = 20
    /// Lorries above 7.5 t (above 3.5 t where the law draws the line there).
    var truckMotorway: Double = 90
    var truckRural: Double = 80
  }

  /// Countries whose zone words stand in OSM data; others fall back to 50, 90, 120.
  private static let table: [String: Limits] = [
    "AT": Limits(
      urban: 50, rural: 100, motorway: 130, living: 7, truckMotorway: 80, truckRural: 70),
    "AU": Limits(
      urban: 50, rural: 100, motorway: 110, living: 10, truckMotorway: 100, truckRural: 100),
    "BE": Limits(urban: 50, rural: 70, motorway: 120),
    "CH": Limits(urban: 50, rural: 80, motorway: 120, truckMotorway: 80, truckRural: 80),
    "CZ": Limits(urban: 50, rural: 90, motorway: 130, truckMotorway: 80, truckRural: 80),
    "DE": Limits(
      urban: 50, rural: 100, motorway: nil, living: 7, truckMotorway: 80, truckRural: 60),
    "DK": Limits(urban: 50, rural: 80, motorway: 130, truckMotorway: 80, truckRural: 80),
    "ES": Limits(urban: 50, rural: 90, motorway: 120),
    "FI": Limits(urban: 50, rural: 80, motorway: 120, truckMotorway: 80, truckRural: 80),
    "FR": Limits(urban: 50, rural: 80, motorway: 130, truckMotorway: 90, truckRural: 80),
    "GB": Limits(urban: 48, rural: 97, motorway: 113, truckMotorway: 97, truckRural: 80),
    "GR": Limits(urban: 50, rural: 90, motorway: 130),
    "HU": Limits(urban: 50, rural: 90, motorway: 130, truckMotorway: 80, truckRural: 70),
    "IE": Limits(urban: 50, rural: 80, motorway: 120, truckMotorway: 90, truckRural: 80),
    "IT": Limits(urban: 50, rural: 90, motorway: 130, truckMotorway: 80, truckRural: 70),
    "JP": Limits(urban: 40, rural: 60, motorway: 100, truckMotorway: 90, truckRural: 60),
    "LU": Limits(urban: 50, rural: 90, motorway: 130),
    "MC": Limits(urban: 50, rural: 50, motorway: 90),
    "MT": Limits(urban: 50, rural: 80, motorway: 80, truckMotorway: 60, truckRural: 60),
    "NL": Limits(
      urban: 50, rural: 80, motorway: 100, living: 15, truckMotorway: 80, truckRural: 80),
    "NO": Limits(urban: 50, rural: 80, motorway: 110, truckMotorway: 80, truckRural: 80),
    "PL": Limits(urban: 50, rural: 90, motorway: 140, truckMotorway: 80, truckRural: 70),
    "PT": Limits(urban: 50, rural: 90, motorway: 120, truckMotorway: 90, truckRural: 80),
    "RO": Limits(urban: 50, rural: 90, motorway: 130),
    "RU": Limits(urban: 60, rural: 90, motorway: 110),
    "SE": Limits(urban: 50, rural: 70, motorway: 110),
    "SK": Limits(urban: 50, rural: 90, motorway: 130, truckMotorway: 90, truckRural: 90),
    "UA": Limits(urban: 50, rural: 90, motorway: 130),
    "US": Limits(urban: 48, rural: 89, motorway: 105, truckMotorway: 105, truckRural: 89),
  ]

  /// The meaning of a zone's word: `DE:urban`, `FR:rural`, `DE:zone:30`, `it:motorway`.
  static func zoneLimit(_ value: String) -> SpeedTags.Limit? {
    let words = value.split(separator: ":", omittingEmptySubsequences: true)
    guard words.count >= 2, words[0].utf8.count == 2 else { return nil }
    guard let last = words.last else { return nil }
    let digits = last.drop { !$0.isNumber }
    if let number = Double(String(digits)), number > 0, number < 200 {
      return .kmh(number)
    }
    let limits = table[words[0].uppercased()] ?? Limits(urban: 50, rural: 90, motorway: 120)
    switch last {
    case "urban", "built_up": return .kmh(limits.urban)
    case "rural", "nonurban": return .kmh(limits.rural)
    case "trunk", "nsl_dual", "expressway": return .kmh(Double.maximum(limits.rural, 100))
    case "nsl_single": return .kmh(limits.rural)
    case "motorway": return limits.motorway.map { .kmh($0) } ?? SpeedTags.Limit.none
    case "living_street", "walk": return .kmh(limits.living)
    case "bicycle_road": return .kmh(30)
    default: return nil
    }
  }

  /// The general limit of rural roads and motorways; nil for a country not listed.
  static func limits(_ country: String?) -> Limits? { country.flatMap { table[$0] } }

  /// Whether traffic drives on the left in the country; nil unknown.
  static func drivesOnLeft(_ country: String?) -> Bool? {
    country.map { DrivingSide.isLeft(country: $0) }
  }
}
