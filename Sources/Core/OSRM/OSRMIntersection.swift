import Geodesy
import RoadGraph

/// The roads that meet at one node, as an OSRM intersection.
struct OSRMIntersection {
  struct Arm {
    /// The piece of road and its end at this node, which distinguishes the two ends of a loop.
    var key: UInt64
    var bearingDeg: Int
    var isOpen: Bool
  }

  /// Sorted by bearing, starting with the first clockwise from north.
  private(set) var arms: [Arm] = []
  private let graph: RoadGraph
  private let mode: TravelMode

  /// The intersection at the end of `before`, as seen from that edge.
  init(_ graph: RoadGraph, _ mode: TravelMode, after before: EdgeID) {
    self.graph = graph
    self.mode = mode
    let node = graph.head(before)
    let restrictions = graph.restrictions(startingAt: before).filter {
      graph.columns.restrictionModes[$0].contains(mode)
    }.map { graph.restrictedSequence($0) }.filter { $0.count == 2 }
    for edge in graph.edges(leaving: node) where isUsable(edge) {
      let isForbidden = restrictions.contains { $0[1] == edge }
      add(
        Arm(
          key: key(edge, atTail: true), bearingDeg: bearing(edge, atTail: true),
          isOpen: !isForbidden && edge != graph.twin(before)))
    }
    for edge in graph.edges(entering: node) where isUsable(edge) {
      add(
        Arm(
          key: key(edge, atTail: false), bearingDeg: bearing(edge, atTail: false),
          isOpen: false))
    }
    arms.sort { ($0.bearingDeg, $0.key) < ($1.bearingDeg, $1.key) }
  }

  /// Whether more than one road leads on, so that there is a choice.
  var isJunction: Bool { arms.count > 2 }

  func index(entering edge: EdgeID) -> Int? { index(key(edge, atTail: false)) }
  func index(leaving edge: EdgeID) -> Int? { index(key(edge, atTail: true)) }

  private func index(_ key: UInt64) -> Int? { arms.firstIndex { $0.key == key } }

  private mutating func add(_ arm: Arm) {
    if let known = arms.firstIndex(where: { $0.key == arm.key }) {
      arms[known].isOpen = arms[known].isOpen || arm.isOpen
    } else {
      arms.append(arm)
    }
  }

  private func isUsable(_ edge: EdgeID) -> Bool {
    let road = graph.attributes(edge)
    return road.access(mode).isUsable && (road.crossingS > 0 || road.freeFlowMps(mode) > 0)
  }

  private func key(_ edge: EdgeID, atTail: Bool) -> UInt64 {
    let code = graph.columns.piece[edge.index]
    return UInt64(code >> 1) << 1 | ((code & 1 == 0) != atTail ? 1 : 0)
  }

  /// Direction in which an edge leads away from one of its ends, in whole degrees.
  private func bearing(_ edge: EdgeID, atTail: Bool) -> Int {
    let shape = graph.shape(edge)
    return Self.bearing(along: atTail ? shape : shape.reversed())
  }

  /// The direction of the first ten metres of a line, so that a kink at its start does not count.
  static func bearing(along points: [Coordinate]) -> Int {
    guard let first = points.first else { return 0 }
    let target = points.dropFirst().first { $0.distanceM(to: first) >= 10 } ?? points.last
    return whole(first.bearingDeg(to: target ?? first))
  }

  /// 0 to 359.
  static func whole(_ degrees: Double) -> Int { Int(degrees.rounded()) % 360 }
}
