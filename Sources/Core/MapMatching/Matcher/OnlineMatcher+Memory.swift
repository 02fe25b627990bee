import Foundations
import Positioning
import RoadGraph

extension OnlineMatcher {
  /// A snapshot with which another matcher answers the next fix exactly as this one would.
  public var memory: MatcherSnapshot {
    var snapshot = MatcherSnapshot()
    snapshot.integers = [
      MatcherSnapshot.version, Int64(bitPattern: network.graph.hash),
      Int64(network.graph.nodeCount), Int64(network.graph.edgeCount),
    ]
    trellis.write(to: &snapshot)
    snapshot.write(route.sorted()) { $0.write($1.index) }
    snapshot.write(entries) { snapshot, entry in
      snapshot.write(entry.fix)
      snapshot.write(entry.serial) { $0.write($1) }
      snapshot.write(entry.finalMatch) { $0.write($1) }
      snapshot.write(entry.isTeleport)
      snapshot.write(entry.part.rawValue)
    }
    snapshot.write(last) { snapshot, mark in
      snapshot.write(mark.place)
      snapshot.write(mark.time)
      snapshot.write(mark.speedMps) { $0.write($1) }
      snapshot.write(mark.accuracyM) { $0.write($1) }
    }
    snapshot.write(lastElapsedS) { $0.write($1) }
    snapshot.write(jumped) {
      $0.write($1.fix)
      $0.write($1.time)
    }
    snapshot.write(lastMatch) { $0.write($1) }
    snapshot.write(advance.speedMps) { $0.write($1) }
    snapshot.write(errors.receiver)
    snapshot.write(errors.firstUnlearnt)
    snapshot.write(stationaryDetector)
    snapshot.write(errors.white)
    snapshot.write(errors.shared)
    return snapshot
  }

  /// Restores a snapshot; returns false, with nothing changed, if it was taken on another map.
  ///
  /// - Throws: `MatcherSnapshot.Damaged`, with nothing changed.
  public mutating func recall(_ memory: MatcherSnapshot) throws(MatcherSnapshot.Damaged) -> Bool {
    var snapshot = memory
    guard try snapshot.readInt() == Int(MatcherSnapshot.version) else { return false }
    guard Int64(try snapshot.readInt()) == Int64(bitPattern: network.graph.hash),
      try snapshot.readInt() == network.graph.nodeCount,
      try snapshot.readInt() == network.graph.edgeCount
    else { return false }
    var new = OnlineMatcher(network: network, tuning: tuning)
    try new.trellis.read(from: &snapshot)
    new.route = Set(
      try snapshot.readList { (snapshot) throws(MatcherSnapshot.Damaged) in
        EdgeID(try snapshot.readInt())
      })
    new.entries = try snapshot.readList { (snapshot) throws(MatcherSnapshot.Damaged) in
      let fix = try snapshot.readFix()
      let serial = try snapshot.readOptional { (snapshot) throws(MatcherSnapshot.Damaged) in
        try snapshot.readInt()
      }
      let settled = try snapshot.readOptional { (snapshot) throws(MatcherSnapshot.Damaged) in
        try snapshot.readMatch()
      }
      guard
        let resolution = serial.map(Entry.Resolution.step) ?? settled.map(Entry.Resolution.answered)
      else {
        throw MatcherSnapshot.Damaged()
      }
      let isTeleport = try snapshot.readBool()
      guard let part = Part(rawValue: try snapshot.readInt()) else {
        throw MatcherSnapshot.Damaged()
      }
      return Entry(fix: fix, resolution: resolution, isTeleport: isTeleport, part: part)
    }
    new.last = try snapshot.readOptional { (snapshot) throws(MatcherSnapshot.Damaged) in
      MotionConstraints.Mark(
        place: try snapshot.readPlace(), time: try snapshot.readInstant(),
        speedMps: try snapshot.readOptional { (snapshot) throws(MatcherSnapshot.Damaged) in
          try snapshot.readDouble()
        },
        accuracyM: try snapshot.readOptional { (snapshot) throws(MatcherSnapshot.Damaged) in
          try snapshot.readDouble()
        })
    }
    new.lastElapsedS = try snapshot.readOptional { (snapshot) throws(MatcherSnapshot.Damaged) in
      try snapshot.readDouble()
    }
    new.jumped = try Self.timed(&snapshot)
    new.lastMatch = try snapshot.readOptional { (snapshot) throws(MatcherSnapshot.Damaged) in
      try snapshot.readMatch()
    }
    new.advance = AdvanceFilter(
      speedMps: try snapshot.readOptional { (snapshot) throws(MatcherSnapshot.Damaged) in
        try snapshot.readDouble()
      })
    new.errors.receiver = try snapshot.readNoiseEstimator()
    new.errors.firstUnlearnt = try snapshot.readInt()
    guard MatcherSnapshot.serials.contains(new.errors.firstUnlearnt) else {
      throw MatcherSnapshot.Damaged()
    }
    new.stationaryDetector = try snapshot.readStationaryDetector()
    new.errors.white = try snapshot.readWhiteNoiseEstimator()
    new.errors.shared = try snapshot.readCorrelatedErrorFilter()
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
    _ snapshot: inout MatcherSnapshot
  ) throws(MatcherSnapshot.Damaged) -> [(fix: Fix, time: Instant)] {
    try snapshot.readList { (snapshot) throws(MatcherSnapshot.Damaged) in
      (fix: try snapshot.readFix(), time: try snapshot.readInstant())
    }
  }
}
