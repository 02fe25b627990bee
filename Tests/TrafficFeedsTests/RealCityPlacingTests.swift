import Foundation
import Foundations
import Geodesy
import RealData
import RoadFile
import RoadGraph
import Testing
import TrafficFeeds

/// Lines along random paths of a real city give the edges of these paths.
@Suite(
  .enabled(if: realData("maps") != nil, "no real maps: set NAV_DATA or put data beside the package")
)
struct RealCityPlacingTests {
  struct Share {
    var foundM = 0.0
    var wantedM = 0.0
    var rightM = 0.0
    var recall: Double { rightM / wantedM }
    var precision: Double { rightM / foundM }
  }

  @Test(arguments: [
    ("porto", 0.0, 0.97, 0.98), ("porto", 5, 0.95, 0.96), ("monaco", 3, 0.93, 0.95),
  ])
  func `a line along a path of a real city gives its edges, TR-1`(
    city: String, noiseM: Double, recall: Double, precision: Double
  ) throws {
    let folder = try #require(realData("maps"))
    let graph = try RoadFile.open(path: folder.appending(path: "\(city).osm.pbf").path)
    let placer = FeedPlacer(graph, index: SegmentIndex(graph))
    var random = SplitMix64(seed: 17)
    var share = Share()
    for number in 0..<200 {
      let path = Self.path(on: graph, &random)
      guard path.count > 2 else { continue }
      let line = Self.line(along: path, on: graph, noiseM: noiseM, &random)
      let placed = placer.place(
        FeedIncident(id: "\(number)", kind: .other, place: FeedPlace(lines: [line])))
      let (wanted, found) = (Set(path), Set(placed.edges))
      share.wantedM += wanted.reduce(0) { $0 + graph.lengthM($1) }
      share.foundM += found.reduce(0) { $0 + graph.lengthM($1) }
      share.rightM += wanted.intersection(found).reduce(0) { $0 + graph.lengthM($1) }
    }
    #expect(share.wantedM > 100_000)
    #expect(share.recall >= recall, "\(share.recall)")
    #expect(share.precision >= precision, "\(share.precision)")
  }

  /// A random path of roads for cars, some hundred metres to two kilometres long, no road twice.
  private static func path(on graph: RoadGraph, _ random: inout SplitMix64) -> [EdgeID] {
    func isRoad(_ edge: EdgeID) -> Bool {
      graph.attributes(edge).access(.car) == .yes && graph.attributes(edge).roadClass < .service
    }
    var path: [EdgeID] = []
    while path.isEmpty {
      let edge = EdgeID(Int.random(in: 0..<graph.edgeCount, using: &random))
      if isRoad(edge) { path = [edge] }
    }
    var lengthM = graph.lengthM(path[0])
    let wantedM = Double.random(in: 200...2000, using: &random)
    while lengthM < wantedM, let last = path.last {
      let next = graph.edges(leaving: graph.head(last)).filter {
        isRoad($0) && $0 != graph.twin(last) && !path.contains($0)
          && !path.contains(graph.twin($0) ?? $0)
      }
      guard let edge = next.randomElement(using: &random) else { break }
      path.append(edge)
      lengthM += graph.lengthM(edge)
    }
    return path
  }

  private static func line(
    along path: [EdgeID], on graph: RoadGraph, noiseM: Double, _ random: inout SplitMix64
  ) -> [Coordinate] {
    var line: [Coordinate] = []
    for edge in path {
      for place in graph.shape(edge) where line.last != place { line.append(place) }
    }
    guard noiseM > 0 else { return line }
    return line.map { place in
      place.moved(
        bearingDeg: Double.random(in: 0..<360, using: &random),
        distanceM: Double.random(in: 0...noiseM, using: &random))
    }
  }
}
