public import RoadGraph

/// The path of one section, and the data for the text of its end.
public struct SectionPath: Hashable, Sendable {
  public var path: RoadPath
  public var mode: TravelMode
  /// BCP 47 tag for names and texts.
  public var language: String
  /// Side of the road on which the stop at the end lies.
  public var arrivalSide: Side
  /// Usual name of that stop; empty if it has none.
  public var arrivalName: String
  /// Whether it ends at the destination and not at an intermediate stop.
  public var isLast: Bool
  /// From the end of the path to a stop that is off-road; nil if the road reaches the stop.
  public var arrivalOffRoad: OffRoadLine?

  public init(
    path: RoadPath, mode: TravelMode, language: String = "en-US", arrivalSide: Side = .ahead,
    arrivalName: String = "", isLast: Bool = true, arrivalOffRoad: OffRoadLine? = nil
  ) {
    self.path = path
    self.mode = mode
    self.language = language
    self.arrivalSide = arrivalSide
    self.arrivalName = arrivalName
    self.isLast = isLast
    self.arrivalOffRoad = arrivalOffRoad
  }
}

/// The straight line from the end of the road to a stop that no road reaches.
public struct OffRoadLine: Codable, Hashable, Sendable {
  public var lengthM: Double
  /// Clockwise from true north, 0 to 360.
  public var bearingDeg: Double

  public init(lengthM: Double, bearingDeg: Double) {
    self.lengthM = lengthM
    self.bearingDeg = bearingDeg
  }
}
