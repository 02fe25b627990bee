import RoadGraph

/// Countries, states and low-emission zones from the boundaries in the data.
///
/// Boundaries that do not close, as in extracts, enclose nothing and are left out.
struct RegionMaker {
  /// A country or a state.
  struct Region {
    /// The `admin_level`, or `zoneLevel`.
    var level: Int
    /// ISO 3166-1 letters, or the name of the state or zone.
    var code: String
    /// Closed rings of node ids.
    var rings: [[Int64]] = []
    /// Closed rings around enclaves, which do not belong to it.
    var holes: [[Int64]] = []
  }

  private var lines: [Int64: [Int64]] = [:]
  private var relations: [Relation] = []

  private struct Relation {
    var level: Int
    var code: String
    var outer: [Int64]
    var inner: [Int64]
  }

  private(set) var regions: [Region] = []

  /// Members of relations that are not boundaries themselves: roads, or ways missing in an extract.
  var otherMembers: Set<Int64> {
    var others: Set<Int64> = []
    for relation in relations {
      for way in relation.outer + relation.inner where lines[way] == nil { others.insert(way) }
    }
    return others
  }

  var references: [Int64] { regions.flatMap { ($0.rings + $0.holes).flatMap { $0 } } }

  /// A value beyond all administrative levels: low-emission zones.
  static let zoneLevel = 100
  private static let zone = "low_emission_zone"

  /// Adds a way that is only a boundary; returns false for others.
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
    let ways = relation.members.filter { $0.kind == .way }
    relations.append(
      Relation(
        level: level, code: code, outer: ways.filter { $0.role != "inner" }.map(\.id),
        inner: ways.filter { $0.role == "inner" }.map(\.id)))
  }

  private static func region(_ tags: OSMTags) -> (Int, String)? {
    if tags["boundary"] == zone { return (zoneLevel, tags["name"] ?? zone) }
    guard tags["boundary"] == "administrative" else { return nil }
    switch tags["admin_level"] {
    case "2":
      let code = tags["ISO3166-1:alpha2"] ?? tags["ISO3166-1"] ?? tags["country_code"]
      return code.flatMap { $0.utf8.count == 2 ? (2, $0.uppercased()) : nil }
    case "4":
      return tags["name"].map { (4, stateText(name: $0, code: tags["ISO3166-2"])) }
    default: return nil
    }
  }

  /// Name and code of a state in one text, as a map stores them.
  static func stateText(name: String, code: String?) -> String {
    code.map { "\(name)\n\($0)" } ?? name
  }

  /// Joins the ways of each relation to rings; `road` returns the nodes of a way that is also a
  /// road.
  mutating func endWays(road: (Int64) -> [Int64]?) {
    for relation in relations {
      let rings = Self.rings(relation.outer.compactMap { lines[$0] ?? road($0) })
      let holes = Self.rings(relation.inner.compactMap { lines[$0] ?? road($0) })
      if !rings.isEmpty {
        regions.append(
          Region(level: relation.level, code: relation.code, rings: rings, holes: holes))
      }
    }
    lines = [:]
    relations = []
  }

  private static func rings(_ ways: [[Int64]]) -> [[Int64]] {
    var rings: [[Int64]] = []
    var open = ways.filter { $0.count > 1 }
    while var ring = open.popLast() {
      while ring.first != ring.last, let next = removeNext(after: ring, from: &open) {
        ring += next.dropFirst()
      }
      if ring.first == ring.last { rings.append(ring) }
    }
    return rings
  }

  private static func removeNext(after ring: [Int64], from open: inout [[Int64]]) -> [Int64]? {
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

/// Finds the country and state of a place.
struct RegionFinder {
  private struct Area {
    var level: Int
    var code: String
    var rings: [[(lat: Int64, lon: Int64)]]
    var south: Int64 = .max
    var north: Int64 = .min

    /// Whether a place lies within an odd number of rings; linear in the rings.
    func encloses(_ lat: Int64, _ lon: Int64) -> Bool {
      guard lat >= south, lat <= north else { return false }
      var isInside = false
      for ring in rings {
        for k in ring.indices.dropLast() {
          let (a, b) = (ring[k], ring[k + 1])
          guard (a.lat > lat) != (b.lat > lat) else { continue }
          let crossing =
            Double(b.lon - a.lon) * Double(lat - a.lat) / Double(b.lat - a.lat) + Double(a.lon)
          if Double(lon) < crossing { isInside.toggle() }
        }
      }
      return isInside
    }
  }

  private var areas: [Area] = []

  var isEmpty: Bool { areas.isEmpty }
  var count: Int { areas.count }

  init(_ maker: RegionMaker, nodes: NodeTable) {
    for region in maker.regions {
      var area = Area(level: region.level, code: region.code, rings: [])
      for ring in region.rings {
        guard let points = Self.points(ring, nodes) else { continue }
        for point in points {
          area.south = min(area.south, point.lat)
          area.north = max(area.north, point.lat)
        }
        area.rings.append(points)
      }
      // The hole of a ring that did not close would be mistaken for the region.
      let holes = region.holes.compactMap { Self.points($0, nodes) }.filter { hole in
        hole.contains { area.encloses($0.lat, $0.lon) }
      }
      area.rings += holes
      if !area.rings.isEmpty { areas.append(area) }
    }
  }

  /// The places of a ring's nodes; nil if one is unknown.
  private static func points(_ ring: [Int64], _ nodes: NodeTable) -> [(lat: Int64, lon: Int64)]? {
    let known = ring.compactMap { nodes.index(of: $0) }.filter { nodes.isKnown($0) }
    guard known.count == ring.count else { return nil }
    return known.map { (lat: Int64(nodes.latitude[$0]), lon: Int64(nodes.longitude[$0])) }
  }

  /// The code of the region of `level` that encloses a place; nil for none; linear in the boundary.
  func code(level: Int, latitudeE7: Int32, longitudeE7: Int32) -> String? {
    let (lat, lon) = (Int64(latitudeE7), Int64(longitudeE7))
    return areas.first { $0.level == level && $0.encloses(lat, lon) }?.code
  }
}
