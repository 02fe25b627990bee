import RoadGraph
public import Route

/// What a route tells of the way ahead: its segments, and the one that the vehicle is on.
public struct RouteAhead: Hashable, Sendable {
  public var segments: [RouteSegment]
  public var current: Int

  public init(segments: [RouteSegment], current: Int) {
    self.segments = segments
    self.current = current
  }
}

extension MainPath {
  /// How far the way is known ahead and kept behind, in metres.
  struct Reach: Hashable, Sendable {
    var aheadM: Double
    var trailM: Double
  }

  /// Whether the way is the same one still, as far as it was known.
  enum Change: Hashable, Sendable {
    case none
    case extended
    case other
  }

  /// Whether a place lies on the way from here on, at most `leapM` ahead.
  func reaches(_ position: RoadPosition, withinM leapM: Double) -> Bool {
    edges.indices[current...].contains {
      edges[$0] == position.edge && startsM[$0] + position.offsetM <= positionM + leapM
    }
  }

  /// Goes to a place on the network, along the way where that lies on it within `leapM`.
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
      // Nothing drives so fast: what lies between was not driven by.
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

  // Where an edge lies on the way from here on: with a route by its count, else the first time.
  private func place(_ edge: EdgeID, _ route: RouteAhead?) -> Int? {
    if let route, let routeStart {
      let index = route.current - routeStart
      if index >= current, index < edges.count, edges[index] == edge { return index }
    }
    return edges[current...].firstIndex(of: edge)
  }

  // Takes the route's way on where it is another one than was thought; says whether it was.
  private mutating func adopt(_ route: RouteAhead?) -> Bool {
    let start = route.map { $0.current - current }
    guard start != routeStart else { return false }
    routeStart = start
    cut(after: current)
    return true
  }

  // Onto a road beside the way: what was driven until there stays, so that what lies on it is passed.
  private mutating func turnOff(
    to position: RoadPosition, driven: [EdgeID], _ route: RouteAhead?, _ graph: RoadGraph
  ) {
    let way = driven.last == position.edge ? driven : [position.edge]
    let lengthM = graph.lengthM(position.edge)
    // The last edge of ours that the drive used, or that it may have left by.
    let left =
      way.lastIndex { edges[current...].contains($0) }
      .flatMap { last in edges[current...].firstIndex(of: way[last]).map { (last + 1, $0) } }
      ?? edges.indices[current...].first { graph.head(edges[$0]) == graph.tail(way[0]) }
      .map { (0, $0) }
    // Who turns back on the road has not driven it to its end.
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
    // A way that comes back to where it was tells nothing new, and may be of no length at all.
    var known = Set(edges[current...])
    while reachM < positionM + aheadM, endM == nil {
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

  // The likeliest way on; in a roundabout as far as the likeliest exit.
  private func likelyEdges(_ graph: RoadGraph, mode: TravelMode) -> [EdgeID] {
    guard let last = edges.last else { return [] }
    if LikelyRoad.isRoundabout(last, graph) {
      // Exits are judged by the road that was left for the roundabout, where it is known.
      let entry = edges.last { !LikelyRoad.isRoundabout($0, graph) } ?? last
      let driven = edges.dropLast().reversed().prefix { LikelyRoad.isRoundabout($0, graph) }
      return Array(
        LikelyRoad.through(last, from: entry, driven: Set(driven), graph, mode: mode).dropFirst())
    }
    return LikelyRoad.wayOn(after: last, graph, mode: mode)
  }

  // What lies behind the destination on the last edge.
  private func restM(_ segment: RouteSegment, _ graph: RoadGraph) -> Double {
    guard let last = edges.last else { return 0 }
    return max(0, graph.lengthM(last) - segment.entryOffsetM - segment.lengthM)
  }
}
