import Geodesy
import RoadGraph
import Route

/// Roundabouts: one maneuver from entry to exit, with exits counted as drivers count them.
///
/// A ring that is so small that it looks like a crossing is a turn.
struct RoundaboutRule: ManeuverRule {
  /// Rings shorter than this all the way round count as crossings.
  static let crossingM = 25.0

  func applies(_ junction: Junction) -> Bool {
    !junction.from.isRoundabout && junction.onto.isRoundabout
  }

  func maneuver(_ junction: Junction) -> Finding? {
    let path = junction.path
    let first = junction.index
    let exit = path.edges.indices[first...].first { !path.road($0).isRoundabout }
    let ring = RoundaboutRing(from: path.edges[first], path.graph)
    guard let exit else { return Finding(.roundabout(exit: 0), junction) }
    var finding = Finding(.roundabout(exit: 0), junction, lastSegment: exit)
    let outDeg = path.startBearingDeg(path.edges[exit])
    if ring.lengthM < Self.crossingM || Self.isAgainstFlow(first, path) {
      let angleDeg = Angle.turnDeg(from: junction.bearingBeforeDeg, to: outDeg)
      let grade = TurnGrade(angleDeg: angleDeg)
      let (entry, out) = (path.edges[first - 1], path.edges[exit])
      let isBack = path.graph.twin(entry) == out || path.isOneRoad(entry, out)
      finding.action =
        abs(angleDeg) > 165 && isBack
        ? .uTurn(junction.isLeftHand ? .right : .left) : .turn(grade)
      finding.turnAngleDeg = angleDeg
      return finding
    }
    finding.action = .roundabout(exit: exitCount(first, exit, path))
    finding.turnAngleDeg = nil
    finding.roundaboutAngleDeg = ring.angleDeg(
      from: path.graph.coordinate(path.graph.tail(path.edges[first])),
      to: path.graph.coordinate(path.graph.tail(path.edges[exit])),
      isLeftHand: junction.isLeftHand)
    return finding
  }

  /// Number of exits up to and including the one taken, as drivers count them.
  private func exitCount(_ first: Int, _ exit: Int, _ path: PathContext) -> Int {
    let (ring, out) = (path.road(first), path.road(exit))
    func isExit(_ edge: EdgeID) -> Bool { Self.isSeen(edge, from: ring, taking: out, path) }
    // A street that leaves where the path enters is passed as well.
    var count = path.graph.edges(leaving: path.graph.tail(path.edges[first])).count { edge in
      edge != path.edges[first] && edge != path.graph.twin(path.edges[first - 1])
        && isExit(edge)
    }
    for index in first..<exit {
      let node = path.graph.head(path.edges[index])
      for edge in path.graph.edges(leaving: node) {
        if edge == path.edges[exit] {
          count += index == exit - 1 ? 1 : 0
        } else if index < exit - 1, isExit(edge) {
          // A road that leaves at the same place as the path, but farther round, has not been
          // passed.
          count += 1
        }
      }
    }
    return max(1, count)
  }

  /// Whether an edge of a ring is walked against its traffic; exits are then not counted, and turns
  /// go by the angle.
  static func isAgainstFlow(_ index: Int, _ path: PathContext) -> Bool {
    let edge = path.edges[index]
    guard !path.mode.isMotorised, path.graph.attributes(edge).flags.contains(.oneWay),
      let twin = path.graph.twin(edge)
    else { return false }
    return !isForMotors(edge, path.graph) && isForMotors(twin, path.graph)
  }

  private static func isForMotors(_ edge: EdgeID, _ graph: RoadGraph) -> Bool {
    let road = graph.attributes(edge)
    return TravelMode.allCases.contains { $0.isMotorised && road.access($0).isUsable }
  }

  /// Whether drivers count a road that leaves the ring as an exit.
  ///
  /// Streets count, even if the vehicle may not enter them. Service roads count in a ring of
  /// service roads, or if the route leaves by one. Tracks, driveways and paths count only if the
  /// route leaves by a road of their kind.
  static func isSeen(
    _ edge: EdgeID, from ring: RoadAttributes, taking out: RoadAttributes, _ path: PathContext
  ) -> Bool {
    let road = path.graph.attributes(edge)
    guard !road.isRoundabout, !road.flags.contains(.ferry), !isEntryOnly(edge, path.graph) else {
      return false
    }
    let isDrive = road.flags.contains(.driveway) || road.flags.contains(.parkingAisle)
    switch road.roadClass {
    case _ where isDrive:
      return path.isUsable(edge)
        && (out.flags.contains(.driveway) || out.flags.contains(.parkingAisle))
    case .service:
      let isBusway = road.access(.bus).isUsable && !road.access(.car).isUsable
      return isBusway || ring.roadClass == .service || out.roadClass >= .service
    case .track, .cycleway, .path, .steps:
      return out.roadClass >= road.roadClass && path.isUsable(edge)
    default: return true
    }
  }

  /// Whether motor vehicles may drive from a road into the ring, but may not leave the ring by it.
  private static func isEntryOnly(_ edge: EdgeID, _ graph: RoadGraph) -> Bool {
    guard graph.attributes(edge).flags.contains(.oneWay), !isForMotors(edge, graph),
      let twin = graph.twin(edge)
    else { return false }
    return isForMotors(twin, graph)
  }
}
