import DrawnMaps
import Foundations
import Geodesy
import MapMatching
import Positioning
import RoadGraph
import Testing

/// The probability of being off the active route, and the prior of the route.
@Suite struct RoutePriorTests {
  /// The edges of road `number` to the east.
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
    // No piece alone has enough probability.
    #expect(matches[left...].contains { ($0.place?.probability ?? 1) < 0.6 })
  }

  @Test func `an error before the start of the route is not another road, MM-9, PR-7`() throws {
    let map = try DrawnMap(
      """
      ce
      |a-------------------------------------------------b
      df
      """, ways: ["cd": "", "eaf": "", "ab": ""], cell: 12, line: 200)
    var matcher = OnlineMatcher(map)
    matcher.setRoute([try map.edge("ab")])
    let moves = [(-12.0, 0.0), (-11, 2), (-9, 4), (-4, 6)]
    let reported = try moves.enumerated().map { second, move in
      let (eastM, speedMps) = move
      let fix = Fix(
        place: try map.coordinate("a", eastM: eastM, northM: 2),
        time: DrawnTrace.start.advanced(bySeconds: Double(second)),
        bearingDeg: speedMps > 0 ? 90 : nil, speedMps: speedMps, accuracyM: 7.5)
      return matcher.match(fix).match.offRouteProbability
    }
    #expect(reported.count { ($0 ?? 1) >= 0.6 } < 3)
  }

  @Test(arguments: [("d", 1.0), ("e", -1.0)])
  func `a bearing with a known accuracy shows a fork of ten degrees, MM-3, PR-7`(
    end: String, side: Double
  ) throws {
    // The branch to `d` is on the left, and the one to `e` on the right.
    let map = try DrawnMap(
      """
                                    d
      a---------b-------------------c
                                    e
      """, ways: [("ab", ""), ("bc", ""), ("b\(end)", "")], line: 2_000 * 0.17633)
    /// The first fix that reports the branch, counted from the first that is 30 m off the route.
    func reported(bearingAccuracyDeg: Double?) throws -> Int? {
      var matcher = OnlineMatcher(map)
      matcher.setRoute(Set(try map.edges("abc")))
      var away = 0
      for second in 0..<90 {
        let drivenM = 11 * Double(second)
        let onwardM = Double.maximum(0, drivenM - 700)
        let offRouteM = side * 0.1736 * onwardM
        let fix = Fix(
          // Its error of 16 m moves it back to the route.
          place: try map.coordinate(
            "a", eastM: 300 + drivenM - 0.0152 * onwardM, northM: offRouteM - side * 16),
          time: DrawnTrace.start.advanced(bySeconds: Double(second)),
          bearingDeg: onwardM > 0 ? 90 - side * 10 : 90, speedMps: 11, accuracyM: 7.5,
          bearingAccuracyDeg: bearingAccuracyDeg)
        let match = matcher.match(fix).match
        if abs(offRouteM) >= 30 { away += 1 }
        if onwardM > 0, (match.offRouteProbability ?? 0) >= 0.6 { return away }
      }
      return nil
    }
    let (known, unknown) = (
      try reported(bearingAccuracyDeg: 3), try reported(bearingAccuracyDeg: nil)
    )
    #expect(try #require(known) <= 1)
    #expect(unknown ?? .max > 3)
  }

  @Test func `without a route no probability of leaving it is reported, MM-9`() throws {
    let map = try DrawnMap("a1-2------b", ways: ["ab": ""])
    var trace = DrawnTrace(on: map, accuracyM: 3, hasMotion: true)
    try trace.drive("12", speedMps: 10)
    var matcher = OnlineMatcher(map)
    #expect(matcher.match(all: trace.fixes).allSatisfy { $0.offRouteProbability == nil })
  }

  /// The matched ways of fixes `northM` to the north of `ab`, with another road `otherM` to the
  /// north; `ab` may be the active route.
  private func ways(northM: Double, otherM: Double, isRouted: Bool) throws -> [String?] {
    let map = try DrawnMap(
      """
      c-------------------d
      a1----2-------------b
      """, ways: ["ab": "", "cd": ""], line: otherM)
    var matcher = OnlineMatcher(map)
    if isRouted { matcher.setRoute([try map.edge("ab")]) }
    var trace = DrawnTrace(on: map)
    try trace.drive("12", speedMps: 15, leftM: northM)
    return matcher.match(all: trace.fixes).map { map.way($0) }
  }

  @Test func `of two roads at similar distances the one of the active route is taken, MM-9`()
    throws
  {
    // The other road is nearer by 6 m: 0.15 nats per fix, 5 in all.
    let alone = try ways(northM: 13, otherM: 20, isRouted: false)
    #expect(alone.allSatisfy { $0 == "cd" })
    #expect(try ways(northM: 13, otherM: 20, isRouted: true).allSatisfy { $0 == "ab" })
    // Three times the nats of the route are finally enough to leave it.
    #expect(try ways(northM: 44, otherM: 46, isRouted: true).last == "cd")
  }

  @Test func `a vehicle with a route is assumed to start on it, MM-9`() throws {
    // 2.2 nats for the other road, which is more than a fix counts on the route.
    #expect(try ways(northM: 42, otherM: 44, isRouted: false).first == "cd")
    #expect(try ways(northM: 42, otherM: 44, isRouted: true).first == "ab")
  }
}
