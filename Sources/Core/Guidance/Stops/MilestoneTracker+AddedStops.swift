import Geodesy
import Route

extension MilestoneTracker {
  /// A piece of the path up to a location on the route.
  struct Approach {
    var track: RouteTrack
    /// Metres along the route from which it was driven without a gap; nil if it was not.
    var fromM: Double?
    var toM: Double
    var place: Coordinate
    /// Whether the vehicle had not been on the route before.
    var isJoining: Bool

    // Between two fixes on the route the vehicle drove along it, unless it jumped far.
    func distanceM(to stop: Coordinate) -> Double {
      let now = place.distanceM(to: stop)
      guard let fromM, toM > fromM else { return now }
      return min(now, track.shape(fromM: fromM, toM: toM).projection(of: stop)?.distanceM ?? now)
    }
  }

  /// Settles the stops added by the router, as far as the approach decides them.
  ///
  /// A ferry stop counts as reached only once aboard; a vehicle on the quay may still turn back.
  mutating func addedStops(_ approach: Approach) -> [Milestone] {
    let route = approach.track.route
    var reported: [Milestone] = []
    while nextAdded < route.addedStops.count {
      let added = route.addedStops[nextAdded]
      let near = Self.come(
        near: nextAdded, approach.distanceM(to: added.place), of: &nearestAddedM)
      guard approach.toM >= added.offsetM else { break }
      let isAboard = added.isAboard(atM: approach.toM)
      let wasReported = isAboard && approach.isJoining && isBoarded(at: added.place)
      if !wasReported, isReported(added, of: route) {
        let stop = Milestone.Stop.added(nextAdded)
        // A vehicle that is aboard has boarded, no matter where it was last observed.
        reported.append(
          isAboard
            ? Milestone(outcome: .reached, stop: stop, distanceM: near)
            : milestone(stop, near: near, approach))
      }
      nearestAddedM[nextAdded] = nil
      nextAdded += 1
    }
    return reported
  }

  /// Settles the remaining added stops on arrival, which may come before the end of a short
  /// crossing.
  mutating func addedStopsLeft(on route: Route) -> [Milestone] {
    var reported: [Milestone] = []
    while nextAdded < route.addedStops.count {
      if isReported(route.addedStops[nextAdded], of: route) {
        let near = nearestAddedM[nextAdded]
        let outcome = (near ?? .infinity) <= missRadiusM ? Milestone.Outcome.reached : .missed
        reported.append(Milestone(outcome: outcome, stop: .added(nextAdded), distanceM: near))
      }
      nextAdded += 1
    }
    return reported
  }

  /// Where the vehicle boarded the ferry or train that it is on, as reported; nil on the road.
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

  // If stops at the same place are reported only once, requested stops take precedence.
  private func isReported(_ added: AddedStop, of route: Route) -> Bool {
    !skipsCoincident
      || !route.waypoints.dropFirst().contains {
        $0.original.kind == .stopover && abs($0.offsetM - added.offsetM) <= coincidentM
      }
  }
}

extension Route {
  /// Metres from the start to a stop.
  func offsetM(of stop: MilestoneTracker.Milestone.Stop) -> Double {
    switch stop {
    case .waypoint(let index): waypoints[index].offsetM
    case .added(let index): addedStops[index].offsetM
    }
  }
}
