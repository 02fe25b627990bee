import DrawnMaps
import Foundation
import Foundations
import RegionFiles
import RegionSource
import Regions
import RoadFile
import RoadGraph
import Testing

/// Installing regions from a folder.
struct RegionSourceTests {
  /// A source with one small map, and an empty folder of maps; both are removed at the end of the test.
  private final class Folders {
    let source: String
    let maps: String
    let region: Region

    init() throws {
      let folder = FileManager.default.temporaryDirectory.appending(
        path: "regions-\(UUID().uuidString)")
      source = folder.appending(path: "source").path
      maps = folder.appending(path: "maps").path
      for path in [source, maps] {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      }
      let map = try DrawnMap("a----b----c", ways: ["abc": "highway=primary"])
      try RoadFile.write(
        map.graph.columns, hash: map.graph.hash, dataTimeS: 1_478_723_282,
        to: source + "/town.navmap")
      region = try #require(try CatalogueMaking.write(source) { _ in }.regions.first)
    }

    deinit {
      try? FileManager.default.removeItem(atPath: (maps as NSString).deletingLastPathComponent)
    }

    /// Path of the file in which an interrupted download is kept.
    var part: String { "\(maps)/.town.\(region.sha256.prefix(16)).part" }
    var files: [String] { (try? FileManager.default.contentsOfDirectory(atPath: maps)) ?? [] }
    var bytes: Data { FileManager.default.contents(atPath: source + "/town.navmap") ?? Data() }

    func install(_ region: Region? = nil, progress: (Int) -> Bool = { _ in true }) throws {
      try RegionSource(source).install(region ?? self.region, into: maps, progress: progress)
    }
  }

  @Test func `a region is installed whole, with the time of its data, OF-3`() throws {
    let folders = try Folders()
    #expect(try RegionSource(folders.source).catalogue().regions == [folders.region])
    try folders.install()
    let installed = try InstalledRegions.list(folders.maps)
    #expect(installed.map(\.name) == ["town"])
    #expect(installed.first?.bytes == folders.region.bytes)
    #expect(installed.first?.dataTime == folders.region.dataTime)
    #expect(folders.region.dataTime?.seconds == 1_478_723_282)
    #expect(folders.files == ["town.navmap"])
  }

  @Test func `an interrupted download is resumed, OF-3`() throws {
    let folders = try Folders()
    let half = folders.bytes.count / 2
    try folders.bytes.prefix(half).write(to: URL(fileURLWithPath: folders.part))
    var received: [Int] = []
    try folders.install {
      received.append($0)
      return true
    }
    #expect(
      received.first.map { $0 > half } == true, "bytes that were there already are not counted")
    #expect(received.last == folders.bytes.count)
    #expect(folders.files == ["town.navmap"])
  }

  @Test func `a damaged rest of a download is discarded, and the next attempt works, OF-3`() throws
  {
    let folders = try Folders()
    try Data(repeating: 7, count: 10).write(to: URL(fileURLWithPath: folders.part))
    #expect(throws: RegionFault.self) { try folders.install() }
    #expect(folders.files == [])
    try folders.install()
    #expect(folders.files == ["town.navmap"])
  }

  @Test func `an installed file is never replaced, OF-3`() throws {
    let folders = try Folders()
    let path = folders.maps + "/town.navmap"
    try Data("mine".utf8).write(to: URL(fileURLWithPath: path))
    try folders.install()
    #expect(FileManager.default.contents(atPath: path) == Data("mine".utf8))
  }

  @Test func `a stopped download keeps its part, OF-3`() throws {
    let folders = try Folders()
    #expect(throws: RegionFault.self) { try folders.install { _ in false } }
    #expect(folders.files == [(folders.part as NSString).lastPathComponent])
  }

  @Test func `a file longer or shorter than its entry is refused, OF-3`() throws {
    let folders = try Folders()
    for change in [-1, 1] {
      var other = folders.region
      other.bytes += change
      #expect(throws: RegionFault.self) { try folders.install(other) }
      #expect(!folders.files.contains("town.navmap"))
    }
  }

  @Test func `a region that does not fit on the disk is not begun, OF-3`() throws {
    let folders = try Folders()
    var huge = folders.region
    huge.bytes = 1 << 60
    let fault = #expect(throws: RegionFault.self) { try folders.install(huge) }
    #expect(fault?.description.contains("MB are free") == true)
    #expect(folders.files == [])
  }

  @Test(arguments: ["ftp://example.org/", "http://", "https:///maps"])
  func `what is no address is refused, OF-3`(text: String) {
    #expect(throws: RegionFault.self) { try RegionSource(text) }
  }

  @Test(arguments: ["http://127.0.0.1:1/", "https://127.0.0.1:1/"])
  func `a server that cannot be reached is named, OF-3`(text: String) throws {
    let fault = #expect(throws: RegionFault.self) { try RegionSource(text).catalogue() }
    #expect(fault?.description.hasPrefix(text) == true)
  }
}
