import EventTime
import RoadGraph

extension RoadAheadWatch {
  /// The way and what lay behind at the last place that was seen.
  struct Seen: Codable, Hashable, Sendable {
    var path: MainPath
    var passed: [WarningBoard.Passed]
    var time: Instant?
  }

  /// Metres by which a place that is seen may lie behind the last estimate and still count as there.
  private static let noiseM = 40.0

  /// Warnings go on by estimate, but nothing is passed for good until a place is seen again: where that lies
  /// behind the last estimate, the way goes on from there, and what was gone past too early is told anew.
  mutating func confirm(_ place: Place) {
    guard !place.isEstimated else {
      if seen == nil, let path {
        seen = Seen(path: path, passed: board.passed, time: lastSeen)
      }
      return
    }
    guard let seen else { return }
    self.seen = nil
    guard let path else { return }
    if let metres = path.metres(of: place.position), metres >= path.positionM - Self.noiseM {
      return
    }
    board.takeBack(to: seen.passed)
    objects = nil
    guard seen.path.metres(of: place.position) != nil else { return }
    self.path = seen.path
    lastSeen = seen.time
  }
}

extension MainPath {
  /// Metres of the way at which a place lies, the first time from the vehicle on; nil where it does not.
  func metres(of position: RoadPosition) -> Double? {
    edges[current...].firstIndex(of: position.edge).map { startsM[$0] + position.offsetM }
  }
}
