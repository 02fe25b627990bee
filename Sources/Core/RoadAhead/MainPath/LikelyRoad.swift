import Geodesy
public import RoadGraph

/// The road that a driver most likely takes at a junction when there is no route.
public enum LikelyRoad {
  /// One possible continuation after an edge.
  public struct Branch: Hashable, Sendable {
    public var edge: EdgeID
    /// 0 to 1; the probabilities of all continuations add up to 1.
    public var probability: Double
    /// Right is positive, from -180 to 180.
    public var angleDeg: Double
  }

  /// The continuations after the end of an edge, the likeliest first; empty at a dead end.
  ///
  /// Turning back is not included. Turns that are forbidden from this one edge are left out.
  public static func branches(after edge: EdgeID, _ graph: RoadGraph, mode: TravelMode) -> [Branch]
  {
    let from = graph.attributes(edge)
    let node = graph.head(edge)
    let back = graph.twin(edge)
    var forbidden: Set<EdgeID> = []
    for restriction in graph.restrictions(startingAt: edge)
    where graph.columns.restrictionModes[restriction].contains(mode) {
      let sequence = graph.restrictedSequence(restriction)
      if sequence.count == 2 { forbidden.insert(sequence[1]) }
    }
    let beforeDeg = graph.coordinate(edge, reachM: 15, fromHead: true)
      .bearingDeg(to: graph.coordinate(node))
    var found: [Branch] = []
    for next in graph.edges(leaving: node) where next != back && !forbidden.contains(next) {
      let onto = graph.attributes(next)
      guard onto.freeFlowMps(mode) > 0 || (onto.crossingS > 0 && onto.access(mode).isUsable) else {
        continue
      }
      let afterDeg = graph.coordinate(node).bearingDeg(to: graph.coordinate(next, reachM: 15))
      let angle = Angle.turnDeg(from: beforeDeg, to: afterDeg)
      found.append(
        Branch(edge: next, probability: weight(from, onto, angleDeg: angle, mode), angleDeg: angle))
    }
    let total = found.reduce(0) { $0 + $1.probability }
    for index in found.indices { found[index].probability /= total }
    return found.sorted { ($0.probability, $1.edge) > ($1.probability, $0.edge) }
  }

  /// The likeliest continuation, through a roundabout up to the likeliest exit; empty at a dead
  /// end.
  static func wayOn(after edge: EdgeID, _ graph: RoadGraph, mode: TravelMode) -> [EdgeID] {
    guard let next = branches(after: edge, graph, mode: mode).first else { return [] }
    return isRoundabout(next.edge, graph) && !isRoundabout(edge, graph)
      ? through(next.edge, from: edge, driven: [], graph, mode: mode) : [next.edge]
  }

  /// How well one edge continues another; a weight for comparison with other edges.
  static func weight(
    from: EdgeID, onto: EdgeID, _ graph: RoadGraph, mode: TravelMode
  ) -> Double {
    let turnDeg = Angle.turnDeg(
      from: graph.bearingDeg(from, reachM: 15, atHead: true),
      to: graph.bearingDeg(onto, reachM: 15))
    return weight(graph.attributes(from), graph.attributes(onto), angleDeg: turnDeg, mode)
  }

  static func isRoundabout(_ edge: EdgeID, _ graph: RoadGraph) -> Bool {
    graph.attributes(edge).flags.contains(.roundabout)
  }

  /// The path round a roundabout from its edge `first` to the likeliest exit after `entry`, and
  /// that exit.
  ///
  /// If there is no exit, the path ends before the edges in `driven`. Linear in the edges of the
  /// roundabout.
  static func through(
    _ first: EdgeID, from entry: EdgeID, driven: Set<EdgeID>, _ graph: RoadGraph, mode: TravelMode
  ) -> [EdgeID] {
    var ring: [EdgeID] = []
    var seen = driven
    var best: (weight: Double, way: [EdgeID])?
    let road = graph.attributes(entry)
    let beforeDeg = graph.coordinate(entry, reachM: 15, fromHead: true)
      .bearingDeg(to: graph.coordinate(graph.head(entry)))
    var next: EdgeID? = first
    while let edge = next, seen.insert(edge).inserted {
      ring.append(edge)
      let branches = branches(after: edge, graph, mode: mode)
      next = branches.first { isRoundabout($0.edge, graph) }?.edge
      for exit in branches where !isRoundabout(exit.edge, graph) && exit.edge != graph.twin(entry) {
        let afterDeg = graph.coordinate(graph.head(edge))
          .bearingDeg(to: graph.coordinate(exit.edge, reachM: 15))
        let weight = weight(
          road, graph.attributes(exit.edge), angleDeg: Angle.turnDeg(from: beforeDeg, to: afterDeg),
          mode)
        if weight > best?.weight ?? 0 { best = (weight, ring + [exit.edge]) }
      }
    }
    return best?.way ?? ring
  }

  /// Drivers tend to stay on their road: same name or number first, then its class, then straight
  /// on.
  private static func weight(
    _ from: RoadAttributes, _ onto: RoadAttributes, angleDeg: Double, _ mode: TravelMode
  ) -> Double {
    let turn = abs(angleDeg)
    var weight = turn < 20 ? 1 : turn < 50 ? 0.6 : turn < 120 ? 0.25 : 0.05
    let sharesName = !from.name.isEmpty && from.name == onto.name
    let sharesNumber = !from.number.isEmpty && from.number == onto.number
    if sharesName || sharesNumber { weight *= 4 }
    let step = Int(onto.roadClassRaw) - Int(from.roadClassRaw)
    if step > 0 { weight *= step > 2 ? 0.15 : 0.5 }
    if onto.flags.contains(.link), !from.flags.contains(.link) { weight *= 0.2 }
    if onto.flags.contains(.roundabout), from.flags.contains(.roundabout) { weight *= 2 }
    if !onto.access(mode).allowsThrough, from.access(mode).allowsThrough { weight *= 0.1 }
    if onto.roadClass >= .service, from.roadClass < .service { weight *= 0.3 }
    return weight
  }
}
