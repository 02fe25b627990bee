import Geodesy
import MapMaking

extension TownMaker {
  /// Named places; each is next to a street, except for the cabin.
  mutating func buildPlaces() {
    // Next to the middle of blocks of arterials and collectors, which exist for every seed.
    beside("home", "Home", (0, 7), (0, 8), ["place": "house"], leftM: 14)
    beside("office", "Office", (24, 12), (24, 13), ["office": "company"], leftM: 14)
    beside("station", "Central Station", (12, 11), (12, 12), ["railway": "station"], leftM: -15)
    beside("town_hall", "Town Hall", (12, 9), (12, 10), ["amenity": "townhall"], leftM: 15)
    beside("mall", "Southgate Mall", (18, 2), (18, 3), ["shop": "mall"], leftM: -14)
    beside("hospital", "Ashfield Hospital", (6, 15), (6, 16), ["amenity": "hospital"], leftM: 14)
    beside("stadium", "Meadow Stadium", (18, 16), (18, 17), ["leisure": "stadium"], leftM: 14)
    beside("market", "Market Hall", (8, 10), (9, 10), ["amenity": "marketplace"], leftM: -16)
    place("school", "Mill School", -812, -308, ["amenity": "school"])
    place("harbour", "Harbour", 1620, -1790, ["place": "locality"])
    place("docks", "Docks", 380, -1765, ["place": "locality"])
    place("ferry", "Ferry Pier", 1885, -1940, ["amenity": "ferry_terminal"])
    place("island", "Isle Inn", 3085, -2495, ["tourism": "hotel"])
    place("village", "Westmark Village", -2700, 25, ["place": "village"])
    place("farm", "Northern Farm", 900, 1815, ["place": "farm"])
    place("cabin", "Old Cabin", -2950, -1900, ["tourism": "wilderness_hut"])
  }

  private mutating func place(
    _ key: String, _ name: String, _ eastM: Double, _ northM: Double, _ tags: OSMTags
  ) {
    var tags = tags
    tags["name"] = name
    let node = canvas.node(eastM, northM, tags)
    places.append(TownPlace(key: key, name: name, coordinate: canvas.coordinate(node)))
  }

  private mutating func beside(
    _ key: String, _ name: String, _ from: (Int, Int), _ to: (Int, Int), _ tags: OSMTags,
    leftM: Double
  ) {
    let a = canvas.point(grid.crossing[from.0][from.1])
    let b = canvas.point(grid.crossing[to.0][to.1])
    let length = a.distanceM(to: b)
    let (e, n) = ((b.eastM - a.eastM) / length, (b.northM - a.northM) / length)
    place(
      key, name, (a.eastM + b.eastM) / 2 - leftM * n, (a.northM + b.northM) / 2 + leftM * e, tags)
  }
}
