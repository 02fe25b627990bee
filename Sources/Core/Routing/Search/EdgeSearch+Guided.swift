import Contraction
import RoadGraph

extension EdgeSearch {
  /// The cheapest path by this search's own costs, guided by those of a hierarchy.
  ///
  /// P. Hart, N. Nilsson, B. Raphael (1968): exact if no cost of this search is below the guide's.
  func run(
    guidedBy guide: CustomizedMetric, from sources: [SearchSource], to targets: [SearchTarget],
    in space: inout SearchSpace
  ) -> SearchResult? {
    let below = EdgeSearch(metric: guide.metric)
    space.potential.reset(guide.weights, to: targets.map { below.seed($0) })
    let restrictions = metric.network.restrictions
    space.resetForward(stateCount: restrictions.stateCount)
    var best = direct(sources, targets)
    var bestMS = best?.costMS ?? .max
    var last: (state: Int, target: Int)?
    for (index, source) in sources.enumerated() where isUsable(source.state) {
      for step in steps(from: source) {
        enter(
          step.source.state, step.source.costMS, SearchHalf.firstRoot + UInt32(index), guide, &space
        )
      }
    }
    var steps = 0
    while let keyMS = space.forward.topMS, keyMS < bestMS {
      steps += 1
      if steps & 0xfff == 0, isCancelled() { return nil }
      let (state, _) = space.forward.popFirst()
      guard let costMS = space.forward.cost(state),
        let aheadMS = space.potential.cost(guide.weights, from: state),
        costMS + UInt64(max(0, aheadMS)) == keyMS
      else { continue }
      for (index, target) in targets.enumerated() where target.state == state {
        let totalMS = costMS + target.costMS + partMS(restrictions.edge(of: state), target.offsetM)
        guard totalMS < bestMS else { continue }
        bestMS = totalMS
        last = (state, index)
      }
      let edge = restrictions.edge(of: state)
      let head = metric.network.graph.head(EdgeID(edge)).index
      let endMS = costMS + restMS(edge, 0)
      for next in metric.network.graph.edges(leaving: NodeID(head)) where isUsable(next.index) {
        guard let (target, turnMS) = transition(state, edge, next.index, head) else { continue }
        enter(target, endMS + turnMS, UInt32(state), guide, &space)
      }
    }
    guard let last else { return best }
    var states = [last.state]
    var parent = space.forward.parent(last.state)
    while parent < SearchHalf.firstRoot {
      states.append(Int(parent))
      parent = space.forward.parent(Int(parent))
    }
    best = SearchResult(
      costMS: bestMS, source: Int(parent - SearchHalf.firstRoot), target: last.target,
      isDirect: false, states: states.reversed())
    return best
  }

  private func enter(
    _ state: Int, _ costMS: UInt64, _ parent: UInt32, _ guide: CustomizedMetric,
    _ space: inout SearchSpace
  ) {
    guard let aheadMS = space.potential.cost(guide.weights, from: state) else { return }
    _ = space.forward.relax(
      state, costMS, aheadMS: UInt64(max(0, aheadMS)), parent: parent)
  }
}
