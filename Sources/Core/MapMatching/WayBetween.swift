import EventTime
import Geodesy
import Positioning
import RoadGraph

/// The way from one place that is known to the next, along which the fixes taken in between are put.
///
/// They were too near to the one before to say anything of the way; where on it they lie they do say.
struct WayBetween {
  private let network: MatchingNetwork
  /// All of the way, both ends included.
  private let states: [TravelState]
  /// Where it ends; nil where it is known only that it goes on along its road.
  private let end: MatchedPlace?
  /// The place told last: no fix takes the vehicle back behind it.
  private(set) var place: MatchedPlace
  private var index = 0
  /// The number of fixes before the one at which the vehicle turns round on the first road.
  private var beforeTurn = 0
  /// When and where on its road the way begins.
  private let since: Instant?
  private let startM: Double
  /// Who would get on more slowly stands.
  private let slowestMps: Double

  /// The way from `start`, at `since`, to `end`; along the road of `start` alone where no way between the two is known.
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
      // Back along the road, over a gap or not known yet: the vehicle waits for what comes.
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
      guard let foot = foot(of: plane, on: 0, within: .infinity), foot.offsetM > farthestM
      else { continue }
      farthestM = foot.offsetM
      beforeTurn = number + 1
    }
  }

  /// Puts a fix on the way, and goes on from there; the place told last stays where the vehicle stands, however its receiver drifts.
  mutating func take(_ fix: Fix) {
    let first = index
    let endM = beforeTurn > 0 ? nil : end.map { fix.place.distanceM(to: $0.coordinate) }
    defer { beforeTurn = max(0, beforeTurn - 1) }
    switch nearest(to: fix, endM: endM) {
    case .foot(let foot, let number) where gets(to: foot.offsetM, on: number, by: fix.time):
      let isLast = number == states.count - 1
      index = number
      place = network.place(
        foot, path: Array(states[first...number]),
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

  /// Whether one who is at `offsetM` of a state by then gets on, and does not stand.
  private func gets(to offsetM: Double, on number: Int, by time: Instant?) -> Bool {
    guard let time, let since else { return true }
    let advanceM = states[..<number].reduce(offsetM - startM) { $0 + network.lengthM($1) }
    return advanceM >= slowestMps * time.seconds(since: since)
  }

  /// Where a fix is put.
  private enum Nearest {
    case stays
    case end
    case foot(Candidate, on: Int)
  }

  /// The place on the way that is nearest to a fix, from the one told last on; `endM` from the fix lies its end.
  private func nearest(to fix: Fix, endM: Double?) -> Nearest {
    let plane = LocalPlane(origin: fix.place)
    var best = Nearest.stays
    var distanceM = fix.place.distanceM(to: place.coordinate)
    if let endM, endM < distanceM { (best, distanceM) = (.end, endM) }
    for number in index..<(beforeTurn > 0 ? 1 : states.count) {
      guard let foot = foot(of: plane, on: number, within: distanceM) else { continue }
      (best, distanceM) = (.foot(foot, on: number), foot.distanceM)
    }
    return best
  }

  /// The nearest point of a state of the way to the plane's origin; nil where it is not nearer than `limitM`, the vehicle has passed it, or
  /// the way ends before it.
  private func foot(of plane: LocalPlane, on number: Int, within limitM: Double) -> Candidate? {
    let state = states[number]
    guard let near = network.graph.foot(on: state.edge, plane: plane), near.distanceM < limitM
    else { return nil }
    let along = near.position.offsetM
    let offsetM = state.isAgainst ? network.lengthM(state) - along : along
    if number == index, offsetM < place.offsetM { return nil }
    if number == states.count - 1, let endM = end?.offsetM, offsetM > endM { return nil }
    let course = PlaneCourse(toEast: Float(near.toEastM), toNorth: Float(near.toNorthM))
    return Candidate(
      lane: network.lane(state), offsetM: offsetM, coordinate: near.coordinate,
      distanceM: near.distanceM, course: state.isAgainst ? course.reversed : course)
  }

  /// Lets the match of its end tell the way from the last of the fixes between.
  func arrive(_ match: inout Match) {
    guard index > 0, end != nil, case .matched(var place) = match.outcome, place.path == states
    else { return }
    place.path.removeFirst(index)
    match.outcome = .matched(place)
  }
}
