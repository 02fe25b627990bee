import EventTime
import Geodesy
import Positioning
import RoadGraph
import Testing

@testable import MapMatching

/// A path has no metres that the time does not allow (MM-15).
@Suite struct TurnLengthTests {
  private func network() throws -> MatchingNetwork {
    var map = TinyMap()
    let (west, middle, east) = (map.node(0, 0), map.node(400, 0), map.node(3400, 0))
    map.line([west, middle])
    map.line([middle, east])
    map.line([middle, map.node(400, 300)])
    map.line([east, map.node(3400, 300)])
    map.line([east, map.node(3800, 0)])
    return MatchingNetwork(graph: try map.graph(), mode: .car)
  }

  @Test(arguments: [true, false], [700.0, 1500, 2900])
  func `a turn within a road is driven to the turn and back, MM-15`(
    hasSpeed: Bool, turnM: Double
  ) throws {
    let network = try network()
    var drive = Drive(hasSpeed: hasSpeed)
    drive.along([(20, 0), (turnM, 0), (20, 0)], speedMps: 12)
    let trace = network.match(trace: drive.fixes)
    #expect(abs(trace.lengthM - 2 * (turnM - 20)) < 30)
    #expect(trace.lines.count == 1)
    var online = OnlineMatcher(network: network)
    var matches: [Match] = []
    for fix in drive.fixes { matches += online.smooth(fix) }
    let smoothed = MatchedTrace(
      matches: matches + online.finish(), network: network)
    #expect(abs(smoothed.lengthM - 2 * (turnM - 20)) < 40)
  }

  @Test func `each leg around a turn is as long as its second allows, MM-15`() throws {
    let network = try network()
    var drive = Drive(hasSpeed: true)
    drive.along([(20, 0), (1000, 0), (20, 0)], speedMps: 12)
    let trace = network.match(trace: drive.fixes)
    for (before, after) in zip(trace.matches, trace.matches.dropFirst()) {
      let leg = MatchedTrace(matches: [before, after], network: network)
      #expect(leg.lengthM < 40)
    }
  }
}
