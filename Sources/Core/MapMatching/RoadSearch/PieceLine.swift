import Geodesy
import RoadGraph

/// The line of a road segment in metres of a plane, built point by point.
struct PieceLine {
  struct Segment: BitwiseCopyable {
    /// Its start, and the vector from there to its end.
    var eastM: Float
    var northM: Float
    var toEastM: Float
    var toNorthM: Float
    /// Reciprocal of the squared length.
    var inverse: Float
    /// Metres from the first point of the piece.
    var startM: Float
    /// As `EdgeGeometryCache.Piece.box`.
    var box: SIMD4<Float>

    /// A segment that is far from everything.
    static let none = Segment(
      eastM: 1e9, northM: 1e9, toEastM: 0, toNorthM: 0, inverse: 0, startM: 0,
      box: SIMD4(repeating: .infinity))
  }

  private let plane: FixedPlane
  private var last: PlanePoint?
  private var lastCorner = SIMD4<Float>()
  /// As `EdgeGeometryCache.Piece.box`.
  private(set) var box = SIMD4<Float>(repeating: .infinity)
  /// Metres from the first point to the newest.
  private(set) var walkedM = 0.0

  init(_ plane: LocalPlane) { self.plane = FixedPlane(plane) }

  /// Extends the line to a point in units of 1e-7 degrees; returns the segment that leads there, or
  /// nil if there is none.
  @inline(__always) mutating func step(_ latitudeE7: Int32, _ longitudeE7: Int32) -> Segment? {
    let point = plane.point(latitudeE7, longitudeE7)
    let (east, north) = (Float(point.eastM), Float(point.northM))
    let corner = SIMD4(east, north, -east, -north)
    box.replace(with: corner, where: corner .< box)
    defer { (last, lastCorner) = (point, corner) }
    guard let last else { return nil }
    let (toEastM, toNorthM) = (point.eastM - last.eastM, point.northM - last.northM)
    let square = toEastM * toEastM + toNorthM * toNorthM
    guard square > 0 else { return nil }
    let lengthM = square.squareRoot()
    defer { walkedM += lengthM }
    return Segment(
      eastM: lastCorner[0], northM: lastCorner[1], toEastM: Float(toEastM),
      toNorthM: Float(toNorthM), inverse: Float(1 / square), startM: Float(walkedM),
      box: corner.replacing(with: lastCorner, where: lastCorner .< corner))
  }
}
