public import RoadGraph

/// The path that the vehicle has driven and will most likely continue on, with metres along it.
///
/// Metres count from where following began and only grow. A trail is kept behind the vehicle.
public struct MainPath: Hashable, Sendable {
  /// At least one; each begins where the previous one ends, except for a new start after a jump.
  public internal(set) var edges: [EdgeID]
  /// Metres at which each edge begins, and at which the last one ends.
  public internal(set) var startsM: [Double]
  /// Index of the edge that the vehicle is on.
  public internal(set) var current: Int
  public internal(set) var positionM: Double
  /// Metres at which the destination lies; nil if the path has none that is known yet.
  public internal(set) var endM: Double?
  /// Index of the first edge in the route's segments; nil if the path does not follow a route.
  var routeStart: Int?

  public var reachM: Double { startsM[startsM.count - 1] }

  init(_ edge: EdgeID, offsetM: Double, at positionM: Double, lengthM: Double, routeStart: Int?) {
    edges = [edge]
    startsM = [positionM - offsetM, positionM - offsetM + lengthM]
    current = 0
    self.positionM = positionM
    self.routeStart = routeStart
  }

  /// Moves to a position on an edge of the path, but never backwards.
  mutating func move(to index: Int, offsetM: Double) {
    current = max(current, index)
    positionM = max(positionM, startsM[index] + offsetM)
  }

  mutating func append(_ edge: EdgeID, lengthM: Double) {
    edges.append(edge)
    startsM.append(reachM + lengthM)
  }

  /// Drops everything after an edge, because the path continues differently.
  mutating func cut(after index: Int) {
    edges.removeSubrange((index + 1)...)
    startsM.removeSubrange((index + 2)...)
    endM = nil
  }

  /// Drops edges that end more than `trailM` behind the vehicle, once the trail is a step longer.
  mutating func trim(trailM: Double) {
    guard startsM[0] < positionM - trailM - Reach.stepM else { return }
    var count = 0
    while count < current, startsM[count + 1] < positionM - trailM { count += 1 }
    guard count > 0 else { return }
    edges.removeFirst(count)
    startsM.removeFirst(count)
    current -= count
    routeStart = routeStart.map { $0 + count }
  }
}
