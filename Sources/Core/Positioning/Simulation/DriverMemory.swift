public import Geodesy
public import RoadGraph

extension RouteSimulator {
  /// The state that a restarted simulator needs to continue from where it was.
  public struct Memory: Hashable, Sendable {
    public var place: Coordinate
    /// Heading of the vehicle, degrees clockwise from north.
    public var bearingDeg: Double
    /// The piece of road that the driver is on, and metres from its start; nil off any road.
    public var reference: SegmentReference?
    public var offsetM: Double
    /// Metres on the odometer since the drive began.
    public var drivenM: Double
    /// Remaining wrong turns, in metres driven.
    public var wrongTurnsAtM: [Double]
    /// Remaining metres on a road that was taken by mistake; 0 if there is none.
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
