import Geodesy
import Route

extension MilestoneWatch {
  /// A piece of the way up to a location on the route.
  struct Approach {
    var track: RouteTrack
    /// Metres along the route from which it was driven without a break; nil where it was not.
    var fromM: Double?
    var toM: Double
    var place: Coordinate
    /// The vehicle had not been on the route before.
    var isJoining: Bool

    // Between two fixes on the route the vehicle drove along it, unless it jumped far.
    func distanceM(to stop: Coordinate) -> Double {
      let now = place.distanceM(to: stop)
      guard let fromM, toM > fromM else { return now }
      return min(now, track.shape(fromM: fromM, toM: toM).projection(of: stop)?.distanceM ?? now)
    }
  }

  /// What the approach settles of the stops that the router added.
  ///
  /// One is reached aboard, not at the quay: who waits there may still turn away.
  mutating func addedStops(_ approach: Approach) -> [Milestone] {
    let route = approach.track.route
    var told: [Milestone] = []
    while nextAdded < route.addedStops.count {
      let added = route.addedStops[nextAdded]
      let near = Self.come(
        near: nextAdded, approach.distanceM(to: added.place), of: &nearestAddedM)
      guard approach.toM >= added.offsetM else { break }
      let isAboard = added.isAboard(atM: approach.toM)
      let wasTold = isAboard && approach.isJoining && isBoarded(at: added.place)
      if !wasTold, isTold(added, of: route) {
        let stop = Milestone.Stop.added(nextAdded)
        // Whoever is aboard has boarded, wherever he was seen last.
        told.append(
          isAboard
            ? Milestone(outcome: .reached, stop: stop, distanceM: near)
            : milestone(stop, near: near, approach))
      }
      nearestAddedM[nextAdded] = nil
      nextAdded += 1
    }
    return told
  }

  /// What an arrival leaves of them: it may come before the end of a short crossing was seen.
  mutating func addedStopsLeft(on route: Route) -> [Milestone] {
    var told: [Milestone] = []
    while nextAdded < route.addedStops.count {
      if isTold(route.addedStops[nextAdded], of: route) {
        let near = nearestAddedM[nextAdded]
        let outcome = (near ?? .infinity) <= missRadiusM ? Milestone.Outcome.reached : .missed
        told.append(Milestone(outcome: outcome, stop: .added(nextAdded), distanceM: near))
      }
      nextAdded += 1
    }
    return told
  }

  /// Where the vehicle boarded what it is aboard of, as was told; nil on the road.
  func boarded(on track: RouteTrack) -> Coordinate? {
    let stops = track.route.addedStops
    guard let seenM = track.seenM, stops.indices.contains(nextAdded - 1),
      stops[nextAdded - 1].isAboard(atM: seenM)
    else { return nil }
    return stops[nextAdded - 1].place
  }

  private func isBoarded(at place: Coordinate) -> Bool {
    boarded.map { $0.distanceM(to: place) <= coincidentM } ?? false
  }

  // Where stops at one place are told of once, those that were asked for come first.
  private func isTold(_ added: AddedStop, of route: Route) -> Bool {
    !skipsCoincident
      || !route.waypoints.dropFirst().contains {
        $0.original.kind == .stopover && abs($0.offsetM - added.offsetM) <= coincidentM
      }
  }
}

extension Route {
  /// Metres from the start to a stop.
  func offsetM(of stop: MilestoneWatch.Milestone.Stop) -> Double {
    switch stop {
    case .waypoint(let index): waypoints[index].offsetM
    case .added(let index): addedStops[index].offsetM
    }
  }
}
