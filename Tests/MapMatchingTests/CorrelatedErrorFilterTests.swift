import DrawnMaps
import Foundations
import Geodesy
import Positioning
import RoadGraph
import Testing

@testable import MapMatching

/// The error that successive fixes share, and the correction of immediate places by it (MM-8).
@Suite struct CorrelatedErrorFilterTests {
  private let start = DrawnTrace.start
  private let origin = Coordinate(latitudeDeg: 47, longitudeDeg: 9)

  /// Notes one fix per second along a road to `bearingDeg`, each with an `error`.
  private func drive(
    _ shared: inout CorrelatedErrorFilter, seconds: Range<Int>, bearingDeg: Double,
    error: (Int) -> PlanePoint, probability: Double = 1, whiteM: Double = 0
  ) {
    for second in seconds {
      let truth = origin.moved(bearingDeg: bearingDeg, distanceM: 12 * Double(second))
      let off = error(second)
      let fix = LocalPlane(origin: truth).coordinate(off)
      // The matched place: the nearest one of the road.
      let road = Polyline([-200, 200].map { truth.moved(bearingDeg: bearingDeg, distanceM: $0) })
      let place = place(
        road.projection(of: fix)?.coordinate ?? truth, bearingDeg: bearingDeg,
        probability: probability)
      shared.update(
        fix, at: start.advanced(bySeconds: Double(second)), on: place, whiteM: whiteM,
        tuning: MatcherTuning())
    }
  }

  private func place(
    _ coordinate: Coordinate, bearingDeg: Double, probability: Double
  ) -> MatchedPlace {
    let edge = EdgeID(0)
    let segment = SegmentReference(way: 100, from: 0, to: 1)
    return MatchedPlace(
      coordinate: coordinate, bearingDeg: bearingDeg,
      position: RoadPosition(edge: edge, offsetM: 0), state: TravelState(edge, isAgainst: false),
      segment: segment, offsetM: 0, path: [], probability: probability, distanceM: 0,
      isInTunnel: false, zLevel: 0, uncertaintyM: 10)
  }

  @Test(arguments: [0.0, 30, 90, 200, 315])
  func `an error across a road is an error along the next one, MM-8`(bearingDeg: Double) {
    // Twelve metres ahead and eight to the left of the first road.
    let error = LocalPlane(origin: origin).point(
      origin.moved(bearingDeg: bearingDeg, distanceM: 12)
        .moved(bearingDeg: bearingDeg - 90, distanceM: 8))
    var shared = CorrelatedErrorFilter()
    drive(&shared, seconds: 0..<40, bearingDeg: bearingDeg, error: { _ in error })
    #expect(abs(shared.alongM(bearingDeg: bearingDeg)) < 0.1, "no road shows it")
    // After a turn to the right, an error to the left is one to the rear; after a left turn, one
    // to the front.
    let right = shared.alongM(bearingDeg: bearingDeg + 90)
    #expect(right < -6 && right > -8.1)
    #expect(abs(shared.alongM(bearingDeg: bearingDeg - 90) + right) < 0.001)
    // After the turn the other part is visible, and the first one fades by a factor of e in 10 s.
    drive(&shared, seconds: 40..<50, bearingDeg: bearingDeg + 90, error: { _ in error })
    let later = shared.alongM(bearingDeg: bearingDeg + 90)
    #expect(abs(later - right / 2.718) < 0.05)
    #expect(shared.alongM(bearingDeg: bearingDeg) > 9)
  }

  @Test func `white noise, unlikely roads and few fixes contribute little, MM-8`() {
    func reported(probability: Double = 1, whiteM: Double = 0, seconds: Int = 30) -> Double {
      var shared = CorrelatedErrorFilter()
      drive(
        &shared, seconds: 0..<seconds, bearingDeg: 0,
        error: { _ in PlanePoint(eastM: 9, northM: 0) }, probability: probability, whiteM: whiteM)
      return shared.alongM(bearingDeg: 90)
    }
    let sure = reported()
    #expect(sure > 8)
    #expect(reported(probability: 0.3) < sure - 0.5 && reported(probability: 0.05) < sure / 2)
    #expect(reported(whiteM: 6) < sure - 0.5)
    #expect(reported(whiteM: 10) == 0, "all of the error is independent")
    #expect(reported(seconds: CorrelatedErrorFilter.leastCount - 1) == 0)
    #expect(reported(seconds: CorrelatedErrorFilter.leastCount) > 0)
  }

  @Test(arguments: [-2.9, 1, 2.9])
  func `a vehicle to the right or left of the line of its road has no error, MM-8`(
    rightM: Double
  ) {
    var shared = CorrelatedErrorFilter()
    for (turn, bearingDeg) in [0.0, 90, 180, 90, 0].enumerated() {
      let aside = PlanePoint(bearingDeg: bearingDeg + 90, lengthM: rightM)
      drive(
        &shared, seconds: 30 * turn..<30 * turn + 30, bearingDeg: bearingDeg, error: { _ in aside })
      #expect(shared.alongM(bearingDeg: bearingDeg + 90) == 0)
    }
  }

  @Test func `a clock that was set back, and a long silence, reset the error, MM-8`() {
    for second in [-100, 300] {
      var shared = CorrelatedErrorFilter()
      drive(
        &shared, seconds: 0..<30, bearingDeg: 0, error: { _ in PlanePoint(eastM: 9, northM: 0) })
      drive(
        &shared, seconds: second..<second + 1, bearingDeg: 90,
        error: { _ in PlanePoint(eastM: 9, northM: 0) })
      #expect(abs(shared.alongM(bearingDeg: 90)) < 0.001)
    }
  }

  /// Blocks of 150 m, and the places and times of a drive that turns at each second corner.
  private func town() throws -> (graph: RoadGraph, fixes: [Fix]) {
    var map = TinyMap()
    let blocks = 9
    let nodes = (0..<blocks).map { row in
      (0..<blocks).map { map.node(150 * Double($0), 150 * Double(row)) }
    }
    for row in 0..<blocks {
      map.line(nodes[row])
      map.line((0..<blocks).map { nodes[$0][row] })
    }
    var drive = Drive(hasSpeed: false)
    drive.along(
      [(10, 0), (300, 0), (300, 300), (600, 300), (600, 600), (900, 600), (900, 900), (1190, 900)],
      speedMps: 9)
    return (try map.graph(), drive.fixes.map { Fix(place: $0.place, time: $0.time) })
  }

  /// The mean squared distances from the true places, of immediate places and of the projections
  /// of the fixes onto the same roads.
  private func errors(correlation: Double) throws -> (reported: Double, projection: Double) {
    let (graph, truths) = try town()
    let network = MatchingNetwork(graph: graph, mode: .car)
    var (reported, projection, count) = (0.0, 0.0, 0.0)
    for seed in 0..<40 as Range<UInt64> {
      var matcher = OnlineMatcher(network: network)
      let fixes = truths.withErrors(seed: seed, sigmaM: 8, correlation: correlation)
      for (truth, fix) in zip(truths, fixes) {
        guard let place = matcher.match(fix).match.place else { continue }
        let nearest = Polyline(graph.shape(place.position.edge)).projection(of: fix.place)
        let reportedM = place.coordinate.distanceM(to: truth.place)
        let footM = nearest?.coordinate.distanceM(to: truth.place) ?? 0
        reported += reportedM * reportedM
        projection += footM * footM
        count += 1
      }
    }
    return (reported / count, projection / count)
  }

  @Test func `immediate places are nearer than the projections of the fixes, MM-8`() throws {
    let drifting = try errors(correlation: 0.95)
    #expect(drifting.reported < 0.94 * drifting.projection, "\(drifting)")
    let white = try errors(correlation: 0)
    #expect(white.reported < white.projection, "\(white)")
  }

  @Test func `a receiver that reports its speed is not corrected, MM-8`() throws {
    let (graph, truths) = try town()
    var matcher = OnlineMatcher(network: MatchingNetwork(graph: graph, mode: .car))
    for var fix in truths.withErrors(seed: 1, sigmaM: 8, correlation: 0.95) {
      fix.speedMps = 9
      _ = matcher.match(fix)
    }
    #expect(matcher.errors.shared == CorrelatedErrorFilter())
  }

  @Test func `at any error across the road before, a place after a turn stays near its fix, MM-8`()
    throws
  {
    let map = try DrawnMap(
      """
      b2---------------------------1c
      |
      |
      a
      """, ways: ["ab": "", "bc": ""], cell: 30, line: 200)
    var matcher = OnlineMatcher(map)
    // Thirty metres to the right of the first road, and then on the second.
    var trace = DrawnTrace(on: map, accuracyM: 5)
    try trace.drive("ab", speedMps: 10, leftM: -30)
    try trace.drive("21", speedMps: 10)
    var farthest = 0.0
    for fix in trace.fixes {
      let match = matcher.match(fix).match
      guard let place = match.place, map.way(match) == "bc" else { continue }
      let road = Polyline(map.graph.shape(place.position.edge))
      let nearest = try #require(road.projection(of: fix.place))
      let shiftM = place.coordinate.distanceM(to: nearest.coordinate)
      farthest = Double.maximum(farthest, shiftM / place.uncertaintyM)
    }
    // Two sigmas of correction, and one of smoothing.
    #expect(farthest > 1.9 && farthest <= 3, "\(farthest) sigmas")
  }

  @Test func `a restart restores the error, and impossible values are refused, MM-8, PR-11`() throws
  {
    let (graph, truths) = try town()
    let fixes = truths.withErrors(seed: 2, sigmaM: 8, correlation: 0.95)
    var matcher = OnlineMatcher(network: MatchingNetwork(graph: graph, mode: .car))
    for fix in fixes.prefix(90) { _ = matcher.match(fix) }
    #expect(abs(matcher.errors.shared.alongM(bearingDeg: 0)) > 1)
    var next = try matcher.restarted()
    #expect(next.errors.shared == matcher.errors.shared)
    for fix in fixes.dropFirst(90) { #expect(next.match(fix).match == matcher.match(fix).match) }
    var snapshot = MatcherSnapshot()
    snapshot.write(matcher.errors.shared)
    var whole = snapshot
    #expect(try whole.readCorrelatedErrorFilter() == matcher.errors.shared)
    // The error itself may be any number, and its squares are not negative.
    for (index, number) in snapshot.numbers.enumerated() {
      for value in [Double.nan, .infinity] + ([2, 3, 5].contains(index) ? [-1e9] : []) {
        var changed = snapshot
        changed.numbers[index] = value
        #expect(throws: MatcherSnapshot.Damaged.self, "\(index): \(number)") {
          try changed.readCorrelatedErrorFilter()
        }
      }
    }
    // The covariance of two axes is bounded by their variances.
    var together = snapshot
    together.numbers[4] = 1e9
    let most = try together.readCorrelatedErrorFilter().doubt
    #expect(most.eastNorthM2 * most.eastNorthM2 < 1.001 * most.eastM2 * most.northM2)
    for value in [-1, Int64(CorrelatedErrorFilter.memoryCount) + 1] {
      var changed = snapshot
      changed.integers[0] = value
      #expect(throws: MatcherSnapshot.Damaged.self) { try changed.readCorrelatedErrorFilter() }
    }
  }

  @Test(arguments: 0..<40 as Range<UInt64>)
  func `after any input the snapshot is accepted, MM-8, PR-11`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var shared = CorrelatedErrorFilter()
    var now = start
    for _ in 0..<500 {
      // Intervals from 0 s to an hour, and some fixes exactly on the road.
      now = now.advanced(bySeconds: [0, 1e-6, 1, 30, 700, 3600][Int(random.next() % 6)])
      let truth = origin
      shared.update(
        truth.moved(
          bearingDeg: 360 * random.unit(), distanceM: [0, 0.01, 8, 40][Int(random.next() % 4)]),
        at: now,
        on: place(
          truth, bearingDeg: 90 * Double(random.next() % 5) * random.unit(),
          probability: [0, 1e-9, 0.5, 1][Int(random.next() % 4)]),
        whiteM: [0, 3, 100][Int(random.next() % 3)], tuning: MatcherTuning())
      var snapshot = MatcherSnapshot()
      snapshot.write(shared)
      let taken = try snapshot.readCorrelatedErrorFilter()
      #expect(taken == shared)
      // It is written again bit by bit, including the sign of a zero.
      var again = MatcherSnapshot()
      again.write(taken)
      #expect(again.numbers.map(\.bitPattern) == snapshot.numbers.map(\.bitPattern))
    }
  }
}
