import Foundations
import MapMatching
import Messages
import Positioning
import RoadGraph
import Stage

/// Settings for estimating locations without fixes, and the rates of estimates.
struct EstimationSettings: Sendable {
  var reckoning = DeadReckoning.Settings()
  var intervalS = 1.0
  /// Locations per second on `location/interpolated`, with an active route and without.
  var guidanceHz = 30.0
  var freeHz = 60.0
  /// Whether locations are interpolated without a request.
  var alwaysInterpolates = false

  init() {}

  init(_ parameters: Parameters) {
    reckoning.inTunnels = parameters.bool("tunnel_extrapolation")
    reckoning.inGaps = parameters.bool("extrapolation")
    intervalS = parameters.double("estimate_interval_s")
    guidanceHz = parameters.double("guidance_hz")
    freeHz = parameters.double("free_hz")
    alwaysInterpolates = parameters.string("interpolate") == "always"
  }
}

/// The time since the last fix, and the estimates published meanwhile.
struct FixGap: Codable, Hashable, Sendable {
  /// Seconds between the last two fixes.
  var intervalS: Double?
  var lastFix: Instant?
  /// Time of the next estimate; nil if none is due.
  var nextEstimate: Instant?
  /// Number of estimates since the last observed place.
  var estimates = 0
  /// Time of the newest estimate.
  private(set) var lastEstimate: Instant?
  /// Number of edges on the path from the last observed place to the last estimate.
  var reportedEdges = 0

  /// Upper bound in seconds of the wait for a fix, which counts as missing half an interval after
  /// it was expected.
  private static let longestWaitS = 3.0

  /// Records a fix, with or without a place.
  mutating func ended(at time: Instant, hasPlace: Bool) {
    if let lastFix {
      let gapS = time.seconds(since: lastFix)
      // A pause is no interval: the known interval at most doubles from gap to gap.
      if gapS > 0 { intervalS = Double.minimum(gapS, 2 * (intervalS ?? 1)) }
    }
    lastFix = time
    if hasPlace {
      estimates = 0
      reportedEdges = 0
    }
    let waitS = Double.minimum(Self.longestWaitS, Double.maximum(0.5, ownWaitS))
    nextEstimate = time.advanced(bySeconds: waitS)
  }

  /// Records that an estimate was published.
  mutating func estimated(at time: Instant, edges: Int) {
    estimates += 1
    reportedEdges = edges
    lastEstimate = time
  }

  /// Whether a fix is overdue by the sampling interval of the source, estimated or not.
  func isLate(at now: Instant) -> Bool {
    guard let lastFix else { return true }
    return now.seconds(since: lastFix) > ownWaitS
  }

  /// Seconds after a fix at which the next one is late by the sampling interval of the source.
  var ownWaitS: Double { 1.5 * (intervalS ?? 1) }
}

extension MatcherStage {
  func isWeak(_ fix: Fix) -> Bool { (fix.accuracyM ?? 0) > shared.tuning.weakAccuracyM }

  /// Whether the state before a long silence counts for the fix that ends it.
  mutating func bridges(to fix: Fix) -> Bool {
    guard let now = fix.time, let last = reckoning.anchor?.time,
      now.seconds(since: last) > shared.tuning.forgetS
    else { return false }
    return reckoning.bridges(to: now)
  }

  /// Updates dead reckoning with the match of a fix.
  mutating func record(_ match: Match, at time: Instant, speedMps: Double?) {
    var hasPlace = false
    switch match.outcome {
    case .matched(let place) where !place.state.isAgainst:
      frames.willSee(place.position, at: time, &reckoning)
      reckoning.saw(
        place.position, at: time, speedMps: speedMps, uncertaintyM: place.uncertaintyM,
        probability: place.probability)
      hasPlace = true
    case .matched:
      // The continuation of a drive on the wrong side cannot be predicted.
      reckoning.lose()
    case .noMatch(.offRoad), .noMatch(.noMapData):
      // In a tunnel an off-road position is an error of the receiver.
      if !reckoning.bridges(to: time) { reckoning.lose() }
    case .noMatch: break
    }
    silence.ended(at: time, hasPlace: hasPlace)
    if reckoning.anchor == nil { silence.nextEstimate = nil }
    frames.noted(reckoning.anchor, now: time, hz: frameHz)
  }

  /// Publishes what is due at `now`: estimates, and places between the fixes.
  mutating func carryOn(to now: Instant) -> [StageOutput] {
    var outputs: [StageOutput] = []
    // A wake-up may be late, but the number of outputs after a very late one is bounded.
    for _ in 0..<64 {
      guard let due = silence.nextEstimate, due <= now else { break }
      outputs += estimate(dueAt: due)
    }
    outputs += frame(at: now)
    if let wake = nextWake() { outputs.append(wake) }
    return outputs
  }

  private mutating func estimate(dueAt due: Instant) -> [StageOutput] {
    silence.nextEstimate = nil
    guard let anchor = reckoning.anchor, let lastFix = silence.lastFix else { return [] }
    let settings = shared.estimation.reckoning
    let ownDue = lastFix.advanced(bySeconds: silence.ownWaitS)
    // Moments are compared, not seconds: rounding must not make this one due again.
    if silence.estimates == 0, due < ownDue, !reckoning.bridges(to: due) {
      // Outside of tunnels a slow source gets the time of its own interval.
      silence.nextEstimate = silence.ownWaitS <= settings.gapS ? ownDue : nil
      return []
    }
    let next = due.advanced(bySeconds: shared.estimation.intervalS)
    if let estimate = reckoning.estimate(at: due) {
      silence.nextEstimate = next
      return [publish(estimate, at: due)]
    }
    // A tunnel may begin within the permitted duration of a gap.
    if due.seconds(since: anchor.time) < settings.gapS { silence.nextEstimate = next }
    return []
  }

  /// Publishes an estimated location (TU-2): it has no fix, and therefore neither its time nor its
  /// speed.
  mutating func publish(_ estimate: DeadReckoning.Estimate, at stamp: Instant) -> StageOutput {
    let edges = estimate.path.dropFirst(max(0, silence.reportedEdges - 1))
    silence.estimated(at: stamp, edges: estimate.path.count)
    let location = Wire.estimated(
      estimate, path: edges, graph: shared.graph, consecutive: filteredRun.count(nil))
    return .publish(.locationMatched(location), stamp: stamp)
  }

  func nextWake() -> StageOutput? {
    [silence.nextEstimate, frames.next].compactMap { $0 }.min().map { .wake(at: $0) }
  }
}
