public import Geodesy

/// A local plane for map coordinates in ten-millionths of a degree, without a division per point.
@frozen
public struct FixedPlane: Sendable {
  @usableFromInline let latitudeE7: Double
  @usableFromInline let longitudeE7: Double
  /// Length of a ten-millionth of a degree in metres.
  @usableFromInline let northM: Double
  @usableFromInline let eastM: Double

  @inlinable public init(_ plane: LocalPlane) {
    latitudeE7 = plane.origin.latitudeDeg * 1e7
    longitudeE7 = plane.origin.longitudeDeg * 1e7
    northM = Earth.metersPerDegree / 1e7
    eastM = plane.metersPerDegreeEast / 1e7
  }

  @inlinable @inline(__always)
  public func point(_ latitude: Int32, _ longitude: Int32) -> PlanePoint {
    PlanePoint(
      eastM: Self.shortWay(Double(longitude) - longitudeE7) * eastM,
      northM: (Double(latitude) - latitudeE7) * northM)
  }

  /// The longitude difference in the shorter direction round the globe, in ten-millionths of a
  /// degree.
  @inlinable @inline(__always) static func shortWay(_ differenceE7: Double) -> Double {
    if differenceE7 > 1.8e9 { return differenceE7 - 3.6e9 }
    return differenceE7 < -1.8e9 ? differenceE7 + 3.6e9 : differenceE7
  }
}
