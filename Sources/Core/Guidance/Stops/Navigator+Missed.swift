import Foundations
import Geodesy
import RoadGraph
import Route

extension Navigator {
  /// Seconds for which a return to a missed stop is proposed.
  static let missedProposalS = 60.0

  /// Requests a route back to the missed stops, if the policy requires one.
  mutating func missed(
    _ reported: [MilestoneTracker.Milestone], at location: VehicleLocation
  ) -> [NavigatorOutput] {
    guard settings.onMissed != .ignore, let now = following, let match = location.match else {
      return []
    }
    // A vehicle that crossed by another road does not want to return to a ferry that was not taken.
    let stops = reported.filter { $0.outcome == .missed }
      .compactMap { $0.waypoint.map { now.track.route.waypoints[$0] } }
      .filter { $0.original.kind == .stopover }
    guard !stops.isEmpty else { return [] }
    let left = now.track.route.waypoints.dropFirst(now.milestones.next)
    return requestReroute(
      to: stops.map(\.original) + left.map(\.original), .missedStop, from: match,
      speedMps: location.speedMps)
  }

  /// Withdraws a proposal.
  mutating func withdraw(
    _ reason: RerouteReport.Reason, _ state: RerouteReport.State = .cancelled
  ) -> [NavigatorOutput] {
    guard let found = proposed, found.reason == reason else { return [] }
    proposed = nil
    let routeID = following?.track.route.id ?? found.route.id
    return [.reroute(report(state, reason, routeID: routeID))]
  }

  mutating func lapseProposal(at now: Instant) -> [NavigatorOutput] {
    guard let expires = proposed?.expires, now >= expires else { return [] }
    return withdraw(.missedStop) + withdraw(.passedStop)
  }
}
