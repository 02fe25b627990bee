import DrawnRoutes
import Foundations
import Geodesy
import Guidance
import RoadGraph
import Route
import Testing

@Suite struct RoutePollerTests {
  private let old = drawn("abcdefghijklmnop", id: "r-1", secondsPerSegment: 100)

  private func poller(
    interval: Double = 120, seconds: Double? = 1, share: Double? = nil, budget: Int? = nil
  ) -> RoutePoller {
    var settings = RoutePoller.Settings()
    settings.intervalS = interval
    settings.minTimeDifferenceS = seconds
    settings.minTimeDifferenceShare = share
    settings.budget = budget
    var poller = RoutePoller(settings: settings)
    _ = poller.handle(.routeChanged(old))
    return poller
  }

  private func moved(_ t: Double, metres: Double = 50) -> RoutePoller.Event {
    .moved(
      RoutePoller.Place(
        routeID: "r-1", section: 0, travelledOnSectionM: metres, travelledM: metres,
        coordinate: place(metres), bearingDeg: 90, speedMps: 10), at: Instant(seconds: t))
  }

  private func checks(_ outputs: [RoutePoller.Output]) -> [UInt64] {
    outputs.compactMap { if case .check(let id, _, _, _) = $0 { id } else { nil } }
  }

  @Test func `an interval of 120 s makes one check in 121 fixes, DR-1`() {
    var poller = poller()
    let outputs = (0...120).flatMap { poller.handle(moved(Double($0))) }
    #expect(checks(outputs).count == 1)
  }

  /// The route with traffic that has closed one of its spans.
  private func closed(_ span: Int) -> Route {
    var route = old
    route.spans[span].jamFactor = 10
    route.spans[span].durations.latestS += 7200
    route.durations.latestS += 7200
    return route
  }

  @Test func `a road that is closed ahead is checked at once, and then each minute, DR-1`() {
    var poller = poller(interval: 600)
    #expect(checks(poller.handle(moved(0))).isEmpty)
    _ = poller.handle(.routeChanged(closed(8)))
    let first = checks(poller.handle(moved(1)))
    #expect(first.count == 1)
    _ = poller.handle(.answered(check: first[0], route: old, oldRemainingS: 0))
    #expect(checks(poller.handle(moved(60))).isEmpty)
    #expect(checks(poller.handle(moved(61))).count == 1)
  }

  @Test func `traffic closes no road to a bicycle, DR-1`() {
    var poller = poller(interval: 600)
    _ = poller.handle(moved(0))
    var route = closed(8)
    route.request.mode = .bicycle
    route.durations.latestS = old.durations.latestS
    _ = poller.handle(.routeChanged(route))
    #expect(checks(poller.handle(moved(1))).isEmpty)
  }

  @Test(arguments: [(0, 350.0), (14, 50)])
  func `a closed road behind, or at the very end, is no reason to check, DR-1`(
    span: Int, metres: Double
  ) {
    var poller = poller(interval: 600)
    _ = poller.handle(moved(0, metres: metres))
    var route = closed(span)
    route.durations.latestS = old.durations.latestS
    _ = poller.handle(.routeChanged(route))
    #expect(checks(poller.handle(moved(1, metres: metres))).isEmpty)
  }

  @Test func `a way round a closed road says so, DR-3`() {
    var poller = poller(interval: 0)
    _ = poller.handle(.routeChanged(closed(8)))
    let check = checks(poller.handle(moved(0)))[0]
    let new = drawn("aqrs", id: "r-2")
    let outputs = poller.handle(.answered(check: check, route: new, oldRemainingS: 9000))
    guard case .found(let better, _, _)? = outputs.first else {
      Issue.record("nothing found")
      return
    }
    #expect(better.avoidsClosure)
  }

  @Test func `an interval of 0 checks at every location, one at a time, DR-1`() {
    var poller = poller(interval: 0)
    let first = checks(poller.handle(moved(0)))
    #expect(first.count == 1)
    #expect(checks(poller.handle(moved(1))).isEmpty)
    _ = poller.handle(.answered(check: first[0], route: old, oldRemainingS: 0))
    #expect(checks(poller.handle(moved(2))).count == 1)
  }

  private func finds(
    gain: Double, remaining: Double, seconds: Double?, share: Double?
  ) -> Bool {
    var poller = poller(interval: 0, seconds: seconds, share: share)
    guard let check = checks(poller.handle(moved(0))).first else { return false }
    let new = drawn("aqrs", id: "r-2", secondsPerSegment: (remaining - gain) / 3)
    return !poller.handle(.answered(check: check, route: new, oldRemainingS: remaining)).isEmpty
  }

  @Test func `of two thresholds the smaller decides, and a gain equal to it fires, DR-2`() {
    #expect(finds(gain: 3, remaining: 3600, seconds: 1, share: 0.1))
    #expect(finds(gain: 60, remaining: 3600, seconds: 60, share: nil))
    #expect(!finds(gain: 57, remaining: 3600, seconds: 60, share: nil))
    #expect(finds(gain: 360, remaining: 3600, seconds: nil, share: 0.1))
    #expect(!finds(gain: 357, remaining: 3600, seconds: nil, share: 0.1))
    #expect(!finds(gain: 900, remaining: 3600, seconds: nil, share: nil))
    #expect(!finds(gain: 900, remaining: 3600, seconds: 0, share: 0))
  }

  @Test func `what it finds says seconds, metres and whether the shape changed, DR-3`() {
    var poller = poller(interval: 0)
    let check = checks(poller.handle(moved(0, metres: 250)))[0]
    let same = drawn("cdefghijklmnop", id: "r-2", secondsPerSegment: 50)
    guard
      case .found(let better, _, _)? = poller.handle(
        .answered(check: check, route: same, oldRemainingS: 1250)
      ).first
    else {
      Issue.record("nothing found")
      return
    }
    #expect(better.gainS == 1250 - 650)
    #expect(better.longerM == 1300 - 1250)
    #expect(!better.shapeChanged)
    let next = checks(poller.handle(moved(1, metres: 250)))[0]
    let other = drawn("cdefghijklmzyp", id: "r-3", secondsPerSegment: 50)
    guard
      case .found(let changed, _, _)? = poller.handle(
        .answered(check: next, route: other, oldRemainingS: 1250)
      ).first
    else {
      Issue.record("nothing found")
      return
    }
    #expect(changed.shapeChanged)
  }

  @Test func `off the route it says could_not_match_origin and goes on, DR-4`() {
    var poller = poller(interval: 0)
    guard
      case .problem(let problem, _)? = poller.handle(.offRoute(at: Instant(seconds: 0))).first
    else {
      Issue.record("no problem told")
      return
    }
    #expect(problem.code == "could_not_match_origin")
    #expect(checks(poller.handle(moved(1))).count == 1)
  }

  private func problems(_ outputs: [RoutePoller.Output]) -> [String] {
    outputs.compactMap { if case .problem(let problem, _) = $0 { problem.code } else { nil } }
  }

  @Test func `a route without a handle is refused at once, and once, DR-9, DR-4, RT-16`() {
    var poller = poller(interval: 0)
    let bare = drawn("abcd", id: "r-9", handle: nil)
    guard case .problem(let problem, "r-9")? = poller.handle(.routeChanged(bare)).first else {
      Issue.record("no problem reported")
      return
    }
    #expect(problem.code == "route_handle_missing")
    let place = RoutePoller.Place(
      routeID: "r-9", section: 0, travelledOnSectionM: 0, travelledM: 0, coordinate: place(0),
      bearingDeg: nil, speedMps: nil)
    #expect(poller.handle(.moved(place, at: Instant(seconds: 0))).isEmpty)
    #expect(poller.handle(.offRoute(at: Instant(seconds: 1))).isEmpty)
    #expect(poller.handle(.routeChanged(bare)).isEmpty)
    // The next route with a handle is polled again, the next one without is refused again.
    _ = poller.handle(.routeChanged(old))
    #expect(checks(poller.handle(moved(2))).count == 1)
    let other = drawn("abxy", id: "r-10", handle: nil)
    #expect(problems(poller.handle(.routeChanged(other))) == ["route_handle_missing"])
  }

  @Test func `with both thresholds off it neither checks nor refuses, DR-2, DR-9`() {
    var poller = poller(interval: 0, seconds: 0, share: nil)
    #expect(poller.handle(moved(0)).isEmpty)
    #expect(poller.handle(.offRoute(at: Instant(seconds: 1))).isEmpty)
    #expect(poller.handle(.routeChanged(drawn("abcd", id: "r-9", handle: nil))).isEmpty)
    #expect(poller.checks == 0)
  }

  @Test func `of a check's wishes only the poller's own are left out, DR-9`() {
    var route = old
    route.request.avoid = [.tunnels]
    route.request.waypoints[1].bearingDeg = 10
    var poller = poller(interval: 0)
    _ = poller.handle(.routeChanged(nil))
    _ = poller.handle(.routeChanged(route))
    guard case .check(_, let request, _, _)? = poller.handle(moved(0)).first else {
      Issue.record("no check")
      return
    }
    #expect(request.firstManeuverClearanceM == 80)
    #expect(request.waypoints[0].bearingDeg == 90)
    #expect(RoutePoller.hasPollerOptions(request))
    let all: Set = ["first_maneuver_clearance_m", "waypoints.bearing_deg"]
    #expect(RoutePoller.request(request, honouredBy: all) == request)
    let bearing = RoutePoller.request(request, honouredBy: ["waypoints.bearing_deg"])
    #expect(bearing.firstManeuverClearanceM == 0 && bearing.waypoints[0].bearingDeg == 90)
    let none = RoutePoller.request(request, honouredBy: [])
    #expect(!RoutePoller.hasPollerOptions(none))
    // What the driver asked for is not the poller's to drop.
    #expect(none.avoid == [.tunnels])
    #expect(none.waypoints[1...] == request.waypoints[1...])
  }

  @Test func `a new route starts it again, starting twice is starting once, DR-6`() {
    var poller = poller(interval: 100)
    _ = poller.handle(moved(0))
    #expect(poller.handle(.routeChanged(old)).isEmpty)
    let check = checks(poller.handle(moved(100)))[0]
    let new = drawn("abcdxy", id: "r-2")
    #expect(poller.handle(.routeChanged(new)) == [.cancel(check)])
    #expect(poller.handle(.answered(check: check, route: new, oldRemainingS: 9000)).isEmpty)
    #expect(poller.handle(moved(300)).isEmpty)
  }

  @Test func `it stops at the destination, DR-6`() {
    var poller = poller(interval: 0)
    _ = poller.handle(.arrived)
    #expect(poller.handle(moved(10)).isEmpty)
  }

  @Test func `checks are counted and bounded by a budget, DR-8`() {
    var poller = poller(interval: 0, budget: 2)
    for second in 0..<10 {
      for check in checks(poller.handle(moved(Double(second)))) {
        _ = poller.handle(.answered(check: check, route: old, oldRemainingS: 0))
      }
    }
    #expect(poller.checks == 2)
  }

  private func planner(interval: Double = 120) -> RoutePoller {
    var settings = RoutePoller.Settings()
    settings.intervalS = interval
    settings.minTimeDifferenceS = 1
    var poller = RoutePoller(settings: settings)
    _ = poller.handle(.planned(old))
    return poller
  }

  @Test func `a planned route is watched from its start, while locations come, DR-7`() {
    var poller = planner()
    var outputs: [RoutePoller.Output] = []
    for second in 0...121 {
      outputs += poller.handle(.located(at: Instant(seconds: Double(second))))
    }
    guard case .check(_, let request, _, let from)? = outputs.first else {
      Issue.record("no check")
      return
    }
    #expect(outputs.count == 1)
    #expect(from.travelledM == 0)
    #expect(request.waypoints.count == old.waypoints.count)
    #expect(!poller.isFollowing)
  }

  @Test func `what is found for a planned route names it, DR-7, DR-3`() {
    var poller = planner(interval: 0)
    guard case .check(let id, _, _, _)? = poller.handle(.located(at: Instant(seconds: 1))).first
    else {
      Issue.record("no check")
      return
    }
    var new = drawn("axp", id: "r-2", secondsPerSegment: 10)
    new.durations.latestS = 20
    guard
      case .found(let better, _, _)? = poller.handle(
        .answered(check: id, route: new, oldRemainingS: 1500)
      ).first
    else {
      Issue.record("nothing found")
      return
    }
    #expect(better.routeID == "r-1")
    #expect(better.gainS == 1480)
  }

  @Test func `the route that is followed takes the planned one's place, DR-7, DR-6`() {
    var poller = planner(interval: 0)
    // That nobody follows a route is no news to one who plans.
    #expect(poller.handle(.routeChanged(nil)).isEmpty)
    #expect(poller.routeID == "r-1")
    _ = poller.handle(.routeChanged(drawn("xyz", id: "r-9")))
    #expect(poller.isFollowing)
    #expect(poller.handle(.located(at: Instant(seconds: 1))).isEmpty)
    _ = poller.handle(.planned(old))
    #expect(poller.routeID == "r-9")
  }

  @Test func `a planned route is let go, DR-7`() {
    var poller = planner(interval: 0)
    _ = poller.handle(.planned(nil))
    #expect(poller.handle(.located(at: Instant(seconds: 1))).isEmpty)
    #expect(poller.routeID == nil)
  }

  @Test func `stops that were reached are not asked for again, DR-10`() {
    let route = drawn(
      "abcdefghijklmnop", stops: [5, 9], id: "r-1", secondsPerSegment: 100)
    for (next, left) in [(1, [5, 9, 15]), (2, [9, 15]), (3, [15])] {
      var poller = poller(interval: 0)
      _ = poller.handle(.routeChanged(nil))
      _ = poller.handle(.routeChanged(route))
      // 15 m before the first stop.
      var place = RoutePoller.Place(
        routeID: "r-1", section: 0, travelledOnSectionM: 485, travelledM: 485,
        coordinate: place(485), bearingDeg: 90, speedMps: 10)
      place.nextWaypoint = next
      let outputs = poller.handle(.moved(place, at: Instant(seconds: 1)))
      for case .check(_, let request, _, _) in outputs {
        #expect(
          request.waypoints.dropFirst().map(\.place) == left.map { route.shape[$0] })
      }
      #expect(checks(outputs).count == 1)
    }
  }

  @Test func `while a proposal is open it checks more often, DR-10`() {
    var poller = poller(interval: 600)
    #expect(checks(poller.handle(moved(0))).isEmpty)
    _ = poller.handle(.proposed(id: "b-1", isOpen: true))
    #expect(checks(poller.handle(moved(29))).isEmpty)
    let first = checks(poller.handle(moved(30)))
    #expect(first.count == 1)
    _ = poller.handle(.answered(check: first[0], route: old, oldRemainingS: 0))
    // The end of an earlier proposal is not that of this one.
    _ = poller.handle(.proposed(id: "b-0", isOpen: false))
    let second = checks(poller.handle(moved(60)))
    #expect(second.count == 1)
    _ = poller.handle(.answered(check: second[0], route: old, oldRemainingS: 0))
    _ = poller.handle(.proposed(id: "b-1", isOpen: false))
    #expect(checks(poller.handle(moved(100))).isEmpty)
  }

  @Test func `when the clock is set, the next check comes when it would have come, DR-10`() {
    for stepS in [-1800.0, 86_400] {
      var poller = poller(interval: 60)
      #expect(checks(poller.handle(moved(0))).isEmpty)
      _ = poller.handle(.clockSet(bySeconds: stepS))
      #expect(checks(poller.handle(moved(59 + stepS))).isEmpty)
      #expect(checks(poller.handle(moved(60 + stepS))).count == 1)
    }
  }
}
