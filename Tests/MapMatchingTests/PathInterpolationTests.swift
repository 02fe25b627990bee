import Foundations
import Geodesy
import Positioning
import RoadGraph
import Testing

@testable import MapMatching

/// Fixes of a whole trace that are not steps: they lie on the path from one step to the next (MM-13).
@Suite struct PathInterpolationTests {
  private func network(oneWay: Bool = false) throws -> MatchingNetwork {
    var map = TinyMap()
    let nodes = [
      map.node(0, 0), map.node(200, 0), map.node(212, 0), map.node(212, 12), map.node(212, 300),
    ]
    map.line(nodes, oneWay: oneWay)
    return MatchingNetwork(graph: try map.graph(), mode: .car)
  }

  @Test func `each fix has its own place, around corners too, MM-13`() throws {
    let network = try network()
    var drive = Drive(hasSpeed: false)
    drive.along([(20, 0), (212, 0), (212, 280)], speedMps: 5)
    let trace = network.match(trace: drive.fixes)
    for match in trace.matches.dropFirst() {
      let place = try #require(match.place)
      // A stationary vehicle within 4 m of a step has the place of the step.
      #expect(place.coordinate.distanceM(to: match.fix.place) <= 4.1)
      #expect(abs(place.distanceM - place.coordinate.distanceM(to: match.fix.place)) < 0.1)
    }
    let places = Set(trace.matches.compactMap { $0.place?.coordinate })
    #expect(places.count > drive.fixes.count * 9 / 10)
    #expect(trace.lines.count == 1)
    #expect(abs(trace.lengthM - 472) < 6)
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `noise moves no fix back along the path, and all paths form one, MM-13`(seed: UInt64) throws
  {
    let network = try network(oneWay: seed % 2 == 0)
    var drive = Drive(seed: seed, sigmaM: 5, hasSpeed: false)
    drive.along([(20, 0), (212, 0), (212, 280)], speedMps: 6)
    // Without an accuracy a step is 16 m long, three times the noise.
    let fixes = drive.fixes.map { fix in
      var fix = fix
      fix.accuracyM = nil
      return fix
    }
    let trace = network.match(trace: fixes)
    #expect(trace.lines.count == 1)
    var last: MatchedPlace?
    var falls = 0
    for place in trace.matches.compactMap(\.place) {
      defer { last = place }
      guard let last else { continue }
      #expect(place.path.first == last.state)
      #expect(place.path.last == place.state)
      if place.state == last.state, place.offsetM < last.offsetM - 0.01 { falls += 1 }
    }
    // Noise may move the steps back, but not the fixes between them.
    #expect(falls <= 2, "\(falls) of \(trace.matches.count)")
    let length = trace.path.reduce(0) { $0 + network.graph.lengthM($1.edge) }
    #expect(abs(length - 512) < 1)
  }

  /// One fix per second without an accuracy: steps are 16 m long.
  private func fixes(_ places: [(eastM: Double, northM: Double)]) -> [Fix] {
    places.enumerated().map { second, place in
      Fix(
        place: TinyMap.coordinate(place.eastM, place.northM),
        time: Instant(seconds: 1_790_000_000 + Double(second)))
    }
  }

  @Test func `a fix that is refused between two steps is on no road, MM-4, MM-13`()
    throws
  {
    let isFar = { (second: Int) in second % 9 == 5 }
    let places = (0..<36).map { second in
      (eastM: 20 + 5 * Double(second), northM: isFar(second) ? 300.0 : 0)
    }
    let matches = try network().match(trace: fixes(places)).matches
    #expect(matches.count == places.count)
    for (second, match) in matches.enumerated() {
      #expect(match.reason == (isFar(second) ? .outlier : nil), "\(second)")
    }
  }

  @Test func `a long trace that is finished in parts has each fix on its path, MM-13`()
    throws
  {
    // A corner every 30 m, so that hardly any two steps are on the same road.
    let corners: [(Double, Double)] = (0..<2_400).map { number in
      let eastM = 30 * Double((number + 1) / 2)
      return (eastM, number / 2 % 2 == 0 ? 0 : 30)
    }
    var map = TinyMap()
    map.line(corners.map { map.node($0.0, $0.1) })
    var drive = Drive(hasSpeed: false)
    drive.along(corners, speedMps: 5)
    let network = MatchingNetwork(graph: try map.graph(), mode: .car)
    let matches = network.match(trace: drive.fixes.map { Fix(place: $0.place, time: $0.time) })
      .matches
    #expect(matches.count > 4 * 3 * OnlineMatcher.longestWindow)
    for (number, match) in matches.enumerated() {
      let place = try #require(match.place)
      #expect(place.coordinate.distanceM(to: match.fix.place) <= 4.1, "\(number)")
    }
  }

  @Test(arguments: 195...211)
  func `a vehicle that stops reporting on the next road is placed there, MM-13`(endM: Int) throws {
    let network = try network()
    // Steps are 16 m long. The last one may be on the road that ends at 200 m, and the fixes after
    // it on the next road.
    var fixes = fixes(stride(from: endM % 4 + 20, through: endM, by: 4).map { (Double($0), 0) })
    let count = fixes.count
    func check(_ matches: [Match]) throws {
      #expect(matches.map(\.fix) == fixes)
      for match in matches.prefix(count) {
        let place = try #require(match.place)
        #expect(place.coordinate.distanceM(to: match.fix.place) <= 4.1)
      }
    }
    func converged() -> [Match] {
      var matcher = OnlineMatcher(network: network, tuning: MatcherTuning().forConvergence)
      return fixes.flatMap { matcher.smooth($0) } + matcher.finish()
    }
    try check(network.match(trace: fixes).matches)
    try check(converged())
    // The vehicle is elsewhere half an hour later.
    let later = Instant(seconds: 1_790_000_000 + 1_800)
    fixes.append(Fix(place: TinyMap.coordinate(212, 200), time: later))
    try check(network.match(trace: fixes).matches)
    try check(converged())
  }

  @Test func `a vehicle that returns to a step has driven no distance, MM-11`() throws {
    let network = try network()
    // The second road begins at 200 m.
    let trace = network.match(
      trace: fixes([180, 196, 206, 197, 204, 212].map { ($0, 0) } + [(212, 20), (212, 40)]))
    #expect(trace.lines.count == 1)
    let places = trace.matches.compactMap(\.place)
    for (before, place) in zip(places, places.dropFirst()) {
      #expect(place.path.first == before.state && place.path.last == place.state)
    }
    #expect(places[2].path.count == 2 && places[3].path == [places[2].state])
    #expect(
      abs(places[3].distanceM - places[3].coordinate.distanceM(to: trace.matches[3].fix.place))
        < 1e-9)
  }

  @Test func `a stationary vehicle stays at one place, MM-11`() throws {
    let network = try network()
    var drive = Drive(hasSpeed: false)
    drive.along([(20, 0), (150, 0)], speedMps: 10)
    let count = drive.fixes.count
    for second in 0..<30 {
      drive.add(
        TinyMap.coordinate(150 + Double(second % 3), 1), bearingDeg: nil, speedMps: nil, 1)
    }
    let places = network.match(trace: drive.fixes).matches.dropFirst(count).compactMap(\.place)
    #expect(places.count == 30)
    #expect(Set(places.map(\.offsetM)).count <= 2)
  }

  /// Metres between the first and the last place of five minutes without a reported speed.
  ///
  /// The fix of each second is `eastM` metres from the first one.
  private func advanceM(_ eastM: (Double) -> Double) throws -> Double {
    let network = try network()
    var drive = Drive(hasSpeed: false)
    drive.along([(20, 0), (100, 0)], speedMps: 10)
    let count = drive.fixes.count
    for second in 1...300 {
      drive.add(
        TinyMap.coordinate(100 + eastM(Double(second)), 0), bearingDeg: nil, speedMps: nil, 1)
    }
    for index in drive.fixes.indices { drive.fixes[index].accuracyM = nil }
    let offsets = network.match(trace: drive.fixes).matches.dropFirst(count)
      .compactMap { $0.place?.offsetM }
    #expect(offsets.count == 300)
    #expect(zip(offsets, offsets.dropFirst()).allSatisfy { $0 <= $1 })
    return (offsets.last ?? 0) - (offsets.first ?? 0)
  }

  @Test func `a drift does not move a stationary vehicle, one that crawls moves on, MM-11`() throws
  {
    // Ten metres to and fro, at half a metre per second.
    #expect(try advanceM { 10 - abs(10 - ($0 / 2).truncatingRemainder(dividingBy: 20)) } == 0)
    let crawledM = try advanceM { 14 * Double.minimum(1, $0 / 14) }
    #expect(abs(crawledM - 13) < 1)
  }

  @Test func `a wait that is too short for a stop does not move the vehicle, MM-11`() throws {
    let network = try network()
    func advanceM(_ speedMps: Double) throws -> Double {
      var drive = Drive(hasSpeed: false)
      drive.along([(20, 0), (100, 0)], speedMps: 10)
      let count = drive.fixes.count
      for second in 1...15 {
        drive.add(
          TinyMap.coordinate(100 + speedMps * Double(second), 0), bearingDeg: nil, speedMps: nil, 1)
      }
      drive.along([(110, 0), (190, 0)], speedMps: 10)
      for index in drive.fixes.indices { drive.fixes[index].accuracyM = nil }
      let places = network.match(trace: drive.fixes).matches.compactMap(\.place)
      return places[count + 14].offsetM - places[count].offsetM
    }
    #expect(try advanceM(0.5) == 0)
    #expect(try advanceM(1) > 10)
  }

  @Test func `places are nearer to the true ones than those of the steps alone, MM-13`() throws {
    let network = try network()
    var (own, held) = (0.0, 0.0)
    for seed in 0..<30 as Range<UInt64> {
      var drive = Drive(seed: seed, sigmaM: 4, hasSpeed: false)
      drive.along([(20, 0), (200, 0)], speedMps: 7)
      var exact = Drive(hasSpeed: false)
      exact.along([(20, 0), (200, 0)], speedMps: 7)
      var step: Coordinate?
      for (match, truth) in zip(network.match(trace: drive.fixes).matches, exact.fixes) {
        guard let place = match.place else { continue }
        if (step?.distanceM(to: match.fix.place) ?? .infinity) >= 16 { step = match.fix.place }
        own += place.coordinate.distanceM(to: truth.place)
        held += step?.distanceM(to: truth.place) ?? 0
      }
    }
    #expect(own < 0.75 * held, "\(own) to \(held)")
  }
}
