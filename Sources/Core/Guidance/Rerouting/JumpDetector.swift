public import Foundations
public import Geodesy

/// Detects position jumps of the receiver, which are no evidence that the vehicle left its route.
///
/// Each position is compared with the position extrapolated from the two before it. The difference
/// is a jump only if it is much larger than usual for this receiver, so noise is not taken for
/// jumps. After a jump, positions are in doubt until the receiver jumps back, or for the time that
/// driving the distance would take.
public struct JumpDetector: Codable, Hashable, Sendable {
  private struct Mark: Codable, Hashable, Sendable {
    var place: Coordinate
    var time: Instant
  }

  /// Two consecutive positions, from which later positions are extrapolated.
  private struct Motion: Codable, Hashable, Sendable {
    var before: Mark
    var last: Mark

    /// Metres between a later position and the position extrapolated for its time.
    func offM(_ mark: Mark) -> Double {
      let share = mark.time.seconds(since: last.time) / last.time.seconds(since: before.time)
      let plane = LocalPlane(origin: last.place)
      let from = plane.point(before.place)
      return plane.point(mark.place).distanceM(
        to: PlanePoint(eastM: -share * from.eastM, northM: -share * from.northM))
    }
  }

  private var last: Mark?
  private var motion: Motion?
  /// Motion before the jump, for as long as it may continue.
  private var beforeLeap: Motion?
  /// Mean of the differences, in metres; `count` is their number.
  private var usualM = 0.0
  private var count = 0
  private var doubtfulUntil: Instant?

  /// A jump is longer than this many metres, and longer than `times` the usual difference.
  private static let leastM = 35.0
  private static let times = 4.0
  /// Number of differences needed before a jump can be distinguished from noise.
  private static let evidence = 10
  /// Longest interval between fixes over which positions are extrapolated, in seconds.
  private static let longestGapS = 5.0
  /// Seconds after a jump for which the motion before it can still be extrapolated.
  private static let leadS = 10.0
  /// Speed from which the driving time for the distance of a jump is computed, in m/s.
  private static let drivenMps = 60.0
  private static let doubtS = 30.0...300.0

  public init() {}

  /// Adds the position of the next fix and returns whether it is in doubt.
  public mutating func saw(_ place: Coordinate, at time: Instant) -> Bool {
    let mark = Mark(place: place, time: time)
    defer { last = mark }
    guard let last, time > last.time, time.seconds(since: last.time) <= Self.longestGapS else {
      // The motion is unknown after a gap. A doubt remains, unless the clock went back.
      if let last, time <= last.time { (doubtfulUntil, beforeLeap) = (nil, nil) }
      motion = nil
      return isDoubtful(at: time)
    }
    let next = Motion(before: last, last: mark)
    if let beforeLeap, isBack(mark, on: beforeLeap) {
      (doubtfulUntil, self.beforeLeap, motion) = (nil, nil, nil)
      return false
    }
    guard let motion else {
      self.motion = next
      return isDoubtful(at: time)
    }
    let offM = motion.offM(mark)
    guard count >= Self.evidence, offM > limitM else {
      self.motion = next
      count += 1
      usualM += (offM - usualM) / Double(min(count, 20))
      return isDoubtful(at: time)
    }
    // The jump itself must not be extrapolated.
    self.motion = nil
    if isDoubtful(at: time) {
      (doubtfulUntil, beforeLeap) = (nil, nil)
      return false
    }
    beforeLeap = motion
    let doubtS = Double.minimum(
      Self.doubtS.upperBound, Double.maximum(Self.doubtS.lowerBound, offM / Self.drivenMps))
    doubtfulUntil = time.advanced(bySeconds: doubtS)
    return true
  }

  /// Ends any doubt, because the vehicle was matched on its route.
  public mutating func sawOnRoute() { (doubtfulUntil, beforeLeap) = (nil, nil) }

  private func isDoubtful(at time: Instant) -> Bool { doubtfulUntil.map { time < $0 } ?? false }

  private var limitM: Double { Double.maximum(Self.leastM, Self.times * usualM) }

  /// Whether a position agrees with the motion before the jump.
  private func isBack(_ mark: Mark, on motion: Motion) -> Bool {
    let seconds = mark.time.seconds(since: motion.last.time)
    return seconds <= Self.leadS && motion.offM(mark) <= limitM
  }
}
