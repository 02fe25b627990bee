import Foundations
import Geodesy
import Positioning
import RoadGraph
import Testing

@testable import MapMatching

/// The roads near a place, as the grid cells store them.
@Suite struct GridCellCacheTests {
  /// Roads of all lengths and directions, some one-way, over 6 km: several regions of decoded roads.
  private func network(seed: UInt64) throws -> MatchingNetwork {
    var random = SplitMix64(seed: seed)
    func drawn(_ width: Double) -> Double { width * (random.unit() - 0.5) }
    var map = TinyMap()
    for number in 0..<1_500 {
      let (eastM, northM) = (drawn(6_000), drawn(6_000))
      let reachM = number % 10 == 0 ? 3_000.0 : 300
      let ends = [
        map.node(eastM, northM), map.node(eastM + drawn(reachM), northM + drawn(reachM)),
      ]
      map.road(ends[0], ends[1], oneWay: number % 3 == 0)
    }
    return MatchingNetwork(graph: try map.graph(), mode: .car)
  }

  private func drives(seed: UInt64) -> [Coordinate] {
    var random = SplitMix64(seed: seed &+ 7)
    return (0..<12).flatMap { _ in
      let (eastM, northM) = (5_000 * (random.unit() - 0.5), 5_000 * (random.unit() - 0.5))
      return (0..<25).map { TinyMap.coordinate(eastM + 17 * Double($0), northM + 9 * Double($0)) }
    }
  }

  private func candidates(
    _ cells: inout GridCellCache, near place: Coordinate, _ network: MatchingNetwork
  ) -> [Candidate] {
    var tuning = MatcherTuning()
    tuning.candidateLimit = .max
    return cells.candidates(
      near: place, by: MatchingModel(network: network, tuning: tuning))
  }

  @Test(arguments: 0..<4 as Range<UInt64>)
  func `roads near a place are those of a search through all roads, MM-1`(seed: UInt64) throws {
    let network = try network(seed: seed)
    var cells = GridCellCache()
    var compared = 0
    for place in drives(seed: seed) {
      let plane = LocalPlane(origin: place)
      let found = Dictionary(
        uniqueKeysWithValues: candidates(&cells, near: place, network).map { ($0.state, $0) })
      for edge in (0..<network.graph.edgeCount).map({ EdgeID($0) }) {
        let near = try #require(network.graph.nearestPoint(on: edge, plane: plane))
        let known = found[TravelState(edge, isAgainst: false)]
        guard near.distanceM < 49.9 else {
          #expect(known == nil || near.distanceM < 50.1)
          continue
        }
        // At the start of a road, the vehicle is on the road that ends there.
        guard let known else {
          #expect(near.position.offsetM < 1.5)
          continue
        }
        compared += 1
        #expect(abs(known.distanceM - near.distanceM) < 0.02)
        #expect(abs(known.offsetM - near.position.offsetM) < 0.5)
        #expect(Angle.differenceDeg(known.bearingDeg, near.bearingDeg) < 0.1)
        if network.isOneWay(edge) {
          let against = try #require(found[TravelState(edge, isAgainst: true)])
          #expect(Angle.differenceDeg(against.bearingDeg, near.bearingDeg) > 179.9)
        }
      }
    }
    #expect(compared > 300)
  }

  @Test func `a road across the antimeridian is found from both of its ends, MM-1`() throws {
    let meridianM = (180 - TinyMap.plane.origin.longitudeDeg) * TinyMap.plane.metersPerDegreeEast
    var map = TinyMap()
    map.road(map.node(meridianM - 400, 0), map.node(meridianM + 400, 0))
    let network = MatchingNetwork(graph: try map.graph(), mode: .car)
    var cells = GridCellCache()
    for (eastM, offsetM) in [(-430.0, 0.0), (430, 800)] {
      let found = candidates(&cells, near: TinyMap.coordinate(meridianM + eastM, 0), network)
      #expect(found.count == 2)
      #expect(found.allSatisfy { abs($0.distanceM - 30) < 0.1 })
      let along = try #require(found.first { $0.directed.start == NodeID(0) })
      #expect(abs(along.offsetM - offsetM) < 0.5)
    }
  }

  @Test func `roads that a full cache discarded are found again`() throws {
    let network = try network(seed: 9)
    var kept = GridCellCache()
    var forgetful = GridCellCache(geometry: EdgeGeometryCache(greatestCount: 40))
    for place in drives(seed: 9) + drives(seed: 9) {
      #expect(
        candidates(&forgetful, near: place, network) == candidates(&kept, near: place, network))
    }
  }

  @Test func `roads that no vehicle may use are discarded as well`() throws {
    var map = TinyMap()
    for number in 0..<100 {
      let eastM = 20 * Double(number)
      map.road(map.node(eastM, 0), map.node(eastM, 50), modes: [.pedestrian])
    }
    let network = MatchingNetwork(graph: try map.graph(), mode: .car)
    var geometry = EdgeGeometryCache(greatestCount: 40)
    let plane = LocalPlane(origin: TinyMap.coordinate(0, 0))
    for number in 0..<41 { _ = geometry.piece(number, region: 0, plane, network) }
    let blockCount = geometry.blocks.count
    #expect(blockCount == 0)
    let forgotten = (first: geometry.forgetExcess(), again: geometry.forgetExcess())
    #expect(forgotten.first && !forgotten.again)
  }
}
