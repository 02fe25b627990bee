import DrawnMaps
import RoadGraph
import Testing

@testable import MapMaking

/// Tags that other engines read, and values that counted wrongly: docs/tags-compared.md.
@Suite struct ComparedTagTests {
  private func road(_ tags: String) -> RoadAttributes? {
    TagReading(OSMTags(words: tags)).forward
  }

  @Test(
    arguments: [
      ("access=taxi", "taxi"), ("access=share_taxi", "taxi"), ("access=minibus", "bus"),
      ("access=psv", "bus taxi"), ("impassable=yes", "pedestrian"),
      ("status=impassable", "pedestrian"),
    ])
  func `words for one kind of vehicle close the road to others, RT-8`(tags: String, modes: String) {
    let road = road("highway=residential \(tags)")
    let usable = TravelMode.allCases.filter { road?.access($0).isUsable == true }.map(\.word)
    #expect(usable.joined(separator: " ") == modes)
  }

  @Test func `getting off concerns riders, and access=yes opens no footway to them, RT-8`() {
    #expect(road("highway=residential access=dismount")?.access(.car) == .yes)
    #expect(road("highway=residential access=dismount")?.access(.bicycle) == .dismount)
    #expect(road("highway=footway access=yes")?.access(.bicycle) == .dismount)
    #expect(road("highway=footway access=private")?.access(.bicycle) == .private)
    #expect(road("highway=footway bicycle=yes")?.access(.bicycle) == .yes)
  }

  @Test func `surfaces and advised speeds of other engines count, EV-2`() {
    #expect(road("highway=residential surface=cement")?.surface == .paved)
    #expect(road("highway=residential surface=rocky")?.surface == .gravel)
    #expect(road("highway=primary maxspeed=80 maxspeed:advisory=30")?.carSpeedKmh == 30)
    #expect(road("highway=primary maxspeed=50 maxspeed:advisory=70")?.carSpeedKmh == 45)
    #expect(road("highway=primary maxspeed=GB:nsl_restricted")?.flags.contains(.builtUp) == true)
  }

  @Test func `a fence that is only heard lets all pass, and vehicles are riders, too, RT-8`() throws
  {
    func forbidden(_ nodes: String) throws -> TravelModes {
      let map = try DrawnMap("a-g-b", ways: ["agb": "highway=residential"], nodes: ["g": nodes])
      return map.graph.columns.restrictionModes.records.reduce(into: TravelModes()) {
        $0.formUnion($1)
      }
    }
    #expect(try forbidden("barrier=fence") == .motorised)
    #expect(try forbidden("barrier=fence sensory=audible").isEmpty)
    let map = try DrawnMap(
      "a-b-c", ways: ["ab": "", "bc": ""],
      restrictions: ["ab b bc": "restriction:vehicle=no_straight_on"])
    #expect(map.graph.columns.restrictionModes.records.allSatisfy { $0.contains(.bicycle) })
    #expect(map.graph.columns.restrictionModes.count == 1)
  }
}
