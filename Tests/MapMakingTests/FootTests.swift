import DrawnMaps
import RoadGraph
import Testing

@testable import MapMaking

/// What maps tell those who walk and cycle, and where trams cross a road.
@Suite struct FootTests {
  @Test(
    "carriageways with sidewalks of their own, crossings and halls are marked, RT-3",
    arguments: [
      ("highway=secondary sidewalk=separate", RoadFlags.walkersElsewhere, true),
      ("highway=secondary sidewalk=none", .walkersElsewhere, true),
      ("highway=secondary sidewalk=right", .walkersElsewhere, false),
      ("highway=service sidewalk=no", .walkersElsewhere, false),
      ("highway=primary tunnel=yes", .walkersElsewhere, true),
      ("highway=primary tunnel=yes foot=yes", .walkersElsewhere, false),
      ("highway=secondary cycleway:both=separate", .cyclistsElsewhere, true),
      ("highway=secondary cycleway=lane", .cyclistsElsewhere, false),
      ("highway=trunk expressway=yes", .cyclistsElsewhere, true),
      ("highway=footway footway=crossing", .footCrossing, true),
      ("highway=cycleway cycleway=crossing", .footCrossing, true),
      ("highway=footway footway=sidewalk", .footCrossing, false),
      ("highway=corridor", .indoor, true), ("highway=footway indoor=yes", .indoor, true),
    ])
  func flags(tags: String, flag: RoadFlags, isSet: Bool) throws {
    let map = try DrawnMap("a-b", ways: ["ab": tags])
    let road = map.graph.attributes(try map.edge("ab"))
    #expect(road.flags.contains(flag) == isSet)
  }

  @Test(
    "a tram that crosses is no railway crossing, EV-4",
    arguments: [
      ("railway=tram", "railway=tram_level_crossing", false),
      ("railway=tram", "railway=level_crossing", false),
      ("railway=light_rail", "railway=level_crossing", false),
      ("railway=light_rail", "railway=level_crossing crossing:barrier=half", true),
      ("railway=rail", "railway=level_crossing", true),
    ])
  func tram(track: String, node: String, isCrossing: Bool) throws {
    let map = try DrawnMap(
      "  d\na-b-c\n  e", ways: [("abc", "highway=secondary"), ("dbe", track)],
      nodes: [("b", node)])
    let found = (0..<map.graph.nodeCount).contains {
      map.graph.columns.nodeFlags[$0].contains(.levelCrossing)
    }
    #expect(found == isCrossing)
  }

  @Test("edges whose side of driving is a guess are counted, RT-10")
  func guessedSides() throws {
    #expect(try DrawnMap("a-b", ways: ["ab": ""]).report.guessedSides == 2)
    var options = MapOptions()
    options.country = "DE"
    #expect(try DrawnMap("a-b", ways: ["ab": ""], options: options).report.guessedSides == 0)
    options.country = nil
    options.drivesOnLeft = true
    #expect(try DrawnMap("a-b", ways: ["ab": ""], options: options).report.guessedSides == 0)
  }
}
