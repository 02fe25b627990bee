import DrawnRoutes
import Foundations
import Geodesy
import Guidance
import Route
import Testing

@Suite struct StrategyTests {
  /// Leaves a route at once and gives the places that the reroute leads to.
  private func placesAsked(_ strategy: ReroutePolicy.Strategy, _ route: Route) -> [Coordinate] {
    var settings = Navigator.Settings()
    settings.reroute = ReroutePolicy(strategy: strategy)
    var drive = Following(route, settings: settings)
    drive.sees(on(route, 0, 50, t: 0))
    let outputs = (1...3).flatMap { drive.sees(elsewhere(60, t: Double($0))) }
    return outputs.requests.first?.request.waypoints.dropFirst().map(\.place) ?? []
  }

  private var route: Route {
    var route = drawn("abcdefghij", stops: [2, 4, 6])
    route.waypoints[1].original.kind = .passThrough
    return route
  }

  @Test func `to the next stop, pass-throughs before it are dropped, PR-8`() {
    #expect(placesAsked(.nextStop, route) == [place(400), place(600), place(900)])
  }

  @Test func `to the next waypoint, all that are left are kept, PR-8`() {
    #expect(placesAsked(.nextWaypoint, route) == [place(200), place(400), place(600), place(900)])
  }

  /// Begins beside a route, never on it, and gives the places that the reroute leads to.
  private func placesAskedFromBeside(_ visitsFirst: Bool) -> [Coordinate] {
    var settings = Navigator.Settings()
    settings.visitsFirstStopOnStart = visitsFirst
    var drive = Following(drawn("abcdefghij", stops: [4]), settings: settings)
    let outputs = (1...3).flatMap { drive.sees(elsewhere(60, t: Double($0))) }
    return outputs.requests.first?.request.waypoints.dropFirst().map(\.place) ?? []
  }

  @Test func `who begins beside the route is led to its start first where that is wanted, PR-8`() {
    #expect(placesAskedFromBeside(false) == [place(400), place(900)])
    #expect(placesAskedFromBeside(true) == [place(0), place(400), place(900)])
  }

  @Test func `once the route was reached its start is no stop any more, PR-8`() {
    var settings = Navigator.Settings()
    settings.visitsFirstStopOnStart = true
    let route = drawn("abcdefghij", stops: [4])
    var drive = Following(route, settings: settings)
    drive.sees(on(route, 0, 50, t: 0))
    let outputs = (1...3).flatMap { drive.sees(elsewhere(60, t: Double($0))) }
    #expect(
      outputs.requests.first?.request.waypoints.dropFirst().map(\.place) == [
        place(400), place(900),
      ])
  }

  @Test func `re-sequenced, the nearest stops come first and the destination last, PR-8`() {
    var route = drawn("abcdefghij", stops: [2, 4, 6])
    for (index, metres) in [(1, 700.0), (2, 300.0), (3, 500.0)] {
      route.waypoints[index].original.place = place(metres)
    }
    #expect(
      placesAsked(.resequence, route) == [place(300), place(500), place(700), place(900)])
  }
}
