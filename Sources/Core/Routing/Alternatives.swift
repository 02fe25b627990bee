public import RoadGraph
public import Route

extension RoutingEngine {
  /// The best path and up to `request.alternatives` others that differ enough and cost little more,
  /// RT-5.
  ///
  /// Penalty method: the edges of the paths found so far are made more expensive, and the search is
  /// repeated. A path is accepted under two conditions. It shares at most 80 % of the shorter one's
  /// length with each earlier path, and it costs at most 1.4 times the best. `reached` receives the
  /// completed share of the searches, 0 to 1, as if none were skipped.
  public func paths(
    _ request: RouteRequest, origin: RoadPosition? = nil, in space: inout SearchSpace,
    isCancelled: () -> Bool = { false }, reached: (Double) -> Void = { _ in }
  ) throws(RouteFailure) -> [FoundPath] {
    let searches = Double(1 + Self.mostDetours(request))
    let best = try path(
      request, origin: origin, in: &space, isCancelled: isCancelled,
      reached: { reached($0 / searches) })
    return try alternatives(
      to: best, request, origin: origin, in: &space, isCancelled: isCancelled,
      reached: { reached((1 + $0 * (searches - 1)) / searches) })
  }

  /// Maximum number of searches for alternatives.
  private static func mostDetours(_ request: RouteRequest) -> Int {
    request.alternatives > 0 ? 2 * request.alternatives + 2 : 0
  }

  /// `best` and its alternatives, the best first.
  func alternatives(
    to best: FoundPath, _ request: RouteRequest, origin: RoadPosition?,
    in space: inout SearchSpace, isCancelled: () -> Bool, reached: (Double) -> Void = { _ in }
  ) throws(RouteFailure) -> [FoundPath] {
    guard request.alternatives > 0, !best.breaksRestrictions else { return [best] }
    var found = [best]
    var costs = Array(metric.costMS.records)
    let most = Self.mostDetours(request)
    // All alternatives use the same places, whatever the price of choosing these.
    let placesMS = best.stops.reduce(UInt64(0)) { $0 + $1.penaltyMS }
    for number in 0..<most where found.count <= request.alternatives {
      if isCancelled() { throw .cancelled }
      guard let last = found.last else { break }
      dearer(&costs, last)
      guard
        let next = detour(
          request, stops: best.stops, costs: Column(costs), origin: origin, in: &space,
          isCancelled: isCancelled,
          reached: { reached((Double(number) + $0) / Double(most)) })
      else {
        if isCancelled() { throw .cancelled }
        break
      }
      let costMS = costMS(of: next, request) + placesMS
      let limitMS = UInt64(Double(best.costMS) * metric.tuning.alternativeStretch)
      if costMS <= limitMS, found.allSatisfy({ differs(next, from: $0) }) {
        var kept = next
        kept.costMS = costMS
        found.append(kept)
      } else {
        dearer(&costs, next)
      }
    }
    return [best] + found.dropFirst().sorted { $0.costMS < $1.costMS }
  }

  private func dearer(_ costs: inout [UInt32], _ path: FoundPath) {
    for leg in path.legs {
      for edge in leg.edges where costs[edge.index] < .max / 2 {
        costs[edge.index] += max(1, costs[edge.index] / 4)
      }
    }
  }

  /// The cost of a path by the metric, without the penalties of choosing candidates, which all
  /// paths of a request share.
  ///
  /// Linear in the edges. If the metric has a clock, each road is priced for the moment at which it
  /// is reached, after the rests of `request`.
  public func costMS(of path: FoundPath, _ request: RouteRequest? = nil) -> UInt64 {
    if metric.clock != nil { return metric.timedCost(of: path, request).costMS }
    let search = EdgeSearch(metric: metric)
    var total: UInt64 = 0
    for leg in path.legs {
      for (index, edge) in leg.edges.enumerated() {
        let part = leg.part(index, metric.network.graph)
        total += search.partMS(edge.index, part.toM) - search.partMS(edge.index, part.fromM)
        guard index > 0 else { continue }
        let before = leg.edges[index - 1].index
        total += metric.turnMS(from: before, onto: edge.index)
        total += metric.entryMS(from: before, onto: edge.index)
      }
    }
    return total
  }

  private func differs(_ path: FoundPath, from other: FoundPath) -> Bool {
    let graph = metric.network.graph
    let known = other.legs.flatMap(\.edges)
    let edges = path.legs.flatMap(\.edges)
    func lengthM(_ edges: some Sequence<EdgeID>) -> Double {
      edges.reduce(0) { $0 + graph.lengthM($1) }
    }
    let sharedM = lengthM(edges.filter(Set(known).contains))
    return sharedM <= metric.tuning.alternativeSharing * min(lengthM(edges), lengthM(known))
  }
}
