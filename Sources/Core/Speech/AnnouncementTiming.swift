public import Foundations

/// A maneuver ahead, as the timing sees it.
public struct ManeuverAhead: Codable, Hashable, Sendable {
  /// The key of a maneuver is the same in every approach, even after a restart.
  public var key: String
  /// Metres from the vehicle along the route.
  public var distanceM: Double
  /// Seconds that the announcement of each kind takes.
  public var sentenceS: [AnnouncementKind: Double]
  /// False if it must not be joined to another one in one sentence.
  public var mayJoin: Bool
  /// Kinds of announcements that are useful for this maneuver; nil: all.
  public var kinds: Set<AnnouncementKind>?

  public init(
    key: String, distanceM: Double, sentenceS: [AnnouncementKind: Double] = [:],
    mayJoin: Bool = true, kinds: Set<AnnouncementKind>? = nil
  ) {
    self.key = key
    self.distanceM = distanceM
    self.sentenceS = sentenceS
    self.mayJoin = mayJoin
    self.kinds = kinds
  }
}

/// The position of a vehicle relative to the next maneuvers.
public struct Approach: Codable, Hashable, Sendable {
  public var at: Instant
  public var isOnFoot: Bool
  /// The limit that applies, m/s; infinite for none, nil if it is not known.
  public var speedLimitMps: Double?
  /// The vehicle's own speed, m/s; nil if it is not known.
  public var speedMps: Double?
  /// Speed that the route expects here; used while neither speed nor an earlier approach is known.
  public var expectedSpeedMps: Double?
  /// Metres to the route's end, from which the speed is derived if the fix does not contain it.
  public var remainingM: Double?
  /// The next maneuver and those after it, nearest first.
  public var ahead: [ManeuverAhead]

  public init(
    at: Instant, isOnFoot: Bool = false, speedLimitMps: Double? = nil, speedMps: Double? = nil,
    expectedSpeedMps: Double? = nil, remainingM: Double? = nil, ahead: [ManeuverAhead]
  ) {
    self.at = at
    self.isOnFoot = isOnFoot
    self.speedLimitMps = speedLimitMps
    self.speedMps = speedMps
    self.expectedSpeedMps = expectedSpeedMps
    self.remainingM = remainingM
    self.ahead = ahead
  }
}

/// Decides when which announcement of a maneuver is due.
///
/// Each kind is announced at most once per maneuver. The most urgent kind that is due wins, and
/// less urgent ones count as announced. Between approaches the position is extrapolated, so that
/// one approach in 15 s is enough.
public struct AnnouncementTiming: Codable, Hashable, Sendable {
  public struct Tuning: Codable, Hashable, Sendable {
    public var table = TimingTable()
    public var kinds: Set<AnnouncementKind> = [.reminder, .distance, .action]
    public var joinsManeuvers = true
    public var saysContinue = true
    public var style = AnnouncementStyle.standard
    /// Time from the output of a sentence until it is audible, seconds.
    public var latencyS = 0.1
    /// Minimum time from the end of an action announcement to the maneuver, seconds.
    public var marginS = 1.5
    /// A kind is replaced by the next one if less than this time would be between them, seconds.
    public var gapS = 4.0
    /// Distance after a maneuver, in metres, within which a place is in view from the maneuver.
    public var inViewM = 100.0
    /// Largest share of the last announced distance at which a distance is announced again.
    public var newDistanceShare = 0.7
    /// A reminder also counts as the distance if that would follow within this many seconds.
    public var coveredS = 15.0
    /// Largest gain of speed until the next kind is due, m/s, if the route expects such a speed.
    public var gainMps = 6.0
    /// Maximum duration of an extrapolation, seconds.
    public var extrapolationS = 20.0
    /// Below this speed the vehicle is stationary, m/s.
    public var standingMps = 0.5

    public init() {}
  }

  public enum Event: Hashable, Sendable {
    case approached(Approach)
    case woke(Instant)
    /// Kinds up to this one were announced in another sentence, or before a restart.
    case said(key: String, through: AnnouncementKind)
    /// Kinds up to this one were announced with a distance; the sentence ends at `until`.
    case named(key: String, through: AnnouncementKind, distanceM: Double, until: Instant)
    /// The position on the route is not known: nothing is extrapolated until the next approach.
    case lost
    /// The vehicle took another road, so earlier announcements may have to be repeated.
    case leftRoute
  }

  /// An announcement to be made now.
  public struct Due: Hashable, Sendable {
    public var key: String
    public var kind: AnnouncementKind
    /// Whether nothing was announced for this maneuver before.
    public var isFirst: Bool
    /// Metres to the maneuver now.
    public var distanceM: Double
    /// Metres to the maneuver when the sentence ends, which is the distance to announce.
    public var spokenM: Double
    /// The maneuver to be joined into the same sentence.
    public var joinedKey: String?
    public var profile: TimingProfile
    /// Seconds until the maneuver; nil if stationary.
    public var timeS: Double?
  }

  public enum Output: Hashable, Sendable {
    case due(Due)
    /// The road to the next maneuver has just begun, and is long.
    case continueFor(key: String, lengthM: Double)
    case wake(at: Instant)
  }

  public var tuning: Tuning
  /// The most urgent kind announced, by maneuver.
  public private(set) var said: [String: AnnouncementKind] = [:]
  private var approach: Approach?
  private var speedMps: Double = 0
  private var isSparse = false
  private var nextKey: String?
  private var continued: String?
  private var last: LastNamed?

  /// The last announced distance to a maneuver, and the time at which its sentence ends.
  private struct LastNamed: Codable, Hashable, Sendable {
    var key: String
    var distanceM: Double
    var endsAt: Instant
  }

  public init(tuning: Tuning = Tuning()) { self.tuning = tuning }

  public mutating func handle(_ event: Event) -> [Output] {
    switch event {
    case .approached(let approach): return approached(approach)
    case .woke(let now): return due(at: now)
    case .said(let key, let kind):
      markSpoken(key, kind)
      return []
    case .named(let key, let kind, let distanceM, let end):
      markSpoken(key, kind)
      last = LastNamed(key: key, distanceM: distanceM, endsAt: end)
      return []
    case .lost:
      approach = nil
      return []
    case .leftRoute:
      approach = nil
      said = [:]
      nextKey = nil
      continued = nil
      last = nil
      return []
    }
  }

  /// Metres to the maneuver `key` at `now`, extrapolated; nil if it is not ahead.
  public func distanceM(to key: String, at now: Instant) -> Double? {
    guard let approach, let ahead = approach.ahead.first(where: { $0.key == key }) else {
      return nil
    }
    return max(0, ahead.distanceM - travelled(by: now, since: approach))
  }

  /// Metres to the maneuver `key` when a sentence of `sentenceS` seconds begun at `now` has ended.
  public func spokenM(to key: String, at now: Instant, sentenceS: Double) -> Double? {
    distanceM(to: key, at: now).map { max(0, $0 - speedMps * (sentenceS + tuning.latencyS)) }
  }

  /// Speed of the last approach, m/s; 0 if stationary.
  public var drivenMps: Double { speedMps }

  /// Seconds until the action announcement of the next maneuver is due, and its duration in
  /// seconds.
  ///
  /// The result is nil if no action announcement is left, or if the vehicle is stationary.
  public func nextAction(at now: Instant) -> (inS: Double, lastsS: Double)? {
    guard speedMps > 0, let approach, let (index, distanceM) = active(at: now, in: approach),
      open(approach.ahead[index]).contains(.action)
    else { return nil }
    let next = approach.ahead[index]
    let inS = (distanceM - leadM(.action, next, approach)) / speedMps
    return (max(0, inS), next.sentenceS[.action] ?? 0)
  }

  /// Whether a maneuver is in view, and its action follows at once, when the previous one has been
  /// passed.
  public func isActionDue(of key: String, atEndOf first: String) -> Bool {
    guard let approach, let next = approach.ahead.first(where: { $0.key == key }),
      let before = approach.ahead.first(where: { $0.key == first })
    else { return false }
    let mps = soonMps(approach)
    let betweenM = next.distanceM - before.distanceM
    return betweenM <= tuning.inViewM
      && betweenM - leadM(.action, next, approach, atMps: mps) <= tuning.gapS * mps
  }

  /// Seconds for `lengthM` at the current speed; nil if stationary.
  public func timeS(over lengthM: Double) -> Double? {
    speedMps > 0 ? lengthM / speedMps : nil
  }

  private mutating func approached(_ new: Approach) -> [Output] {
    if let approach, new.at < approach.at { return [] }
    speedMps = speed(at: new)
    if let approach { isSparse = new.at.seconds(since: approach.at) > 3 }
    approach = new
    let keys = Set(new.ahead.map(\.key))
    if said.count > 64 { said = said.filter { keys.contains($0.key) } }
    var outputs: [Output] = []
    if let next = new.ahead.first, next.key != nextKey {
      let isBegun = nextKey != nil
      nextKey = next.key
      if isBegun { outputs += continuation(next) }
    }
    return outputs + due(at: new.at)
  }

  /// The speed of the fix; otherwise derived from the distance since the last approach; otherwise
  /// the expected one.
  private func speed(at new: Approach) -> Double {
    let derived: Double? = approach.flatMap { old in
      let elapsedS = new.at.seconds(since: old.at)
      guard elapsedS > 0.2, elapsedS <= 60, let before = old.remainingM, let now = new.remainingM,
        before >= now
      else { return nil }
      return (before - now) / elapsedS
    }
    let known = new.speedMps ?? derived ?? new.expectedSpeedMps ?? 0
    return known.isFinite && known >= tuning.standingMps ? min(known, 100) : 0
  }

  private mutating func continuation(_ next: ManeuverAhead) -> [Output] {
    guard tuning.saysContinue, let approach, continued != next.key, said[next.key] == nil else {
      return []
    }
    let saysRange = tuning.kinds.contains(.range)
    guard !saysRange, next.distanceM >= row(approach).continueM else { return [] }
    continued = next.key
    return [.continueFor(key: next.key, lengthM: next.distanceM)]
  }

  private mutating func due(at now: Instant) -> [Output] {
    guard let approach, let (index, distanceM) = active(at: now, in: approach) else { return [] }
    let next = approach.ahead[index]
    let kinds = open(next)
    let isFirst = said[next.key] == nil
    var outputs: [Output] = []
    if let kind = kinds.last(where: { distanceM <= leadM($0, next, approach) }) {
      guard let chosen = chosen(kind, among: kinds, next, distanceM, approach) else {
        markSpoken(next.key, kind)
        return wake(after: now, next, approach)
      }
      if let waitS = waitS(chosen, next, distanceM, approach, now) {
        return wake(after: now, next, approach, orInS: waitS)
      }
      markSpoken(next.key, covered(by: chosen, next, distanceM, approach))
      let due = announcement(chosen, isFirst: isFirst, index, distanceM, approach)
      last = LastNamed(
        key: next.key, distanceM: due.spokenM,
        endsAt: now.advanced(bySeconds: (next.sentenceS[chosen] ?? 0) + tuning.latencyS))
      outputs.append(.due(due))
    }
    return outputs + wake(after: now, next, approach)
  }

  /// Returns the kind that a sentence counts as.
  ///
  /// A reminder that comes shortly before the distance also counts as the distance.
  private func covered(
    by kind: AnnouncementKind, _ next: ManeuverAhead, _ distanceM: Double, _ approach: Approach
  ) -> AnnouncementKind {
    guard kind == .reminder, open(next).contains(.distance) else { return kind }
    let leadM = leadM(.distance, next, approach)
    let isNear = distanceM * tuning.newDistanceShare <= leadM
    return isNear && distanceM - leadM <= tuning.coveredS * speedMps ? .distance : kind
  }

  /// Seconds until an announcement of `kind` adds something new; nil if it may be spoken now.
  ///
  /// A second distance of a maneuver requires a silence after the first, and must be clearly
  /// smaller.
  private func waitS(
    _ kind: AnnouncementKind, _ next: ManeuverAhead, _ distanceM: Double, _ approach: Approach,
    _ now: Instant
  ) -> Double? {
    guard kind < .action, let last, last.key == next.key else { return nil }
    let row = row(approach)
    let tableShare = row.distance.distanceM / max(row.reminder.distanceM, 1) * 1.05
    let newM = last.distanceM * max(tuning.newDistanceShare, tableShare)
    let silenceS = last.endsAt.seconds(since: now) + tuning.gapS
    let drivingS = speedMps > 0 ? (distanceM - newM) / speedMps : distanceM > newM ? 60 : 0
    let waitS = max(silenceS, drivingS)
    return waitS > 0.01 ? waitS : nil
  }

  /// The next maneuver, or the one after it if approaches are rare and the next one must have been
  /// passed.
  private func active(at now: Instant, in approach: Approach) -> (index: Int, distanceM: Double)? {
    let travelledM = travelled(by: now, since: approach)
    for (index, ahead) in approach.ahead.enumerated() {
      let distanceM = ahead.distanceM - travelledM
      if distanceM >= 0 { return (index, distanceM) }
      if index == 0 && !isSparse { return nil }
    }
    return nil
  }

  /// The kind to announce when `kind` is due: itself, or the next one if that follows at once.
  ///
  /// The result is nil to wait for an action that is moments away.
  private func chosen(
    _ kind: AnnouncementKind, among kinds: [AnnouncementKind], _ next: ManeuverAhead,
    _ distanceM: Double, _ approach: Approach
  ) -> AnnouncementKind? {
    guard speedMps > 0, let later = kinds.first(where: { $0 > kind }) else { return kind }
    let soonMps = soonMps(approach)
    let untilLaterS = (distanceM - leadM(later, next, approach, atMps: soonMps)) / soonMps
    guard untilLaterS < (next.sentenceS[kind] ?? 0) + tuning.gapS else { return kind }
    return later == .action ? nil : chosen(later, among: kinds, next, distanceM, approach)
  }

  /// Speed for the computation, m/s: after a turn the vehicle soon drives faster, and the next kind
  /// is due earlier.
  private func soonMps(_ approach: Approach) -> Double {
    max(speedMps, min(approach.expectedSpeedMps ?? 0, speedMps + tuning.gainMps))
  }

  private func announcement(
    _ kind: AnnouncementKind, isFirst: Bool, _ index: Int, _ distanceM: Double,
    _ approach: Approach
  ) -> Due {
    let next = approach.ahead[index]
    let sayingM = speedMps * ((next.sentenceS[kind] ?? 0) + tuning.latencyS)
    var joined: String?
    if tuning.joinsManeuvers, next.mayJoin, approach.ahead.indices.contains(index + 1) {
      let second = approach.ahead[index + 1]
      let isClose = second.distanceM - next.distanceM <= row(approach).doubleM
      if isClose && second.mayJoin { joined = second.key }
    }
    return Due(
      key: next.key, kind: kind, isFirst: isFirst, distanceM: distanceM,
      spokenM: max(0, distanceM - sayingM),
      joinedKey: joined, profile: profile(approach),
      timeS: speedMps > 0 ? distanceM / speedMps : nil)
  }

  private func wake(
    after now: Instant, _ next: ManeuverAhead, _ approach: Approach, orInS waitS: Double? = nil
  ) -> [Output] {
    guard speedMps > 0 else { return [] }
    var moments = open(next).map { (next.distanceM - leadM($0, next, approach)) / speedMps }
    if isSparse { moments.append(next.distanceM / speedMps + 0.1) }
    if let waitS { moments.append(now.seconds(since: approach.at) + waitS) }
    let sooner = moments.map { approach.at.advanced(bySeconds: $0 + 0.001) }
      .filter { $0 > now && $0.seconds(since: approach.at) <= tuning.extrapolationS }
    return sooner.min().map { [.wake(at: $0)] } ?? []
  }

  /// Metres before the maneuver at which the announcement of `kind` must begin.
  private func leadM(
    _ kind: AnnouncementKind, _ next: ManeuverAhead, _ approach: Approach, atMps: Double? = nil
  ) -> Double {
    let speedMps = atMps ?? speedMps
    let trigger = row(approach)[kind]
    if kind == .range && trigger.distanceM == 0 && trigger.timeS == 0 { return .infinity }
    let beforeS = kind == .action ? max(trigger.timeS, tuning.marginS) : trigger.timeS
    let sayingS = (next.sentenceS[kind] ?? 0) + tuning.latencyS
    return max(trigger.distanceM, beforeS * speedMps) + sayingS * speedMps
  }

  /// Kinds that may still be announced for a maneuver, the earliest first.
  private func open(_ maneuver: ManeuverAhead) -> [AnnouncementKind] {
    let last = said[maneuver.key]
    return AnnouncementKind.allCases.filter { kind in
      tuning.kinds.contains(kind) && maneuver.kinds?.contains(kind) ?? true
        && last.map { kind > $0 } ?? true
    }
  }

  private mutating func markSpoken(_ key: String, _ kind: AnnouncementKind) {
    said[key] = max(said[key] ?? kind, kind)
  }

  private func travelled(by now: Instant, since approach: Approach) -> Double {
    let elapsedS = min(max(0, now.seconds(since: approach.at)), tuning.extrapolationS)
    return elapsedS * speedMps
  }

  private func profile(_ approach: Approach) -> TimingProfile {
    approach.isOnFoot
      ? .pedestrian : TimingProfile(drivingUnder: approach.speedLimitMps ?? speedMps)
  }

  private func row(_ approach: Approach) -> TimingRow { tuning.table[profile(approach)] }
}
