import DrawnMaps
import Foundations
import Geodesy
import Positioning
import RoadGraph
import Testing

/// Estimation of places in tunnels and over gaps.
@Suite struct DeadReckoningTests {
  private let start = Instant(seconds: 1_790_000_000)

  /// 400 m of road, a tunnel of 600 m that forks, 500 m more of it in each tube, and roads behind.
  private func map() throws -> DrawnMap {
    try DrawnMap(
      """
      a---b-----c----d---------e
                 \\
                  \\
                   \\
                    f---------g
      """,
      ways: [
        "ab": "highway=primary maxspeed=60", "bc": "highway=primary maxspeed=60 tunnel=yes",
        "cd": "highway=primary maxspeed=60 tunnel=yes name=North Tube",
        "cf": "highway=primary maxspeed=60 tunnel=yes name=South Tube",
        "de": "highway=primary maxspeed=60", "fg": "highway=primary maxspeed=60",
      ])
  }

  private func reckoning(
    _ map: DrawnMap, _ settings: DeadReckoning.Settings = DeadReckoning.Settings(),
    course: String? = nil, trafficMps: Double? = nil
  ) throws -> DeadReckoning {
    var reckoning = DeadReckoning(graph: map.graph, mode: .car, settings: settings)
    if let course {
      let edges = try map.edges(course)
      reckoning.follow(
        RouteCourse(edges: edges, trafficMps: edges.map { _ in trafficMps }))
    }
    return reckoning
  }

  private func see(
    _ reckoning: inout DeadReckoning, _ map: DrawnMap, _ letters: String, _ fraction: Double,
    speedMps: Double?
  ) throws {
    reckoning.saw(
      try map.position(letters, fraction), at: start, speedMps: speedMps, uncertaintyM: 5,
      probability: 0.9)
  }

  private func estimates(
    _ reckoning: inout DeadReckoning, seconds: ClosedRange<Int>
  ) -> [DeadReckoning.Estimate?] {
    seconds.map { reckoning.estimate(at: start.advanced(bySeconds: Double($0))) }
  }

  @Test(arguments: ["abcde", "abcfg"])
  func `in a fork below ground the route decides, TU-4`(course: String) throws {
    let map = try map()
    var reckoning = try reckoning(map, course: course)
    try see(&reckoning, map, "bc", 0.1, speedMps: 16)
    let said = estimates(&reckoning, seconds: 1...75).compactMap { $0 }
    let edges = said.reduce(into: [EdgeID]()) {
      if $0.last != $1.position.edge { $0.append($1.position.edge) }
    }
    #expect(map.letters(edges) == String(course.dropFirst()))
    #expect(said.first?.isInTunnel == true && said.last?.isInTunnel == false)
  }

  @Test func `without a route the straightest road is taken, and believed less, TU-1`() throws {
    let map = try map()
    var reckoning = try reckoning(map)
    try see(&reckoning, map, "bc", 0.5, speedMps: 16)
    let said = estimates(&reckoning, seconds: 1...45).compactMap { $0 }
    let last = try #require(said.last)
    #expect(map.letters([last.position.edge]) == "cd")
    #expect(said[0].probability == 0.9 && last.probability < 0.9)
  }

  @Test func `the last speed becomes the usual one within 10 s, TU-1`() throws {
    let map = try map()
    var reckoning = try reckoning(map, course: "abcde")
    try see(&reckoning, map, "bc", 0, speedMps: 6)
    let usual = map.graph.attributes(try map.edge("bc")).freeFlowMps(.car)
    let speeds = estimates(&reckoning, seconds: 0...20).map { $0?.speedMps ?? .nan }
    #expect(speeds[0] == 6 && abs(speeds[5] - (6 + usual) / 2) < 0.01)
    #expect(speeds[10...].allSatisfy { abs($0 - usual) < 0.01 })
  }

  @Test func `live traffic is never overtaken, TU-1`() throws {
    let map = try map()
    var reckoning = try reckoning(map, course: "abcde", trafficMps: 4)
    try see(&reckoning, map, "bc", 0, speedMps: 16)
    let said = estimates(&reckoning, seconds: 0...30).compactMap { $0 }
    #expect(said.count == 31 && said.allSatisfy { $0.speedMps <= 4 })
    let last = try #require(said.last)
    #expect(abs(last.drivenM - 120) < 1)
  }

  @Test func `the uncertainty grows, TU-2`() throws {
    let map = try map()
    var reckoning = try reckoning(map, course: "abcde")
    try see(&reckoning, map, "bc", 0, speedMps: 16)
    let said = estimates(&reckoning, seconds: 0...40).compactMap { $0?.uncertaintyM }
    #expect(said.count == 41 && zip(said, said.dropFirst()).allSatisfy { $0 < $1 })
  }

  @Test func `a tunnel is estimated to its end and 10 s on, other gaps for 5 s, TU-3`() throws {
    let map = try map()
    var reckoning = try reckoning(map, course: "abcde")
    try see(&reckoning, map, "cd", 0.9, speedMps: 10)
    // 50 m of tunnel are left: he is out after some 4 s.
    let inside = estimates(&reckoning, seconds: 0...30)
    let left = try #require(inside.firstIndex { $0?.isInTunnel == false })
    #expect((4...6).contains(left))
    #expect((left + 8...left + 10).contains(inside.count { $0 != nil } - 1))
    try see(&reckoning, map, "de", 0.1, speedMps: 10)
    #expect(estimates(&reckoning, seconds: 0...20).map { $0 != nil } == (0...20).map { $0 <= 5 })
  }

  @Test func `each kind of estimate can be switched off, TU-3`() throws {
    let map = try map()
    var settings = DeadReckoning.Settings()
    settings.inTunnels = false
    var gapsOnly = try reckoning(map, settings, course: "abcde")
    try see(&gapsOnly, map, "bc", 0.1, speedMps: 10)
    #expect(estimates(&gapsOnly, seconds: 0...20).count { $0 != nil } == 6)
    settings.inTunnels = true
    settings.inGaps = false
    var tunnelsOnly = try reckoning(map, settings, course: "abcde")
    try see(&tunnelsOnly, map, "de", 0.1, speedMps: 10)
    #expect(estimates(&tunnelsOnly, seconds: 1...20).allSatisfy { $0 == nil })
    // 20 m before the tunnel: nothing is said until it begins.
    try see(&tunnelsOnly, map, "ab", 0.95, speedMps: 10)
    let said = estimates(&tunnelsOnly, seconds: 1...20)
    #expect(said[0] == nil && said[1...].allSatisfy { $0 != nil })
    settings.inTunnels = false
    var nothing = try reckoning(map, settings, course: "abcde")
    try see(&nothing, map, "bc", 0.1, speedMps: 10)
    #expect(estimates(&nothing, seconds: 0...20).allSatisfy { $0 == nil })
  }

  @Test func `who stands goes nowhere outside of tunnels, TU-1`() throws {
    let map = try map()
    var reckoning = try reckoning(map, course: "abcde")
    try see(&reckoning, map, "de", 0.2, speedMps: 0)
    let said = estimates(&reckoning, seconds: 0...5).compactMap { $0 }
    #expect(said.count == 6 && said.allSatisfy { $0.drivenM == 0 })
  }

  @Test func `the estimate for a moment does not depend on what was asked before, TU-1`() throws {
    let map = try map()
    var often = try reckoning(map, course: "abcfg")
    try see(&often, map, "bc", 0.2, speedMps: 12)
    for tick in 0..<900 {
      _ = often.interpolated(at: start.advanced(bySeconds: Double(tick) / 30))
    }
    var once = try reckoning(map, course: "abcfg")
    try see(&once, map, "bc", 0.2, speedMps: 12)
    let moment = start.advanced(bySeconds: 30)
    let estimate = once.estimate(at: moment)
    let again = often.estimate(at: moment)
    #expect(estimate != nil && again == estimate)
  }

  @Test func `a road that ends is driven to its end, TU-1`() throws {
    let map = try map()
    var settings = DeadReckoning.Settings()
    settings.gapS = 120
    var reckoning = try reckoning(map, settings)
    try see(&reckoning, map, "de", 0.9, speedMps: 16)
    let estimate = reckoning.estimate(at: start.advanced(bySeconds: 60))
    let last = try #require(estimate)
    let end = try map.edge("de")
    #expect(last.position.edge == end && last.speedMps == 0)
    #expect(abs(last.position.offsetM - map.graph.lengthM(last.position.edge)) < 0.1)
  }
}
