import Foundations
import Geodesy
import Positioning
import RoadGraph
import Testing

@testable import MapMatching

/// The caches of roads: each entry is computed once while there is room.
@Suite struct RoadCacheTests {
  @Test(arguments: 0..<4 as Range<UInt64>)
  func `the table numbers keys as a dictionary does`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    // Keys of neighbouring roads, of distant grid cells, and random ones.
    var keys: [UInt64] = []
    for number in 0..<3_000 as Range<UInt64> {
      let any = random.next() >> (64 - KeyIndexTable.keyBits)
      keys += [number, number << 24, number << 4, any, any % 500]
    }
    var numbers = KeyIndexTable()
    for _ in 0..<2 {
      var known: [UInt64: Int] = [:]
      for key in keys + keys {
        let isNew = known[key] == nil
        let expected = known[key] ?? known.count
        known[key] = expected
        let reported = numbers.number(of: key)
        #expect(reported.number == expected && reported.isNew == isNew)
      }
      #expect(numbers.count == known.count)
      numbers.removeAll()
      #expect(numbers.count == 0)
    }
  }

  /// Streets of a town, 50 m apart.
  private func town() throws -> MatchingNetwork {
    var map = TinyMap()
    let side = 36
    let grid = (0..<side * side).map { map.node(50 * Double($0 % side), 50 * Double($0 / side)) }
    for number in grid.indices {
      if number % side < side - 1 { map.road(grid[number], grid[number + 1]) }
      if number + side < grid.count { map.road(grid[number], grid[number + side]) }
    }
    return MatchingNetwork(graph: try map.graph(), mode: .car)
  }

  @Test func `paths from a street are searched once, MM-3`() throws {
    let network = try town()
    let states = (0..<network.graph.edgeCount).map { TravelState(EdgeID($0), isAgainst: false) }
    #expect(states.count > 5_000)
    var trees = ShortestPathTreeCache()
    trees.use(MatchingModel(network: network, tuning: MatcherTuning()))
    for state in states { _ = trees.tree(of: state, reachM: 40, network: network) }
    let grown = trees.labels.count
    #expect(grown > 5 * states.count)
    for state in states.reversed() { _ = trees.tree(of: state, reachM: 40, network: network) }
    #expect(trees.labels.count == grown)
    // A faster vehicle needs longer paths than those in the cache.
    _ = trees.tree(of: states[0], reachM: 200, network: network)
    #expect(trees.labels.count > grown)
  }

  @Test func `grid cells are filled once, MM-1`() throws {
    let network = try town()
    var cells = GridCellCache()
    let model = MatchingModel(network: network, tuning: MatcherTuning())
    func drive() {
      for north in stride(from: 0.0, through: 1_700, by: 60) {
        for east in stride(from: 0.0, through: 1_700, by: 60) {
          _ = cells.candidates(near: TinyMap.coordinate(east, north), by: model)
        }
      }
    }
    drive()
    let filled = cells.nearby.count
    #expect(filled > network.graph.pieceCount)
    drive()
    #expect(cells.nearby.count == filled)
  }

  @Test func `a grid cell that was filled for a small radius works for a larger one, MM-1`() throws
  {
    let network = try town()
    func candidates(_ cells: inout GridCellCache, radiusM: Double) -> [Candidate] {
      var tuning = MatcherTuning()
      tuning.radiusM = radiusM
      let model = MatchingModel(network: network, tuning: tuning)
      return [TinyMap.coordinate(625, 625), TinyMap.coordinate(700, 700)].flatMap {
        cells.candidates(near: $0, by: model)
      }
    }
    var kept = GridCellCache()
    var fresh = GridCellCache()
    #expect(candidates(&kept, radiusM: 5).isEmpty == false)
    #expect(candidates(&kept, radiusM: 150) == candidates(&fresh, radiusM: 150))
  }

  @Test func `matchers with other path parameters do not change what the caches contain, MM-8`()
    throws
  {
    var drive = Drive(seed: 4, sigmaM: 5, hasSpeed: false)
    drive.along([(0, 0), (800, 0), (800, 900), (1_700, 900)], speedMps: 12)
    let tunings = [MatcherTuning(), MatcherTuning().forConvergence]
    func known(_ network: MatchingNetwork) -> [Int] {
      tunings.map { network.scratchPools.pool(for: $0).lend { $0.trees.labels.count } }
    }
    func match(_ tunings: [MatcherTuning], in network: MatchingNetwork) {
      var matchers = tunings.map { OnlineMatcher(network: network, tuning: $0) }
      for fix in drive.fixes {
        for index in matchers.indices { _ = matchers[index].match(fix) }
      }
    }
    let alone = try tunings.indices.map { index in
      let network = try town()
      match([tunings[index]], in: network)
      return known(network)[index]
    }
    #expect(alone.allSatisfy { $0 > 500 })
    let shared = try town()
    match(tunings, in: shared)
    #expect(known(shared) == alone)
    // A whole trace uses the path parameters of convergence.
    _ = shared.match(trace: drive.fixes)
    #expect(known(shared)[0] == alone[0] && known(shared)[1] >= alone[1])
  }

  @Test func `matchers with the same path parameters share one pool, and pools are bounded, MM-8`()
    throws
  {
    let pools = try town().scratchPools
    let first = pools.pool(for: MatcherTuning())
    var alike = MatcherTuning()
    alike.defaultSigmaM = 7
    alike.lagFixes = 20
    #expect(pools.pool(for: alike) === first)
    func others(_ radii: ClosedRange<Int>) {
      for radius in radii {
        var other = MatcherTuning()
        other.radiusM = Double(radius)
        #expect(pools.pool(for: other) !== first)
      }
    }
    others(10...12)
    #expect(pools.pool(for: MatcherTuning()) === first)
    others(20...23)
    #expect(pools.pool(for: MatcherTuning()) !== first)
  }
}

extension GridCellCache {
  /// The candidates near a place without a previous fix.
  mutating func candidates(near place: Coordinate, by model: MatchingModel) -> [Candidate] {
    find(near: place, previous: UnsafeBufferPointer(start: nil, count: 0), route: [], by: model)
    return found.withElements { Array($0) }
  }
}
