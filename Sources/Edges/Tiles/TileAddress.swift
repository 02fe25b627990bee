import Foundation
public import Geodesy

/// A tile of the web map: zoom, column from the west, row from the north.
public struct TileAddress: Hashable, Sendable {
  /// From 0 to 22.
  public let zoom: Int
  /// 0 ..< 2^zoom.
  public let column: Int
  /// 0 ..< 2^zoom.
  public let row: Int

  public static let zoomLimit = 22

  /// nil for a tile that is not on the map.
  public init?(zoom: Int, column: Int, row: Int) {
    guard 0...Self.zoomLimit ~= zoom, 0..<(1 << zoom) ~= column, 0..<(1 << zoom) ~= row else {
      return nil
    }
    self.zoom = zoom
    self.column = column
    self.row = row
  }

  /// The tile that contains `place` at `zoom`, clamped to the map.
  public init(holding place: Coordinate, zoom: Int) {
    let zoom = min(max(zoom, 0), Self.zoomLimit)
    let point = MercatorPoint(place)
    let side = Double(1 << zoom)
    let last = (1 << zoom) - 1
    self.zoom = zoom
    column = min(max(Int(point.x * side), 0), last)
    row = min(max(Int(point.y * side), 0), last)
  }

  /// The tile's box, extended by `buffer` tile widths on each side.
  func boundingBox(buffer: Double) -> BoundingBox {
    let side = Double(1 << zoom)
    let northWest = MercatorPoint(
      x: (Double(column) - buffer) / side, y: (Double(row) - buffer) / side)
    let southEast = MercatorPoint(
      x: (Double(column + 1) + buffer) / side, y: (Double(row + 1) + buffer) / side)
    return BoundingBox(
      southDeg: southEast.latitudeDeg, westDeg: northWest.longitudeDeg,
      northDeg: northWest.latitudeDeg, eastDeg: southEast.longitudeDeg)
  }
}

/// A point in the web map's projection (EPSG:3857) scaled to 0 to 1, from the north-west corner.
struct MercatorPoint: Hashable, Sendable {
  var x: Double
  var y: Double

  init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

  /// Projects a place; latitudes are clamped to 85.06 degrees, where the map is as high as wide.
  init(_ place: Coordinate) {
    let latitude = min(max(place.latitudeDeg, -85.0511287798), 85.0511287798) * .pi / 180
    x = place.longitudeDeg / 360 + 0.5
    y = 0.5 - log(tan(.pi / 4 + latitude / 2)) / (2 * .pi)
  }

  var longitudeDeg: Double { (x - 0.5) * 360 }
  var latitudeDeg: Double { (2 * atan(exp((0.5 - y) * 2 * .pi)) - .pi / 2) * 180 / .pi }
}
