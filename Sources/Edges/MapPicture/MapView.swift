import Cartography

/// The part of the map that a picture shows: which features are visible, and their points.
struct MapView {
  let projection: ScreenProjection
  let ahead: ClosedRange<Double>
  private let low: MapPoint
  private let high: MapPoint

  init(_ projection: ScreenProjection) {
    self.projection = projection
    ahead = projection.visibleAheadPx
    let points = projection.visibleGround.map { projection.map($0) }
    low = MapPoint(x: points.map(\.x).min() ?? 0, y: points.map(\.y).min() ?? 0)
    high = MapPoint(x: points.map(\.x).max() ?? 1, y: points.map(\.y).max() ?? 1)
  }

  func sees(_ feature: MapTile.Feature) -> Bool {
    feature.box.low.x <= high.x && feature.box.high.x >= low.x && feature.box.low.y <= high.y
      && feature.box.high.y >= low.y
  }

  /// The points of a line on the ground, without those too close together to be distinguished.
  func ground(_ points: [MapPoint]) -> [GroundPoint] {
    var placed: [GroundPoint] = []
    placed.reserveCapacity(points.count)
    for (index, point) in points.enumerated() {
      let next = projection.ground(point)
      if let last = placed.last, index < points.count - 1 {
        let apart = (next.x - last.x).magnitude + (next.y - last.y).magnitude
        // Distant roads are drawn smaller.
        let nearest = Swift.max(next.y, 0)
        if apart * projection.scale(aheadPx: nearest) < 0.6 { continue }
      }
      placed.append(next)
    }
    return placed
  }

  func ring(_ points: [MapPoint]) -> [GroundPoint] {
    LineOutline.clippedRing(ground(points), aheadPx: ahead)
  }

  func lines(_ points: [MapPoint]) -> [[GroundPoint]] {
    LineOutline.clipped(ground(points), aheadPx: ahead)
  }

  /// Whether a point is in the picture or less than `marginPx` away from it.
  func contains(_ point: ScreenPoint, marginPx: Double = 0) -> Bool {
    point.x >= -marginPx && point.x <= projection.width + marginPx && point.y >= -marginPx
      && point.y <= projection.height + marginPx
  }
}

extension Canvas {
  /// Fills the outlines of lines on the ground.
  func fill(_ outline: LineOutline, _ paint: Paint, _ projection: ScreenProjection) {
    beginPath()
    var start = 0
    var corners: [ScreenPoint] = []
    for end in outline.ends {
      corners.removeAll(keepingCapacity: true)
      var (left, right, top, bottom) = (true, true, true, true)
      for index in start..<end {
        let point = projection.screen(outline.points[index])
        left = left && point.x < 0
        right = right && point.x > width
        top = top && point.y < 0
        bottom = bottom && point.y > height
        corners.append(point)
      }
      start = end
      // Features wholly outside the picture are left out.
      if left || right || top || bottom { continue }
      addPolygon(corners)
    }
    fillPath(paint)
  }
}
