import Speech

import enum Route.WarningKind

/// The content of the topics as input for voice.
enum VoiceInput: Hashable, Sendable {
  /// nil if there is no route any more.
  case route(GuidedRoute?, RouteReason, isPaused: Bool)
  case progress(Progress)
  case maneuverDone(routeID: String, index: Int)
  case deviated(isEstimated: Bool)
  case reroute(Reroute)
  case milestone(Milestone)
  case arrival(Arrival)
  case offRoad(routeID: String, remainingM: Double, Heading?)
  case warning(Warning)
  /// The warned place is passed, or the vehicle has turned away from it.
  case warningEnded(id: String)
  /// The limit in m/s, infinite for none; `isExceeded` if it has just been exceeded.
  case speed(limitMps: Double?, isExceeded: Bool)
  case road(isTunnel: Bool)
  /// A better route; `avoidsClosure` is true if it bypasses a closed road of the previous route.
  case better(id: String, BetterRoute, gainS: Double, avoidsClosure: Bool)
  case spoken(key: String, SinkOutcome, durationS: Double?, sink: String?)
  /// A message that requires no announcement.
  case nothing

  /// The reason for the current active route.
  enum RouteReason: Hashable, Sendable {
    case started
    case rerouted
    case changed
  }

  struct Progress: Hashable, Sendable {
    var routeID: String
    /// False while the place on the route is unknown.
    var isOnRoute: Bool
    var travelledM: Double
    var remainingM: Double
    var speedMps: Double?
    /// Speed on which the seconds to the next maneuver are based.
    var expectedSpeedMps: Double?
    /// Speed limit; infinite for none, nil if unknown.
    var speedLimitMps: Double?
    var bearingDeg: Double?
    /// Whether the location was extrapolated and not measured.
    var isEstimated = false
    /// Indices in the route's maneuvers, with the metres to them.
    var ahead: [Ahead]

    struct Ahead: Hashable, Sendable {
      var index: Int
      var remainingM: Double
    }
  }

  enum Reroute: Hashable, Sendable {
    case started
    case failed
    case ended
  }

  struct Milestone: Hashable, Sendable {
    var key: String
    var routeID: String
    /// Section of the route that ends there.
    var section: Int
    var stop: StopKind
    var isReached: Bool
  }

  struct Arrival: Hashable, Sendable {
    var routeID: String
    var side: Side?
    /// The destination lies off the road, and off-road guidance follows.
    var leadsOffRoad: Bool
    /// The off-road destination itself is reached.
    var isOffRoad: Bool
  }

  struct Warning: Hashable, Sendable {
    var id: String
    var warner: WarningKind
    var distanceM: Double?
    var isReached: Bool
  }

  enum BetterRoute: Hashable, Sendable {
    case found
    case proposed
    case accepted
    case ended
  }

  enum SinkOutcome: Hashable, Sendable {
    case spoken
    /// Written to a file: it ends when its duration is over.
    case written
    case interrupted
    case failed
  }
}
