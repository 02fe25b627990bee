import DemoTown
import DrawnMaps
import Foundation
import Geodesy
import MapMaking
import RoadGraph
import Testing

@testable import RoadFile

@Suite struct ImportTests {
  @Test func `the town through XML is the town`() throws {
    let folder = try Scratch()
    let town = Town.osm(seed: 3)
    let osm = try folder.write(Array(OSMXML.text(town).utf8), to: "town.osm")
    let report = try RoadFile.build(from: [osm], to: folder.path("town.navmap"))
    let graph = try RoadFile.open(path: folder.path("town.navmap"))
    let direct = try GraphMaker.make(town)
    #expect(graph.edgeCount == direct.report.edges)
    #expect(graph.columns.restrictionModes.count == direct.report.bans)
    #expect(report.making.restrictionsKept == direct.report.restrictionsKept)
    #expect(report.making.regions == 4)
    #expect(graph.columns.placeName.count == Town(seed: 3).places.count)
    exercise(graph)
  }

  @Test func `the same file builds the same map`() throws {
    let folder = try Scratch()
    let osm = try folder.write(Array(OSMXML.text(try smallMap().data).utf8), to: "small.osm")
    try RoadFile.build(from: [osm], to: folder.path("a.navmap"))
    try RoadFile.build(from: [osm], to: folder.path("b.navmap"))
    #expect(try folder.bytes("a.navmap") == folder.bytes("b.navmap"))
  }

  @Test func `overlapping files join to one map, OF-1`() throws {
    let folder = try Scratch()
    let map = try DrawnMap("a-b-c-d", ways: ["ab": "", "bc": "", "cd": ""])
    var west = map.data
    west.ways.removeLast()
    var east = map.data
    east.ways.removeFirst()
    let paths = try [west, east].enumerated().map {
      try folder.write(Array(OSMXML.text($0.element).utf8), to: "\($0.offset).osm")
    }
    let report = try RoadFile.build(from: paths, to: folder.path("both.navmap"))
    #expect(report.making.duplicateWays == 1)
    #expect(try RoadFile.open(path: folder.path("both.navmap")).edgeCount == map.graph.edgeCount)
  }

  private func sentence(_ folder: Scratch, _ path: String) -> String? {
    do throws(RoadFileError) {
      try RoadFile.build(from: [path], to: folder.path("out.navmap"))
      return nil
    } catch {
      return error.description
    }
  }

  @Test func `a bad OSM file gets one sentence with its name and place`() throws {
    let folder = try Scratch()
    let missing = folder.path("missing.osm.pbf")
    #expect(sentence(folder, missing) == "\(missing): No such file or directory")
    let empty = try folder.write([], to: "empty.osm.pbf")
    #expect(sentence(folder, empty) == "\(empty): is empty, not an OSM file")
    let text = try folder.write(Array("hello".utf8), to: "text.osm")
    #expect(sentence(folder, text)?.contains("line 1, column 0") == true)
    let noise = try folder.write((0..<4000).map { UInt8($0 * 7 & 0xff) }, to: "noise.osm.pbf")
    #expect(sentence(folder, noise)?.contains("is not a whole OSM file") == true)
    let whole = OSMXML.text(try smallMap().data)
    let cut = try folder.write(Array(whole.utf8.prefix(whole.utf8.count / 2)), to: "cut.osm")
    #expect(
      sentence(folder, cut)?.contains("is not an OSM file: XML parsing error at line") == true)
    let bare = try folder.write(Array(OSMXML.text(OSMData()).utf8), to: "bare.osm")
    #expect(sentence(folder, bare) == "\(bare): contains no roads")
    #expect(try !folder.names.contains("out.navmap"))
  }

  @Test func `an import can be stopped`() throws {
    let folder = try Scratch()
    let osm = try folder.write(Array(OSMXML.text(try smallMap().data).utf8), to: "small.osm")
    #expect(throws: RoadFileError.stopped(path: osm)) {
      try RoadFile.build(from: [osm], to: folder.path("x.navmap")) { $0.total == 0 }
    }
  }

  // MARK: The cache

  @Test func `an OSM file is built once, however many ask at a time`() async throws {
    let folder = try Scratch()
    let osm = try folder.write(Array(OSMXML.text(Town.osm(seed: 2)).utf8), to: "town.osm")
    let cache = folder.path("cache/deep")
    let hashes = try await withThrowingTaskGroup(of: UInt64.self) { group in
      for _ in 0..<4 {
        group.addTask {
          let built = try MapCache.built(
            osm, options: MapOptions(), folder: cache, progress: { _ in true })
          return try RoadFile.open(path: built).hash
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(Set(hashes).count == 1)
    let files = try FileManager.default.contentsOfDirectory(atPath: cache)
    #expect(files.filter { $0.hasSuffix(".navmap") }.count == 1)
    let other = try MapCache.built(
      osm, options: MapOptions(country: "GB"), folder: cache, progress: { _ in true })
    #expect(try RoadFile.open(path: other).hash != hashes[0])
  }

  @Test func `a changed OSM file is built anew`() throws {
    let folder = try Scratch()
    let osm = try folder.write(Array(OSMXML.text(try smallMap().data).utf8), to: "map.osm")
    let before = try MapCache.place([osm], options: MapOptions(), folder: folder.url.path)
    _ = try folder.write(Array(OSMXML.text(Town.osm(seed: 2)).utf8), to: "map.osm")
    #expect(try MapCache.place([osm], options: MapOptions(), folder: folder.url.path) != before)
  }
}
