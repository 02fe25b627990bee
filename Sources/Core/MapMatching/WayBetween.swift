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

  /// Puts a fix on the way, and goes on from there; the place told last where the vehicle stands, however its receiver drifts.
  mutating func take(_ fix: Fix) -> MatchedPlace {
    let before = (place: place, index: index)
    let moved = nearest(to: fix)
    guard let time = fix.time, let since, advanceM < slowestMps * time.seconds(since: since) else {
      return moved
    }
    (place, index) = before
    place.path = [place.state]
    place.distanceM = fix.place.distanceM(to: place.coordinate)
    return place
  }

  /// Metres from the start of the way to the place told last.
  private var advanceM: Double {
    states[..<index].reduce(place.offsetM - startM) { $0 + network.lengthM($1) }
  }

  /// Goes on to the place on the way that is nearest to a fix.
  private mutating func nearest(to fix: Fix) -> MatchedPlace {
    let plane = LocalPlane(origin: fix.place)
    let first = index
    var best = place
    best.distanceM = fix.place.distanceM(to: place.coordinate)
    if let end {
      let distanceM = fix.place.distanceM(to: end.coordinate)
      if distanceM < best.distanceM {
        best = end
        best.distanceM = distanceM
        index = states.count - 1
      }
    }
    for number in first..<states.count {
      guard let foot = foot(of: plane, on: number, notBefore: first) else { continue }
      guard foot.distanceM < best.distanceM else { continue }
      let isLast = number == states.count - 1
      best = network.place(
        foot, path: [], probability: isLast ? (end ?? place).probability : place.probability,
        sigmaM: place.uncertaintyM)
      index = number
    }
    best.path = Array(states[first...index])
    place = best
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
      state: state, offsetM: offsetM, coordinate: near.coordinate, distanceM: near.distanceM,
      course: state.isAgainst ? course.reversed : course)
  }

  /// The end of the way as it is told behind the fixes between: its path begins at the last of them.
  func arrived(_ match: Match) -> Match {
    guard case .matched(var place) = match.outcome, end != nil, place.path == states else {
      return match
    }
    place.path.removeFirst(index)
    var match = match
    match.outcome = .matched(place)
    return match
  }
}
