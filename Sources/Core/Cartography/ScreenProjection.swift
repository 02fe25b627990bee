public import Geodesy
import RealModule

/// A point of the plane of the ground, in pixels of the camera's zoom from the place that it looks
/// at: to the right, and ahead.
public struct GroundPoint: Hashable, Sendable {
  public var x: Double
  public var y: Double

  public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }
}

/// A point of the picture, in pixels from its top left corner.
public struct ScreenPoint: Hashable, Sendable {
  public var x: Double
  public var y: Double

  public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }
}

/// A point of the Web Mercator projection (EPSG:3857) scaled to 0 to 1, from the north-west corner.
public struct MapPoint: Hashable, Sendable {
  public var x: Double
  public var y: Double

  public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

  /// Projects a place; latitudes are limited to 85.06 degrees, where the map is as high as wide.
  public init(_ place: Coordinate) {
    let limit = 85.051_128_779_8
    let latitude = Double.minimum(limit, Double.maximum(-limit, place.latitudeDeg)) * .pi / 180
    x = place.longitudeDeg / 360 + 0.5
    y = 0.5 - Double.log(Double.tan(.pi / 4 + latitude / 2)) / (2 * .pi)
  }
}

/// The camera's view of the map: from places to points of the picture.
///
/// As MapLibre draws it: tiles of 512 pixels, a vertical field of view of 36.87 degrees, and the
/// place that the camera looks at anywhere in the picture.
public struct ScreenProjection: Hashable, Sendable {
  public let width: Double
  public let height: Double
  public let zoom: Double
  public let tiltDeg: Double
  public let bearingDeg: Double
  public let center: Coordinate
  /// Position of the place that the camera looks at.
  public let anchor: ScreenPoint
  /// Pixels per metre of the ground at the place that the camera looks at.
  public let pixelsPerMetre: Double

  private let origin: MapPoint
  private let worldPx: Double
  private let distancePx: Double
  private let turn: (cos: Double, sin: Double)
  private let tilt: (cos: Double, sin: Double)

  public static func == (a: Self, b: Self) -> Bool {
    a.width == b.width && a.height == b.height && a.zoom == b.zoom && a.tiltDeg == b.tiltDeg
      && a.bearingDeg == b.bearingDeg && a.center == b.center && a.anchor == b.anchor
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(zoom)
    hasher.combine(center)
    hasher.combine(bearingDeg)
  }

  /// Tilts are limited to 75 degrees from straight down, zooms to 2 to 22; what is no number counts
  /// as 0.
  public init(
    center: Coordinate, zoom: Double, tiltDeg: Double, bearingDeg: Double, width: Double,
    height: Double, anchor: ScreenPoint
  ) {
    self.center = center
    self.zoom = Double.minimum(22, Double.maximum(2, zoom.isFinite ? zoom : 0))
    self.tiltDeg = Double.minimum(75, Double.maximum(0, tiltDeg.isFinite ? tiltDeg : 0))
    let bearingDeg = bearingDeg.isFinite ? bearingDeg : 0
    self.bearingDeg = bearingDeg
    self.width = width
    self.height = height
    self.anchor = anchor
    origin = MapPoint(center)
    worldPx = 512 * Double.exp2(self.zoom)
    distancePx = 1.5 * height
    turn = (Double.cos(bearingDeg * .pi / 180), Double.sin(bearingDeg * .pi / 180))
    tilt = (Double.cos(self.tiltDeg * .pi / 180), Double.sin(self.tiltDeg * .pi / 180))
    let circumferenceM = 40_075_016.686 * Double.cos(center.latitudeDeg * .pi / 180)
    pixelsPerMetre = worldPx / Double.maximum(circumferenceM, 1)
  }

  public func ground(_ point: MapPoint) -> GroundPoint {
    let east = (point.x - origin.x) * worldPx
    let north = (origin.y - point.y) * worldPx
    return GroundPoint(
      x: east * turn.cos - north * turn.sin, y: east * turn.sin + north * turn.cos)
  }

  public func ground(_ place: Coordinate) -> GroundPoint { ground(MapPoint(place)) }

  public func map(_ point: GroundPoint) -> MapPoint {
    let east = point.x * turn.cos + point.y * turn.sin
    let north = point.y * turn.cos - point.x * turn.sin
    return MapPoint(x: origin.x + east / worldPx, y: origin.y - north / worldPx)
  }

  /// How much smaller a point that far ahead is drawn than the place that the camera looks at.
  public func scale(aheadPx: Double) -> Double { distancePx / (distancePx + aheadPx * tilt.sin) }

  /// The point of the picture, for a point `upPx` above the ground; it must lie before the camera.
  public func screen(_ point: GroundPoint, upPx: Double = 0) -> ScreenPoint {
    let depth = distancePx + point.y * tilt.sin - upPx * tilt.cos
    let share = distancePx / depth
    return ScreenPoint(
      x: anchor.x + point.x * share,
      y: anchor.y - (point.y * tilt.cos + upPx * tilt.sin) * share)
  }

  /// The point of the ground that is drawn at the height of a line of the picture, in pixels ahead;
  /// nil at and above the horizon.
  public func aheadPx(atScreenY y: Double) -> Double? {
    let up = anchor.y - y
    let slope = tilt.cos * distancePx - up * tilt.sin
    return slope > 1e-6 * distancePx ? up * distancePx / slope : nil
  }

  /// The line of the picture where the ground ends; nil if it lies above the picture.
  public var horizonY: Double? {
    guard tilt.sin > 0 else { return nil }
    let y = anchor.y - distancePx * tilt.cos / tilt.sin
    return y > 0 ? y : nil
  }

  /// The visible ground, in pixels ahead: from a little below the picture up to its top, at most
  /// twelve heights of the picture.
  public var visibleAheadPx: ClosedRange<Double> {
    let far = Double.minimum(aheadPx(atScreenY: 0) ?? .infinity, 12 * height)
    let near = aheadPx(atScreenY: height + 0.35 * height) ?? 0
    // Only what lies before the camera, and not too close to it, is seen.
    let closest = tilt.sin > 0 ? -0.85 * distancePx / tilt.sin : -.infinity
    let low = Double.maximum(near, closest)
    return low...Double.maximum(far, low + 1)
  }

  /// The corners of the visible ground: near left, near right, far right, far left.
  public var visibleGround: [GroundPoint] {
    let range = visibleAheadPx
    func edge(_ x: Double, _ ahead: Double) -> GroundPoint {
      GroundPoint(x: (x - anchor.x) / scale(aheadPx: ahead), y: ahead)
    }
    return [
      edge(0, range.lowerBound), edge(width, range.lowerBound), edge(width, range.upperBound),
      edge(0, range.upperBound),
    ]
  }
}
