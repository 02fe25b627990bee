import Geodesy
import RoadGraph

/// Ramps that leave a motorway, trunk or primary road for a street, and those that lead from there
/// to the same road again.
///
/// A turn from such an exit onto such an entry leaves the road only to join it again. A ramp that
/// crosses a street on the way to another road is no such exit. Linear in the roads of these
/// classes, and in the edges that follow each exit for some kilometres.
struct RampEnds {
  /// Roads that ramps of their own classes lead to and from.
  private static let classes: [ClosedRange<RoadClass>] = [
    .motorway ... .trunk, .primary ... .primary,
  ]
  /// Metres after an exit in which the road may be joined again.
  private static let reachM = 5_000.0
  /// A road that bends by more than this is no longer the road that was left: a ramp may be the
  /// turn onto another one.
  private static let straightDeg = 60.0

  private let graph: RoadGraph
  private let traits: [EdgeTraits]
  private(set) var turns: Set<Turn> = []

  /// From the last piece of an exit onto the first of an entry.
  struct Turn: Hashable {
    var exit: EdgeID
    var entry: EdgeID
  }

  init(_ graph: RoadGraph, _ traits: [EdgeTraits]) {
    self.graph = graph
    self.traits = traits
    for classes in Self.classes { find(classes) }
  }

  private mutating func find(_ classes: ClosedRange<RoadClass>) {
    for index in 0..<graph.edgeCount {
      let edge = EdgeID(index)
      guard isRoad(edge, classes, isLink: false) else { continue }
      let ramps = links(leaving: graph.head(edge), classes)
      guard !ramps.isEmpty, !isStreet(graph.head(edge), below: classes) else { continue }
      let ahead = nodes(after: edge, classes)
      for exit in ends(of: ramps, classes) {
        for entry in links(leaving: graph.head(exit), classes)
        where leads(from: entry, to: ahead, classes) {
          turns.insert(Turn(exit: exit, entry: entry))
        }
      }
    }
  }

  /// The last pieces of ramps, which end at a street.
  private func ends(of ramps: [EdgeID], _ classes: ClosedRange<RoadClass>) -> [EdgeID] {
    var (open, seen, found) = (ramps, Set<EdgeID>(), [EdgeID]())
    while let edge = open.popLast() {
      guard seen.insert(edge).inserted else { continue }
      if isStreet(graph.head(edge), below: classes) {
        found.append(edge)
      } else {
        open += links(leaving: graph.head(edge), classes)
      }
    }
    return found
  }

  /// Whether a ramp leads to one of the nodes without passing another street.
  private func leads(
    from ramp: EdgeID, to nodes: Set<NodeID>, _ classes: ClosedRange<RoadClass>
  ) -> Bool {
    var (open, seen) = ([ramp], Set<EdgeID>())
    while let edge = open.popLast() {
      guard seen.insert(edge).inserted else { continue }
      let head = graph.head(edge)
      if nodes.contains(head) { return true }
      if !isStreet(head, below: classes) { open += links(leaving: head, classes) }
    }
    return false
  }

  /// The nodes that a vehicle passes if it stays on the road, some kilometres after an edge.
  private func nodes(after edge: EdgeID, _ classes: ClosedRange<RoadClass>) -> Set<NodeID> {
    var (here, leftM, found) = (edge, Self.reachM, Set<NodeID>())
    let bearingDeg = endDeg(edge)
    while leftM > 0, let next = continuation(of: here, classes),
      Angle.differenceDeg(bearingDeg, endDeg(next)) < Self.straightDeg
    {
      leftM -= graph.lengthM(next)
      guard found.insert(graph.head(next)).inserted else { break }
      here = next
    }
    return found
  }

  /// The road of the same classes that goes on most nearly straight; nil if none does.
  private func continuation(of edge: EdgeID, _ classes: ClosedRange<RoadClass>) -> EdgeID? {
    let (bearingDeg, back) = (endDeg(edge), graph.twin(edge))
    return graph.edges(leaving: graph.head(edge))
      .filter { $0 != back && isRoad($0, classes, isLink: false) }
      .map { (Angle.differenceDeg(bearingDeg, graph.bearingDeg($0, reachM: 20)), $0) }
      .filter { $0.0 < Self.straightDeg }
      .min { $0.0 < $1.0 }?.1
  }

  private func endDeg(_ edge: EdgeID) -> Double {
    graph.bearingDeg(edge, reachM: 20, atHead: true)
  }

  private func links(leaving node: NodeID, _ classes: ClosedRange<RoadClass>) -> [EdgeID] {
    graph.edges(leaving: node).filter { isRoad($0, classes, isLink: true) }
  }

  private func isRoad(_ edge: EdgeID, _ classes: ClosedRange<RoadClass>, isLink: Bool) -> Bool {
    let road = graph.attributes(edge)
    return classes.contains(road.roadClass) && road.flags.contains(.link) == isLink
      && traits[edge.index].isUsable
  }

  /// Whether a usable road of a lower class meets others at a node.
  private func isStreet(_ node: NodeID, below classes: ClosedRange<RoadClass>) -> Bool {
    func isLower(_ edge: EdgeID) -> Bool {
      let road = graph.attributes(edge)
      return road.roadClass > classes.upperBound && !road.flags.contains(.link)
        && traits[edge.index].isUsable
    }
    return graph.edges(leaving: node).contains(where: isLower)
      || graph.edges(entering: node).contains(where: isLower)
  }
}
