import Foundation
import NodeKit
import Testing

@testable import Harness

/// Files of maps that others put in place of the old ones.
@Suite struct MapWatchTests {
  private func inFolder(_ body: (_ folder: String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "navwatch-\(UUID().uuidString)"
    ).path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try body(folder)
  }

  private func write(_ text: String, _ path: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
  }

  @Test func `a file that is renamed over the old one is a change, once, OF-2`() throws {
    try inFolder { folder in
      let map = folder + "/a.navmap"
      try write("old", map)
      var watch = MapWatch([map])
      let before = watch.hasChanged()
      #expect(!before)
      try write("newer", folder + "/beside")
      #expect(rename(folder + "/beside", map) == 0)
      let changed = watch.hasChanged()
      let again = watch.hasChanged()
      #expect(changed && !again)
    }
  }

  @Test func `what is away for a moment is no change, nor is what is still written, OF-2`() throws {
    try inFolder { folder in
      try write("one", folder + "/region.navmap")
      try FileManager.default.createSymbolicLink(
        atPath: folder + "/a.osm.pbf", withDestinationPath: folder + "/region.navmap")
      var watch = MapWatch([folder])
      // The link leads nowhere while its file is replaced.
      try FileManager.default.moveItem(
        atPath: folder + "/region.navmap", toPath: folder + "/aside")
      var changed = watch.hasChanged()
      #expect(!changed)
      try FileManager.default.moveItem(
        atPath: folder + "/aside", toPath: folder + "/region.navmap")
      changed = watch.hasChanged()
      #expect(!changed)
      for name in [".new.navmap", "b.navmap.17.part", "b.navmap.lock", "notes.txt"] {
        try write("x", folder + "/" + name)
      }
      changed = watch.hasChanged()
      #expect(!changed)
      try write("two", folder + "/b.navmap")
      changed = watch.hasChanged()
      #expect(changed)
    }
  }

  @Test func `nothing is asked while a map is loading, and then once more, OF-2`() throws {
    try inFolder { folder in
      let map = folder + "/a.navmap"
      try write("1", map)
      var watch = MapWatch([map])
      watch.isLoading = true
      try write("22", map)
      var changed = watch.hasChanged()
      #expect(!changed)
      watch.isLoading = false
      changed = watch.hasChanged()
      #expect(changed)
    }
  }

  @Test(arguments: [
    ("town.navmap", true), ("town.osm.pbf", true), ("town.osm", true), ("x.o5m", true),
    (".town.osm", false), ("town.navmap.12.part", false), ("readme.md", false), ("navmap", false),
  ])
  func `a map is known by its name, OF-1`(name: String, isMap: Bool) {
    #expect(MapName.isMap(name) == isMap)
  }
}
