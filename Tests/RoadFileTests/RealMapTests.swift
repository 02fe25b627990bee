import Foundation
import Geodesy
import MapMaking
import RealData
import RoadFile
import RoadGraph
import Testing

private let realMaps = realData("maps")

@Suite(.enabled(if: realMaps != nil, "no real maps: set NAV_DATA or put data beside the package"))
struct RealMapTests {
  private func build(_ name: String, _ folder: Scratch) throws -> (BuildReport, RoadGraph) {
    let maps = try #require(realMaps)
    let output = folder.path("\(name).navmap")
    let report = try RoadFile.build(
      from: [maps.appending(path: "\(name).osm.pbf").path], to: output)
    return (report, try RoadFile.open(path: output))
  }

  @Test func `monaco is whole, with its tunnels, tolls and restrictions`() throws {
    let folder = try Scratch()
    let (report, graph) = try build("monaco", folder)
    #expect((8_000...14_000).contains(graph.edgeCount))
    #expect(report.making.restrictionsKept >= 20)
    var flags = RoadFlags()
    for edge in 0..<graph.edgeCount { flags.formUnion(graph.attributes(EdgeID(edge)).flags) }
    #expect(flags.isSuperset(of: [.tunnel, .toll, .bridge, .roundabout, .oneWay]))
    let references = (0..<graph.edgeCount).map { graph.reference(EdgeID($0)) }
    #expect(Set(references).count == references.count)
    try RoadFile.verify(path: report.output)
  }

  @Test func `porto has the edges, the restrictions and the size that are expected of it`() throws {
    let folder = try Scratch()
    let (report, graph) = try build("porto", folder)
    #expect((150_000...230_000).contains(graph.edgeCount))
    #expect(report.making.restrictionsKept >= 320)
    #expect(report.bytes < 17_900_000)
    let place = Coordinate(latitudeDeg: 41.1579, longitudeDeg: -8.6291)
    #expect(!graph.edges(near: place, withinM: 50).isEmpty)
    #expect(report.making.islandEdges < graph.edgeCount / 20)
  }
}
