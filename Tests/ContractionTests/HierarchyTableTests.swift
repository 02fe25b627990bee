import Foundations
import RoadGraph
import Testing

@testable import Contraction

/// Many-to-many tables against searches for each pair.
@Suite struct HierarchyTableTests {
  /// Places of one to three seeds.
  private static func places(
    _ count: Int, vertices: Int, using random: inout SplitMix64
  ) -> [[HierarchySeed]] {
    (0..<count).map { _ in
      (0..<Int.random(in: 1...3, using: &random)).map { _ in
        HierarchySeed(
          vertex: Int.random(in: 0..<vertices, using: &random),
          cost: Int64.random(in: 0...6, using: &random))
      }
    }
  }

  @Test(arguments: UInt64(1)...24)
  func `each cell is the search of its pair, and its sums those of its path, RT-19`(
    seed: UInt64
  ) throws {
    var random = SplitMix64(seed: seed &* 104_729)
    var graph = RandomArcs(count: Int.random(in: 2...150, using: &random), using: &random)
    let hierarchy = try graph.hierarchy(using: &random)
    var table = HierarchyTable()
    var search = HierarchySearch()
    for round in 0..<4 {
      let weights = HierarchyWeights(hierarchy) { graph.weight[$0] }
      let sources = Self.places(round * 3 + 1, vertices: graph.count, using: &random)
      let targets = Self.places(9 - round * 2, vertices: graph.count, using: &random)
      var cells: [[HierarchyTable.Cell?]] = sources.map { _ in targets.map { _ in nil } }
      // Arcs of a pair of vertices count as one with the first sum, and by their ends with the second.
      let sums = { (tail: Int, head: Int) in
        HierarchySums(first: 1, second: Int64(1000 * tail + head))
      }
      table.fill(weights, from: sources, to: targets, sums: sums) { source, target, cell in
        #expect(cells[source][target] == nil)
        cells[source][target] = cell
      }
      for (source, row) in cells.enumerated() {
        for (target, cell) in row.enumerated() {
          let way = search.run(weights, from: sources[source], to: targets[target])
          #expect(cell?.cost == way?.cost)
          guard let cell else { continue }
          // The path between the seeds that the cell names costs as much, and has its sums where there is only one.
          let seeds = (sources[source][cell.source], targets[target][cell.target])
          let between = search.run(weights, from: [seeds.0], to: [seeds.1])
          #expect(between?.cost == cell.cost)
          guard between != nil else { continue }
          let vertices = search.vertices(weights)
          if vertices.count == 1 { #expect(cell.sums == HierarchySums()) }
          #expect(cell.sums.first >= (seeds.0.vertex == seeds.1.vertex ? 0 : 1))
        }
      }
      for k in graph.weight.indices { graph.weight[k] = RandomArcs.weight(&random) }
    }
  }

  @Test func `sums are those of the only path, whatever was asked before`() throws {
    // A line of vertices in both directions: one path for each pair.
    let count = 40
    var first: [UInt32] = [0]
    var head: [UInt32] = []
    for v in 0..<count {
      head += [v - 1, v + 1].filter { (0..<count).contains($0) }.map { UInt32($0) }
      first.append(UInt32(head.count))
    }
    var random = SplitMix64(seed: 3)
    let hierarchy = try Hierarchy(
      order: (0..<UInt32(count)).shuffled(using: &random), firstArc: Column(first),
      arcHead: Column(head))
    let weights = HierarchyWeights(hierarchy) { UInt32($0 % 5 + 1) }
    let places = (0..<count).map { [HierarchySeed(vertex: $0, cost: 0)] }
    var table = HierarchyTable()
    for _ in 0..<2 {
      var found = 0
      table.fill(
        weights, from: places, to: places,
        sums: { HierarchySums(first: 1, second: Int64($0 + $1)) },
        { source, target, cell in
          found += 1
          #expect(cell.sums.first == Int64(abs(source - target)))
          let ends = (min(source, target), max(source, target))
          let all = (ends.0..<ends.1).reduce(Int64(0)) { $0 + Int64(2 * $1 + 1) }
          #expect(cell.sums.second == all)
        })
      #expect(found == count * count)
    }
    // Nothing of the last table is left.
    table.fill(weights, from: [places[0]], to: [], sums: nil) { _, _, _ in
      Issue.record("a table without targets has a cell")
    }
  }
}
