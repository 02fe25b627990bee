public import Foundations
public import Geodesy

/// One position sample from a receiver, a recording, a simulator or an injector.
///
/// All values except the coordinates may be absent.
public struct Fix: Codable, Hashable, Sendable {
  /// WGS 84.
  public var place: Coordinate
  /// When the position was measured.
  public var time: Instant?
  /// Direction of travel, clockwise from true north, 0 to 360.
  @CompactOptional public var bearingDeg: Double?
  /// Speed over ground.
  @CompactOptional public var speedMps: Double?
  /// Radius around the place that contains the true position with a probability of 68 %.
  @CompactOptional public var accuracyM: Double?
  /// The same for the bearing.
  @CompactOptional public var bearingAccuracyDeg: Double?
  /// The same for the speed.
  @CompactOptional public var speedAccuracyMps: Double?
  /// Height above the ellipsoid.
  @CompactOptional public var altitudeM: Double?
  /// Name of the source of the fix.
  public var source: String?
  /// The source with the highest priority wins among several live sources.
  public var priority: Int

  public init(
    place: Coordinate, time: Instant? = nil, bearingDeg: Double? = nil, speedMps: Double? = nil,
    accuracyM: Double? = nil, bearingAccuracyDeg: Double? = nil, speedAccuracyMps: Double? = nil,
    altitudeM: Double? = nil, source: String? = nil, priority: Int = 0
  ) {
    self.place = place
    self.time = time
    self.bearingDeg = bearingDeg
    self.speedMps = speedMps
    self.accuracyM = accuracyM
    self.bearingAccuracyDeg = bearingAccuracyDeg
    self.speedAccuracyMps = speedAccuracyMps
    self.altitudeM = altitudeM
    self.source = source
    self.priority = priority
  }
}
