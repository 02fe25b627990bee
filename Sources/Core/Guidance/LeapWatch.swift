public import EventTime
public import Geodesy

/// Finds positions that the vehicle did not drive to: a receiver's leap is no evidence that the route was left.
///
/// A position is compared with the one to which the motion so far leads, and the difference with the usual differences
/// of this receiver, so that a noisy receiver is not taken for one that leaps. After a leap positions are in doubt until
/// the receiver leaps back, or for as long as the vehicle would have needed to drive there.
public struct LeapWatch: Codable, Hashable, Sendable {
  private struct Mark: Codable, Hashable, Sendable {
    var place: Coordinate
    var time: Instant
  }

  /// Two positions in a row, the second of which tells where the motion leads.
  private struct Motion: Codable, Hashable, Sendable {
    var before: Mark
    var last: Mark

    /// Metres between a later position and the one to which the motion leads.
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
  /// The motion before the leap, as long as it may go on.
  private var beforeLeap: Motion?
  /// Mean of the differences, in metres, and how many there were.
  private var usualM = 0.0
  private var count = 0
  private var doubtfulUntil: Instant?

  /// Metres that are no leap of any receiver, and times the usual difference beyond which it is one.
  private static let leastM = 35.0
  private static let times = 4.0
  /// Differences that must be known before a leap is told from noise.
  private static let evidence = 10
  /// Seconds between fixes beyond which anything may have been driven.
  private static let longestGapS = 5.0
  /// Seconds after a leap for which the motion before it still leads somewhere.
  private static let leadS = 10.0
  /// Metres per second for reckoning how long a leap would have taken to drive.
  private static let drivenMps = 60.0
  private static let doubtS = 30.0...300.0

  public init() {}

  /// Takes the position of the next fix; whether it is in doubt.
  public mutating func saw(_ place: Coordinate, at time: Instant) -> Bool {
    let mark = Mark(place: place, time: time)
    defer { last = mark }
    guard let last, time > last.time, time.seconds(since: last.time) <= Self.longestGapS else {
      // Nothing is known of the motion; a doubt lasts while time goes on.
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
    // The leap itself is no motion.
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

  /// The vehicle was matched on its route: nothing is in doubt.
  public mutating func sawOnRoute() { (doubtfulUntil, beforeLeap) = (nil, nil) }

  private func isDoubtful(at time: Instant) -> Bool { doubtfulUntil.map { time < $0 } ?? false }

  private var limitM: Double { Double.maximum(Self.leastM, Self.times * usualM) }

  /// Whether a position lies where the motion before the leap led to.
  private func isBack(_ mark: Mark, on motion: Motion) -> Bool {
    let seconds = mark.time.seconds(since: motion.last.time)
    return seconds <= Self.leadS && motion.offM(mark) <= limitM
  }
}
