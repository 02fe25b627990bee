/// A place on the earth (WGS 84): latitude and longitude in degrees.
@frozen
public struct Coordinate: Codable, Hashable, Sendable {
  /// Degrees north of the equator, -90 to 90.
  public var latitudeDeg: Double
  /// Degrees east of Greenwich, -180 to 180.
  public var longitudeDeg: Double

  @inlinable public init(latitudeDeg: Double, longitudeDeg: Double) {
    self.latitudeDeg = latitudeDeg
    self.longitudeDeg = longitudeDeg
  }

  /// Whether both numbers are finite and within the globe.
  @inlinable public var isValid: Bool {
    latitudeDeg >= -90 && latitudeDeg <= 90 && longitudeDeg >= -180 && longitudeDeg <= 180
  }
}
