import EventTime
import Geodesy
import MapMatching
import Positioning
import RoadGraph
import Testing

/// What the matcher says of being off the active route.
@Suite struct RoutePriorTests {
  /// The edges of road `number`, which lead east.
  private func east(_ graph: RoadGraph, _ number: Int64) -> Set<EdgeID> {
    Set(
      (0..<graph.edgeCount).map { EdgeID($0) }.filter {
        graph.reference($0).way == 100 + number
          && graph.bearingDeg(RoadPosition(edge: $0, offsetM: 0)) < 180
      })
  }

  @Test func `a side street of many short pieces is off the route as a whole, MM-9, PR-7`() throws {
    var map = TinyMap()
    let corner = map.node(500, 0)
    map.road(map.node(0, 0), corner)
    map.road(corner, map.node(1000, 0))
    map.line([corner] + (1...30).map { map.node(500, Double($0) * 8) })
    let graph = try map.graph()
    var matcher = OnlineMatcher(network: MatchingNetwork(graph: graph, mode: .car))
    matcher.setRoute(east(graph, 0).union(east(graph, 1)))
    var drive = Drive()
    drive.along([(300, 0), (496, 0)], speedMps: 8)
    let left = drive.fixes.count + 2
    drive.along([(500, 4), (500, 230)], speedMps: 8)
    let matches = matcher.match(all: drive.fixes)
    #expect(matches[..<(left - 3)].allSatisfy { ($0.offRouteProbability ?? 1) < 0.1 })
    #expect(matches[left...].allSatisfy { ($0.offRouteProbability ?? 0) > 0.9 })
    // Each piece alone would not do.
    #expect(matches[left...].contains { ($0.place?.probability ?? 1) < 0.6 })
  }

  @Test func `an error behind the start of the route is not another road, MM-9, PR-7`() throws {
    var map = TinyMap()
    let start = map.node(0, 0)
    map.road(start, map.node(600, 0))
    map.road(map.node(0, -200), start)
    map.road(start, map.node(0, 200))
    map.road(map.node(-12, -200), map.node(-12, 200))
    let graph = try map.graph()
    var matcher = OnlineMatcher(network: MatchingNetwork(graph: graph, mode: .car))
    matcher.setRoute(east(graph, 0))
    let reported = [(-12.0, 0.0), (-11, 2), (-9, 4), (-4, 6)].enumerated().map { second, moved in
      matcher.match(
        Fix(
          place: TinyMap.coordinate(moved.0, 2),
          time: Instant(seconds: 1_790_000_000 + Double(second)),
          bearingDeg: moved.1 > 0 ? 90 : nil, speedMps: moved.1, accuracyM: 7.5)
      ).match.offRouteProbability
    }
    #expect(reported.count { ($0 ?? 1) >= 0.6 } < 3)
  }

  @Test(arguments: [1.0, -1.0])
  func `a course that tells its accuracy shows a fork of ten degrees, MM-3, PR-7`(
    side: Double
  ) throws {
    var map = TinyMap()
    let fork = map.node(1000, 0)
    map.road(map.node(0, 0), fork)
    map.road(fork, map.node(3000, 0))
    map.road(fork, map.node(2970, side * 347))
    let graph = try map.graph()
    /// The first fix by which the branch is told, counted from the first 30 m beside the route.
    func reported(bearingAccuracyDeg: Double?) -> Int? {
      var matcher = OnlineMatcher(network: MatchingNetwork(graph: graph, mode: .car))
      matcher.setRoute(east(graph, 0).union(east(graph, 1)))
      var away = 0
      for second in 0..<90 {
        let drivenM = 11 * Double(second)
        let onwardM = Double.maximum(0, drivenM - 700)
        let besideM = side * 0.1736 * onwardM
        let fix = Fix(
          // Its error of 16 m takes it back to the route.
          place: TinyMap.coordinate(300 + drivenM - 0.0152 * onwardM, besideM - side * 16),
          time: Instant(seconds: 1_790_000_000 + Double(second)),
          bearingDeg: onwardM > 0 ? 90 - side * 10 : 90, speedMps: 11, accuracyM: 7.5,
          bearingAccuracyDeg: bearingAccuracyDeg)
        let match = matcher.match(fix).match
        if abs(besideM) >= 30 { away += 1 }
        if onwardM > 0, (match.offRouteProbability ?? 0) >= 0.6 { return away }
      }
      return nil
    }
    #expect(try #require(reported(bearingAccuracyDeg: 3)) <= 1)
    #expect(reported(bearingAccuracyDeg: nil) ?? .max > 3)
  }

  @Test func `without a route nothing is said of it, MM-9`() throws {
    var map = TinyMap()
    map.road(map.node(0, 0), map.node(1000, 0))
    var matcher = OnlineMatcher(network: MatchingNetwork(graph: try map.graph(), mode: .car))
    var drive = Drive()
    drive.along([(100, 0), (200, 0)], speedMps: 10)
    #expect(matcher.match(all: drive.fixes).allSatisfy { $0.offRouteProbability == nil })
  }

  /// The roads told of fixes that tell neither speed nor accuracy, `northM` off a road that is the active route, another one beside it.
  private func roads(
    northM: Double, otherM: Double, isRouted: Bool
  ) throws -> [Int?] {
    var map = TinyMap()
    map.road(map.node(0, 0), map.node(2000, 0))
    map.road(map.node(0, otherM), map.node(2000, otherM))
    let graph = try map.graph()
    var matcher = OnlineMatcher(network: MatchingNetwork(graph: graph, mode: .car))
    if isRouted { matcher.setRoute(east(graph, 0)) }
    var drive = Drive(hasSpeed: false)
    drive.along([(100, northM), (600, northM)], speedMps: 15)
    for index in drive.fixes.indices { drive.fixes[index].accuracyM = nil }
    return matcher.match(all: drive.fixes).map { $0.road }
  }

  @Test func `of two roads as near the one of the active route is taken, MM-9`() throws {
    // Nearer to the other by 6 m: 0.15 nats a fix, 5 in all.
    let alone = try roads(northM: 13, otherM: 20, isRouted: false)
    #expect(alone.allSatisfy { $0 == 1 })
    #expect(try roads(northM: 13, otherM: 20, isRouted: true).allSatisfy { $0 == 0 })
    // Three times what the route adds is enough to leave it, in the end.
    #expect(try roads(northM: 44, otherM: 46, isRouted: true).last == 1)
  }

  @Test func `one who is given a route is taken to begin on it, MM-9`() throws {
    // 2.2 nats for the other road: more than a fix on the route counts.
    #expect(try roads(northM: 42, otherM: 44, isRouted: false).first == 1)
    #expect(try roads(northM: 42, otherM: 44, isRouted: true).first == 0)
  }
}
