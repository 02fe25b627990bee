public import Foundations
public import Route

/// A faster route that the poller found.
public struct BetterRoute: Codable, Hashable, Sendable {
  public var id: String
  /// The route that it would replace.
  public var routeID: String
  public var route: Route
  /// Seconds gained, with both routes priced at the same moment; positive means an earlier arrival.
  public var gainS: Double
  /// Additional metres; positive means longer.
  public var longerM: Double
  public var shapeChanged: Bool
  /// Whether this route bypasses a closed road of the route that it would replace.
  public var avoidsClosure: Bool
  /// Gain in seconds that was required; nil if it is not known.
  public var thresholdS: Double?

  public init(
    id: String, routeID: String, route: Route, gainS: Double, longerM: Double, shapeChanged: Bool,
    avoidsClosure: Bool = false, thresholdS: Double? = nil
  ) {
    self.id = id
    self.routeID = routeID
    self.route = route
    self.gainS = gainS
    self.longerM = longerM
    self.shapeChanged = shapeChanged
    self.avoidsClosure = avoidsClosure
    self.thresholdS = thresholdS
  }

  /// Minimum gain in seconds for a proposal to stay open and to be accepted.
  ///
  /// It is half of the gain required to propose it, so that a gain near the threshold does not open
  /// and close it repeatedly.
  var leastOpenS: Double { max(1, (thresholdS ?? 0) / 2) }
}

/// The life cycle of a better-route proposal: held back, proposed, accepted, rejected, expired,
/// withdrawn.
///
/// A route counts only as long as the vehicle can still follow it: its fork must be far enough
/// ahead to announce the change and to brake. A held route is priced again before it is used, and
/// an open proposal every `repriceS` seconds.
public struct BetterRoutePolicy: Codable, Hashable, Sendable {
  public enum Adopt: String, Codable, Hashable, Sendable, CaseIterable {
    case ask
    case auto
    case never
  }

  public struct Tuning: Codable, Hashable, Sendable {
    /// Nothing is proposed if the next maneuver is nearer than this.
    public var quietBeforeManeuverS = 70.0
    /// Nothing is proposed if the rest of the trip is shorter than this.
    public var quietBeforeEndS = 600.0
    /// A gain that is proposed at any moment.
    public var urgentGainS = 300.0
    public var expiryS = 60.0
    /// How long a rejected or unanswered detour is not proposed again, in seconds.
    ///
    /// For as long, a route that was left is taken again only for a greater gain.
    public var memoryS = 600.0
    /// Seconds between two price updates of an open proposal.
    public var repriceS = 15.0
    /// Time that a driver needs to answer before the fork is too near.
    public var answerS = 10.0
    public init() {}
  }

  public enum Verdict: Hashable, Sendable {
    case propose(BetterRoute, expires: Instant)
    case adopt(BetterRoute)
    case expire(BetterRoute)
    /// Another proposal replaces it, it can no longer be followed, or it no longer gains anything.
    case withdraw(BetterRoute)
    /// It must be priced again; `newM` metres of it have been driven.
    case price(BetterRoute, newM: Double)
  }

  /// Why a proposal cannot be accepted or rejected.
  public enum Refusal: Error, Hashable, Sendable {
    /// No proposal is open, or none with that identity was ever made.
    case noProposal
    /// The proposal with that identity has already ended.
    case ended
  }

  /// A detour that is not wanted, and when that expires.
  public struct Rejected: Codable, Hashable, Sendable {
    public var detour: Detour
    public var until: Instant
    /// Minimum gain in seconds that makes the detour acceptable nevertheless; nil for none.
    public var leastGainS: Double?

    public init(detour: Detour, until: Instant, leastGainS: Double? = nil) {
      self.detour = detour
      self.until = until
      self.leastGainS = leastGainS
    }
  }

  /// The state of the vehicle with regard to its route and to better routes.
  public struct Situation: Hashable, Sendable {
    public var travelledM: Double
    public var speedMps: Double?
    /// Seconds to the next maneuver, and to the end of the trip.
    public var toManeuverS: Double
    public var toEndS: Double
    /// Whether nothing suggests that the vehicle has left its route.
    public var isOnRoute: Bool
    /// Remaining stops of the trip, including the destination.
    public var stopsLeft: Int
    /// Whether prices have been requested and not yet received.
    public var isPricing = false
    /// Whether the driver has accepted the open proposal, which is being priced for that.
    public var isAccepting = false
  }

  /// A better route that is held back or proposed.
  private struct Candidate: Codable, Hashable, Sendable {
    var better: BetterRoute
    var fork: Fork
    /// When its gain was computed; nil if that is not known.
    var priced: Instant?
    var until: Instant
    /// Whether it starts by turning back, which needs no lead distance before a fork.
    var turnsBack: Bool?

    func isTooNear(_ now: Situation, extraM: Double = 0) -> Bool {
      let leadM = turnsBack == true ? 0 : InstructionLead.m(speedMps: now.speedMps) + extraM
      return fork.currentM - now.travelledM < leadM
    }

    /// Whether a stop was reached or added since it was computed.
    func hasOtherStops(_ now: Situation) -> Bool {
      better.route.waypoints.count - 1 != now.stopsLeft
    }
  }

  /// Number of ended proposals whose identities are kept; the newest are kept.
  private static let endedLimit = 16
  /// Number of unwanted detours that are kept; the newest are kept.
  private static let rejectedLimit = 16
  /// A gain that was computed at most this many seconds ago still counts.
  private static let freshS = 2.0
  /// Seconds for which a withdrawn proposal is not made again.
  private static let withdrawnS = 120.0
  /// The required gain that is assumed if it is not known, in seconds.
  private static let usualThresholdS = 120.0
  /// Minimum base of the gain required to return to a route, in seconds.
  private static let leastThresholdS = 60.0
  /// After this many changes within `memoryS`, only an urgent gain leads to another one.
  private static let calmChanges = 3

  public var adopt: Adopt
  public var tuning: Tuning
  /// The proposal that is waiting for an answer.
  public var open: BetterRoute? { opened?.better }
  /// Detours that were rejected, not answered or left, and must not be proposed again yet.
  public private(set) var rejected: [Rejected] = []
  private var opened: Candidate?
  private var held: Candidate?
  private var ended: [String] = []

  public init(adopt: Adopt = .ask, tuning: Tuning = Tuning()) {
    self.adopt = adopt
    self.tuning = tuning
  }

  /// The next moment at which something expires; nil if nothing is pending.
  public var nextDeadline: Instant? { opened?.until }

  /// Stores a better route, which is held until `review` releases it.
  ///
  /// A route along a rejected detour is dropped, since the remaining detour is the same one at each
  /// check on the road to its fork. A route that is already proposed gets the new gain. Linear in
  /// both routes.
  ///
  /// - Returns: whether the gain of the open proposal changed visibly.
  public mutating func found(
    _ better: BetterRoute, insteadOf current: Route, _ situation: Situation, at now: Instant
  ) -> Bool {
    let back =
      better.avoidsClosure
      ? Fork(turningBack: better.route, from: current, atM: situation.travelledM) : nil
    guard adopt != .never, better.shapeChanged,
      let fork = back ?? Fork(of: better.route, from: current, atM: situation.travelledM)
    else { return false }
    rejected.removeAll { $0.until <= now }
    let detour = Detour(of: better.route, from: current)
    if let opened, detour.isPart(of: Detour(of: opened.better.route, from: current)) {
      return setGain(better.gainS, at: now)
    }
    let candidate = Candidate(
      better: better, fork: fork, priced: now, until: now.advanced(bySeconds: tuning.expiryS),
      turnsBack: back != nil)
    guard isWanted(better, detour), !isVoid(candidate, situation) else { return false }
    held = candidate
    return false
  }

  private func isWanted(_ better: BetterRoute, _ detour: Detour) -> Bool {
    let isKnown = rejected.contains { known in
      detour.isPart(of: known.detour)
        && known.leastGainS.map { better.gainS < $0 && !better.avoidsClosure } ?? true
    }
    let changes = rejected.count { $0.leastGainS != nil }
    let isCalm =
      changes < Self.calmChanges || better.gainS >= tuning.urgentGainS || better.avoidsClosure
    return !isKnown && isCalm
  }

  /// Whether a candidate can no longer be followed, or can no longer be answered in time.
  private func isVoid(_ candidate: Candidate, _ now: Situation) -> Bool {
    let answerM =
      adopt == .ask ? InstructionLead.drivenM(tuning.answerS, speedMps: now.speedMps) : 0
    return candidate.isTooNear(now, extraM: answerM) || candidate.hasOtherStops(now)
  }

  private mutating func setGain(_ gainS: Double, at now: Instant) -> Bool {
    guard let before = opened?.better.gainS else { return false }
    opened?.better.gainS = gainS
    opened?.priced = now
    return abs(gainS - before) >= Self.visibleS
  }

  /// Changes of the gain below this many seconds are not shown.
  private static let visibleS = 30.0

  /// Returns the actions that are due now, in order.
  public mutating func review(
    at now: Instant, insteadOf current: Route, _ situation: Situation
  ) -> [Verdict] {
    if let ended = reviewOpen(at: now, insteadOf: current, situation) { return [ended] }
    guard let candidate = held else { return [] }
    guard now < candidate.until, !isVoid(candidate, situation) else {
      held = nil
      return []
    }
    let better = candidate.better
    let isQuiet =
      situation.toManeuverS < tuning.quietBeforeManeuverS
      || situation.toEndS < tuning.quietBeforeEndS
    guard situation.isOnRoute, !situation.isPricing, !isQuiet || better.gainS >= tuning.urgentGainS
    else { return [] }
    guard isFresh(candidate, at: now, Self.freshS) else {
      return [.price(better, newM: candidate.fork.newM(atM: situation.travelledM))]
    }
    let overtaken = opened.map { [Verdict.withdraw($0.better)] } ?? []
    if let opened { end(opened.better) }
    held = nil
    if adopt == .auto { return overtaken + [.adopt(better)] }
    let expiry = now.advanced(bySeconds: tuning.expiryS)
    opened = candidate
    opened?.until = expiry
    return overtaken + [.propose(better, expires: expiry)]
  }

  private mutating func reviewOpen(
    at now: Instant, insteadOf current: Route, _ situation: Situation
  ) -> Verdict? {
    guard let candidate = opened, !situation.isAccepting else { return nil }
    let better = candidate.better
    if now >= candidate.until {
      // A detour around a closed road is proposed until it is accepted or rejected.
      if !better.avoidsClosure {
        remember(Detour(of: better.route, from: current), forS: tuning.memoryS, at: now)
      }
      end(better)
      return .expire(better)
    }
    if candidate.isTooNear(situation) || candidate.hasOtherStops(situation) {
      end(better)
      return .withdraw(better)
    }
    guard !situation.isPricing, !isFresh(candidate, at: now, tuning.repriceS) else {
      return nil
    }
    return .price(better, newM: candidate.fork.newM(atM: situation.travelledM))
  }

  private func isFresh(_ candidate: Candidate, at now: Instant, _ seconds: Double) -> Bool {
    candidate.priced.map { now.seconds(since: $0) < seconds } ?? false
  }

  /// Stores a new price of the candidate: its gain in seconds, or nil if it could not be priced.
  ///
  /// - Returns: the open proposal if it gains too little and has ended, and whether its gain
  ///   changed visibly.
  public mutating func priced(
    _ id: String, gainS: Double?, insteadOf current: Route, at now: Instant
  ) -> (withdrawn: BetterRoute?, isChanged: Bool) {
    if let candidate = held, candidate.better.id == id {
      let least = max(1, candidate.better.thresholdS ?? 0)
      guard let gainS, gainS >= least else {
        held = nil
        return (nil, false)
      }
      held?.better.gainS = gainS
      held?.priced = now
    }
    guard let candidate = opened, candidate.better.id == id else { return (nil, false) }
    guard let gainS else {
      // The router may succeed the next time.
      opened?.priced = now
      return (nil, false)
    }
    guard gainS >= candidate.better.leastOpenS else {
      var better = candidate.better
      remember(Detour(of: better.route, from: current), forS: Self.withdrawnS, at: now)
      end(better)
      better.gainS = gainS
      return (better, false)
    }
    return (nil, setGain(gainS, at: now))
  }

  /// Records that a route is left for a better one, so that returning needs a greater gain for a
  /// while.
  ///
  /// A jam that moves to the new route justifies one return. Jams that come and go do not justify
  /// switching back and forth: each change within `memoryS` doubles the required gain. The second
  /// return must gain more than was gained before.
  public mutating func left(_ current: Route, for better: BetterRoute, at now: Instant) {
    rejected.removeAll { $0.until <= now }
    let changes = rejected.count { $0.leastGainS != nil }
    let base = max(Self.leastThresholdS, better.thresholdS ?? Self.usualThresholdS)
    let grown = (0...changes).reduce(base) { gain, _ in 2 * gain }
    let gained = better.gainS * (changes == 0 ? 0.5 : 1.1)
    remember(
      Detour(of: current, from: better.route), forS: tuning.memoryS, at: now,
      leastGainS: max(grown, gained))
  }

  private mutating func remember(
    _ detour: Detour, forS seconds: Double, at now: Instant, leastGainS: Double? = nil
  ) {
    rejected.append(
      Rejected(
        detour: detour, until: now.advanced(bySeconds: seconds), leastGainS: leastGainS))
    rejected = rejected.suffix(Self.rejectedLimit)
  }

  /// Moves all stored times by a step of the clock.
  mutating func clockSet(bySeconds seconds: Double) {
    for index in rejected.indices {
      rejected[index].until = rejected[index].until.advanced(bySeconds: seconds)
    }
    for candidate in [\BetterRoutePolicy.opened, \.held] {
      guard var moved = self[keyPath: candidate] else { continue }
      moved.until = moved.until.advanced(bySeconds: seconds)
      moved.priced = moved.priced?.advanced(bySeconds: seconds)
      self[keyPath: candidate] = moved
    }
  }

  /// Continues after a crash with the proposal that was open and with the rejected detours.
  mutating func restore(
    _ better: (route: BetterRoute, expires: Instant)?, insteadOf current: Route,
    atM travelledM: Double, rejected: [Rejected]
  ) {
    self.rejected = rejected.suffix(Self.rejectedLimit)
    opened = better.flatMap { better in
      let back = Fork(turningBack: better.route.route, from: current, atM: travelledM)
      let fork = back ?? Fork(of: better.route.route, from: current, atM: travelledM)
      return fork.map {
        Candidate(
          better: better.route, fork: $0, priced: nil, until: better.expires,
          turnsBack: back != nil)
      }
    }
  }

  /// The open proposal that the driver accepts, with the metres of it that are driven; `id` nil means whichever is
  /// open.
  ///
  /// It stays open until `accepted`.
  public func acceptable(
    id: String?, _ situation: Situation
  ) throws(Refusal) -> (better: BetterRoute, newM: Double) {
    let candidate = try opened(id)
    return (candidate.better, candidate.fork.newM(atM: situation.travelledM))
  }

  /// Ends the open proposal because the driver accepts it, and returns whether it can still be
  /// followed.
  ///
  /// The result is nil if no proposal with that identity is open.
  public mutating func accepted(
    id: String, _ situation: Situation
  ) -> (better: BetterRoute, isStillAhead: Bool)? {
    guard let candidate = opened, candidate.better.id == id else { return nil }
    end(candidate.better)
    let isVoid =
      candidate.isTooNear(situation) || candidate.hasOtherStops(situation)
      || !situation.isOnRoute
    return (candidate.better, !isVoid)
  }

  /// Ends the open proposal because the driver rejects it; its detour is not proposed again for a
  /// while.
  public mutating func reject(
    id: String?, insteadOf current: Route, at now: Instant
  ) throws(Refusal) -> BetterRoute {
    let better = try opened(id).better
    remember(Detour(of: better.route, from: current), forS: tuning.memoryS, at: now)
    end(better)
    return better
  }

  /// Discards the candidates because another route is followed now; rejected detours stay rejected.
  public mutating func routeChanged() -> BetterRoute? {
    let void = open
    if let void { end(void) }
    held = nil
    return void
  }

  private func opened(_ id: String?) throws(Refusal) -> Candidate {
    if let opened, id == nil || id == opened.better.id { return opened }
    throw id.map(ended.contains) == true ? .ended : .noProposal
  }

  private mutating func end(_ proposal: BetterRoute) {
    ended = (ended + [proposal.id]).suffix(Self.endedLimit)
    opened = nil
    held = nil
  }
}
