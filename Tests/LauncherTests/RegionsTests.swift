import Foundation
import Launcher
import StackFile
import Testing

/// A list of maps that nodes are given as one folder of links.
@Suite struct RegionsTests {
  let ground: StackFolder

  init() throws {
    ground = try StackFolder()
    try ground.write("", to: "west.navmap")
    try ground.write("", to: "east.osm.pbf")
    try ground.stack(
      "stack: s\n@BUS\nmap: [west.navmap, east.osm.pbf]\nnodes:\n  a: {run: @NODE}\n")
  }

  private func launch() -> Launch {
    var environment = ground.environment
    environment["XDG_CACHE_HOME"] = ground.folder + "/cache"
    return Launch(
      file: ground.folder + "/stack.yaml", besides: StackFolder.products, environment: environment)
  }

  @Test func `regions are links in a folder, in their order, OF-1`() throws {
    let first = launch()
    #expect(first.problems.isEmpty, "\(first.report)")
    let folder = try #require(first.stack?.file.map?.value ?? first.map?.value)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    #expect(names == ["0-west.navmap", "1-east.osm.pbf"])
    #expect(launch().problems.isEmpty)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == names)
  }

  @Test func `where a link cannot be put the system's reason is reported, OF-1`() throws {
    let folder = try #require(launch().map?.value)
    let link = folder + "/0-west.navmap"
    try FileManager.default.removeItem(atPath: link)
    try FileManager.default.createDirectory(
      atPath: link + "/full", withIntermediateDirectories: true)
    let report = launch().report.joined(separator: "\n")
    #expect(report.contains("stack.yaml:3:"), "\(report)")
    #expect(
      report.contains(
        "the regions cannot be collected: cannot put a link at \(link): Is a directory"),
      "\(report)")
    // What was made beside it is gone.
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    #expect(names == ["0-west.navmap", "1-east.osm.pbf"])
  }
}
