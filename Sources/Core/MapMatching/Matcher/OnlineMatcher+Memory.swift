import Foundations
import Positioning
import RoadGraph

extension OnlineMatcher {
  /// A snapshot with which another matcher answers the next fix exactly as this one would.
  public var memory: MatcherSnapshot {
    var tape = MatcherSnapshot()
    tape.integers = [
      MatcherSnapshot.version, Int64(bitPattern: network.graph.hash),
      Int64(network.graph.nodeCount), Int64(network.graph.edgeCount),
    ]
    trellis.write(to: &tape)
    tape.write(route.sorted()) { $0.write($1.index) }
    tape.write(entries) { tape, entry in
      tape.write(entry.fix)
      tape.write(entry.serial) { $0.write($1) }
      tape.write(entry.finalMatch) { $0.write($1) }
      tape.write(entry.isTeleport)
      tape.write(entry.part.rawValue)
    }
    tape.write(last) { tape, mark in
      tape.write(mark.place)
      tape.write(mark.time)
      tape.write(mark.speedMps) { $0.write($1) }
      tape.write(mark.accuracyM) { $0.write($1) }
    }
    tape.write(lastElapsedS) { $0.write($1) }
    tape.write(jumped) {
      $0.write($1.fix)
      $0.write($1.time)
    }
    tape.write(lastMatch) { $0.write($1) }
    tape.write(advance.speedMps) { $0.write($1) }
    tape.write(receiverError)
    tape.write(firstUnlearnt)
    tape.write(stationaryDetector)
    tape.write(whiteNoise)
    tape.write(sharedError)
    return tape
  }

  /// Restores a snapshot; returns false, with nothing changed, if it was taken on another map.
  ///
  /// - Throws: `MatcherSnapshot.Damaged`, with nothing changed.
  public mutating func recall(_ memory: MatcherSnapshot) throws(MatcherSnapshot.Damaged) -> Bool {
    var tape = memory
    guard try tape.readInt() == Int(MatcherSnapshot.version) else { return false }
    guard Int64(try tape.readInt()) == Int64(bitPattern: network.graph.hash),
      try tape.readInt() == network.graph.nodeCount,
      try tape.readInt() == network.graph.edgeCount
    else { return false }
    var new = OnlineMatcher(network: network, tuning: tuning)
    try new.trellis.read(from: &tape)
    new.route = Set(
      try tape.readList { (tape) throws(MatcherSnapshot.Damaged) in EdgeID(try tape.readInt()) })
    new.entries = try tape.readList { (tape) throws(MatcherSnapshot.Damaged) in
      let fix = try tape.readFix()
      let serial = try tape.readOptional { (tape) throws(MatcherSnapshot.Damaged) in
        try tape.readInt()
      }
      let settled = try tape.readOptional { (tape) throws(MatcherSnapshot.Damaged) in
        try tape.readMatch()
      }
      guard
        let resolution = serial.map(Entry.Resolution.step) ?? settled.map(Entry.Resolution.answered)
      else {
        throw MatcherSnapshot.Damaged()
      }
      let isTeleport = try tape.readBool()
      guard let part = Part(rawValue: try tape.readInt()) else { throw MatcherSnapshot.Damaged() }
      return Entry(fix: fix, resolution: resolution, isTeleport: isTeleport, part: part)
    }
    new.last = try tape.readOptional { (tape) throws(MatcherSnapshot.Damaged) in
      MotionConstraints.Mark(
        place: try tape.readPlace(), time: try tape.readInstant(),
        speedMps: try tape.readOptional { (tape) throws(MatcherSnapshot.Damaged) in
          try tape.readDouble()
        },
        accuracyM: try tape.readOptional { (tape) throws(MatcherSnapshot.Damaged) in
          try tape.readDouble()
        })
    }
    new.lastElapsedS = try tape.readOptional { (tape) throws(MatcherSnapshot.Damaged) in
      try tape.readDouble()
    }
    new.jumped = try Self.timed(&tape)
    new.lastMatch = try tape.readOptional { (tape) throws(MatcherSnapshot.Damaged) in
      try tape.readMatch()
    }
    new.advance = AdvanceFilter(
      speedMps: try tape.readOptional { (tape) throws(MatcherSnapshot.Damaged) in
        try tape.readDouble()
      })
    new.receiverError = try tape.readNoiseEstimator()
    new.firstUnlearnt = try tape.readInt()
    guard MatcherSnapshot.serials.contains(new.firstUnlearnt) else {
      throw MatcherSnapshot.Damaged()
    }
    new.stationaryDetector = try tape.readStationaryDetector()
    new.whiteNoise = try tape.readWhiteNoiseEstimator()
    new.sharedError = try tape.readCorrelatedErrorFilter()
    new.trellis.applyNoiseEstimate(sigmaM: new.learntSigmaM)
    guard new.fitsItsMap else { throw MatcherSnapshot.Damaged() }
    self = new
    return true
  }

  /// Whether every stored edge is in the map and every serial number of a fix is valid.
  private var fitsItsMap: Bool {
    let edgeCount = network.graph.edgeCount
    let matches = entries.compactMap(\.finalMatch) + [lastMatch].compactMap { $0 }
    return route.allSatisfy { $0.index < edgeCount }
      && matches.allSatisfy { match in
        guard case .matched(let place) = match.outcome else { return true }
        return place.position.edge.index < edgeCount && place.state.edge.index < edgeCount
          && place.path.allSatisfy { $0.edge.index < edgeCount }
      }
      && entries.compactMap(\.serial).allSatisfy(MatcherSnapshot.serials.contains)
  }

  private static func timed(
    _ tape: inout MatcherSnapshot
  ) throws(MatcherSnapshot.Damaged) -> [(fix: Fix, time: Instant)] {
    try tape.readList { (tape) throws(MatcherSnapshot.Damaged) in
      (fix: try tape.readFix(), time: try tape.readInstant())
    }
  }
}
