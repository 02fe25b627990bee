import Foundations
import Messages
import Positioning
import RealModule
import RoadGraph
import Stage

/// The stream of interpolated places between fixes, for displays (TU-5).
struct FrameStream: Codable, Hashable, Sendable {
  /// Time until which the stream was requested; nil without a request.
  var until: Instant?
  /// Time of the next place; nil if none is due.
  var next: Instant?
  /// Metres by which the last published place was ahead of the newest fix, and the time of that
  /// fix.
  private var aheadM = 0.0
  private var aheadAt: Instant?
  /// Metres from the last observed place to the last published one.
  private var toldM = -Double.infinity

  /// Time constant in seconds with which a difference decays by a factor of e.
  private static let settleS = 0.5
  /// The end of a stream that runs without a request.
  static let always = Instant(nanoseconds: .max)
  /// A greater difference is not an error to smooth but another place.
  private static let jumpM = 30.0

  func isWanted(at now: Instant) -> Bool { until.map { now < $0 } ?? false }

  /// Drops the places and keeps the requested duration in the new time.
  mutating func clockWasSet(bySeconds seconds: Double) {
    let asked = until
    self = FrameStream()
    until = asked == Self.always ? asked : asked?.advanced(bySeconds: seconds)
  }

  /// Continues another stream; whether the stream runs without a request is kept from this one.
  mutating func goOn(from other: FrameStream) {
    let isUnasked = until == Self.always
    self = other
    if isUnasked { until = Self.always } else if until == Self.always { until = nil }
  }

  /// Records how far published places were ahead of a fix at `position`.
  mutating func willSee(
    _ position: RoadPosition, at time: Instant, _ reckoning: inout DeadReckoning
  ) {
    defer { toldM = -.infinity }
    guard next != nil, toldM.isFinite else {
      aheadM = 0
      return
    }
    let shift = shiftM(at: time)
    guard let reported = reckoning.interpolated(at: time, shiftM: shift),
      let seenM = reckoning.metres(to: position)
    else {
      aheadM = 0
      return
    }
    let difference = reported.drivenM - seenM
    aheadM = abs(difference) <= Self.jumpM ? difference : 0
    aheadAt = time
  }

  /// Starts, continues or ends the stream, depending on whether the vehicle's place is known.
  mutating func noted(_ anchor: DeadReckoning.Anchor?, now: Instant, hz: Double) {
    guard anchor != nil, isWanted(at: now) else {
      next = nil
      return
    }
    if next == nil { next = now.advanced(bySeconds: 1 / hz) }
  }

  func shiftM(at now: Instant) -> Double {
    guard let aheadAt, aheadM != 0 else { return 0 }
    return aheadM * Double.exp(-Double.maximum(0, now.seconds(since: aheadAt)) / Self.settleS)
  }

  /// Returns the metres by which to shift a place, so that it does not move back before the
  /// previous one.
  mutating func reported(_ drivenM: Double) -> Double {
    let backM = Double.maximum(0, toldM - drivenM)
    toldM = Double.maximum(toldM, drivenM)
    return backM
  }
}

/// Rates of interpolated locations per second.
struct FrameRates: Codable, Hashable, Sendable {
  var guidanceHz: Double
  var freeHz: Double
}

extension MatcherStage {
  /// The rates of the renderer if there is one, otherwise those of the parameters.
  ///
  /// The renderer takes precedence even over explicit parameters, since a call may change its rates
  /// at any moment.
  var frameHz: Double {
    let estimation = shared.estimation
    return reckoning.course == nil
      ? rendererRates?.freeHz ?? estimation.freeHz
      : rendererRates?.guidanceHz ?? estimation.guidanceHz
  }

  /// Applies the frame rates of `scene/settings`; after a deletion the parameters apply again.
  ///
  /// The next location uses the new rate, so that a slow stream does not delay a fast one.
  mutating func applyRates(_ settings: WireSceneSettings?, at stamp: Instant) -> [StageOutput] {
    let before = frameHz
    rendererRates = settings.map {
      FrameRates(guidanceHz: $0.guidanceFrameRateHz, freeHz: $0.frameRateHz)
    }
    guard frameHz != before, let due = frames.next else { return [] }
    let last = due.advanced(bySeconds: -1 / before)
    frames.next = max(stamp, last.advanced(bySeconds: 1 / frameHz))
    return nextWake().map { [$0] } ?? []
  }

  /// Serves `location/interpolate`.
  mutating func interpolate(
    _ request: LocationInterpolateRequest, _ call: CallRequest
  ) -> [StageOutput] {
    let until = call.stamp.advanced(bySeconds: request.forS)
    frames.until = max(frames.until ?? until, until)
    if reckoning.anchor != nil, frames.next == nil { frames.next = call.stamp }
    let reply = LocationInterpolateReply(
      untilNs: (frames.until ?? until).nanoseconds, hz: frameHz)
    return [.reply(callID: call.id, outcome: .ok(.locationInterpolate(reply)))]
      + (nextWake().map { [$0] } ?? [])
  }

  /// Returns the place at `now` if one is due.
  mutating func frame(at now: Instant) -> [StageOutput] {
    guard let due = frames.next, due <= now else { return [] }
    frames.next = nil
    guard frames.isWanted(at: now) else { return [] }
    var shift = frames.shiftM(at: now)
    guard var place = reckoning.interpolated(at: now, shiftM: shift) else {
      // A fix may be ahead of the clock; the stream does not end with it.
      if let ahead = reckoning.anchor?.time, ahead > now { frames.next = ahead }
      return []
    }
    let backM = frames.reported(place.drivenM)
    if backM > 0 {
      shift += backM
      place = reckoning.interpolated(at: now, shiftM: shift) ?? place
    }
    // Late frames are left out rather than hurried.
    let gapS = 1 / frameHz
    let next = due.advanced(bySeconds: gapS)
    frames.next = next > now ? next : now.advanced(bySeconds: gapS)
    let location = Wire.estimated(
      place, path: place.path.suffix(1), graph: shared.graph, consecutive: 1,
      isEstimated: silence.estimates > 0 || silence.isLate(at: now))
    return [
      .publish(.locationInterpolated(LocationInterpolated(location)), stamp: now)
    ]
  }
}
