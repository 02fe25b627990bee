/// Rings of polygons in tile units: clipped, simplified, measured.
enum TileRing {
  /// The part of a ring inside the box from `low` to `high`; empty if there is none.
  ///
  /// I. E. Sutherland and G. W. Hodgman, "Reentrant polygon clipping", Communications of the ACM 17
  /// (1974), DOI 10.1145/360767.360802. Parts of one ring stay connected along the box's sides,
  /// which lie beyond what is seen. Linear in the points.
  static func clipped(_ ring: [TilePoint], from low: Double, to high: Double) -> [TilePoint] {
    var points = ring
    for side in [Side.left(low), .right(high), .top(low), .bottom(high)] {
      guard points.count > 2 else { return [] }
      points = side.clipped(points)
    }
    return points.count > 2 ? points : []
  }

  private enum Side {
    case left(Double)
    case right(Double)
    case top(Double)
    case bottom(Double)

    func contains(_ point: TilePoint) -> Bool {
      switch self {
      case .left(let low): point.x >= low
      case .right(let high): point.x <= high
      case .top(let low): point.y >= low
      case .bottom(let high): point.y <= high
      }
    }

    private func crossing(_ a: TilePoint, _ b: TilePoint) -> TilePoint {
      switch self {
      case .left(let x), .right(let x):
        TilePoint(x: x, y: a.y + (b.y - a.y) * (x - a.x) / (b.x - a.x))
      case .top(let y), .bottom(let y):
        TilePoint(x: a.x + (b.x - a.x) * (y - a.y) / (b.y - a.y), y: y)
      }
    }

    func clipped(_ ring: [TilePoint]) -> [TilePoint] {
      guard var before = ring.last else { return [] }
      var wasInside = contains(before)
      var kept: [TilePoint] = []
      for point in ring {
        let isInside = contains(point)
        if isInside != wasInside { kept.append(crossing(before, point)) }
        if isInside { kept.append(point) }
        (before, wasInside) = (point, isInside)
      }
      return kept
    }
  }

  /// The ring without points within `tolerance` of what remains; empty if less than a triangle
  /// remains.
  ///
  /// It is simplified in pieces, so that the cost stays linear in the ring.
  static func simplified(_ ring: [TilePoint], tolerance: Double) -> [TilePoint] {
    guard tolerance > 0, ring.count > 4 else { return ring }
    let pieceLength = TileRules.joinLimit
    var kept: [TilePoint] = []
    var first = 0
    while first < ring.count {
      let last = min(first + pieceLength, ring.count)
      let piece = Array(ring[first..<last]) + [ring[last % ring.count]]
      kept += TileLine.simplified(piece, tolerance: tolerance).dropLast()
      first = last
    }
    return kept.count > 2 ? kept : []
  }

  /// Twice the signed area in square units; positive if the ring turns clockwise on the screen.
  static func doubledArea(_ ring: [TilePoint]) -> Double {
    guard var before = ring.last else { return 0 }
    var sum = 0.0
    for point in ring {
      sum += before.x * point.y - point.x * before.y
      before = point
    }
    return sum
  }

  /// Whether a point lies inside the ring, by the number of sides to its right.
  static func contains(_ ring: [TilePoint], _ point: TilePoint) -> Bool {
    guard var before = ring.last else { return false }
    var isInside = false
    for next in ring {
      if (next.y > point.y) != (before.y > point.y),
        point.x < (before.x - next.x) * (point.y - next.y) / (before.y - next.y) + next.x
      {
        isInside.toggle()
      }
      before = next
    }
    return isInside
  }
}
