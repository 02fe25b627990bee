import DrawnMaps
import Foundations
import Geodesy
import Positioning
import RoadGraph
import Testing

@testable import MapMatching

/// Sparse sampling, and silences among fixes with a shorter interval.
@Suite struct PaceTests {
  /// A fork into two roads that become parallel: one after a street of 640 m, the other after 885 m
  /// of faster roads, which take the minute that passes.
  private let map: DrawnMap

  init() throws {
    // The usual speeds are 72 and 50 km/h.
    let (fast, slow) = ("highway=primary maxspeed=80", "highway=secondary")
    map = try DrawnMap(
      """
                      g






                         h------i
      w------------f
                         m------n








                   k-----l
      """,
      ways: [
        "wf": fast, "fg": slow, "gh": slow, "hi": fast, "fk": fast, "kl": fast, "lm": fast,
        "mn": fast,
      ], line: 15)
  }

  private var tuning: MatcherTuning {
    var tuning = MatcherTuning.wholeTrace
    tuning.turnM = 0
    return tuning
  }

  /// Fixes by metres east of the fork and seconds.
  private func fixes(_ fixes: [(eastM: Double, second: Double)]) throws -> [Fix] {
    try fixes.map {
      Fix(
        place: try map.coordinate("f", eastM: $0.eastM),
        time: DrawnTrace.start.advanced(bySeconds: $0.second))
    }
  }

  /// The nodes of the path between the last two fixes.
  private func lastPath(_ fixes: [(eastM: Double, second: Double)]) throws -> String {
    let trace = MatchingNetwork(map).match(trace: try self.fixes(fixes), tuning: tuning)
    #expect(trace.starts == [0])
    return map.letters(try #require(trace.matches.last?.place).path)
  }

  @Test func `a vehicle that reports once per minute drove all of the minute, MM-3`() throws {
    let fast = "wfklmn"
    #expect(try lastPath([(-1_200, 0), (-620, 60), (-20, 120), (620, 180)]) == fast)
    // No earlier fix contradicts that.
    #expect(try lastPath([(-20, 0), (620, 60)]) == fast)
    #expect(try lastPath([(-620, 0), (-20, 45), (620, 105)]) == fast)
  }

  @Test func `the drive during a silence is unknown, MM-3`() throws {
    let street = "wfghi"
    #expect(try lastPath([(-80, 0), (-60, 1), (-40, 2), (-20, 3), (620, 63)]) == street)
    #expect(try lastPath([(-620, 0), (-320, 30), (-20, 60), (620, 120)]) == street)
    // The next fix after the same interval makes the sampling sparse again.
    #expect(
      try lastPath([(-1_220, 0), (-1_200, 1), (-620, 61), (-20, 121), (620, 181)]) == "wfklmn")
  }

  @Test func `a matcher that continues from its state knows the interval, BUS-1`() throws {
    let fixes = try fixes([(-40, 0), (-20, 1), (620, 61)])
    func answers(stops: Bool) throws -> [Match] {
      var matcher = OnlineMatcher(map, tuning: tuning)
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
