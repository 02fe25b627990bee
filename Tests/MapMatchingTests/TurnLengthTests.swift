import DrawnMaps
import Foundations
import Geodesy
import Positioning
import RoadGraph
import Testing

@testable import MapMatching

/// A path contains no distance for which the time was too short (MM-15).
@Suite struct TurnLengthTests {
  private let map: DrawnMap

  init() throws {
    map = try DrawnMap(
      """
          d                             e
      a1--b--2----3-------4------------5c---f
      """, ways: ["ab": "", "bc": "", "bd": "", "ce": "", "cf": ""], line: 300)
  }

  @Test(arguments: [true, false], ["2", "4", "5"] as [Character])
  func `a turn within a road is driven to the turn and back, MM-15`(
    hasMotion: Bool, turn: Character
  ) throws {
    let network = MatchingNetwork(map)
    var drive = DrawnTrace(on: map, accuracyM: 3, hasMotion: hasMotion)
    try drive.drive("1\(turn)1", speedMps: 12)
    let lengthM = 2 * (try map.coordinate("1").distanceM(to: map.coordinate(turn)))
    let trace = network.match(trace: drive.fixes)
    #expect(abs(trace.lengthM - lengthM) < 30)
    #expect(trace.lines.count == 1)
    var online = OnlineMatcher(network: network)
    var matches: [Match] = []
    for fix in drive.fixes { matches += online.smooth(fix) }
    let smoothed = MatchedTrace(matches: matches + online.finish(), network: network)
    #expect(abs(smoothed.lengthM - lengthM) < 40)
  }

  @Test func `each leg around a turn is as long as its second allows, MM-15`() throws {
    let network = MatchingNetwork(map)
    var drive = DrawnTrace(on: map, accuracyM: 3, hasMotion: true)
    try drive.drive("131", speedMps: 12)
    let trace = network.match(trace: drive.fixes)
    #expect(trace.matches.count > 180)
    for (before, after) in zip(trace.matches, trace.matches.dropFirst()) {
      let leg = MatchedTrace(matches: [before, after], network: network)
      #expect(leg.lengthM < 40)
    }
  }
}
