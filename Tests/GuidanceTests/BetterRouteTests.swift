import DrawnRoutes
import Foundations
import Geodesy
import Guidance
import Route
import Testing

@Suite struct BetterRouteTests {
  private func at(_ seconds: Double) -> Instant { Instant(seconds: seconds) }

  @Test func `asked, a proposal waits, and expires after 60 s, DR-5`() {
    var drive = BetterRouteDrive()
    let outputs = drive.finds(drive.better("b-1", "mnop"), t: 1)
    #expect(outputs.betterStates == [.proposed])
    #expect(outputs.contains(.wake(at: at(61))))
    #expect(drive.ticks(60).betterStates.isEmpty)
    #expect(drive.ticks(61).betterStates == [.expired])
  }

  @Test func `accepted it is priced again, and becomes the route, DR-5, DR-10, PR-10`() {
    var drive = BetterRouteDrive()
    drive.finds(drive.better("b-1", "mnop"), t: 1)
    let asked = drive.commands(.acceptBetter(id: nil), t: 2)
    #expect(asked.answers.isEmpty && asked.betterStates.isEmpty)
    let outputs = drive.prices(asked, current: 1000, better: 910, t: 3)
    #expect(outputs.betterStates == [.accepted])
    #expect(outputs.gains == [90])
    #expect(outputs.answers == [.success(.better(routeID: "r-b-1", gainS: 90))])
    #expect(drive.drive.navigator.route?.id == "r-b-1")
  }

  @Test func `accepting what gains nothing any more is refused, DR-10`() {
    var drive = BetterRouteDrive()
    drive.finds(drive.better("b-1", "mnop", gainS: 1345), t: 1)
    let asked = drive.commands(.acceptBetter(id: nil), t: 20)
    let outputs = drive.prices(asked, current: 480, better: 5527, t: 21)
    #expect(outputs.betterStates == [.withdrawn])
    #expect(outputs.refusals == ["no_gain"])
    #expect(drive.drive.navigator.route?.id == "r-1")
  }

  @Test func `each acceptance gets one answer, whatever happens meanwhile, DR-10`() {
    let ends: [(NavigatorCommand, Double)] = [
      (.rejectBetter(id: nil), 3), (.stop, 3), (.setRoute(drawn("xyz", id: "r-9")), 3),
    ]
    for (command, t) in ends {
      var drive = BetterRouteDrive()
      drive.finds(drive.better("b-1", "mnop"), t: 1)
      let asked = drive.commands(.acceptBetter(id: nil), t: 2)
      let outputs = drive.commands(command, t: t)
      #expect(outputs.refusals == ["expired"])
      #expect(drive.prices(asked, current: 1000, better: 100, t: 4).answers.isEmpty)
    }
    // A price that does not come is the answer.
    var drive = BetterRouteDrive()
    drive.finds(drive.better("b-1", "mnop"), t: 1)
    let asked = drive.commands(.acceptBetter(id: nil), t: 2)
    let problem = NavigatorProblem(code: "unavailable", sentence: "No router.")
    let outputs = drive.drive.navigator.handle(
      .betterPriced(token: asked.priceTokens[1], .failure(problem), at: at(3)))
    #expect(outputs.refusals == ["unavailable"])
    // An acceptance that is under way does not expire.
    let again = drive.commands(.acceptBetter(id: nil), t: 60)
    #expect(drive.ticks(62).betterStates.isEmpty)
    #expect(drive.prices(again, current: 1000, better: 800, t: 63).betterStates == [.accepted])
  }

  @Test func `an open proposal is priced again, and withdrawn when its gain is gone, DR-10`() {
    var drive = BetterRouteDrive()
    drive.finds(drive.better("b-1", "mnop", fork: 60), t: 1)
    #expect(drive.sees(140, t: 14).priceTokens.isEmpty)
    let first = drive.sees(160, t: 16)
    #expect(first.priceTokens.count == 2)
    let shown = drive.prices(first, current: 1000, better: 800, t: 17)
    #expect(shown.betterStates == [.proposed] && shown.gains == [200])
    let second = drive.sees(330, t: 33)
    // A little less is nothing new.
    #expect(drive.prices(second, current: 1000, better: 810, t: 33).betterStates.isEmpty)
    let third = drive.sees(500, t: 50)
    let ended = drive.prices(third, current: 800, better: 790, t: 50)
    #expect(ended.betterStates == [.withdrawn] && ended.gains == [10])
    #expect(drive.commands(.acceptBetter(id: "b-1"), t: 51).refusals == ["expired"])
  }

  @Test func `a found route that is held is priced before it is used, DR-10`() {
    for (betterS, isTaken) in [(850.0, true), (890.0, false)] {
      // The maneuver at 400 m is too near for a sentence about a gain below 5 min.
      var drive = BetterRouteDrive(adopt: .auto, maneuvers: [4])
      #expect(drive.finds(drive.better("b-1", "mnop"), t: 1).isEmpty)
      #expect(drive.sees(200, t: 20).priceTokens.isEmpty)
      let asked = drive.sees(410, t: 41)
      let outputs = drive.prices(asked, current: 1000, better: betterS, t: 42)
      #expect(outputs.betterStates == (isTaken ? [.accepted] : []))
      #expect(outputs.gains == (isTaken ? [150] : []))
      #expect(drive.sees(430, t: 43).priceTokens.isEmpty)
    }
  }

  @Test func `what is held is dropped where its fork is passed or too near, DR-10`() {
    // The fork is the maneuver, for which it is held.
    var drive = BetterRouteDrive(adopt: .auto, maneuvers: [4])
    #expect(drive.finds(drive.better("b-1", "mnop", fork: 4), t: 1).isEmpty)
    for metres in stride(from: 10.0, through: 700, by: 10) {
      let outputs = drive.sees(metres, t: metres / 10)
      #expect(outputs.betterStates.isEmpty && outputs.activated.isEmpty)
    }
  }

  @Test(arguments: [
    (BetterRoutePolicy.Adopt.auto, 10.0, 330.0, true), (.auto, 10, 345, false),
    // A driver who is asked needs ten seconds to answer.
    (.ask, 10, 230, true), (.ask, 10, 250, false),
    (.auto, 30, 90, true), (.auto, 30, 110, false), (.auto, 0, 370, true), (.auto, 0, 390, false),
  ])
  func `a fork must be as far as the announcement and braking take, DR-10`(
    adopt: BetterRoutePolicy.Adopt, speedMps: Double, metres: Double, isInTime: Bool
  ) {
    var drive = BetterRouteDrive(adopt: adopt)
    drive.sees(metres, t: 60, speedMps: speedMps)
    let outputs = drive.finds(
      drive.better("b-1", "mnop", fork: 4, from: Int(metres / 100), gainS: 900), t: 60)
    #expect(outputs.betterStates.isEmpty != isInTime)
  }

  @Test func `an open proposal is withdrawn before its fork, DR-10`() {
    var drive = BetterRouteDrive()
    #expect(drive.finds(drive.better("b-1", "mnop", fork: 4), t: 1).betterStates == [.proposed])
    #expect(drive.sees(330, t: 10).betterStates.isEmpty)
    #expect(drive.sees(350, t: 12).betterStates == [.withdrawn])
    #expect(drive.commands(.acceptBetter(id: nil), t: 13).refusals == ["no_proposal"])
  }

  @Test func `off the route, or against it, nothing is proposed, DR-10`() {
    var drive = BetterRouteDrive(adopt: .auto)
    drive.drive.sees(elsewhere(20, t: 1))
    #expect(drive.finds(drive.better("b-1", "mnop"), t: 1).betterStates.isEmpty)
    let asked = drive.sees(40, t: 4)
    #expect(drive.prices(asked, current: 900, better: 700, t: 4).betterStates == [.accepted])
  }

  @Test func `a route that does not start on the one being followed is dropped, DR-10`() {
    var drive = BetterRouteDrive(adopt: .auto)
    var found = drive.better("b-1", "mnop", gainS: 900)
    found.route = drawn("mnop", id: "r-2").leading(toStopsOf: found.route)
    #expect(drive.finds(found, t: 1).isEmpty)
  }

  @Test func `a route to other stops than those left is never followed, DR-10`() {
    var drive = BetterRouteDrive(adopt: .auto, stops: [5, 30])
    // The stop at 500 m is reached 20 m before it.
    drive.sees(485, t: 48)
    let late = drive.better(
      "b-1", "mnop", fork: 10, from: 4, gainS: 900, stops: [5, 30])
    #expect(drive.finds(late, t: 49).isEmpty)
    let right = drive.better("b-2", "mnop", fork: 10, from: 4, gainS: 900, stops: [30])
    #expect(drive.finds(right, t: 50).activated == ["r-b-2"])
    // Held while a stop is reached, it is void.
    var other = BetterRouteDrive(adopt: .auto, maneuvers: [6], stops: [5, 30])
    other.sees(420, t: 42)
    #expect(
      other.finds(other.better("b-1", "mnop", from: 4, stops: [5, 30]), t: 43).isEmpty)
    for metres in stride(from: 430.0, through: 800, by: 10) {
      #expect(other.sees(metres, t: metres / 10).priceTokens.isEmpty)
    }
  }

  @Test func `a rejected shape is not proposed again for 10 min, DR-5`() {
    var drive = BetterRouteDrive()
    drive.finds(drive.better("b-1", "mnop"), t: 1)
    _ = drive.commands(.rejectBetter(id: "b-1"), t: 2)
    #expect(drive.finds(drive.better("b-2", "mnop", gainS: 900), t: 300).isEmpty)
    #expect(drive.finds(drive.better("b-3", "mxyp"), t: 301).betterStates == [.proposed])
    _ = drive.ticks(400)
    #expect(drive.finds(drive.better("b-4", "mnop"), t: 603).betterStates == [.proposed])
  }

  @Test func `what was not answered is not proposed again for 10 min, DR-5, DR-10`() {
    var drive = BetterRouteDrive()
    drive.finds(drive.better("b-1", "mnop"), t: 1)
    #expect(drive.ticks(61).betterStates == [.expired])
    var next = Navigator(settings: drive.drive.navigator.settings)
    next.recall(drive.drive.navigator.memory)
    drive.drive.navigator = next
    #expect(drive.finds(drive.better("b-2", "mnop"), t: 660).isEmpty)
    #expect(drive.finds(drive.better("b-3", "mnop"), t: 662).betterStates == [.proposed])
  }

  @Test func `a rejected way stays rejected as its rest gets shorter, DR-5`() {
    var drive = BetterRouteDrive()
    drive.finds(drive.better("b-0", "mnopqrstuvw", fork: 20), t: 1)
    _ = drive.commands(.rejectBetter(id: nil), t: 2)
    // Ten checks on the way to the fork: each finds the rest of the same way.
    for check in 1...10 {
      drive.sees(Double(check) * 100, t: 2 + 10 * Double(check))
      let rest = drive.better("b-\(check)", "mnopqrstuvw", fork: 20, from: check)
      #expect(drive.finds(rest, t: 2 + 10 * Double(check)).isEmpty)
    }
    // Another way with the same last kilometres is another one.
    let other = drive.better("b-11", "MNOPQRSTUVW", fork: 20, from: 10)
    #expect(drive.finds(other, t: 120).betterStates == [.proposed])
  }

  @Test func `what was rejected stays rejected after a crash, DR-5, PR-11`() {
    var drive = BetterRouteDrive()
    drive.finds(drive.better("b-1", "mnop"), t: 1)
    _ = drive.commands(.rejectBetter(id: "b-1"), t: 2)
    var next = Navigator(settings: drive.drive.navigator.settings)
    next.recall(drive.drive.navigator.memory)
    drive.drive.navigator = next
    #expect(drive.finds(drive.better("b-2", "mnop"), t: 300).isEmpty)
    #expect(drive.finds(drive.better("b-3", "mnop"), t: 603).betterStates == [.proposed])
  }

  @Test func `a proposal that another one overtakes is withdrawn first, DR-5, DR-9`() {
    var drive = BetterRouteDrive()
    drive.finds(drive.better("b-1", "mnop"), t: 1)
    // The same way again is no other proposal.
    #expect(drive.finds(drive.better("b-2", "mnop"), t: 5).isEmpty)
    let outputs = drive.finds(drive.better("b-3", "qrst"), t: 10)
    #expect(outputs.betterStates == [.withdrawn, .proposed])
    let ids = outputs.compactMap { output -> String? in
      if case .better(let found, _, _) = output { found.id } else { nil }
    }
    #expect(ids == ["b-1", "b-3"])
  }

  @Test func `a refusal names the route that stays, and an ended proposal is expired, DR-5, PR-10`()
  {
    var drive = BetterRouteDrive()
    drive.finds(drive.better("b-1", "mnop"), t: 1)
    #expect(
      drive.commands(.rejectBetter(id: "b-1"), t: 2).answers == [.success(.route(id: "r-1"))])
    #expect(drive.commands(.acceptBetter(id: "b-1"), t: 3).refusals == ["expired"])
    #expect(drive.commands(.rejectBetter(id: "b-1"), t: 4).refusals == ["expired"])
    #expect(drive.commands(.acceptBetter(id: "b-9"), t: 5).refusals == ["no_proposal"])
    #expect(drive.commands(.acceptBetter(id: nil), t: 6).refusals == ["no_proposal"])
  }

  @Test func `automatic adopts, never ignores, DR-5`() {
    var drive = BetterRouteDrive(adopt: .auto)
    drive.finds(drive.better("b-1", "mnop"), t: 1)
    #expect(drive.drive.navigator.route?.id == "r-b-1")
    var other = BetterRouteDrive(adopt: .never)
    #expect(other.finds(other.better("b-1", "mnop"), t: 1).isEmpty)
  }

  @Test func `held back near a maneuver and the end, unless it gains 5 min, DR-5`() {
    var drive = BetterRouteDrive(letters: "abcdefghijkl")
    #expect(drive.finds(drive.better("b-1", "mnop", fork: 5), t: 1).isEmpty)
    #expect(
      drive.finds(drive.better("b-2", "mnqp", fork: 5, gainS: 300), t: 2).betterStates
        == [.proposed])
  }

  @Test func `a proposal for a route since replaced is dropped, DR-6`() {
    var drive = BetterRouteDrive()
    var found = drive.better("b-1", "mnop")
    found.routeID = "r-0"
    #expect(drive.finds(found, t: 1).isEmpty)
  }

  /// Two ways, of which the jam is now on the one and now on the other.
  @Test func `jams that come and go lead to and fro at most twice in ten minutes, DR-10`() {
    var settings = Navigator.Settings()
    settings.better.adopt = .auto
    let letters = Array(BetterRouteDrive.letters)
    let one = drawn(String(letters), id: "r-0", secondsPerSegment: 10)
    let end = "mnopqrst" + String(letters.dropFirst(89))
    let other = drawn(String(letters.prefix(81)) + end, id: "r-x", secondsPerSegment: 10)
    var drive = Following(one, settings: settings)
    var (changes, isOther) = (0, false)
    for check in 1...40 {
      let t = Double(check) * 15
      drive.sees(on(one, Int(t * 10 / 100), 50, t: t))
      guard let current = drive.navigator.route else { break }
      var new = isOther ? one : other
      new.id = "r-\(check)"
      let found = BetterRoute(
        id: "b-\(check)", routeID: current.id, route: new.leading(toStopsOf: one), gainS: 600,
        longerM: 0, shapeChanged: true, thresholdS: 120)
      let outputs = drive.navigator.handle(.betterFound(found, at: at(t)))
      if outputs.activated.contains(new.id) {
        changes += 1
        isOther.toggle()
      }
    }
    #expect(changes == 2)
  }

  @Test func `when the clock is set, a proposal keeps the seconds that it has left, DR-10`() {
    for stepS in [-1800.0, 86_400] {
      var drive = BetterRouteDrive()
      drive.finds(drive.better("b-1", "mnop", fork: 60, handle: nil), t: 1)
      _ = drive.drive.navigator.handle(.clockSet(bySeconds: stepS))
      #expect(drive.ticks(60 + stepS).betterStates.isEmpty)
      #expect(drive.ticks(61 + stepS).betterStates == [.expired])
      // What was not answered is known for the rest of ten minutes.
      _ = drive.drive.navigator.handle(.clockSet(bySeconds: -stepS))
      #expect(drive.finds(drive.better("b-2", "mnop", fork: 60), t: 600).isEmpty)
      let again = drive.finds(drive.better("b-3", "mnop", fork: 60), t: 662)
      #expect(again.betterStates == [.proposed])
    }
  }
}
