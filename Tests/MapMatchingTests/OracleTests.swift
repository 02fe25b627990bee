import Foundation
import Foundations
import Geodesy
import Positioning
import RoadGraph
import Testing

@testable import MapMatching

/// The matcher, compared with slow and simple computations of the same numbers.
@Suite struct OracleTests {
  /// A few crossing streets at random places, some of them one-way.
  private func map(seed: UInt64) throws -> RoadGraph {
    var random = SplitMix64(seed: seed)
    var map = TinyMap()
    let grid = (0..<9).map { cell in
      map.node(
        Double(cell % 3) * 60 + random.unit() * 25, Double(cell / 3) * 60 + random.unit() * 25)
    }
    for y in 0..<3 {
      for x in 0..<3 {
        if x < 2 { map.road(grid[y * 3 + x], grid[y * 3 + x + 1], oneWay: random.unit() < 0.4) }
        if y < 2 { map.road(grid[y * 3 + x], grid[y * 3 + x + 3], oneWay: random.unit() < 0.4) }
      }
    }
    return try map.graph()
  }

  private func fixes(seed: UInt64, count: Int) -> [Fix] {
    var random = SplitMix64(seed: seed &+ 99)
    return (0..<count).map { index in
      Fix(
        place: TinyMap.coordinate(
          30 + 18 * Double(index) + 8 * random.gaussian(), 60 + 12 * random.gaussian()),
        time: Instant(seconds: 1_790_000_000 + 2 * Double(index)))
    }
  }

  private var tuning: MatcherTuning {
    var tuning = MatcherTuning()
    tuning.candidateLimit = 5
    tuning.pruneNats = .infinity
    // Lengths only, which a simple search can check.
    tuning.speedExponent = 0
    tuning.turnM = 0
    return tuning
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `the likeliest path is that of an enumeration of all sequences`(seed: UInt64) throws {
    let network = MatchingNetwork(graph: try map(seed: seed), mode: .car)
    var trellis = Trellis(network: network, tuning: tuning)
    for fix in fixes(seed: seed, count: 4) {
      trellis.extend(with: fix, at: try #require(fix.time), elapsedS: 2, route: [])
    }
    let steps = trellis.steps
    var best = -Double.infinity
    var all: [Double] = []
    // The sequences through each state of each step.
    var through = steps.map { Array(repeating: [Double](), count: $0.candidateCount + 1) }
    var bestStates: [Int] = []
    func visit(_ states: [Int], _ log: Double) {
      guard states.count < steps.count else {
        all.append(log)
        for (step, state) in states.enumerated() { through[step][state].append(log) }
        if log > best { (best, bestStates) = (log, states) }
        return
      }
      for (state, here) in steps.states(at: states.count).enumerated() {
        let last = states.last.map {
          LogMath.log(steps.likelihood(from: $0, to: state, at: states.count, above: 0))
        }
        visit(
          states + [state],
          log + (last ?? 0) + (last == nil ? LogMath.log(here.forward) : here.emission))
      }
    }
    visit([], 0)
    let decoded = trellis.decoded(trellis.steps.count)
    #expect(decoded.map(\.state) == bestStates)
    for (known, logs) in zip(decoded, through) {
      func probability(_ state: Int) -> Double {
        LogMath.exp(LogMath.sum(logs[state]) - LogMath.sum(all))
      }
      #expect(abs(known.probability - probability(known.state)) < 1e-9)
      #expect(abs(known.offRoad - probability(logs.count - 1)) < 1e-9)
    }
    #expect(abs(trellis.pathShareLog - (best - LogMath.sum(all))) < 1e-9)
  }

  /// All distances by relaxing every pair of states until nothing changes (Bellman 1958, Ford
  /// 1956).
  private func relaxed(
    from source: Candidate, metersPerNat: Double, _ network: MatchingNetwork,
    _ tuning: MatcherTuning
  ) -> [TravelState: (lengthM: Double, nats: Double)] {
    var found: [TravelState: (lengthM: Double, nats: Double)] = [:]
    func cost(_ value: (lengthM: Double, nats: Double)) -> Double {
      value.lengthM + value.nats * metersPerNat
    }
    func offer(_ state: TravelState, _ value: (lengthM: Double, nats: Double)) -> Bool {
      if let known = found[state], cost(known) <= cost(value) { return false }
      found[state] = value
      return true
    }
    func spread(_ state: TravelState, lengthM: Double, nats: Double) -> Bool {
      var changed = false
      network.forEachSuccessor(of: state, tuning: tuning) { next, extra in
        if offer(next, (lengthM, nats + extra)) { changed = true }
      }
      return changed
    }
    let length = network.lengthM(source.state)
    _ = spread(source.state, lengthM: length - source.offsetM, nats: 0)
    if let back = network.reversed(source.state) {
      _ = spread(
        back, lengthM: source.offsetM,
        nats: tuning.turnBackNats
          + network.wrongWayNats(from: source.state, to: back, tuning: tuning))
    }
    var changed = true
    while changed {
      changed = false
      for (state, value) in found {
        let atEnd = value.lengthM + network.lengthM(state)
        if spread(state, lengthM: atEnd, nats: value.nats) { changed = true }
      }
    }
    return found
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `the bounded search finds the distances of a search without bounds`(seed: UInt64) throws {
    let network = MatchingNetwork(graph: try map(seed: seed), mode: .car)
    let pair = fixes(seed: seed, count: 2)
    var motion = MotionConstraints(
      beforeMps: pair[0].speedMps, afterMps: pair[1].speedMps, straightM: 20, elapsedS: 2,
      mode: .car,
      sigmasM: 2 * tuning.defaultSigmaM, isSparse: false, tuning: tuning)
    motion.limitM = 700
    let sources = network.candidates(near: pair[0].place, previous: [], tuning: MatcherTuning())
    let targets = network.candidates(near: pair[1].place, previous: [], tuning: MatcherTuning())
    var search = NetworkSearch()
    for source in sources {
      // If the driving cost is the length, one nat equals `betaM` metres.
      let truth = relaxed(from: source, metersPerNat: motion.betaM, network, tuning)
      let reaches = search.reaches(
        from: source, to: targets, fixPlace: pair[1].place, motion: motion, in: network,
        tuning: tuning)
      for (target, reach) in zip(targets, reaches) where target.state != source.state {
        guard let far = truth[target.state], far.lengthM + target.offsetM <= motion.limitM
        else { continue }
        let found = try #require(reach)
        let expected = far.lengthM + target.offsetM + far.nats * motion.betaM
        let cost = abs(found.lengthM) + found.penaltyNats * motion.betaM
        // The simple search does not have a turn on the spot, or noise to the rear.
        #expect(cost <= expected + 1e-6)
        if !found.isBackward, target.state != network.reversed(source.state) {
          #expect(abs(cost - expected) < 1e-6)
        }
      }
    }
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `paths in the tree cache are those of a search without bounds, MM-3`(seed: UInt64) throws {
    let network = MatchingNetwork(graph: try map(seed: seed), mode: .car)
    let pair = fixes(seed: seed, count: 2)
    let sources = network.candidates(near: pair[0].place, previous: [], tuning: MatcherTuning())
    let targets = network.candidates(near: pair[1].place, previous: [], tuning: MatcherTuning())
    var kept = ShortestPathTreeCache()
    kept.use(MatchingModel(network: network, tuning: tuning))
    // This one discards all its trees at every other one.
    var forgetful = ShortestPathTreeCache(greatestCount: 10)
    forgetful.use(MatchingModel(network: network, tuning: tuning))
    var numbers = CandidateLookup()
    var compared = 0
    for nearM in [90.0, 290, 150] {
      var motion = MotionConstraints(
        beforeMps: pair[0].speedMps, afterMps: pair[1].speedMps, straightM: 20, elapsedS: 2,
        mode: .car,
        sigmasM: 2 * tuning.defaultSigmaM, isSparse: false, tuning: tuning)
      motion.limitM = 700
      motion.nearM = nearM
      for source in sources {
        let truth = relaxed(
          from: source, metersPerNat: tuning.metersPerNat, network, tuning)
        let near = TreeLookup(
          source, motion: motion, network: network, tuning: tuning, trees: &kept)
        var fresh = ShortestPathTreeCache()
        fresh.use(MatchingModel(network: network, tuning: tuning))
        let anew = TreeLookup(
          source, motion: motion, network: network, tuning: tuning, trees: &fresh)
        let other = TreeLookup(
          source, motion: motion, network: network, tuning: tuning, trees: &forgetful)
        var together: [Int: TreeLookup.RoutedTransition] = [:]
        targets.withUnsafeBufferPointer { targets in
          numbers.insert(targets)
          near.forEachReach(to: targets, numbers, tuning: tuning, kept) { number, reach in
            #expect(together.updateValue(reach, forKey: number) == nil)
          }
        }
        for (number, target) in targets.enumerated() {
          let (alone, found) = (near.reach(target, tuning: tuning, kept), together[number])
          #expect(alone?.lengthM == found?.lengthM && alone?.costM == found?.costM)
          #expect(alone?.penaltyNats == found?.penaltyNats)
        }
        for target in targets where target.state != source.state {
          let reach = near.reach(target, tuning: tuning, kept)
          let again = anew.reach(target, tuning: tuning, fresh)
          #expect(reach?.lengthM == again?.lengthM && reach?.penaltyNats == again?.penaltyNats)
          let forgotten = other.reach(target, tuning: tuning, forgetful)
          #expect(reach?.lengthM == forgotten?.lengthM && reach?.costM == forgotten?.costM)
          // No near path is missing, except a turn on the spot, with which only the simple search
          // starts.
          if let far = truth[target.state], far.nats < tuning.turnBackNats,
            far.lengthM + far.nats * tuning.metersPerNat < nearM - 1e-6
          {
            #expect(reach != nil)
          }
          guard let reach, reach.label != nil, let far = truth[target.state] else { continue }
          let cost = reach.lengthM + reach.penaltyNats * tuning.metersPerNat
          let least = far.lengthM + target.offsetM + far.nats * tuning.metersPerNat
          // A turn on the spot, with which the simple search starts, may be cheaper.
          #expect(cost >= least - 1e-6)
          if far.nats < tuning.turnBackNats { #expect(abs(cost - least) < 1e-6) }
          let path = near.path(to: target, tuning: tuning, kept)
          #expect(path.first == source.state && path.last == target.state)
          compared += 1
        }
      }
    }
    #expect(compared > 0)
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `the backward pass equals a sum over every pair of states`(seed: UInt64) throws {
    let network = MatchingNetwork(graph: try map(seed: seed), mode: .car)
    var tuning = MatcherTuning()
    // Off-network transitions are cheap here, so that they count as much as paths.
    (tuning.offGridNats, tuning.leaveRoadNats, tuning.wrongWayNats) = (2, 2, 3)
    var trellis = Trellis(network: network, tuning: tuning)
    for fix in fixes(seed: seed, count: 6) {
      trellis.extend(with: fix, at: try #require(fix.time), elapsedS: 2, route: [])
    }
    let least = LogMath.exp(-tuning.pruneNats)
    var later: [Double] = []
    var pairs = 0
    trellis.passBack { index, step, pass in
      let states = step.states
      if index + 1 < trellis.steps.count {
        let next = trellis.steps.states(at: index + 1)
        // The sum over all next states.
        var sums = states.indices.map { from in
          next.indices.reduce(0) { sum, state in
            pairs += 1
            return sum
              + trellis.steps.likelihood(from: from, to: state, at: index + 1, above: least)
              * next[state].likelihood * later[state]
          }
        }
        let top = sums.max() ?? 0
        for from in sums.indices { sums[from] /= top }
        for (sum, known) in zip(sums, pass.likelihoods) {
          #expect(abs(sum - known) < 1e-12)
        }
      }
      later = Array(pass.likelihoods.prefix(states.count))
    }
    #expect(pairs > 100)
  }

  @Test func `the exponential function is that of the library`() {
    for step in 0..<70_000 {
      let x = -Double(step) / 100
      #expect(abs(LogMath.exp(x) / Foundation.exp(x) - 1) < 1e-12)
    }
  }

  @Test(arguments: 0..<10 as Range<UInt64>)
  func `the same fixes give the same answers`(seed: UInt64) throws {
    let network = MatchingNetwork(graph: try map(seed: seed), mode: .car)
    let fixes = fixes(seed: seed, count: 12)
    let runs = (0..<2).map { _ in
      var matcher = OnlineMatcher(network: network)
      return fixes.map { matcher.match($0).match }
    }
    #expect(runs[0] == runs[1])
  }
}
