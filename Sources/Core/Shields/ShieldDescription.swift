import RoadNumbering

/// The description of a shield for screen readers.
enum ShieldDescription {
  /// `Interstate 80 East`; the plain number if the network has no name of its own.
  static func words(_ shield: ResolvedShield) -> String {
    let text = shield.text
    var words =
      (shield.network.flatMap { name($0, text: text, state: shield.state) }) ?? shield.plain
    if let direction = shield.direction {
      words += " " + direction.prefix(1).uppercased() + direction.dropFirst()
    }
    return words
  }

  private static func name(_ network: String, text: String, state: String?) -> String? {
    if let name = names[network] { return "\(name) \(text)" }
    let words = network.split(separator: ":").map(String.init)
    if words.count >= 2, words[0] == "US" {
      if words.count > 2 { return "County Route \(text)" }
      if words[1] == "state" { return "State Route \(text)" }
      return states[words[1]].map { "\($0) State Route \(text)" }
    }
    if words.count >= 2, words[0] == "CA" {
      let isOfState = words[1] == "provincial"
      let province = isOfState ? state.map { String($0.dropFirst(3)) } : words[1]
      return province.flatMap { provinces[$0] }.map { "\($0) Highway \(text)" } ?? "Highway \(text)"
    }
    return nil
  }

  private static let names: [String: String] = [
    "US:I": "Interstate", "US:I:Business": "Interstate Business", "US:US": "US Route",
    "US:county": "County Route", "US:FS": "Forest Route", "US:TX:FM": "Texas Farm to Market Road",
    "US:TX:Loop": "Texas Loop", "US:TX:Spur": "Texas Spur",
    "CA:transcanada": "Trans-Canada Highway", "CA:QC:A": "Autoroute", "CA:QC:R": "Quebec Route",
    "MX:MEX": "Mexican Federal Highway", "DE:A": "Autobahn", "DE:B": "Bundesstraße",
    "CH:A": "Autobahn", "CH:H": "Hauptstrasse", "AT:A": "Autobahn", "AT:S": "Schnellstraße",
    "NZ:SH": "State Highway", "JP:national": "National Route", "JP:prefectural": "Prefectural Road",
    "KR:expressway": "Expressway", "KR:national": "National Route", "e-road": "European route",
    "PL:DK": "Droga krajowa", "PL:DW": "Droga wojewódzka", "SE:national": "Riksväg",
    "SE:county": "Länsväg", "NO:riksvei": "Riksvei", "NO:fylkesvei": "Fylkesvei",
    "DK:primary": "Rute", "DK:secondary": "Rute", "FI:main": "Valtatie", "FI:trunk": "Kantatie",
    "FI:regional": "Seututie", "CZ:I": "Silnice", "CZ:II": "Silnice", "IN:NH": "National Highway",
    "ZA:N": "National Route", "CN:expressway": "Expressway",
    "CN:S:expressway": "Provincial Expressway", "CN:G": "National Highway",
    "CN:S": "Provincial Road", "AU:route": "Route",
  ]

  private static let states: [String: String] = [
    "AL": "Alabama", "AK": "Alaska", "AZ": "Arizona", "AR": "Arkansas", "CA": "California",
    "CO": "Colorado", "CT": "Connecticut", "DE": "Delaware", "DC": "District of Columbia",
    "FL": "Florida", "GA": "Georgia", "HI": "Hawaii", "ID": "Idaho", "IL": "Illinois",
    "IN": "Indiana", "IA": "Iowa", "KS": "Kansas", "KY": "Kentucky", "LA": "Louisiana",
    "ME": "Maine", "MD": "Maryland", "MA": "Massachusetts", "MI": "Michigan", "MN": "Minnesota",
    "MS": "Mississippi", "MO": "Missouri", "MT": "Montana", "NE": "Nebraska", "NV": "Nevada",
    "NH": "New Hampshire", "NJ": "New Jersey", "NM": "New Mexico", "NY": "New York",
    "NC": "North Carolina", "ND": "North Dakota", "OH": "Ohio", "OK": "Oklahoma", "OR": "Oregon",
    "PA": "Pennsylvania", "PR": "Puerto Rico", "RI": "Rhode Island", "SC": "South Carolina",
    "SD": "South Dakota", "TN": "Tennessee", "TX": "Texas", "UT": "Utah", "VT": "Vermont",
    "VA": "Virginia", "WA": "Washington", "WV": "West Virginia", "WI": "Wisconsin", "WY": "Wyoming",
  ]

  private static let provinces: [String: String] = [
    "AB": "Alberta", "BC": "British Columbia", "MB": "Manitoba", "NB": "New Brunswick",
    "NL": "Newfoundland and Labrador", "NS": "Nova Scotia", "NT": "Northwest Territories",
    "NU": "Nunavut", "ON": "Ontario", "PE": "Prince Edward Island", "QC": "Quebec",
    "SK": "Saskatchewan", "YT": "Yukon",
  ]
}
