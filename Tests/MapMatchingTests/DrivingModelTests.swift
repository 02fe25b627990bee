import DrawnMaps
import Foundation
import Foundations
import Geodesy
import Positioning
import RoadGraph
import Testing

@testable import MapMatching

/// Driving cost, the weight of fixes, and the smoothing of immediate places.
@Suite struct DrivingModelTests {
  @Test func `a minute apart the fast road is taken, not the shortest, MM-3`() throws {
    let fast = "highway=primary maxspeed=100"
    let map = try DrawnMap(
      """
      a---b---------c---d
           e-------f
      """,
      ways: [
        "ab": "highway=secondary", "bc": "highway=residential maxspeed=17", "be": fast, "ef": fast,
        "fc": fast, "cd": "highway=secondary",
      ])
    let network = MatchingNetwork(map)
    let trace = try DrawnTrace(
      """
      a1--b---------c--2d
           e-------f
      """, on: map, atS: [0, 60], accuracyM: 5)
    func nodes(_ tuning: MatcherTuning) -> String {
      map.letters(network.match(trace: trace.fixes, tuning: tuning).path)
    }
    #expect(nodes(.wholeTrace) == "abefcd")
    var shortest = MatcherTuning.wholeTrace
    shortest.speedExponent = 0
    shortest.turnM = 0
    #expect(nodes(shortest) == "abcd")
  }

  @Test(arguments: [2.0, 5, 10])
  func `fixes between a fast road and a parallel slow one are on the fast one, MM-3`(
    intervalS: Double
  ) throws {
    let (fast, slow) = ("highway=trunk oneway=yes maxspeed=111", "highway=secondary oneway=yes")
    let map = try DrawnMap(
      """
             e-----------------f
      a1----b-------------------c----2d
      """,
      ways: ["ab": fast, "bc": fast, "cd": fast, "be": slow, "ef": slow, "fc": slow], line: 24)
    let network = MatchingNetwork(map)
    func nodes(northM: Double, _ tuning: MatcherTuning) throws -> String {
      var trace = DrawnTrace(on: map)
      try trace.drive("12", speedMps: 25, everyS: intervalS, leftM: northM)
      return map.letters(network.match(trace: trace.fixes, tuning: tuning).path)
    }
    #expect(try nodes(northM: 12.2, .wholeTrace) == "abcd")
    // Fixes clearly on the slow road outweigh the driving cost.
    #expect(try nodes(northM: 24, .wholeTrace) == "abefcd")
    var shortest = MatcherTuning.wholeTrace
    shortest.drivingNatsPerM = 0
    #expect(try nodes(northM: 12.2, shortest) == "abefcd")
  }

  @Test func `fixes far apart in time have more weight, within bounds, MM-3`() {
    let tuning = MatcherTuning()
    let fix = Fix(place: Coordinate(latitudeDeg: 47, longitudeDeg: 9), time: DrawnTrace.start)
    func weight(_ elapsedS: Double?, by other: MatcherTuning? = nil) -> Double {
      Emission(fix: fix, elapsedS: elapsedS, tuning: other ?? tuning).distanceWeight
    }
    #expect(weight(nil) == 1 && weight(1) == 1 && abs(weight(0.5) - 0.5) < 1e-12)
    let weights = [1.0, 2, 5, 10, 60].map { weight($0) }
    #expect(zip(weights, weights.dropFirst()).allSatisfy { $0 < $1 || $1 - $0 < 1e-3 })
    #expect(weights[1] > 1.2 && weights[2] > 1.5)
    // Independent errors have the greatest weight.
    #expect(abs(weights[4] - tuning.greatestNews) < 1e-5)
    // The error of the first fix is independent, which counts where later fixes are known.
    #expect(weight(nil, by: .wholeTrace) == tuning.greatestNews)
    #expect(weight(1, by: .wholeTrace) == 1)
  }

  /// Streets of three speeds around four blocks.
  private func blocks() throws -> MatchingNetwork {
    var map = TinyMap()
    let grid = (0..<9).map { map.node(Double($0 % 3) * 70, Double($0 / 3) * 50) }
    for cell in 0..<9 {
      if cell % 3 < 2 { map.road(grid[cell], grid[cell + 1], speedKmh: [20, 50, 90][cell / 3]) }
      if cell < 6 { map.road(grid[cell], grid[cell + 3], speedKmh: [90, 20, 50][cell % 3]) }
    }
    return MatchingNetwork(graph: try map.graph(), mode: .car)
  }

  /// The driving cost of a path by its definition, without caches.
  private func costM(
    _ states: [TravelState], from source: Candidate, to target: Candidate,
    _ network: MatchingNetwork
  ) -> Double {
    func weight(_ state: TravelState) -> Double {
      let speed = Double(network.traits(state.edge).speedMps)
      return min(3, max(0.6, pow(20 / speed, tuning.speedExponent)))
    }
    func bearing(_ state: TravelState) -> Double {
      let ends = [network.start(state), network.end(state)].map { network.graph.coordinate($0) }
      return ends[0].bearingDeg(to: ends[1])
    }
    var costM = weight(target.state) * target.offsetM - weight(source.state) * source.offsetM
    for (state, next) in zip(states, states.dropFirst()) {
      let angle = Angle.differenceDeg(bearing(state), bearing(next))
      costM += weight(state) * network.lengthM(state)
      costM += tuning.turnM * pow(min(1.5, angle / 90), 2)
    }
    return costM
  }

  private let tuning = MatcherTuning()

  @Test(arguments: ["highway=residential", "highway=residential oneway=yes"])
  func `a turn costs by the ends of the roads that meet, however they bend, MM-3`(
    tags: String
  ) throws {
    let map = try DrawnMap(
      """
      e--a--b
            |
            c--d
      """, ways: [("ea", "highway=residential"), ("abc", tags), ("cd", "highway=residential")])
    let network = MatchingNetwork(graph: map.graph, mode: .car)
    func state(_ letters: String) throws -> TravelState {
      TravelState(try map.edge(letters), isAgainst: false)
    }
    let bent = try state("ac")
    let back = try #require(network.reversed(bent))
    #expect(back.isAgainst == tags.hasSuffix("yes"))
    var driving = DrivingCost()
    driving.use(tuning, network)
    var turnGraph = TurnExpandedGraphCache()
    _ = turnGraph.prepare(tuning, network)
    func turnM(_ from: TravelState, _ to: TravelState) -> Double {
      let number = turnGraph.number(of: from, network)
      let kept = turnGraph.turns(from: number, network).lazy
        .filter { turnGraph.roads[Int(turnGraph.turns[$0].road)].state == to }
        .map { turnGraph.costM(ofTurn: $0, from: number, network) }.first
      let turnM = driving.turnM(from: from, to: to, network)
      #expect(kept.map { abs($0 - turnM) < 1e-4 } ?? false)
      return turnM
    }
    // The second round reads the caches.
    for _ in 0..<2 {
      #expect(turnM(try state("ea"), bent) < 0.1)
      #expect(abs(turnM(bent, try state("cd")) - tuning.turnM) < 0.1)
      #expect(abs(turnM(try state("dc"), back) - tuning.turnM) < 0.1)
      #expect(turnM(back, try state("ae")) < 0.1)
    }
  }

  @Test func `a path costs by the speeds of its roads and its turns, near and far, MM-3`() throws {
    let network = try blocks()
    let places = [TinyMap.coordinate(20, 3), TinyMap.coordinate(120, 97)]
    let candidates = places.map {
      network.candidates(near: $0, previous: [], tuning: tuning)
    }
    let fixes = places.enumerated().map {
      Fix(place: $1, time: Instant(seconds: 1_790_000_000 + 10 * Double($0)))
    }
    var motion = MotionConstraints(
      beforeMps: fixes[0].speedMps, afterMps: fixes[1].speedMps, straightM: 137, elapsedS: 10,
      mode: .car,
      sigmasM: 2 * tuning.defaultSigmaM, isSparse: false, tuning: tuning)
    motion.nearM = 290
    var trees = ShortestPathTreeCache()
    trees.use(MatchingModel(network: network, tuning: tuning))
    var search = NetworkSearch()
    var compared = 0
    for source in candidates[0] {
      let near = TreeLookup(
        source, motion: motion, network: network, tuning: tuning, trees: &trees)
      let far = search.reaches(
        from: source, to: candidates[1], fixPlace: places[1], motion: motion, in: network,
        tuning: tuning)
      for (target, reach) in zip(candidates[1], far) {
        if let reach, case .found = reach.way {
          let way = [source.state] + search.states(of: reach)
          // A road on which the vehicle turns back at once is not driven to its end.
          guard way[1] != network.reversed(source.state) else { continue }
          #expect(abs(reach.costM - costM(way, from: source, to: target, network)) < 0.5)
          compared += 1
        }
        if let reach = near.reach(target, tuning: tuning, trees),
          reach.label != nil
        {
          let way = near.path(to: target, tuning: tuning, trees)
          #expect(abs(reach.costM - costM(way, from: source, to: target, network)) < 0.5)
          compared += 1
        }
      }
    }
    #expect(compared > 20)
  }

  @Test func `the immediate place has a smaller error along the road than its fix, MM-8`() throws {
    var (reported, raw) = (0.0, 0.0)
    for seed in 0..<10 as Range<UInt64> {
      let (ours, theirs) = try squaredErrors(seed: seed)
      #expect(ours < theirs, "seed \(seed)")
      reported += ours
      raw += theirs
    }
    #expect(reported < 0.7 * raw)
  }

  @Test func `places with correlated errors are hardly smoothed, MM-8`() throws {
    let map = try road()
    let network = MatchingNetwork(map)
    // The mean distance in metres from the place without smoothing.
    func shiftM(_ change: (inout MatcherTuning) -> Void) throws -> Double {
      var tuning = MatcherTuning()
      change(&tuning)
      var plain = tuning
      plain.advanceGain = 1
      var (sum, count) = (0.0, 0.0)
      for seed in 0..<8 as Range<UInt64> {
        let fixes = try drifting(seed: seed, on: map)
        var matchers = [tuning, plain].map { OnlineMatcher(network: network, tuning: $0) }
        for (reported, raw) in zip(matchers[0].match(all: fixes), matchers[1].match(all: fixes)) {
          let places = (try #require(reported.place).coordinate, try #require(raw.place).coordinate)
          sum += places.0.distanceM(to: places.1)
          count += 1
        }
      }
      return sum / count
    }
    let reported = try shiftM { _ in }
    let alwaysSteadied = try shiftM { ($0.whiteFromM, $0.whiteFullM) = (-1, 0) }
    #expect(reported < 0.5)
    #expect(alwaysSteadied > 1)
  }

  /// A road of 3000 m to the east.
  private func road() throws -> DrawnMap {
    try DrawnMap("a1---------------------------2b", ways: ["ab": ""])
  }

  /// Fixes with errors of 8 m along the road and a correlation of 0.9 from fix to fix.
  private func drifting(seed: UInt64, on map: DrawnMap) throws -> [Fix] {
    var random = SplitMix64(seed: seed)
    var errorM = 0.0
    return try (0..<200).map { index in
      errorM = 0.9 * errorM + 8 * (1 - 0.9 * 0.9).squareRoot() * random.gaussian()
      return Fix(
        place: try map.coordinate("1", eastM: 14 * Double(index) + errorM),
        time: DrawnTrace.start.advanced(bySeconds: Double(index)))
    }
  }

  @Test func `the greater the independent errors, the more the place is smoothed, MM-8`() {
    let tuning = MatcherTuning()
    let gains = stride(from: 0.0, through: 12, by: 0.5).map { tuning.advanceGain(whiteM: $0) }
    #expect(zip(gains, gains.dropFirst()).allSatisfy { $0 >= $1 })
    #expect(gains.first == 1 && gains.last == tuning.advanceGain)
  }

  /// The sums of the squared errors along the road, of immediate places and of their fixes.
  private func squaredErrors(seed: UInt64) throws -> (reported: Double, raw: Double) {
    let map = try road()
    var trace = DrawnTrace(on: map, accuracyM: 12)
    try trace.drive("12", speedMps: 14)
    var matcher = OnlineMatcher(map)
    let matches = matcher.match(all: trace.fixes.withErrors(seed: seed, sigmaM: 8))
    var (reported, raw) = (0.0, 0.0)
    for (match, truth) in zip(matches, trace.fixes) {
      let plane = LocalPlane(origin: truth.place)
      let error = plane.point(try #require(match.place).coordinate).eastM
      let noise = plane.point(match.fix.place).eastM
      reported += error * error
      raw += noise * noise
      // The place is never farther from its fix than the noise and the limits of the filter.
      #expect(abs(error - noise) <= 2 * 8 * 1.5 + 10)
    }
    return (reported, raw)
  }
}
