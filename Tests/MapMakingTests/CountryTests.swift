import DrawnMaps
import Geodesy
import MapMaking
import RoadGraph
import Testing

/// Where the country of a road comes from: the data, the option, the built-in table.
@Suite struct CountryTests {
  private let heidelberg = Coordinate(latitudeDeg: 49.4094, longitudeDeg: 8.6947)
  private let sanFrancisco = Coordinate(latitudeDeg: 37.7749, longitudeDeg: -122.4194)

  private func drawn(
    at origin: Coordinate, _ tags: String = "highway=primary ref=B 3",
    options: MapOptions = MapOptions()
  ) throws -> (road: RoadAttributes, map: DrawnMap) {
    let map = try DrawnMap("a-b", ways: ["ab": tags], origin: origin, options: options)
    return (map.graph.attributes(try map.edge("ab")), map)
  }

  @Test("data without boundaries take the country of the built-in table, RN-4, RT-10")
  func builtIn() throws {
    let (road, map) = try drawn(at: heidelberg)
    #expect(road.country == "DE")
    #expect(road.numberLevel == 2)
    #expect(!road.flags.contains(.leftHand))
    #expect(map.report.countries.builtIn == map.report.edges)
    let london = try drawn(at: Coordinate(latitudeDeg: 51.5074, longitudeDeg: -0.1278))
    #expect(london.road.country == "GB")
    #expect(london.road.flags.contains(.leftHand))
  }

  @Test("the built-in table names states of the United States, RN-4, RT-10")
  func state() throws {
    let (road, map) = try drawn(at: sanFrancisco, "highway=primary ref=SR 1")
    let state = try #require(map.graph.state(road))
    #expect(state.name == "California")
    #expect(state.code == "US-CA")
    let own = try drawn(at: sanFrancisco, "highway=primary is_in:state=Elsewhere")
    #expect(own.map.graph.state(own.road)?.name == "Elsewhere")
  }

  @Test("an explicit option and a road's own tag count before the table, RN-4")
  func explicit() throws {
    let option = try drawn(at: heidelberg, options: MapOptions(country: "FR"))
    #expect(option.road.country == "FR")
    #expect(option.map.report.countries.option == option.map.report.edges)
    let tagged = try drawn(at: heidelberg, "highway=primary country=CH")
    #expect(tagged.road.country == "CH")
    #expect(tagged.map.report.countries.tags == tagged.map.report.edges)
  }

  @Test("where the table has no country none is invented, RN-4")
  func ocean() throws {
    let (road, map) = try drawn(at: Coordinate(latitudeDeg: 47, longitudeDeg: -30))
    #expect(road.country == nil)
    #expect(map.report.countries.unknown == map.report.edges)
  }

  @Test("a boundary in the data counts before everything else, RN-4")
  func boundary() throws {
    func node(_ id: Int64, _ north: Int32, _ east: Int32) -> OSMNode {
      OSMNode(id: id, latitudeE7: 494_000_000 + north, longitudeE7: 87_000_000 + east)
    }
    let data = OSMData(
      nodes: [
        node(1, 0, 0), node(2, 0, 1_000), node(11, -9_000, -9_000), node(12, 9_000, -9_000),
        node(13, 9_000, 9_000), node(14, -9_000, 9_000),
      ],
      ways: [
        OSMWay(id: 1, nodes: [1, 2], tags: ["highway": "primary"]),
        OSMWay(
          id: 2, nodes: [11, 12, 13, 14, 11],
          tags: ["boundary": "administrative", "admin_level": "2", "ISO3166-1:alpha2": "XA"]),
      ])
    let made = try GraphMaker.make(data, options: MapOptions(country: "FR"))
    let graph = try made.graph()
    #expect((0..<graph.edgeCount).allSatisfy { graph.attributes(EdgeID($0)).country == "XA" })
    #expect(made.report.countries.boundaries == made.report.edges)
  }
}
