public import Geodesy
public import RoadGraph

extension RouteSimulator {
  /// All that a restarted simulator needs to go on from where it was.
  public struct Memory: Hashable, Sendable {
    public var place: Coordinate
    /// Where he faces, degrees clockwise from north.
    public var bearingDeg: Double
    /// The piece of road that the driver is on, and metres from its start; nil off any road.
    public var reference: SegmentReference?
    public var offsetM: Double
    /// Metres on his odometer since the drive began.
    public var drivenM: Double
    /// Wrong turns still to come, in metres driven.
    public var wrongTurnsAtM: [Double]
    /// Metres still to go on a road that he took by mistake; 0 where he did not.
    public var strayM: Double

    public init(
      place: Coordinate, bearingDeg: Double, reference: SegmentReference?, offsetM: Double,
      drivenM: Double, wrongTurnsAtM: [Double], strayM: Double = 0
    ) {
      self.place = place
      self.bearingDeg = bearingDeg
      self.reference = reference
      self.offsetM = offsetM
      self.drivenM = drivenM
      self.wrongTurnsAtM = wrongTurnsAtM
      self.strayM = strayM
    }
  }
}
