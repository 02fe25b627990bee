public import Geodesy
public import RoadGraph

/// The preferences of a request for the roads of one place.
public struct RoutePreference: Codable, Hashable, Sendable {
  public enum Place: Codable, Hashable, Sendable {
    /// Every road with a point inside.
    case box(BoundingBox)
    /// Three or more corners, the last joined to the first.
    case polygon([Coordinate])
    /// A line of two or more places, and the width of the corridor along it.
    case corridor([Coordinate], widthM: Double)
    /// One piece of road in one direction.
    case segment(SegmentReference)
  }

  public var place: Place
  /// Factor of the usual speed there; nil if these roads are to be avoided.
  public var speedFactor: Double?
  /// Whether they are used only if no other road leads on; their durations are not changed.
  public var isClosed: Bool

  public init(_ place: Place, speedFactor: Double? = nil, isClosed: Bool = false) {
    self.place = place
    self.speedFactor = speedFactor
    self.isClosed = isClosed
  }

  /// The problem with it, as the end of a sentence; nil for none.
  public var fault: String? {
    if let speedFactor, !(0.01...10).contains(speedFactor) {
      return "has a speed factor of \(speedFactor); it must be 0.01 to 10"
    }
    switch place {
    case .box(let box):
      let corners = [
        Coordinate(latitudeDeg: box.southDeg, longitudeDeg: box.westDeg),
        Coordinate(latitudeDeg: box.northDeg, longitudeDeg: box.eastDeg),
      ]
      return corners.allSatisfy(\.isValid) && box.southDeg <= box.northDeg
        && box.westDeg <= box.eastDeg ? nil : "is not a valid box"
    case .polygon(let corners):
      return corners.count >= 3 && corners.allSatisfy(\.isValid)
        ? nil : "is not a polygon of at least three valid places"
    case .corridor(let line, let widthM):
      return line.count >= 2 && line.allSatisfy(\.isValid) && (0.1...100_000).contains(widthM)
        ? nil : "is not a corridor of at least two valid places, 0.1 to 100,000 m wide"
    case .segment:
      return nil
    }
  }
}
