import DrawnMaps
import Foundations
import Geodesy
import MapMatching
import Positioning
import RoadGraph
import Testing

@Suite struct TraceOutsideMapTests {
  private func fixes(_ places: [(Double, Double)]) -> [Fix] {
    places.enumerated().map { index, place in
      Fix(
        place: Coordinate(latitudeDeg: place.0, longitudeDeg: place.1),
        time: Instant(seconds: Double(index)))
    }
  }

  @Test func `a trace outside the map is explained by both boxes and the distance, MM-13`() throws {
    let graph = try DrawnMap("a----b", ways: ["ab": "highway=primary"]).graph
    let box = try #require(graph.boundingBox)
    let away = fixes([(box.northDeg + 1, box.westDeg), (box.northDeg + 2, box.westDeg + 0.5)])
    var outside = try #require(TraceOutsideMap(away, on: graph))
    #expect(abs((outside.distanceM ?? 0) - 111_000) < 1_000)
    let sentence = outside.sentence()
    #expect(
      sentence
        == "the trace lies outside the map, 111 km away: the map has latitude 47.0 to 47.0 and longitude -30.0 to -29.9934; "
        + "the fixes have latitude 48.0 to 49.0 and longitude -30.0 to -29.5", "\(sentence)")
    outside.add(try #require(TraceOutsideMap(fixes([(0, 0)]), on: graph)))
    #expect(
      outside.sentence(ofTraces: 3).hasPrefix("2 of 3 traces lie outside the map, 111 km away"))
    #expect(
      outside.sentence(ofTraces: 3).hasSuffix("latitude 0.0 to 49.0 and longitude -30.0 to 0.0"))
  }

  @Test func `a trace with a fix on the map, or with none, is not outside, MM-13`() throws {
    let graph = try DrawnMap("a----b", ways: ["ab": "highway=primary"]).graph
    let box = try #require(graph.boundingBox)
    #expect(TraceOutsideMap(fixes([(0, 0), (box.northDeg, box.westDeg)]), on: graph) == nil)
    #expect(TraceOutsideMap(fixes([(box.northDeg + 0.001, box.westDeg)]), on: graph) == nil)
    #expect(TraceOutsideMap([], on: graph) == nil)
    #expect(TraceOutsideMap(fixes([(91, 0)]), on: graph) == nil)
  }
}
