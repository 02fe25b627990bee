import DrawnMaps
import Foundations
import Geodesy
import Positioning
import RoadGraph
import Testing

@testable import MapMatching

/// Which of the paths between two places far apart is taken.
@Suite struct TransitionCostTests {
  private let start = DrawnTrace.start

  /// The match of fixes by their metres east of `a`, one every `everyS` seconds.
  private func match(
    _ network: MatchingNetwork, on map: DrawnMap, eastM: [Double], everyS: Double
  ) throws -> MatchedTrace {
    let fixes = try eastM.enumerated().map { number, eastM in
      Fix(
        place: try map.coordinate("a", eastM: eastM),
        time: start.advanced(bySeconds: everyS * Double(number)))
    }
    return network.match(trace: fixes, tuning: .wholeTrace)
  }

  /// A street of 400 m that is one-way to the west, and a detour that is longer by `2 * sideM`.
  private func detour(sideM: Double) throws -> DrawnMap {
    // All have a usual speed of 72 km/h.
    let road = "highway=primary maxspeed=80"
    return try DrawnMap(
      """
                c-d
      w---------a-b---------e
      """,
      ways: [
        "wa": road, "ba": road + " oneway=yes", "ac": road, "cd": road, "db": road, "be": road,
      ],
      cell: 200, line: sideM)
  }

  @Test(arguments: [30.0, 60])
  func `a vehicle does not drive into a one-way to save some hundred metres, MM-3 MM-7`(
    everyS: Double
  ) throws {
    let map = try detour(sideM: 100)
    let eastM = (0..<4).map { -1_100 + 18 * everyS * Double($0) }
    let trace = try match(MatchingNetwork(map), on: map, eastM: eastM, everyS: everyS)
    #expect(map.letters(trace.path) == "wacdbe")
    #expect(trace.path.allSatisfy { !$0.isAgainst })
  }

  @Test func `where the detour is too long the vehicle took the one-way, MM-3 MM-7`() throws {
    let map = try detour(sideM: 1_000)
    let trace = try match(MatchingNetwork(map), on: map, eastM: [-1_100, -20, 1_060], everyS: 60)
    #expect(map.letters(trace.path) == "wabe")
    #expect(trace.path.map(\.isAgainst) == [false, true, false])
  }

  @Test func `a vehicle that drives out and back turned, and was in no dead end, MM-3`() throws {
    // A turn at the end of `d`, a dead end of 200 m, has hardly any cost.
    let road = "highway=secondary"
    let map = try DrawnMap(
      """
                d
      w---------a---------e
      """, ways: ["wa": road, "ae": road, "ad": road], cell: 200)
    let network = MatchingNetwork(map)
    let eastM = [-400.0, -300, -200, -100, 0, 20, -80, -180, -280]
    let trace = try match(network, on: map, eastM: eastM, everyS: 10)
    #expect(!map.letters(trace.path).contains("d"))
    #expect(trace.path.last == network.reversed(trace.path[0]))
  }

  @Test func `a detour is not driven as fast as a motorway, MM-4`() throws {
    func motion(_ straightM: Double, _ mode: TravelMode) -> MotionConstraints {
      let fixes = [0.0, 30].map {
        Fix(
          place: Coordinate(latitudeDeg: 47, longitudeDeg: 9),
          time: start.advanced(bySeconds: $0))
      }
      return MotionConstraints(
        beforeMps: fixes[0].speedMps, afterMps: fixes[1].speedMps, straightM: straightM,
        elapsedS: 30, mode: mode,
        sigmasM: 0, isSparse: false, tuning: .wholeTrace
      ).widened
    }
    // 70 m/s straight on, 31.5 m/s for the part that exceeds the straight line by a half.
    #expect(motion(2_000, .car).limitM == 2_130)
    #expect(motion(100, .car).limitM == 150 + 945 + 30)
    #expect(motion(100, .bicycle).limitM < 600)
  }
}
