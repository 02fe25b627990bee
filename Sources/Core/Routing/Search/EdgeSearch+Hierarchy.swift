import Contraction
import RoadGraph

extension EdgeSearch {
  /// The cheapest path by the hierarchy; nil if it finds none.
  ///
  /// Sources begin at their own state, minus the cost up to their position on the edge. If a target
  /// is on the same state, they begin at the following states, so that the edge can be reached
  /// again.
  func run(
    on customized: CustomizedMetric, from sources: [SearchSource], to targets: [SearchTarget],
    in search: inout HierarchySearch
  ) -> SearchResult? {
    let best = direct(sources, targets)
    var starts: [HierarchySeed] = []
    var origin: [(source: Int, isAhead: Bool)] = []
    for (index, source) in sources.enumerated() where isUsable(source.state) {
      if targets.contains(where: { $0.state == source.state }) {
        for step in steps(from: source) {
          starts.append(
            HierarchySeed(vertex: step.source.state, cost: Int64(step.source.costMS)))
          origin.append((index, true))
        }
      } else {
        starts.append(seed(source))
        origin.append((index, false))
      }
    }
    var ends: [HierarchySeed] = []
    var destination: [Int] = []
    for (index, target) in targets.enumerated() where isUsable(target.state) {
      ends.append(seed(target))
      destination.append(index)
    }
    guard let way = search.run(customized.weights, from: starts, to: ends),
      UInt64(max(0, way.cost)) < best?.costMS ?? .max
    else { return best }
    let states = search.vertices(customized.weights)
    let (source, isAhead) = origin[way.source]
    return SearchResult(
      costMS: UInt64(max(0, way.cost)), source: source, target: destination[way.target],
      isDirect: false, states: isAhead ? states : Array(states.dropFirst()))
  }

  /// A source as one at the start of its edge, minus the cost of the part before it.
  func seed(_ source: SearchSource) -> HierarchySeed {
    let doneMS = partMS(metric.network.restrictions.edge(of: source.state), source.offsetM)
    return HierarchySeed(vertex: source.state, cost: Int64(source.costMS) - Int64(doneMS))
  }

  func seed(_ target: SearchTarget) -> HierarchySeed {
    let partMS = partMS(metric.network.restrictions.edge(of: target.state), target.offsetM)
    return HierarchySeed(vertex: target.state, cost: Int64(target.costMS + partMS))
  }

  func isUsable(_ state: Int) -> Bool {
    metric.costMS[metric.network.restrictions.edge(of: state)] != .max
  }
}
