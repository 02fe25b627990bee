/// Limits set by parts of a country, by their ISO 3166-2 code.
///
/// Sources as for `CountryTable`. Limits that a state sets by signs or in zones smaller than a
/// town, such as business districts, are left out. If there are two limits for one kind of road,
/// the limit of most roads is used. Parts without a row have the limits of their country.
enum CountryParts {
  static let rows: [String: CountryPart] = {
    var rows = metric
    for (state, part) in unitedStates {
      rows["US-\(state)"] = CountryPart(
        urban: part.urban.map(kmh), rural: part.rural.map(kmh), divided: part.divided.map(kmh),
        motorway: part.motorway.map(kmh),
        truck: part.truck.map { .init(kmh($0.motorway), kmh($0.rural)) })
    }
    return rows
  }()

  private static let metric: [String: CountryPart] = [
    // Australian Road Rules 25: state limits of 110.
    "AU-NT": CountryPart(rural: 110), "AU-WA": CountryPart(rural: 110),
    "BE-BRU": CountryPart(urban: 30, rural: 70),
    "BE-WAL": CountryPart(rural: 90),
    "CA-MB": CountryPart(rural: 90),
    "CA-NT": CountryPart(rural: 90), "CA-NU": CountryPart(rural: 90),
    "CA-PE": CountryPart(rural: 100), "CA-QC": CountryPart(rural: 90, motorway: 100),
    "CA-YT": CountryPart(rural: 50, divided: 50, motorway: 50),
    // 40 and 50 mph for trucks above 7.5 t.
    "GB-SCT": CountryPart(truck: .init(97, 64)),
    // 20 mph in built-up areas since September 2023.
    "GB-WLS": CountryPart(urban: 32),
  ]

  private static func kmh(_ mph: Double) -> Double { (mph * 1.609344).rounded() }

  /// Miles per hour.
  private static let unitedStates: [String: CountryPart] = [
    "AK": CountryPart(urban: 25, rural: 55),
    "AL": CountryPart(urban: 30, rural: 45, divided: 65, motorway: 70),
    "AR": CountryPart(urban: 30, rural: 65),
    "AZ": CountryPart(urban: 25, rural: 65),
    "CA": CountryPart(urban: 25, rural: 55, divided: 65, motorway: 65, truck: .init(55, 55)),
    "DC": CountryPart(urban: 20, rural: 20, divided: 20, motorway: 20),
    "DE": CountryPart(urban: 25, rural: 50, divided: 55, motorway: 55),
    "FL": CountryPart(urban: 30, rural: 55, divided: 65, motorway: 70),
    "IA": CountryPart(urban: 25, rural: 55, divided: 65, motorway: 65),
    "ID": CountryPart(urban: 35, rural: 55, divided: 65, motorway: 75, truck: .init(65, 65)),
    "IL": CountryPart(urban: 30, rural: 55, divided: 65, motorway: 70),
    "IN": CountryPart(urban: 30, rural: 55, divided: 60, motorway: 70, truck: .init(65, 65)),
    "KS": CountryPart(urban: 30, rural: 55, divided: 75, motorway: 75),
    "KY": CountryPart(urban: 35, rural: 55, motorway: 65),
    "LA": CountryPart(rural: 55, divided: 65, motorway: 70),
    "MA": CountryPart(urban: 30, rural: 40, divided: 50),
    "MD": CountryPart(urban: 30, rural: 50, divided: 55),
    "ME": CountryPart(urban: 25, rural: 45),
    "MI": CountryPart(urban: 25, rural: 55, motorway: 70, truck: .init(65, 65)),
    "MO": CountryPart(rural: 60, divided: 65, motorway: 70),
    "MS": CountryPart(rural: 65),
    "MT": CountryPart(urban: 25, rural: 70, motorway: 80, truck: .init(70, 65)),
    "NC": CountryPart(urban: 35, rural: 55),
    "ND": CountryPart(urban: 25, rural: 55, divided: 70, motorway: 75),
    "NE": CountryPart(urban: 25, rural: 55, divided: 65, motorway: 70),
    "NH": CountryPart(urban: 35, rural: 55, divided: 65, motorway: 65),
    "NJ": CountryPart(urban: 25, rural: 50),
    "NV": CountryPart(rural: 80, divided: 80, motorway: 80),
    "NY": CountryPart(rural: 55, truck: .init(55, 55)),
    "OH": CountryPart(urban: 25, rural: 55, divided: 60, motorway: 70),
    "OR": CountryPart(rural: 55, motorway: 65, truck: .init(55, 55)),
    "PA": CountryPart(urban: 35, rural: 55),
    "RI": CountryPart(urban: 25, rural: 50),
    "SD": CountryPart(urban: 25, rural: 65, motorway: 80),
    "TN": CountryPart(rural: 65, motorway: 70),
    "TX": CountryPart(urban: 30, rural: 60, divided: 70, motorway: 70),
    "UT": CountryPart(urban: 25, rural: 55),
    "VA": CountryPart(urban: 35, rural: 55, divided: 55, motorway: 55),
    "VT": CountryPart(rural: 50, divided: 50),
    "WA": CountryPart(urban: 25, rural: 50, divided: 60, motorway: 60, truck: .init(60, 60)),
    "WI": CountryPart(urban: 25, rural: 55, divided: 65, motorway: 70),
    "WV": CountryPart(urban: 25, rural: 55),
    "WY": CountryPart(urban: 30, rural: 65, divided: 70, motorway: 75),
  ]
}
