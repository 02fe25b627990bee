/// The rules by which OSM tags determine the kind of an area or a line, and the height of a building.
///
/// Source: https://wiki.openstreetmap.org/wiki/Map_features.
public enum BaseMapTags {
  /// The kind of an area; nil if it is not drawn.
  ///
  /// `tag` returns the value of a key.
  public static func area(_ tag: (String) -> String?) -> BaseMapKind? {
    if let building = tag("building"), building != "no" { return .building }
    if tag("waterway") == "riverbank" || tag("waterway") == "dock" { return .water }
    if tag("landuse") == "reservoir" || tag("landuse") == "basin" { return .water }
    for (key, kinds) in areas {
      if let value = tag(key), let kind = kinds[value] { return kind }
    }
    return nil
  }

  /// The kind of a line; nil if it is not drawn.
  public static func line(_ tag: (String) -> String?) -> BaseMapKind? {
    if tag("natural") == "coastline" { return .coastline }
    if tag("boundary") == "administrative" {
      if tag("maritime") == "yes" { return nil }
      switch tag("admin_level") {
      case "2": return .countryBorder
      case "4": return .stateBorder
      default: return nil
      }
    }
    if isUnderground(tag) { return nil }
    if let value = tag("waterway") { return waterways[value] }
    if let value = tag("railway") {
      // Sidings and yards would fill the stations with tracks.
      if value == "rail", tag("service") != nil { return nil }
      return railways[value]
    }
    switch tag("aeroway") {
    case "runway": return .runway
    case "taxiway": return .taxiway
    default: return nil
    }
  }

  /// The height of a building in decimetres; 0 if it is unknown.
  public static func heightDM(_ tag: (String) -> String?) -> Int {
    if let metres = tag("height").flatMap(number) { return clamped(metres) }
    if let levels = tag("building:levels").flatMap(number) { return clamped(levels * 3.2) }
    return 0
  }

  private static func clamped(_ metres: Double) -> Int {
    Int((min(max(metres, 0), 1000) * 10).rounded())
  }

  /// The number at the beginning of a text: 12.5 in `12.5 m`.
  private static func number(_ text: String) -> Double? {
    let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    return Double(digits).flatMap { $0.isFinite ? $0 : nil }
  }

  private static func isUnderground(_ tag: (String) -> String?) -> Bool {
    let isTunnel = tag("tunnel").map { $0 != "no" } ?? false
    return isTunnel || tag("covered") == "yes"
  }

  private static let waterways: [String: BaseMapKind] = [
    "river": .river, "canal": .canal, "stream": .stream,
  ]

  private static let railways: [String: BaseMapKind] = [
    "rail": .railway, "narrow_gauge": .railway, "light_rail": .lightRail, "tram": .lightRail,
    "subway": .lightRail, "monorail": .lightRail, "funicular": .lightRail,
  ]

  private static let areas: [(key: String, kinds: [String: BaseMapKind])] = [
    (
      "natural",
      [
        "water": .water, "bay": .water, "wetland": .wetland, "wood": .wood, "glacier": .glacier,
        "grassland": .grass, "heath": .grass, "scrub": .grass, "beach": .sand, "sand": .sand,
        "shingle": .sand,
      ]
    ),
    (
      "landuse",
      [
        "forest": .wood, "grass": .grass, "meadow": .grass, "village_green": .park,
        "recreation_ground": .park, "cemetery": .cemetery, "farmland": .farmland,
        "orchard": .farmland, "vineyard": .farmland, "plant_nursery": .farmland,
        "allotments": .farmland, "residential": .residential, "industrial": .industrial,
        "commercial": .industrial, "retail": .industrial, "railway": .industrial,
        "quarry": .industrial, "landfill": .industrial,
      ]
    ),
    (
      "leisure",
      [
        "park": .park, "garden": .park, "dog_park": .park, "nature_reserve": .wood,
        "golf_course": .grass, "pitch": .sports, "sports_centre": .sports, "stadium": .sports,
        "track": .sports, "playground": .park, "swimming_pool": .water,
      ]
    ),
    (
      "amenity",
      [
        "parking": .parking, "school": .institution, "university": .institution,
        "college": .institution, "hospital": .institution, "kindergarten": .institution,
        "grave_yard": .cemetery,
      ]
    ),
    ("aeroway", ["aerodrome": .airport, "apron": .apron, "runway": .apron]),
    ("tourism", ["zoo": .park, "theme_park": .park, "camp_site": .grass]),
  ]
}
