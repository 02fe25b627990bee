import Foundations
import RoadGraph
import Testing

@testable import Contraction

/// A directed graph of random arcs near one another, and what its cheapest ways cost.
struct RandomArcs {
  var firstArc: [UInt32] = [0]
  var head: [UInt32] = []
  var weight: [UInt32] = []
  var count: Int { firstArc.count - 1 }

  init(count: Int, using random: inout SplitMix64) {
    for v in 0..<count {
      for _ in 0..<Int.random(in: 0...3, using: &random) {
        let near = v + Int.random(in: -12...12, using: &random)
        let isFar = Int.random(in: 0..<20, using: &random) == 0
        let to = isFar ? Int.random(in: 0..<count, using: &random) : min(max(0, near), count - 1)
        head.append(UInt32(to))
        weight.append(Self.weight(&random))
      }
      firstArc.append(UInt32(head.count))
    }
  }

  /// Mostly small, so that ways tie; some never to be used.
  static func weight(_ random: inout SplitMix64) -> UInt32 {
    Int.random(in: 0..<12, using: &random) == 0 ? .max : UInt32.random(in: 1...9, using: &random)
  }

  func costs(from sources: [HierarchySeed]) -> [Int64?] {
    var cost = [Int64?](repeating: nil, count: count)
    for seed in sources { cost[seed.vertex] = min(cost[seed.vertex] ?? .max, seed.cost) }
    var isChanged = true
    while isChanged {
      isChanged = false
      for v in 0..<count {
        guard let here = cost[v] else { continue }
        for k in Int(firstArc[v])..<Int(firstArc[v + 1]) where weight[k] != .max {
          let there = here + Int64(weight[k])
          if there < cost[Int(head[k])] ?? .max {
            cost[Int(head[k])] = there
            isChanged = true
          }
        }
      }
    }
    return cost
  }

  /// What it costs to go through `vertices` one after the other; nil where no arc leads on.
  func cost(through vertices: [Int]) -> Int64? {
    var total: Int64 = 0
    for (from, to) in zip(vertices, vertices.dropFirst()) {
      let arcs = Int(firstArc[from])..<Int(firstArc[from + 1])
      let least = arcs.filter { Int(head[$0]) == to }.map { weight[$0] }.min()
      guard let least, least != .max else { return nil }
      total += Int64(least)
    }
    return total
  }

  func hierarchy(using random: inout SplitMix64) throws -> Hierarchy {
    try Hierarchy(
      order: (0..<UInt32(count)).shuffled(using: &random), firstArc: Column(firstArc),
      arcHead: Column(head))
  }
}

/// The parts of a round from the last to the first, so that an order that matters shows.
func backwards(_ count: Int, _ body: @Sendable (Int) -> Void) {
  for number in (0..<count).reversed() { body(number) }
}

@Suite struct HierarchyTests {
  private static func seeds(_ count: Int, using random: inout SplitMix64) -> [HierarchySeed] {
    (0..<Int.random(in: 1...4, using: &random)).map { _ in
      HierarchySeed(
        vertex: Int.random(in: 0..<count, using: &random),
        cost: Int64.random(in: -3...6, using: &random))
    }
  }

  @Test(arguments: UInt64(1)...40)
  func `a few new weights give what customizing everything gives, TR-6`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed &* 7919)
    var graph = RandomArcs(count: Int.random(in: 20...200, using: &random), using: &random)
    let hierarchy = try graph.hierarchy(using: &random)
    guard !graph.head.isEmpty else { return }
    var weights = HierarchyWeights(hierarchy) { graph.weight[$0] }
    for _ in 0..<12 {
      // Better and worse, also where nothing changes in the end.
      let arcs = (0..<Int.random(in: 0...6, using: &random)).map { _ in
        Int.random(in: 0..<graph.head.count, using: &random)
      }
      for k in arcs { graph.weight[k] = RandomArcs.weight(&random) }
      let new = try #require(
        weights.changed(arcs, limit: .max) { k, tail in
          #expect(Int(graph.firstArc[tail]) <= k && k < Int(graph.firstArc[tail + 1]))
          return graph.weight[k]
        })
      let all = HierarchyWeights(hierarchy) { graph.weight[$0] }
      #expect(Array(new.weights.buffer) == Array(all.weights.buffer))
      #expect(Array(new.given.buffer) == Array(all.given.buffer))
      #expect(weights.changed(Array(graph.head.indices), limit: 0) { k, _ in 1 } == nil)
      weights = new
    }
  }

  @Test(arguments: UInt64(1)...20)
  func `ways from several places to several are the cheapest, in any order of elimination`(
    seed: UInt64
  ) throws {
    var random = SplitMix64(seed: seed)
    var graph = RandomArcs(count: Int.random(in: 2...90, using: &random), using: &random)
    let hierarchy = try graph.hierarchy(using: &random)
    var search = HierarchySearch()
    for _ in 0..<3 {
      let weights = HierarchyWeights(hierarchy, inParallel: backwards) { graph.weight[$0] }
      for _ in 0..<12 {
        let sources = Self.seeds(graph.count, using: &random)
        let targets = Self.seeds(graph.count, using: &random)
        let costs = graph.costs(from: sources)
        let expected = targets.compactMap { seed in costs[seed.vertex].map { $0 + seed.cost } }
          .min()
        let way = search.run(weights, from: sources, to: targets)
        #expect(way?.cost == expected)
        guard let way else { continue }
        let vertices = search.vertices(weights)
        #expect(vertices.first == sources[way.source].vertex)
        #expect(vertices.last == targets[way.target].vertex)
        let driven = try #require(graph.cost(through: vertices))
        #expect(driven + sources[way.source].cost + targets[way.target].cost == way.cost)
      }
      for k in graph.weight.indices { graph.weight[k] = RandomArcs.weight(&random) }
    }
  }

  @Test func `equal questions have equal answers, whoever works and whatever was asked before`()
    throws
  {
    var random = SplitMix64(seed: 7)
    let graph = RandomArcs(count: 300, using: &random)
    let hierarchy = try graph.hierarchy(using: &random)
    let one = HierarchyWeights(hierarchy) { graph.weight[$0] }
    let other = HierarchyWeights(hierarchy, inParallel: backwards) { graph.weight[$0] }
    var used = HierarchySearch()
    for _ in 0..<200 {
      let from = [HierarchySeed(vertex: Int.random(in: 0..<300, using: &random), cost: 0)]
      let to = [HierarchySeed(vertex: Int.random(in: 0..<300, using: &random), cost: 0)]
      var fresh = HierarchySearch()
      let isFound = used.run(one, from: from, to: to) != nil
      #expect((fresh.run(other, from: from, to: to) != nil) == isFound)
      if isFound { #expect(used.vertices(one) == fresh.vertices(other)) }
    }
  }

  @Test func `costs too great to count are no way, sums below are exact`() throws {
    let graph = (first: Column<UInt32>([0, 1, 2, 2]), head: Column<UInt32>([1, 2]))
    let hierarchy = try Hierarchy(order: [1, 0, 2], firstArc: graph.first, arcHead: graph.head)
    let half = UInt32(HierarchyWeights.infinite) / 2
    var search = HierarchySearch()
    let from = [HierarchySeed(vertex: 0, cost: 0)]
    let to = [HierarchySeed(vertex: 2, cost: 0)]
    let most = HierarchyWeights(hierarchy) { _ in half }
    #expect(search.run(most, from: from, to: to)?.cost == Int64(2 * half))
    let tooMuch = HierarchyWeights(hierarchy) { _ in half + 1 }
    #expect(search.run(tooMuch, from: from, to: to) == nil)
    let forbidden = HierarchyWeights(hierarchy) { $0 == 0 ? .max : 1 }
    #expect(search.run(forbidden, from: from, to: to) == nil)
  }

  @Test func `an order that is none is refused at its place`() {
    let first = Column<UInt32>([0, 1, 2, 2])
    let head = Column<UInt32>([1, 2])
    #expect(throws: HierarchyFault.notAPermutation(place: 2)) {
      try Hierarchy(order: [0, 1, 1], firstArc: first, arcHead: head)
    }
    #expect(throws: HierarchyFault.notAPermutation(place: 1)) {
      try Hierarchy(order: [0, 3, 1], firstArc: first, arcHead: head)
    }
    #expect(throws: HierarchyFault.notAPermutation(place: 2)) {
      try Hierarchy(order: [0, 1], firstArc: first, arcHead: head)
    }
  }
}
