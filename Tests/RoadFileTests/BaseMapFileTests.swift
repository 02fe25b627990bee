import BaseMap
import DemoTown
import Foundation
import Geodesy
import MapMaking
import RealData
import RoadGraph
import Testing

@testable import RoadFile

/// Water, land use and houses from OSM files into map files.
@Suite struct BaseMapFileTests {
  private func town(_ folder: Scratch) throws -> String {
    try folder.write(OSMXML.text(Town.osm(seed: 1)).utf8, to: "town.osm")
  }

  private func counts(_ map: BaseMap?) -> [BaseMapKind: Int] {
    Dictionary((map?.allFeatures() ?? []).map { ($0.kind, 1) }, uniquingKeysWith: +)
  }

  @Test func `the areas of a file are in its map, unless they are left out, RN-1`() throws {
    let folder = try Scratch()
    let path = try town(folder)
    let report = try RoadFile.build(from: [path], to: folder.path("town.navmap"))
    #expect(report.baseMapProblem == nil)
    let found = counts(try RoadFile.openBaseMap(path: report.output))
    #expect(found[.coastline] == 2 && found[.water] == 1 && found[.park] == 1)
    #expect((found[.building] ?? 0) > 300)
    try RoadFile.verify(path: report.output)

    let bare = try RoadFile.build(
      from: [path], to: folder.path("bare.navmap"), options: MapOptions(hasBaseMap: false))
    #expect(try RoadFile.openBaseMap(path: bare.output) == nil)
    // The roads are the same: routes and references do not depend on what lies around them.
    #expect(bare.hash == report.hash)
    #expect(bare.bytes < report.bytes)
  }

  @Test func `maps keep their areas when they are joined and cut, OF-1, OF-2`() throws {
    let folder = try Scratch()
    let path = try town(folder)
    let whole = try RoadFile.build(from: [path], to: folder.path("whole.navmap"))
    let all = counts(try RoadFile.openBaseMap(path: whole.output))
    let middle = Town.origin
    let east = BoundingBox(
      southDeg: middle.latitudeDeg - 0.02, westDeg: middle.longitudeDeg,
      northDeg: middle.latitudeDeg + 0.02, eastDeg: middle.longitudeDeg + 0.05)
    let west = BoundingBox(
      southDeg: middle.latitudeDeg - 0.02, westDeg: middle.longitudeDeg - 0.05,
      northDeg: middle.latitudeDeg + 0.02, eastDeg: middle.longitudeDeg)
    let parts = try [east, west].enumerated().map { index, box in
      try RoadFile.cut(whole.output, .box(box), to: folder.path("part\(index).navmap")).output
    }
    let half = counts(try RoadFile.openBaseMap(path: parts[0]))
    #expect((half[.building] ?? 0) < (all[.building] ?? 0) * 2 / 3)
    #expect((half[.building] ?? 0) > (all[.building] ?? 0) / 3)
    let joined = try RoadFile.join(parts, to: folder.path("joined.navmap"))
    #expect(counts(try RoadFile.openBaseMap(path: joined.output))[.building] == all[.building])
  }

  @Test func `a file whose objects are not sorted has a map of roads, and the reason is told`()
    throws
  {
    let folder = try Scratch()
    var data = Town.osm(seed: 1)
    data.ways.reverse()
    let path = try folder.write(OSMXML.text(data).utf8, to: "unsorted.osm")
    let report = try RoadFile.build(from: [path], to: folder.path("unsorted.navmap"))
    #expect(report.making.edges > 1000)
    #expect(report.baseMapProblem?.contains("unsorted.osm") == true)
  }

  @Test(.enabled(if: realData("maps") != nil, "no real maps: set NAV_DATA"))
  func `malta is an island with houses, RN-1`() throws {
    let folder = try Scratch()
    let maps = try #require(realData("maps"))
    let report = try RoadFile.build(
      from: [maps.appending(path: "malta.osm.pbf").path], to: folder.path("malta.navmap"))
    let found = counts(try RoadFile.openBaseMap(path: report.output))
    #expect((found[.coastline] ?? 0) > 40 && (found[.building] ?? 0) > 5000)
    #expect((found[.farmland] ?? 0) > 100 && (found[.park] ?? 0) > 20)
    #expect(report.bytes < 4_000_000)
  }
}
