import DrawnMaps
import RoadGraph
import Testing

@testable import MapMatching

@Suite struct TimedAccessTests {
  @Test func `a road that opens at times is matched, one that never does is not, MM-1`() throws {
    let map = try DrawnMap(
      "a-b-c-d",
      ways: [
        "ab": "highway=residential motor_vehicle=no bus=yes",
        "bc":
          "highway=residential motor_vehicle=no motor_vehicle:conditional=destination @ (06:00-11:00)",
        "cd": "highway=residential motor_vehicle:conditional=no @ (06:00-11:00)",
      ])
    let network = MatchingNetwork(graph: map.graph, mode: .car)
    #expect(try !network.isUsable(map.edge("ab")))
    #expect(try network.isUsable(map.edge("bc")))
    #expect(try network.isUsable(map.edge("cd")))
    let walking = MatchingNetwork(graph: map.graph, mode: .pedestrian)
    #expect(try walking.isUsable(map.edge("ab")))
  }

  @Test func `a one-way that opens at times stays a one-way, MM-7`() throws {
    let map = try DrawnMap(
      "a-b-c",
      ways: [
        "ab": "highway=residential oneway=yes oneway:conditional=no @ (22:00-06:00)",
        "bc": "highway=residential construction=yes opening_date=2099-05-01",
      ])
    let network = MatchingNetwork(graph: map.graph, mode: .car)
    #expect(try network.isUsable(map.edge("ab")) && network.isOneWay(map.edge("ab")))
    #expect(try !network.isUsable(map.edge("ba")))
    // A road under construction is none yet.
    #expect(try !network.isUsable(map.edge("bc")))
  }
}
