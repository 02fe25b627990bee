import RealModule

/// The earth as a sphere with the mean radius of WGS 84.
public enum Earth {
  /// Mean radius R1 = (2a + b) / 3 in metres (Moritz, "Geodetic Reference System 1980", 2000).
  @inlinable public static var meanRadiusM: Double { 6_371_008.771_415 }

  /// Length of one degree of latitude on the mean sphere.
  @inlinable public static var metersPerDegree: Double { meanRadiusM * Double.pi / 180 }

  /// The cosine of a latitude, to full precision.
  ///
  /// Eleven terms of the series, in independent pairs (G. Estrin, 1960). It takes a third of the
  /// time of the library's function, which must serve all angles.
  @usableFromInline static func cosine(latitudeDeg: Double) -> Double {
    guard abs(latitudeDeg) <= 90 else { return Double.cos(latitudeDeg * .pi / 180) }
    let x = latitudeDeg * .pi / 180
    let y = x * x
    let y2 = y * y
    let y4 = y2 * y2
    let low = (1 - y / 2) + y2 * (1.0 / 24 - y * (1.0 / 720))
    let middle =
      (1.0 / 40_320 - y * (1.0 / 3_628_800))
      + y2 * (1.0 / 479_001_600 - y * (1.0 / 87_178_291_200))
    let high =
      (1.0 / 20_922_789_888_000 - y * (1.0 / 6_402_373_705_728_000))
      + y2 * (1.0 / 2_432_902_008_176_640_000)
    return low + y4 * (middle + y4 * high)
  }
}

extension Coordinate {
  /// Distance along the great circle to `other` in metres.
  ///
  /// It uses the haversine form, since the arc-cosine form loses precision below some metres. Near
  /// places cost one cosine.
  public func distanceM(to other: Coordinate) -> Double {
    // The product of the cosines of two angles is cos² of their mean minus sin² of half their
    // difference.
    let half = (other.latitudeDeg - latitudeDeg) * .pi / 360
    let middle = Earth.cosine(latitudeDeg: (latitudeDeg + other.latitudeDeg) / 2)
    return stepM(to: other, cosines: middle * middle - half * half)
  }

  private func haversineM(to other: Coordinate) -> Double {
    let phi1 = latitudeDeg * .pi / 180
    let phi2 = other.latitudeDeg * .pi / 180
    let sinLat = Double.sin((phi2 - phi1) / 2)
    let sinLon = Double.sin((other.longitudeDeg - longitudeDeg) * .pi / 360)
    let h = sinLat * sinLat + Double.cos(phi1) * Double.cos(phi2) * sinLon * sinLon
    return 2 * Earth.meanRadiusM * Double.asin(Double.minimum(1, h.squareRoot()))
  }

  /// Distance to a place that is usually near; `cosines` is the product of the cosines of the two
  /// latitudes.
  ///
  /// The product must be exact for near places. Within about a kilometre the first two terms of
  /// each series give the full precision of the haversine form.
  func stepM(to other: Coordinate, cosines: Double) -> Double {
    let x = (other.latitudeDeg - latitudeDeg) * .pi / 360
    let y = (other.longitudeDeg - longitudeDeg) * .pi / 360
    guard abs(x) < 1e-4, abs(y) < 1e-4 else { return haversineM(to: other) }
    let sinLat = x * (1 - x * x / 6)
    let sinLon = y * (1 - y * y / 6)
    let h = sinLat * sinLat + cosines * sinLon * sinLon
    return 2 * Earth.meanRadiusM * h.squareRoot() * (1 + h / 6)
  }

  /// Initial bearing of the great circle to `other`, clockwise from true north, 0 ..< 360; 0 for the same place.
  public func bearingDeg(to other: Coordinate) -> Double {
    let phi1 = latitudeDeg * .pi / 180
    let phi2 = other.latitudeDeg * .pi / 180
    let dLon = (other.longitudeDeg - longitudeDeg) * .pi / 180
    let y = Double.sin(dLon) * Double.cos(phi2)
    let x =
      Double.cos(phi1) * Double.sin(phi2) - Double.sin(phi1) * Double.cos(phi2) * Double.cos(dLon)
    return Angle.normalizedDeg(Double.atan2(y: y, x: x) * 180 / .pi)
  }

  /// The place `distanceM` metres away along the great circle that leaves at `bearingDeg`.
  public func moved(bearingDeg: Double, distanceM: Double) -> Coordinate {
    let delta = distanceM / Earth.meanRadiusM
    let theta = bearingDeg * .pi / 180
    let phi1 = latitudeDeg * .pi / 180
    let sinPhi2 =
      Double.sin(phi1) * Double.cos(delta) + Double.cos(phi1) * Double.sin(delta)
      * Double.cos(theta)
    let y = Double.sin(theta) * Double.sin(delta) * Double.cos(phi1)
    let x = Double.cos(delta) - Double.sin(phi1) * sinPhi2
    let lambda2 = longitudeDeg + Double.atan2(y: y, x: x) * 180 / .pi
    return Coordinate(
      latitudeDeg: Double.asin(Double.maximum(-1, Double.minimum(1, sinPhi2))) * 180 / .pi,
      longitudeDeg: Angle.signedDeg(lambda2))
  }
}

/// Arithmetic of angles in degrees.
public enum Angle {
  /// The same direction within 0 ..< 360.
  @inlinable public static func normalizedDeg(_ degrees: Double) -> Double {
    let rest = degrees.truncatingRemainder(dividingBy: 360)
    let positive = rest < 0 ? rest + 360 : rest
    return positive >= 360 ? 0 : positive
  }

  /// The same direction within -180 to 180.
  @inlinable public static func signedDeg(_ degrees: Double) -> Double {
    if degrees >= -180 && degrees <= 180 { return degrees }
    let positive = normalizedDeg(degrees)
    return positive > 180 ? positive - 360 : positive
  }

  /// The turn from `from` to `to`: positive to the right, -180 to 180.
  @inlinable public static func turnDeg(from: Double, to: Double) -> Double {
    signedDeg(to - from)
  }

  /// The unsigned angle between two directions, 0 to 180.
  @inlinable public static func differenceDeg(_ a: Double, _ b: Double) -> Double {
    abs(signedDeg(a - b))
  }
}
