import Foundation
import Foundations
import Testing

@testable import Harness

/// Files of maps that others put in place of the old ones.
@Suite struct FileWatcherTests {
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
      var watch = FileWatcher([map])
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
      var watch = FileWatcher([folder])
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

  @Test func `a link that goes on leading nowhere is a change at last, once, OF-2`() throws {
    try inFolder { folder in
      try write("one", folder + "/a.navmap")
      try write("two", folder + "/elsewhere")
      let link = folder + "/b.osm.pbf"
      try FileManager.default.createSymbolicLink(
        atPath: link, withDestinationPath: folder + "/elsewhere")
      var watch = FileWatcher([folder])
      try FileManager.default.removeItem(atPath: folder + "/elsewhere")
      var looks = (1...30).map { _ in watch.hasChanged() }
      #expect(looks.filter { $0 }.count == 1)
      #expect(looks.firstIndex(of: true) == FileWatcher.patience)
      // Another map is not overlooked meanwhile, and what comes back is a change, too.
      try write("other", folder + "/a.navmap")
      looks = (1...30).map { _ in watch.hasChanged() }
      #expect(looks.firstIndex(of: true) == FileWatcher.patience)
      try write("two", folder + "/elsewhere")
      let isBack = watch.hasChanged()
      #expect(isBack)
    }
  }

  @Test func `a map that is taken away for good is a change at last, OF-2`() throws {
    try inFolder { folder in
      let map = folder + "/a.navmap"
      try write("1", map)
      var watch = FileWatcher([map])
      try FileManager.default.removeItem(atPath: map)
      let looks = (1...30).map { _ in watch.hasChanged() }
      #expect(looks.filter { $0 }.count == 1)
      try write("1", map)
      let isBack = watch.hasChanged()
      #expect(isBack)
    }
  }

  @Test func `nothing is asked while a map is loading, and then once more, OF-2`() throws {
    try inFolder { folder in
      let map = folder + "/a.navmap"
      try write("1", map)
      var watch = FileWatcher([map])
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

  @Test func `a region is called the same whatever kind of file it is, OF-1`() {
    #expect(MapName.stem("b.west.osm.pbf") == "b.west")
    for suffix in MapName.osmSuffixes + [MapName.builtSuffix] {
      #expect(MapName.stem("b.west" + suffix) == "b.west", "\(suffix)")
      #expect(MapName.isMap("b" + suffix))
    }
  }
}
