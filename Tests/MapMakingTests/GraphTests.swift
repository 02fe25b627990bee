import DrawnMaps
import Geodesy
import RoadGraph
import Testing

@testable import MapMaking

@Suite struct GraphTests {
  private func node(_ id: Int64, _ east: Int32, _ north: Int32 = 0) -> OSMNode {
    OSMNode(
      id: id, latitudeE7: 470_000_000 + north * 10_000, longitudeE7: -300_000_000 + east * 10_000)
  }

  private let street: OSMTags = ["highway": "residential"]

  @Test func `bends are points, not nodes`() throws {
    let map = try DrawnMap("a-b-c\n    |\n    d", ways: ["abcd": ""])
    #expect(map.graph.nodeCount == 2)
    #expect(map.graph.shape(try map.edge("ad")).count == 4)
    #expect(map.graph.shape(try map.edge("da")) == map.graph.shape(try map.edge("ad")).reversed())
    #expect(abs(map.graph.lengthM(try map.edge("ad")) - 600) < 1)
  }

  @Test func `what stands on a way cuts it there`() throws {
    let map = try DrawnMap(
      "a-b-c-d-e", ways: ["abcde": ""],
      nodes: ["b": "highway=traffic_signals", "c": "highway=crossing", "d": "highway=speed_camera"])
    #expect(try map.letters(map.edges("ae")) == "abde")
    #expect(map.graph.columns.nodeFlags[try map.node("b").index] == .trafficSignals)
    #expect(map.graph.columns.nodeFlags[try map.node("d").index] == .speedCamera)
  }

  @Test(arguments: [
    ("highway=stop", NodeFlags.stopSign), ("highway=give_way", .giveWay),
    ("railway=level_crossing", .levelCrossing), ("barrier=toll_booth", .tollBooth),
    ("highway=mini_roundabout", .miniRoundabout), ("barrier=border_control", .border),
    ("traffic_calming=bump", .trafficCalming), ("highway=motorway_junction", .motorwayJunction),
  ])
  func `what a node says of the place, EV-4`(tags: String, flag: NodeFlags) throws {
    let map = try DrawnMap("a-b-c", ways: ["abc": ""], nodes: ["b": tags])
    #expect(map.graph.columns.nodeFlags[try map.node("b").index].contains(flag))
  }

  @Test func `a motorway junction has its number and name, RT-11`() throws {
    let map = try DrawnMap(
      "a-b-c\n   \\d", ways: ["abc": "highway=motorway", "bd": "highway=motorway_link"],
      nodes: ["b": "highway=motorway_junction ref=12 name=Town Centre"])
    let junction = map.graph.junction(try map.node("b"))
    #expect(junction?.number == "12")
    #expect(junction?.name == "Town Centre")
    #expect(map.graph.junction(try map.node("a")) == nil)
  }

  @Test func `a loop gets a node in it, so that ends name its pieces`() throws {
    let map = try DrawnMap(
      """
      a-b-c
        | |
        e-d
      """,
      ways: ["ab": "", "bcdeb": ""])
    for edge in 0..<map.graph.edgeCount {
      #expect(map.graph.tail(EdgeID(edge)) != map.graph.head(EdgeID(edge)))
    }
    let references = (0..<map.graph.edgeCount).map { map.graph.reference(EdgeID($0)) }
    #expect(Set(references).count == references.count)
  }

  @Test func `two pieces of one way between the same nodes are reported apart`() throws {
    let map = try DrawnMap(
      """
      x-b-c-y
        | |
        e-d
      """,
      ways: ["xb": "", "cy": "", "bcdeb": ""])
    let references = (0..<map.graph.edgeCount).map { map.graph.reference(EdgeID($0)) }
    #expect(Set(references).count == references.count)
    let index = SegmentIndex(map.graph)
    for (edge, reference) in references.enumerated() {
      #expect(index.edge(reference) == EdgeID(edge))
    }
  }

  @Test(arguments: ["bcdeb", "cdebc", "debcd", "ebcde"])
  func `a way that returns to itself keeps all its pieces, wherever it begins`(way: String) throws {
    let map = try DrawnMap(
      """
      x-b-c-y
        | |
        e-d
      """,
      ways: ["xb": "", "cy": "", way: ""])
    #expect(abs(map.graph.lengthM(try map.edge("bc")) - 200) < 1)
    let all = (0..<map.graph.edgeCount).reduce(0) { $0 + map.graph.lengthM(EdgeID($1)) }
    // Two arms and four sides, each there and back.
    #expect(abs(all - 2 * 6 * 200) < 5)
  }

  @Test func `missing nodes part a way and are counted`() throws {
    let data = OSMData(
      nodes: [node(1, 0), node(2, 10), node(4, 30), node(5, 40)],
      ways: [OSMWay(id: 7, nodes: [1, 2, 3, 4, 5], tags: street)])
    let made = try GraphMaker.make(data)
    #expect(made.report.missingNodes == 1)
    #expect(made.report.pieces == 2)
  }

  @Test func `ways of one node, ways twice and nodes twice are no roads`() throws {
    let data = OSMData(
      nodes: [node(1, 0), node(2, 10)],
      ways: [
        OSMWay(id: 7, nodes: [1], tags: street), OSMWay(id: 8, nodes: [1, 1], tags: street),
        OSMWay(id: 9, nodes: [1, 2, 2], tags: street), OSMWay(id: 9, nodes: [1, 2], tags: street),
        OSMWay(id: 10, nodes: [], tags: street),
      ])
    let made = try GraphMaker.make(data)
    #expect(made.report.pieces == 1)
    #expect(made.report.waysTooShort == 3)
    #expect(made.report.duplicateWays == 1)
  }

  @Test func `no roads make an empty graph`() throws {
    let graph = try GraphMaker.make(OSMData(nodes: [node(1, 0)])).graph()
    #expect(graph.edgeCount == 0)
    #expect(graph.boundingBox == nil)
    #expect(graph.edges(near: Coordinate(latitudeDeg: 47, longitudeDeg: -30), withinM: 50).isEmpty)
  }

  @Test func `objects in any order make the same roads`() throws {
    let map = try DrawnMap(
      "a-b-c\n  |\n  d", ways: ["abc": "", "bd": "oneway=yes highway=primary"])
    var turned = map.data
    turned.nodes.reverse()
    let made = try GraphMaker.make(turned)
    #expect(made.hash == map.graph.hash)
  }

  @Test func `an island beyond a street that is closed to everybody remains an island`() throws {
    let map = try DrawnMap(
      """
      a-----------------------------b
      |
      x-y
      """,
      ways: ["ab": "", "ax": "highway=residential access=no", "xy": ""])
    #expect(map.graph.attributes(try map.edge("xy")).flags.contains(.island))
    #expect(!map.graph.attributes(try map.edge("ab")).flags.contains(.island))
    #expect(map.graph.attributes(try map.edge("ax")).isClosedToAll)
  }

  @Test func `a street off the rest is an island, the rest is not`() throws {
    let map = try DrawnMap(
      """
      a-----------------------------b
      x-y
      """,
      ways: ["ab": "", "xy": ""])
    #expect(map.graph.attributes(try map.edge("xy")).flags.contains(.island))
    #expect(!map.graph.attributes(try map.edge("ab")).flags.contains(.island))
    #expect(map.report.islandEdges == 2)
  }

  @Test func `dead ends have no way through`() throws {
    let map = try DrawnMap(
      """
      a-b-c
      | | |
      d-e-f-g-h
      """,
      ways: ["abc": "", "def": "", "ad": "", "be": "", "cf": "", "fg": "", "gh": ""])
    #expect(map.graph.attributes(try map.edge("fg")).flags.contains(.noThrough))
    #expect(map.graph.attributes(try map.edge("gh")).flags.contains(.noThrough))
    #expect(!map.graph.attributes(try map.edge("be")).flags.contains(.noThrough))
  }

  @Test func `places are kept by name, RT-20`() throws {
    let data = OSMData(nodes: [
      OSMNode(
        id: 1, latitudeE7: 1, longitudeE7: 2, tags: ["place": "town", "name": "Springfield"]),
      OSMNode(id: 2, latitudeE7: 1, longitudeE7: 2, tags: ["place": "town"]),
      OSMNode(id: 3, latitudeE7: 1, longitudeE7: 2, tags: ["natural": "tree", "name": "Oak"]),
    ])
    let graph = try GraphMaker.make(data).graph()
    #expect(graph.columns.placeName.count == 1)
    #expect(graph.text(graph.columns.placeName[0]) == "Springfield")
    #expect(graph.text(graph.columns.placeKind[0]) == "town")
  }

  @Test func `boundaries tell the country and the state`() throws {
    let ring = [node(11, -100, -100), node(12, 100, -100), node(13, 100, 100), node(14, -100, 100)]
    let data = OSMData(
      nodes: [node(1, 0), node(2, 10), node(3, 500), node(4, 510)] + ring,
      ways: [
        OSMWay(id: 1, nodes: [1, 2], tags: street), OSMWay(id: 2, nodes: [3, 4], tags: street),
        OSMWay(id: 3, nodes: [11, 12, 13], tags: ["boundary": "administrative"]),
        OSMWay(id: 4, nodes: [11, 14, 13], tags: ["boundary": "administrative"]),
      ],
      relations: [
        OSMRelation(
          id: 1, members: [OSMMember(.way, 3, role: "outer"), OSMMember(.way, 4, role: "outer")],
          tags: [
            "type": "boundary", "boundary": "administrative", "admin_level": "2",
            "ISO3166-1": "MT",
          ])
      ])
    let graph = try GraphMaker.make(data).graph()
    let inside = (0..<graph.edgeCount).map { EdgeID($0) }.filter {
      graph.attributes($0).country == "MT"
    }
    #expect(Set(inside.map { graph.reference($0).way }) == [1])
    #expect(inside.allSatisfy { graph.attributes($0).flags.contains(.leftHand) })
  }

  /// The ways of `data` that lie in a low-emission zone.
  private func inZone(_ data: OSMData) throws -> Set<Int64> {
    let graph = try GraphMaker.make(data).graph()
    let inside = (0..<graph.edgeCount).map { EdgeID($0) }.filter {
      graph.attributes($0).flags.contains(.lowEmissionZone)
    }
    return Set(inside.map { graph.reference($0).way })
  }

  /// A zone around two streets with an enclave around the first of them; `outer` are the ways around it.
  private func zone(outer: [Int64]) -> OSMData {
    func square(_ first: Int64, _ half: Int32) -> [OSMNode] {
      [
        node(first, -half, -half), node(first + 1, half, -half), node(first + 2, half, half),
        node(first + 3, -half, half),
      ]
    }
    return OSMData(
      nodes: [node(1, 0), node(2, 10), node(3, 500), node(4, 510)] + square(11, 1000)
        + square(21, 100),
      ways: [
        OSMWay(id: 1, nodes: [1, 2], tags: street), OSMWay(id: 2, nodes: [3, 4], tags: street),
        // Half of the boundary is a road itself.
        OSMWay(id: 3, nodes: [11, 12, 13], tags: street),
        OSMWay(id: 4, nodes: [13, 14, 11], tags: ["boundary": "low_emission_zone"]),
        OSMWay(id: 5, nodes: [21, 22, 23, 24, 21], tags: ["boundary": "administrative"]),
      ],
      relations: [
        OSMRelation(
          id: 1,
          members: outer.map { OSMMember(.way, $0, role: "outer") }
            + [OSMMember(.way, 5, role: "inner")],
          tags: ["type": "boundary", "boundary": "low_emission_zone"])
      ])
  }

  @Test func `an enclave does not belong to the zone around it`() throws {
    let inside = try inZone(zone(outer: [3, 4]))
    #expect(inside.contains(2) && !inside.contains(1))
    // A member that the extract has not is no harm to the others.
    #expect(try inZone(zone(outer: [3, 4, 99])).contains(2))
  }

  @Test func `the hole of a zone that does not close is no zone`() throws {
    #expect(try inZone(zone(outer: [3, 99])).isDisjoint(with: [1, 2]))
  }
}

@Suite struct IslandTests {
  /// Rings of one-way edges, each of `size` nodes, and from the first one a street that cars do not come back from.
  @Test func `large networks that lie apart are no islands, a one-way street to nowhere is`() {
    let size = Islands.leastMainNetwork
    var tail: [UInt32] = []
    var head: [UInt32] = []
    for ring in 0..<2 {
      for k in 0..<size {
        tail.append(UInt32(ring * size + k))
        head.append(UInt32(ring * size + (k + 1) % size))
        if ring == 0, k == 0 {
          tail.append(0)
          head.append(UInt32(2 * size))
        }
      }
    }
    tail.append(UInt32(2 * size))
    head.append(UInt32(2 * size + 1))
    let isIsland = Islands.find(
      nodeCount: 2 * size + 2, tail: tail, head: head,
      lengthMM: Array(repeating: 100_000, count: tail.count),
      isCar: Array(repeating: true, count: tail.count),
      isClosed: Array(repeating: false, count: tail.count))
    #expect(isIsland.indices.filter { isIsland[$0] } == [tail.count - 1])
  }
}

@Suite struct LayoutTests {
  @Test func `attributes have the size that the file format says`() {
    #expect(MemoryLayout<RoadAttributes>.size == 88)
    #expect(MemoryLayout<RoadAttributes>.stride == 88)
  }
}
