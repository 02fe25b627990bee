public import Foundations
public import Geodesy
import RealModule

/// The motion of the indicator between two fixes.
///
/// It is extrapolated at the last speed, with the deceleration of the vehicle, along the route or
/// straight ahead. It is steered towards its target position, so that small errors do not make it
/// jump, and it does not run backwards while it moves. The page moves its indicator by the same
/// rules.
public struct IndicatorMotion: Codable, Hashable, Sendable {
  /// The last input: the place, and on a route the metres along its line.
  struct Told: Codable, Hashable {
    var place: Coordinate
    var bearingDeg: Double?
    var speedMps: Double
    var accelerationMps2: Double
    var offsetM: Double?
    var at: Instant
  }

  public private(set) var place: Coordinate?
  public private(set) var bearingDeg = 0.0
  /// Metres along the line; nil off the line.
  public private(set) var offsetM: Double?

  private var line: Polyline?
  private var reported: Told?
  private var movedAt: Instant?
  private let tuning: SceneTuning

  public init(tuning: SceneTuning) {
    self.tuning = tuning
  }

  /// The line to move along from now on; the position stays until the next fix.
  public mutating func follow(_ line: Polyline?) {
    self.line = line
    reported = nil
    offsetM = nil
  }

  /// Processes a fix; `offsetM` is nil if it is not on the line.
  public mutating func record(
    _ place: Coordinate, bearingDeg: Double?, speedMps: Double, offsetM: Double?, at now: Instant
  ) {
    var acceleration = 0.0
    if let reported, now > reported.at {
      let change = (speedMps - reported.speedMps) / now.seconds(since: reported.at)
      acceleration = Double.minimum(3, Double.maximum(-5, change))
    } else if let reported, now < reported.at {
      movedAt = nil
    }
    reported = Told(
      place: place, bearingDeg: bearingDeg, speedMps: speedMps, accelerationMps2: acceleration,
      offsetM: offsetM, at: now)
    advance(to: now)
  }

  /// Moves the indicator to its position at `now`.
  public mutating func advance(to now: Instant) {
    guard let reported else { return }
    let stepS = movedAt.map { Double.maximum(0, now.seconds(since: $0)) }
    movedAt = now
    let (metres, paceMps) = carried(reported, to: now)
    if let line, let start = reported.offsetM {
      advanceAlong(line, goalM: start + metres, paceMps: paceMps, stepS: stepS)
    } else {
      advanceFreely(reported, metres: metres, stepS: stepS)
    }
  }

  private func carried(_ reported: Told, to now: Instant) -> (metres: Double, paceMps: Double) {
    let heldS = Double.minimum(
      Double.maximum(0, now.seconds(since: reported.at)), tuning.carryLimitS)
    let a = reported.accelerationMps2
    let stopS = a < 0 ? reported.speedMps / -a : .infinity
    let t = Double.minimum(heldS, stopS)
    let isOver = heldS >= stopS || heldS >= tuning.carryLimitS
    return (reported.speedMps * t + a * t * t / 2, isOver ? 0 : reported.speedMps + a * t)
  }

  private mutating func advanceAlong(
    _ line: Polyline, goalM: Double, paceMps: Double, stepS: Double?
  ) {
    let goalM = Double.minimum(goalM, line.lengthM)
    if let offset = offsetM, let stepS, (goalM - offset).magnitude <= tuning.jumpM {
      // The correction towards the goal is exact for any step, so that the frame rate does not
      // matter.
      let behindM = (goalM - paceMps * stepS) - offset
      let correctionM = behindM * (1 - Double.exp(-stepS / tuning.settleS))
      let moved = paceMps * stepS + correctionM
      offsetM = offset + Double.maximum(moved, paceMps > 0.5 ? 0 : -3 * stepS)
    } else {
      offsetM = goalM
    }
    offsetM = offsetM.map { Double.minimum(line.lengthM, Double.maximum(0, $0)) }
    guard let offset = offsetM else { return }
    place = line.coordinate(atM: offset) ?? place
    bearingDeg = line.bearingDeg(atM: offset) ?? bearingDeg
  }

  private mutating func advanceFreely(_ reported: Told, metres: Double, stepS: Double?) {
    offsetM = nil
    bearingDeg = reported.bearingDeg ?? bearingDeg
    let plane = LocalPlane(origin: reported.place)
    let goal = PlanePoint(bearingDeg: bearingDeg, lengthM: metres)
    guard let place, let stepS else {
      self.place = plane.coordinate(goal)
      return
    }
    let here = plane.point(place)
    guard here.distanceM(to: goal) <= tuning.jumpM else {
      self.place = plane.coordinate(goal)
      return
    }
    let share = 1 - Double.exp(-stepS / (tuning.settleS / 3))
    self.place = plane.coordinate(
      PlanePoint(
        eastM: here.eastM + (goal.eastM - here.eastM) * share,
        northM: here.northM + (goal.northM - here.northM) * share))
  }
}
