import DrawnMaps
import Geodesy
import RoadGraph
import Route
import Testing

@testable import Routing

/// Places that no road joins: the answer comes without a search.
@Suite struct NetworkComponentsTests {
  private static let map = """
    a--b--c   m--n--o
    |     |   |     |
    d--e--f   p--q--r
    """
  private static let ways: KeyValuePairs<String, String> = [
    "abcfeda": "highway=residential", "mnorqpm": "highway=residential",
    "be": "highway=residential oneway=yes",
  ]

  private func engine(_ map: DrawnMap, mode: TravelMode = .car) throws -> RoutingEngine {
    let metric = RoadMetric(
      network: RoadNetwork(graph: map.graph, mode: mode),
      key: MetricKey(RouteRequest(waypoints: [])))
    return RoutingEngine(try HierarchyOracleTests.customized(metric))
  }

  private func waypoints(_ letters: String, on map: DrawnMap) throws -> [Waypoint] {
    try letters.map { Waypoint(place: try map.coordinate($0)) }
  }

  @Test(arguments: [true, false])
  func `a route between parts is refused without a search, RT-19`(hasHierarchy: Bool) throws {
    let map = try DrawnMap(Self.map, ways: Self.ways, cell: 400)
    let fast = try engine(map)
    let engine = hasHierarchy ? fast : RoutingEngine(metric: fast.metric)
    var space = SearchSpace()
    let request = RouteRequest(waypoints: try waypoints("ao", on: map))
    #expect(throws: RouteFailure.noRouteFound(fromWaypoint: 0)) {
      try engine.path(request, in: &space)
    }
    #expect(space.settled == 0)
    let inside = RouteRequest(waypoints: try waypoints("af", on: map))
    #expect(try engine.path(inside, in: &space).legs.count == 1)
  }

  @Test func `a table between parts lacks what single routes lack, RT-19`() throws {
    let map = try DrawnMap(Self.map, ways: Self.ways, cell: 400)
    let engine = try engine(map)
    var space = SearchSpace()
    let places = try waypoints("abmor", on: map)
    let matrix = try engine.matrix(from: places, to: places, in: &space)
    for row in 0..<5 {
      for column in 0..<5 {
        #expect((matrix[row, column] != nil) == ((row < 2) == (column < 2)))
      }
    }
    #expect(space.settled == 0)
  }

  @Test func `parts are those of the mode, and one-ways join them`() throws {
    let map = try DrawnMap(
      """
      a--b--c--d
      """,
      ways: [
        "ab": "highway=residential", "bc": "highway=footway",
        "cd": "highway=residential oneway=yes",
      ], cell: 400)
    func part(_ letter: Character, _ mode: TravelMode) throws -> UInt32 {
      let network = RoadNetwork(graph: map.graph, mode: mode)
      let place = try map.coordinate(letter)
      let node = try #require(
        (0..<map.graph.nodeCount).map { NodeID($0) }.min {
          map.graph.coordinate($0).distanceM(to: place)
            < map.graph.coordinate($1).distanceM(to: place)
        })
      return network.parts.number(of: node)
    }
    #expect(try part("a", .pedestrian) == part("d", .pedestrian))
    #expect(try part("a", .car) != part("d", .car))
    #expect(try part("c", .car) == part("d", .car))
  }
}
