/// The general limits of a country for roads without a sign, km/h.
struct CountryRow: Hashable {
  var urban: Double
  var rural: Double
  /// Expressways and divided roads that are not motorways; nil for no limit.
  var divided: Double?
  /// nil for no limit.
  var motorway: Double?
  var living: Double = 20
  /// A 40 t truck with a semi-trailer, as assumed by the router; nil for the limits of cars.
  var truck: HeavyLimits?
  /// A coach; nil for the limits of cars.
  var bus: HeavyLimits?

  /// Limits of heavy vehicles, km/h; lower limits for cars apply to them too.
  struct HeavyLimits: Hashable {
    /// Motorways and roads reserved for motor vehicles.
    var motorway: Double
    /// Other roads outside built-up areas.
    var rural: Double

    init(_ motorway: Double, _ rural: Double) {
      self.motorway = motorway
      self.rural = rural
    }
  }

  /// The row with the values that a part of the country sets itself.
  func with(_ part: CountryPart) -> CountryRow {
    var row = self
    row.urban = part.urban ?? urban
    row.rural = part.rural ?? rural
    row.divided = part.divided ?? divided.map { Double.maximum($0, row.rural) }
    row.motorway = part.motorway ?? motorway.map { Double.maximum($0, row.rural) }
    row.truck = part.truck ?? truck
    return row
  }
}

/// Limits that a state, province or region sets itself, km/h; nil for those of the whole country.
struct CountryPart: Hashable {
  var urban: Double?
  var rural: Double?
  var divided: Double?
  var motorway: Double?
  var truck: CountryRow.HeavyLimits?
}

/// The general speed limits of each country, for roads without a sign; all default limits come from
/// this table.
///
/// Sources: the list that the project "OSM legal default speeds" compiles from the laws,
/// https://wiki.openstreetmap.org/wiki/Default_speed_limits (revision of January 2023), and the law
/// if a row names one. If the law distinguishes weights, trucks are those above 12 t with a
/// semi-trailer, and buses are coaches. Miles per hour are rounded to km/h.
enum CountryTable {
  static let rows: [String: CountryRow] = [
    // Decret de circulació; there are no motorways, roads for motor vehicles have 120.
    "AD": CountryRow(
      urban: 50, rural: 60, divided: 120, motorway: 120, living: 20,
      truck: .init(90, 80), bus: .init(100, 80)),
    "AE": CountryRow(
      urban: 60, rural: 100, divided: 100, motorway: 120, living: 20,
      truck: .init(80, 80), bus: .init(80, 80)),
    // Trucks above 12 t.
    "AL": CountryRow(
      urban: 40, rural: 80, divided: 90, motorway: 110, living: 20,
      truck: .init(80, 60), bus: .init(90, 70)),
    "AM": CountryRow(
      urban: 60, rural: 90, divided: 90, motorway: 110, living: 20,
      truck: .init(90, 70), bus: .init(90, 90)),
    // Ley 24.449, art. 51: avenues 60, streets 40.
    "AR": CountryRow(
      urban: 60, rural: 110, divided: 120, motorway: 130, living: 20,
      truck: .init(80, 80), bus: .init(100, 90)),
    // StVO §20, KDV §58: living street at walking speed.
    "AT": CountryRow(
      urban: 50, rural: 100, divided: 100, motorway: 130, living: 7,
      truck: .init(80, 70), bus: .init(100, 80)),
    // Australian Road Rules 25: parts differ; higher limits of motorways are signed.
    "AU": CountryRow(
      urban: 50, rural: 100, divided: 100, motorway: 100, living: 10,
      truck: .init(100, 100), bus: .init(100, 100)),
    "AZ": CountryRow(
      urban: 60, rural: 90, divided: 90, motorway: 110, living: 20,
      truck: .init(90, 70), bus: .init(90, 90)),
    "BA": CountryRow(
      urban: 50, rural: 80, divided: 100, motorway: 130, living: 7,
      truck: .init(70, 70), bus: .init(100, 80)),
    // Code de la route 11: parts differ.
    "BE": CountryRow(
      urban: 50, rural: 70, divided: 120, motorway: 120, living: 20,
      truck: .init(90, 80), bus: .init(100, 75)),
    // Zakon za dvizhenieto 21.
    "BG": CountryRow(
      urban: 50, rural: 90, divided: 120, motorway: 140, living: 20,
      truck: .init(100, 70), bus: .init(100, 80)),
    // Código de Trânsito 61: urban arterial roads.
    "BR": CountryRow(
      urban: 60, rural: 100, divided: 110, motorway: 110, living: 20,
      truck: .init(90, 90), bus: .init(90, 90)),
    "BY": CountryRow(
      urban: 60, rural: 90, divided: 90, motorway: 110, living: 20,
      truck: .init(90, 70), bus: .init(90, 90)),
    // Provinces differ; trucks have no limit of their own, but limiters of 105 in Ontario and
    // Quebec.
    "CA": CountryRow(
      urban: 50, rural: 80, divided: 100, motorway: 100, living: 20,
      truck: .init(105, 105), bus: nil),
    // VRV 4a, 5.
    "CH": CountryRow(
      urban: 50, rural: 80, divided: 100, motorway: 120, living: 20,
      truck: .init(80, 80), bus: .init(100, 80)),
    // Ley 18.290, art. 145.
    "CL": CountryRow(
      urban: 50, rural: 100, divided: 120, motorway: 120, living: 30,
      truck: .init(90, 90), bus: .init(100, 100)),
    // Regulation on Road Traffic Safety 45, 78.
    "CN": CountryRow(
      urban: 50, rural: 70, divided: 100, motorway: 120, living: 20,
      truck: .init(100, 70), bus: .init(100, 70)),
    // Ley 769, art. 106, 107 with Ley 2251 of 2022.
    "CO": CountryRow(
      urban: 50, rural: 90, divided: 90, motorway: 120, living: 30,
      truck: .init(80, 80), bus: .init(80, 80)),
    "CY": CountryRow(
      urban: 50, rural: 80, divided: 80, motorway: 100, living: 20,
      truck: .init(80, 80), bus: .init(100, 80)),
    // 361/2000 Sb. §18.
    "CZ": CountryRow(
      urban: 50, rural: 90, divided: 110, motorway: 130, living: 20,
      truck: .init(80, 80), bus: .init(130, 90)),
    // StVO §3, §18: none on motorways and divided roads.
    "DE": CountryRow(
      urban: 50, rural: 100, divided: nil, motorway: nil, living: 7,
      truck: .init(80, 60), bus: .init(100, 80)),
    // Færdselsloven 42, 43.
    "DK": CountryRow(
      urban: 50, rural: 80, divided: 80, motorway: 130, living: 15,
      truck: .init(80, 80), bus: .init(100, 80)),
    // Liiklusseadus 15: more than 90 only by signs.
    "EE": CountryRow(
      urban: 50, rural: 90, divided: 90, motorway: 90, living: 20,
      truck: .init(90, 90), bus: .init(90, 90)),
    "EG": CountryRow(
      urban: 60, rural: 90, divided: 90, motorway: 100, living: 20,
      truck: .init(70, 60), bus: .init(90, 80)),
    // Reglamento General de Circulación 48, 50: urban roads of one lane each way.
    "ES": CountryRow(
      urban: 30, rural: 90, divided: 90, motorway: 120, living: 20,
      truck: .init(90, 80), bus: .init(100, 90)),
    // More than 80 only by signs, as on every motorway.
    "FI": CountryRow(
      urban: 50, rural: 80, divided: 80, motorway: 120, living: 20,
      truck: .init(80, 80), bus: .init(100, 80)),
    // Code de la route R413-2, R413-3, R413-8, R413-10.
    "FR": CountryRow(
      urban: 50, rural: 80, divided: 110, motorway: 130, living: 20,
      truck: .init(90, 80), bus: .init(100, 80)),
    // 30, 60 and 70 mph: Highway Code 124; parts differ.
    "GB": CountryRow(
      urban: 48, rural: 97, divided: 113, motorway: 113, living: 20,
      truck: .init(97, 80), bus: .init(113, 80)),
    "GE": CountryRow(
      urban: 60, rural: 90, divided: 90, motorway: 110, living: 20,
      truck: .init(80, 70), bus: .init(80, 70)),
    "GR": CountryRow(
      urban: 50, rural: 90, divided: 110, motorway: 130, living: 20,
      truck: .init(80, 70), bus: .init(100, 80)),
    "HR": CountryRow(
      urban: 50, rural: 90, divided: 110, motorway: 130, living: 10,
      truck: .init(90, 80), bus: .init(100, 80)),
    // 1/1975 KPM-BM 26.
    "HU": CountryRow(
      urban: 50, rural: 90, divided: 110, motorway: 130, living: 20,
      truck: .init(80, 70), bus: .init(100, 70)),
    // Road Traffic Act 2004; national roads 100, local roads 60 since February 2025 by signs.
    "IE": CountryRow(
      urban: 50, rural: 80, divided: 100, motorway: 120, living: 20,
      truck: .init(90, 80), bus: .init(100, 80)),
    // Traffic Regulations 54.
    "IL": CountryRow(
      urban: 50, rural: 80, divided: 90, motorway: 110, living: 30,
      truck: .init(80, 80), bus: .init(100, 80)),
    // Notification of 2018 on maximum speeds.
    "IN": CountryRow(
      urban: 70, rural: 70, divided: 100, motorway: 120, living: 20,
      truck: .init(80, 60), bus: .init(100, 60)),
    // Umferðarlög 37: 80 on gravel.
    "IS": CountryRow(
      urban: 50, rural: 90, divided: 90, motorway: 90, living: 10,
      truck: .init(80, 80), bus: nil),
    // Codice della strada 142.
    "IT": CountryRow(
      urban: 50, rural: 90, divided: 110, motorway: 130, living: 20,
      truck: .init(80, 70), bus: .init(100, 80)),
    // Order for Enforcement of the Road Traffic Act 11, 27: 60 everywhere; trucks on motorways 90
    // since April 2024.
    "JP": CountryRow(
      urban: 60, rural: 60, divided: 60, motorway: 100, living: 20,
      truck: .init(90, 60), bus: .init(100, 60)),
    // Traffic Act, cap. 403.
    "KE": CountryRow(
      urban: 50, rural: 100, divided: 110, motorway: 110, living: 20,
      truck: .init(80, 80), bus: .init(80, 80)),
    "KG": CountryRow(
      urban: 60, rural: 90, divided: 90, motorway: 110, living: 20,
      truck: .init(90, 70), bus: .init(90, 90)),
    // Enforcement Rules of the Road Traffic Act 19: 80 on two or more lanes each way.
    "KR": CountryRow(
      urban: 50, rural: 60, divided: 90, motorway: 100, living: 20,
      truck: .init(80, 60), bus: .init(100, 60)),
    "KZ": CountryRow(
      urban: 60, rural: 110, divided: 110, motorway: 140, living: 20,
      truck: .init(90, 70), bus: .init(110, 90)),
    // There are no motorways.
    "LI": CountryRow(
      urban: 50, rural: 80, divided: 80, motorway: 80, living: 20,
      truck: .init(80, 80), bus: .init(80, 80)),
    // Summer; from November to March 110 on motorways and expressways.
    "LT": CountryRow(
      urban: 50, rural: 90, divided: 120, motorway: 130, living: 20,
      truck: .init(90, 80), bus: .init(100, 80)),
    // Arrêté grand-ducal 139.
    "LU": CountryRow(
      urban: 50, rural: 90, divided: 90, motorway: 130, living: 20,
      truck: .init(90, 75), bus: .init(90, 75)),
    // There are no motorways; expressways 110, in winter 90.
    "LV": CountryRow(
      urban: 50, rural: 90, divided: 110, motorway: 110, living: 20,
      truck: .init(90, 80), bus: .init(100, 90)),
    // Not in the list; Code de la route, décret 2-10-420.
    "MA": CountryRow(
      urban: 60, rural: 100, divided: 100, motorway: 120, living: 20,
      truck: .init(80, 80), bus: .init(100, 80)),
    // There are no motorways.
    "MC": CountryRow(
      urban: 50, rural: 50, divided: 50, motorway: 50, living: 20,
      truck: .init(50, 50), bus: .init(50, 50)),
    "MD": CountryRow(
      urban: 50, rural: 90, divided: 110, motorway: 110, living: 20,
      truck: .init(90, 70), bus: .init(90, 90)),
    // Not in the list; Zakon o bezbjednosti saobraćaja.
    "ME": CountryRow(
      urban: 50, rural: 80, divided: 100, motorway: 130, living: 10,
      truck: .init(80, 80), bus: .init(100, 80)),
    "MK": CountryRow(
      urban: 50, rural: 90, divided: 110, motorway: 130, living: 10,
      truck: .init(80, 70), bus: .init(100, 80)),
    // There are no motorways; goods vehicles above 3 t.
    "MT": CountryRow(
      urban: 50, rural: 80, divided: 80, motorway: 80, living: 20,
      truck: .init(40, 40), bus: .init(60, 60)),
    // Ley General de Movilidad 49 (2022), after the list was made: state roads 80, federal ones 110.
    "MX": CountryRow(
      urban: 50, rural: 80, divided: 80, motorway: 110, living: 20,
      truck: .init(80, 80), bus: .init(95, 80)),
    "NG": CountryRow(
      urban: 50, rural: 80, divided: 80, motorway: 100, living: 20,
      truck: .init(60, 50), bus: .init(90, 80)),
    // RVV 20 to 22; 100 by day.
    "NL": CountryRow(
      urban: 50, rural: 80, divided: 100, motorway: 100, living: 15,
      truck: .init(80, 80), bus: .init(100, 80)),
    // Vegtrafikkloven 6; living street at walking speed.
    "NO": CountryRow(
      urban: 50, rural: 80, divided: 80, motorway: 110, living: 7,
      truck: .init(80, 80), bus: .init(100, 80)),
    // Land Transport (Road User) Rule.
    "NZ": CountryRow(
      urban: 50, rural: 100, divided: 100, motorway: 100, living: 10,
      truck: .init(90, 90), bus: .init(90, 90)),
    // Prawo o ruchu drogowym 20: expressways of two carriageways.
    "PL": CountryRow(
      urban: 50, rural: 90, divided: 120, motorway: 140, living: 20,
      truck: .init(80, 70), bus: .init(100, 70)),
    // Código da Estrada 27.
    "PT": CountryRow(
      urban: 50, rural: 90, divided: 100, motorway: 120, living: 20,
      truck: .init(80, 70), bus: .init(100, 80)),
    // OUG 195/2002 49, 50: trucks above 7.5 t with trailer.
    "RO": CountryRow(
      urban: 50, rural: 90, divided: 100, motorway: 130, living: 20,
      truck: .init(80, 60), bus: .init(110, 80)),
    // Zakon o bezbednosti saobraćaja 43 to 45: motorways 130 since 2018.
    "RS": CountryRow(
      urban: 50, rural: 80, divided: 100, motorway: 130, living: 10,
      truck: .init(90, 70), bus: .init(100, 80)),
    // PDD 10.
    "RU": CountryRow(
      urban: 60, rural: 90, divided: 110, motorway: 110, living: 20,
      truck: .init(90, 70), bus: .init(90, 90)),
    "SA": CountryRow(
      urban: 50, rural: 120, divided: 120, motorway: 120, living: 20,
      truck: .init(70, 70), bus: nil),
    // Trafikförordningen 3:17, 4:20; living street at walking speed; trucks with trailer.
    "SE": CountryRow(
      urban: 50, rural: 70, divided: 70, motorway: 110, living: 7,
      truck: .init(80, 80), bus: .init(100, 90)),
    "SI": CountryRow(
      urban: 50, rural: 90, divided: 110, motorway: 130, living: 10,
      truck: .init(90, 80), bus: .init(100, 80)),
    // 8/2009 Z. z. §16: expressways as motorways.
    "SK": CountryRow(
      urban: 50, rural: 90, divided: 130, motorway: 130, living: 20,
      truck: .init(100, 90), bus: .init(100, 90)),
    // Ministerial Regulation of 2021.
    "TH": CountryRow(
      urban: 80, rural: 90, divided: 100, motorway: 120, living: 20,
      truck: .init(90, 80), bus: .init(90, 80)),
    // Vehicles above 19 t.
    "TN": CountryRow(
      urban: 50, rural: 90, divided: 90, motorway: 110, living: 20,
      truck: .init(80, 60), bus: .init(80, 60)),
    // Karayolları Trafik Yönetmeliği 100; the list has motorways of 120.
    "TR": CountryRow(
      urban: 50, rural: 90, divided: 110, motorway: 130, living: 20,
      truck: .init(90, 80), bus: .init(100, 80)),
    // PDR 12.6, 12.7.
    "UA": CountryRow(
      urban: 50, rural: 90, divided: 110, motorway: 130, living: 20,
      truck: .init(90, 80), bus: .init(90, 90)),
    // 30, 55 and 65 mph, the limits of most states; states differ.
    "US": CountryRow(
      urban: 48, rural: 89, divided: 105, motorway: 105, living: 20,
      truck: nil, bus: nil),
    "UY": CountryRow(
      urban: 45, rural: 90, divided: 90, motorway: 90, living: 20,
      truck: .init(80, 80), bus: .init(90, 90)),
    "UZ": CountryRow(
      urban: 70, rural: 100, divided: 100, motorway: 100, living: 20,
      truck: .init(80, 70), bus: .init(90, 90)),
    // Circular 31/2019.
    "VN": CountryRow(
      urban: 50, rural: 80, divided: 90, motorway: 120, living: 20,
      truck: .init(80, 60), bus: .init(90, 60)),
    "XK": CountryRow(
      urban: 50, rural: 80, divided: 100, motorway: 130, living: 10,
      truck: .init(70, 70), bus: .init(80, 80)),
    // National Road Traffic Regulations 292, 293.
    "ZA": CountryRow(
      urban: 60, rural: 100, divided: 100, motorway: 120, living: 20,
      truck: .init(80, 80), bus: .init(100, 100)),
  ]

  /// The row for a country that is not listed.
  static let usual = CountryRow(
    urban: 50, rural: 90, divided: 100, motorway: 120, truck: .init(90, 80), bus: .init(100, 80))

  /// Zones with a qualifier that has a limit of its own.
  static let words: [String: Double] = ["ES:urban:primary": 50, "ES:urban:secondary": 50]
}
