import EventTime
import Geodesy
import Positioning
import RoadGraph
import Testing

@testable import MapMatching

/// What fixes of some seconds err in common, and how it mends the places told at once (MM-8).
@Suite struct CorrelatedErrorFilterTests {
  private let start = Instant(seconds: 1_790_000_000)

  /// Notes a fix a second from `second` on, along a road to `bearingDeg`, each off by `error`.
  private func drive(
    _ shared: inout CorrelatedErrorFilter, seconds: Range<Int>, bearingDeg: Double,
    error: (Int) -> PlanePoint, probability: Double = 1, whiteM: Double = 0
  ) {
    for second in seconds {
      let truth = TinyMap.coordinate(0, 0).moved(
        bearingDeg: bearingDeg, distanceM: 12 * Double(second))
      let off = error(second)
      let fix = LocalPlane(origin: truth).coordinate(off)
      // Where a matcher puts it: across from the fix, on the road.
      let road = Polyline([-200, 200].map { truth.moved(bearingDeg: bearingDeg, distanceM: $0) })
      let place = place(
        road.projection(of: fix)?.coordinate ?? truth, bearingDeg: bearingDeg,
        probability: probability)
      shared.note(
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
  func `what was erred across a road is erred along the next, MM-8`(bearingDeg: Double) {
    // Twelve metres ahead and eight to the left of the first road.
    let error = TinyMap.plane.point(
      TinyMap.coordinate(0, 0).moved(bearingDeg: bearingDeg, distanceM: 12)
        .moved(bearingDeg: bearingDeg - 90, distanceM: 8))
    var shared = CorrelatedErrorFilter()
    drive(&shared, seconds: 0..<40, bearingDeg: bearingDeg, error: { _ in error })
    #expect(abs(shared.alongM(bearingDeg: bearingDeg)) < 0.1, "no road shows it")
    // To the right what was left is behind, and to the left ahead.
    let right = shared.alongM(bearingDeg: bearingDeg + 90)
    #expect(right < -6 && right > -8.1)
    #expect(abs(shared.alongM(bearingDeg: bearingDeg - 90) + right) < 0.001)
    // Behind the turn the other part is seen, and the first forgotten by e in ten seconds.
    drive(&shared, seconds: 40..<50, bearingDeg: bearingDeg + 90, error: { _ in error })
    let later = shared.alongM(bearingDeg: bearingDeg + 90)
    #expect(abs(later - right / 2.718) < 0.05)
    #expect(shared.alongM(bearingDeg: bearingDeg) > 9)
  }

  @Test func `white noise, roads that are unlikely and few fixes tell little of it, MM-8`() {
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
    #expect(reported(whiteM: 10) == 0, "all of it is each fix's own")
    #expect(reported(seconds: CorrelatedErrorFilter.leastCount - 1) == 0)
    #expect(reported(seconds: CorrelatedErrorFilter.leastCount) > 0)
  }

  @Test(arguments: [-2.9, 1, 2.9])
  func `who drives beside the line of the road is not taken for one that errs, MM-8`(
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

  @Test func `a clock that was set back, and a long silence, forget it, MM-8`() {
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

  /// Blocks of 150 m, and a drive that turns at each second corner.
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
    return (try map.graph(), drive.fixes)
  }

  /// Mean square of how far places told at once are from the true ones, and of how far the nearest places of the same roads are.
  private func errors(likeness: Double) throws -> (reported: Double, foot: Double) {
    let (graph, truths) = try town()
    let network = MatchingNetwork(graph: graph, mode: .car)
    var (reported, foot, count) = (0.0, 0.0, 0.0)
    for seed in 0..<40 as Range<UInt64> {
      var matcher = OnlineMatcher(network: network)
      let fixes = Drive.erring(truths, seed: seed, sigmaM: 8, likeness: likeness)
      for (truth, fix) in zip(truths, fixes) {
        guard let place = matcher.match(fix).match.place else { continue }
        let nearest = Polyline(graph.shape(place.position.edge)).projection(of: fix.place)
        let toldM = place.coordinate.distanceM(to: truth.place)
        let footM = nearest?.coordinate.distanceM(to: truth.place) ?? 0
        reported += toldM * toldM
        foot += footM * footM
        count += 1
      }
    }
    return (reported / count, foot / count)
  }

  @Test func `places reported at once are nearer than the nearest of the road, MM-8`() throws {
    let drifting = try errors(likeness: 0.95)
    #expect(drifting.reported < 0.94 * drifting.foot, "\(drifting)")
    let white = try errors(likeness: 0)
    #expect(white.reported < white.foot, "\(white)")
  }

  @Test func `a receiver that tells its speed is not mended, MM-8`() throws {
    let (graph, truths) = try town()
    var matcher = OnlineMatcher(network: MatchingNetwork(graph: graph, mode: .car))
    for var fix in Drive.erring(truths, seed: 1, sigmaM: 8, likeness: 0.95) {
      fix.speedMps = 9
      _ = matcher.match(fix)
    }
    #expect(matcher.sharedError == CorrelatedErrorFilter())
  }

  @Test func `however far a fix lay across, its place stays near it behind a turn, MM-8`() throws {
    var map = TinyMap()
    map.line([map.node(0, 0), map.node(0, 600), map.node(900, 600)])
    let graph = try map.graph()
    var matcher = OnlineMatcher(network: MatchingNetwork(graph: graph, mode: .car))
    // Thirty metres to the right of the first road, and then on the second.
    var drive = Drive(hasSpeed: false)
    drive.along([(30, 10), (30, 600), (800, 600)], speedMps: 10)
    var farthestM = 0.0
    for var fix in drive.fixes {
      fix.accuracyM = 5
      guard let place = matcher.match(fix).match.place, place.segment.way == 101 else { continue }
      let road = Polyline(graph.shape(place.position.edge))
      let nearest = try #require(road.projection(of: fix.place))
      let shiftM = place.coordinate.distanceM(to: nearest.coordinate)
      farthestM = Double.maximum(farthestM, shiftM / place.uncertaintyM)
    }
    // Two, and one by which places are steadied.
    #expect(farthestM > 1.9 && farthestM <= 3, "\(farthestM) sigmas")
  }

  @Test func `it is the same behind a restart, and what cannot be is refused, MM-8, PR-11`() throws
  {
    let (graph, truths) = try town()
    let fixes = Drive.erring(truths, seed: 2, sigmaM: 8, likeness: 0.95)
    var matcher = OnlineMatcher(network: MatchingNetwork(graph: graph, mode: .car))
    for fix in fixes.prefix(90) { _ = matcher.match(fix) }
    #expect(abs(matcher.sharedError.alongM(bearingDeg: 0)) > 1)
    var next = try matcher.restarted()
    #expect(next.sharedError == matcher.sharedError)
    for fix in fixes.dropFirst(90) { #expect(next.match(fix).match == matcher.match(fix).match) }
    var tape = MatcherSnapshot()
    tape.write(matcher.sharedError)
    var whole = tape
    #expect(try whole.readCorrelatedErrorFilter() == matcher.sharedError)
    // The error itself may be anything that is a number, squares nothing below 0.
    for (index, number) in tape.numbers.enumerated() {
      for value in [Double.nan, .infinity] + ([2, 3, 5].contains(index) ? [-1e9] : []) {
        var changed = tape
        changed.numbers[index] = value
        #expect(throws: MatcherSnapshot.Damaged.self, "\(index): \(number)") {
          try changed.readCorrelatedErrorFilter()
        }
      }
    }
    // What two axes have in common is no more than they have.
    var together = tape
    together.numbers[4] = 1e9
    let most = try together.readCorrelatedErrorFilter().doubt
    #expect(most.eastNorthM2 * most.eastNorthM2 < 1.001 * most.eastM2 * most.northM2)
    for value in [-1, Int64(CorrelatedErrorFilter.memoryCount) + 1] {
      var changed = tape
      changed.integers[0] = value
      #expect(throws: MatcherSnapshot.Damaged.self) { try changed.readCorrelatedErrorFilter() }
    }
  }

  @Test(arguments: 0..<40 as Range<UInt64>)
  func `whatever was noted, its memory is taken again, MM-8, PR-11`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var shared = CorrelatedErrorFilter()
    var now = start
    for _ in 0..<500 {
      // Fixes now and then, some at once and some after an hour, some on the road to the centimetre.
      now = now.advanced(bySeconds: [0, 1e-6, 1, 30, 700, 3600][Int(random.next() % 6)])
      let truth = TinyMap.coordinate(0, 0)
      shared.note(
        truth.moved(
          bearingDeg: 360 * random.unit(), distanceM: [0, 0.01, 8, 40][Int(random.next() % 4)]),
        at: now,
        on: place(
          truth, bearingDeg: 90 * Double(random.next() % 5) * random.unit(),
          probability: [0, 1e-9, 0.5, 1][Int(random.next() % 4)]),
        whiteM: [0, 3, 100][Int(random.next() % 3)], tuning: MatcherTuning())
      var tape = MatcherSnapshot()
      tape.write(shared)
      let taken = try tape.readCorrelatedErrorFilter()
      #expect(taken == shared)
      // And written again as it was, a zero with its sign.
      var again = MatcherSnapshot()
      again.write(taken)
      #expect(again.numbers.map(\.bitPattern) == tape.numbers.map(\.bitPattern))
    }
  }
}
