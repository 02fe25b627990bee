/// The smallest box of latitudes and longitudes around some places; it does not cross the
/// antimeridian.
@frozen
public struct BoundingBox: Codable, Hashable, Sendable {
  public var southDeg: Double
  public var westDeg: Double
  public var northDeg: Double
  public var eastDeg: Double

  @inlinable public init(southDeg: Double, westDeg: Double, northDeg: Double, eastDeg: Double) {
    self.southDeg = southDeg
    self.westDeg = westDeg
    self.northDeg = northDeg
    self.eastDeg = eastDeg
  }

  /// nil for no places.
  @inlinable public init?(around places: some Sequence<Coordinate>) {
    var iterator = places.makeIterator()
    guard let first = iterator.next() else { return nil }
    self.init(
      southDeg: first.latitudeDeg, westDeg: first.longitudeDeg, northDeg: first.latitudeDeg,
      eastDeg: first.longitudeDeg)
    while let place = iterator.next() { extend(to: place) }
  }

  @inlinable public mutating func extend(to place: Coordinate) {
    southDeg = Double.minimum(southDeg, place.latitudeDeg)
    northDeg = Double.maximum(northDeg, place.latitudeDeg)
    westDeg = Double.minimum(westDeg, place.longitudeDeg)
    eastDeg = Double.maximum(eastDeg, place.longitudeDeg)
  }

  @inlinable public func contains(_ place: Coordinate) -> Bool {
    place.latitudeDeg >= southDeg && place.latitudeDeg <= northDeg
      && place.longitudeDeg >= westDeg && place.longitudeDeg <= eastDeg
  }

  @inlinable public func intersects(_ other: BoundingBox) -> Bool {
    southDeg <= other.northDeg && other.southDeg <= northDeg && westDeg <= other.eastDeg
      && other.westDeg <= eastDeg
  }

  /// The box extended by `marginM` metres on each side.
  public func expanded(byM marginM: Double) -> BoundingBox {
    let plane = LocalPlane(
      origin: Coordinate(
        latitudeDeg: Double.maximum(abs(southDeg), abs(northDeg)), longitudeDeg: 0))
    let lat = marginM / Earth.metersPerDegree
    let lon = plane.metersPerDegreeEast > 1 ? marginM / plane.metersPerDegreeEast : 360
    return BoundingBox(
      southDeg: southDeg - lat, westDeg: westDeg - lon, northDeg: northDeg + lat,
      eastDeg: eastDeg + lon)
  }
}
