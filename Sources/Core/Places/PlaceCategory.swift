/// The purpose of a place; a map has one icon for each category.
///
/// The order is that of importance to a driver: where there is room for one of two labels, and
/// where two places match a search equally well, the earlier category comes first.
public enum PlaceCategory: String, Hashable, Sendable, CaseIterable, Comparable {
  case settlement
  case district
  /// Railway stations, airports and ferry terminals.
  case station
  /// Hospitals, doctors, pharmacies, police and fire stations.
  case health
  case fuel
  case charging
  case parking
  case sight
  case lodging
  case food
  case shop
  case leisure
  case office
  case other
  /// Stops of trams and buses.
  case stop

  /// The category of a kind of place, which is the value of its OSM tag.
  ///
  /// Source: the pages of these values at https://wiki.openstreetmap.org/wiki/Map_features.
  public init(kind: String) {
    self = Self.categories[kind] ?? .other
  }

  /// 0 for the most important category.
  public var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }

  public static func < (a: Self, b: Self) -> Bool { a.rank < b.rank }

  private static let kinds: [(Self, [String])] = [
    (
      .settlement,
      ["country", "state", "region", "province", "city", "town", "village", "hamlet", "island"]
    ),
    (
      .district,
      [
        "suburb", "borough", "quarter", "neighbourhood", "city_block", "isolated_dwelling", "farm",
        "locality", "islet", "square",
      ]
    ),
    (.station, ["station", "halt", "aerodrome", "terminal", "ferry_terminal", "bus_station"]),
    (
      .health,
      [
        "hospital", "clinic", "doctors", "doctor", "dentist", "pharmacy", "veterinary", "police",
        "fire_station", "emergency",
      ]
    ),
    (.fuel, ["fuel"]),
    (.charging, ["charging_station"]),
    (
      .parking,
      ["parking", "parking_entrance", "rest_area", "bicycle_parking", "motorcycle_parking"]
    ),
    (
      .sight,
      [
        "attraction", "museum", "castle", "monument", "memorial", "viewpoint", "gallery", "zoo",
        "theme_park", "ruins", "archaeological_site", "place_of_worship", "theatre", "artwork",
        "aquarium", "fort", "church", "tower", "fountain",
      ]
    ),
    (
      .lodging,
      [
        "hotel", "hostel", "guest_house", "motel", "camp_site", "caravan_site", "apartment",
        "chalet", "alpine_hut", "wilderness_hut",
      ]
    ),
    (
      .food,
      ["restaurant", "cafe", "fast_food", "bar", "pub", "biergarten", "food_court", "ice_cream"]
    ),
    (
      .shop,
      [
        "supermarket", "convenience", "bakery", "mall", "department_store", "kiosk", "butcher",
        "clothes", "chemist", "hairdresser", "books", "florist", "shoes", "electronics",
        "furniture",
        "hardware", "doityourself", "car_repair", "car", "bicycle", "optician", "jewelry", "gift",
        "marketplace", "beauty", "sports", "toys", "mobile_phone", "stationery", "greengrocer",
        "alcohol", "beverages", "pastry", "variety_store", "car_parts", "travel_agency",
      ]
    ),
    (
      .leisure,
      [
        "park", "playground", "sports_centre", "pitch", "swimming_pool", "stadium", "garden",
        "marina", "fitness_centre", "golf_course", "nature_reserve", "cinema", "nightclub",
        "community_centre", "library", "dance", "water_park", "picnic_site",
      ]
    ),
    (
      .office,
      [
        "townhall", "courthouse", "post_office", "bank", "embassy", "school", "university",
        "college", "kindergarten", "government", "company", "lawyer", "insurance", "estate_agent",
        "tax_advisor", "ngo", "association",
      ]
    ),
    (
      .stop, ["tram_stop", "bus_stop", "stop_position", "platform", "stop_area", "subway_entrance"]
    ),
  ]

  private static let categories: [String: Self] = {
    var found: [String: Self] = [:]
    for (category, words) in kinds {
      for word in words { found[word] = category }
    }
    return found
  }()
}
