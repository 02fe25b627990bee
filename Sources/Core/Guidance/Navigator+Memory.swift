public import Foundations
public import Route

extension Navigator {
  /// The state that must survive a crash: the progress of the drive, and what was reported about
  /// it.
  public struct Memory: Hashable, Sendable {
    public var route: Route?
    public var travelledM: Double?
    /// Where the vehicle was last observed, in metres.
    ///
    /// It is less than `travelledM` while that is estimated, and nil if the vehicle was not
    /// observed on the route.
    public var seenM: Double?
    /// Index of the first waypoint that has not been reported.
    public var nextMilestone = 1
    /// Index of the first stop added by the router that has not been reported.
    public var nextAddedStop = 0
    public var nextManeuver = 0
    /// Number of maneuvers reported as done; more than `nextManeuver` if an estimate was taken
    /// back.
    public var doneManeuvers = 0
    public var isPaused = false
    /// Whether the arrival at the end of the route was reported; the rest leads off the road.
    public var hasArrived = false
    /// Whether it was reported that the speed limit is exceeded.
    public var isSpeeding = false
    /// When traffic on the route was last requested.
    public var lastPriced: Instant?
    public var rerouting = ReroutePolicy.Mode.automatic
    public var strategy = ReroutePolicy.Strategy.nextStop
    /// Index of the maneuver whose lanes are shown; nil for none.
    public var laneManeuver: Int?
    /// The proposed better route, and when it expires.
    public var better: BetterRoute?
    public var betterExpires: Instant?
    /// The proposed new route.
    public var proposal: Proposal?
    /// Detours that were rejected and must not be proposed again yet.
    public var rejected: [BetterRoutePolicy.Rejected] = []
    /// When the stop was reached at which the vehicle rests; nil if it does not rest.
    public var restSince: Instant?
    /// The highest index in the user's list that a waypoint of the trip has, or had.
    public var lastUserIndex = 0
    /// The driver's pace on this trip; nil if nothing was learned.
    public var pace: DrivingPace?
    /// Lower tokens were used before the crash; answers to them are ignored.
    public var nextToken: UInt64 = 1
    public init() {}
  }

  public var memory: Memory {
    var memory = Memory()
    memory.route = following?.track.route
    memory.travelledM = following?.track.travelledM
    memory.seenM = following?.track.seenM
    memory.nextMilestone = following?.milestones.next ?? 1
    memory.nextAddedStop = following?.milestones.nextAdded ?? 0
    memory.nextManeuver = following?.nextManeuver ?? 0
    memory.doneManeuvers = following?.doneManeuvers ?? 0
    memory.isPaused = isPaused
    memory.hasArrived = following?.hasArrived ?? false
    memory.lastPriced = following?.pricing.asked
    memory.lastUserIndex = following?.lastUserIndex ?? 0
    memory.restSince = following?.rest.since
    memory.rejected = better.rejected
    memory.isSpeeding = speed.isExceeded
    memory.rerouting = reroute.mode
    memory.strategy = reroute.strategy
    memory.laneManeuver = following?.laneManeuver
    memory.better = better.open
    memory.betterExpires = better.nextDeadline
    memory.proposal = proposed
    memory.pace = pace
    memory.nextToken = nextToken
    return memory
  }

  /// Continues from the point where `memory` was taken, without any output.
  public mutating func recall(_ memory: Memory) {
    nextToken = max(nextToken, memory.nextToken)
    reroute.mode = memory.rerouting
    reroute.strategy = memory.strategy
    isPaused = memory.isPaused
    speed = SpeedLimitMonitor(tuning: settings.speed, isExceeded: memory.isSpeeding)
    guard let route = memory.route else { return }
    following = Following(
      track: RouteTrack(
        route, travelledM: memory.travelledM.map { min($0, route.lengthM) }, seenM: memory.seenM),
      deviation: DeviationDetector(tuning: settings.deviation),
      milestones: newMilestoneTracker(next: memory.nextMilestone, nextAdded: memory.nextAddedStop),
      arrival: ArrivalDetector(mode: route.request.mode),
      nextManeuver: min(memory.nextManeuver, max(0, route.maneuvers.count - 1)),
      doneManeuvers: min(memory.doneManeuvers, route.maneuvers.count),
      skipped: skippedManeuvers(of: route), pricing: TrafficRequestTimes(asked: memory.lastPriced),
      lastUserIndex: max(memory.lastUserIndex, route.greatestUserIndex(atLeast: nil)))
    if let stop = route.waypoints.dropFirst(memory.nextMilestone - 1).first {
      following?.rest.restore(since: memory.restSince, at: stop)
    }
    following?.laneManeuver = memory.laneManeuver
    pace = memory.pace
    proposed = memory.proposal
    let open = memory.better.flatMap { found in
      memory.betterExpires.flatMap { found.routeID == route.id ? (found, $0) : nil }
    }
    better.restore(
      open, insteadOf: route, atM: memory.travelledM ?? 0, rejected: memory.rejected)
    // Without guidance off the road, no route is left after an arrival.
    offRoad = memory.hasArrived ? following?.offRoadGuide : nil
    following?.hasArrived = offRoad != nil
  }

  /// Continues from the state of another navigator, with this navigator's own settings.
  public mutating func goOn(from other: Navigator) {
    let own = settings
    self = other
    settings = own
    reroute.tuning = own.reroute.tuning
    better.tuning = own.better.tuning
    speed.tuning = own.speed
    following?.deviation.tuning = own.deviation
    following?.milestones.includesPassThrough = own.reportsPassThrough
    following?.milestones.skipsCoincident = own.skipsCoincidentStops
    better.adopt = own.better.adopt
    skipAnew()
  }

  // Other settings skip other maneuvers, so those ahead are reported again, each once.
  private mutating func skipAnew() {
    guard var now = following else { return }
    let skipped = skippedManeuvers(of: now.track.route)
    let back = now.skipped.subtracting(skipped)
    let travelledM = now.track.travelledM ?? 0
    let isAllDone = now.doneManeuvers == now.nextManeuver
    while now.nextManeuver > 0, back.contains(now.nextManeuver - 1),
      now.track.route.maneuvers[now.nextManeuver - 1].offsetM > travelledM
    {
      now.nextManeuver -= 1
    }
    if isAllDone { now.doneManeuvers = now.nextManeuver }
    now.skipped = skipped
    following = now
  }
}
