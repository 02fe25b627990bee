public import EventTime
public import Route

/// A faster route that the poller found.
public struct BetterRoute: Codable, Hashable, Sendable {
  public var id: String
  /// The route that it would replace.
  public var routeID: String
  public var route: Route
  /// Seconds gained, both priced at one moment; positive is earlier.
  public var gainS: Double
  /// Metres more; positive is longer.
  public var longerM: Double
  public var shapeChanged: Bool
  /// Whether this route bypasses a closed road of the route that it would replace.
  public var avoidsClosure: Bool

  public init(
    id: String, routeID: String, route: Route, gainS: Double, longerM: Double, shapeChanged: Bool,
    avoidsClosure: Bool = false
  ) {
    self.id = id
    self.routeID = routeID
    self.route = route
    self.gainS = gainS
    self.longerM = longerM
    self.shapeChanged = shapeChanged
    self.avoidsClosure = avoidsClosure
  }
}

/// The life of a better-route proposal: held back, proposed, accepted, rejected, expired, withdrawn.
public struct BetterRoutePolicy: Codable, Hashable, Sendable {
  public enum Adopt: String, Codable, Hashable, Sendable, CaseIterable {
    case ask
    case auto
    case never
  }

  public struct Tuning: Codable, Hashable, Sendable {
    /// No proposal when the next maneuver is nearer than this.
    public var quietBeforeManeuverS = 70.0
    /// No proposal when the trip is shorter than this.
    public var quietBeforeEndS = 600.0
    /// A gain that is proposed whatever the moment.
    public var urgentGainS = 300.0
    public var expiryS = 60.0
    /// A rejected detour is not proposed again for this long.
    public var memoryS = 600.0
    public init() {}
  }

  public enum Verdict: Hashable, Sendable {
    case propose(BetterRoute, expires: Instant)
    case adopt(BetterRoute)
    case expire(BetterRoute)
    /// Another proposal takes its place.
    case withdraw(BetterRoute)
  }

  /// Why a proposal cannot be accepted or rejected.
  public enum Refusal: Error, Hashable, Sendable {
    /// None is open, or none of that identity was ever made.
    case noProposal
    /// The proposal of that identity has ended already.
    case ended
  }

  /// A detour that the driver does not want, and until when.
  public struct Rejected: Codable, Hashable, Sendable {
    public var detour: Detour
    public var until: Instant

    public init(detour: Detour, until: Instant) {
      self.detour = detour
      self.until = until
    }
  }

  /// Proposals that ended are known by their identity, the newest so many.
  private static let endedLimit = 16
  /// Rejected detours are remembered, the newest so many.
  private static let rejectedLimit = 8

  public var adopt: Adopt
  public var tuning: Tuning
  /// The proposal that waits for an answer.
  public private(set) var open: BetterRoute?
  /// What was rejected and must not be proposed again yet.
  public private(set) var rejected: [Rejected] = []
  private var expires: Instant?
  private var held: BetterRoute?
  private var heldUntil: Instant?
  private var ended: [String] = []

  public init(adopt: Adopt = .ask, tuning: Tuning = Tuning()) {
    self.adopt = adopt
    self.tuning = tuning
  }

  /// The moment at which something ends by itself; nil where nothing waits.
  public var nextDeadline: Instant? { open == nil ? nil : expires }

  /// Takes in a better route, which waits until `review` lets it out.
  ///
  /// What follows a detour that was rejected, or that is proposed already, is dropped: on the way to its
  /// fork the remaining detour is the same one at each check. Linear in both routes.
  public mutating func found(_ better: BetterRoute, insteadOf current: Route, at now: Instant) {
    guard adopt != .never, better.shapeChanged else { return }
    rejected.removeAll { $0.until <= now }
    let detour = Detour(of: better.route, from: current)
    guard !rejected.contains(where: { detour.isPart(of: $0.detour) }) else { return }
    guard open.map({ !detour.isPart(of: Detour(of: $0.route, from: current)) }) ?? true else {
      return
    }
    held = better
    heldUntil = now.advanced(bySeconds: tuning.expiryS)
  }

  /// What is to be done now, in this order, with the seconds to the next maneuver and to the end of the trip.
  public mutating func review(
    at now: Instant, toManeuverS: Double, toEndS: Double
  ) -> [Verdict] {
    if let open, let expires, now >= expires {
      end(open)
      return [.expire(open)]
    }
    guard let better = held, let until = heldUntil else { return [] }
    guard now < until else {
      held = nil
      return []
    }
    let isQuiet = toManeuverS < tuning.quietBeforeManeuverS || toEndS < tuning.quietBeforeEndS
    guard !isQuiet || better.gainS >= tuning.urgentGainS else { return [] }
    let overtaken = open.map { Verdict.withdraw($0) }
    if let open { end(open) }
    held = nil
    let verdicts = overtaken.map { [$0] } ?? []
    if adopt == .auto { return verdicts + [.adopt(better)] }
    open = better
    let expiry = now.advanced(bySeconds: tuning.expiryS)
    expires = expiry
    return verdicts + [.propose(better, expires: expiry)]
  }

  /// Goes on after a crash with the proposal that was open and with what was rejected.
  mutating func restore(
    _ better: (route: BetterRoute, expires: Instant)?, rejected: [Rejected]
  ) {
    open = better?.route
    expires = better?.expires
    self.rejected = rejected.suffix(Self.rejectedLimit)
  }

  /// Ends the open proposal because the driver accepts it; `id` nil means whichever is open.
  public mutating func accept(id: String?) throws(Refusal) -> BetterRoute {
    let open = try opened(id)
    end(open)
    return open
  }

  /// Ends the open proposal because the driver does not want it; its detour is not proposed again for a while.
  public mutating func reject(
    id: String?, insteadOf current: Route, at now: Instant
  ) throws(Refusal) -> BetterRoute {
    let open = try opened(id)
    let detour = Detour(of: open.route, from: current)
    rejected.append(Rejected(detour: detour, until: now.advanced(bySeconds: tuning.memoryS)))
    rejected = rejected.suffix(Self.rejectedLimit)
    end(open)
    return open
  }

  /// Another route is followed now: what waits is void; what was rejected stays rejected.
  public mutating func routeChanged() -> BetterRoute? {
    let void = open
    if let void { end(void) }
    held = nil
    heldUntil = nil
    return void
  }

  private func opened(_ id: String?) throws(Refusal) -> BetterRoute {
    if let open, id == nil || id == open.id { return open }
    throw id.map(ended.contains) == true ? .ended : .noProposal
  }

  private mutating func end(_ proposal: BetterRoute) {
    ended = (ended + [proposal.id]).suffix(Self.endedLimit)
    open = nil
    expires = nil
    held = nil
    heldUntil = nil
  }
}
