public import Geodesy

/// Guides the last metres to a destination that no road reaches, as the crow flies.
public struct OffRoadGuide: Codable, Hashable, Sendable {
  public struct Progress: Hashable, Sendable {
    public var remainingM: Double
    /// From true north, clockwise.
    public var bearingDeg: Double
    public var place: Coordinate
    public var hasArrived: Bool
  }

  public let destination: Coordinate
  public let radiusM: Double

  public init(destination: Coordinate, radiusM: Double = 20) {
    self.destination = destination
    self.radiusM = radiusM
  }

  /// The remaining distance and direction from an unmatched fix, since the road network does not
  /// matter here.
  public func progress(from raw: Coordinate) -> Progress {
    let remaining = raw.distanceM(to: destination)
    return Progress(
      remainingM: remaining, bearingDeg: raw.bearingDeg(to: destination), place: raw,
      hasArrived: remaining <= radiusM)
  }
}
