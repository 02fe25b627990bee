import Foundations
import Geodesy
import Positioning
import RoadGraph

/// The path from one known place to the next, onto which the fixes in between are projected.
///
/// These fixes are too close to the previous step to determine the path, but they do determine
/// their positions on it.
struct PathInterpolation {
  private let network: MatchingNetwork
  /// All states of the path, both ends included.
  private let states: [TravelState]
  /// The end of the path; nil if it is only known that it continues along its road.
  private let end: MatchedPlace?
  /// The last reported place: no fix moves the vehicle back before it.
  private(set) var place: MatchedPlace
  private var index = 0
  /// The number of fixes before the one at which the vehicle turns round on the first road.
  private var beforeTurn = 0
  /// Time and offset at which the path begins.
  private let since: Instant?
  private let startM: Double
  /// A vehicle that progresses more slowly than this is stationary.
  private let slowestMps: Double

  /// Creates the path from `start`, at `since`, to `end`; without a known path only along the road
  /// of `start`.
  init(
    from start: MatchedPlace, since: Instant?, to end: MatchedPlace?, slowestMps: Double,
    network: MatchingNetwork
  ) {
    self.network = network
    self.since = since
    self.slowestMps = slowestMps
    startM = start.offsetM
    place = start
    if let end, end.path.first == start.state, end.path.count > 1 || end.offsetM >= start.offsetM {
      states = end.path
      self.end = end
    } else {
      // Back along the road, over a gap, or unknown so far: the vehicle waits for the next fix.
      states = [start.state]
      self.end = end == nil ? nil : start
    }
  }

  /// Whether the vehicle turns round on the first road.
  var beginsWithTurn: Bool { states.count > 1 && network.reversed(states[0]) == states[1] }

  /// Finds the fix at which the vehicle turns round: the one farthest along the first road.
  mutating func lookForTurn(among fixes: [Fix]) {
    var farthestM = place.offsetM
    for (number, fix) in fixes.enumerated() {
      let plane = LocalPlane(origin: fix.place)
      guard let projection = projection(of: plane, on: 0, within: .infinity),
        projection.offsetM > farthestM
      else { continue }
      farthestM = projection.offsetM
      beforeTurn = number + 1
    }
  }

  /// Projects a fix onto the path and advances to it; a stationary vehicle keeps the last reported
  /// place, however its receiver drifts.
  mutating func advance(_ fix: Fix) {
    let first = index
    let endM = beforeTurn > 0 ? nil : end.map { fix.place.distanceM(to: $0.coordinate) }
    defer { beforeTurn = max(0, beforeTurn - 1) }
    switch nearest(to: fix, endM: endM) {
    case .projection(let projection, let number)
    where gets(to: projection.offsetM, on: number, by: fix.time):
      let isLast = number == states.count - 1
      index = number
      place = network.place(
        projection, path: Array(states[first...number]),
        probability: isLast ? (end ?? place).probability : place.probability,
        sigmaM: place.uncertaintyM)
    case .end:
      if let end, gets(to: end.offsetM, on: states.count - 1, by: fix.time) {
        index = states.count - 1
        place = end
        place.path = Array(states[first...])
        place.distanceM = endM ?? 0
      } else {
        stay(fix)
      }
    default:
      stay(fix)
    }
  }

  private mutating func stay(_ fix: Fix) {
    place.path = [place.state]
    place.distanceM = fix.place.distanceM(to: place.coordinate)
  }

  /// Whether a vehicle that reaches `offsetM` of a state by this time is moving, not stationary.
  private func gets(to offsetM: Double, on number: Int, by time: Instant?) -> Bool {
    guard let time, let since else { return true }
    let advanceM = states[..<number].reduce(offsetM - startM) { $0 + network.lengthM($1) }
    return advanceM >= slowestMps * time.seconds(since: since)
  }

  /// The projection of a fix.
  private enum Nearest {
    case stays
    case end
    case projection(Candidate, on: Int)
  }

  /// Returns the place on the path nearest to a fix, from the last reported place on; the end of
  /// the path is `endM` from the fix.
  private func nearest(to fix: Fix, endM: Double?) -> Nearest {
    let plane = LocalPlane(origin: fix.place)
    var best = Nearest.stays
    var distanceM = fix.place.distanceM(to: place.coordinate)
    if let endM, endM < distanceM { (best, distanceM) = (.end, endM) }
    for number in index..<(beforeTurn > 0 ? 1 : states.count) {
      guard let projection = projection(of: plane, on: number, within: distanceM) else { continue }
      (best, distanceM) = (.projection(projection, on: number), projection.distanceM)
    }
    return best
  }

  /// Returns the point of a state of the path nearest to the plane's origin.
  ///
  /// It is nil if it is not nearer than `limitM`, the vehicle has passed it, or the path ends
  /// before it.
  private func projection(of plane: LocalPlane, on number: Int, within limitM: Double) -> Candidate?
  {
    let state = states[number]
    guard let near = network.graph.projection(on: state.edge, plane: plane), near.distanceM < limitM
    else { return nil }
    let along = near.position.offsetM
    let offsetM = state.isAgainst ? network.lengthM(state) - along : along
    if number == index, offsetM < place.offsetM { return nil }
    if number == states.count - 1, let endM = end?.offsetM, offsetM > endM { return nil }
    let course = DirectionVector(toEast: Float(near.toEastM), toNorth: Float(near.toNorthM))
    return Candidate(
      directed: network.directed(state), offsetM: offsetM, coordinate: near.coordinate,
      distanceM: near.distanceM, course: state.isAgainst ? course.reversed : course)
  }

  /// Shortens the path in the match of the end so that it begins at the last fix in between.
  func arrive(_ match: inout Match) {
    guard index > 0, end != nil, case .matched(var place) = match.outcome, place.path == states
    else { return }
    place.path.removeFirst(index)
    match.outcome = .matched(place)
  }
}
