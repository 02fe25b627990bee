public import EventTime
public import Route

extension Navigator {
  /// What must outlive a crash: where the drive stands, and what was told of it.
  public struct Memory: Hashable, Sendable {
    public var route: Route?
    public var travelledM: Double?
    /// Where the vehicle was seen last; behind `travelledM` while that is estimated, nil where it was
    /// not seen on the route.
    public var seenM: Double?
    /// Index of the first waypoint not yet told of.
    public var nextMilestone = 1
    /// Index of the first stop that the router added and that was not yet told of.
    public var nextAddedStop = 0
    public var nextManeuver = 0
    /// Maneuvers told as done; more than `nextManeuver` where an estimate was taken back.
    public var doneManeuvers = 0
    public var isPaused = false
    /// The end of the route was reached, and that was told; what is left leads off the road.
    public var hasArrived = false
    /// The speed limit is exceeded, and that was told.
    public var isSpeeding = false
    /// When traffic on the route was last asked for.
    public var lastPriced: Instant?
    public var rerouting = ReroutePolicy.Mode.automatic
    public var strategy = ReroutePolicy.Strategy.nextStop
    /// Index of the maneuver of which lanes are shown; nil for none.
    public var laneManeuver: Int?
    /// The better route that is proposed, and when it expires.
    public var better: BetterRoute?
    public var betterExpires: Instant?
    /// The new way that is proposed.
    public var proposal: Proposal?
    /// Detours that were rejected and must not be proposed again yet.
    public var rejected: [BetterRoutePolicy.Rejected] = []
    /// When the stop was reached at which the vehicle rests; nil while it does not.
    public var restSince: Instant?
    /// The greatest place in the user's list that a waypoint of the trip has, or had.
    public var lastUserIndex = 0
    /// The driver's pace on this trip; nil where nothing was learned.
    public var pace: Pace?
    /// Tokens below it were used before the crash; their answers are void.
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

  /// Goes on where `memory` was taken; says nothing.
  public mutating func recall(_ memory: Memory) {
    nextToken = max(nextToken, memory.nextToken)
    reroute.mode = memory.rerouting
    reroute.strategy = memory.strategy
    isPaused = memory.isPaused
    speed = SpeedWatch(tuning: settings.speed, isExceeded: memory.isSpeeding)
    guard let route = memory.route else { return }
    following = Following(
      track: RouteTrack(
        route, travelledM: memory.travelledM.map { min($0, route.lengthM) }, seenM: memory.seenM),
      deviation: DeviationWatch(tuning: settings.deviation),
      milestones: milestoneWatch(next: memory.nextMilestone, nextAdded: memory.nextAddedStop),
      arrival: ArrivalWatch(mode: route.request.mode),
      nextManeuver: min(memory.nextManeuver, max(0, route.maneuvers.count - 1)),
      doneManeuvers: min(memory.doneManeuvers, route.maneuvers.count),
      skipped: skippedManeuvers(of: route), pricing: PricingTimes(asked: memory.lastPriced),
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
    // Without a way off the road an arrival leaves no route.
    offRoad = memory.hasArrived ? following?.offRoadGuide : nil
    following?.hasArrived = offRoad != nil
  }

  /// Goes on where another navigator is, by this one's own settings.
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

  // Other settings skip other maneuvers: those that lie ahead are told of again, each once.
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
