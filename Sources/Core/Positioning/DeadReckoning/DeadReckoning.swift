public import Foundations
public import Geodesy
import RealModule
public import RoadGraph

/// Extrapolates a vehicle's position where fixes are missing: in tunnels, and over short gaps (TU-1
/// to TU-3).
///
/// From the last known position it follows the route, or the likeliest road. It starts at the last
/// speed, which within 10 s becomes the usual speed on the road, and it is never faster than live
/// traffic. An estimate depends only on the last position and the requested moment, not on earlier
/// requests.
public struct DeadReckoning: Sendable {
  /// What may be estimated, and for how long.
  public struct Settings: Hashable, Sendable {
    /// Whether to continue through tunnels, until `behindTunnelS` after their end.
    public var inTunnels = true
    /// Whether to continue over gaps of up to `gapS` anywhere.
    public var inGaps = true
    public var behindTunnelS = 10.0
    public var gapS = 5.0
    /// Seconds within which the last speed becomes the usual one.
    public var decayS = 10.0
    public init() {}
  }

  /// The last known position of the vehicle.
  public struct Anchor: Codable, Hashable, Sendable {
    fileprivate var edge: UInt32
    fileprivate var offsetM: Double
    public fileprivate(set) var time: Instant
    public fileprivate(set) var speedMps: Double?
    fileprivate var uncertaintyM: Double
    fileprivate var probability: Double
    fileprivate var onRoute: Int?
  }

  /// A position that was not observed but extrapolated.
  public struct Estimate: Hashable, Sendable {
    public var position: RoadPosition
    public var place: Coordinate
    public var bearingDeg: Double
    /// Edges from the last known position to here, both included.
    public var path: [EdgeID]
    /// Metres driven since the last known position.
    public var drivenM: Double
    public var speedMps: Double
    /// Probability that the vehicle is on this piece of road, 0 to 1.
    public var probability: Double
    /// Standard deviation of the position along the road; grows with time and distance.
    public var uncertaintyM: Double
    public var isInTunnel: Bool
  }

  public let settings: Settings
  private let graph: RoadGraph
  private let mode: TravelMode
  /// The route to follow; nil for none.
  public private(set) var course: RouteCourse?
  public private(set) var anchor: Anchor?
  /// The drive from the anchor on, as far as it was requested; nil before the first request.
  private var drive: ReckonedDrive?

  public init(graph: RoadGraph, mode: TravelMode, settings: Settings = Settings()) {
    self.graph = graph
    self.mode = mode
    self.settings = settings
  }

  /// Follows another route from now on; nil for none.
  public mutating func follow(_ course: RouteCourse?) {
    guard course != self.course else { return }
    self.course = course
    drive = nil
    guard let anchor else { return }
    self.anchor?.onRoute = course?.number(of: EdgeID(rawValue: anchor.edge), from: 0)
  }

  /// Records the known position of the vehicle; `speedMps` is nil if the speed is not known.
  public mutating func saw(
    _ position: RoadPosition, at time: Instant, speedMps: Double?, uncertaintyM: Double,
    probability: Double
  ) {
    anchor = Anchor(
      edge: position.edge.rawValue, offsetM: position.offsetM, time: time, speedMps: speedMps,
      uncertaintyM: uncertaintyM, probability: probability,
      onRoute: course?.number(of: position.edge, from: anchor?.onRoute ?? 0))
    drive = nil
  }

  /// Discards the position, because the vehicle is on no road or the clock was set.
  public mutating func lose() {
    anchor = nil
    drive = nil
  }

  /// Continues from the state of another dead reckoning.
  ///
  /// - Returns: false, with nothing changed, if that state belongs to another map.
  public mutating func goOn(from anchor: Anchor?, course: RouteCourse?) -> Bool {
    if let anchor {
      guard Int(anchor.edge) < graph.edgeCount, anchor.offsetM.isFinite,
        anchor.onRoute.map({ number in course?.edge(number) != nil }) ?? true
      else { return false }
    }
    guard course?.fits(edgeCount: graph.edgeCount) ?? true else { return false }
    self.anchor = anchor
    self.course = course
    drive = nil
    return true
  }

  /// The probable position of the vehicle; nil if no estimate is allowed.
  ///
  /// The cost is proportional to the time since the last request; for the first request, to the
  /// time since the last fix.
  public mutating func estimate(at now: Instant) -> Estimate? {
    guard let seconds = elapsedS(now) else { return nil }
    advance(toS: seconds)
    guard let drive, drive.isAllowed(atS: seconds, settings) else { return nil }
    return place(atS: seconds)
  }

  /// The probable position of the vehicle shortly after a fix, whether or not estimates are
  /// enabled.
  ///
  /// The result is nil if no position is known, or if the last one is older than the longest gap.
  /// With `shiftM`, the position is that many metres farther along the same road, or back as far as
  /// the start of its edge.
  public mutating func interpolated(at now: Instant, shiftM: Double = 0) -> Estimate? {
    guard let seconds = elapsedS(now) else { return nil }
    advance(toS: seconds)
    guard let drive,
      seconds <= settings.gapS || drive.isAllowed(atS: seconds, settings)
    else { return nil }
    return place(atS: seconds, shiftM: shiftM)
  }

  /// Metres from the last known position to `position` along the extrapolated road; nil if it is
  /// not on it.
  public func metres(to position: RoadPosition) -> Double? {
    drive?.ahead?.legs.first { $0.edge == position.edge }.map { $0.startM + position.offsetM }
  }

  /// Whether the vehicle was in a tunnel, or about to enter one, at the last observation.
  ///
  /// An observation counts for one hour.
  public mutating func bridges(to now: Instant) -> Bool {
    guard let seconds = elapsedS(now), seconds <= 3600 else { return false }
    advance(toS: Double.minimum(seconds, settings.gapS))
    return drive?.tunnel != nil
  }

  private func elapsedS(_ now: Instant) -> Double? {
    guard let anchor else { return nil }
    let seconds = now.seconds(since: anchor.time)
    return seconds >= 0 ? seconds : nil
  }

  private mutating func advance(toS seconds: Double) {
    guard let anchor else { return }
    var drive = drive ?? ReckonedDrive()
    self.drive = nil
    if drive.ahead == nil {
      drive.ahead = ReckonedPath(
        from: RoadPosition(edge: EdgeID(rawValue: anchor.edge), offsetM: anchor.offsetM),
        onRoute: anchor.onRoute, course: course, graph: graph, mode: mode)
    }
    drive.advance(toS: seconds, speedMps: anchor.speedMps, settings)
    self.drive = drive
  }

  private mutating func place(atS seconds: Double, shiftM: Double = 0) -> Estimate? {
    guard let anchor, var ahead = drive?.ahead,
      let reckoned = drive?.place(atS: seconds)
    else { return nil }
    var (metres, number) = (reckoned.metres, reckoned.leg)
    if shiftM != 0 {
      metres = Double.maximum(ahead.legs[0].startM, metres + shiftM)
      number = ahead.leg(atM: metres, from: 0)
      metres = Double.minimum(metres, ahead.legs[number].endM)
      drive?.ahead = ahead
    }
    let leg = ahead.legs[number]
    let position = RoadPosition(
      edge: leg.edge,
      offsetM: Double.minimum(leg.endM - leg.startM, Double.maximum(0, metres - leg.startM)))
    return Estimate(
      position: position, place: graph.coordinate(position),
      bearingDeg: graph.bearingDeg(position), path: ahead.legs[...number].map(\.edge),
      drivenM: metres, speedMps: reckoned.speedMps,
      probability: anchor.probability * leg.belief,
      // A tenth of the distance, because drivers differ, plus 1 m for each second.
      uncertaintyM: anchor.uncertaintyM + 0.1 * Double.maximum(0, metres) + seconds,
      isInTunnel: leg.isTunnel)
  }
}
