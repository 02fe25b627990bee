public import EventTime
import Fingerprint
import RoadGraph
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

  public init(
    id: String, routeID: String, route: Route, gainS: Double, longerM: Double, shapeChanged: Bool
  ) {
    self.id = id
    self.routeID = routeID
    self.route = route
    self.gainS = gainS
    self.longerM = longerM
    self.shapeChanged = shapeChanged
  }
}

/// The life of a better-route proposal: held back, proposed, accepted, rejected, expired.
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
    /// A rejected shape is not proposed again for this long.
    public var memoryS = 600.0
    public init() {}
  }

  public enum Verdict: Hashable, Sendable {
    case propose(BetterRoute, expires: Instant)
    case adopt(BetterRoute)
    case expire(BetterRoute)
    case none
  }

  private struct Rejected: Codable, Hashable, Sendable {
    var shape: Int
    var until: Instant
  }

  public var adopt: Adopt
  public var tuning: Tuning
  /// The proposal that waits for an answer.
  public private(set) var open: BetterRoute?
  private var expires: Instant?
  private var held: BetterRoute?
  private var heldUntil: Instant?
  private var rejected: [Rejected] = []

  public init(adopt: Adopt = .ask, tuning: Tuning = Tuning()) {
    self.adopt = adopt
    self.tuning = tuning
  }

  /// The moment at which something ends by itself; nil where nothing waits.
  public var nextDeadline: Instant? { open == nil ? nil : expires }

  /// A better route was found; it waits until `review` lets it out.
  public mutating func found(_ better: BetterRoute, at now: Instant) {
    guard adopt != .never, better.shapeChanged else { return }
    rejected.removeAll { $0.until <= now }
    guard !rejected.contains(where: { $0.shape == Self.shape(better) }) else { return }
    guard open.map({ Self.shape($0) != Self.shape(better) }) ?? true else { return }
    held = better
    heldUntil = now.advanced(bySeconds: tuning.expiryS)
  }

  /// What is to be done now, with the seconds to the next maneuver and to the end of the trip.
  public mutating func review(
    at now: Instant, toManeuverS: Double, toEndS: Double
  ) -> Verdict {
    if let open, let expires, now >= expires {
      forget()
      return .expire(open)
    }
    guard let better = held, let until = heldUntil else { return .none }
    guard now < until else {
      held = nil
      return .none
    }
    let isQuiet = toManeuverS < tuning.quietBeforeManeuverS || toEndS < tuning.quietBeforeEndS
    guard !isQuiet || better.gainS >= tuning.urgentGainS else { return .none }
    held = nil
    if adopt == .auto {
      forget()
      return .adopt(better)
    }
    open = better
    let expiry = now.advanced(bySeconds: tuning.expiryS)
    expires = expiry
    return .propose(better, expires: expiry)
  }

  /// Goes on after a crash with the proposal that was open.
  mutating func recall(_ better: BetterRoute, expires: Instant) {
    open = better
    self.expires = expires
  }

  /// The driver takes the open proposal; nil where none is open or it has another id.
  public mutating func accept(id: String?) -> BetterRoute? {
    guard let open, id == nil || id == open.id else { return nil }
    forget()
    return open
  }

  /// The driver does not want it; its shape is not proposed again for a while.
  public mutating func reject(id: String?, at now: Instant) -> BetterRoute? {
    guard let open, id == nil || id == open.id else { return nil }
    rejected.append(
      Rejected(shape: Self.shape(open), until: now.advanced(bySeconds: tuning.memoryS)))
    forget()
    return open
  }

  /// Another route is followed now: what waits is void; what was rejected stays rejected.
  public mutating func routeChanged() -> BetterRoute? {
    defer { forget() }
    return open
  }

  private mutating func forget() {
    open = nil
    expires = nil
    held = nil
    heldUntil = nil
  }

  // The last kilometres tell shapes apart; the first change with the place of the check.
  private static func shape(_ better: BetterRoute) -> Int {
    var hash = FNV1a()
    for segment in better.route.segments.suffix(100) {
      for part in [segment.reference.way, segment.reference.from, segment.reference.to] {
        hash.combine(word: UInt64(bitPattern: part))
      }
    }
    return Int(truncatingIfNeeded: hash.value)
  }
}
