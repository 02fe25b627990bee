import Foundations
import OpeningHours
import RoadGraph
import Testing

/// Rules of roads that hold at times only, and the timetables of ferries in attributes.
@Suite struct RoadRuleTests {
  @Test func `a mean wait is stored to the half minute, then to 2 %, TR-10`() {
    var road = RoadAttributes()
    #expect(road.boardingS == 0)
    for units in 1...63 {
      road.boardingS = Double(units) * 30
      #expect(road.boardingS == Double(units) * 30)
    }
    var last = 0.0
    for minutes in stride(from: 0.1, through: 2000, by: 0.7) {
      road.boardingS = minutes * 60
      let error = abs(road.boardingS - minutes * 60)
      #expect(error <= Double.maximum(30, minutes * 60 / 60), "\(minutes)")
      #expect(road.boardingS >= last)
      last = road.boardingS
    }
    for endless in [1e9, Double.infinity] {
      road.boardingS = endless
      #expect(road.boardingS == 63 * 64 * 30)
    }
    for none in [0, -5, Double.nan] {
      road.boardingS = none
      #expect(road.boardingS == 0)
    }
  }

  @Test(arguments: [
    "access 1f 0 @ Mo-Fr 07:00-09:00", "limit 7f 80 @ wet", "limit 7f 255 @ 22:00-06:00",
    "closed 7f 0 @ Apr-Sep 08:00-18:00", "boarding 7f 900 @ Sa,Su", "crossing 7f 1500 @ Oct-Mar",
  ])
  func `a rule is its line, RT-21`(line: String) { #expect(RoadRule(line: line)?.line == line) }

  @Test(arguments: [
    "limit 7f 300 @ wet", "access 7f 300 @ wet", "closed 7f 0 @ wet",
    "closed 7f 0 @ wet AND 08:00-09:00",
    "boarding 7f -1 @ Su", "boarding 7f 99999999999 @ Su", "tide 7f 1 @ Su", "boarding 7f 1", "",
  ])
  func `a line that is no rule is skipped, RT-21`(line: String) {
    #expect(RoadRule(line: line) == nil)
  }

  @Test func `outside opening hours a road is closed, unknown hours leave it open, RT-21`() throws {
    let rule = try #require(RoadRule(line: "closed 7f 0 @ Mo-Fr 06:00-22:00"))
    let unsure = try #require(RoadRule(line: "closed 7f 0 @ Mo-Fr 06:00-22:00; SH off"))
    var road = RoadAttributes()
    road.setAccess(.yes, for: .car)
    // Monday, 5 January 2026, on the meridian of Greenwich.
    for (hour, access) in [(5, Access.no), (12, .yes), (23, .no), (29, .no)] {
      let moment = LocalMoment(
        Instant(seconds: 1_767_571_200 + Double(hour) * 3600), latitudeDeg: 51, longitudeDeg: 0,
        country: "GB")
      #expect(road.access(.car, rules: [rule], Circumstances(moment: moment)) == access, "\(hour)")
      #expect(road.access(.car, rules: [unsure], Circumstances(moment: moment)) == .yes, "\(hour)")
    }
    #expect(road.access(.car, rules: [rule], Circumstances()) == .yes)
  }
}
