import DrawnMaps
import Maneuvers
import OSRM
import RoadGraph
import Route
import Testing

@testable import Routing

/// Paths that no traveller would choose although they are as fast: RT-3.
@Suite struct ChoiceTests {
  /// A motorway with ramps to a street at `r` and back to the motorway, in cells of 60 m.
  private static func interchange(
    _ limit: Int, link: String, kind: String = "motorway"
  ) throws -> DrawnRouter {
    DrawnRouter(
      try DrawnMap(
        "            n\na-----b------------c-----d\n            r\n\n            s",
        ways: [
          "abcd": "highway=\(kind) oneway=yes maxspeed=\(limit)",
          "br": "highway=\(kind)_link oneway=yes \(link)",
          "rc": "highway=\(kind)_link oneway=yes \(link)", "rs": "highway=secondary",
        ], nodes: ["r": "highway=give_way"], cell: 60))
  }

  @Test(
    "a motorway is not left to be joined again, RT-3",
    arguments: [(50, ""), (60, ""), (60, "maxspeed=130"), (80, "maxspeed=130"), (100, "")])
  func offAndOn(limit: Int, link: String) throws {
    let router = try Self.interchange(limit, link: link)
    #expect(try router.letters(router.request("ad")) == "abcd")
    #expect(try router.letters(router.request("as")) == "abrs")
  }

  @Test(
    "a primary road with ramps is not left to be joined again, RT-3",
    arguments: [(30, ""), (50, "maxspeed=130"), (50, "")])
  func offAndOnPrimary(limit: Int, link: String) throws {
    let router = try Self.interchange(limit, link: link, kind: "primary")
    #expect(try router.letters(router.request("ad")) == "abcd")
    #expect(try router.letters(router.request("as")) == "abrs")
  }

  @Test("ramps that only pass streets on the way to a motorway cost nothing more, RT-3")
  func entryPastStreet() throws {
    let map = try DrawnMap(
      "s---t---u---j---e\n        |       |\n        v",
      ways: [
        "st": "highway=secondary", "tu": "highway=motorway_link", "uj": "highway=motorway_link",
        "uv": "highway=residential", "je": "highway=motorway oneway=yes",
      ])
    let metric = RoadMetric(
      network: RoadNetwork(graph: map.graph, mode: .car),
      key: MetricKey(try DrawnRouter(map).request("se")))
    #expect(try metric.detourMS(from: map.edge("tu").index, onto: map.edge("uj").index) == 0)
  }

  @Test("a ramp that crosses a street on the way to another road costs nothing more, RT-3")
  func rampToAnotherRoad() throws {
    let map = try DrawnMap(
      "a----b--------n--c\n\n      r----s\n\n      f-----------g",
      ways: [
        "abnc": "highway=primary oneway=yes", "br": "highway=primary_link oneway=yes",
        "rf": "highway=primary_link oneway=yes", "rs": "highway=residential",
        "fg": "highway=primary oneway=yes",
      ])
    let metric = RoadMetric(
      network: RoadNetwork(graph: map.graph, mode: .car),
      key: MetricKey(try DrawnRouter(map).request("ag")))
    #expect(try metric.detourMS(from: map.edge("br").index, onto: map.edge("rf").index) == 0)
  }

  @Test("through traffic does not cut through a car park, RT-3")
  func carPark() throws {
    let map = try DrawnMap(
      "a---b-------c\n    |       |\n    e       |\n     f      |\n           g|\n            d\n            z",
      ways: [
        "abc": "highway=residential", "cdz": "highway=residential",
        "befgd": "highway=service service=parking_aisle maxspeed=30",
      ], cell: 15)
    let router = DrawnRouter(map)
    #expect(try router.letters(router.request("az")) == "abcdz")
    let toLot = try router.letters(router.request("af"))
    #expect(toLot.hasPrefix("ab"))
  }

  @Test(
    "walkers keep off carriageways beside sidewalks, RT-3",
    arguments: [
      ("sidewalk=separate", true), ("sidewalk=no", true), ("sidewalk=none", true),
      ("sidewalk:both=separate", true), ("sidewalk:left=separate sidewalk:right=no", true),
      ("sidewalk=both", false), ("sidewalk:left=separate sidewalk:right=yes", false),
      ("tunnel=yes", true), ("tunnel=yes sidewalk=both", false),
    ])
  func sidewalks(tags: String, isAvoided: Bool) throws {
    let map = try DrawnMap(
      " e---f---i\nxa-------ky",
      ways: [
        "xa": "highway=footway", "ky": "highway=footway", "ak": "highway=secondary \(tags)",
        "aefik": "highway=footway",
      ], cell: 20)
    let router = DrawnRouter(map)
    let route = try router.route(router.request("xy", mode: .pedestrian))
    #expect((route.lengthM > 205) == isAvoided, "\(route.lengthM)")
  }

  @Test(
    "cyclists take the cycleway that is mapped apart, and no expressway, RT-3",
    arguments: [
      ("highway=secondary cycleway=separate", true), ("highway=trunk expressway=yes", true),
      ("highway=secondary cycleway:right=separate", true),
      ("highway=secondary cycleway:right=separate cycleway:left=lane", false),
      ("highway=secondary", false), ("highway=trunk expressway=yes bicycle=designated", false),
    ])
  func cycleways(tags: String, isAvoided: Bool) throws {
    let map = try DrawnMap(
      " e---f---i\nxa-------ky",
      ways: [
        "xa": "highway=residential", "ky": "highway=residential", "ak": tags,
        "aefik": "highway=cycleway",
      ], cell: 20)
    let router = DrawnRouter(map)
    let route = try router.route(router.request("xy", mode: .bicycle))
    #expect((route.lengthM > 205) == isAvoided, "\(route.lengthM)")
  }

  @Test("preferences of walkers leave the time as it is, RT-3")
  func times() throws {
    func seconds(_ tags: String) throws -> Double {
      let map = try DrawnMap("a---b", ways: ["ab": "highway=secondary \(tags)"])
      let router = DrawnRouter(map)
      return try router.route(router.request("ab", mode: .pedestrian)).durations.trafficS
    }
    #expect(try seconds("") == seconds("sidewalk=no"))
  }

  @Test("a stop at the end of a road is reached before one turns back, RT-11")
  func deadEnd() throws {
    let map = try DrawnMap(
      "    d\n\n\na---b---c",
      ways: ["abc": "highway=residential name=Main", "bd": "highway=residential name=Dead End"])
    let router = DrawnRouter(map)
    let route = try router.route(router.request("adc"))
    let words = route.maneuvers.map(\.osrmType)
    #expect(words == ["depart", "turn", "arrive", "depart", "turn", "arrive"])
    #expect(route.maneuvers.map(\.text).contains { $0.contains("U-turn") } == false)
    #expect(route.sections.count == 2)
    #expect(abs(route.waypoints[1].offsetM - 700) < 1)
    #expect(abs(route.lengthM - 1400) < 1)
    var pass = try router.request("adc")
    pass.waypoints[1].kind = .passThrough
    let through = try router.route(pass)
    #expect(abs(through.lengthM - 1400) < 1)
    #expect(abs(through.waypoints[1].offsetM - 700) < 1)
    #expect(abs(through.durations.trafficS - route.durations.trafficS) < 1)
  }
}
