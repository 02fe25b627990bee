import DemoTown
import DrawnMaps
import Foundation
import Geodesy
import MapMaking
import RoadGraph
import Testing

@testable import RoadFile

/// Joining regions and cutting parts out, OF-1, OF-2.
@Suite struct PartsTests {
  /// A long road through two regions, with a crossing that each region knows for itself.
  ///
  ///     a--b--c--d--e
  ///        |     |
  ///        x     y
  private func data() -> OSMData {
    var data = OSMData()
    let places: [(Int64, Int32, Int32)] = [
      (1, 0, 0), (2, 0, 10_000), (3, 0, 20_000), (4, 0, 30_000), (5, 0, 40_000),
      (6, -9_000, 10_000),
      (7, -9_000, 30_000),
    ]
    data.nodes = places.map { OSMNode(id: $0.0, latitudeE7: $0.1, longitudeE7: $0.2) }
    data.nodes[1].tags = ["highway": "traffic_signals"]
    data.ways = [
      OSMWay(id: 100, nodes: [1, 2, 3, 4, 5], tags: ["highway": "primary", "name": "Long Road"]),
      OSMWay(id: 101, nodes: [2, 6], tags: ["highway": "residential", "name": "West Street"]),
      OSMWay(
        id: 102, nodes: [4, 7],
        tags: ["highway": "residential", "motor_vehicle:conditional": "no @ (07:00-09:00)"]),
    ]
    data.relations = [
      OSMRelation(
        id: 1,
        members: [
          OSMMember(.way, 102, role: "from"), OSMMember(.node, 4, role: "via"),
          OSMMember(.way, 100, role: "to"),
        ], tags: ["type": "restriction", "restriction": "no_left_turn"]),
      OSMRelation(
        id: 2,
        members: [
          OSMMember(.way, 101, role: "from"), OSMMember(.node, 2, role: "via"),
          OSMMember(.way, 100, role: "to"),
        ],
        tags: ["type": "restriction", "restriction:conditional": "no_right_turn @ (Mo-Fr)"]),
    ]
    return data
  }

  /// The data without a way: what an extract has that does not know of a side street.
  private func region(without way: Int64) throws -> RoadGraph {
    var part = data()
    part.ways.removeAll { $0.id == way }
    return try GraphMaker.make(part).graph()
  }

  private func references(_ graph: RoadGraph) -> Set<SegmentReference> {
    Set((0..<graph.edgeCount).map { graph.reference(EdgeID($0)) })
  }

  private func restrictions(_ graph: RoadGraph) -> Set<[SegmentReference]> {
    Set(
      graph.columns.restrictionModes.records.indices.map { restriction in
        graph.restrictedSequence(restriction).map { graph.reference($0) }
      })
  }

  @Test func `joined regions are the map of both, restrictions and rules with them, OF-1`() throws {
    let whole = try GraphMaker.make(data()).graph()
    let (west, east) = (try region(without: 102), try region(without: 101))
    // Each cuts the long road where the other does not.
    #expect(references(west) != references(east))
    let joined = try GraphMaker.make([MapPart(west), MapPart(east)]).graph()
    #expect(references(joined) == references(whole))
    #expect(joined.edgeCount == whole.edgeCount)
    #expect(restrictions(joined) == restrictions(whole))
    #expect(joined.columns.timedRestrictionModes.count == 1)
    #expect(RuleBook(joined).edges.count == 2)
    for index in 0..<joined.edgeCount {
      let edge = EdgeID(index)
      let other = try #require(SegmentIndex(whole).edge(joined.reference(edge)))
      #expect(joined.lengthM(edge) == whole.lengthM(other))
      #expect(joined.name(edge) == whole.name(other))
      #expect(joined.shape(edge) == whole.shape(other))
    }
    let signals = (0..<joined.nodeCount).filter {
      joined.columns.nodeFlags[$0].contains(.trafficSignals)
    }
    #expect(signals.map { joined.columns.nodeOSM[$0] } == [2])
  }

  @Test func `a map taken apart and joined with itself is the same map`() throws {
    let town = try GraphMaker.make(Town(seed: 1).data).graph()
    let once = try GraphMaker.make([MapPart(town)]).graph()
    #expect(references(once) == references(town))
    #expect(restrictions(once) == restrictions(town))
    let twice = try GraphMaker.make([MapPart(once), MapPart(once)]).graph()
    #expect(twice.edgeCount == once.edgeCount)
    #expect(restrictions(twice) == restrictions(once))
    #expect(twice.hash == once.hash)
  }

  @Test func `a cut keeps what reaches in, whole, and nothing else, OF-2`() throws {
    let folder = try Scratch()
    let town = Town(seed: 1)
    let graph = try GraphMaker.make(town.data).graph()
    let path = folder.path("town.navmap")
    try RoadFile.write(graph.columns, hash: graph.hash, to: path)
    let centre = try #require(graph.boundingBox)
    let middle = Coordinate(
      latitudeDeg: (centre.southDeg + centre.northDeg) / 2,
      longitudeDeg: (centre.westDeg + centre.eastDeg) / 2)
    let box = try #require(BoundingBox(around: [middle])).expanded(byM: 600)
    let report = try RoadFile.cut(path, .box(box), to: folder.path("box.navmap"))
    try RoadFile.verify(path: report.output)
    let part = try RoadFile.open(path: report.output)
    let index = SegmentIndex(part)
    #expect(part.edgeCount > 0)
    #expect(part.edgeCount < graph.edgeCount)
    for edge in (0..<graph.edgeCount).map({ EdgeID($0) }) {
      let meets = BoundingBox(around: graph.shape(edge))?.intersects(box) == true
      #expect((index.edge(graph.reference(edge)) != nil) == meets)
    }
  }

  @Test func `a corridor holds the line and its surroundings, OF-2`() throws {
    let folder = try Scratch()
    let graph = try GraphMaker.make(Town(seed: 1).data).graph()
    let path = folder.path("town.navmap")
    try RoadFile.write(graph.columns, hash: graph.hash, to: path)
    let longest = try #require(
      (0..<graph.edgeCount).map { EdgeID($0) }.max { graph.lengthM($0) < graph.lengthM($1) })
    let line = graph.shape(longest)
    let report = try RoadFile.cut(
      path, .corridor(line, widthM: 50), to: folder.path("corridor.navmap"))
    let part = try RoadFile.open(path: report.output)
    #expect(SegmentIndex(part).edge(graph.reference(longest)) != nil)
    #expect(part.edgeCount < graph.edgeCount / 2)
    let nowhere = BoundingBox(southDeg: -50, westDeg: -50, northDeg: -49, eastDeg: -49)
    #expect(throws: RoadFileError.self) {
      try RoadFile.cut(path, .box(nowhere), to: folder.path("none.navmap"))
    }
  }

  @Test func `regions whose names have dots are none of each other's, OF-1`() throws {
    let folder = try Scratch()
    for name in [
      "planet_12.navmap", "planet_12.5_41.8.osm.pbf", "us.navmap", "us.california.osm.pbf",
      "de.navmap", "de.osm.pbf", "notes.txt",
    ] { try Data([1]).write(to: URL(fileURLWithPath: folder.path(name))) }
    #expect(
      try MapFolder.maps(in: folder.path("")).map { $0.split(separator: "/").last ?? "" }
        == [
          "de.navmap", "planet_12.5_41.8.osm.pbf", "planet_12.navmap", "us.california.osm.pbf",
          "us.navmap",
        ])
  }

  @Test func `a folder of regions opens as one map, joined once, OF-1`() throws {
    let folder = try Scratch()
    let regions = folder.path("regions")
    try FileManager.default.createDirectory(atPath: regions, withIntermediateDirectories: true)
    let west = try region(without: 102)
    try RoadFile.write(west.columns, hash: west.hash, to: regions + "/west.navmap")
    var east = data()
    east.ways.removeAll { $0.id == 101 }
    try Data(OSMXML.text(east).utf8).write(to: URL(filePath: regions + "/east.osm"))
    let cache = folder.path("cache")
    let paths = try MapFolder.maps(in: regions)
    #expect(paths.map { $0.split(separator: "/").last } == ["east.osm", "west.navmap"])
    let first = try MapCache.joined(
      paths, options: MapOptions(), folder: cache, progress: { _ in true })
    let whole = try GraphMaker.make(data()).graph()
    #expect(references(try RoadFile.open(path: first)) == references(whole))
    let again = try MapCache.joined(
      paths, options: MapOptions(), folder: cache, progress: { _ in false })
    #expect(again == first)
    try FileManager.default.createDirectory(
      atPath: folder.path("empty"), withIntermediateDirectories: true)
    #expect(throws: RoadFileError.self) { try MapFolder.maps(in: folder.path("empty")) }
  }
}
