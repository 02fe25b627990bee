import Geodesy
import RoadGraph

/// A place on a road at which a location reference point may lie.
struct OpenLRCandidate {
  var position: RoadPosition
  /// Metres of penalty for the distance, the class and the form; the direction is judged on the path.
  var penaltyM: Double
}

/// Finds the candidates of location reference points: places on roads within 50 m, the lowest
/// penalty first.
///
/// Points lie at junctions of the publisher's map, so a place within 12 m of the end of an edge
/// stands for that junction. Other places within edges are candidates as well, because the
/// publisher's map may have a junction there; they cost 8 m.
struct OpenLRCandidates {
  /// Maximum distance of a road from a point.
  static let nearM = 50.0
  /// Maximum difference between the directions of a point and of a road.
  static let turnDeg = 75.0
  /// Metres from a point over which its direction is measured.
  static let bearingM = 20.0
  /// Maximum number of candidates of one point, the best ones.
  static let limit = 10
  private static let junctionM = 12.0
  private static let insideM = 8.0
  /// With fewer metres from a point, an edge does not determine the point's direction, since the
  /// next edge may turn.
  private static let straightM = 15.0
  /// Metres of penalty for a road class outside those that a level can mean, for one within them, for another form, and for a
  /// degree between directions.
  private static let classM = 15.0
  private static let otherClassM = 3.0
  private static let formM = 10.0
  static let degreeM = 0.5

  let graph: RoadGraph
  let isMeant: (EdgeID) -> Bool
  let reference: OpenLRReference

  /// The candidates of a point, and whether any road lies near it at all.
  func candidates(ofPoint number: Int) -> (candidates: [OpenLRCandidate], isRoadNear: Bool) {
    let point = reference.points[number]
    let isLast = number == reference.points.count - 1
    var isRoadNear = false
    var found: [(rankM: Double, candidate: OpenLRCandidate)] = []
    for near in graph.edges(near: point.at, withinM: Self.nearM) where isMeant(near.position.edge) {
      isRoadNear = true
      if let one = candidate(near, point, isLast: isLast) { found.append(one) }
    }
    found.sort {
      ($0.rankM, $0.candidate.position.edge) < ($1.rankM, $1.candidate.position.edge)
    }
    return (found.prefix(Self.limit).map(\.candidate), isRoadNear)
  }

  private func candidate(
    _ near: NearbyEdge, _ point: OpenLRReference.Point, isLast: Bool
  ) -> (rankM: Double, candidate: OpenLRCandidate)? {
    var position = near.position
    let lengthM = graph.lengthM(position.edge)
    // The line leaves the first points and reaches the last one: a junction at the other end
    // belongs to the next edge.
    let (ownM, otherM) =
      isLast
      ? (lengthM - position.offsetM, position.offsetM)
      : (position.offsetM, lengthM - position.offsetM)
    var awayM = near.distanceM
    if ownM < Self.junctionM {
      position.offsetM = isLast ? lengthM : 0
      let node = isLast ? graph.head(position.edge) : graph.tail(position.edge)
      awayM = point.at.distanceM(to: graph.coordinate(node))
    } else if otherM < Self.junctionM {
      return nil
    } else {
      awayM += Self.insideM
    }
    let restM = isLast ? position.offsetM : lengthM - position.offsetM
    var turnM = 0.0
    if restM >= Self.straightM {
      let metres = Double.minimum(Self.bearingM, restM)
      let there = RoadPosition(
        edge: position.edge, offsetM: position.offsetM + (isLast ? -metres : metres))
      let bearingDeg = graph.coordinate(position).bearingDeg(to: graph.coordinate(there))
      guard let penaltyM = turnPenaltyM(bearingDeg, point) else { return nil }
      turnM = penaltyM
    }
    let road = graph.attributes(position.edge)
    let isForm = (OpenLRFormOfWay(rawValue: point.form) ?? .undefined).fits(road)
    let penaltyM =
      awayM + Self.classPenaltyM(road.roadClass, point.roadClass)
      + (isForm ? 0 : Self.formM)
    return (penaltyM + turnM, OpenLRCandidate(position: position, penaltyM: penaltyM))
  }

  /// Metres of penalty for a direction; nil if it differs too much.
  func turnPenaltyM(_ bearingDeg: Double, _ point: OpenLRReference.Point) -> Double? {
    let turnDeg = Angle.differenceDeg(bearingDeg, point.bearingDeg)
    guard turnDeg <= Self.turnDeg else { return nil }
    return Self.degreeM * Double.maximum(0, turnDeg - reference.bearingToleranceDeg)
  }

  // MARK: Classes

  /// The road classes that a functional road class can mean, for publishers with eight levels and with five.
  private static let classes: [ClosedRange<Int>] = [
    0...0, 1...2, 2...3, 3...4, 4...7, 5...5, 6...6, 7...7,
  ]

  static func level(_ road: RoadClass) -> Int { min(7, Int(road.rawValue)) }

  private static func classPenaltyM(_ road: RoadClass, _ wanted: Int) -> Double {
    let (own, range) = (level(road), classes[min(7, max(0, wanted))])
    if range.contains(own) { return otherClassM * Double(min(3, abs(own - wanted))) }
    return classM * Double(own < range.lowerBound ? range.lowerBound - own : own - range.upperBound)
  }

  /// The least important class that a path may have if a reference contains `least`.
  static func leastLevel(_ least: Int) -> Int { classes[min(7, max(0, least))].upperBound }
}
