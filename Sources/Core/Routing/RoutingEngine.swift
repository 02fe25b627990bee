import Geodesy
public import RoadGraph
public import Route

/// How an engine finds the cheapest path.
///
/// All methods find paths of the same cost.
public enum SearchMethod: Sendable {
  /// Bidirectional Dijkstra search; needs no preprocessing.
  case bidirectional
  /// The customizable contraction hierarchy with the engine's metric on it.
  case hierarchy(CustomizedMetric)
  /// A search by the engine's own costs, guided by the hierarchy: these costs are nowhere below the
  /// bounds.
  case guided(SearchBound)
}

/// A route as found by the search: the edges of each leg, and the matched waypoints.
public struct FoundPath: Hashable, Sendable {
  /// One for each waypoint.
  public var stops: [SnapCandidate]
  /// One for each pair of neighbouring waypoints, including pass-through points.
  public var legs: [RoadPath]
  /// The exact cost of the path by its metric.
  public var costMS: UInt64
  /// Whether forbidden turns had to be driven.
  public var breaksRestrictions: Bool

  public init(stops: [SnapCandidate], legs: [RoadPath], costMS: UInt64, breaksRestrictions: Bool) {
    self.stops = stops
    self.legs = legs
    self.costMS = costMS
    self.breaksRestrictions = breaksRestrictions
  }
}

/// Finds the cheapest path through waypoints on one metric.
public struct RoutingEngine: Sendable {
  public let metric: RoadMetric
  public let method: SearchMethod
  private var network: RoadNetwork { metric.network }
  private var tuning: RoutingTuning { metric.tuning }

  public init(metric: RoadMetric, method: SearchMethod = .bidirectional) {
    self.metric = metric
    self.method = method
  }

  /// The engine that searches on a hierarchy.
  public init(_ customized: CustomizedMetric) {
    self.init(metric: customized.metric, method: .hierarchy(customized))
  }

  /// Lower bounds that guide searches by the engine's own costs, or by higher ones.
  var guide: SearchBound? {
    switch method {
    case .bidirectional: nil
    case .hierarchy(let customized): SearchBound(customized)
    case .guided(let bound): bound
    }
  }

  /// The metric on a hierarchy that finds the path; nil for other methods.
  public var customized: CustomizedMetric? {
    if case .hierarchy(let customized) = method { customized } else { nil }
  }

  /// The cheapest path through the waypoints, exact by the metric.
  ///
  /// Turn restrictions are violated only if no other path reaches the place.
  ///
  /// `origin` is the road position of the first waypoint if it is already known. `reached` receives
  /// the share of the legs that are found, 0 to 1; it may fall if a second attempt is needed.
  ///
  /// - Throws: `RouteFailure` for a fault of the request, a waypoint off the map, no route, or
  ///   cancellation.
  public func path(
    _ request: RouteRequest, origin: RoadPosition? = nil, in space: inout SearchSpace,
    isCancelled: () -> Bool = { false }, reached: (Double) -> Void = { _ in }
  ) throws(RouteFailure) -> FoundPath {
    try Self.validate(request)
    var failure = RouteFailure.noRouteFound(fromWaypoint: 0)
    for attempt in 0..<4 {
      var stops = try snap(request, isWide: attempt > 1)
      if attempt < 2, let origin { stops[0] = [candidate(request.waypoints[0], at: origin)] }
      let outcome = withoutActuallyEscaping(isCancelled) { isCancelled in
        let search = EdgeSearch(
          metric: metric, customized: attempt % 2 == 0 ? customized : nil,
          guide: attempt % 2 == 0 && customized == nil ? guide : nil,
          relaxesRestrictions: attempt % 2 == 1, isCancelled: isCancelled)
        return chain(request, stops, search, in: &space, reached: reached)
      }
      switch outcome {
      case .success(let found):
        guard attempt == 0, entersPrivateRoads(found) else { return found }
        let other = try legal(request, origin: origin, in: &space, isCancelled: isCancelled)
        if let other, other.costMS < found.costMS { return other }
        return found
      case .failure(let reason): failure = reason
      }
      if isCancelled() { throw .cancelled }
    }
    throw failure
  }

  /// Whether a path uses private roads to or from a public road that cannot be reached otherwise,
  /// such as a yard.
  private func entersPrivateRoads(_ path: FoundPath) -> Bool {
    path.costMS >= metric.tuning.enterDestinationMS
      && path.stops.allSatisfy {
        network.graph.attributes($0.position.edge).access(network.mode).allowsThrough
      }
  }

  /// The path from and to roads farther away, one of which may be reached without private roads;
  /// nil for none.
  private func legal(
    _ request: RouteRequest, origin: RoadPosition?, in space: inout SearchSpace,
    isCancelled: () -> Bool
  ) throws(RouteFailure) -> FoundPath? {
    var stops = try snap(request, isWide: true)
    if let origin { stops[0] = [candidate(request.waypoints[0], at: origin)] }
    let outcome = withoutActuallyEscaping(isCancelled) { isCancelled in
      let search = EdgeSearch(
        metric: metric, customized: customized, guide: customized == nil ? guide : nil,
        relaxesRestrictions: false, isCancelled: isCancelled)
      return chain(request, stops, search, in: &space)
    }
    guard case .success(let found) = outcome else { return nil }
    return found
  }

  /// The path by other costs between the same road positions; nil if there is none.
  func detour(
    _ request: RouteRequest, stops: [SnapCandidate], costs: Column<UInt32>,
    origin: RoadPosition?, in space: inout SearchSpace, isCancelled: () -> Bool,
    reached: (Double) -> Void
  ) -> FoundPath? {
    let both = stops.enumerated().map { index, stop in
      index == 0 && origin != nil ? [stop] : withTwin(stop)
    }
    return withoutActuallyEscaping(isCancelled) { isCancelled in
      let search = EdgeSearch(
        metric: metric, costs: costs, guide: guide, isCancelled: isCancelled)
      let outcome = chain(request, both, search, in: &space, reached: reached)
      guard case .success(let found) = outcome else { return nil }
      return found
    }
  }

  private func withTwin(_ stop: SnapCandidate) -> [SnapCandidate] {
    guard let back = network.graph.twin(stop.position.edge), network.isUsable(back) else {
      return [stop]
    }
    var other = stop
    other.position = RoadPosition(
      edge: back,
      offsetM: Double.maximum(0, network.graph.lengthM(back) - stop.position.offsetM))
    return [stop, other]
  }

  // MARK: Waypoints

  private func candidate(_ waypoint: Waypoint, at position: RoadPosition) -> SnapCandidate {
    let coordinate = network.graph.coordinate(position)
    return SnapCandidate(
      position: position, coordinate: coordinate,
      distanceM: coordinate.distanceM(to: waypoint.entry), penaltyMS: 0)
  }

  func snap(
    _ request: RouteRequest, isWide: Bool
  ) throws(RouteFailure) -> [[SnapCandidate]] {
    let snapper = Snapper(metric: metric)
    var all: [[SnapCandidate]] = []
    for (index, waypoint) in request.waypoints.enumerated() {
      let radiusM = index == 0 ? tuning.originRadiusM : tuning.destinationRadiusM
      let candidates = snapper.candidates(for: waypoint, radiusM: radiusM, isWide: isWide)
      guard !candidates.isEmpty else {
        if !network.graph.reaches(waypoint.entry) { throw .noMapData(index: index) }
        let nearestM = index == 0 ? snapper.nearestM(to: waypoint.entry, withinM: 20_000) : nil
        throw index == 0
          ? .couldNotMatchOrigin(nearestM: nearestM)
          : .couldNotMatchDestination(index: index, nearestM: nearestM)
      }
      all.append(candidates)
    }
    return all
  }

  // MARK: Legs

  // Dynamic programming over the waypoints: the cheapest path to each candidate of each waypoint.
  func chain(
    _ request: RouteRequest, _ stops: [[SnapCandidate]], _ search: EdgeSearch,
    in space: inout SearchSpace, reached: (Double) -> Void = { _ in }
  ) -> Result<FoundPath, RouteFailure> {
    var layers = [
      stops[0].indices.map {
        Arrival(
          candidate: $0, state: stops[0][$0].position.edge.index,
          costMS: stops[0][$0].penaltyMS, before: 0)
      }
    ]
    for index in 1..<stops.count {
      // Searches on a hierarchy are too short to check for cancellation themselves.
      if search.isCancelled() { return .failure(.cancelled) }
      let departures = Departures(search: search).all(
        layers[index - 1], stops[index - 1], request, index - 1)
      let targets = targets(stops[index])
      var layer: [Arrival] = []
      if index == stops.count - 1 {
        if let arrival = run(search, departures, targets, &space) { layer = [arrival] }
      } else {
        for target in targets {
          if let arrival = run(search, departures, [target], &space) { layer.append(arrival) }
        }
      }
      guard !layer.isEmpty else { return .failure(.noRouteFound(fromWaypoint: index - 1)) }
      layers.append(layer)
      reached(Double(index) / Double(stops.count - 1))
    }
    return .success(assemble(layers, stops, breaksRestrictions: search.relaxesRestrictions))
  }

  private typealias Target = (target: SearchTarget, candidate: Int)

  private func targets(_ candidates: [SnapCandidate]) -> [Target] {
    candidates.indices.flatMap { index in
      network.restrictions.states(on: candidates[index].position.edge.index).map { state in
        (
          SearchTarget(
            state: state, offsetM: candidates[index].position.offsetM,
            costMS: candidates[index].penaltyMS), index
        )
      }
    }
  }

  private func run(
    _ search: EdgeSearch, _ departures: [Departure], _ targets: [Target],
    _ space: inout SearchSpace
  ) -> Arrival? {
    let found = search.run(
      from: departures.map(\.source), to: targets.map(\.target), in: &space)
    guard let found else { return nil }
    let departure = departures[found.source]
    let target = targets[found.target]
    let start = EdgeID(network.restrictions.edge(of: departure.source.state))
    var edges = found.states.map { EdgeID(network.restrictions.edge(of: $0)) }
    if !found.isDirect { edges.insert(start, at: 0) }
    edges.insert(contentsOf: departure.lead, at: 0)
    return Arrival(
      candidate: target.candidate, state: target.target.state, costMS: found.costMS,
      timeMS: found.timeMS, before: departure.arrival,
      leg: RoadPath(
        edges: edges, startOffsetM: departure.startOffsetM, endOffsetM: target.target.offsetM))
  }

  private func assemble(
    _ layers: [[Arrival]], _ stops: [[SnapCandidate]], breaksRestrictions: Bool
  ) -> FoundPath {
    var chosen = [Int](repeating: 0, count: layers.count)
    for index in stride(from: layers.count - 1, to: 0, by: -1) {
      chosen[index - 1] = layers[index][chosen[index]].before
    }
    let arrivals = layers.indices.map { layers[$0][chosen[$0]] }
    return FoundPath(
      stops: arrivals.indices.map { stops[$0][arrivals[$0].candidate] },
      legs: arrivals.dropFirst().compactMap(\.leg),
      costMS: arrivals.last?.costMS ?? 0, breaksRestrictions: breaksRestrictions
    ).trimmed(network.graph)
  }
}

extension FoundPath {
  private static let nothingM = 0.5

  /// Drops edges of which nothing is driven at the two ends, since places at junctions lie on
  /// several edges.
  public func trimmed(_ graph: RoadGraph) -> FoundPath {
    var path = self
    if var first = path.legs.first, first.edges.count > 1,
      graph.lengthM(first.edges[0]) - first.startOffsetM < Self.nothingM
    {
      first.edges.removeFirst()
      first.startOffsetM = 0
      path.legs[0] = first
      path.stops[0].position = RoadPosition(edge: first.edges[0], offsetM: 0)
    }
    if var last = path.legs.last, last.edges.count > 1, last.endOffsetM < Self.nothingM {
      last.edges.removeLast()
      let end = RoadPosition(
        edge: last.edges[last.edges.count - 1],
        offsetM: graph.lengthM(last.edges[last.edges.count - 1]))
      last.endOffsetM = end.offsetM
      path.legs[path.legs.count - 1] = last
      path.stops[path.stops.count - 1].position = end
    }
    for leg in path.legs.indices.dropLast() { path.legs[leg].stopBeforeTurningBack(graph) }
    return path
  }
}

extension RoadPath {
  /// A stop at the end of a road also lies at the start of the edge that leads back; the path ends
  /// before that turn.
  fileprivate mutating func stopBeforeTurningBack(_ graph: RoadGraph) {
    guard endOffsetM == 0, edges.count > 1, let last = edges.last,
      graph.twin(edges[edges.count - 2]) == last
    else { return }
    edges.removeLast()
    endOffsetM = graph.lengthM(edges[edges.count - 1])
  }
}
