import DrawnMaps
import Foundations
import OpeningHours
import RoadGraph
import Testing

@testable import MapMaking

@Suite struct RuleTests {
  private func lines(_ tags: OSMTags, _ direction: TravelDirection = .forward) -> [String] {
    let reading = TagReading(tags)
    let road = direction == .forward ? reading.forward : reading.backward
    return reading.text(road?.rules)?.split(separator: "\n").map(String.init) ?? []
  }

  @Test func `access at times is a rule for the modes that it speaks of, RT-8`() {
    #expect(
      lines(["highway": "residential", "motor_vehicle:conditional": "no @ (Mo-Fr 07:00-09:00)"])
        == ["access 1f 0 @ Mo-Fr 07:00-09:00"])
    #expect(
      lines(["highway": "residential", "hgv:conditional": "destination @ (weight>7.5)"])
        == ["access 2 2 @ weight>7.5"])
    // What is said of a mode itself goes before what is said of all.
    #expect(
      lines([
        "highway": "residential", "access:conditional": "no @ (22:00-06:00)", "bicycle": "yes",
        "foot": "yes",
      ]) == ["access 1f 0 @ 22:00-06:00"])
    // The more particular rule comes last, whatever the order of the tags.
    #expect(
      lines([
        "highway": "residential", "bus:conditional": "yes @ (22:00-06:00)",
        "vehicle:conditional": "no @ (22:00-06:00)",
      ]) == ["access 3f 0 @ 22:00-06:00", "access 4 1 @ 22:00-06:00"])
    #expect(
      lines(["highway": "residential", "motor_vehicle:forward:conditional": "no @ wet"], .backward)
        == [])
  }

  @Test func `a road for car pools at times closes to lone cars then, RT-6, RT-8`() {
    let morning = "(Mo-Fr 06:00-09:00)"
    let lone = "carpool 3 1 @ Mo-Fr 06:00-09:00"
    #expect(lines(["highway": "motorway", "hov:conditional": "designated @ \(morning)"]) == [lone])
    #expect(
      lines(["highway": "motorway", "hov:forward:conditional": "only @ \(morning)"]) == [lone])
    #expect(
      lines(["highway": "primary", "hov:forward:conditional": "only @ \(morning)"], .backward)
        == [])
    #expect(
      lines([
        "highway": "motorway", "hov": "designated", "hov:conditional": "no @ \(morning)",
      ]) == ["carpool 3 0 @ Mo-Fr 06:00-09:00"])
    // Closed otherwise: opened to car pools at times, or closed to them as well.
    #expect(
      lines(["highway": "motorway", "access": "no", "hov:conditional": "yes @ \(morning)"])
        == ["access d 1 @ Mo-Fr 06:00-09:00", lone])
    #expect(
      lines([
        "highway": "motorway", "access": "no", "hov": "yes", "hov:conditional": "no @ \(morning)",
      ]) == ["access d 0 @ Mo-Fr 06:00-09:00", "carpool 3 0 @ Mo-Fr 06:00-09:00"])
    // What the road is open to anyway stays open.
    #expect(
      lines([
        "highway": "motorway", "access": "no", "bus": "yes", "hov": "designated",
        "hov:conditional": "no @ \(morning)",
      ]) == ["access 9 0 @ Mo-Fr 06:00-09:00", "carpool 3 0 @ Mo-Fr 06:00-09:00"])
    // A permission restricts no car on an open road, and lanes are not the road.
    #expect(
      lines(["highway": "motorway", "hov:conditional": "yes @ \(morning)"])
        == ["carpool 3 0 @ Mo-Fr 06:00-09:00"])
    #expect(lines(["highway": "motorway", "hov:lanes:conditional": "|designated @ 6:00"]) == [])
  }

  @Test func `a street for deliveries in the morning has edges for those, RT-8`() throws {
    let reading = TagReading([
      "highway": "pedestrian", "motor_vehicle:conditional": "delivery @ (06:00-11:00)",
    ])
    let road = try #require(reading.forward)
    #expect(road.access(.car) == .no)
    #expect(road.carSpeedKmh > 0)
    #expect(reading.text(road.rules) == "access 1f 3 @ 06:00-11:00")
  }

  @Test func `one-ways that turn with the hour have both directions, RT-8`() throws {
    let tags: OSMTags = [
      "highway": "primary", "oneway": "reversible",
      "oneway:conditional": "yes @ (04:00-12:00); -1 @ (12:00-20:00)",
    ]
    #expect(lines(tags).first == "access 3f 1 @ 04:00-12:00")
    #expect(lines(tags, .backward) == ["access 3f 1 @ 12:00-20:00"])
    let reading = TagReading(tags)
    #expect(reading.forward?.access(.car) == .no)
    #expect(reading.forward?.flags.contains(.reversible) == true)
    let evening: OSMTags = ["highway": "primary", "oneway:conditional": "yes @ (16:00-20:00)"]
    #expect(lines(evening) == [])
    #expect(lines(evening, .backward) == ["access 3f 0 @ 16:00-20:00"])
  }

  @Test func `limits at times, for all or for some, EV-2`() {
    #expect(
      lines(["highway": "motorway", "maxspeed:conditional": "80 @ wet; 60 mph @ (22:00-06:00)"])
        == ["limit 1f 80 @ wet", "limit 1f 97 @ 22:00-06:00"])
    #expect(
      lines(["highway": "primary", "maxspeed:hgv:conditional": "40 @ (weight>12)"])
        == ["limit 2 40 @ weight>12"])
    #expect(
      lines(["highway": "motorway", "maxspeed:conditional": "none @ (19:00-06:00)"])
        == ["limit 1f 255 @ 19:00-06:00"])
  }

  @Test func `what cannot be read is counted and left out`() throws {
    let map = try DrawnMap(
      "a--b", ways: ["ab": "highway=primary maxspeed:conditional=80 @ (7 till 9)"])
    #expect(map.report.unreadableRules == 1)
    #expect(RuleBook(map.graph).isEmpty)
  }

  @Test func `rules hold by the clock of the place, RT-8, EV-2`() throws {
    let map = try DrawnMap(
      "a--b--c",
      ways: [
        "ab": "highway=primary motor_vehicle:conditional=no @ (Mo-Fr 07:00-09:00)",
        "bc": "highway=primary maxspeed=100 maxspeed:conditional=80 @ (07:00-09:00); 60 @ wet",
      ], options: MapOptions(country: "JP"))
    let book = RuleBook(map.graph)
    // Sunday, 4 January 2026, 23:00 UTC: Monday, 08:00 in Japan.
    let morning = Instant(seconds: 1_767_567_600)
    let later = morning.advanced(bySeconds: 7200)
    let (ab, bc) = (try map.edge("ab"), try map.edge("bc"))
    #expect(book.access(ab, .car, at: morning) == .no)
    #expect(book.access(ab, .bicycle, at: morning) == .yes)
    #expect(book.access(ab, .car, at: later) == .yes)
    #expect(
      book.changes(for: .car, at: morning).map(\.edge).sorted()
        == [ab, try map.edge("ba")].sorted())
    #expect(book.changes(for: .car, at: later).isEmpty)
    let limits = book.limits(bc, .car, at: morning)
    #expect(limits.map(\.kmh) == [80, 60])
    #expect(limits.map(\.holds) == [true, nil])
    let dry = Circumstances(weather: [.dry])
    #expect(book.limits(bc, .car, at: later, dry).map(\.holds) == [false, false])
  }

  @Test func `a limit of the night lets one drive faster where the day's held one down, EV-2`()
    throws
  {
    let map = try DrawnMap(
      "a--b--c",
      ways: [
        "ab": "highway=primary maxspeed=30 maxspeed:conditional=50 @ (18:00-07:00)",
        "bc": "highway=residential maxspeed=100 maxspeed:conditional=80 @ (18:00-07:00)",
      ], options: MapOptions(country: "JP"))
    let book = RuleBook(map.graph)
    // 21:00 in Japan, and noon.
    let night = try book.graph(at: book.moment(at: Instant(seconds: 1_767_614_400)))
    let (ab, bc) = (try map.edge("ab"), try map.edge("bc"))
    #expect(map.graph.attributes(ab).carSpeedKmh == 27)
    #expect(night.attributes(ab).carSpeedKmh == 45)
    // A street that is slow by its kind stays as slow under a higher limit.
    #expect(night.attributes(bc).carSpeedKmh == map.graph.attributes(bc).carSpeedKmh)
    #expect(book.moment(at: Instant(seconds: 1_767_582_000)).isUsual)
  }

  @Test(arguments: 0..<200 as Range<UInt64>)
  func `lines of rules come back, and strange ones are refused`(seed: UInt64) throws {
    let line = "limit 1f 80 @ Mo-Fr 07:00-09:00; PH off"
    #expect(try #require(RoadRule(line: line)).line == line)
    var bytes = Array(line.utf8)
    var state = seed &* 0x9e37_79b9_7f4a_7c15 &+ 1
    for _ in 0..<3 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      bytes[Int((state >> 33) % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: state >> 20)
    }
    // Anything may come of it, but no crash.
    _ = RoadRule(line: String(decoding: bytes, as: UTF8.self))
  }

  @Test func `without a time rules of size hold, and those that need a clock are reported, RT-8`()
    throws
  {
    let map = try DrawnMap(
      "a--b--c--d",
      ways: [
        "ab": "highway=primary maxspeed=80 hgv:conditional=no @ (weight>7.5)",
        "bc": "highway=primary hgv:conditional=no @ (22:00-06:00)", "cd": "highway=primary",
      ])
    let rules = RuleBook(map.graph)
    let edges = try map.edges("abcd")
    var heavy = VehicleSize(weightT: 12).circumstances
    let moment = rules.moment(at: nil, heavy)
    #expect(!moment.isUsual)
    let graph = try rules.graph(at: moment)
    #expect(edges.map { graph.attributes($0).access(.truck) } == [.no, .yes, .yes])
    #expect(edges.map { graph.attributes($0).access(.car) } == [.yes, .yes, .yes])
    #expect(rules.undecided(edges, .truck, at: nil, heavy) == [edges[1]])
    #expect(rules.undecided(edges, .car, at: nil, heavy).isEmpty)
    #expect(rules.undecided(edges, .truck, at: Instant(seconds: 0), heavy).isEmpty)
    heavy = VehicleSize(weightT: 3).circumstances
    #expect(rules.moment(at: nil, heavy).isUsual)
  }
}
