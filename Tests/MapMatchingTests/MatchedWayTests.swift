import DrawnMaps
import Foundations
import Geodesy
import Positioning
import RoadGraph
import Testing

@testable import MapMatching

/// The ways of a trace with their times and lengths, and the confidence of the trace (MM-13).
@Suite struct MatchedWayTests {
  /// Two streets that meet, and a third far from both.
  private let map: DrawnMap
  private let network: MatchingNetwork

  init() throws {
    map = try DrawnMap(
      """
      d1-------2e


       7       8

                c
                |
      a3-------5b
      """, ways: ["ab": "", "bc": "", "de": ""], line: 700)
    network = MatchingNetwork(map)
  }

  /// The fixes of a drive at 10 m/s through points of the map, and after a gap of another.
  private func fixes(_ points: String, then more: String? = nil, everyS: Double = 1) throws -> [Fix]
  {
    var trace = DrawnTrace(on: map, accuracyM: 3)
    try trace.drive(points, speedMps: 10, everyS: everyS)
    if let more { try trace.drive(more, speedMps: 10, everyS: everyS) }
    return trace.fixes
  }

  @Test(arguments: [1.0, 7.0])
  func `ways have the lengths of the path, and times between those of the fixes, MM-13`(
    intervalS: Double
  ) throws {
    let fixes = try fixes("3bc", everyS: intervalS)
    let trace = network.match(trace: fixes)
    #expect(trace.ways.map { map.letters(ofWay: $0.way) } == ["ab", "bc"])
    let first = try #require(trace.ways.first)
    let last = try #require(trace.ways.last)
    #expect(abs(first.lengthM - 900) < 1)
    #expect(first.toM == last.fromM && last.toM == trace.lengthM)
    let times = fixes.compactMap(\.time)
    #expect(first.from == times.first && last.to == times.last)
    #expect(first.to == last.from)
    let cornerS = try #require(first.to).seconds(since: times[0])
    #expect(abs(cornerS - 90) < 0.2)
    // The lines of the ways add up to the line of the trace.
    #expect(first.points.lowerBound == 0 && last.points.upperBound == trace.shape.count)
    #expect(first.points.upperBound - 1 == last.points.lowerBound)
  }

  @Test func `a path that lacks part of the drive has a low confidence, MM-13`() throws {
    #expect(network.match(trace: try fixes("3bc")).confidence > 0.9)
    let trace = network.match(trace: try fixes("35", then: "12"))
    #expect(trace.evidence.missingShare > 0.5)
    #expect(trace.confidence > 0 && trace.confidence < 0.05)
  }

  @Test func `a long bridge between two fixes lowers the confidence, MM-13`() throws {
    var map = TinyMap()
    map.line((0...60).map { map.node(Double($0) * 100, 0) })
    let network = MatchingNetwork(graph: try map.graph(), mode: .car)
    var drive = Drive(hasSpeed: false)
    drive.along([(100, 0), (5900, 0)], speedMps: 10)
    let whole = network.match(trace: drive.fixes)
    let holed = network.match(trace: Array(drive.fixes[..<100] + drive.fixes[400...]))
    #expect(holed.starts.count == 1 && holed.evidence.bridgedShare > 0.4)
    #expect(holed.confidence < 0.9 * whole.confidence)
  }

  @Test func `a gap separates the ways, and time continues, MM-13`() throws {
    let trace = network.match(trace: try fixes("35", then: "12"))
    #expect(trace.starts.count == 2)
    #expect(trace.ways.map { map.letters(ofWay: $0.way) } == ["ab", "de"])
    let sum = trace.ways.reduce(0) { $0 + $1.lengthM }
    #expect(abs(sum - trace.lengthM) < 1e-6)
    for (way, next) in zip(trace.ways, trace.ways.dropFirst()) {
      let (to, from) = (try #require(way.to), try #require(next.from))
      #expect(to < from)
    }
    #expect(trace.ways[1].points.lowerBound == trace.starts[1])
  }

  @Test func `a turn back stays on its way, and its time never decreases, MM-13`() throws {
    let fixes = try fixes("353")
    let trace = network.match(trace: fixes)
    #expect(trace.ways.map { map.letters(ofWay: $0.way) } == ["ab"])
    #expect(abs(trace.ways[0].lengthM - 1600) < 30)
    #expect(trace.ways[0].from == fixes.first?.time)
    #expect(trace.ways[0].to == fixes.last?.time)
  }

  @Test func `a trace without fixes or without a match has no ways and no confidence`() throws {
    #expect(network.match(trace: []).ways.isEmpty)
    #expect(network.match(trace: []).confidence == 0)
    let far = network.match(trace: try fixes("78"))
    #expect(far.ways.isEmpty && far.confidence == 0)
  }
}
