import DrawnMaps
import EventTime
import Foundation
import Geodesy
import Positioning
import RoadGraph
import Testing

@testable import MapMatching

/// What the matcher knows of how people drive.
@Suite struct DrivingModelTests {
  @Test func `a minute apart the fast road is taken, not the shortest, MM-3`() throws {
    var map = TinyMap()
    let ends = [map.node(-400, 0), map.node(0, 0), map.node(1000, 0), map.node(1400, 0)]
    let (near, far) = (map.node(100, -100), map.node(900, -100))
    map.road(ends[0], ends[1], speedKmh: 50)
    map.road(ends[1], ends[2], speedKmh: 15)
    map.road(ends[1], near, speedKmh: 90)
    map.road(near, far, speedKmh: 90)
    map.road(far, ends[2], speedKmh: 90)
    map.road(ends[2], ends[3], speedKmh: 50)
    let network = MatchingNetwork(graph: try map.graph(), mode: .car)
    let fixes = [(-300.0, 0.0), (1300.0, 60.0)].map { eastM, second in
      Fix(
        place: TinyMap.coordinate(eastM, 0), time: Instant(seconds: 1_790_000_000 + second),
        accuracyM: 5)
    }
    func ways(_ tuning: MatcherTuning) -> [Int64] {
      network.match(trace: fixes, tuning: tuning).path.map { network.reference($0).way - 100 }
    }
    #expect(ways(.wholeTrace) == [0, 2, 3, 4, 5])
    var shortest = MatcherTuning.wholeTrace
    shortest.speedExponent = 0
    shortest.turnM = 0
    #expect(ways(shortest) == [0, 1, 5])
  }

  /// A motorway with a slower road beside it, 24 m to its north, from 0 to 2,000 m.
  private func collector() throws -> MatchingNetwork {
    var map = TinyMap()
    let main = [-600.0, 0, 2000, 2600].map { map.node($0, 0) }
    map.line(main, oneWay: true, speedKmh: 100)
    map.line(
      [main[1], map.node(100, 24), map.node(1900, 24), main[2]], oneWay: true, speedKmh: 50)
    return MatchingNetwork(graph: try map.graph(), mode: .car)
  }

  @Test(arguments: [2.0, 5, 10])
  func `fixes between a fast road and a slow one beside it are on the fast one, MM-3`(
    intervalS: Double
  ) throws {
    let network = try collector()
    func ways(northM: Double, _ tuning: MatcherTuning) -> [Int64] {
      let fixes = stride(from: 0, through: 120, by: intervalS).map { second in
        Fix(
          place: TinyMap.coordinate(-500 + 25 * second, northM),
          time: Instant(seconds: 1_790_000_000 + second))
      }
      return network.match(trace: fixes, tuning: tuning).path.map {
        network.reference($0).way - 100
      }
    }
    #expect(ways(northM: 12.2, .wholeTrace) == [0, 1, 2])
    // What the fixes say clearly stands against it.
    #expect(ways(northM: 24, .wholeTrace) == [0, 3, 4, 5, 2])
    var shortest = MatcherTuning.wholeTrace
    shortest.drivingNatsPerM = 0
    #expect(ways(northM: 12.2, shortest) == [0, 3, 4, 5, 2])
  }

  @Test func `fixes far apart in time tell more of their places, within bounds, MM-3`() {
    let tuning = MatcherTuning()
    let fix = Fix(place: TinyMap.coordinate(0, 0), time: Instant(seconds: 1_790_000_000))
    func weight(_ elapsedS: Double?, by other: MatcherTuning? = nil) -> Double {
      Emission(fix: fix, elapsedS: elapsedS, tuning: other ?? tuning).distanceWeight
    }
    #expect(weight(nil) == 1 && weight(1) == 1 && abs(weight(0.5) - 0.5) < 1e-12)
    let weights = [1.0, 2, 5, 10, 60].map { weight($0) }
    #expect(zip(weights, weights.dropFirst()).allSatisfy { $0 < $1 || $1 - $0 < 1e-3 })
    #expect(weights[1] > 1.2 && weights[2] > 1.5)
    // Errors that have nothing in common are the most that there can be.
    #expect(abs(weights[4] - tuning.greatestNews) < 1e-5)
    // The first fix has none in common with one before, which counts where what comes later is known.
    #expect(weight(nil, by: .wholeTrace) == tuning.greatestNews)
    #expect(weight(1, by: .wholeTrace) == 1)
  }

  /// Streets of three speeds round four blocks.
  private func blocks() throws -> MatchingNetwork {
    var map = TinyMap()
    let grid = (0..<9).map { map.node(Double($0 % 3) * 70, Double($0 / 3) * 50) }
    for cell in 0..<9 {
      if cell % 3 < 2 { map.road(grid[cell], grid[cell + 1], speedKmh: [20, 50, 90][cell / 3]) }
      if cell < 6 { map.road(grid[cell], grid[cell + 3], speedKmh: [90, 20, 50][cell % 3]) }
    }
    return MatchingNetwork(graph: try map.graph(), mode: .car)
  }

  /// What a way costs a driver, by the rule and nothing kept.
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
    var web = TurnExpandedGraphCache()
    _ = web.begin(tuning, network)
    func turnM(_ from: TravelState, _ to: TravelState) -> Double {
      let number = web.number(of: from, network)
      let kept = web.turns(from: number, network).lazy
        .filter { web.roads[Int(web.turns[$0].road)].state == to }
        .map { web.costM(ofTurn: $0, from: number, network) }.first
      let turnM = driving.turnM(from: from, to: to, network)
      #expect(kept.map { abs($0 - turnM) < 1e-4 } ?? false)
      return turnM
    }
    // Each twice: what is kept is what was found.
    for _ in 0..<2 {
      #expect(turnM(try state("ea"), bent) < 0.1)
      #expect(abs(turnM(bent, try state("cd")) - tuning.turnM) < 0.1)
      #expect(abs(turnM(try state("dc"), back) - tuning.turnM) < 0.1)
      #expect(turnM(back, try state("ae")) < 0.1)
    }
  }

  @Test func `a way costs by its roads' speeds and its turns, near and far, MM-3`() throws {
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
          // What is turned back on the spot is not driven to its end.
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

  @Test func `the place reported at once errs less along the road than its fix, MM-8`() throws {
    var (reported, raw) = (0.0, 0.0)
    for seed in 0..<10 as Range<UInt64> {
      let (ours, theirs) = try squaredErrors(seed: seed)
      #expect(ours < theirs, "seed \(seed)")
      reported += ours
      raw += theirs
    }
    #expect(reported < 0.7 * raw)
  }

  @Test func `errors that go together are reported nearly as they come, MM-8`() throws {
    var map = TinyMap()
    map.line([map.node(0, 0), map.node(3000, 0)])
    let network = MatchingNetwork(graph: try map.graph(), mode: .car)
    // Metres in the mean between what is told and what would be if all of each fix were believed.
    func shiftM(_ change: (inout MatcherTuning) -> Void) throws -> Double {
      var tuning = MatcherTuning()
      change(&tuning)
      var plain = tuning
      plain.advanceGain = 1
      var (sum, count) = (0.0, 0.0)
      for seed in 0..<8 as Range<UInt64> {
        let fixes = drifting(seed: seed)
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

  // With an error of first order, 0.9 from fix to fix and 8 m.
  private func drifting(seed: UInt64) -> [Fix] {
    var random = SplitMix64(seed: seed)
    var errorM = 0.0
    return (0..<200).map { index in
      errorM = 0.9 * errorM + 8 * (1 - 0.9 * 0.9).squareRoot() * random.gaussian()
      return Fix(
        place: TinyMap.coordinate(100 + 14 * Double(index) + errorM, 0),
        time: Instant(seconds: 1_790_000_000 + Double(index)))
    }
  }

  @Test func `the more fixes err each on its own, the less of each is believed at once, MM-8`() {
    let tuning = MatcherTuning()
    let gains = stride(from: 0.0, through: 12, by: 0.5).map { tuning.advanceGain(whiteM: $0) }
    #expect(zip(gains, gains.dropFirst()).allSatisfy { $0 >= $1 })
    #expect(gains.first == 1 && gains.last == tuning.advanceGain)
  }

  // Sums along the road, of places told and of their fixes.
  private func squaredErrors(seed: UInt64) throws -> (reported: Double, raw: Double) {
    var map = TinyMap()
    map.line([map.node(0, 0), map.node(3000, 0)])
    var matcher = OnlineMatcher(network: MatchingNetwork(graph: try map.graph(), mode: .car))
    var drive = Drive(seed: seed, sigmaM: 8, hasSpeed: false)
    drive.along([(100, 0), (2900, 0)], speedMps: 14)
    var (reported, raw) = (0.0, 0.0)
    for (index, match) in matcher.match(all: drive.fixes).enumerated() {
      let truthM = 100 + 14 * Double(index)
      let place = try #require(match.place)
      let error = TinyMap.plane.point(place.coordinate).eastM - truthM
      let noise = TinyMap.plane.point(match.fix.place).eastM - truthM
      reported += error * error
      raw += noise * noise
      // Never farther from where the fix puts it than the noise, but for what holds it back.
      #expect(abs(error - noise) <= 2 * 8 * 1.5 + 10)
    }
    return (reported, raw)
  }
}
