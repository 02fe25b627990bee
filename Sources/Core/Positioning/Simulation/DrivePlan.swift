import Foundations
import Geodesy
import RoadGraph

/// A stretch of a drive along one piece of road.
struct DriveLeg: Codable, Hashable, Sendable {
  /// The road; nil between a place off the road and the route's start.
  var reference: SegmentReference?
  var points: [Coordinate]
  /// Metres from the piece's start to the first of `points`.
  var entryOffsetM: Double
  /// Speed that the driver maintains if nothing else slows the vehicle.
  var cruiseMps: Double
  /// That speed on an empty road, and the speed without reported live traffic.
  var freeMps: Double
  var calmMps: Double
  var isTunnel: Bool
  /// Seconds that the vehicle stands at the leg's end.
  var stopS: Double?
  /// OSM node of the traffic signal at the leg's end; nil if there is none.
  var signal: Int64?

  /// Whether traffic slows the driver to below walking speed, such as the delay of an incident on a
  /// short road.
  var isSlow: Bool { cruiseMps < 1 }

  /// Limit of the sum of the speeds at both ends of a piece, m/s; below it, the piece is driven at crawling speed.
  var leastSumMps: Double { isSlow ? 0.02 : SpeedProfile.crawlMps }
}

/// The position and time of a driver for a whole drive, fixed until the plan changes.
///
/// The speeds are the highest that respect each leg's cruising speed, the speeds of the turns, and
/// the acceleration and deceleration of `DrivingStyle`. They are computed by one pass forward and
/// one backward (as in velocity profiles for robots), then by closed formulas between the points.
struct DrivePlan: Codable, Hashable, Sendable {
  let legs: [DriveLeg]
  /// Shape `[points]`: all points of all legs, with long pieces cut.
  private let points: [Coordinate]
  private let legOfPoint: [Int]
  /// Metres from the plan's start.
  let offsetsM: [Double]
  private let speedsMps: [Double]
  /// Seconds from the plan's start to the arrival at each point, and the seconds of standing there.
  private let arrivalsS: [Double]
  private let standsS: [Double]

  /// A plan that is entered at `speedMps` at a moment, after `waitS` seconds of standing.
  ///
  /// With `brakes`, the vehicle needs its braking distance if it is faster than the plan allows.
  /// Otherwise it has the plan's speed at once. Linear in the points for each red signal.
  init(
    legs: [DriveLeg], speedMps: Double, driving: DrivingStyle, startsAt: Instant, waitS: Double = 0,
    brakes: Bool = false
  ) {
    var line = PlanPoints(pieceM: 20)
    for leg in legs.indices { line.append(legs[leg], index: leg) }
    if waitS > 0, !line.standsS.isEmpty { line.standsS[0] = waitS }
    let allowed = SpeedProfile(line, legs: legs, driving: driving)
    let entryMps = waitS > 0 ? 0 : speedMps
    func profile(_ standsS: [Double]) -> SpeedProfile {
      var profile = allowed
      profile.stop(where: standsS)
      profile.limit(entryMps: entryMps)
      if brakes { profile.brake(fromMps: entryMps, standsS: standsS) }
      return profile
    }
    var standsS = line.standsS
    var driven = profile(standsS)
    var arrivalsS = driven.arrivals(standsS: standsS)
    let brakingM = entryMps * entryMps / (2 * driving.decelerationMps2)
    for (point, node) in line.signals
    where point + 1 < standsS.count && standsS[point] == 0 && line.offsetsM[point] > brakingM {
      func redLeftS() -> Double {
        SignalTimes.redLeftS(node: node, at: startsAt.advanced(bySeconds: arrivalsS[point]))
      }
      guard redLeftS() > 0 else { continue }
      standsS[point] = SignalTimes.redS
      driven = profile(standsS)
      arrivalsS = driven.arrivals(standsS: standsS)
      // Braking delays the arrival; if the signal turns green meanwhile, the vehicle has stopped
      // for a moment.
      standsS[point] = Double.maximum(0.5, redLeftS())
      arrivalsS = driven.arrivals(standsS: standsS)
    }
    self.legs = legs
    points = line.points
    legOfPoint = line.legOfPoint
    offsetsM = line.offsetsM
    speedsMps = driven.speedsMps
    self.standsS = standsS
    self.arrivalsS = arrivalsS
  }

  var lengthM: Double { offsetsM.last ?? 0 }
  var durationS: Double { (arrivalsS.last ?? 0) + (standsS.last ?? 0) }

  /// The state of the driver `elapsedS` seconds after the plan's start; nil for a plan without
  /// points.
  func state(afterS elapsedS: Double) -> DriveState? {
    guard let last = points.indices.last else { return nil }
    if elapsedS >= arrivalsS[last] || last == 0 {
      return state(piece: max(0, last - 1), fraction: 1, speedMps: 0)
    }
    var low = 0
    var high = last
    while high - low > 1 {
      let middle = (low + high) / 2
      if arrivalsS[middle] <= elapsedS { low = middle } else { high = middle }
    }
    let length = offsetsM[low + 1] - offsetsM[low]
    let intoS = elapsedS - arrivalsS[low] - standsS[low]
    if intoS <= 0 {
      return state(piece: low, fraction: 0, speedMps: standsS[low] > 0 ? 0 : speedsMps[low])
    }
    let (v0, v1) = (speedsMps[low], speedsMps[low + 1])
    guard length > 0 else { return state(piece: low, fraction: 0, speedMps: v0) }
    if v0 + v1 < legs[legOfPoint[low + 1]].leastSumMps {
      return state(
        piece: low, fraction: Double.minimum(1, intoS * SpeedProfile.crawlMps / (2 * length)),
        speedMps: SpeedProfile.crawlMps / 2)
    }
    let acceleration = (v1 * v1 - v0 * v0) / (2 * length)
    let walkedM = v0 * intoS + acceleration * intoS * intoS / 2
    return state(
      piece: low, fraction: Double.minimum(1, Double.maximum(0, walkedM / length)),
      speedMps: Double.maximum(0, v0 + acceleration * intoS))
  }

  /// Remaining seconds of standing `elapsedS` seconds after the plan's start; 0 while the vehicle
  /// moves.
  ///
  /// With `atSignals`, rests at stops do not count.
  func standingS(afterS elapsedS: Double, atSignals: Bool = false) -> Double {
    guard let point = arrivalsS.lastIndex(where: { $0 <= elapsedS }), standsS[point] > 0,
      !atSignals || legs[legOfPoint[point]].stopS == nil
    else { return 0 }
    return Double.maximum(0, arrivalsS[point] + standsS[point] - elapsedS)
  }

  private func state(piece: Int, fraction: Double, speedMps: Double) -> DriveState {
    let next = min(piece + 1, points.count - 1)
    // A point belongs to the leg that ends there, so the leg of a piece is that of its end.
    let leg = legOfPoint[next]
    var bearing = 0.0
    var (from, to) = (piece, next)
    while from > 0, points[from] == points[to] { from -= 1 }
    while to + 1 < points.count, points[from] == points[to] { to += 1 }
    if points[from] != points[to] { bearing = points[from].bearingDeg(to: points[to]) }
    let offset = offsetsM[piece] + fraction * (offsetsM[next] - offsetsM[piece])
    return DriveState(
      truth: VehicleTruth(
        place: points[piece].interpolated(to: points[next], fraction: fraction),
        bearingDeg: bearing, speedMps: speedMps, isInTunnel: legs[leg].isTunnel),
      offsetM: offset, leg: leg, legOffsetM: offset - legStartM(leg))
  }

  /// Metres from the plan's start at which a leg begins.
  func legStartM(_ leg: Int) -> Double {
    var low = 0
    var high = legOfPoint.count
    while low < high {
      let middle = (low + high) / 2
      if legOfPoint[middle] < leg { low = middle + 1 } else { high = middle }
    }
    guard low < offsetsM.count else { return lengthM }
    return offsetsM[low]
  }
}

/// The state of a driver at one moment of a plan.
struct DriveState: Hashable, Sendable {
  var truth: VehicleTruth
  /// Metres from the plan's start.
  var offsetM: Double
  var leg: Int
  /// Metres from the leg's start.
  var legOffsetM: Double
}

/// The driving behaviour of a simulated driver.
public struct DrivingStyle: Hashable, Sendable {
  /// Cruising speed as a multiple of the usual speed on the road.
  public var speedFactor = 1.0
  public var accelerationMps2 = 2.0
  public var decelerationMps2 = 2.5
  /// Seconds of standing at a stopover without a requested rest.
  public var stopoverS = 5.0

  public init() {}

  /// Speed in a corner of `angleDeg`, 0 to 180.
  func turnSpeedMps(angleDeg: Double) -> Double {
    switch angleDeg {
    case ..<20: .infinity
    case ..<45: 11
    case ..<75: 8
    case ..<120: 5.5
    case ..<160: 4
    default: 2
    }
  }
}
