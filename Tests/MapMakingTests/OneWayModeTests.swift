import DrawnMaps
import Foundations
import RoadGraph
import Testing

@testable import MapMaking

/// One-ways that hold for some modes, and at times.
@Suite struct OneWayModeTests {
  private func directions(_ text: String, _ mode: TravelMode) -> String {
    var tags: OSMTags = ["highway": "residential"]
    for pair in text.split(separator: " ") {
      let parts = pair.split(separator: "=").map(String.init)
      tags[parts[0]] = parts[1]
    }
    let reading = TagReading(tags)
    let forward = reading.forward?.access(mode).isUsable ?? false
    let backward = reading.backward?.access(mode).isUsable ?? false
    return (forward ? "f" : "-") + (backward ? "b" : "-")
  }

  @Test(
    arguments: [
      ("oneway:motor_vehicle=yes", "f-", "f-", "f-", "fb"),
      ("oneway:motor_vehicle=-1", "-b", "-b", "-b", "fb"),
      ("oneway:motorcar=yes", "f-", "fb", "fb", "fb"),
      ("oneway:vehicle=yes", "f-", "f-", "f-", "f-"),
      ("oneway:hgv=yes", "fb", "f-", "fb", "fb"),
      ("oneway:goods=yes", "fb", "f-", "fb", "fb"),
      ("oneway:bus=-1", "fb", "fb", "-b", "fb"),
      ("oneway=no oneway:motor_vehicle=yes", "f-", "f-", "f-", "fb"),
      ("oneway=yes oneway:motor_vehicle=no", "fb", "fb", "fb", "f-"),
      ("oneway=yes oneway:psv=no", "f-", "f-", "fb", "f-"),
      ("oneway=yes lanes:psv:backward=1", "f-", "f-", "fb", "f-"),
      ("oneway=yes oneway:bicycle=-1", "f-", "f-", "f-", "-b"),
      ("oneway=alternating", "fb", "fb", "fb", "fb"),
      ("oneway=-1 oneway:vehicle=yes oneway:hgv=no", "f-", "fb", "f-", "f-"),
    ])
  func `the most specific key decides who may go against a one-way, RT-8`(
    tags: String, car: String, truck: String, bus: String, bicycle: String
  ) {
    #expect(directions(tags, .car) == car)
    #expect(directions(tags, .truck) == truck)
    #expect(directions(tags, .bus) == bus)
    #expect(directions(tags, .bicycle) == bicycle)
    #expect(directions(tags, .pedestrian) == "fb")
  }

  @Test func `a one-way of cars alone is one to the road, RT-8`() {
    let reading = TagReading(["highway": "residential", "oneway:motor_vehicle": "yes"])
    #expect(reading.forward?.flags.contains(.oneWay) == true)
    #expect(reading.backward?.flags.contains(.oneWay) == true)
    #expect(directions("oneway:moped=no oneway=yes", .scooter) == "fb")
    #expect(directions("oneway:foot=yes", .pedestrian) == "f-")
  }

  @Test(
    arguments: [
      ("cycleway:left=lane cycleway:left:oneway=-1", "fb"),
      ("cycleway:right=track cycleway:right:oneway=no", "fb"),
      ("cycleway:both=lane cycleway:both:oneway=no", "fb"),
      ("cycleway:left=opposite_track", "fb"),
      ("cycleway:right=lane cycleway:right:oneway=yes", "f-"),
      ("cycleway:left=separate cycleway:left:oneway=-1", "f-"),
      ("cycleway:left=no cycleway:left:oneway=no", "f-"),
    ])
  func `a cycleway against the flow opens a one-way to bicycles, RT-8`(
    tags: String, expected: String
  ) {
    #expect(directions("oneway=yes " + tags, .bicycle) == expected)
    #expect(directions("oneway=yes " + tags, .car) == "f-")
  }

  @Test func `a moving walkway leads one way on foot, RT-8`() {
    #expect(directions("highway=footway conveying=forward", .pedestrian) == "f-")
    #expect(directions("highway=steps conveying=backward", .pedestrian) == "-b")
    #expect(directions("highway=footway conveying=yes oneway=yes", .pedestrian) == "f-")
    #expect(directions("highway=footway conveying=yes", .pedestrian) == "fb")
  }

  @Test func `a reversible road goes by its hours, by mode, RT-8`() throws {
    let map = try DrawnMap(
      "a-b",
      ways: [
        "ab":
          "highway=primary oneway=reversible oneway:conditional=yes @ (06:00-10:00); -1 @ (15:00-19:00)"
      ])
    let book = RuleBook(map.graph)
    // By the clocks of a meridian two hours behind.
    func open(_ letters: String, atHour hour: Double) throws -> Bool {
      let moment = Instant(seconds: 1_767_571_200 + (hour + 2) * 3600)
      return book.access(try map.edge(letters), .car, at: moment).isUsable
    }
    #expect(try open("ab", atHour: 8) && !open("ba", atHour: 8))
    #expect(try !open("ab", atHour: 17) && open("ba", atHour: 17))
    let hgv = TagReading([
      "highway": "primary", "oneway:hgv:conditional": "yes @ (06:00-10:00)",
    ])
    let rule = hgv.text(hgv.backward?.rules).flatMap { RoadRule(line: $0) }
    #expect(rule?.modes == TravelModes(.truck))
    #expect(rule?.effect == .access(.no))
  }
}
