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

  /// Puts a fix on the way, and goes on from there; the place told last stays where the vehicle stands, however its receiver drifts.
  mutating func take(_ fix: Fix) {
    let first = index
    switch nearest(to: fix) {
    case .foot(let foot, let number) where gets(to: foot.offsetM, on: number, by: fix.time):
      let isLast = number == states.count - 1
      index = number
      place = network.place(
        foot, path: Array(states[first...number]),
        probability: isLast ? (end ?? place).probability : place.probability,
        sigmaM: place.uncertaintyM)
    case .end(let end) where gets(to: end.offsetM, on: states.count - 1, by: fix.time):
      index = states.count - 1
      place = end
      place.path = Array(states[first...])
      place.distanceM = fix.place.distanceM(to: end.coordinate)
    default:
      place.path = [place.state]
      place.distanceM = fix.place.distanceM(to: place.coordinate)
    }
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
    case end(MatchedPlace)
    case foot(Candidate, on: Int)
  }

  /// The place on the way that is nearest to a fix, from the one told last on.
  private func nearest(to fix: Fix) -> Nearest {
    let plane = LocalPlane(origin: fix.place)
    var best = Nearest.stays
    var distanceM = fix.place.distanceM(to: place.coordinate)
    if let end {
      let endM = fix.place.distanceM(to: end.coordinate)
      if endM < distanceM { (best, distanceM) = (.end(end), endM) }
    }
    for number in index..<states.count {
      guard let foot = foot(of: plane, on: number, notBefore: index), foot.distanceM < distanceM
      else { continue }
      (best, distanceM) = (.foot(foot, on: number), foot.distanceM)
    }
    return best
  }

  /// The nearest point of a state of the way to the plane's origin; nil where the vehicle has passed it, or the way ends before it.
  private func foot(of plane: LocalPlane, on number: Int, notBefore first: Int) -> Candidate? {
    let state = states[number]
    guard let near = network.graph.nearestPoint(on: state.edge, plane: plane) else { return nil }
    let along = near.position.offsetM
    let offsetM = state.isAgainst ? network.lengthM(state) - along : along
    if number == first, offsetM < place.offsetM { return nil }
    if number == states.count - 1, let end, offsetM > end.offsetM { return nil }
    let course = PlaneCourse(bearingDeg: near.bearingDeg)
    return Candidate(
      lane: network.lane(state), offsetM: offsetM, coordinate: near.coordinate,
      distanceM: near.distanceM,
      course: state.isAgainst ? course.reversed : course)
  }

  /// Lets the match of its end tell the way from the last of the fixes between.
  func arrive(_ match: inout Match) {
    guard case .matched(var place) = match.outcome, end != nil, place.path == states else { return }
    place.path.removeFirst(index)
    match.outcome = .matched(place)
  }
}
