import DrawnMaps
import MapMaking
import RoadGraph
import RoadNumbering
import Testing

/// Road numbers of a map: levels by network, and what route relations add to each number.
@Suite struct NumberTests {
  private func node(_ id: Int64) -> OSMNode {
    OSMNode(id: id, latitudeE7: 0, longitudeE7: Int32(id) * 100_000)
  }

  private func route(_ id: Int64, _ way: Int64, role: String = "", _ tags: OSMTags) -> OSMRelation {
    var all = tags
    all["type"] = "route"
    all["route"] = "road"
    return OSMRelation(id: id, members: [OSMMember(.way, way, role: role)], tags: all)
  }

  /// The road of a single one-way piece with such tags, and the routes on it.
  private func road(
    _ tags: OSMTags, country: String?, _ routes: [OSMRelation] = []
  ) throws -> (road: RoadAttributes, routes: [RouteRelationNumber]) {
    var tags = tags
    tags["oneway"] = "yes"
    let data = OSMData(
      nodes: [node(1), node(2)], ways: [OSMWay(id: 10, nodes: [1, 2], tags: tags)],
      relations: routes)
    let graph = try GraphMaker.make(data, options: MapOptions(country: country)).graph()
    let road = try #require(
      (0..<graph.edgeCount).map { graph.attributes(EdgeID($0)) }
        .first { $0.access(.car).isUsable })
    return (road, RouteRelationNumber.decode(graph.text(road.numberRoutes)))
  }

  /// Country, class, number, level.
  @Test(
    "the map stores the level of the number's network, RN-4, RT-10",
    arguments: [
      ("DE", "motorway", "A 5", 1), ("DE", "primary", "B 3", 2), ("DE", "primary", "L 600a", 4),
      ("DE", "tertiary", "K 9710", 5), ("DE", "motorway", "A 5;B 3", 1),
      ("US", "primary", "US 101;CA 1", 2), ("FR", "primary", "D 906", 4),
      ("GB", "trunk", "A1(M)", 1), ("FR", "primary", "?", 3),
    ])
  func level(_ country: String, _ highway: String, _ ref: String, _ level: Int) throws {
    let road = try road(["highway": highway, "ref": ref], country: country).road
    #expect(road.numberLevel == level)
  }

  @Test("each number takes the direction of its own route, RT-10")
  func directions() throws {
    let routes = try road(
      ["highway": "motorway", "ref": "US 1;CA 1;I 80"], country: "US",
      [
        route(1, 10, role: "west", ["network": "US:CA", "ref": "1"]),
        route(2, 10, role: "north", ["network": "US:US", "ref": "1"]),
        route(3, 10, role: "east", ["network": "US:I", "ref": "180"]),
      ]
    ).routes
    #expect(routes.map(\.direction) == ["north", "west"])
    // The texts tell the networks already.
    #expect(routes.allSatisfy { $0.network == nil })
  }

  @Test("a European route does not lift a road to the national level, RN-4, RT-10")
  func europeanRoute() throws {
    let found = try road(
      ["highway": "primary", "ref": "B 3"], country: "DE",
      [route(1, 10, ["network": "e-road", "ref": "E 35"])])
    #expect(found.road.numberLevel == 2)
    #expect(found.routes.isEmpty)
  }

  @Test("a relation tells the network of a number that says none, RT-10")
  func bareNumber() throws {
    let found = try road(
      ["highway": "motorway", "ref": "401"], country: "CA",
      [route(1, 10, role: "west", ["network": "CA:ON:primary", "ref": "401"])])
    #expect(found.routes == [RouteRelationNumber(network: "CA:ON:primary", direction: "west")])
    #expect(found.road.numberLevel == 2)
  }

  @Test("numbers in other languages are kept, catalogue keys are not, RT-10")
  func languages() throws {
    let map = try DrawnMap(
      "a-b", ways: ["ab": "highway=primary ref=م 5 ref:en=M 5 ref:bag=123 ref:FR:X=4 name:fr=Rue"])
    let road = map.graph.attributes(try map.edge("ab"))
    #expect(map.graph.text(road.namesByLanguage) == "fr=Rue\nref:en=M 5")
  }
}
