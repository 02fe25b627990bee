/// The general limits of a country where no sign says otherwise, km/h.
struct CountryRow {
  var urban: Double
  var rural: Double
  /// Divided roads and expressways that are no motorways; nil for none.
  var divided: Double?
  /// nil for none.
  var motorway: Double?
  var living: Double
  /// Lorries above 7.5 t (above 3.5 t where the law draws the line there).
  var truckMotorway: Double = 90
  var truckRural: Double = 80
}

/// The general speed limits of each country, for roads without a sign; all default limits come from this table.
///
/// Sources: the traffic laws where a row names one; for the others the list that the project "OSM legal default speeds"
/// compiles, https://wiki.openstreetmap.org/wiki/Default_speed_limits. Where states or provinces differ, the limit of
/// most of them. Miles an hour are rounded to km/h.
enum CountryTable {
  static let rows: [String: CountryRow] = [
    // rural 60; no motorway.
    "AD": CountryRow(urban: 50, rural: 60, divided: nil, motorway: nil, living: 20),
    "AL": CountryRow(
      urban: 40, rural: 80, divided: 90, motorway: 110, living: 20, truckMotorway: 80,
      truckRural: 70),
    "AM": CountryRow(
      urban: 60, rural: 90, divided: 90, motorway: 110, living: 20, truckMotorway: 90,
      truckRural: 70),
    // avenues 60, streets 40.
    "AR": CountryRow(
      urban: 60, rural: 110, divided: 120, motorway: 130, living: 20, truckMotorway: 80,
      truckRural: 80),
    // StVO §20: living street at walking speed.
    "AT": CountryRow(
      urban: 50, rural: 100, divided: 100, motorway: 130, living: 7, truckMotorway: 80,
      truckRural: 70),
    "AU": CountryRow(
      urban: 50, rural: 100, divided: 100, motorway: 110, living: 10, truckMotorway: 100,
      truckRural: 100),
    "AZ": CountryRow(
      urban: 60, rural: 90, divided: 90, motorway: 110, living: 20, truckMotorway: 90,
      truckRural: 70),
    "BA": CountryRow(
      urban: 50, rural: 80, divided: 100, motorway: 130, living: 10, truckMotorway: 80,
      truckRural: 80),
    // rural 70 in Flanders and Brussels, 90 in Wallonia.
    "BE": CountryRow(
      urban: 50, rural: 70, divided: 120, motorway: 120, living: 20, truckMotorway: 90,
      truckRural: 80),
    "BG": CountryRow(
      urban: 50, rural: 90, divided: 120, motorway: 140, living: 20, truckMotorway: 100,
      truckRural: 80),
    // urban arterial roads.
    "BR": CountryRow(
      urban: 60, rural: 100, divided: 110, motorway: 110, living: 20, truckMotorway: 90,
      truckRural: 80),
    "BY": CountryRow(
      urban: 60, rural: 90, divided: 90, motorway: 110, living: 20, truckMotorway: 90,
      truckRural: 70),
    // differs by province.
    "CA": CountryRow(
      urban: 50, rural: 80, divided: 100, motorway: 100, living: 20, truckMotorway: 100,
      truckRural: 80),
    // VRV 4a.
    "CH": CountryRow(
      urban: 50, rural: 80, divided: 100, motorway: 120, living: 20, truckMotorway: 80,
      truckRural: 80),
    "CL": CountryRow(
      urban: 50, rural: 100, divided: 100, motorway: 120, living: 30, truckMotorway: 90,
      truckRural: 90),
    "CN": CountryRow(
      urban: 50, rural: 70, divided: 100, motorway: 120, living: 20, truckMotorway: 100,
      truckRural: 70),
    "CY": CountryRow(
      urban: 50, rural: 80, divided: 80, motorway: 100, living: 20, truckMotorway: 80,
      truckRural: 80),
    // 361/2000 Sb. §18.
    "CZ": CountryRow(
      urban: 50, rural: 90, divided: 110, motorway: 130, living: 20, truckMotorway: 80,
      truckRural: 80),
    // StVO §3, §18: none on motorways and divided roads.
    "DE": CountryRow(
      urban: 50, rural: 100, divided: nil, motorway: nil, living: 7, truckMotorway: 80,
      truckRural: 60),
    "DK": CountryRow(
      urban: 50, rural: 80, divided: 80, motorway: 130, living: 20, truckMotorway: 80,
      truckRural: 80),
    "EE": CountryRow(
      urban: 50, rural: 90, divided: 90, motorway: 110, living: 20, truckMotorway: 90,
      truckRural: 90),
    "EG": CountryRow(
      urban: 60, rural: 90, divided: 90, motorway: 100, living: 20, truckMotorway: 80,
      truckRural: 80),
    // Reglamento General de Circulación 48, 50.
    "ES": CountryRow(
      urban: 50, rural: 90, divided: 90, motorway: 120, living: 20, truckMotorway: 90,
      truckRural: 80),
    "FI": CountryRow(
      urban: 50, rural: 80, divided: 80, motorway: 120, living: 20, truckMotorway: 80,
      truckRural: 80),
    // Code de la route R413-2, R413-3.
    "FR": CountryRow(
      urban: 50, rural: 80, divided: 110, motorway: 130, living: 20, truckMotorway: 90,
      truckRural: 80),
    // 30, 60 and 70 mph: Highway Code 124.
    "GB": CountryRow(
      urban: 48, rural: 97, divided: 113, motorway: 113, living: 20, truckMotorway: 97,
      truckRural: 80),
    "GE": CountryRow(
      urban: 60, rural: 80, divided: 90, motorway: 110, living: 20, truckMotorway: 90,
      truckRural: 70),
    "GR": CountryRow(
      urban: 50, rural: 90, divided: 110, motorway: 130, living: 20, truckMotorway: 90,
      truckRural: 80),
    "HR": CountryRow(
      urban: 50, rural: 90, divided: 110, motorway: 130, living: 10, truckMotorway: 90,
      truckRural: 80),
    // 1/1975 KPM-BM 26.
    "HU": CountryRow(
      urban: 50, rural: 90, divided: 110, motorway: 130, living: 20, truckMotorway: 80,
      truckRural: 70),
    "IE": CountryRow(
      urban: 50, rural: 80, divided: 100, motorway: 120, living: 20, truckMotorway: 90,
      truckRural: 80),
    "IL": CountryRow(
      urban: 50, rural: 80, divided: 90, motorway: 110, living: 20, truckMotorway: 80,
      truckRural: 80),
    // 80 on gravel.
    "IS": CountryRow(
      urban: 50, rural: 90, divided: 90, motorway: 90, living: 15, truckMotorway: 80, truckRural: 80
    ),
    // Codice della strada 142.
    "IT": CountryRow(
      urban: 50, rural: 90, divided: 110, motorway: 130, living: 20, truckMotorway: 80,
      truckRural: 70),
    "JP": CountryRow(
      urban: 40, rural: 60, divided: 60, motorway: 100, living: 20, truckMotorway: 90,
      truckRural: 60),
    "KR": CountryRow(
      urban: 50, rural: 80, divided: 90, motorway: 100, living: 20, truckMotorway: 80,
      truckRural: 80),
    "KZ": CountryRow(
      urban: 60, rural: 100, divided: 110, motorway: 140, living: 20, truckMotorway: 90,
      truckRural: 90),
    "LI": CountryRow(
      urban: 50, rural: 80, divided: 80, motorway: 80, living: 20, truckMotorway: 80, truckRural: 80
    ),
    "LT": CountryRow(
      urban: 50, rural: 90, divided: 110, motorway: 130, living: 20, truckMotorway: 90,
      truckRural: 80),
    "LU": CountryRow(
      urban: 50, rural: 90, divided: 90, motorway: 130, living: 20, truckMotorway: 90,
      truckRural: 80),
    "LV": CountryRow(
      urban: 50, rural: 90, divided: 90, motorway: 110, living: 20, truckMotorway: 90,
      truckRural: 80),
    "MA": CountryRow(
      urban: 60, rural: 100, divided: 100, motorway: 120, living: 20, truckMotorway: 80,
      truckRural: 80),
    "MC": CountryRow(
      urban: 50, rural: 50, divided: 50, motorway: 90, living: 20, truckMotorway: 90, truckRural: 80
    ),
    "MD": CountryRow(
      urban: 50, rural: 90, divided: 90, motorway: 110, living: 20, truckMotorway: 90,
      truckRural: 70),
    "ME": CountryRow(
      urban: 50, rural: 80, divided: 100, motorway: 130, living: 10, truckMotorway: 80,
      truckRural: 80),
    "MK": CountryRow(
      urban: 50, rural: 80, divided: 110, motorway: 130, living: 10, truckMotorway: 80,
      truckRural: 80),
    "MT": CountryRow(
      urban: 50, rural: 80, divided: 80, motorway: 80, living: 20, truckMotorway: 60, truckRural: 60
    ),
    "MX": CountryRow(
      urban: 50, rural: 80, divided: 100, motorway: 110, living: 20, truckMotorway: 80,
      truckRural: 80),
    // RVV 20 to 22; 100 by day.
    "NL": CountryRow(
      urban: 50, rural: 80, divided: 100, motorway: 100, living: 15, truckMotorway: 80,
      truckRural: 80),
    "NO": CountryRow(
      urban: 50, rural: 80, divided: 80, motorway: 110, living: 20, truckMotorway: 80,
      truckRural: 80),
    "NZ": CountryRow(
      urban: 50, rural: 100, divided: 100, motorway: 100, living: 10, truckMotorway: 90,
      truckRural: 90),
    // Prawo o ruchu drogowym 20.
    "PL": CountryRow(
      urban: 50, rural: 90, divided: 100, motorway: 140, living: 20, truckMotorway: 80,
      truckRural: 70),
    // Código da Estrada 27.
    "PT": CountryRow(
      urban: 50, rural: 90, divided: 100, motorway: 120, living: 20, truckMotorway: 90,
      truckRural: 80),
    // OUG 195/2002 49, 50.
    "RO": CountryRow(
      urban: 50, rural: 90, divided: 100, motorway: 130, living: 20, truckMotorway: 90,
      truckRural: 80),
    "RS": CountryRow(
      urban: 50, rural: 80, divided: 100, motorway: 130, living: 10, truckMotorway: 80,
      truckRural: 80),
    // PDD 10.
    "RU": CountryRow(
      urban: 60, rural: 90, divided: 110, motorway: 110, living: 20, truckMotorway: 90,
      truckRural: 80),
    "SE": CountryRow(
      urban: 50, rural: 70, divided: 70, motorway: 110, living: 20, truckMotorway: 90,
      truckRural: 80),
    "SI": CountryRow(
      urban: 50, rural: 90, divided: 110, motorway: 130, living: 10, truckMotorway: 90,
      truckRural: 80),
    "SK": CountryRow(
      urban: 50, rural: 90, divided: 90, motorway: 130, living: 20, truckMotorway: 90,
      truckRural: 90),
    "TN": CountryRow(
      urban: 50, rural: 90, divided: 90, motorway: 110, living: 20, truckMotorway: 80,
      truckRural: 80),
    "TR": CountryRow(
      urban: 50, rural: 90, divided: 110, motorway: 130, living: 20, truckMotorway: 80,
      truckRural: 80),
    "UA": CountryRow(
      urban: 50, rural: 90, divided: 110, motorway: 130, living: 20, truckMotorway: 90,
      truckRural: 80),
    // 30, 55 and 65 mph; differs by state.
    "US": CountryRow(
      urban: 48, rural: 89, divided: 105, motorway: 105, living: 20, truckMotorway: 105,
      truckRural: 89),
    "ZA": CountryRow(
      urban: 60, rural: 100, divided: 100, motorway: 120, living: 20, truckMotorway: 80,
      truckRural: 80),
  ]

  /// Limits that parts of a country set for themselves, by the code of ISO 3166-2 and the word of the zone.
  static let parts: [String: [String: Double]] = [
    "BE-BRU": ["urban": 30, "rural": 70],
    "BE-VLG": ["rural": 70],
    "BE-WAL": ["rural": 90],
    "GB-WLS": ["urban": 32, "nsl_restricted": 32],
  ]

  /// The row for a country that is not listed.
  static let usual = CountryRow(urban: 50, rural: 90, divided: 100, motorway: 120, living: 20)
}
