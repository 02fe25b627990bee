import Geodesy
import RealModule
import RoadGraph

/// The road that a vehicle will probably drive: along its route, otherwise where the road leads.
///
/// Legs are computed on request; each costs a look at the roads that leave one junction.
struct ReckonedPath: Sendable {
  struct Leg: Hashable, Sendable {
    var edge: EdgeID
    /// Metres from the vehicle's last known position to the start of the edge; at most 0 for the
    /// first.
    var startM: Double
    var endM: Double
    /// Usual speed on it.
    var usualMps: Double
    /// Maximum speed that live traffic allows; infinite if none is known.
    var trafficMps: Double
    var isTunnel: Bool
    /// Probability that the vehicle reaches it, given its last position.
    var belief: Double
    /// Index on the route; nil off the route.
    var onRoute: Int?
  }

  private let graph: RoadGraph
  private let mode: TravelMode
  private let course: RouteCourse?
  private(set) var legs: [Leg]
  /// Whether no road leads on.
  private(set) var isClosed = false

  /// Probability that a vehicle follows the route at a junction.
  private static let obedience = 0.97
  /// Turn angle in degrees that makes a road less likely by a factor of the square root of e.
  private static let turnSigmaDeg = 20.0
  /// Factor by which staying on the same way is more likely.
  private static let sameWayFactor = 3.0

  /// The road ahead of `position`; `onRoute` is its index on `course`, nil off the route.
  init(
    from position: RoadPosition, onRoute: Int?, course: RouteCourse?, graph: RoadGraph,
    mode: TravelMode
  ) {
    self.graph = graph
    self.mode = mode
    self.course = course
    legs = []
    append(position.edge, startM: -position.offsetM, belief: 1, onRoute: onRoute)
  }

  /// The index of the leg that contains a position `metres` ahead, from leg `first` on.
  ///
  /// If the road ends before that position, it is the last leg.
  mutating func leg(atM metres: Double, from first: Int) -> Int {
    var number = first
    while metres > legs[number].endM {
      if number + 1 == legs.count, !extend() { break }
      number += 1
    }
    return number
  }

  private mutating func extend() -> Bool {
    guard !isClosed, let last = legs.last else { return false }
    if let number = last.onRoute, let course, course.isEnd(number) {
      // A vehicle that has arrived does not drive on.
      isClosed = true
      return false
    }
    let others = continuations(of: last.edge)
    if let number = last.onRoute, let next = course?.edge(number + 1),
      graph.tail(next) == graph.head(last.edge)
    {
      append(
        next, startM: last.endM,
        belief: last.belief * (others.count > 1 ? Self.obedience : 1), onRoute: number + 1)
      return true
    }
    let total = others.reduce(0) { $0 + $1.weight }
    guard let next = others.max(by: { ($0.weight, $1.edge) < ($1.weight, $0.edge) }), total > 0
    else {
      isClosed = true
      return false
    }
    append(
      next.edge, startM: last.endM, belief: last.belief * next.weight / total,
      onRoute: course?.number(of: next.edge, from: 0))
    return true
  }

  private mutating func append(_ edge: EdgeID, startM: Double, belief: Double, onRoute: Int?) {
    let attributes = graph.attributes(edge)
    legs.append(
      Leg(
        edge: edge, startM: startM, endM: startM + graph.lengthM(edge),
        usualMps: Double.maximum(1, attributes.freeFlowMps(mode)),
        trafficMps: onRoute.flatMap { course?.trafficMps($0) } ?? .infinity,
        isTunnel: attributes.flags.contains(.tunnel), belief: belief, onRoute: onRoute))
  }

  /// The roads that lead on after `edge`, weighted by how straight they are.
  ///
  /// Turning back and forbidden turns are not included.
  private func continuations(of edge: EdgeID) -> [(edge: EdgeID, weight: Double)] {
    let end = graph.bearingDeg(RoadPosition(edge: edge, offsetM: graph.lengthM(edge)))
    let way = graph.columns.way(edge)
    let twin = graph.twin(edge)
    let restrictions = graph.restrictions(startingAt: edge)
    return graph.edges(leaving: graph.head(edge)).compactMap { next in
      guard next != twin, graph.attributes(next).access(mode).allowsThrough,
        !restrictions.contains(where: { isRestriction($0, onto: next) })
      else { return nil }
      let turn =
        Angle.differenceDeg(end, graph.bearingDeg(RoadPosition(edge: next, offsetM: 0)))
        / Self.turnSigmaDeg
      let weight = Double.exp(-Double.minimum(turn * turn / 2, 40))
      return (next, graph.columns.way(next) == way ? weight * Self.sameWayFactor : weight)
    }
  }

  private func isRestriction(_ index: Int, onto next: EdgeID) -> Bool {
    guard graph.columns.restrictionModes[index].contains(mode) else { return false }
    let sequence = graph.restrictedSequence(index)
    return sequence.count == 2 && sequence[1] == next
  }
}
