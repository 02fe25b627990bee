import DrawnRoutes
import EventTime
import Geodesy
import Guidance
import Route
import Testing

@Suite struct BetterRouteTests {
  // 12 km at 10 m/s: 20 minutes; a maneuver only at the end.
  static let long = drawn(
    String(repeating: "abcdefghijkl", count: 10), id: "r-1", secondsPerSegment: 10)

  private func better(_ id: String, _ letters: String, gainS: Double = 120) -> BetterRoute {
    BetterRoute(
      id: id, routeID: "r-1", route: drawn(letters, id: "r-\(id)"), gainS: gainS, longerM: 0,
      shapeChanged: true)
  }

  private func at(_ seconds: Double) -> Instant { Instant(seconds: seconds) }

  @Test func `asked, a proposal waits, and expires after 60 s, DR-5`() {
    var drive = Following(Self.long)
    drive.sees(on(Self.long, 0, 0, t: 0))
    let outputs = drive.navigator.handle(.betterFound(better("b-1", "mnop"), at: at(1)))
    #expect(outputs.betterStates == [.proposed])
    #expect(outputs.contains(.wake(at: at(61))))
    #expect(drive.navigator.handle(.tick(at: at(60))).isEmpty)
    #expect(drive.navigator.handle(.tick(at: at(61))).betterStates == [.expired])
  }

  @Test func `accepted it becomes the route, DR-5, PR-10`() {
    var drive = Following(Self.long)
    drive.sees(on(Self.long, 0, 0, t: 0))
    _ = drive.navigator.handle(.betterFound(better("b-1", "mnop"), at: at(1)))
    let outputs = drive.navigator.handle(.command(.acceptBetter(id: nil), call: "c", at: at(2)))
    #expect(outputs.betterStates == [.accepted])
    #expect(drive.navigator.route?.id == "r-b-1")
  }

  @Test func `a rejected shape is not proposed again for 10 min, DR-5`() {
    var drive = Following(Self.long)
    drive.sees(on(Self.long, 0, 0, t: 0))
    _ = drive.navigator.handle(.betterFound(better("b-1", "mnop"), at: at(1)))
    _ = drive.navigator.handle(.command(.rejectBetter(id: "b-1"), call: "c", at: at(2)))
    #expect(drive.navigator.handle(.betterFound(better("b-2", "mnop"), at: at(300))).isEmpty)
    #expect(
      drive.navigator.handle(.betterFound(better("b-3", "mnqp"), at: at(301))).betterStates
        == [.proposed])
    _ = drive.navigator.handle(.tick(at: at(400)))
    #expect(
      drive.navigator.handle(.betterFound(better("b-4", "mnop"), at: at(603))).betterStates
        == [.proposed])
  }

  @Test func `automatic adopts, never ignores, DR-5`() {
    var settings = Navigator.Settings()
    settings.better.adopt = .auto
    var drive = Following(Self.long, settings: settings)
    drive.sees(on(Self.long, 0, 0, t: 0))
    _ = drive.navigator.handle(.betterFound(better("b-1", "mnop"), at: at(1)))
    #expect(drive.navigator.route?.id == "r-b-1")
    settings.better.adopt = .never
    var other = Following(Self.long, settings: settings)
    other.sees(on(Self.long, 0, 0, t: 0))
    #expect(other.navigator.handle(.betterFound(better("b-1", "mnop"), at: at(1))).isEmpty)
  }

  @Test func `held back near a maneuver and the end, unless it gains 5 min, DR-5`() {
    let short = drawn("abcdefghij", id: "r-1", secondsPerSegment: 10)
    var drive = Following(short)
    drive.sees(on(short, 0, 0, t: 0))
    #expect(drive.navigator.handle(.betterFound(better("b-1", "mnop"), at: at(1))).isEmpty)
    #expect(
      drive.navigator.handle(.betterFound(better("b-2", "mnqp", gainS: 300), at: at(2)))
        .betterStates == [.proposed])
  }

  @Test func `a proposal for a route since replaced is dropped, DR-6`() {
    var drive = Following(drawn("abcdef", id: "r-7"))
    #expect(drive.navigator.handle(.betterFound(better("b-1", "mnop"), at: at(1))).isEmpty)
  }
}
