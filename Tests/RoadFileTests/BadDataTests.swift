import DrawnMaps
import Foundation
import Geodesy
import MapMaking
import RoadGraph
import Testing

@testable import RoadFile

/// OSM data as they should not be: each makes a map, or is refused by a sentence; nothing is lost
/// silently.
@Suite struct BadDataTests {
  private func node(_ id: Int64, _ lat: Int32, _ lon: Int32) -> OSMNode {
    OSMNode(id: id, latitudeE7: lat, longitudeE7: lon)
  }

  private func way(_ id: Int64, _ nodes: [Int64], _ tags: OSMTags = ["highway": "primary"])
    -> OSMWay
  {
    OSMWay(id: id, nodes: nodes, tags: tags)
  }

  /// The map of data through a file, and what was met on the way.
  private func map(_ data: OSMData) throws -> (RoadGraph, MapMakingReport) {
    let folder = try Scratch()
    let path = folder.path("in.osm")
    try Data(OSMXML.text(data).utf8).write(to: URL(filePath: path))
    let report = try RoadFile.build(from: [path], to: folder.path("out.navmap"))
    try RoadFile.verify(path: report.output)
    let graph = try RoadFile.open(path: report.output)
    exercise(graph)
    return (graph, report.making)
  }

  @Test func `ids of sixteen digits and negative ones are kept`() throws {
    let big: Int64 = 9_007_199_254_740_993
    let data = OSMData(
      nodes: [node(-5, 0, 0), node(big, 0, 10_000), node(big + 1, 0, 20_000)],
      ways: [way(big + 7, [-5, big]), way(-9, [big, big + 1])])
    let (graph, _) = try map(data)
    let found = Set((0..<graph.edgeCount).map { graph.reference(EdgeID($0)) })
    #expect(found.contains(SegmentReference(way: big + 7, from: -5, to: big)))
    #expect(found.contains(SegmentReference(way: -9, from: big + 1, to: big)))
  }

  @Test func `missing nodes part a way, ways of one node are no roads, both are counted`() throws {
    let data = OSMData(
      nodes: [node(1, 0, 0), node(2, 0, 10_000), node(4, 0, 30_000), node(5, 0, 40_000)],
      ways: [way(1, [1, 2, 3, 4, 5]), way(2, [1]), way(3, [7, 8]), way(4, [2, 2])])
    let (graph, report) = try map(data)
    #expect(graph.edgeCount == 4)
    #expect(report.missingNodes == 3)
    #expect(report.waysTooShort >= 2)
  }

  @Test func `restrictions to nowhere are counted and forbid nothing`() throws {
    var data = OSMData(
      nodes: [node(1, 0, 0), node(2, 0, 10_000), node(3, 0, 20_000)],
      ways: [way(1, [1, 2]), way(2, [2, 3])])
    for (id, members) in [
      [
        OSMMember(.way, 1, role: "from"), OSMMember(.node, 99, role: "via"),
        OSMMember(.way, 2, role: "to"),
      ],
      [
        OSMMember(.way, 1, role: "from"), OSMMember(.node, 2, role: "via"),
        OSMMember(.way, 77, role: "to"),
      ],
      [OSMMember(.way, 1, role: "from"), OSMMember(.way, 2, role: "to")],
      [
        OSMMember(.way, 1, role: "from"), OSMMember(.way, 1, role: "via"),
        OSMMember(.way, 1, role: "to"),
      ],
      [
        OSMMember(.relation, 1, role: "from"), OSMMember(.node, 2, role: "via"),
        OSMMember(.way, 2, role: "to"),
      ],
    ].enumerated() {
      data.relations.append(
        OSMRelation(
          id: Int64(id + 1), members: members,
          tags: ["type": "restriction", "restriction": "only_straight_on"]))
    }
    let (graph, report) = try map(data)
    #expect(report.restrictionsUnusable == 5)
    #expect(graph.columns.restrictionModes.count == 0)
  }

  @Test func `roads at the antimeridian and the poles have their places and lengths`() throws {
    let data = OSMData(
      nodes: [
        node(1, 0, 1_799_990_000), node(2, 0, -1_799_990_000), node(3, 900_000_000, 0),
        node(4, 899_990_000, 900_000_000), node(5, -900_000_000, -1_800_000_000),
        node(6, -899_990_000, 1_800_000_000), node(7, 5, 1_799_995_000), node(8, 5, -1_799_995_000),
      ],
      ways: [way(1, [1, 7, 8, 2]), way(2, [3, 4]), way(3, [5, 6])])
    let (graph, _) = try map(data)
    #expect(graph.edgeCount == 6)
    let index = SegmentIndex(graph)
    let across = try #require(index.edge(SegmentReference(way: 1, from: 1, to: 2)))
    #expect(abs(graph.lengthM(across) - 222.4) < 1)
    #expect(graph.shape(across).map(\.longitudeDeg) == [179.999, 179.9995, -179.9995, -179.999])
    #expect(graph.shape(try #require(graph.twin(across))).first?.longitudeDeg == -179.999)
    let pole = Coordinate(latitudeDeg: 90, longitudeDeg: 0)
    #expect(graph.edges(near: pole, withinM: 5).isEmpty == false)
  }

  @Test func `objects in no order, given twice or without a road, are taken as they are`() throws {
    let folder = try Scratch()
    let nodes = [node(3, 0, 20_000), node(1, 0, 0), node(2, 0, 10_000)]
    let sorted = OSMData(
      nodes: nodes.sorted { $0.id < $1.id }, ways: [way(1, [1, 2]), way(2, [2, 3])])
    let text = OSMXML.text(OSMData(nodes: nodes, ways: [way(2, [2, 3]), way(1, [1, 2])]))
    // Ways before nodes, and the first way again.
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let first = try #require(lines.firstIndex { $0.contains("<node") })
    let ways = try #require(lines.firstIndex { $0.contains("<way") })
    let end = try #require(lines.firstIndex { $0.contains("</osm") })
    let mixed =
      lines[..<first] + lines[ways..<end] + lines[first..<ways] + lines[ways..<end]
      + lines[end...]
    let path = folder.path("mixed.osm")
    try Data(mixed.joined(separator: "\n").utf8).write(to: URL(filePath: path))
    let report = try RoadFile.build(from: [path], to: folder.path("mixed.navmap"))
    #expect(report.making.duplicateWays == 2)
    let graph = try RoadFile.open(path: report.output)
    let (other, _) = try map(sorted)
    func references(_ graph: RoadGraph) -> Set<SegmentReference> {
      Set((0..<graph.edgeCount).map { graph.reference(EdgeID($0)) })
    }
    #expect(references(graph) == references(other))
    let none = folder.path("none.osm")
    let noRoad = OSMData(nodes: nodes, ways: [way(1, [1, 2], ["building": "yes"])])
    try Data(OSMXML.text(noRoad).utf8).write(to: URL(filePath: none))
    let fault = #expect(throws: RoadFileError.self) {
      try RoadFile.build(from: [none], to: folder.path("none.navmap"))
    }
    #expect(fault?.description == "\(none): contains no roads")
    #expect(!FileManager.default.fileExists(atPath: folder.path("none.navmap")))
  }
}
