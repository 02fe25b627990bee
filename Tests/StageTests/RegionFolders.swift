import Foundation
import Geodesy
import Messages
import RegionStage
import Regions
import Stage

/// A folder of maps without any, and a source with a catalogue of two regions whose files are not what it says.
struct RegionFolders {
  let maps: URL
  let source: URL

  init() throws {
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "regions-\(UUID().uuidString)")
    maps = folder.appending(path: "maps")
    source = folder.appending(path: "source")
    for made in [maps, source] {
      try FileManager.default.createDirectory(at: made, withIntermediateDirectories: true)
    }
  }

  func remove() {
    try? FileManager.default.removeItem(at: maps.deletingLastPathComponent())
  }

  func offer() throws {
    let regions = ["west", "east"].enumerated().map { number, name in
      Region(
        name: name, file: "\(name).navmap", bytes: 4, sha256: String(repeating: "0", count: 64),
        dataTime: nil,
        cover: [
          BoundingBox(
            southDeg: 0, westDeg: Double(number), northDeg: 1, eastDeg: Double(number + 1))
        ])
    }
    try Data(RegionCatalogue(regions: regions).json.utf8).write(
      to: source.appending(path: RegionCatalogue.fileName))
    for region in regions {
      try Data("none".utf8).write(to: source.appending(path: region.file))
    }
  }

  var shared: RegionShared {
    get throws {
      try RegionShared(
        Parameters(
          ["map": .string(maps.path), "source": .string(source.path)],
          declared: RegionStage.manifest.parameters))
    }
  }
}
