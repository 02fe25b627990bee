import DrawnMaps
import Foundations
import Geodesy
import RoadGraph
import Testing
import Traffic

@testable import Tiles

@Suite struct FlowTilesTests {
  static let drawing = """
    a──b──c──d
       │  │
       e──f
    """

  /// A map whose letters all lie in one tile of zoom 15, unless `cell` is larger.
  func map(_ options: String = "", cell cellM: Double = 10) throws -> DrawnMap {
    try DrawnMap(
      Self.drawing,
      ways: [
        "ab": "highway=primary \(options)", "bc": "highway=primary \(options)",
        "cd": "highway=primary oneway=yes \(options)", "be": "highway=service \(options)",
        "cf": "highway=residential \(options)", "ef": "highway=residential \(options)",
      ], cell: cellM)
  }

  /// The flow with a jam factor on each of the edges.
  func flow(_ map: DrawnMap, _ jams: KeyValuePairs<String, Double>) throws -> RoadFlow {
    let reports = try jams.map { letters, jam in
      FlowReport(
        segment: map.graph.reference(try map.edge(letters)),
        state: TrafficState(measuredJamFactor: jam))
    }
    var all = TrafficReports()
    all.set(FlowSnapshot(feed: "a", observed: Instant(seconds: 100), reports: reports))
    let view = all.view(
      at: Instant(seconds: 100), index: SegmentIndex(map.graph, isHashed: true), graph: map.graph)
    return RoadFlow(view, graph: map.graph)
  }

  func features(
    _ map: DrawnMap, _ flow: RoadFlow, zoom: Int, at letter: Character = "b"
  ) throws -> [TileReader.Feature] {
    let address = TileAddress(holding: try map.coordinate(letter), zoom: zoom)
    let bytes = FlowTiles(TileMaker(graph: map.graph)).tile(address, flow)
    return try TileReader.layers(bytes)["flow"]?.features ?? []
  }

  @Test func `each edge with flow in view is one feature with its jam, RN-8`() throws {
    let map = try map()
    let flow = try flow(map, ["ab": 0, "ba": 5, "bc": 8.5, "cd": 10, "ef": 4])
    #expect(flow.count == 5)
    #expect(flow.countOfLevel == ["free": 1, "slow": 2, "jam": 1, "closed": 1])
    let found = try features(map, flow, zoom: 15)
    #expect(found.count == 5)
    let byEdge = Dictionary(
      found.map { ($0.tags["edge"], $0.tags) }, uniquingKeysWith: { a, _ in a })
    func tags(_ letters: String) throws -> [String: TileReader.Value]? {
      byEdge[.integer(Int(try map.edge(letters).rawValue))]
    }
    #expect(try tags("ab")?["level"] == "free")
    #expect(try tags("ba")?["level"] == "slow")
    #expect(try tags("bc")?["level"] == "jam")
    #expect(try tags("bc")?["jam"] == 85)
    #expect(try tags("bc")?["speed"] == 15)
    #expect(try tags("bc")?["class"] == "primary")
    #expect(try tags("cd")?["level"] == "closed")
    #expect(try tags("cd")?["speed"] == 0)
    #expect(try tags("ef")?["level"] == "slow")
    // The worst lies on top.
    let order = found.map { $0.tags["level"] }
    #expect(order.first == "free" && order.last == "closed")
  }

  @Test(arguments: [false, true])
  func `lines run in driving direction, on their side of the road, RN-8`(isLeftHand: Bool) throws {
    let map = try map(isLeftHand ? "driving_side=left" : "")
    let flow = try flow(map, ["ab": 6, "ba": 6, "cd": 6])
    let found = try features(map, flow, zoom: 14)
    let frame = TileFrame(TileAddress(holding: try map.coordinate("b"), zoom: 14))
    for letters in ["ab", "ba", "cd"] {
      let edge = try map.edge(letters)
      let feature = try #require(
        found.first { $0.tags["edge"] == .integer(Int(edge.rawValue)) })
      let isLeft = map.graph.attributes(edge).flags.contains(.leftHand)
      #expect(feature.tags["side"] == (letters == "cd" ? 0 : isLeft ? -1 : 1))
      let line = try #require(feature.lines.first)
      let first = frame.point(map.graph.coordinate(map.graph.tail(edge)))
      #expect(abs(Double(line[0].x) - first.x) <= 1 && abs(Double(line[0].y) - first.y) <= 1)
    }
  }

  @Test func `roads appear from their own zoom on, and long ones are joined below 14, RN-8`() throws
  {
    let map = try map(cell: 100)
    let flow = try flow(map, ["ab": 6, "bc": 6, "ba": 9, "cb": 1, "be": 9, "ef": 9])
    #expect(try features(map, flow, zoom: 15).count == 6)
    let far = try features(map, flow, zoom: 9)
    #expect(
      far.map { $0.tags["level"] } == ["slow", "jam"], "two edges are one line, free ones none")
    #expect(far.allSatisfy { $0.tags["class"] == "primary" && $0.tags["edge"] == nil })
  }

  @Test func `no traffic, and traffic elsewhere, make empty tiles, RN-8`() throws {
    let map = try map()
    let address = TileAddress(holding: try map.coordinate("b"), zoom: 14)
    let tiles = FlowTiles(TileMaker(graph: map.graph))
    #expect(tiles.tile(address, RoadFlow()).isEmpty)
    let flow = try flow(map, ["ab": 9])
    let elsewhere = try #require(TileAddress(zoom: 14, column: 0, row: 0))
    #expect(tiles.tile(elsewhere, flow).isEmpty)
    let beyond = TileAddress(holding: try map.coordinate("b"), zoom: 16)
    #expect(tiles.tile(beyond, flow).isEmpty)
    #expect(tiles.tile(address, flow) == tiles.tile(address, flow))
  }

  @Test func `the flow of a circle is joined once, RN-8`() throws {
    let map = try DrawnMap(
      """
      a──b
      │  │
      d──c
      """,
      ways: [
        // Without twins for walkers, which would lead from c to a as well.
        "abc": "highway=motorway oneway=yes name=Long Road",
        "cda": "highway=motorway oneway=yes name=Mill Lane",
      ])
    let flow = try flow(map, ["ac": 9, "ca": 9])
    let found = try features(map, flow, zoom: 11, at: "a")
    #expect(found.count == 1)
  }
}
