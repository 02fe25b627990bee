import DrawnMaps
import Geodesy
import RoadGraph
import Testing

@testable import MapMaking

/// What the state of a road says of those who can pass: smoothness, grades of trails, fords, tides, works.
@Suite struct PassabilityTests {
  @Test(arguments: [
    ("highway=unclassified smoothness=impassable", "pedestrian"),
    ("highway=track smoothness=impassable", "pedestrian"),
    ("highway=residential abandoned=yes", "bicycle pedestrian"),
    ("highway=residential demolished=yes", ""),
    ("highway=residential construction=yes", ""),
    ("highway=residential construction=minor", "car truck bus taxi scooter bicycle pedestrian"),
    ("highway=unclassified ford=stepping_stones", "bicycle pedestrian"),
    ("highway=unclassified ford=yes", "car truck bus taxi scooter bicycle pedestrian"),
    ("highway=via_ferrata", "pedestrian"),
    ("highway=path via_ferrata_scale=3", "pedestrian"),
  ])
  func `what nothing of a mode can pass is barred, RT-8`(tags: String, modes: String) {
    let road = TagReading(OSMTags(words: tags)).forward
    let usable = TravelMode.allCases.filter { road?.access($0).isUsable ?? false }
    #expect(usable.map(\.word).joined(separator: " ") == modes)
  }

  @Test(arguments: [
    ("highway=path sac_scale=hiking", 0, 1, 1), ("highway=path sac_scale=alpine_hiking", 0, 4, 4),
    ("highway=path sac_scale=difficult_alpine_hiking", 0, 6, 6),
    ("highway=path mtb:scale=5", 0, 5, 0), ("highway=path mtb:scale=2+", 0, 2, 0),
    ("highway=path sac_scale=mountain_hiking mtb:scale=1", 0, 1, 2),
    ("highway=path trail_visibility=no", 0, 0, 4), ("highway=path ladder=yes", 0, 7, 4),
    ("highway=path trail_visibility=good", 0, 0, 0),
    ("highway=unclassified 4wd_only=yes", 2, 0, 0),
    ("highway=unclassified smoothness=very_horrible", 3, 4, 0),
    ("highway=unclassified smoothness=bad", 0, 0, 0), ("highway=unclassified tidal=yes", 2, 3, 4),
    ("highway=unclassified disused=yes", 2, 0, 0), ("highway=unclassified", 0, 0, 0),
  ])
  func `the difficulty of a road by mode, RT-8`(
    tags: String, car: UInt8, bicycle: UInt8, pedestrian: UInt8
  ) throws {
    let road = try #require(TagReading(OSMTags(words: tags)).forward)
    #expect(road.difficulty(.car) == car)
    #expect(road.difficulty(.bicycle) == bicycle)
    #expect(road.difficulty(.pedestrian) == pedestrian)
    // Another access of the moment leaves it.
    var later = road
    later.setAccess(.no, for: .pedestrian)
    #expect(later.difficulty(.pedestrian) == pedestrian)
    #expect(later.access(.pedestrian) == .no)
  }

  @Test func `a bad road is slower, RT-3`() throws {
    func road(_ tags: String) throws -> RoadAttributes {
      try #require(TagReading(OSMTags(words: tags)).forward)
    }
    let plain = try road("highway=unclassified")
    #expect(try road("highway=unclassified ford=yes").carSpeedKmh == 10)
    let grade5 = try road("highway=unclassified surface=compacted tracktype=grade5")
    #expect(grade5.carSpeedKmh == 12)
    #expect(
      try grade5.bicycleSpeedKmh < road("highway=unclassified surface=compacted").bicycleSpeedKmh)
    #expect(
      try road("highway=unclassified smoothness=very_bad").bicycleSpeedKmh < plain.bicycleSpeedKmh)
    #expect(
      try road("highway=path sac_scale=demanding_mountain_hiking").pedestrianSpeedKmh
        < road("highway=path sac_scale=hiking").pedestrianSpeedKmh)
  }

  private func rules(_ way: String, northDeg: Double = 47) throws -> [String] {
    let map = try DrawnMap(
      "a--b", ways: ["ab": way], origin: Coordinate(latitudeDeg: northDeg, longitudeDeg: -30))
    let road = map.graph.attributes(try map.edge("ab"))
    return map.graph.text(road.rules).split(separator: "\n").map(String.init)
  }

  @Test func `seasons close a road in the other months, half a year apart in the south, RT-21`()
    throws
  {
    #expect(try rules("highway=track ice_road=yes") == ["closed 7f 0 @ Dec-Mar"])
    #expect(try rules("highway=track winter_road=yes") == ["closed 7f 0 @ Dec-Mar"])
    #expect(try rules("highway=tertiary seasonal=summer") == ["closed 7f 0 @ May-Oct"])
    #expect(
      try rules("highway=tertiary seasonal=summer", northDeg: -47) == ["closed 7f 0 @ Nov-Apr"])
    #expect(
      try rules("highway=tertiary seasonal=spring;autumn") == ["closed 7f 0 @ Mar-May,Sep-Nov"])
    #expect(try rules("highway=tertiary seasonal=yes") == [])
    #expect(try rules("highway=tertiary seasonal=wet_season") == [])
    for line in try rules("highway=track ice_road=yes") {
      #expect(RoadRule(line: line)?.line == line)
    }
  }

  @Test func `works with a last day open the road then, RT-21`() throws {
    let lines = try rules("highway=residential construction=yes opening_date=2026-12-01")
    #expect(lines == ["access 7f 1 @ 2026 Dec 1-2299 Dec 31"])
    #expect(RoadRule(line: lines.first ?? "") != nil)
    #expect(TagReading(["highway": "residential", "construction": "yes"]).road == nil)
    #expect(
      TagReading([
        "highway": "residential", "construction": "yes", "opening_date": "next spring",
      ]).road == nil)
  }

  @Test func `car pools alone may use what is for them, RT-8`() throws {
    func road(_ tags: String) -> RoadAttributes? {
      TagReading(OSMTags(words: tags)).forward
    }
    for tags in [
      "hov=designated", "hov=only", "access=hov", "motor_vehicle=hov", "hov:lanes=designated",
      "hov:lanes=designated|designated", "access=no hov=designated", "access=no hov=yes",
    ] {
      let road = try #require(road("highway=motorway_link \(tags)"))
      #expect(road.flags.contains(.carPool), "\(tags)")
      #expect(road.access(.car) == .yes, "\(tags)")
    }
    // Mopeds may not use motorways, whatever their number of occupants.
    #expect(road("highway=motorway hov=designated")?.access(.scooter) == .no)
    for tags in [
      "hov=yes", "hov=lane", "hov=no", "hov:lanes=designated|", "access=hov motorcar=yes",
    ] {
      let road = try #require(road("highway=motorway_link \(tags)"))
      #expect(!road.flags.contains(.carPool), "\(tags)")
    }
    #expect(road("highway=primary access=hov")?.access(.truck) == .no)
    #expect(road("highway=primary access=hov")?.access(.bicycle) == .no)
    #expect(road("highway=primary access=hov")?.access(.bus) == .yes)
  }

  @Test func `a booth or gantry asks for toll where the road's own tags are silent, RT-6`() throws {
    func tolls(_ node: String, _ way: String = "") throws -> [Bool] {
      let map = try DrawnMap(
        "a--b--c", ways: ["abc": "highway=tertiary \(way)"], nodes: ["b": node])
      return try ["ab", "bc", "cb", "ba"].map {
        map.graph.attributes(try map.edge($0)).flags.contains(.toll)
      }
    }
    // What leads to the booth pays, in both directions.
    #expect(try tolls("barrier=toll_booth") == [true, false, true, false])
    #expect(try tolls("highway=toll_gantry") == [true, false, true, false])
    #expect(try tolls("barrier=toll_booth toll=no") == [false, false, false, false])
    #expect(try tolls("highway=toll_gantry toll:hgv=yes") == [false, false, false, false])
    #expect(try tolls("highway=toll_gantry", "toll:N3=yes") == [false, false, false, false])
    #expect(try tolls("barrier=toll_booth", "toll=no") == [false, false, false, false])
    let map = try DrawnMap(
      "a--b--c", ways: ["abc": "highway=tertiary"], nodes: ["b": "highway=toll_gantry toll:hgv=yes"]
    )
    #expect(map.graph.attributes(try map.edge("ab")).tollModes == TravelModes(.truck))
  }
}
