import Foundations
import Geodesy

/// Detects a receiver that repeats its last position with new times while the vehicle moves on.
///
/// Some receivers do so in tunnels. A stationary vehicle also repeats its position. A repeat
/// therefore counts as frozen only where the vehicle cannot have stopped there. That is the case
/// where the reported speeds show motion, or where the vehicle was too fast to stop in time.
struct FrozenPosition: Codable, Hashable, Sendable {
  private struct Mark: Codable, Hashable, Sendable {
    var place: Coordinate
    var time: Instant
  }

  /// The first fix at the repeated position, or the newest fix.
  private var first: Mark?
  /// The positions before `first`, in time order.
  private var before: [Mark] = []
  /// Time of the newest fix.
  private var newest: Instant?
  /// The minimum speed, in m/s, at which the vehicle arrived at `first`.
  private var leastMps = 0.0
  /// Distance since `first` according to the reported speeds, in metres.
  private var reportedM = 0.0
  private var lastMps: Double?
  private(set) var isFrozen = false

  /// Positions within this distance, in metres, count as equal, because receivers filter what they
  /// repeat.
  private static let samePlaceM = 0.5
  /// Positions within this distance, in metres, are the same number.
  private static let sameNumberM = 0.02
  /// Distance by the reported speeds, in metres, beyond which a repeated position is frozen.
  private static let drivenM = 15.0
  /// Seconds for which a position may repeat; some sources send each position several times.
  private static let repeatedS = 0.95
  /// The same if the numbers differ: noise may bring two fixes of a moving vehicle this close
  /// together by chance.
  private static let nearlyRepeatedS = 1.9
  /// Reported speeds below this, in m/s, may be noise of a stationary vehicle.
  private static let movingMps = 1.5
  /// Speed, in m/s, from which a vehicle cannot stop within `samePlaceM`.
  ///
  /// `brakingMps2` is the greatest deceleration, in m/s².
  private static let fastMps = 7.0
  private static let brakingMps2 = 8.0

  /// Processes the next fix.
  ///
  /// `speedMps` is nil if no speed was reported or where speeds are ignored.
  ///
  /// - Returns: Whether the position is frozen.
  mutating func process(_ place: Coordinate, at time: Instant, speedMps: Double?) -> Bool {
    defer {
      newest = time
      lastMps = speedMps
    }
    guard let first, let newest, time > newest else {
      restart(Mark(place: place, time: time), speedMps: speedMps)
      return false
    }
    let shiftM = first.place.distanceM(to: place)
    guard shiftM <= Self.samePlaceM else {
      moved(to: Mark(place: place, time: time), after: newest, speedMps: speedMps)
      return false
    }
    if let speedMps, speedMps > Self.movingMps {
      reportedM += (speedMps + (lastMps ?? speedMps)) / 2 * time.seconds(since: newest)
    }
    let longestS = shiftM <= Self.sameNumberM ? Self.repeatedS : Self.nearlyRepeatedS
    let isTooLong = time.seconds(since: first.time) >= longestS
    if isTooLong, reportedM >= Self.drivenM || leastMps >= Self.fastMps { isFrozen = true }
    return isFrozen
  }

  private mutating func restart(_ mark: Mark, speedMps: Double?) {
    self = FrozenPosition()
    first = mark
    leastMps = speedMps ?? 0
  }

  private mutating func moved(to mark: Mark, after newest: Instant, speedMps: Double?) {
    if let first {
      // After a frozen stretch, the position is no evidence of the speed.
      if isFrozen { before.removeAll() }
      before.append(Mark(place: first.place, time: newest))
      if before.count > 4 { before.removeFirst() }
    }
    leastMps = speedMps ?? leastByPositions(to: mark)
    first = mark
    reportedM = 0
    isFrozen = false
  }

  /// Returns the minimum speed at `mark`, in m/s, according to the positions before it.
  ///
  /// It assumes the greatest deceleration since the last position.
  private func leastByPositions(to mark: Mark) -> Double {
    guard let last = before.last, let earliest = before.first, before.count >= 3 else { return 0 }
    let stepS = mark.time.seconds(since: last.time)
    let spanS = mark.time.seconds(since: earliest.time)
    guard stepS > 0, spanS <= 15 else { return 0 }
    let slowest = Double.minimum(
      last.place.distanceM(to: mark.place) / stepS, earliest.place.distanceM(to: mark.place) / spanS
    )
    return Double.maximum(0, slowest - Self.brakingMps2 / 2 * stepS)
  }
}
