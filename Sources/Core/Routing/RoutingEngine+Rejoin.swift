import Geodesy
public import RoadGraph
public import Route

extension RoutingEngine {
  /// A path from a request's first waypoint onto a path through all others, and along that path to
  /// its end.
  ///
  /// It is the cheapest choice of the joining point, and nil if no path leads onto the first leg.
  /// `kept` is the rest of a route from where it was left: its legs end at the request's later
  /// waypoints. It takes one search with the pieces of the first leg as targets.
  ///
  /// - Throws: `RouteFailure` if the first waypoint is off the map.
  public func rejoining(
    _ kept: FoundPath, _ request: RouteRequest, origin: RoadPosition?, in space: inout SearchSpace,
    isCancelled: () -> Bool = { false }
  ) throws(RouteFailure) -> FoundPath? {
    guard let leg = kept.legs.first, kept.legs.count == request.waypoints.count - 1 else {
      return nil
    }
    let starts = try starts(request, origin: origin)
    let ends = targets(along: leg)
    let rest = FoundPath(
      stops: kept.stops, legs: Array(kept.legs.dropFirst()), costMS: 0, breaksRestrictions: false)
    return withoutActuallyEscaping(isCancelled) { isCancelled -> FoundPath? in
      // The rest of the leg is priced as at the departure, since the time at which it is reached is
      // not known.
      let search = EdgeSearch(
        metric: metric, costs: metric.costMS, customized: customized,
        guide: customized == nil ? guide : nil,
        isCancelled: isCancelled)
      let layer = starts.indices.map {
        Arrival(
          candidate: $0, state: starts[$0].position.edge.index, costMS: starts[$0].penaltyMS,
          before: 0)
      }
      let departures = Departures(search: search).all(layer, starts, request, 0)
      guard
        let found = search.run(from: departures.map(\.source), to: ends, in: &space)
      else { return nil }
      let departure = departures[found.source]
      var edges = found.states.map { EdgeID(metric.network.restrictions.edge(of: $0)) }
      if !found.isDirect {
        edges.insert(EdgeID(metric.network.restrictions.edge(of: departure.source.state)), at: 0)
      }
      edges.insert(contentsOf: departure.lead, at: 0)
      edges += leg.edges[(found.target + 1)...]
      let joined = RoadPath(
        edges: edges, startOffsetM: departure.startOffsetM, endOffsetM: leg.endOffsetM)
      var path = FoundPath(
        stops: [starts[departure.arrival]] + kept.stops.dropFirst(), legs: [joined] + rest.legs,
        costMS: found.costMS + costMS(of: rest), breaksRestrictions: false
      )
      if metric.clock != nil { path.costMS = costMS(of: path, request) }
      return path.trimmed(metric.network.graph)
    }
  }

  /// An external path up to where its first leg meets that of a path to the same stops, and then
  /// along that path.
  ///
  /// The result is nil if they do not meet, or if a restriction forbids that continuation. Linear
  /// in the edges.
  public func joining(_ fresh: FoundPath, onto kept: FoundPath) -> FoundPath? {
    guard let way = fresh.legs.first, let leg = kept.legs.first, let start = fresh.stops.first,
      fresh.legs.count == kept.legs.count
    else { return nil }
    var placeOf: [EdgeID: Int] = [:]
    for (place, edge) in leg.edges.enumerated() { placeOf[edge] = place }
    guard let index = way.edges.firstIndex(where: { placeOf[$0] != nil }),
      let place = placeOf[way.edges[index]]
    else { return nil }
    let joined = RoadPath(
      edges: Array(way.edges[..<index] + leg.edges[place...]), startOffsetM: way.startOffsetM,
      endOffsetM: leg.endOffsetM)
    guard joined.edges.count > 1 || joined.startOffsetM <= joined.endOffsetM,
      respectsTurnRestrictions(joined)
    else { return nil }
    var path = FoundPath(
      stops: [start] + kept.stops.dropFirst(), legs: [joined] + kept.legs.dropFirst(), costMS: 0,
      breaksRestrictions: false
    ).trimmed(metric.network.graph)
    path.costMS = costMS(of: path)
    return path
  }

  private func respectsTurnRestrictions(_ path: RoadPath) -> Bool {
    let (restrictions, mode) = (metric.network.restrictions, metric.network.mode)
    guard var state = path.edges.first?.index else { return true }
    for edge in path.edges.dropFirst() {
      let step = restrictions.step(state, edge.index)
      guard !step.forbidden.contains(mode) else { return false }
      state = step.target
    }
    return true
  }

  /// The ends of a leg's pieces, each with the cost of the rest of the leg.
  ///
  /// Only plain states are targets: a path in the middle of a restricted sequence joins the leg a
  /// piece later.
  private func targets(along leg: RoadPath) -> [SearchTarget] {
    let search = EdgeSearch(metric: metric)
    var restMS: UInt64 = 0
    var targets: [SearchTarget] = []
    for index in leg.edges.indices.reversed() {
      let edge = leg.edges[index]
      let part = leg.part(index, metric.network.graph)
      targets.append(SearchTarget(state: edge.index, offsetM: part.toM, costMS: restMS))
      guard index > 0 else { break }
      let before = leg.edges[index - 1].index
      restMS += search.partMS(edge.index, part.toM)
      restMS += metric.turnMS(from: before, onto: edge.index)
      restMS += metric.entryMS(from: before, onto: edge.index)
    }
    return targets.reversed()
  }

  private func starts(
    _ request: RouteRequest, origin: RoadPosition?
  ) throws(RouteFailure) -> [SnapCandidate] {
    guard let origin else { return try snap(request, isWide: false)[0] }
    let coordinate = metric.network.graph.coordinate(origin)
    return [
      SnapCandidate(
        position: origin, coordinate: coordinate,
        distanceM: coordinate.distanceM(to: request.waypoints[0].entry))
    ]
  }
}
