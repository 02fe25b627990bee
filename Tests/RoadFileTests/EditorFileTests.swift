import DrawnMaps
import Foundation
import MapMaking
import RoadGraph
import Testing

@testable import RoadFile

/// Files of editors and of Overpass.
@Suite struct EditorFileTests {
  private func graph(_ text: String, _ name: String = "map.osm") throws -> RoadGraph {
    let folder = try Scratch()
    let osm = try folder.write(Array(text.utf8), to: name)
    try RoadFile.build(from: [osm], to: folder.path("map.navmap"))
    return try RoadFile.open(path: folder.path("map.navmap"))
  }

  private static let quotes = ["'", "\""]

  @Test(arguments: quotes)
  func `objects that an editor marks as deleted are gone, OF-2`(quote: String) throws {
    let map = try DrawnMap(
      """
      a-b-c
        |
        d
      """,
      ways: [
        "ab": "highway=residential", "bc": "highway=residential", "bd": "highway=residential",
      ],
      restrictions: ["ab b bd": "no_right_turn"])
    let text = OSMXML.text(map.data)
    func marked(_ object: String) -> String {
      text.replacing(
        "<\(object)\" version=\"1\"",
        with: "<\(object)\" action=\(quote)delete\(quote) version=\"1\"")
    }
    let bc = try map.way("bc")
    #expect(try graph(text).edgeCount == 6)
    let cut = try graph(marked("way id=\"\(bc)"))
    #expect(cut.edgeCount == 4)
    #expect((0..<cut.edgeCount).allSatisfy { cut.columns.way(EdgeID($0)) != bc })
    #expect(try graph(text).columns.restrictionModes.count == 1)
    #expect(try graph(marked("relation id=\"2001")).columns.restrictionModes.count == 0)
    #expect(try graph(marked("node id=\"\(map.osmID("c"))")).edgeCount == 4)
    let folder = try Scratch()
    let osm = try folder.write(Array(marked("way id=\"\(bc)").utf8), to: "cut.osm")
    let report = try RoadFile.build(from: [osm], to: folder.path("cut.navmap"))
    #expect(report.making.deletedObjects == 1)
    // Changed objects are marked, too, and stay.
    let changed = text.replacing("<way id=\"\(bc)\"", with: "<way id=\"\(bc)\" action='modify'")
    #expect(try graph(changed).edgeCount == 6)
    // A comment, or a value, is no mark.
    let noise = text.replacing(
      "</osm>", with: "<!-- <way id=\"\(bc)\" action='delete'/> --></osm>")
    #expect(try graph(noise).edgeCount == 6)
  }

  @Test func `places that ways themselves have are read, as of Overpass out geom, OF-2`() throws {
    let text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <osm version="0.6">
        <way id="1">
          <nd ref="1" lat="50.0" lon="8.0"/><nd ref="2" lat="50.0" lon="8.01"/>
          <tag k="highway" v="residential"/>
        </way>
        <way id="2">
          <nd ref="2" lat="50.0" lon="8.01"/><nd ref="3" lat="50.01" lon="8.01"/>
          <tag k="highway" v="residential"/>
        </way>
      </osm>
      """
    let graph = try graph(text)
    #expect(graph.edgeCount == 4)
    #expect(graph.nodeCount == 3)
  }

  @Test func `roads without any of their nodes are reported as such, OF-2`() throws {
    let text = """
      <osm version="0.6"><way id="1"><nd ref="1"/><nd ref="2"/><tag k="highway" v="primary"/></way></osm>
      """
    #expect {
      _ = try graph(text)
    } throws: { error in
      "\(error)".contains("1 roads") && "\(error)".contains("out geom")
    }
  }

  @Test func `a ferry that a file has as a relation is built, RT-8`() throws {
    let map = try DrawnMap("a--b--c--d", ways: ["ab": "", "cd": "", "bc": "highway=none"])
    var data = map.data
    let id = try map.way("bc")
    data.ways[2].tags = [:]
    data.relations = [
      OSMRelation(
        id: 9, members: [OSMMember(.way, id, role: "")],
        tags: ["type": "route", "route": "ferry", "duration": "00:25"])
    ]
    let graph = try graph(OSMXML.text(data))
    let ferries = (0..<graph.edgeCount).filter {
      graph.attributes(EdgeID($0)).flags.contains(.ferry)
    }
    #expect(ferries.count == 2)
    #expect(ferries.allSatisfy { graph.attributes(EdgeID($0)).crossingS == 1500 })
  }
}
