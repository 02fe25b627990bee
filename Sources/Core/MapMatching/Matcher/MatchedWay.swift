public import Foundations

/// An OSM way that a trace drives along without a break.
public struct MatchedWay: Hashable, Sendable {
  /// OSM id of the way.
  public var way: Int64
  /// The first edge of the way, which has the name of the way.
  public var state: TravelState
  /// Metres along the trace at which the way begins and ends.
  public var fromM: Double
  public var toM: Double
  /// Its points in `MatchedTrace.shape`; within a stretch its first point is the last point of the
  /// way before.
  public var points: Range<Int>
  /// Times at which the vehicle entered and left the way, interpolated between the nearest fixes;
  /// nil if no fix has a time.
  public var from: Instant?
  public var to: Instant?

  public init(
    way: Int64, state: TravelState, fromM: Double, toM: Double, points: Range<Int>,
    from: Instant? = nil, to: Instant? = nil
  ) {
    self.way = way
    self.state = state
    self.fromM = fromM
    self.toM = toM
    self.points = points
    self.from = from
    self.to = to
  }

  public var lengthM: Double { toM - fromM }
}
