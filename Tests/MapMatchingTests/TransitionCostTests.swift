import EventTime
import Geodesy
import Positioning
import RoadGraph
import Testing

@testable import MapMatching

/// Which of the ways between two places far apart is taken.
@Suite struct TransitionCostTests {
  private let start = 1_790_000_000.0

  private func match(
    _ network: MatchingNetwork, _ fixes: [(eastM: Double, second: Double)],
    _ tuning: MatcherTuning = .wholeTrace
  ) -> MatchedTrace {
    network.match(
      trace: fixes.map {
        Fix(
          place: TinyMap.coordinate($0.eastM, 0), time: Instant(seconds: start + $0.second))
      }, tuning: tuning)
  }

  private func ways(_ trace: MatchedTrace, _ network: MatchingNetwork) -> [Int64] {
    trace.path.map { network.reference($0).way - 100 }
  }

  /// A street of 400 m that is one-way the other way, and around it a way longer by `2 * sideM`.
  private func around(sideM: Double) throws -> MatchingNetwork {
    var map = TinyMap()
    let (west, a) = (map.node(-2_000, 0), map.node(0, 0))
    let (b, east) = (map.node(400, 0), map.node(2_400, 0))
    map.road(west, a, speedKmh: 72)
    map.road(b, a, oneWay: true, speedKmh: 72)
    map.line([a, map.node(0, sideM), map.node(400, sideM), b], speedKmh: 72)
    map.road(b, east, speedKmh: 72)
    return MatchingNetwork(graph: try map.graph(), mode: .car)
  }

  @Test func `nobody goes the wrong way into a street to save some hundred metres, MM-3 MM-7`()
    throws
  {
    for everyS in [30.0, 60] {
      let network = try around(sideM: 100)
      let fixes = (0..<4).map { (-1_100 + 18 * everyS * Double($0), everyS * Double($0)) }
      let trace = match(network, fixes)
      #expect(ways(trace, network) == [0, 2, 3, 4, 5])
      #expect(trace.path.allSatisfy { !$0.isAgainst })
    }
  }

  @Test func `where the way round is too long the street was gone into the wrong way, MM-3 MM-7`()
    throws
  {
    let network = try around(sideM: 1_000)
    let trace = match(network, (0..<3).map { (-1_100 + 1_080 * Double($0), 60 * Double($0)) })
    #expect(ways(trace, network) == [0, 1, 5])
    #expect(trace.path.map(\.isAgainst) == [false, true, false])
  }

  @Test func `who drives out and back has turned, and was in no dead end, MM-3`()
    throws
  {
    var map = TinyMap()
    let (west, fork) = (map.node(-2_000, 0), map.node(0, 0))
    map.road(west, fork)
    map.road(fork, map.node(2_000, 0))
    // A dead end 200 m long, at the end of which one turns for nearly nothing.
    map.road(fork, map.node(0, 200))
    let network = MatchingNetwork(graph: try map.graph(), mode: .car)
    let fixes = [-400.0, -300, -200, -100, 0, 20, -80, -180, -280]
    let trace = match(network, fixes.enumerated().map { ($1, 10 * Double($0)) })
    #expect(!ways(trace, network).contains(2))
    #expect(trace.path.last == network.reversed(trace.path[0]))
  }

  @Test func `no loop is driven as fast as a motorway, MM-4`() throws {
    func motion(_ straightM: Double, _ mode: TravelMode) -> MotionConstraints {
      let fixes = [0.0, 30].map {
        Fix(place: TinyMap.coordinate(0, 0), time: Instant(seconds: start + $0))
      }
      return MotionConstraints(
        beforeMps: fixes[0].speedMps, afterMps: fixes[1].speedMps, straightM: straightM,
        elapsedS: 30, mode: mode,
        sigmasM: 0, isSparse: false, tuning: .wholeTrace
      ).widened
    }
    // 70 m/s straight on, 31.5 m/s for what is more than half as long again.
    #expect(motion(2_000, .car).limitM == 2_130)
    #expect(motion(100, .car).limitM == 150 + 945 + 30)
    #expect(motion(100, .bicycle).limitM < 600)
  }
}
