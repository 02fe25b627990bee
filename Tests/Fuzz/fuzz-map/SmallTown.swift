import MapMaking

/// A map so small that thousands of spoilt ones are read in a second, with each kind of thing that a file holds.
enum SmallTown {
  static let data: OSMData = {
    var data = OSMData()
    let places: [(Int32, Int32)] = [
      (0, 0), (0, 9_000), (100, 18_000), (-9_000, 9_000), (9_000, 9_100), (9_000, 18_000),
      (50, 4_000), (9_100, 25_000),
    ]
    for (index, (latitude, longitude)) in places.enumerated() {
      data.nodes.append(
        OSMNode(
          id: Int64(index + 1), latitudeE7: 411_500_000 + latitude,
          longitudeE7: -86_000_000 + longitude))
    }
    data.nodes[1].tags = ["highway": "traffic_signals"]
    data.nodes[4].tags = ["highway": "motorway_junction", "ref": "7", "name": "North"]
    data.nodes[3].tags = ["place": "village", "name": "Southtown"]
    data.ways = [
      OSMWay(
        id: 9_007_199_254_740_993, nodes: [1, 7, 2, 3],
        tags: [
          "highway": "primary", "name": "High Street", "name:pt": "Rua Alta", "ref": "N 1",
          "maxspeed:conditional": "30 @ (Mo-Fr 07:00-19:00); 80 @ wet", "toll:hgv": "yes",
        ]),
      OSMWay(
        id: 11, nodes: [4, 2, 5],
        tags: [
          "highway": "residential", "motor_vehicle:conditional": "no @ (22:00-06:00)",
          "maxheight": "3.5", "bridge": "yes",
        ]),
      OSMWay(
        id: 12, nodes: [5, 6, 8],
        tags: [
          "highway": "motorway", "destination": "Porto;Braga", "turn:lanes": "left|through",
          "lanes": "2", "change:lanes": "no|yes",
        ]),
      OSMWay(id: 13, nodes: [3, 6], tags: ["highway": "secondary", "oneway": "yes"]),
    ]
    data.relations = [
      OSMRelation(
        id: 1,
        members: [
          OSMMember(.way, 11, role: "from"), OSMMember(.node, 2, role: "via"),
          OSMMember(.way, 9_007_199_254_740_993, role: "to"),
        ], tags: ["type": "restriction", "restriction": "no_left_turn"]),
      OSMRelation(
        id: 2,
        members: [
          OSMMember(.way, 9_007_199_254_740_993, role: "from"), OSMMember(.node, 2, role: "via"),
          OSMMember(.way, 11, role: "to"),
        ],
        tags: ["type": "restriction", "restriction:conditional": "no_u_turn @ (Sa-Su)"]),
    ]
    return data
  }()
}
