/// The sea of a tile, made of the coastlines in it.
///
/// A coastline has the sea on its right. Within the tile's box each part of a coastline is followed
/// to its end, then the box's sides clockwise to the beginning of the next part, until the ring is
/// closed: what it encloses is sea. Closed coastlines are islands, or inland seas.
struct SeaPolygons {
  private let low: Double
  private let high: Double
  private var side: Double { high - low }

  /// For the box from `low` to `high` in both directions.
  init(from low: Double, to high: Double) {
    self.low = low
    self.high = high
  }

  /// The polygons, each its outer ring and then its holes; empty if there is no sea.
  ///
  /// n log n in the points. `coastlines` may extend beyond the box; a closed one repeats its first
  /// point. Nil if no coastline meets the box, which is then all sea or all land.
  func polygons(_ coastlines: [[TilePoint]]) -> [[[TilePoint]]]? {
    var parts: [[TilePoint]] = []
    var rings: [[TilePoint]] = []
    var isMet = false
    for line in coastlines {
      let opened = Self.beginningOutside(line, low, high)
      for part in TileLine.clipped(opened, from: low, to: high) {
        isMet = true
        if part.first == part.last {
          // A rock may be simplified to less than a triangle.
          if part.count > 3 { rings.append(Array(part.dropLast())) }
        } else {
          parts.append(reachingSides(part))
        }
      }
    }
    // Of rocks too small to be seen the sea around them is left.
    guard !parts.isEmpty || !rings.isEmpty else { return isMet ? [[corners]] : nil }
    // On the screen y points down, so land to the left of its coastline turns anticlockwise.
    let islands = rings.filter { TileRing.doubledArea($0) < 0 }
    var outers = rings.filter { TileRing.doubledArea($0) > 0 } + joined(parts)
    let alone = islands.filter { island in
      !outers.contains { outer in TileRing.contains(outer, island[0]) }
    }
    if !alone.isEmpty, parts.isEmpty { outers.append(corners) }
    return outers.map { outer in
      [outer] + islands.filter { TileRing.contains(outer, $0[0]) }
    }
  }

  /// The whole box.
  var corners: [TilePoint] {
    [
      TilePoint(x: low, y: low), TilePoint(x: high, y: low), TilePoint(x: high, y: high),
      TilePoint(x: low, y: high),
    ]
  }

  /// A closed line that begins inside the box would be cut at its beginning, so it is turned until it
  /// begins outside; others stay as they are.
  private static func beginningOutside(
    _ line: [TilePoint], _ low: Double, _ high: Double
  ) -> [TilePoint] {
    guard line.count > 3, line.first == line.last else { return line }
    let range = low...high
    func isInside(_ point: TilePoint) -> Bool { range ~= point.x && range ~= point.y }
    guard isInside(line[0]), let start = line.firstIndex(where: { !isInside($0) }) else {
      return line
    }
    return Array(line[start...]) + line[1...start]
  }

  /// A part whose ends lie inside the box, as where the data end, extended to the nearest sides.
  private func reachingSides(_ part: [TilePoint]) -> [TilePoint] {
    guard let first = part.first, let last = part.last else { return part }
    var extended = part
    if let end = nearestOnSide(last) { extended.append(end) }
    if let start = nearestOnSide(first) { extended.insert(start, at: 0) }
    return extended
  }

  /// The nearest point on the box's sides; nil for a point that lies on one.
  private func nearestOnSide(_ point: TilePoint) -> TilePoint? {
    let distances = [point.y - low, high - point.x, high - point.y, point.x - low]
    guard let nearest = distances.min(), nearest > 1e-6 else { return nil }
    switch distances.firstIndex(of: nearest) {
    case 0: return TilePoint(x: point.x, y: low)
    case 1: return TilePoint(x: high, y: point.y)
    case 2: return TilePoint(x: point.x, y: high)
    default: return TilePoint(x: low, y: point.y)
    }
  }

  /// The distance along the sides, clockwise on the screen from the north-west corner.
  private func alongSides(_ point: TilePoint) -> Double {
    let distances = [point.y - low, high - point.x, high - point.y, point.x - low]
    switch distances.firstIndex(of: distances.min() ?? 0) {
    case 0: return point.x - low
    case 1: return side + point.y - low
    case 2: return 2 * side + high - point.x
    default: return 3 * side + high - point.y
    }
  }

  /// Joins parts of coastlines along the sides into rings with the sea on their right.
  private func joined(_ parts: [[TilePoint]]) -> [[TilePoint]] {
    let starts = parts.indices.map { (at: alongSides(parts[$0][0]), part: $0) }
      .sorted { ($0.at, $0.part) < ($1.at, $1.part) }
    var isUsed = [Bool](repeating: false, count: parts.count)
    var rings: [[TilePoint]] = []
    for first in parts.indices where !isUsed[first] {
      var ring: [TilePoint] = []
      var current = first
      while !isUsed[current] {
        isUsed[current] = true
        ring += parts[current]
        let end = alongSides(parts[current][parts[current].count - 1])
        let next = nextStart(after: end, starts)
        ring += cornersPassed(from: end, to: next.at)
        current = next.part
      }
      rings.append(ring)
    }
    return rings
  }

  /// The first beginning at or after `end`, clockwise.
  private func nextStart(
    after end: Double, _ starts: [(at: Double, part: Int)]
  ) -> (at: Double, part: Int) {
    var (first, last) = (0, starts.count)
    while first < last {
      let middle = (first + last) / 2
      if starts[middle].at < end { first = middle + 1 } else { last = middle }
    }
    return starts[first == starts.count ? 0 : first]
  }

  private func cornersPassed(from start: Double, to given: Double) -> [TilePoint] {
    let end = given < start ? given + 4 * side : given
    return (1...8).filter { start < Double($0) * side && Double($0) * side < end }
      .map { corners[$0 % 4] }
  }
}
