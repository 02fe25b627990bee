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

  @Test func `a rejected way stays rejected as its rest gets shorter, DR-5`() {
    var drive = Following(Self.long)
    drive.sees(on(Self.long, 0, 0, t: 0))
    let way = "abcdefghijkl" + "mnopqrstuvw" + "hijkl"
    _ = drive.navigator.handle(.betterFound(better("b-0", way), at: at(1)))
    _ = drive.navigator.handle(.command(.rejectBetter(id: nil), call: "c", at: at(2)))
    // Ten checks on the way to the fork: each finds the rest of the same way.
    for check in 1...10 {
      let rest = better("b-\(check)", String(way.dropFirst(check)))
      #expect(drive.navigator.handle(.betterFound(rest, at: at(2 + 10 * Double(check)))).isEmpty)
    }
    // Another way with the same last kilometres is another one.
    let other = better("b-11", "abcdefghijkl" + "MNOPQRSTUVW" + "hijkl")
    let outputs = drive.navigator.handle(.betterFound(other, at: at(120)))
    #expect(outputs.betterStates == [.proposed])
  }

  @Test func `what was rejected stays rejected after a crash, DR-5, PR-11`() {
    var drive = Following(Self.long)
    drive.sees(on(Self.long, 0, 0, t: 0))
    _ = drive.navigator.handle(.betterFound(better("b-1", "mnop"), at: at(1)))
    _ = drive.navigator.handle(.command(.rejectBetter(id: "b-1"), call: "c", at: at(2)))
    var next = Navigator(settings: drive.navigator.settings)
    next.recall(drive.navigator.memory)
    #expect(next.handle(.betterFound(better("b-2", "mnop"), at: at(300))).isEmpty)
    #expect(
      next.handle(.betterFound(better("b-3", "mnop"), at: at(603))).betterStates == [.proposed])
  }

  @Test func `a proposal that another one overtakes is withdrawn first, DR-5, DR-9`() {
    var drive = Following(Self.long)
    drive.sees(on(Self.long, 0, 0, t: 0))
    _ = drive.navigator.handle(.betterFound(better("b-1", "mnop"), at: at(1)))
    // The same way again is no other proposal.
    #expect(drive.navigator.handle(.betterFound(better("b-2", "nop"), at: at(5))).isEmpty)
    let outputs = drive.navigator.handle(.betterFound(better("b-3", "qrst"), at: at(10)))
    #expect(outputs.betterStates == [.withdrawn, .proposed])
    let ids = outputs.compactMap { output -> String? in
      if case .better(let found, _, _) = output { found.id } else { nil }
    }
    #expect(ids == ["b-1", "b-3"])
  }

  @Test func `a refusal names the route that stays, and an ended proposal is expired, DR-5, PR-10`()
  {
    var drive = Following(Self.long)
    drive.sees(on(Self.long, 0, 0, t: 0))
    func answer(
      _ command: NavigatorCommand, _ t: Double
    ) -> Result<CommandAnswer, NavigatorProblem>? {
      let outputs = drive.navigator.handle(.command(command, call: "c", at: at(t)))
      for case .answer(_, let result) in outputs { return result }
      return nil
    }
    _ = drive.navigator.handle(.betterFound(better("b-1", "mnop"), at: at(1)))
    #expect(answer(.rejectBetter(id: "b-1"), 2) == .success(.route(id: "r-1")))
    func code(_ result: Result<CommandAnswer, NavigatorProblem>?) -> String? {
      if case .failure(let problem)? = result { problem.code } else { nil }
    }
    #expect(code(answer(.acceptBetter(id: "b-1"), 3)) == "expired")
    #expect(code(answer(.rejectBetter(id: "b-1"), 4)) == "expired")
    #expect(code(answer(.acceptBetter(id: "b-9"), 5)) == "no_proposal")
    #expect(code(answer(.acceptBetter(id: nil), 6)) == "no_proposal")
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
