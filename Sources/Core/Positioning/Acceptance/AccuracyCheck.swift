import Foundations
import Geodesy

/// Detects a poor accuracy that is a constant of the sender and not the receiver's error.
///
/// Positions with errors of tens of metres do not move smoothly, and a measured accuracy changes.
struct AccuracyCheck: Codable, Hashable, Sendable {
  private struct Mark: Codable, Hashable, Sendable {
    var place: Coordinate
    var time: Instant
  }

  /// Whether the reported accuracy is left out.
  private(set) var isIgnoring = false
  /// Number of fixes that the evidence for `isIgnoring` spans.
  private(set) var evidenceFixes = 0
  private var valueM: Double?
  private var marks: [Mark] = []

  /// Accuracies better than this, in metres, are not checked because they do no harm.
  private static let poorM = 25.0
  private static let evidence = 8
  private static let longestStepS = 5.0
  /// Least movement, in metres, after which smooth positions are evidence.
  private static let movedM = 20.0

  /// Processes the next fix and returns whether its accuracy is plausible.
  mutating func check(_ fix: Fix, at time: Instant) -> Bool {
    guard let accuracy = fix.accuracyM, accuracy > Self.poorM else {
      self = AccuracyCheck()
      return true
    }
    if accuracy != valueM {
      self = AccuracyCheck()
      valueM = accuracy
    }
    if let last = marks.last, !(0...Self.longestStepS).contains(time.seconds(since: last.time)) {
      marks.removeAll()
    }
    marks.append(Mark(place: fix.place, time: time))
    if marks.count > Self.evidence { marks.removeFirst() }
    guard marks.count == Self.evidence else { return !isIgnoring }
    // The verdict holds until the positions contradict it.
    let isSmooth = isSmooth(withinM: accuracy / (isIgnoring ? 4 : 8))
    if isSmooth, !isIgnoring { evidenceFixes = marks.count }
    isIgnoring = isSmooth
    return !isIgnoring
  }

  /// Whether each position lies near the extrapolation of the two before it.
  ///
  /// The limit applies to the root mean square of the distances, in metres.
  private func isSmooth(withinM limitM: Double) -> Bool {
    guard let first = marks.first, let last = marks.last,
      first.place.distanceM(to: last.place) >= Self.movedM
    else { return false }
    let plane = LocalPlane(origin: first.place)
    let points = marks.map { plane.point($0.place) }
    var squares = 0.0
    for index in 2..<marks.count {
      let beforeS = marks[index - 1].time.seconds(since: marks[index - 2].time)
      let share =
        beforeS > 0 ? marks[index].time.seconds(since: marks[index - 1].time) / beforeS : 0
      let (a, b) = (points[index - 2], points[index - 1])
      let led = PlanePoint(
        eastM: b.eastM + share * (b.eastM - a.eastM),
        northM: b.northM + share * (b.northM - a.northM))
      let offM = points[index].distanceM(to: led)
      squares += offM * offM
    }
    return (squares / Double(marks.count - 2)).squareRoot() <= limitM
  }
}
