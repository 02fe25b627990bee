/// A point in tile units, from the tile's north-west corner.
public struct TilePoint: Hashable, Sendable {
  public var x: Double
  public var y: Double
}

enum TileLine {
  /// The simplified line, without points that lie within `tolerance` of what remains.
  ///
  /// D. Douglas and T. Peucker, "Algorithms for the reduction of the number of points required to
  /// represent a digitized line or its caricature", Cartographica 10 (1973). Quadratic at worst,
  /// which is why lines are joined to `TileRules.joinLimit` points at most.
  static func simplified(_ points: [TilePoint], tolerance: Double) -> [TilePoint] {
    guard points.count > 2, tolerance > 0 else { return points }
    var keeps = [Bool](repeating: false, count: points.count)
    keeps[0] = true
    keeps[points.count - 1] = true
    var open = [(0, points.count - 1)]
    while let (first, last) = open.popLast() {
      var farthest = (index: -1, squared: tolerance * tolerance)
      for index in (first + 1)..<max(last, first + 1) {
        let squared = squaredDistance(points[index], from: points[first], to: points[last])
        if squared > farthest.squared { farthest = (index, squared) }
      }
      guard farthest.index > 0 else { continue }
      keeps[farthest.index] = true
      open.append((first, farthest.index))
      open.append((farthest.index, last))
    }
    return points.indices.filter { keeps[$0] }.map { points[$0] }
  }

  /// The parts of the line inside the box from `low` to `high`; linear in the points.
  static func clipped(_ points: [TilePoint], from low: Double, to high: Double) -> [[TilePoint]] {
    var parts: [[TilePoint]] = []
    var part: [TilePoint] = []
    for (a, b) in zip(points, points.dropFirst()) {
      guard let (entry, exit) = crossing(a, b, low, high) else {
        if part.count > 1 { parts.append(part) }
        part = []
        continue
      }
      if part.last != entry {
        if part.count > 1 { parts.append(part) }
        part = [entry]
      }
      part.append(exit)
      if exit != b {
        parts.append(part)
        part = []
      }
    }
    if part.count > 1 { parts.append(part) }
    return parts
  }

  /// The part of a segment inside the box, by Liang and Barsky (1984); nil outside.
  private static func crossing(
    _ a: TilePoint, _ b: TilePoint, _ low: Double, _ high: Double
  ) -> (TilePoint, TilePoint)? {
    let dx = b.x - a.x
    let dy = b.y - a.y
    var enter = 0.0
    var leave = 1.0
    for (slope, room) in [(-dx, a.x - low), (dx, high - a.x), (-dy, a.y - low), (dy, high - a.y)] {
      if slope == 0 {
        if room < 0 { return nil }
      } else if slope < 0 {
        enter = max(enter, room / slope)
      } else {
        leave = min(leave, room / slope)
      }
    }
    guard enter <= leave else { return nil }
    func at(_ fraction: Double) -> TilePoint {
      TilePoint(x: a.x + fraction * dx, y: a.y + fraction * dy)
    }
    return (enter == 0 ? a : at(enter), leave == 1 ? b : at(leave))
  }

  private static func squaredDistance(
    _ point: TilePoint, from a: TilePoint, to b: TilePoint
  ) -> Double {
    let dx = b.x - a.x
    let dy = b.y - a.y
    let square = dx * dx + dy * dy
    let along =
      square == 0 ? 0 : min(max(((point.x - a.x) * dx + (point.y - a.y) * dy) / square, 0), 1)
    let ex = a.x + along * dx - point.x
    let ey = a.y + along * dy - point.y
    return ex * ex + ey * ey
  }
}
