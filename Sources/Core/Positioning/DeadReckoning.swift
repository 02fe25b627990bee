public import EventTime
public import Geodesy
import RealModule
public import RoadGraph

/// Carries a vehicle's place on where fixes stay away: in tunnels, and over short gaps (TU-1 to TU-3).
///
/// From the last place known it goes along the route, or the likeliest road, at the last speed, which
/// within 10 s becomes what is usual on the road, and never faster than live traffic. What it says
/// for a moment depends on the last place and on that moment alone, not on what was asked before.
public struct DeadReckoning: Sendable {
  /// What may be estimated, and for how long.
  public struct Settings: Hashable, Sendable {
    /// Goes on through tunnels, until `behindTunnelS` behind their end.
    public var inTunnels = true
    /// Goes on over gaps of `gapS` anywhere.
    public var inGaps = true
    public var behindTunnelS = 10.0
    public var gapS = 5.0
    /// Seconds in which the last speed becomes the usual one.
    public var decayS = 10.0
    public init() {}
  }

  /// Where the vehicle was known to be last.
  public struct Anchor: Codable, Hashable, Sendable {
    fileprivate var edge: UInt32
    fileprivate var offsetM: Double
    public fileprivate(set) var time: Instant
    public fileprivate(set) var speedMps: Double?
    fileprivate var uncertaintyM: Double
    fileprivate var probability: Double
    fileprivate var onRoute: Int?
  }

  /// A place that was not seen but reckoned.
  public struct Estimate: Hashable, Sendable {
    public var position: RoadPosition
    public var place: Coordinate
    public var bearingDeg: Double
    /// Edges from the last known place to here, both included.
    public var path: [EdgeID]
    /// Metres driven since the last known place.
    public var drivenM: Double
    public var speedMps: Double
    /// Probability that this is the piece of road, 0 to 1.
    public var probability: Double
    /// Standard deviation of the place along the road; grows with time and way.
    public var uncertaintyM: Double
    public var isInTunnel: Bool
  }

  public let settings: Settings
  private let graph: RoadGraph
  private let mode: TravelMode
  /// The route to go along; nil for none.
  public private(set) var course: RouteCourse?
  public private(set) var anchor: Anchor?
  /// The drive from the anchor on, as far as it was asked for; nil until it is.
  private var drive: ReckonedDrive?

  public init(graph: RoadGraph, mode: TravelMode, settings: Settings = Settings()) {
    self.graph = graph
    self.mode = mode
    self.settings = settings
  }

  /// Goes along another route from now on; nil for none.
  public mutating func follow(_ course: RouteCourse?) {
    guard course != self.course else { return }
    self.course = course
    drive = nil
    guard let anchor else { return }
    self.anchor?.onRoute = course?.number(of: EdgeID(rawValue: anchor.edge), from: 0)
  }

  /// Notes where the vehicle is known to be; `speedMps` is nil where nothing tells it.
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

  /// Forgets where the vehicle was: it is on no road, or the clock was set.
  public mutating func lose() {
    anchor = nil
    drive = nil
  }

  /// Goes on from the state that another one was in.
  ///
  /// - Returns: false, with nothing changed, where that was on another map.
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

  /// Where the vehicle probably is; nil where that may not be said.
  ///
  /// Costs the time since the last question, and the first one the time since the last fix.
  public mutating func estimate(at now: Instant) -> Estimate? {
    guard let seconds = elapsedS(now) else { return nil }
    advance(toS: seconds)
    guard let drive, drive.isAllowed(atS: seconds, settings) else { return nil }
    return place(atS: seconds)
  }

  /// Where the vehicle probably is shortly after a fix, whether or not estimates are wanted; nil
  /// where no place is known or the last one is older than a gap may be.
  ///
  /// `shiftM` metres farther along the same road, or back as far as the start of its edge.
  public mutating func interpolated(at now: Instant, shiftM: Double = 0) -> Estimate? {
    guard let seconds = elapsedS(now) else { return nil }
    advance(toS: seconds)
    guard let drive,
      seconds <= settings.gapS || drive.isAllowed(atS: seconds, settings)
    else { return nil }
    return place(atS: seconds, shiftM: shiftM)
  }

  /// Metres from the last known place to `position` along the road that was reckoned with; nil where
  /// it does not lie there.
  public func metres(to position: RoadPosition) -> Double? {
    drive?.ahead?.legs.first { $0.edge == position.edge }.map { $0.startM + position.offsetM }
  }

  /// Whether the vehicle was in a tunnel, or about to be, when it was seen last: what was known
  /// then is of use however long ago it was.
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
      drive.ahead = ReckonedWay(
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
      // A tenth of the way, since nobody drives just as others do, and a walk's pace beside it.
      uncertaintyM: anchor.uncertaintyM + 0.1 * Double.maximum(0, metres) + seconds,
      isInTunnel: leg.isTunnel)
  }
}
