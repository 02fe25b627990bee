import Geodesy
import Guidance
import Messages
import Route
import RouteWire

extension GuidanceMilestone {
  init(_ milestone: MilestoneTracker.Milestone, on route: Route) {
    switch milestone.stop {
    case .waypoint(let index): self.init(milestone, at: index, on: route)
    case .added(let index): self.init(milestone, added: index, on: route)
    }
    distanceM = milestone.distanceM.flatMap { $0.isFinite ? $0 : nil }
  }

  private init(_ milestone: MilestoneTracker.Milestone, at index: Int, on route: Route) {
    let waypoint = route.waypoints[index]
    let kind: Kind =
      if waypoint.userIndex == nil {
        .added
      } else if index == route.waypoints.count - 1 {
        .destination
      } else {
        waypoint.original.kind == .stopover ? .stopover : .passThrough
      }
    self.init(
      routeId: route.id, event: milestone.outcome.event, kind: kind,
      waypoint: Int64(index), index: waypoint.userIndex.map(Int64.init),
      section: Int64(waypoint.section),
      name: waypoint.original.name.isEmpty ? nil : waypoint.original.name,
      latDeg: waypoint.original.place.latitudeDeg, lonDeg: waypoint.original.place.longitudeDeg,
      matchedLatDeg: waypoint.matched.latitudeDeg, matchedLonDeg: waypoint.matched.longitudeDeg)
  }

  // It lies on the road as it is: no other place was given for it.
  private init(_ milestone: MilestoneTracker.Milestone, added index: Int, on route: Route) {
    let stop = route.addedStops[index]
    let next =
      route.waypoints.indices.dropFirst().first { route.waypoints[$0].offsetM > stop.offsetM }
      ?? route.waypoints.count - 1
    self.init(
      routeId: route.id, event: milestone.outcome.event, kind: .added, waypoint: Int64(next),
      section: Int64(stop.section), name: stop.name.isEmpty ? nil : stop.name,
      latDeg: stop.place.latitudeDeg, lonDeg: stop.place.longitudeDeg,
      matchedLatDeg: stop.place.latitudeDeg, matchedLonDeg: stop.place.longitudeDeg,
      addedStop: Int64(index), boards: Boards(rawValue: stop.kind.rawValue) ?? .other)
  }
}

extension MilestoneTracker.Milestone.Outcome {
  fileprivate var event: GuidanceMilestone.Event { self == .reached ? .reached : .missed }
}
