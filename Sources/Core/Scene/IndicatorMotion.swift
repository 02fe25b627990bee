public import Foundations
public import Geodesy
import RealModule

/// The motion of the indicator between two fixes.
///
/// It is extrapolated from the last fix with its speed and acceleration, along the route or straight
/// ahead, and an error of the position is corrected on the way (`MotionCourse`). The result at a
/// moment does not depend on the moments at which it was computed before. The page moves its
/// indicator by the same algorithm (`motion.js`); `Tests/Page/motion-vectors.json` proves it.
public struct IndicatorMotion: Codable, Hashable, Sendable {
  public private(set) var place: Coordinate?
  public private(set) var bearingDeg = 0.0
  /// Metres along the line; nil off the line.
  public private(set) var offsetM: Double?

  private var line: Polyline?
  private var reported: MotionFix?
  /// Optional, so that the state of an older program can be decoded.
  private var course: MotionCourse?
  private var movedAt: Instant?
  /// When it was placed without a motion: at the first fix, or by a jump.
  private var placedAt: Instant?
  private let tuning: SceneTuning

  /// A fix that is older than the last by more than this is from another drive, seconds.
  private static let backS = 5.0
  /// An indicator that was placed less than this ago is placed again by the next fix, seconds.
  private static let freshS = 0.5
  /// Length of line whose direction is shown, so that a bend turns the indicator gradually, metres.
  private static let stretchM = 8.0

  public init(tuning: SceneTuning) {
    self.tuning = tuning
  }

  /// The line to move along from now on; the position stays until the next fix.
  public mutating func follow(_ line: Polyline?) {
    self.line = line
    reported = nil
    course = nil
    offsetM = nil
  }

  /// Processes a fix of `time`, and moves the indicator to `now`, the time of the fix by default.
  ///
  /// `speedMps` is nil if no speed was measured: the two newest places then give one. `offsetM` is
  /// nil if the fix is not on the line.
  public mutating func record(
    _ place: Coordinate, bearingDeg: Double?, speedMps: Double?, offsetM: Double?, at time: Instant,
    now: Instant? = nil
  ) {
    if let reported, time.seconds(since: reported.at) < -Self.backS {
      follow(line)
      self.place = nil
      movedAt = nil
      placedAt = nil
    }
    let now = max(now ?? time, movedAt ?? now ?? time)
    advance(to: now)
    let fix = MotionFix(
      place: place, bearingDeg: bearingDeg, speedMps: speedMps, offsetM: offsetM, at: time,
      after: reported, jumpM: tuning.jumpM)
    let isFresh = placedAt.map { now.seconds(since: $0) <= Self.freshS } ?? false
    if !isFresh, let correction = course(of: fix, from: now) {
      course = correction
    } else {
      course = placed(fix, at: now)
      if !isFresh { placedAt = now }
    }
    reported = fix
    movedAt = now
    advance(to: now)
  }

  /// Moves the indicator to its position at `now`; a moment before the last one changes nothing.
  public mutating func advance(to now: Instant) {
    guard let reported, var course else { return }
    let now = max(now, movedAt ?? now)
    movedAt = now
    let carriedM = reported.carriedM(at: now, limitS: tuning.carryLimitS)
    let drift = course.drift(course.shares(carriedM: carriedM, at: now))
    if let line, reported.offsetM != nil {
      let offset = Self.offsetM(reported, course, on: line, at: now, tuning)
      offsetM = offset
      place = line.coordinate(atM: offset).map { LocalPlane(origin: $0).coordinate(drift) } ?? place
    } else {
      offsetM = nil
      let step = PlanePoint(bearingDeg: course.directionDeg, lengthM: carriedM)
      place = LocalPlane(origin: reported.place).coordinate(
        PlanePoint(eastM: step.eastM + drift.eastM, northM: step.northM + drift.northM))
    }
    let constantS = tuning.carryLimitS + Self.backS
    bearingDeg = course.turn.advance(
      to: now.seconds(since: course.since), constantS: constantS
    ) { [line, tuning, since = course.since, course] elapsedS in
      Self.targetDeg(
        reported, course, on: line, at: since.advanced(bySeconds: elapsedS), tuning)
    }
    self.course = course
  }

  /// The course of an indicator that is placed at `fix` itself.
  private func placed(_ fix: MotionFix, at now: Instant) -> MotionCourse {
    let paceMps = Double.maximum(fix.speedMps, MotionCourse.crawlMps)
    var course = MotionCourse(
      since: now, carriedM: fix.carriedM(at: now, limitS: tuning.carryLimitS),
      scaleM: paceMps * tuning.settleS, directionDeg: fix.bearingDeg ?? bearingDeg,
      turn: MotionTurn(bearingDeg: bearingDeg))
    course.turn.bearingDeg = Self.targetDeg(fix, course, on: line, at: now, tuning) ?? bearingDeg
    if fix.offsetM != nil { course.directionDeg = course.turn.bearingDeg }
    return course
  }

  /// The correction of the current position towards `fix`, from `now` on; nil for a jump.
  private func course(of fix: MotionFix, from now: Instant) -> MotionCourse? {
    guard let place else { return nil }
    var course = placed(fix, at: now)
    course.turn.bearingDeg = bearingDeg
    var error = PlanePoint(eastM: 0, northM: 0)
    if let line, let start = fix.offsetM {
      if let offsetM {
        course.alongM = offsetM - (start + course.carriedM)
        error = currentDrift
      } else if let goal = line.coordinate(atM: start + course.carriedM) {
        error = LocalPlane(origin: goal).point(place)
      }
    } else {
      let here = LocalPlane(origin: fix.place).point(place)
      let goal = PlanePoint(bearingDeg: course.directionDeg, lengthM: course.carriedM)
      error = PlanePoint(eastM: here.eastM - goal.eastM, northM: here.northM - goal.northM)
    }
    let errorM = course.alongM.magnitude + error.distanceM(to: PlanePoint(eastM: 0, northM: 0))
    guard errorM <= tuning.jumpM else { return nil }
    let direction = PlanePoint(bearingDeg: course.directionDeg, lengthM: 1)
    course.aheadM = error.eastM * direction.eastM + error.northM * direction.northM
    course.driftEastM = error.eastM - course.aheadM * direction.eastM
    course.driftNorthM = error.northM - course.aheadM * direction.northM
    course.scaleM = Double.maximum(errorM, course.scaleM)
    course.isHeldBack =
      fix.speedMps > MotionCourse.movingMps && course.alongM + course.aheadM > 0
    course.isGliding = errorM > MotionCourse.glideM
    return course
  }

  /// The rest of the error that is not along the line, metres east and north.
  private var currentDrift: PlanePoint {
    guard let reported, let course, let movedAt else { return PlanePoint(eastM: 0, northM: 0) }
    let carriedM = reported.carriedM(at: movedAt, limitS: tuning.carryLimitS)
    return course.drift(course.shares(carriedM: carriedM, at: movedAt))
  }

  private static func offsetM(
    _ fix: MotionFix, _ course: MotionCourse, on line: Polyline, at now: Instant,
    _ tuning: SceneTuning
  ) -> Double {
    let carriedM = fix.carriedM(at: now, limitS: tuning.carryLimitS)
    let shares = course.shares(carriedM: carriedM, at: now)
    let free = (fix.offsetM ?? 0) + carriedM + course.alongM * shares.along
    return Double.minimum(line.lengthM, Double.maximum(0, free))
  }

  /// The direction to rotate to: of a stretch of line around the position, or of the fix; nil if
  /// there is none.
  private static func targetDeg(
    _ fix: MotionFix, _ course: MotionCourse, on line: Polyline?, at now: Instant,
    _ tuning: SceneTuning
  ) -> Double? {
    guard let line, fix.offsetM != nil else { return fix.bearingDeg }
    let offset = offsetM(fix, course, on: line, at: now, tuning)
    guard let from = line.coordinate(atM: Double.maximum(0, offset - stretchM / 2)),
      let to = line.coordinate(atM: Double.minimum(line.lengthM, offset + stretchM / 2))
    else { return nil }
    let stretch = LocalPlane(origin: from).point(to)
    // The ends of a stretch around a U-turn are the same place.
    guard stretch.distanceM(to: PlanePoint(eastM: 0, northM: 0)) > 0.1 else { return nil }
    return LocalPlane.bearingDeg(eastM: stretch.eastM, northM: stretch.northM)
  }
}
