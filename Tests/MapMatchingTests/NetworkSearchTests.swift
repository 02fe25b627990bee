import DrawnMaps
import Foundations
import Geodesy
import Positioning
import RoadGraph
import Testing

@testable import MapMatching

/// The search for long paths, and its caches.
@Suite struct NetworkSearchTests {
  /// Streets with random speeds and directions.
  private func network(seed: UInt64) throws -> MatchingNetwork {
    var random = SplitMix64(seed: seed)
    var map = TinyMap()
    let side = 6
    let grid = (0..<side * side).map { cell in
      map.node(
        Double(cell % side) * 80 + random.unit() * 30,
        Double(cell / side) * 80 + random.unit() * 30)
    }
    for y in 0..<side {
      for x in 0..<side {
        let here = grid[y * side + x]
        let kmh = UInt8(20 + 110 * random.unit())
        let isOneWay = random.unit() < 0.3
        if x + 1 < side {
          map.road(here, grid[y * side + x + 1], oneWay: isOneWay, speedKmh: kmh)
        }
        if y + 1 < side { map.road(here, grid[(y + 1) * side + x], speedKmh: kmh) }
      }
    }
    return MatchingNetwork(graph: try map.graph(), mode: .car)
  }

  private let tuning = MatcherTuning.wholeTrace

  private func motion(limitM: Double, isSparse: Bool = false) -> MotionConstraints {
    let fixes = [0.0, 60].map {
      Fix(place: TinyMap.coordinate(0, 0), time: Instant(seconds: 1_790_000_000 + $0))
    }
    var motion = MotionConstraints(
      beforeMps: fixes[0].speedMps, afterMps: fixes[1].speedMps, straightM: 400, elapsedS: 60,
      mode: .car,
      sigmasM: 2 * tuning.defaultSigmaM, isSparse: isSparse, tuning: tuning)
    motion.limitM = limitM
    return motion
  }

  /// Nats of the cheapest path from the end of `source` to the start of each state, by relaxing all
  /// turns until nothing changes (Bellman 1958, Ford 1956).
  private func relaxed(
    from source: Candidate, _ price: TransitionCost, _ network: MatchingNetwork
  ) -> [TravelState: Double] {
    var driving = DrivingCost()
    driving.use(tuning, network)
    var costs: [TravelState: Double] = [:]
    func spread(_ state: TravelState, _ cost: Double) -> Bool {
      var hasChanged = false
      network.forEachSuccessor(of: state, tuning: tuning) { next, nats in
        let there =
          cost + nats
          + price.nats(costM: driving.turnM(from: state, to: next, network), lengthM: 0)
        guard there < costs[next] ?? .infinity else { return }
        costs[next] = there
        hasChanged = true
      }
      return hasChanged
    }
    func metres(_ lengthM: Double, of state: TravelState) -> Double {
      price.nats(costM: driving.weight(state, network) * lengthM, lengthM: lengthM)
    }
    let aheadM = network.lengthM(source.state) - source.offsetM
    _ = spread(source.state, metres(aheadM, of: source.state))
    if let back = network.reversed(source.state) {
      let nats =
        tuning.turnBackNats
        + network.wrongWayNats(from: source.state, to: back, tuning: tuning)
      _ = spread(back, metres(source.offsetM, of: source.state) + nats)
    }
    var hasChanged = true
    while hasChanged {
      hasChanged = false
      for (state, cost) in costs
      where spread(state, cost + metres(network.lengthM(state), of: state)) {
        hasChanged = true
      }
    }
    return costs
  }

  private func candidates(_ network: MatchingNetwork, _ random: inout SplitMix64) -> (
    place: Coordinate, all: [Candidate]
  ) {
    let place = TinyMap.coordinate(random.unit() * 430, random.unit() * 430)
    return (place, network.candidates(near: place, previous: [], tuning: tuning))
  }

  @Test
  func `a place that no short path reaches, but its fix indicates, is searched for farther, MM-3`()
    throws
  {
    // Two fast roads are 48 m apart, and connected 140 m after the third fix.
    let fast = "highway=primary maxspeed=80"
    let map = try DrawnMap(
      """
      c-----------------------------d
      a-----------------------------b
      """, ways: ["ab": fast, "ac": fast, "cd": fast], cell: 20, line: 48)
    let trace = try DrawnTrace(
      """
      c------4----------------------d
      a------3---2---1--------------b
      """, on: map, everyS: 12)
    var matcher = OnlineMatcher(map, tuning: tuning)
    let matches = matcher.match(all: trace.fixes)
    #expect(matches.map { map.way($0) } == ["ab", "ab", "ab", "cd"])
    #expect(matches.allSatisfy { ($0.place?.distanceM ?? 99) < 1 })
  }

  @Test(arguments: 0..<12 as Range<UInt64>)
  func `long paths cost as much as the cheapest of all paths`(seed: UInt64) throws {
    let network = try network(seed: seed)
    var driving = DrivingCost()
    driving.use(tuning, network)
    var random = SplitMix64(seed: seed &+ 7)
    var search = NetworkSearch()
    // With sparse sampling a longer path may be cheaper, because its metres cost less than 0.
    let isSparse = seed % 2 == 1
    var compared = 0
    for _ in 0..<4 {
      let (sources, goal) = (candidates(network, &random).all, candidates(network, &random))
      for source in sources {
        let motion = motion(limitM: 1e5, isSparse: isSparse)
        let price = motion.transitionCost
        let truth = relaxed(from: source, price, network)
        let reaches = search.reaches(
          from: source, to: goal.all, fixPlace: goal.place, motion: motion, in: network,
          tuning: tuning)
        for (target, reach) in zip(goal.all, reaches) {
          guard let reach, case .found = reach.way else { continue }
          let nats =
            price.nats(costM: reach.costM, lengthM: reach.lengthM) + reach.penaltyNats
          let last = driving.weight(target.state, network) * target.offsetM
          let expected = try #require(truth[target.state])
          let there = expected + price.nats(costM: last, lengthM: target.offsetM)
          #expect(abs(nats - there) < 1e-6)
          compared += 1
        }
      }
    }
    #expect(compared > 50)
  }

  @Test(arguments: 0..<12 as Range<UInt64>)
  func `what the search keeps changes no result`(seed: UInt64) throws {
    let network = try network(seed: seed)
    var random = SplitMix64(seed: seed &+ 70)
    var kept = NetworkSearch()
    // This one discards its cache nearly each time.
    var short = NetworkSearch(turnGraph: TurnExpandedGraphCache(greatestCount: 100))
    var slow = tuning
    slow.turnM = 10
    for round in 0..<8 {
      let numbers = round % 3 == 2 ? slow : tuning
      let (sources, goal) = (candidates(network, &random).all, candidates(network, &random))
      for source in sources {
        let motion = motion(limitM: 300 + 1500 * random.unit())
        var fresh = NetworkSearch()
        func reported(_ search: inout NetworkSearch) -> [String] {
          search.reaches(
            from: source, to: goal.all, fixPlace: goal.place, motion: motion, in: network,
            tuning: numbers
          ).map { reach in
            guard let reach else { return "none" }
            return
              "\(reach.lengthM) \(reach.penaltyNats) \(reach.costM) \(search.states(of: reach))"
          }
        }
        let expected = reported(&fresh)
        #expect(reported(&kept) == expected)
        #expect(reported(&short) == expected)
      }
    }
  }

  @Test func `the queue returns the cheapest entry first, and of equal ones the smaller number`() {
    var random = SplitMix64(seed: 5)
    var heap = CostHeap()
    for round in 0..<20 {
      var open: [(cost: Double, number: Int)] = []
      for number in 0..<(10 + 30 * round) {
        let cost = (random.unit() * 200).rounded() / 2
        heap.push(cost: cost, number: number)
        open.append((cost, number))
        guard random.unit() < 0.4 else { continue }
        open.sort { $0 < $1 }
        #expect(heap.pop() == open.removeFirst().number)
      }
      if round % 2 == 0 {
        for one in open.sorted(by: { $0 < $1 }) { #expect(heap.pop() == one.number) }
        #expect(heap.pop() == nil)
      }
      heap.clear()
    }
  }

  @Test(arguments: 0..<12 as Range<UInt64>)
  func `pruning by dominance changes no path`(seed: UInt64) throws {
    let network = try network(seed: seed)
    var random = SplitMix64(seed: seed &+ 700)
    let fixes = (0..<12).map { index in
      Fix(
        place: TinyMap.coordinate(random.unit() * 430, random.unit() * 430),
        time: Instant(seconds: 1_790_000_000 + 40 * Double(index)))
    }
    var thorough = tuning
    thorough.dominanceNats = .infinity
    let (quick, all) = (
      network.match(trace: fixes, tuning: tuning), network.match(trace: fixes, tuning: thorough)
    )
    #expect(quick.path == all.path)
    for (one, other) in zip(quick.matches, all.matches) {
      let (a, b) = (try #require(one.place), try #require(other.place))
      #expect(abs(a.probability - b.probability) < 0.005)
    }
  }
}
