import RoadGraph
public import Route

/// The part of a route that describes the road ahead: its segments, and the current one.
public struct RouteAhead: Hashable, Sendable {
  public var segments: [RouteSegment]
  public var current: Int

  public init(segments: [RouteSegment], current: Int) {
    self.segments = segments
    self.current = current
  }
}

extension MainPath {
  /// How far the path extends ahead and is kept behind the vehicle at least, in metres.
  struct Reach: Hashable, Sendable {
    var aheadM: Double
    var trailM: Double

    /// The path grows and is shortened by this distance at once.
    ///
    /// Everything on the path is searched for again after each change, so changes are rare.
    static let stepM = 500.0
  }

  /// Whether the path is still the same, as far as it was known.
  enum Change: Hashable, Sendable {
    case none
    case extended
    case other
  }

  /// Whether a position lies on the path from here on, at most `leapM` ahead.
  func reaches(_ position: RoadPosition, withinM leapM: Double) -> Bool {
    edges.indices[current...].contains {
      edges[$0] == position.edge && startsM[$0] + position.offsetM <= positionM + leapM
    }
  }

  /// Moves to a position on the network, along the path if it lies there within `leapM`.
  mutating func follow(
    _ position: RoadPosition, driven: [EdgeID], route: RouteAhead?, _ map: RoadMap,
    mode: TravelMode, reach: Reach, leapM: Double = .infinity
  ) -> Change {
    let old = edges
    let oldFirst = startsM[0]
    var isOther = false
    if let index = place(position.edge, route),
      startsM[index] + position.offsetM <= positionM + leapM
    {
      move(to: index, offsetM: position.offsetM)
      isOther = adopt(route)
    } else if edges[current...].contains(position.edge) {
      // No vehicle drives that fast: the road in between was not driven.
      self = MainPath(
        position.edge, offsetM: position.offsetM, at: positionM,
        lengthM: map.graph.lengthM(position.edge), routeStart: route?.current)
      isOther = true
    } else {
      turnOff(to: position, driven: driven, route, map.graph)
      isOther = true
    }
    extend(route, map, mode: mode, aheadM: reach.aheadM)
    trim(trailM: reach.trailM)
    if isOther { return .other }
    return edges == old && startsM[0] == oldFirst ? .none : .extended
  }

  // Index of an edge on the path from here on: with a route by its index there, otherwise the first
  // match.
  private func place(_ edge: EdgeID, _ route: RouteAhead?) -> Int? {
    if let route, let routeStart {
      let index = route.current - routeStart
      if index >= current, index < edges.count, edges[index] == edge { return index }
    }
    return edges[current...].firstIndex(of: edge)
  }

  // Follows the route if it differs from the expected path; returns whether it did.
  private mutating func adopt(_ route: RouteAhead?) -> Bool {
    let start = route.map { $0.current - current }
    guard start != routeStart else { return false }
    routeStart = start
    cut(after: current)
    return true
  }

  // Turns onto a road off the path. What was driven until there is kept, so that objects on it are
  // passed.
  private mutating func turnOff(
    to position: RoadPosition, driven: [EdgeID], _ route: RouteAhead?, _ graph: RoadGraph
  ) {
    let way = driven.last == position.edge ? driven : [position.edge]
    let lengthM = graph.lengthM(position.edge)
    // The last edge of this path that the vehicle drove, or from which it may have left the path.
    let left =
      way.lastIndex { edges[current...].contains($0) }
      .flatMap { last in edges[current...].firstIndex(of: way[last]).map { (last + 1, $0) } }
      ?? edges.indices[current...].first { graph.head(edges[$0]) == graph.tail(way[0]) }
      .map { (0, $0) }
    // A vehicle that turns back on the road has not driven it to its end.
    guard let (first, index) = left, startsM[index + 1] - positionM < 2000,
      graph.twin(edges[index]) != way[first]
    else {
      self = MainPath(
        position.edge, offsetM: position.offsetM, at: positionM, lengthM: lengthM,
        routeStart: route?.current)
      return
    }
    cut(after: index)
    for edge in way[first...] { append(edge, lengthM: graph.lengthM(edge)) }
    move(to: edges.count - 1, offsetM: position.offsetM)
    routeStart = route.map { $0.current - current }
  }

  private mutating func extend(
    _ route: RouteAhead?, _ map: RoadMap, mode: TravelMode, aheadM: Double
  ) {
    guard reachM < positionM + aheadM, endM == nil else { return }
    let untilM = positionM + aheadM + Reach.stepM
    // A path that returns to an earlier edge adds nothing new, and may even have no length.
    var known = Set(edges[current...])
    while reachM < untilM, endM == nil {
      if let route, let routeStart {
        let next = routeStart + edges.count
        guard next < route.segments.count else {
          endM = route.segments.last.map { reachM - restM($0, map.graph) }
          return
        }
        guard let edge = map.edge(route.segments[next].reference) else { return }
        append(edge, lengthM: map.graph.lengthM(edge))
      } else {
        let next = likelyEdges(map.graph, mode: mode)
        guard !next.isEmpty else { return }
        for edge in next {
          guard known.insert(edge).inserted else { return }
          append(edge, lengthM: map.graph.lengthM(edge))
        }
      }
    }
  }

  // The likeliest continuation; in a roundabout up to the likeliest exit.
  private func likelyEdges(_ graph: RoadGraph, mode: TravelMode) -> [EdgeID] {
    guard let last = edges.last else { return [] }
    if LikelyRoad.isRoundabout(last, graph) {
      // Exits are judged by the road that led into the roundabout, if it is known.
      let entry = edges.last { !LikelyRoad.isRoundabout($0, graph) } ?? last
      let driven = edges.dropLast().reversed().prefix { LikelyRoad.isRoundabout($0, graph) }
      return Array(
        LikelyRoad.through(last, from: entry, driven: Set(driven), graph, mode: mode).dropFirst())
    }
    return LikelyRoad.wayOn(after: last, graph, mode: mode)
  }

  // Length of the part after the destination on the last edge.
  private func restM(_ segment: RouteSegment, _ graph: RoadGraph) -> Double {
    guard let last = edges.last else { return 0 }
    return max(0, graph.lengthM(last) - segment.entryOffsetM - segment.lengthM)
  }
}
