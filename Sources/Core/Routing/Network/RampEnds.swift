import Geodesy
import RoadGraph

/// Ramps that leave a motorway, trunk or primary road for a street, and those that lead from there
/// to the same road again.
///
/// A turn from such an exit onto such an entry leaves the road only to join it again. A ramp that
/// crosses a street on the way to another road is no such exit. Linear in the roads of these
/// classes, and in the edges that follow each exit for some kilometres.
struct RampEnds {
  /// Roads that ramps of their own classes lead to and from, and the streets below them.
  ///
  /// The service roads of a rest area end an exit of a motorway; a bus bay of a primary road is no
  /// street.
  private static let levels = [
    Level(roads: .motorway ... .trunk, streets: .primary ... .steps),
    Level(roads: .primary ... .primary, streets: .secondary ... .livingStreet),
  ]
  /// Metres after an exit in which the road may be joined again.
  private static let reachM = 5_000.0
  /// A road that bends by more than this is no longer the road that was left: a ramp may be the
  /// turn onto another one.
  private static let straightDeg = 60.0

  private let graph: RoadGraph
  private let traits: [EdgeTraits]
  private(set) var turns: Set<Turn> = []

  private struct Level {
    var roads: ClosedRange<RoadClass>
    var streets: ClosedRange<RoadClass>
  }

  /// From the last piece of an exit onto the first of an entry.
  struct Turn: Hashable {
    var exit: EdgeID
    var entry: EdgeID
  }

  init(_ graph: RoadGraph, _ traits: [EdgeTraits]) {
    self.graph = graph
    self.traits = traits
    for level in Self.levels { find(level) }
  }

  private mutating func find(_ level: Level) {
    for index in 0..<graph.edgeCount {
      let edge = EdgeID(index)
      guard isRoad(edge, level.roads, isLink: false) else { continue }
      let ramps = links(leaving: graph.head(edge), level)
      guard !ramps.isEmpty, !isStreet(graph.head(edge), level) else { continue }
      let ahead = nodes(after: edge, level)
      for exit in ends(of: ramps, level) {
        for entry in links(leaving: graph.head(exit), level)
        where leads(from: entry, to: ahead, level) {
          turns.insert(Turn(exit: exit, entry: entry))
        }
      }
    }
  }

  /// The last pieces of ramps, which end at a street.
  private func ends(of ramps: [EdgeID], _ level: Level) -> [EdgeID] {
    var (open, seen, found) = (ramps, Set<EdgeID>(), [EdgeID]())
    while let edge = open.popLast() {
      guard seen.insert(edge).inserted else { continue }
      if isStreet(graph.head(edge), level) {
        found.append(edge)
      } else {
        open += links(leaving: graph.head(edge), level)
      }
    }
    return found
  }

  /// Whether a ramp leads to one of the nodes and nowhere else.
  private func leads(from ramp: EdgeID, to nodes: Set<NodeID>, _ level: Level) -> Bool {
    var (here, seen) = (ramp, Set<EdgeID>())
    while seen.insert(here).inserted {
      let head = graph.head(here)
      if nodes.contains(head) { return true }
      let next = links(leaving: head, level)
      guard next.count == 1, !isStreet(head, level) else { return false }
      here = next[0]
    }
    return false
  }

  /// The nodes that a vehicle passes if it stays on the road, some kilometres after an edge.
  private func nodes(after edge: EdgeID, _ level: Level) -> Set<NodeID> {
    var (here, leftM, found) = (edge, Self.reachM, Set<NodeID>())
    let bearingDeg = endDeg(edge)
    while leftM > 0, let next = continuation(of: here, level),
      Angle.differenceDeg(bearingDeg, endDeg(next)) < Self.straightDeg
    {
      leftM -= graph.lengthM(next)
      guard found.insert(graph.head(next)).inserted else { break }
      here = next
    }
    return found
  }

  /// The road of the same classes that goes on most nearly straight; nil if none does.
  private func continuation(of edge: EdgeID, _ level: Level) -> EdgeID? {
    let (bearingDeg, back) = (endDeg(edge), graph.twin(edge))
    return graph.edges(leaving: graph.head(edge))
      .filter { $0 != back && isRoad($0, level.roads, isLink: false) }
      .map { (Angle.differenceDeg(bearingDeg, graph.bearingDeg($0, reachM: 20)), $0) }
      .filter { $0.0 < Self.straightDeg }
      .min { $0.0 < $1.0 }?.1
  }

  private func endDeg(_ edge: EdgeID) -> Double {
    graph.bearingDeg(edge, reachM: 20, atHead: true)
  }

  private func links(leaving node: NodeID, _ level: Level) -> [EdgeID] {
    graph.edges(leaving: node).filter { isRoad($0, level.roads, isLink: true) }
  }

  private func isRoad(_ edge: EdgeID, _ classes: ClosedRange<RoadClass>, isLink: Bool) -> Bool {
    let road = graph.attributes(edge)
    return classes.contains(road.roadClass) && road.flags.contains(.link) == isLink
      && traits[edge.index].isUsable
  }

  /// Whether a usable road of a lower class meets others at a node.
  private func isStreet(_ node: NodeID, _ level: Level) -> Bool {
    func isLower(_ edge: EdgeID) -> Bool {
      let road = graph.attributes(edge)
      return level.streets.contains(road.roadClass) && !road.flags.contains(.link)
        && traits[edge.index].isUsable
    }
    return graph.edges(leaving: node).contains(where: isLower)
      || graph.edges(entering: node).contains(where: isLower)
  }
}
