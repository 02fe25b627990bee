public import Geodesy
import RealModule

/// A place in millionths of a degree, 11 cm at most.
public struct BaseMapPoint: Hashable, Sendable {
  public var longitudeE6: Int32
  public var latitudeE6: Int32

  public init(longitudeE6: Int32, latitudeE6: Int32) {
    self.longitudeE6 = longitudeE6
    self.latitudeE6 = latitudeE6
  }
}

/// A box in millionths of a degree.
@frozen
public struct BaseMapBox: Hashable, Sendable, BitwiseCopyable {
  public var southE6: Int32
  public var westE6: Int32
  public var northE6: Int32
  public var eastE6: Int32

  /// The box around `points`; inverted for none.
  public init(_ points: some Sequence<BaseMapPoint>) {
    (southE6, westE6, northE6, eastE6) = (.max, .max, .min, .min)
    for point in points {
      southE6 = min(southE6, point.latitudeE6)
      northE6 = max(northE6, point.latitudeE6)
      westE6 = min(westE6, point.longitudeE6)
      eastE6 = max(eastE6, point.longitudeE6)
    }
  }

  public init(_ box: BoundingBox) {
    func e6(_ degrees: Double) -> Int32 { Int32((min(max(degrees, -400), 400) * 1e6).rounded()) }
    southE6 = e6(box.southDeg)
    westE6 = e6(box.westDeg)
    northE6 = e6(box.northDeg)
    eastE6 = e6(box.eastDeg)
  }

  static let everywhere = BaseMapBox([
    BaseMapPoint(longitudeE6: .min, latitudeE6: .min),
    BaseMapPoint(longitudeE6: .max, latitudeE6: .max),
  ])

  public func intersects(_ other: Self) -> Bool {
    southE6 <= other.northE6 && other.southE6 <= northE6 && westE6 <= other.eastE6
      && other.westE6 <= eastE6
  }

  mutating func add(_ other: Self) {
    southE6 = min(southE6, other.southE6)
    westE6 = min(westE6, other.westE6)
    northE6 = max(northE6, other.northE6)
    eastE6 = max(eastE6, other.eastE6)
  }
}

/// An area with its holes, or a line.
public struct BaseMapFeature: Hashable, Sendable {
  public var kind: BaseMapKind
  /// Height of a building in decimetres; 0 if it is unknown.
  public var heightDM: Int
  /// The outer ring of an area and then its holes, without the repeated last point, or the points of
  /// a line.
  ///
  /// A line that is a ring repeats its first point.
  public var rings: [[BaseMapPoint]]

  public init(kind: BaseMapKind, heightDM: Int = 0, rings: [[BaseMapPoint]]) {
    self.kind = kind
    self.heightDM = heightDM
    self.rings = rings
  }

  public var box: BaseMapBox { BaseMapBox(rings.first ?? []) }

  /// The lowest zoom at which it is shown: an area when it is a few pixels large.
  var firstZoom: Int {
    guard kind.isArea, let ring = rings.first else { return kind.firstZoom }
    let box = box
    let latitudeDeg = Double(Int64(box.southE6) + Int64(box.northE6)) / 2e6
    let metresPerDegree = 111_195.0
    let shrink = Double.cos(latitudeDeg * .pi / 180)
    let areaM2 =
      abs(Self.doubledArea(ring)) / 2 * 1e-12 * metresPerDegree * metresPerDegree * shrink
    // Metres of a pixel at zoom 0, in a tile of 512 pixels.
    let pixelM = 78_271.5 * shrink
    let zoom = Double.log2(Self.leastPixels * pixelM / max(areaM2.squareRoot(), 0.01)).rounded(.up)
    return min(max(kind.firstZoom, Int(max(0, zoom))), Self.lastZoom)
  }

  private static let leastPixels = 3.0
  /// From this zoom on everything is shown.
  static let lastZoom = 14

  /// Twice the signed area of a ring in squared millionths of a degree; positive if it turns left.
  static func doubledArea(_ ring: [BaseMapPoint]) -> Double {
    guard var last = ring.last, let first = ring.first else { return 0 }
    var sum = 0.0
    let (x0, y0) = (Double(first.longitudeE6), Double(first.latitudeE6))
    for point in ring {
      let (ax, ay) = (Double(last.longitudeE6) - x0, Double(last.latitudeE6) - y0)
      let (bx, by) = (Double(point.longitudeE6) - x0, Double(point.latitudeE6) - y0)
      sum += ax * by - bx * ay
      last = point
    }
    return sum
  }
}
