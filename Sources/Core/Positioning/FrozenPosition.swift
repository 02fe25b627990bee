import EventTime
import Geodesy

/// Detects a receiver that repeats its last position with new times while the vehicle moves on, as some do in tunnels.
///
/// A vehicle that stands gives the same position too; so a repeat counts as frozen only where the vehicle cannot have
/// stopped there: its reported speeds say that it goes on, or it was too fast to stop within the time.
struct FrozenPosition: Codable, Hashable, Sendable {
  private struct Mark: Codable, Hashable, Sendable {
    var place: Coordinate
    var time: Instant
  }

  /// The first fix of the position that is repeated, or the newest fix.
  private var first: Mark?
  /// The positions before it, the newest last.
  private var before: [Mark] = []
  /// Time of the newest fix.
  private var newest: Instant?
  /// The least speed, m/s, at which the vehicle moved when it came to `first`.
  private var leastMps = 0.0
  /// Metres that the reported speeds say were driven since `first`.
  private var reportedM = 0.0
  private var lastMps: Double?
  private(set) var isFrozen = false

  /// Metres within which two positions are the same: receivers round.
  private static let samePlaceM = 0.5
  /// Metres driven by the reported speeds beyond which a repeated position is a frozen one.
  private static let drivenM = 15.0
  /// Seconds for which a position may be repeated: some sources send each position several times.
  private static let repeatedS = 0.95
  /// Reported speeds below this may be noise of a vehicle that stands.
  private static let movingMps = 1.5
  /// Speed from which nobody stops within `samePlaceM`, and the greatest deceleration in m/s².
  private static let fastMps = 7.0
  private static let brakingMps2 = 8.0

  /// Takes the next fix; `speedMps` is nil where it is not reported or not believed.
  ///
  /// - Returns: whether its position is a frozen one.
  mutating func take(_ place: Coordinate, at time: Instant, speedMps: Double?) -> Bool {
    defer {
      newest = time
      lastMps = speedMps
    }
    guard let first, let newest, time > newest else {
      restart(Mark(place: place, time: time), speedMps: speedMps)
      return false
    }
    guard first.place.distanceM(to: place) <= Self.samePlaceM else {
      moved(to: Mark(place: place, time: time), after: newest, speedMps: speedMps)
      return false
    }
    if let speedMps, speedMps > Self.movingMps {
      reportedM += (speedMps + (lastMps ?? speedMps)) / 2 * time.seconds(since: newest)
    }
    let isTooLong = time.seconds(since: first.time) >= Self.repeatedS
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
      // After a frozen stretch its position says nothing of the speed.
      if isFrozen { before.removeAll() }
      before.append(Mark(place: first.place, time: newest))
      if before.count > 4 { before.removeFirst() }
    }
    leastMps = speedMps ?? leastByPositions(to: mark)
    first = mark
    reportedM = 0
    isFrozen = false
  }

  /// The least speed at `mark` by the positions before it: even braking hard from there on would have taken it so far.
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
