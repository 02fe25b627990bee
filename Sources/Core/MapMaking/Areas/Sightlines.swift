import Geodesy
import RoadGraph

/// The lines of sight across a polygon with holes.
struct Sightlines {
  private struct Point {
    var x: Double
    var y: Double
  }

  /// Closed rings without their last node: borders, then holes.
  private let rings: [[Int64]]
  private let holeCount: Int
  private var places: [Int64: Point] = [:]
  private var neighbours: Set<Pair> = []

  private struct Pair: Hashable {
    var low: Int64
    var high: Int64

    init(_ a: Int64, _ b: Int64) { (low, high) = (min(a, b), max(a, b)) }
  }

  /// Paths lead around larger areas, since each sight check takes as many steps as the border has
  /// nodes.
  private static let mostNodes = 1000
  private static let mostEntrances = 16
  private static let mostCorners = 8

  /// nil if the border does not close, lacks nodes, or has too many.
  init?(rings outer: [[Int64]], holes: [[Int64]], _ table: NodeTable) {
    guard !outer.isEmpty else { return nil }
    rings = (outer + holes).map { Array($0.dropLast()) }
    holeCount = holes.count
    guard rings.reduce(0, { $0 + $1.count }) <= Self.mostNodes else { return nil }
    guard let first = table.index(of: outer[0][0]), table.isKnown(first) else { return nil }
    let origin = Coordinate(
      latitudeDeg: Double(table.latitude[first]) / 1e7,
      longitudeDeg: Double(table.longitude[first]) / 1e7)
    let plane = FixedPlane(LocalPlane(origin: origin))
    for ring in rings {
      for node in ring {
        guard let index = table.index(of: node), table.isKnown(index) else { return nil }
        let point = plane.point(table.latitude[index], table.longitude[index])
        places[node] = Point(x: point.eastM, y: point.northM)
      }
      for (a, b) in zip(ring, ring.dropFirst() + ring.prefix(1)) { neighbours.insert(Pair(a, b)) }
    }
  }

  /// Pairs of nodes that see each other: entrances, and if not all of them do, the corners in
  /// between.
  func lines(between entrances: [(id: Int64, isStrong: Bool)]) -> [(Int64, Int64)] {
    let ends = Self.fewer(entrances)
    guard ends.count > 1 else { return [] }
    let direct = sights(ends, from: 0)
    let all = ends.count * (ends.count - 1) / 2
    let known = direct.count + pairs(ends).filter { neighbours.contains(Pair($0, $1)) }.count
    guard known < all else { return thinned(direct) }
    let corners = Array(corners().filter { !ends.contains($0) }.prefix(Self.mostCorners))
    return thinned(direct + sights(ends + corners, from: ends.count))
  }

  /// The lines without which a path across would be longer by a quarter or more: a greedy spanner.
  ///
  /// I. Althöfer et al., "On sparse spanners of weighted graphs", Discrete Comput. Geom. 9 (1993).
  private func thinned(_ lines: [(Int64, Int64)]) -> [(Int64, Int64)] {
    let sorted = lines.map { (lengthM($0.0, $0.1), $0) }
      .sorted { ($0.0, $0.1.0, $0.1.1) < ($1.0, $1.1.0, $1.1.1) }
    var next: [Int64: [(node: Int64, lengthM: Double)]] = [:]
    func join(_ a: Int64, _ b: Int64) {
      next[a, default: []].append((b, lengthM(a, b)))
      next[b, default: []].append((a, lengthM(a, b)))
    }
    for ring in rings {
      for (a, b) in zip(ring, ring.dropFirst() + ring.prefix(1)) { join(a, b) }
    }
    var kept: [(Int64, Int64)] = []
    for (direct, line) in sorted
    where !Self.joins(line.0, line.1, withinM: 1.25 * direct, next) {
      join(line.0, line.1)
      kept.append(line)
    }
    return kept
  }

  private func lengthM(_ a: Int64, _ b: Int64) -> Double {
    guard let p = places[a], let q = places[b] else { return 0 }
    return ((p.x - q.x) * (p.x - q.x) + (p.y - q.y) * (p.y - q.y)).squareRoot()
  }

  /// Whether known lines lead from one node to another within a length.
  private static func joins(
    _ from: Int64, _ to: Int64, withinM mostM: Double,
    _ next: [Int64: [(node: Int64, lengthM: Double)]]
  ) -> Bool {
    var best: [Int64: Double] = [from: 0]
    var open: [(lengthM: Double, node: Int64)] = [(0, from)]
    while let k = open.indices.min(by: { open[$0] < open[$1] }) {
      let (lengthM, node) = open.remove(at: k)
      if node == to { return true }
      guard lengthM <= best[node] ?? .infinity else { continue }
      for step in next[node] ?? [] {
        let sum = lengthM + step.lengthM
        guard sum <= mostM, sum < best[step.node] ?? .infinity else { continue }
        best[step.node] = sum
        open.append((sum, step.node))
      }
    }
    return false
  }

  private static func fewer(_ entrances: [(id: Int64, isStrong: Bool)]) -> [Int64] {
    if entrances.count <= mostEntrances { return entrances.map(\.id) }
    let strong = entrances.filter(\.isStrong).map(\.id)
    let step = (strong.count + mostEntrances - 1) / mostEntrances
    return strong.enumerated().filter { $0.offset % max(1, step) == 0 }.map(\.element)
  }

  private func pairs(_ nodes: [Int64]) -> [(Int64, Int64)] {
    nodes.indices.flatMap { k in nodes[(k + 1)...].map { (nodes[k], $0) } }
  }

  /// The pairs that see each other, where the second is `nodes[first]` or a later one.
  private func sights(_ nodes: [Int64], from first: Int) -> [(Int64, Int64)] {
    var found: [(Int64, Int64)] = []
    for later in max(1, first)..<max(1, nodes.count) {
      for earlier in 0..<later where sees(nodes[earlier], nodes[later]) {
        found.append((nodes[earlier], nodes[later]))
      }
    }
    return found
  }

  /// Corners that protrude into the area: those of the border that turn outwards, and all of holes.
  private func corners() -> [Int64] {
    var found: [Int64] = []
    for (number, ring) in rings.enumerated() {
      let isHole = number >= rings.count - holeCount
      let isLeft = (area(ring) > 0) != isHole
      for k in ring.indices {
        let (a, b, c) = (
          ring[(k + ring.count - 1) % ring.count], ring[k], ring[(k + 1) % ring.count]
        )
        guard let p = places[a], let q = places[b], let r = places[c] else { continue }
        let turn = Self.side(p, q, r)
        if isLeft ? turn < -0.01 : turn > 0.01 { found.append(b) }
      }
    }
    return found
  }

  private func area(_ ring: [Int64]) -> Double {
    let points = ring.compactMap { places[$0] }
    return zip(points, points.dropFirst() + points.prefix(1)).reduce(0) { sum, step in
      sum + step.0.x * step.1.y - step.1.x * step.0.y
    }
  }

  // MARK: Sight

  private func sees(_ a: Int64, _ b: Int64) -> Bool {
    guard a != b, !neighbours.contains(Pair(a, b)), let p = places[a], let q = places[b] else {
      return false
    }
    for ring in rings {
      for k in ring.indices {
        let (u, v) = (ring[k], ring[(k + 1) % ring.count])
        if u == a || u == b || v == a || v == b { continue }
        guard let r = places[u], let s = places[v] else { continue }
        let crosses =
          Self.side(p, q, r) * Self.side(p, q, s) < 0 && Self.side(r, s, p) * Self.side(r, s, q) < 0
        if crosses { return false }
      }
    }
    // A line that crosses no border lies entirely inside or outside, apart from corners that it
    // touches.
    return [0.25, 0.5, 0.75].allSatisfy { share in
      isInside(Point(x: p.x + share * (q.x - p.x), y: p.y + share * (q.y - p.y)))
    }
  }

  /// Twice the area of a triangle, positive if it turns left.
  private static func side(_ a: Point, _ b: Point, _ c: Point) -> Double {
    (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
  }

  /// Whether a ray from a point meets the rings an odd number of times.
  private func isInside(_ point: Point) -> Bool {
    var isInside = false
    for ring in rings {
      for k in ring.indices {
        guard let a = places[ring[k]], let b = places[ring[(k + 1) % ring.count]] else { continue }
        guard (a.y > point.y) != (b.y > point.y) else { continue }
        if point.x < (b.x - a.x) * (point.y - a.y) / (b.y - a.y) + a.x { isInside.toggle() }
      }
    }
    return isInside
  }
}
