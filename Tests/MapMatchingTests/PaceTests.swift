import EventTime
import Geodesy
import Positioning
import RoadGraph
import Testing

@testable import MapMatching

/// Fixes that a vehicle always sends far apart, and silences.
@Suite struct PaceTests {
  /// A fork into two roads that end up side by side: one after a street of 640 m, the other after 900 m of faster roads, which take the
  /// minute that passes.
  private func network() throws -> MatchingNetwork {
    var map = TinyMap()
    let (west, fork) = (map.node(-3_000, 0), map.node(0, 0))
    map.road(west, fork, speedKmh: 72)
    let join = map.node(600, 15)
    map.line([fork, map.node(300, 113), join], speedKmh: 50)
    map.road(join, map.node(3_600, 15), speedKmh: 72)
    map.line(
      [fork, map.node(0, -150), map.node(600, -150), map.node(600, -15), map.node(3_600, -15)],
      speedKmh: 72)
    return MatchingNetwork(graph: try map.graph(), mode: .car)
  }

  /// The ways between the last two of fixes at these metres east and seconds.
  private func ways(_ fixes: [(eastM: Double, second: Double)]) throws -> [Int64] {
    let network = try network()
    var tuning = MatcherTuning.wholeTrace
    tuning.turnM = 0
    let trace = network.match(
      trace: fixes.map {
        Fix(
          place: TinyMap.coordinate($0.eastM, 0),
          time: Instant(seconds: 1_790_000_000 + $0.second))
      }, tuning: tuning)
    #expect(trace.starts == [0])
    return try #require(trace.matches.last?.place).path.map { network.reference($0).way - 100 }
  }

  @Test func `who reports each minute has driven all of it, MM-3`() throws {
    let fast: [Int64] = [0, 4, 5, 6, 7]
    #expect(try ways([(-1_200, 0), (-620, 60), (-20, 120), (620, 180)]) == fast)
    // Nothing came before that could tell otherwise.
    #expect(try ways([(-20, 0), (620, 60)]) == fast)
    #expect(try ways([(-620, 0), (-20, 45), (620, 105)]) == fast)
  }

  @Test func `what was done in a silence nobody knows, MM-3`() throws {
    let street: [Int64] = [0, 1, 2, 3]
    #expect(try ways([(-80, 0), (-60, 1), (-40, 2), (-20, 3), (620, 63)]) == street)
    #expect(try ways([(-620, 0), (-320, 30), (-20, 60), (620, 120)]) == street)
    // The next fix in time makes it a pace again.
    #expect(
      try ways([(-1_220, 0), (-1_200, 1), (-620, 61), (-20, 121), (620, 181)]) == [0, 4, 5, 6, 7])
  }

  @Test func `the pace is known to one that goes on from memory, BUS-1`() throws {
    let network = try network()
    var tuning = MatcherTuning.wholeTrace
    tuning.turnM = 0
    let fixes = [(-40.0, 0.0), (-20, 1), (620, 61)].map {
      Fix(
        place: TinyMap.coordinate($0.0, 0), time: Instant(seconds: 1_790_000_000 + $0.1))
    }
    func answers(stops: Bool) throws -> [Match] {
      var matcher = OnlineMatcher(network: network, tuning: tuning)
      var answers: [Match] = []
      for fix in fixes {
        if stops { matcher = try matcher.restarted() }
        answers.append(matcher.match(fix).match)
      }
      return answers
    }
    #expect(try answers(stops: true) == answers(stops: false))
  }
}
