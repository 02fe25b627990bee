import EventTime
import Geodesy
import Positioning
import RoadGraph
import Testing

@testable import MapMatching

/// The ways of a trace with their times and lengths, and how much the whole is to be believed (MM-13).
@Suite struct MatchedWayTests {
  /// Two streets that meet, and a third far from both.
  private func network() throws -> MatchingNetwork {
    var map = TinyMap()
    let corner = map.node(1000, 0)
    map.line([map.node(0, 0), corner, map.node(1000, 800)])
    map.line([map.node(0, 5000), map.node(1000, 5000)])
    return MatchingNetwork(graph: try map.graph(), mode: .car)
  }

  @Test(arguments: [1.0, 7.0])
  func `ways have the lengths of the path, and times between those of the fixes, MM-13`(
    intervalS: Double
  ) throws {
    let network = try network()
    var drive = Drive(hasSpeed: false)
    drive.along([(100, 0), (1000, 0), (1000, 700)], speedMps: 10, intervalS: intervalS)
    let trace = network.match(trace: drive.fixes)
    #expect(trace.ways.map(\.way) == [100, 101])
    let first = try #require(trace.ways.first)
    let last = try #require(trace.ways.last)
    #expect(abs(first.lengthM - 900) < 1)
    #expect(first.toM == last.fromM && last.toM == trace.lengthM)
    let times = drive.fixes.compactMap(\.time)
    #expect(first.from == times.first && last.to == times.last)
    #expect(first.to == last.from)
    let cornerS = try #require(first.to).seconds(since: times[0])
    #expect(abs(cornerS - 90) < 0.2)
    // The lines of the ways join to the line of the trace.
    #expect(first.points.lowerBound == 0 && last.points.upperBound == trace.shape.count)
    #expect(first.points.upperBound - 1 == last.points.lowerBound)
  }

  @Test func `a path that lacks part of the drive is not believed, MM-13`() throws {
    let network = try network()
    var whole = Drive(hasSpeed: false)
    whole.along([(100, 0), (1000, 0), (1000, 700)], speedMps: 10)
    #expect(network.match(trace: whole.fixes).confidence > 0.9)
    var parted = Drive(hasSpeed: false)
    parted.along([(100, 0), (900, 0)], speedMps: 10)
    parted.along([(100, 5000), (900, 5000)], speedMps: 10)
    let trace = network.match(trace: parted.fixes)
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

  @Test func `a gap parts the ways, and time goes on, MM-13`() throws {
    let network = try network()
    var drive = Drive(hasSpeed: false)
    drive.along([(100, 0), (900, 0)], speedMps: 10)
    drive.along([(100, 5000), (900, 5000)], speedMps: 10)
    let trace = network.match(trace: drive.fixes)
    #expect(trace.starts.count == 2)
    #expect(trace.ways.map(\.way) == [100, 102])
    let sum = trace.ways.reduce(0) { $0 + $1.lengthM }
    #expect(abs(sum - trace.lengthM) < 1e-6)
    for (way, next) in zip(trace.ways, trace.ways.dropFirst()) {
      let (to, from) = (try #require(way.to), try #require(next.from))
      #expect(to < from)
    }
    #expect(trace.ways[1].points.lowerBound == trace.starts[1])
  }

  @Test func `a turn back stays on its way, and its time never runs back, MM-13`() throws {
    let network = try network()
    var drive = Drive(hasSpeed: false)
    drive.along([(100, 0), (600, 0), (100, 0)], speedMps: 10)
    let trace = network.match(trace: drive.fixes)
    #expect(trace.ways.map(\.way) == [100])
    #expect(abs(trace.ways[0].lengthM - 1000) < 30)
    #expect(trace.ways[0].from == drive.fixes.first?.time)
    #expect(trace.ways[0].to == drive.fixes.last?.time)
  }

  @Test func `fixes without a time make ways without one, and no match no confidence`() throws {
    let network = try network()
    #expect(network.match(trace: []).ways.isEmpty)
    #expect(network.match(trace: []).confidence == 0)
    var drive = Drive(hasSpeed: false)
    drive.along([(100, 2500), (900, 2500)], speedMps: 10)
    let far = network.match(trace: drive.fixes)
    #expect(far.ways.isEmpty && far.confidence == 0)
  }
}
