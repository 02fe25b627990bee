import DrawnMaps
import MapMaking
import RoadGraph
import Testing

/// The timetables of ferries and car trains.
@Suite struct FerryTests {
  private func lines(_ tags: OSMTags) -> [String] {
    var all = tags
    all["route"] = "ferry"
    let reading = TagReading(all)
    return reading.text(reading.forward?.rules)?.split(separator: "\n").map(String.init) ?? []
  }

  @Test(arguments: [
    ("30", 900.0), ("00:30", 900), ("0:20:00", 600), ("PT1H", 1800), ("01:30", 2700),
    ("24:00", 43_200), ("7", 210), ("often", 0), ("", 0), ("-5", 0),
  ])
  func `the mean wait for a ferry is half of its interval, TR-10`(interval: String, waitS: Double) {
    let reading = TagReading(["route": "ferry", "interval": interval])
    #expect(abs((reading.forward?.boardingS ?? -1) - waitS) <= waitS / 60)
    #expect(reading.backward?.boardingS == reading.forward?.boardingS)
    #expect(TagReading(["highway": "primary", "interval": interval]).forward?.boardingS == 0)
    #expect(
      TagReading(["route": "shuttle_train", "interval": interval]).forward?.boardingS
        == reading.forward?.boardingS)
  }

  @Test func `a timetable becomes rules of the road, closed hours last, TR-10, RT-21`() {
    #expect(
      lines(["opening_hours": "Apr-Sep 08:00-18:00"]) == ["closed 7f 0 @ Apr-Sep 08:00-18:00"])
    #expect(lines(["opening_hours": "24/7"]) == [])
    #expect(
      lines([
        "interval": "00:20", "interval:conditional": "01:00 @ (Sa,Su); 10 @ (Mo-Fr 07:00-09:00)",
      ])
        == ["boarding 7f 1800 @ Sa,Su", "boarding 7f 300 @ Mo-Fr 07:00-09:00"])
    #expect(
      lines(["duration": "00:30", "duration:conditional": "00:45 @ (Oct-Mar)"])
        == ["crossing 7f 1500 @ Oct-Mar"])
    #expect(
      lines(["duration:conditional": "00:45 @ (Oct-Mar); 00:30 @ (Apr-Sep)"])
        == ["crossing 7f 1000 @ Oct-Mar", "crossing 7f 667 @ Apr-Sep"])
    #expect(
      lines([
        "opening_hours": "06:00-22:00", "interval:conditional": "30 @ (20:00-22:00)",
        "motor_vehicle:conditional": "yes @ (05:00-23:00)",
      ]) == [
        "access 1f 1 @ 05:00-23:00", "boarding 7f 900 @ 20:00-22:00", "closed 7f 0 @ 06:00-22:00",
      ])
    for line in lines(["opening_hours": "06:00-22:00", "interval:conditional": "30 @ Su"]) {
      #expect(RoadRule(line: line)?.line == line)
    }
    // A road keeps its shop's hours to itself.
    let road = TagReading(["highway": "primary", "opening_hours": "08:00-18:00"])
    #expect(road.forward?.rules.isEmpty == true)
  }

  @Test func `unreadable timetables are counted by key and left out, TR-10`() throws {
    let map = try DrawnMap(
      "a--b--c",
      ways: [
        "ab":
          "route=ferry interval=often duration=a while opening_hours=when the tide is in name=Old",
        "bc":
          "route=ferry interval=20 interval:conditional=hourly @ (Su) opening_hours=25:00-x name=New",
      ])
    #expect(
      map.report.unreadableKeys == [
        "interval": 1, "duration": 1, "opening_hours": 2, "interval:conditional": 1,
      ])
    #expect(map.report.unreadableRules == 5)
    #expect(RuleBook(map.graph).isEmpty)
    #expect(map.graph.attributes(try map.edge("bc")).boardingS == 600)
  }

  @Test func `a made map that is cut keeps the timetable, TR-10`() throws {
    let map = try DrawnMap(
      "a--b--c",
      ways: ["bc": "route=ferry interval=20 opening_hours=06:00-22:00 duration=00:10"])
    let copy = try GraphMaker.make([MapPart(map.graph)]).graph()
    let ferries = (0..<copy.edgeCount).map { copy.attributes(EdgeID($0)) }
      .filter { $0.flags.contains(.ferry) }
    #expect(ferries.count == 2)
    #expect(ferries.allSatisfy { $0.boardingS == 600 && $0.crossingS == 600 })
    #expect(ferries.allSatisfy { copy.text($0.rules) == "closed 7f 0 @ 06:00-22:00" })
  }
}

/// Ferries that are mapped as relations.
@Suite struct FerryRelationTests {
  private static let towns = "a--b----c----d--e"

  /// Two roads and the ways between them, with a relation over these.
  private func map(_ ways: KeyValuePairs<String, String>, _ relation: OSMTags) throws
    -> MapMakingResult
  {
    let all =
      [("ab", "highway=residential"), ("de", "highway=residential")] + ways.map { ($0, $1) }
    var data = try DrawnMap(Self.towns, ways: all).data
    let members = data.ways.dropFirst(2).map { OSMMember(.way, $0.id, role: "") }
    var tags = relation
    tags["type"] = "route"
    data.relations = [OSMRelation(id: 7, members: members, tags: tags)]
    // A way without tags is none that DrawnMap draws.
    for index in data.ways.indices where data.ways[index].tags["highway"] == "none" {
      data.ways[index].tags = [:]
    }
    return try GraphMaker.make(data)
  }

  private func ferries(_ made: MapMakingResult) throws -> (
    graph: RoadGraph, roads: [RoadAttributes]
  ) {
    let graph = try made.graph()
    return (
      graph,
      (0..<graph.edgeCount).map { graph.attributes(EdgeID($0)) }
        .filter { $0.flags.contains(.ferry) }
    )
  }

  @Test func `a relation makes a ferry of ways without tags, RT-8`() throws {
    let (graph, roads) = try ferries(
      map(
        ["bcd": "highway=none"],
        [
          "route": "ferry", "name": "River Ferry", "duration": "00:25", "motor_vehicle": "yes",
          "opening_hours": "06:00-22:00", "interval": "20",
        ]))
    #expect(roads.count == 2)
    #expect(roads.allSatisfy { graph.text($0.name) == "River Ferry" })
    #expect(roads.allSatisfy { $0.crossingS == 1500 && $0.boardingS == 600 })
    #expect(roads.allSatisfy { graph.text($0.rules) == "closed 7f 0 @ 06:00-22:00" })
    #expect(roads.allSatisfy { $0.access(.car) == .yes })
  }

  @Test func `a relation completes a ferry's tags and overrules none, RT-8`() throws {
    let (graph, roads) = try ferries(
      map(
        ["bcd": "route=ferry name=Own"],
        ["route": "ferry", "name": "Line 3", "duration": "00:25", "motor_vehicle": "no"]))
    #expect(roads.allSatisfy { graph.text($0.name) == "Own" && $0.crossingS == 1500 })
    #expect(roads.allSatisfy { $0.access(.car) == .no && $0.access(.pedestrian) == .yes })
    let (_, own) = try ferries(
      map(["bcd": "route=ferry duration=10"], ["route": "ferry", "duration": "00:25"]))
    #expect(own.allSatisfy { $0.crossingS == 600 })
  }

  @Test func `the ways of a relation share its duration by their lengths, RT-8`() throws {
    let (_, roads) = try ferries(
      map(
        ["bc": "route=ferry", "cd": "highway=none"], ["route": "ferry", "duration": "00:20"]))
    #expect(roads.count == 4)
    #expect(roads.allSatisfy { $0.crossingS == 600 })
  }

  @Test func `a road that a ferry's relation names stays a road, RT-8`() throws {
    let made = try map(
      ["bcd": "highway=tertiary"], ["route": "ferry", "duration": "00:20"])
    #expect(try ferries(made).roads.isEmpty)
    #expect(made.report.roadsKept == 3)
  }
}
