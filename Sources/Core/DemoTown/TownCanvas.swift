import Geodesy
import MapMaking

/// The canvas of the town: metres east and north of its middle become OSM objects.
struct TownCanvas {
  private let plane: LocalPlane
  private(set) var data = OSMData()
  private var placeOf: [Int64: PlanePoint] = [:]
  private var indexOf: [Int64: Int] = [:]

  init(origin: Coordinate) { plane = LocalPlane(origin: origin) }

  /// Adds a node and returns its id.
  mutating func node(_ eastM: Double, _ northM: Double, _ tags: OSMTags = [:]) -> Int64 {
    let id = Int64(data.nodes.count + 1)
    let point = PlanePoint(eastM: eastM, northM: northM)
    let place = plane.coordinate(point)
    placeOf[id] = point
    indexOf[id] = data.nodes.count
    data.nodes.append(
      OSMNode(
        id: id, latitudeE7: Int32((place.latitudeDeg * 1e7).rounded()),
        longitudeE7: Int32((place.longitudeDeg * 1e7).rounded()), tags: tags))
    return id
  }

  func point(_ node: Int64) -> PlanePoint { placeOf[node] ?? PlanePoint(eastM: 0, northM: 0) }

  func coordinate(_ node: Int64) -> Coordinate { plane.coordinate(point(node)) }

  /// Puts a tag on a node.
  mutating func tag(_ node: Int64, _ key: String, _ value: String) {
    if let index = indexOf[node] { data.nodes[index].tags[key] = value }
  }

  /// Adds a way and returns its id.
  @discardableResult
  mutating func way(_ nodes: [Int64], _ tags: OSMTags) -> Int64 {
    let id = Int64(data.ways.count + 1)
    data.ways.append(OSMWay(id: id, nodes: nodes, tags: tags))
    return id
  }

  /// Adds a restriction over ways and the node or way between them, always or under a condition.
  mutating func restriction(
    _ word: String, from: Int64, via: OSMMember, to: Int64, when: String? = nil
  ) {
    let rule = when.map { ("restriction:conditional", "\(word) @ (\($0))") }
    let (key, value) = rule ?? ("restriction", word)
    data.relations.append(
      OSMRelation(
        id: Int64(data.relations.count + 1),
        members: [OSMMember(.way, from, role: "from"), via, OSMMember(.way, to, role: "to")],
        tags: OSMTags([
          OSMTags.Tag(key: "type", value: "restriction"), OSMTags.Tag(key: key, value: value),
        ])))
  }

  /// Nodes between two nodes on a gentle arc; `bulge` is its maximum distance from the chord as a
  /// share of the chord.
  ///
  /// Positive values bulge to the left.
  mutating func arc(_ from: Int64, _ to: Int64, bulge: Double, points: Int) -> [Int64] {
    let (a, b) = (point(from), point(to))
    let (e, n) = (b.eastM - a.eastM, b.northM - a.northM)
    return (1...max(1, points)).map { k in
      let t = Double(k) / Double(points + 1)
      let height = 4 * bulge * t * (1 - t)
      return node(a.eastM + t * e - height * n, a.northM + t * n + height * e)
    }
  }

  /// Adds a ring of nodes, counter-clockwise from the east, as a roundabout, and returns the ring.
  mutating func roundabout(
    _ eastM: Double, _ northM: Double, radiusM: Double, nodes count: Int, _ tags: OSMTags
  ) -> [Int64] {
    let ring = (0..<count).map { k in
      let turn = TownCanvas.circle(Double(k) / Double(count))
      return node(eastM + radiusM * turn.cosine, northM + radiusM * turn.sine)
    }
    var tags = tags
    tags["junction"] = "roundabout"
    way(ring + ring.prefix(1), tags)
    return ring
  }

  /// The node of a ring that lies nearest to another node.
  func nearest(_ ring: [Int64], to node: Int64) -> Int64 {
    nearest(ring, point(node))
  }

  /// The node of a ring that lies nearest to a place.
  func nearest(_ ring: [Int64], _ target: PlanePoint) -> Int64 {
    ring.min {
      (point($0).distanceM(to: target), $0) < (point($1).distanceM(to: target), $1)
    } ?? 0
  }
}
