import EventTime
import Geodesy
import Positioning
import RoadGraph
import Testing

@testable import MapMatching

/// The search for far ways, and what it keeps for the next one.
@Suite struct NetworkSearchTests {
  /// Streets with speeds and directions of their own, drawn from a seed.
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

  /// Nats of the cheapest way from the end of `source` to the start of each state, by relaxing all turns until nothing
  /// changes (Bellman 1958, Ford 1956).
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
  func `where a fix speaks for a place that no near way leads to, far ways are searched, MM-3`()
    throws
  {
    // Two fast roads 48 m apart that meet 140 m ahead of where the vehicle was seen on the first of them.
    var map = TinyMap()
    let (end, other) = (map.node(0, 0), map.node(0, 48))
    map.road(end, map.node(600, 0), speedKmh: 72)
    map.road(end, other, speedKmh: 72)
    map.road(other, map.node(600, 48), speedKmh: 72)
    let network = MatchingNetwork(graph: try map.graph(), mode: .car)
    var matcher = OnlineMatcher(network: network, tuning: tuning)
    var places: [Coordinate] = []
    for (number, (eastM, northM)) in [(300.0, 0.0), (220, 0), (140, 0), (140, 48)].enumerated() {
      let fix = Fix(
        place: TinyMap.coordinate(eastM, northM),
        time: Instant(seconds: 1_790_000_000 + 12 * Double(number)))
      places.append(try #require(matcher.match(fix).match.place).coordinate)
    }
    #expect(TinyMap.plane.point(places[2]).northM < 1)
    #expect(abs(TinyMap.plane.point(places[3]).northM - 48) < 1)
  }

  @Test(arguments: 0..<12 as Range<UInt64>)
  func `far ways cost what the cheapest of all ways does`(seed: UInt64) throws {
    let network = try network(seed: seed)
    var driving = DrivingCost()
    driving.use(tuning, network)
    var random = SplitMix64(seed: seed &+ 7)
    var search = NetworkSearch()
    // Of a pace a longer way may be worth its lower cost: its metres take less than nothing.
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
  func `what is kept from search to search changes no answer`(seed: UInt64) throws {
    let network = try network(seed: seed)
    var random = SplitMix64(seed: seed &+ 70)
    var kept = NetworkSearch()
    // Forgets nearly each time.
    var short = NetworkSearch(web: TurnExpandedGraphCache(greatestCount: 100))
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

  @Test func `the queue gives the cheapest first, of equals the smaller number`() {
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
  func `what is outdone and not searched for changes no way`(seed: UInt64) throws {
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
