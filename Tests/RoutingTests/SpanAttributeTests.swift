import DrawnMaps
import Foundations
import Geodesy
import MapMaking
import RoadGraph
import Route
import Testing

@testable import Routing

/// Everything that the map knows of a road is on a route's span.
@Suite struct SpanAttributeTests {
  @Test func `a span tells all of its road, RT-10`() throws {
    let map = try DrawnMap(
      "a-b-c-d-e-f-g",
      ways: [
        "ab": "highway=motorway oneway=no name=Rua ref=A 1 name:en=Street toll=yes surface=asphalt",
        "bc": "highway=primary tunnel=yes maxspeed=50 ref=N 12 destination=Porto",
        "cd": "highway=secondary bridge=yes surface=sett",
        "de": "highway=tertiary hov=designated surface=gravel",
        "ef": "route=ferry duration=00:10 name=Crossing",
        "fg": "highway=tertiary",
      ], cell: 200, options: MapOptions(country: "PT"))
    var request = try DrawnRouter(map).request("ag")
    request.language = "en"
    let route = try DrawnRouter(map).route(request)
    let roads = route.spans.map(\.road)
    let motorway = try #require(roads.first { $0.roadClass == .motorway })
    #expect(motorway.name == "Street")
    #expect(motorway.localName == "Rua")
    #expect(motorway.number == "A 1")
    #expect(motorway.numberLevel == 1)
    #expect(motorway.isToll)
    #expect(motorway.surface == .paved)
    #expect(motorway.country == "PT")
    #expect(motorway.speedLimitMps.map { ($0 * 3.6).rounded() } == 120)
    let tunnel = try #require(roads.first { $0.isTunnel })
    #expect(tunnel.numberLevel == 3)
    #expect(tunnel.toward == ["Porto"])
    #expect(tunnel.speedLimitMps.map { ($0 * 3.6).rounded() } == 50)
    #expect(roads.contains { $0.isBridge && $0.surface == .cobbles && $0.numberLevel == nil })
    #expect(roads.contains { $0.isCarPool && $0.isUnpaved && $0.surface == .gravel })
    let ferry = try #require(route.spans.first { $0.road.isFerry })
    #expect(ferry.road.name == "Crossing")
    #expect(abs(ferry.durations.freeFlowS - 600) < 1)
    #expect(route.spans.allSatisfy { $0.baseSpeedMps > 0 && !$0.segments.isEmpty })
  }

  @Test func `a ferry's time is the sign's, and it can be avoided, RT-6, RT-8`() throws {
    let map = try DrawnMap(
      """
      a---b
      |   |
      c---d
      """,
      ways: [
        "ab": "route=ferry duration=00:01", "ac": "highway=secondary", "cd": "highway=secondary",
        "db": "highway=secondary",
      ], cell: 1000)
    let router = DrawnRouter(map)
    var request = try router.request("ab")
    #expect(try router.letters(request) == "ab")
    request.avoid = [.ferries]
    #expect(try router.letters(request) == "acdb")
  }
}
