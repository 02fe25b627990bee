import Foundation
import MapMaking
import RealData
import RoadFile
import RoadGraph
import Testing

/// Levels of road numbers in an extract without the boundary of its country.
@Suite struct RealNumberTests {
  @Test(
    "in Heidelberg each number has the level of its network, RN-4, RT-10",
    .enabled(if: realData("maps") != nil, "no real data beside the repository"))
  func levels() throws {
    let source = try #require(realData("maps")).appending(path: "heidelberg.osm.pbf")
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "heidelberg.navmap").path
    let report = try RoadFile.build(from: [source.path], to: path)
    #expect(report.making.countries.builtIn > 80_000)
    #expect(report.making.countries.unknown == 0)
    let graph = try RoadFile.open(path: path)
    var levels: [Character: Set<Int>] = [:]
    var countries: Set<String?> = []
    for edge in 0..<graph.edgeCount {
      let road = graph.attributes(EdgeID(edge))
      countries.insert(road.country)
      let number = graph.text(road.number)
      guard let letter = number.first, number.dropFirst().first == " " else { continue }
      levels[letter, default: []].insert(road.numberLevel)
    }
    #expect(countries == ["DE"])
    #expect(levels["A"] == [1])
    #expect(levels["B"] == [2])
    #expect(levels["L"] == [4])
    #expect(levels["K"] == [5])
  }
}
