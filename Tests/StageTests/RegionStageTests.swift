import Foundation
import Foundations
import Harness
import Messages
import RegionStage
import Stage
import Testing

@Suite struct RegionStageTests {
  private func location(_ lonDeg: Double, seconds: Double, to harness: MemoryHarness) {
    harness.publish(
      topic: LocationMatched.topic, stamp: Instant(seconds: seconds),
      payload: LocationMatched(
        state: .noMatch, reason: .noMapData, raw: LocationRaw(latDeg: 0.5, lonDeg: lonDeg)
      ).encoded(), vehicle: "ego")
  }

  @Test func `what is not what the catalogue says is thrown away and reported, OF-3`() throws {
    let folders = try RegionFolders()
    defer { folders.remove() }
    try folders.offer()
    let harness = MemoryHarness()
    harness.add(RegionStage.self, name: "regions", shared: try folders.shared)
    var reports: [MapRegions] = []
    location(1.5, seconds: 10, to: harness)
    _ = harness.run(until: Instant(seconds: 12)) { message in
      if message.topic == "ego/\(MapRegions.topic)" || message.topic == MapRegions.topic {
        (try? MapRegions(decoding: message.payload)).map { reports.append($0) }
      }
      return false
    }
    let regions = try #require(reports.last)
    #expect(regions.offered == 2 && regions.installed.isEmpty)
    #expect(regions.missing.map(\.name) == ["east"])
    #expect(regions.missing.first?.state == .failed)
    #expect(regions.missing.first?.problem?.contains("SHA-256") == true)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folders.maps.path) == [])
  }

  @Test func `a map that is no folder takes no regions, OF-3`() throws {
    let folders = try RegionFolders()
    defer { folders.remove() }
    let file = folders.maps.appending(path: "town.navmap").path
    #expect(throws: StageFailure.self) {
      try RegionShared(
        Parameters(
          ["map": .string(file), "source": .string("x")],
          declared: RegionStage.manifest.parameters))
    }
    #expect(throws: StageFailure.self) {
      try RegionShared(
        Parameters(
          ["map": .string(folders.maps.path), "source": .string("ftp://x/")],
          declared: RegionStage.manifest.parameters))
    }
  }
}
