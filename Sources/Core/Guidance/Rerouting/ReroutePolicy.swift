public import Foundations
public import Geodesy

/// Decides when to request a new route after the vehicle has left its route.
///
/// Only one request is in progress at a time. Requests are at least 5 s and 50 m apart, and
/// failures double the pause up to 64 s.
public struct ReroutePolicy: Codable, Hashable, Sendable {
  public enum Mode: String, Codable, Hashable, Sendable, CaseIterable {
    case automatic
    case ask
    case off
  }

  /// The target of a reroute.
  public enum Strategy: String, Codable, Hashable, Sendable, CaseIterable {
    /// The next stop; pass-through points before it are dropped.
    case nextStop = "next_stop"
    case nextWaypoint = "next_waypoint"
    /// All remaining stops, in the order that is shortest in straight-line distance.
    case resequence
  }

  public struct Tuning: Codable, Hashable, Sendable {
    public var pauseS = 5.0
    public var pauseM = 50.0
    public var longestPauseS = 64.0
    public init() {}
  }

  public var mode: Mode
  public var strategy: Strategy
  public var tuning: Tuning
  /// Whether the driver wants to keep the old route although off it, until back on it.
  public var keepsRoute = false
  /// Number of requests since the route was left.
  public private(set) var attempts = 0
  public private(set) var failures = 0
  private var lastRequest: (time: Instant, place: Coordinate)? {
    get { lastTime.flatMap { time in lastPlace.map { (time, $0) } } }
    set { (lastTime, lastPlace) = (newValue?.time, newValue?.place) }
  }
  private var lastTime: Instant?
  private var lastPlace: Coordinate?

  public init(
    mode: Mode = .automatic, strategy: Strategy = .nextStop, tuning: Tuning = Tuning()
  ) {
    self.mode = mode
    self.strategy = strategy
    self.tuning = tuning
  }

  /// Seconds that must pass after the last request.
  public var pauseS: Double {
    guard failures > 0 else { return tuning.pauseS }
    var pause = tuning.pauseS
    for _ in 0..<min(failures, 8) { pause *= 2 }
    return min(pause, tuning.longestPauseS)
  }

  /// Whether a request may be sent now; if so, it is counted as sent.
  public mutating func mayRequest(at time: Instant, from place: Coordinate) -> Bool {
    guard mode != .off, !keepsRoute else { return false }
    if let last = lastRequest {
      guard time.seconds(since: last.time) >= pauseS,
        place.distanceM(to: last.place) >= tuning.pauseM
      else { return false }
    }
    lastRequest = (time, place)
    attempts += 1
    return true
  }

  mutating func clockSet(bySeconds seconds: Double) {
    lastTime = lastTime?.advanced(bySeconds: seconds)
  }

  public mutating func failed() { failures += 1 }

  /// Resets the counters because the vehicle is on a route again; the pause after the last request
  /// still applies.
  public mutating func settled() {
    attempts = 0
    failures = 0
    keepsRoute = false
  }
}
