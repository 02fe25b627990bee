import RoadGraph

@testable import Routing

/// The plainest correct search: Dijkstra over paths that remember their last edges.
///
/// Shares no code with the engine but the prices of edges and turns: a state is the list of the
/// last edges driven, as many as the longest restriction has, and a restriction is looked up in the
/// list of all.
struct Oracle {
  let metric: RoadMetric
  let restrictions: [[EdgeID]]
  var memory: Int { max(1, (restrictions.map(\.count).max() ?? 1) - 1) }

  func costMS(
    from source: (edge: EdgeID, offsetM: Double), to target: (edge: EdgeID, offsetM: Double)
  )
    -> UInt64?
  {
    let graph = metric.network.graph
    var best: UInt64?
    if source.edge == target.edge, source.offsetM <= target.offsetM {
      best = part(target.edge, target.offsetM) - part(source.edge, source.offsetM)
    }
    // Cost up to the end of the last edge of each history.
    let start = UInt64(metric.costMS[source.edge.index]) - part(source.edge, source.offsetM)
    var open: [[EdgeID]: UInt64] = [[source.edge]: start]
    var closed: Set<[EdgeID]> = []
    while let (history, cost) = open.min(by: { $0.value < $1.value }) {
      open[history] = nil
      closed.insert(history)
      if let best, cost >= best { break }
      guard let last = history.last else { break }
      for next in graph.edges(leaving: graph.head(last)) where metric.network.isUsable(next) {
        guard let turn = turnMS(last, next) else { continue }
        let path = history + [next]
        guard !restrictions.contains(where: { path.suffix($0.count).elementsEqual($0) }) else {
          continue
        }
        let entered = cost + turn
        if next == target.edge {
          best = min(best ?? .max, entered + part(next, target.offsetM))
        }
        let state = Array(path.suffix(memory))
        guard !closed.contains(state) else { continue }
        open[state] = min(open[state] ?? .max, entered + UInt64(metric.costMS[next.index]))
      }
    }
    return best
  }

  func turnMS(_ e: EdgeID, _ f: EdgeID) -> UInt64? {
    let network = metric.network
    if network.graph.twin(e) == f, !network.traits[e.index].contains(.turnBack) { return nil }
    return metric.turnMS(from: e.index, onto: f.index)
      + metric.entryMS(from: e.index, onto: f.index)
  }

  func part(_ edge: EdgeID, _ offsetM: Double) -> UInt64 {
    EdgeSearch(metric: metric).partMS(edge.index, offsetM)
  }
}
