import RoadGraph

/// Countries, states and low-emission zones by the boundaries in the data.
///
/// Boundaries that do not close, as in extracts, enclose nothing and are left out.
struct RegionMaker {
  /// A country or a state.
  struct Region {
    /// As `admin_level`, or `zoneLevel`.
    var level: Int
    /// ISO 3166-1 letters, the state's name, or that of the zone.
    var code: String
    /// Closed rings of node ids.
    var rings: [[Int64]] = []
  }

  private var lines: [Int64: [Int64]] = [:]
  private var relations: [(level: Int, code: String, ways: [Int64])] = []
  private(set) var regions: [Region] = []

  /// Whether a relation has members that are no boundaries themselves.
  var namesRoads: Bool { relations.contains { $0.ways.contains { lines[$0] == nil } } }

  var references: [Int64] { regions.flatMap { $0.rings.flatMap { $0 } } }

  /// Beyond all administrative levels: low-emission zones.
  static let zoneLevel = 100
  private static let zone = "low_emission_zone"

  /// Takes a way that is nothing but a boundary; false for others.
  mutating func add(_ way: OSMWay) -> Bool {
    let boundary = way.tags["boundary"]
    guard boundary == "administrative" || boundary == Self.zone, way.tags["highway"] == nil,
      way.tags["route"] == nil
    else { return false }
    lines[way.id] = way.nodes
    if let (level, code) = Self.region(way.tags), way.nodes.first == way.nodes.last {
      regions.append(Region(level: level, code: code, rings: [way.nodes]))
    }
    return true
  }

  mutating func add(_ relation: OSMRelation) {
    guard let (level, code) = Self.region(relation.tags) else { return }
    let ways = relation.members.filter { $0.kind == .way && $0.role != "inner" }.map(\.id)
    relations.append((level, code, ways))
  }

  private static func region(_ tags: OSMTags) -> (Int, String)? {
    if tags["boundary"] == zone { return (zoneLevel, tags["name"] ?? zone) }
    guard tags["boundary"] == "administrative" else { return nil }
    switch tags["admin_level"] {
    case "2":
      let code = tags["ISO3166-1:alpha2"] ?? tags["ISO3166-1"] ?? tags["country_code"]
      return code.flatMap { $0.utf8.count == 2 ? (2, $0.uppercased()) : nil }
    case "4": return tags["name"].map { (4, $0) }
    default: return nil
    }
  }

  /// Joins the ways of each relation to rings; `road` gives the nodes of a way that is a road as well.
  mutating func endWays(road: (Int64) -> [Int64]?) {
    for (level, code, ways) in relations {
      var region = Region(level: level, code: code)
      var open = ways.compactMap { lines[$0] ?? road($0) }.filter { $0.count > 1 }
      while var ring = open.popLast() {
        while ring.first != ring.last, let next = Self.takeNext(after: ring, from: &open) {
          ring += next.dropFirst()
        }
        if ring.first == ring.last { region.rings.append(ring) }
      }
      if !region.rings.isEmpty { regions.append(region) }
    }
    lines = [:]
    relations = []
  }

  private static func takeNext(after ring: [Int64], from open: inout [[Int64]]) -> [Int64]? {
    for (k, line) in open.enumerated() {
      if line.first == ring.last {
        open.remove(at: k)
        return line
      }
      if line.last == ring.last {
        open.remove(at: k)
        return line.reversed()
      }
    }
    return nil
  }
}

/// Tells the country and state of a place.
struct RegionFinder {
  private struct Area {
    var level: Int
    var code: String
    var rings: [[(lat: Int64, lon: Int64)]]
    var south: Int64 = .max
    var north: Int64 = .min
  }

  private var areas: [Area] = []

  var isEmpty: Bool { areas.isEmpty }
  var count: Int { areas.count }

  init(_ maker: RegionMaker, nodes: NodeTable) {
    for region in maker.regions {
      var area = Area(level: region.level, code: region.code, rings: [])
      for ring in region.rings {
        let known = ring.compactMap { nodes.index(of: $0) }.filter { nodes.isKnown($0) }
        guard known.count == ring.count else { continue }
        let points = known.map { (Int64(nodes.latitude[$0]), Int64(nodes.longitude[$0])) }
        for (lat, _) in points {
          area.south = min(area.south, lat)
          area.north = max(area.north, lat)
        }
        area.rings.append(points.map { (lat: $0.0, lon: $0.1) })
      }
      if !area.rings.isEmpty { areas.append(area) }
    }
  }

  /// The code of the region of `level` that encloses a place; nil for none; linear in the boundary.
  func code(level: Int, latitudeE7: Int32, longitudeE7: Int32) -> String? {
    let (lat, lon) = (Int64(latitudeE7), Int64(longitudeE7))
    for area in areas where area.level == level && lat >= area.south && lat <= area.north {
      var isInside = false
      for ring in area.rings {
        for k in ring.indices.dropLast() {
          let (a, b) = (ring[k], ring[k + 1])
          guard (a.lat > lat) != (b.lat > lat) else { continue }
          let crossing =
            Double(b.lon - a.lon) * Double(lat - a.lat) / Double(b.lat - a.lat) + Double(a.lon)
          if Double(lon) < crossing { isInside.toggle() }
        }
      }
      if isInside { return area.code }
    }
    return nil
  }
}
