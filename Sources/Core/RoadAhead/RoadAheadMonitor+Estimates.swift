import Foundations
import RoadGraph

extension RoadAheadMonitor {
  /// The path and the passed warnings at the last position that was observed rather than estimated.
  struct Seen: Codable, Hashable, Sendable {
    var path: MainPath
    var passed: [ActiveWarnings.Passed]
    var time: Instant?
  }

  /// Distance in metres that an observed position may lie behind the last estimate without
  /// contradicting it.
  private static let noiseM = 40.0

  /// Takes estimates back if an observed position contradicts them.
  ///
  /// Warnings continue by estimate, but nothing is passed for good until a position is observed
  /// again. If it lies behind the last estimate, the path continues from there. Warnings that were
  /// passed too early are then issued again.
  mutating func confirm(_ place: Place) {
    guard !place.isEstimated else {
      if seen == nil, let path {
        seen = Seen(path: path, passed: activeWarnings.passed, time: lastSeen)
      }
      return
    }
    guard let seen else { return }
    self.seen = nil
    guard let path else { return }
    if let metres = path.metres(of: place.position), metres >= path.positionM - Self.noiseM {
      return
    }
    activeWarnings.rollBack(to: seen.passed)
    objects = nil
    guard seen.path.metres(of: place.position) != nil else { return }
    self.path = seen.path
    lastSeen = seen.time
  }
}

extension MainPath {
  /// Distance of a position along the path, at its first occurrence from the vehicle on; nil if it
  /// is not on it.
  func metres(of position: RoadPosition) -> Double? {
    edges[current...].firstIndex(of: position.edge).map { startsM[$0] + position.offsetM }
  }
}
