import Geodesy
import Positioning
import RoadGraph

/// A place on a road at which a fix may have been taken, with a direction of travel.
struct Candidate: Hashable, Sendable, BitwiseCopyable {
  var directed: DirectedEdge
  /// Metres from the fix, stored in the four bytes that a `DirectedEdge` leaves free.
  private var metres: Float
  /// Metres from the start of travel along the edge.
  var offsetM: Double
  var coordinate: Coordinate
  var course: DirectionVector

  init(
    directed: DirectedEdge, offsetM: Double, coordinate: Coordinate, distanceM: Double,
    course: DirectionVector
  ) {
    self.directed = directed
    metres = Float(distanceM)
    self.offsetM = offsetM
    self.coordinate = coordinate
    self.course = course
  }

  /// Metres from the fix.
  @inline(__always) var distanceM: Double {
    get { Double(metres) }
    set { metres = Float(newValue) }
  }

  @inline(__always) var state: TravelState { directed.state }

  /// Direction of travel, clockwise from north.
  var bearingDeg: Double { course.bearingDeg }
}

/// A direction as a vector: the degrees are computed only for the few that need them.
struct DirectionVector: Hashable, Sendable, BitwiseCopyable {
  var toEast: Float
  var toNorth: Float

  init(toEast: Float, toNorth: Float) {
    self.toEast = toEast
    self.toNorth = toNorth
  }

  init(bearingDeg: Double) {
    let step = PlanePoint(bearingDeg: bearingDeg, lengthM: 1)
    self.init(toEast: Float(step.eastM), toNorth: Float(step.northM))
  }

  var reversed: DirectionVector { DirectionVector(toEast: -toEast, toNorth: -toNorth) }

  /// Clockwise from north, 0 ..< 360.
  var bearingDeg: Double {
    LocalPlane.bearingDeg(eastM: Double(toEast), northM: Double(toNorth))
  }
}

extension MatchingNetwork {
  /// Returns the places within the radius that the mode may use, the nearest first.
  ///
  /// A place at the very start of an edge is left out if another road ends at the same node. At the
  /// node the vehicle is still on the road that led there, or about to follow `route`. States in
  /// `previous` are kept, so that a road once taken is not lost at a node.
  func candidates(
    near place: Coordinate, previous: [Candidate], route: Set<EdgeID> = [], tuning: MatcherTuning
  ) -> [Candidate] {
    let model = MatchingModel(network: self, tuning: tuning)
    return model.scratchPool.lend { scratch in
      previous.withUnsafeBufferPointer {
        scratch.cells.find(near: place, previous: $0, route: route, by: model)
      }
      return scratch.cells.found.withElements { Array($0) }
    }
  }

}

extension MatchingModel {
  /// Removes the candidates that `MatchingNetwork.candidates` leaves out.
  func thin(
    _ found: inout Arena<Candidate>, previous: UnsafeBufferPointer<Candidate>, route: Set<EdgeID>
  ) {
    // All candidates to remove are found before the first is removed, since one may be the reason
    // for removing another. Until then NaN marks them, which is safe: distances are not read here.
    var isAnyLeftOut = false
    for index in 0..<found.count where found[index].offsetM <= 1 {
      let state = found[index].state
      guard !previous.contains(where: { $0.state == state }) else { continue }
      guard isEndOfAnother(found[index], among: found, route) else { continue }
      found[index].distanceM = .nan
      isAnyLeftOut = true
    }
    guard isAnyLeftOut || found.count > tuning.candidateLimit else { return }
    found.keep { !$0.distanceM.isNaN }
    limit(&found, previous: previous)
  }

  // A vehicle that waits at the start of the active route is not on a road that ends there.
  // Therefore a candidate on the route is left out only for another road of the route that ends
  // there.
  private func isEndOfAnother(
    _ candidate: Candidate, among others: borrowing Arena<Candidate>, _ route: Set<EdgeID>
  ) -> Bool {
    let isOnRoute = candidate.state.isOn(route)
    return others.withElements { others in
      others.contains { other in
        other.directed.end == candidate.directed.start
          && other.offsetM >= other.directed.lengthM - 1
          && other.state != candidate.directed.back && other.state != candidate.state
          && (!isOnRoute || other.state.isOn(route))
      }
    }
  }

  private func limit(
    _ found: inout Arena<Candidate>, previous: UnsafeBufferPointer<Candidate>
  ) {
    guard found.count > tuning.candidateLimit else { return }
    var left = tuning.candidateLimit
    found.keep { candidate in
      left -= 1
      return left >= 0 || previous.contains { $0.state == candidate.state }
    }
  }
}
