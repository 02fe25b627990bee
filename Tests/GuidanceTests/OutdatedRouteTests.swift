import DrawnRoutes
import Foundations
import Guidance
import Route
import Testing

/// Routes that are not whole on the map any more, and why another way is asked for then.
@Suite struct OutdatedRouteTests {
  private let route = drawn("abcdefghij")

  private func reports(_ outputs: [NavigatorOutput]) -> [RerouteReport] {
    outputs.compactMap { if case .reroute(let report) = $0 { report } else { nil } }
  }

  private func outdated(_ settings: Navigator.Settings = Navigator.Settings()) -> Following {
    var drive = Following(route, settings: settings)
    drive.sees(on(route, 0, 50, t: 5))
    _ = drive.navigator.handle(.routeOutdated)
    return drive
  }

  @Test func `on an outdated route another way is asked for, not as a deviation, PR-8, OF-2`() {
    var drive = outdated()
    let reported = drive.sees(on(route, 1, 0, t: 6))
    #expect(reported.progress.count == 1 && reported.requests.count == 1)
    #expect(reports(reported).map(\.reason) == [.routeOutdated])
    #expect(reports(reported).first?.evidence == nil)
  }

  @Test func `a mere suspicion is no evidence for the way around a new map, PR-8, OF-2`() {
    var drive = outdated()
    let reported = drive.sees(elsewhere(120, t: 6))
    #expect(reported.deviations.isEmpty)
    #expect(reports(reported).map(\.reason) == [.routeOutdated])
    #expect(reports(reported).first?.evidence == nil)
    // Nor is a second way asked for once it is a deviation.
    let off = (7...12).flatMap { drive.sees(elsewhere(120 + 60 * Double($0), t: Double($0) * 3)) }
    #expect(!off.deviations.isEmpty && off.requests.isEmpty)
  }

  @Test func `who has left a route before it is outdated is asked a way for that reason, PR-8`() {
    var drive = Following(route)
    drive.sees(on(route, 0, 50, t: 5))
    let reported = (6...8).flatMap { drive.sees(elsewhere(120, t: Double($0))) }
    let token = reported.requests.first?.token ?? 0
    _ = drive.navigator.handle(
      .routed(
        token: token, .failure(NavigatorProblem(code: "timeout", sentence: "Late.")),
        at: Instant(seconds: 9)))
    _ = drive.navigator.handle(.routeOutdated)
    let again = reports(drive.sees(elsewhere(320, t: 40)))
    #expect(again.map(\.reason) == [.deviation])
    #expect(again.first?.evidence?.fixes == 4)
  }

  @Test func `an estimate asks for no way around a new map, PR-8, TU-4`() {
    var drive = outdated()
    #expect(drive.sees(elsewhere(120, t: 6, isEstimated: true)).requests.isEmpty)
  }

  @Test func `a proposal around a new map that is refused is not made again, PR-8, OF-2`() throws {
    var settings = Navigator.Settings()
    settings.reroute = ReroutePolicy(mode: .ask)
    var drive = outdated(settings)
    let token = try #require(drive.sees(on(route, 1, 0, t: 6)).requests.first?.token)
    let found = drive.navigator.handle(
      .routed(token: token, .success(drawn("xyzj", id: "r-2")), at: Instant(seconds: 7)))
    #expect(reports(found).map(\.state) == [.proposed])
    #expect(reports(found).map(\.reason) == [.routeOutdated])
    let refused = drive.navigator.handle(
      .command(.rejectReroute, call: "c", at: Instant(seconds: 8)))
    #expect(reports(refused).map(\.state) == [.rejected])
    let after = (2...7).flatMap { drive.sees(on(route, $0, 0, t: Double($0) * 20)) }
    #expect(after.requests.isEmpty && after.progress.count == 6)
  }
}
