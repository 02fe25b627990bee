import Geodesy
import RoadGraph
import Route

/// A place where the path goes from one edge to the next, with the other roads that lead on.
struct Junction {
  /// A piece of road shorter than this is not a road of its own.
  private static let pieceM = 30.0

  let path: PathContext
  /// Index of the edge after the junction; the edge before it is `index - 1`.
  let index: Int
  let from: RoadAttributes
  let onto: RoadAttributes
  let bearingBeforeDeg: Double
  let bearingAfterDeg: Double
  /// Right is positive, from -180 to 180.
  let angleDeg: Double
  /// The other roads that the vehicle may use, from left to right.
  let others: [Branch]
  /// Visible streets that may not be entered: one-way roads that lead to the junction.
  let barred: [Barred]
  /// Streets that lead on but are closed to the vehicle in both directions, such as a bus gate.
  let closed: [Closed]

  /// A road leading on that the path does not take.
  struct Branch {
    var edge: EdgeID
    var angleDeg: Double
    var road: RoadAttributes
    /// Whether it is so minor compared to the path's roads that it cannot be mistaken for the
    /// continuation.
    var isNegligible: Bool
    /// Whether it has the name or a number of the road before the junction, or is the same unnamed
    /// road.
    var continuesName: Bool
    /// Whether it is the other arm of the road taken.
    var joinsOnto: Bool
    /// Whether its class is at least two levels below that of the road taken.
    var isLesser: Bool
  }

  /// A street that may not be entered.
  struct Barred {
    var angleDeg: Double
    /// Whether it is the other arm of the road taken.
    var joinsOnto: Bool
  }

  /// A street that is open only to other vehicles.
  struct Closed {
    var angleDeg: Double
    var road: RoadAttributes
  }

  init(_ path: PathContext, _ index: Int) {
    self.path = path
    self.index = index
    let before = path.edges[index - 1]
    let after = path.edges[index]
    from = path.road(index - 1)
    onto = path.road(index)
    // Adding 0 turns -0 into 0, because -0 is lost when the state is handed over.
    bearingBeforeDeg = path.bearingBeforeDeg(at: index) + 0
    bearingAfterDeg = path.bearingAfterDeg(at: index) + 0
    let isTurnBack = path.graph.twin(before) == after
    angleDeg =
      isTurnBack ? 180 : Angle.turnDeg(from: bearingBeforeDeg, to: bearingAfterDeg)
    var others: [Branch] = []
    var closed: [Closed] = []
    for edge in path.graph.edges(leaving: path.graph.head(before))
    where edge != after && edge != path.graph.twin(before) && !path.isDouble(edge, of: after) {
      let road = path.graph.attributes(edge)
      guard path.isUsable(edge) else {
        if path.isClosedStreet(edge) {
          let angleDeg = Angle.turnDeg(from: bearingBeforeDeg, to: path.startBearingDeg(edge))
          closed.append(Closed(angleDeg: angleDeg, road: road))
        }
        continue
      }
      let otherDeg = Angle.turnDeg(from: bearingBeforeDeg, to: path.startBearingDeg(edge))
      // Both arms past an island lead on, so the other arm is not a separate road.
      if max(abs(otherDeg), abs(angleDeg)) < Island.spreadDeg,
        Island.isArm(edge, of: path, at: index)
      {
        continue
      }
      others.append(
        Branch(
          edge: edge, angleDeg: otherDeg, road: road,
          isNegligible: Self.isNegligible(road, from, onto, path.mode),
          continuesName: path.isOneRoad(before, edge),
          joinsOnto: path.isOneRoad(edge, after),
          isLesser: road.roadClassRaw >= onto.roadClassRaw + 2))
    }
    if others.count > 1 { others.sort { $0.angleDeg < $1.angleDeg } }
    self.others = others
    self.closed = closed
    let bearingDeg = bearingBeforeDeg
    barred = path.edgesBarred(at: index).map {
      Barred(
        angleDeg: Angle.turnDeg(from: bearingDeg, to: path.endBearingDeg($0) + 180),
        joinsOnto: path.isOneRoad($0, after))
    }
  }

  var node: NodeID { path.graph.tail(path.edges[index]) }
  var isLeftHand: Bool { onto.flags.contains(.leftHand) }
  /// Whether the road keeps its name; its number decides only if it has no name before or after.
  var keepsName: Bool { holds(path.keepsName) }
  var continuesName: Bool { holds(path.isOneRoad) }
  /// Whether both roads have names, and the names sound different.
  var changesName: Bool {
    !from.name.isEmpty && !onto.name.isEmpty && !path.isSameName(from, onto)
  }

  // A short piece with another name, as where carriageways meet, is part of the road that continues
  // after it.
  private func holds(_ isSame: (EdgeID, EdgeID) -> Bool) -> Bool {
    let (before, after) = (path.edges[index - 1], path.edges[index])
    if isSame(before, after) { return true }
    guard index + 1 < path.edges.count, !from.isNameless, path.graph.lengthM(after) < Self.pieceM
    else { return false }
    return isSame(before, path.edges[index + 1])
  }

  /// Whether the path ends at another road, which also continues to the other side or comes from
  /// there.
  var joinsAnotherRoad: Bool { !continuesName && comesToArms }

  /// The same, but also if the two roads have a number in common.
  var comesToAnotherRoad: Bool {
    (changesName || !continuesName) && comesToArms
  }

  private var comesToArms: Bool {
    let arms =
      rivals.filter(\.joinsOnto).map(\.angleDeg) + barred.filter(\.joinsOnto).map(\.angleDeg)
    return arms.contains { $0 * angleDeg < 0 || Angle.differenceDeg($0, angleDeg) > 130 }
  }

  /// The other roads that a driver could mistake for the path.
  var rivals: [Branch] { others.filter { !$0.isNegligible } }

  static func isNegligible(
    _ road: RoadAttributes, _ from: RoadAttributes, _ onto: RoadAttributes, _ mode: TravelMode
  ) -> Bool {
    if road.flags.contains(.ferry) { return true }
    let least = max(from.roadClass, onto.roadClass)
    if road.access(mode) == .private && onto.access(mode) != .private { return true }
    if road.isByWay && !onto.isByWay && !from.isByWay { return true }
    if road.flags.contains(.driveway) || road.flags.contains(.parkingAisle) {
      return !onto.flags.contains(.driveway) && !onto.flags.contains(.parkingAisle)
    }
    return road.roadClass.rawValue >= least.rawValue + 3
  }
}

/// The result of a rule: the action, and which edges of the path it spans.
struct Finding {
  var action: ManeuverAction
  /// Index of the first edge after the place.
  var segment: Int
  /// Index of the first edge of the road that it leads onto.
  var lastSegment: Int
  var turnAngleDeg: Double?
  var roundaboutAngleDeg: Double?
  var bearingBeforeDeg: Double
  var bearingAfterDeg: Double
  /// Indices of the edges at whose start an exit is passed, if the path begins in the roundabout.
  var passedExits: [Int] = []
  /// Whether nothing needs to be spoken there.
  var isPlain = false

  init(_ action: ManeuverAction, _ junction: Junction, lastSegment: Int? = nil) {
    self.action = action
    segment = junction.index
    self.lastSegment = lastSegment ?? junction.index
    turnAngleDeg = junction.angleDeg
    bearingBeforeDeg = junction.bearingBeforeDeg
    bearingAfterDeg = junction.bearingAfterDeg
  }
}

/// One family of maneuvers.
///
/// Rules are evaluated in a fixed order, and the first one that applies decides the instruction for
/// a junction.
protocol ManeuverRule {
  func applies(_ junction: Junction) -> Bool
  /// nil if a closer check finds that no instruction is needed.
  func maneuver(_ junction: Junction) -> Finding?
}
