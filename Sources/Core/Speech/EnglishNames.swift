// Names on signs in the form that English speakers read them.

extension English {
  public var earRules: PronunciationRules { Self.rules }

  private static let rules = PronunciationRules(
    words: roads.merging(
      [
        "jct": "Junction", "mt": "Mount", "mtn": "Mountain", "ft": "Fort", "pt": "Point",
        "lk": "Lake", "hts": "Heights", "spgs": "Springs", "cyn": "Canyon", "natl": "National",
        "intl": "International", "univ": "University", "ctr": "Center", "br": "Bridge",
        "ext": "Extension", "byp": "Bypass", "twp": "Township", "cty": "County", "bldg": "Building",
      ], uniquingKeysWith: { first, _ in first }),
    lastWords: streets,
    firstWords: [
      "st": "Saint", "dr": "Doctor", "sgt": "Sergeant", "lt": "Lieutenant", "capt": "Captain",
      "gen": "General", "gov": "Governor", "rev": "Reverend",
    ],
    laterWords: [
      "Jr": "Junior", "JR": "Junior", "jr": "Junior", "Sr": "Senior", "sr": "Senior",
    ],
    directions: [
      "n": "North", "s": "South", "e": "East", "w": "West", "ne": "Northeast", "nw": "Northwest",
      "se": "Southeast", "sw": "Southwest",
    ],
    roadKinds: Set([roads, streets].flatMap { $0.flatMap { [$0.key, $0.value.lowercased()] } }),
    streetWords: [
      "broadway", "way", "row", "loop", "trail", "walk", "run", "path", "pike", "hill", "park",
      "mall", "bridge", "bypass", "close", "mews", "parade", "esplanade",
    ],
    directionCountries: [
      "US", "CA", "AU", "NZ", "GB", "IE", "PR", "GU", "VI", "AS", "MP",
    ],
    wholeNames: [["ave", "maria"], ["rio", "ave"]],
    leadingKinds: [
      "place", "rue", "boulevard", "chemin", "impasse", "quai", "via", "viale", "piazza", "rua",
      "calle", "carrer", "praça", "largo", "plaza", "plaça", "travessa", "triq",
    ],
    structures: [
      "bridge", "br", "extension", "ext", "station", "connector", "bypass", "byp", "ramp",
      "tunnel", "overpass", "underpass", "viaduct", "alley", "mall",
    ],
    ordinalEndings: ["st", "nd", "rd", "th"], and: "and", roadPrefixes: ["I": "Interstate"],
    roadPrefixesByCountry: ["US": statePrefixes], bareNumber: "road")

  /// The names of state and county road numbers in the United States.
  ///
  /// The departments of transportation of the listed states call their numbered roads highways,
  /// those of all others routes. `US 101`, `K 10` in Kansas and `M 14` in Michigan are spelled, as
  /// is common.
  private static let statePrefixes: [String: String] = {
    let highways = "AR CO IA ID LA MN MS ND NE OK SC SD TX WI"
    let routes = """
      AK AL AZ CA CT DC DE FL GA HI IL IN KS KY MA MD ME MI MO MT NC NH NJ NM NV NY OH OR PA PR RI \
      TN UT VA VT WA WV WY
      """
    var prefixes = [
      "SR": "State Route", "SH": "State Highway", "STH": "State Highway", "CR": "County Road",
      "CH": "County Highway", "CTH": "County Highway", "CSAH": "County Road",
      "FM": "Farm to Market Road", "RM": "Ranch to Market Road",
    ]
    for state in highways.split(separator: " ") { prefixes[String(state)] = "State Highway" }
    for state in routes.split(whereSeparator: { $0 == " " || $0 == "\n" }) {
      prefixes[String(state)] = "State Route"
    }
    return prefixes
  }()

  private static let roads = [
    "rd": "Road", "ave": "Avenue", "av": "Avenue", "blvd": "Boulevard", "hwy": "Highway",
    "pkwy": "Parkway", "expy": "Expressway", "fwy": "Freeway", "tpke": "Turnpike",
    "thwy": "Thruway", "cswy": "Causeway", "xing": "Crossing", "plz": "Plaza",
    "rte": "Route",
  ]

  /// Abbreviations that mean a road only at the end of a name.
  private static let streets = [
    "st": "Street", "dr": "Drive", "ln": "Lane", "ct": "Court", "pl": "Place", "sq": "Square",
    "ter": "Terrace", "cir": "Circle", "trl": "Trail", "cres": "Crescent", "gdns": "Gardens",
    "cl": "Close", "cv": "Cove", "aly": "Alley",
  ]
}
