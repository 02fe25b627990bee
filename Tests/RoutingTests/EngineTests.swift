import Foundations
import Geodesy
import RoadGraph
import Route
import Testing

@testable import Routing

@Suite struct EngineTests {
  /// A town grid with random one-ways, gaps, private streets, signals and restrictions of two to
  /// four edges; a third of the streets has one of the `rules` that hold at times only.
  static func grid(
    seed: UInt64, side: Int = 6, rules: [String] = [], hasFerries: Bool = false
  ) throws -> (RoadGraph, [[EdgeID]]) {
    var random = SplitMix64(seed: seed)
    var map = HandMadeGraph()
    for row in 0..<side {
      for column in 0..<side {
        let east = Double(column) * 100 + Double.random(in: -30...30, using: &random)
        let north = Double(row) * 100 + Double.random(in: -30...30, using: &random)
        let isSignal = Int.random(in: 0..<5, using: &random) == 0
        _ = map.node(eastM: east, northM: north, isSignal ? .trafficSignals : [])
      }
    }
    for row in 0..<side {
      for column in 0..<side {
        let here = row * side + column
        for (there, exists) in [(here + 1, column + 1 < side), (here + side, row + 1 < side)]
        where exists {
          let luck = Int.random(in: 0..<10, using: &random)
          if luck == 0 { continue }
          let access: Access = luck == 1 ? .destination : luck == 2 ? .private : .yes
          let isTurned = Bool.random(using: &random)
          let piece = map.road(
            isTurned ? there : here, isTurned ? here : there,
            kmh: UInt8.random(in: 20...90, using: &random), isOneWay: luck > 6, access: access)
          if hasFerries, Int.random(in: 0..<3, using: &random) == 0 {
            let waitS = 30 * Double(Int.random(in: 0...6, using: &random))
            map.pieces[piece].forward.flags.insert(.ferry)
            map.pieces[piece].forward.boardingS = waitS
            map.pieces[piece].backward?.flags.insert(.ferry)
            map.pieces[piece].backward?.boardingS = waitS
          }
          guard !rules.isEmpty, Int.random(in: 0..<3, using: &random) == 0,
            let rule = rules.randomElement(using: &random)
          else { continue }
          let text = map.text(rule)
          map.pieces[piece].forward.rules = text
          map.pieces[piece].backward?.rules = text
        }
      }
    }
    let plain = try map.build()
    var restrictions: [[EdgeID]] = []
    for _ in 0..<40 {
      var walk = [EdgeID(Int.random(in: 0..<plain.graph.edgeCount, using: &random))]
      for _ in 1..<Int.random(in: 2...4, using: &random) {
        let next = plain.graph.edges(leaving: plain.graph.head(walk[walk.count - 1]))
        guard let edge = next.randomElement(using: &random) else { break }
        walk.append(edge)
      }
      if walk.count > 1 { restrictions.append(walk) }
    }
    map.restrictions = restrictions.map { restriction in
      restriction.map { edge in
        let code = Int(plain.graph.columns.piece[edge.index])
        return (code / 2, code % 2 == 0)
      }
    }
    let built = try map.build()
    return (built.graph, restrictions)
  }

  @Test(arguments: 1...16)
  func `the engine's cost is the oracle's, restrictions over several edges included, RT-8`(
    seed: UInt64
  ) throws {
    let (graph, restrictions) = try Self.grid(seed: seed)
    let network = RoadNetwork(graph: graph, mode: .car)
    let request = RouteRequest(waypoints: [])
    let metric = RoadMetric(network: network, key: MetricKey(request))
    let oracle = Oracle(metric: metric, restrictions: restrictions)
    let search = EdgeSearch(metric: metric)
    var space = SearchSpace()
    var random = SplitMix64(seed: seed &* 77)
    for _ in 0..<8 {
      let a = EdgeID(Int.random(in: 0..<graph.edgeCount, using: &random))
      let b = EdgeID(Int.random(in: 0..<graph.edgeCount, using: &random))
      let from = Double.random(in: 0...graph.lengthM(a), using: &random)
      let to = Double.random(in: 0...graph.lengthM(b), using: &random)
      let expected = oracle.costMS(from: (a, from), to: (b, to))
      let found = search.run(
        from: [SearchSource(state: a.index, offsetM: from, costMS: 0)],
        to: network.restrictions.states(on: b.index).map {
          SearchTarget(state: $0, offsetM: to, costMS: 0)
        }, in: &space)
      #expect(found?.costMS == expected)
      guard let found else { continue }
      let edges =
        (found.isDirect ? [] : [a]) + found.states.map { EdgeID(network.restrictions.edge(of: $0)) }
      #expect(edges.last == b)
      for (e, f) in zip(edges, edges.dropFirst()) { #expect(graph.head(e) == graph.tail(f)) }
      for restriction in restrictions {
        for start in edges.indices.dropLast(restriction.count - 1) {
          #expect(Array(edges[start..<(start + restriction.count)]) != restriction)
        }
      }
    }
  }
}
