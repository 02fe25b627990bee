import RealModule

/// A flat map around one place: metres east and north of it.
///
/// Equirectangular; within 5 km of the origin, distances have an error of less than 0.1 % up to 70
/// degrees of latitude.
@frozen
public struct LocalPlane: Hashable, Sendable {
  public let origin: Coordinate
  /// Metres of one degree of longitude at the origin.
  public let metersPerDegreeEast: Double

  public init(origin: Coordinate) {
    self.origin = origin
    self.metersPerDegreeEast = Earth.metersPerDegree * Earth.cosine(latitudeDeg: origin.latitudeDeg)
  }

  @inlinable public func point(_ c: Coordinate) -> PlanePoint {
    PlanePoint(
      eastM: Angle.signedDeg(c.longitudeDeg - origin.longitudeDeg) * metersPerDegreeEast,
      northM: (c.latitudeDeg - origin.latitudeDeg) * Earth.metersPerDegree)
  }

  @inlinable public func coordinate(_ p: PlanePoint) -> Coordinate {
    Coordinate(
      latitudeDeg: origin.latitudeDeg + p.northM / Earth.metersPerDegree,
      longitudeDeg: Angle.signedDeg(
        origin.longitudeDeg
          + (metersPerDegreeEast > 0 ? p.eastM / metersPerDegreeEast : 0)))
  }
}

/// A point of a local plane, in metres.
@frozen
public struct PlanePoint: Hashable, Sendable {
  public var eastM: Double
  public var northM: Double

  @inlinable public init(eastM: Double, northM: Double) {
    self.eastM = eastM
    self.northM = northM
  }

  /// The end of a step of `lengthM` from the origin in direction `bearingDeg`, clockwise from
  /// north.
  public init(bearingDeg: Double, lengthM: Double) {
    let radians = bearingDeg * .pi / 180
    self.init(eastM: lengthM * Double.sin(radians), northM: lengthM * Double.cos(radians))
  }

  @inlinable public func distanceM(to other: PlanePoint) -> Double {
    let e = other.eastM - eastM
    let n = other.northM - northM
    return (e * e + n * n).squareRoot()
  }

  /// The nearest point on the segment `a` to `b`: its fraction, 0 to 1, and the distance to it.
  @inlinable public func projected(onto a: PlanePoint, _ b: PlanePoint) -> (
    fraction: Double, distanceM: Double
  ) {
    let e = b.eastM - a.eastM
    let n = b.northM - a.northM
    let square = e * e + n * n
    let along = square > 0 ? ((eastM - a.eastM) * e + (northM - a.northM) * n) / square : 0
    let fraction = Double.minimum(1, Double.maximum(0, along))
    let projection = PlanePoint(eastM: a.eastM + fraction * e, northM: a.northM + fraction * n)
    return (fraction, distanceM(to: projection))
  }
}

extension LocalPlane {
  /// The compass direction of a step, clockwise from north, 0 ..< 360; 0 for no step.
  public static func bearingDeg(eastM: Double, northM: Double) -> Double {
    Angle.normalizedDeg(Double.atan2(y: eastM, x: northM) * 180 / .pi)
  }
}
