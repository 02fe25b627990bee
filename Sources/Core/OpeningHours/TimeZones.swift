/// Time zones by country, and within the large ones by where in it.
///
/// After the tz database 2024a, cut along meridians and parallels: near a zone's crooked border the next
/// zone's hour may come out. Morocco's hour in Ramadan and the summer times of Egypt, Israel, Lebanon,
/// Palestine, Chile and Paraguay are not told: there an hour may be wrong for a part of the year.
public enum TimeZones {
  /// The zone of a place; that of its meridian where the country is not known.
  public static func zone(
    country: String?, latitudeDeg: Double, longitudeDeg: Double
  ) -> TimeZoneRule {
    if let country {
      if let rule = single[country] { return rule }
      for band in bands[country] ?? [] where band.holds(latitudeDeg, longitudeDeg) {
        return band.rule
      }
    }
    let longitude = longitudeDeg.isFinite ? longitudeDeg : 0
    return TimeZoneRule(Int((longitude / 15).rounded()) * 60)
  }

  /// A part of a country: what lies east of a meridian, and between two parallels.
  private struct Band {
    var eastOfDeg: Double
    var rule: TimeZoneRule
    var latitudesDeg = -90.0...90.0

    init(_ eastOfDeg: Double, _ rule: TimeZoneRule, _ latitudesDeg: ClosedRange<Double> = -90...90)
    {
      self.eastOfDeg = eastOfDeg
      self.rule = rule
      self.latitudesDeg = latitudesDeg
    }

    func holds(_ latitudeDeg: Double, _ longitudeDeg: Double) -> Bool {
      longitudeDeg >= eastOfDeg && latitudesDeg.contains(latitudeDeg)
    }
  }

  private static let single: [String: TimeZoneRule] = {
    var table: [String: TimeZoneRule] = [:]
    func set(_ codes: String, _ rule: TimeZoneRule) {
      for code in codes.split(separator: " ") { table[String(code)] = rule }
    }
    set("GB IE IM JE GG FO", TimeZoneRule(0, .europe))
    set("IS GH SN CI ML GN SL LR GM TG BF MR", TimeZoneRule(0))
    set(
      "DE AT CH FR IT NL BE LU LI MC SM VA MT PL CZ SK HU SI HR BA RS ME MK AL XK DK SE NO AD",
      TimeZoneRule(60, .europe))
    set("MA NG DZ TN AO CM TD NE GA CG BJ GQ CF", TimeZoneRule(60))
    set("FI EE LV LT RO BG GR CY UA MD", TimeZoneRule(120, .europe))
    set("ZA ZW ZM MZ BW NA LY SD RW BI MW LS SZ EG IL LB PS", TimeZoneRule(120))
    set("TR SA KW QA BH IQ KE TZ UG ET BY YE SO DJ ER MG JO SY", TimeZoneRule(180))
    set("IR", TimeZoneRule(210))
    set("AE OM GE AM AZ MU SC RE", TimeZoneRule(240))
    set("AF", TimeZoneRule(270))
    set("PK UZ TM TJ MV KZ", TimeZoneRule(300))
    set("IN LK", TimeZoneRule(330))
    set("NP", TimeZoneRule(345))
    set("BD KG BT", TimeZoneRule(360))
    set("MM", TimeZoneRule(390))
    set("TH VN LA KH", TimeZoneRule(420))
    set("CN SG MY PH TW HK MO BN", TimeZoneRule(480))
    set("JP KR KP TL PW", TimeZoneRule(540))
    set("PG GU", TimeZoneRule(600))
    set("NC SB VU", TimeZoneRule(660))
    set("FJ", TimeZoneRule(720))
    set("NZ", TimeZoneRule(720, .newZealand))
    set("AR UY SR GF", TimeZoneRule(-180))
    set("VE BO GY PY CL DO PR TT BB", TimeZoneRule(-240))
    set("CO PE EC PA JM KY", TimeZoneRule(-300))
    set("MX CR GT HN NI SV BZ", TimeZoneRule(-360))
    set("CU BS HT", TimeZoneRule(-300, .northAmerica))
    return table
  }()

  /// The easternmost first.
  private static let bands: [String: [Band]] = [
    "US": [
      Band(-85.5, TimeZoneRule(-300, .northAmerica)),
      Band(-101.5, TimeZoneRule(-360, .northAmerica)),
      Band(-109.05, TimeZoneRule(-420, .northAmerica)),
      Band(-114.8, TimeZoneRule(-420), 31.3...37.0),
      Band(-114.05, TimeZoneRule(-420, .northAmerica)),
      Band(-130, TimeZoneRule(-480, .northAmerica)),
      Band(-161.5, TimeZoneRule(-600), 18...23),
      Band(-169, TimeZoneRule(-540, .northAmerica)),
      Band(-180, TimeZoneRule(-600)),
    ],
    "CA": [
      Band(-59.5, TimeZoneRule(-210, .northAmerica)), Band(-68, TimeZoneRule(-240, .northAmerica)),
      Band(-90, TimeZoneRule(-300, .northAmerica)), Band(-101.5, TimeZoneRule(-360, .northAmerica)),
      Band(-110, TimeZoneRule(-360)), Band(-120, TimeZoneRule(-420, .northAmerica)),
      Band(-180, TimeZoneRule(-480, .northAmerica)),
    ],
    "AU": [
      Band(141, TimeZoneRule(600), -29...0), Band(141, TimeZoneRule(600, .australia)),
      Band(138, TimeZoneRule(600), -26...0), Band(129, TimeZoneRule(570), -26...0),
      Band(129, TimeZoneRule(570, .australia)), Band(-180, TimeZoneRule(480)),
    ],
    "PT": [Band(-20, TimeZoneRule(0, .europe)), Band(-180, TimeZoneRule(-60, .europe))],
    "ES": [Band(-12, TimeZoneRule(60, .europe)), Band(-180, TimeZoneRule(0, .europe))],
    "BR": [Band(-53, TimeZoneRule(-180)), Band(-180, TimeZoneRule(-240))],
    "ID": [
      Band(128, TimeZoneRule(540)), Band(115, TimeZoneRule(480)), Band(-180, TimeZoneRule(420)),
    ],
    "CD": [Band(22, TimeZoneRule(120)), Band(-180, TimeZoneRule(60))],
    "MN": [Band(98, TimeZoneRule(480)), Band(-180, TimeZoneRule(420))],
    "RU": [
      Band(154, TimeZoneRule(660)), Band(130, TimeZoneRule(600)), Band(115, TimeZoneRule(540)),
      Band(107, TimeZoneRule(480)), Band(84, TimeZoneRule(420)), Band(72, TimeZoneRule(360)),
      Band(54, TimeZoneRule(300)), Band(47, TimeZoneRule(240)), Band(22.9, TimeZoneRule(180)),
      Band(-160, TimeZoneRule(120)), Band(-180, TimeZoneRule(720)),
    ],
  ]
}
