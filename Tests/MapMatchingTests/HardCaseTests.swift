import DrawnMaps
import Foundations
import Geodesy
import MapMatching
import Positioning
import RoadGraph
import Testing

@Suite struct HardCaseTests {
  @Test func `a detour that the time allows is found, at any length, LOC-4`() throws {
    // The two banks are 200 m apart, and the bridge is 1.2 km away.
    let road = "highway=secondary"
    let map = try DrawnMap(
      """
      d-------c-----------------------e
      a-------b-----------------------f
      """, ways: ["ab": road, "bf": road, "fe": road, "ec": road, "cd": road], cell: 50, line: 200)
    let network = MatchingNetwork(map)
    let fixes = try DrawnTrace(
      """
      d----4-3c-----------------------e
      a----1-2b-----------------------f
      """, on: map, atS: [0, 5, 130, 135]
    ).fixes
    let matches = network.match(trace: fixes).matches
    #expect(map.letters(matches[2].place?.path ?? []) == "abfecd")
    let explained = try #require(network.explain(trace: fixes, wanted: 2..<3).first)
    #expect(explained.candidates.first?.transition.kind == .drive)
    var online = OnlineMatcher(network: network)
    #expect(map.letters(online.match(all: fixes)[2].place?.path ?? []) == "abfecd")
  }

  /// A motorway with a ramp at 1000 m to a frontage road, which is 30 m away.
  private func frontage() throws -> DrawnMap {
    let motorway = "highway=motorway maxspeed=120"
    let street = "highway=secondary"
    return try DrawnMap(
      """
      a1----2---b------------------3c
      d----------e-------4----------f
      """,
      ways: [
        "ab": motorway, "bc": motorway, "be": "highway=motorway_link oneway=yes", "de": street,
        "ef": street,
      ], line: 30)
  }

  /// A matcher on the frontage map, with the motorway as its active route.
  private func matcherOnMotorway(_ map: DrawnMap) throws -> OnlineMatcher {
    var matcher = OnlineMatcher(map)
    matcher.setRoute(Set(try map.edges("abc")))
    return matcher
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `noise of 10 m on the route is not reported as leaving it, MM-9`(seed: UInt64) throws {
    let map = try frontage()
    var trace = DrawnTrace(on: map, accuracyM: 15, hasMotion: true)
    try trace.drive("13", speedMps: 28)
    var matcher = try matcherOnMotorway(map)
    let departures = matcher.match(all: trace.fixes.withErrors(seed: seed, sigmaM: 10)).count {
      !["ab", "bc"].contains(map.way($0)) && ($0.place?.probability ?? 0) >= 0.6
    }
    #expect(departures < 3)
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `leaving the route shows within 3 fixes on a road 30 m away, MM-9`(seed: UInt64) throws {
    let map = try frontage()
    var trace = DrawnTrace(on: map, accuracyM: 4.5, hasMotion: true)
    try trace.drive("2be4", speedMps: 15)
    let fixes = trace.fixes.withErrors(seed: seed, sigmaM: 3)
    var matcher = try matcherOnMotorway(map)
    let matches = matcher.match(all: fixes)
    let away = try #require(fixes.firstIndex { map.grid.plane.point($0.place).northM < -22 })
    #expect(
      matches[(away + 3)...].allSatisfy {
        ["be", "de", "ef"].contains(map.way($0)) && ($0.place?.probability ?? 0) >= 0.6
      })
  }

  @Test func `noise at 10 Hz does not move a vehicle on a motorway back, LOC-4`() throws {
    let map = try frontage()
    var trace = DrawnTrace(on: map, accuracyM: 4.5, hasMotion: true)
    try trace.drive("12", speedMps: 30, everyS: 0.1)
    var matcher = OnlineMatcher(map)
    let matches = matcher.match(all: trace.fixes.withErrors(seed: 3, sigmaM: 3))
    #expect(matches.allSatisfy { map.way($0) == "ab" })
    let offsets = matches.compactMap { $0.place?.offsetM }
    #expect(zip(offsets, offsets.dropFirst()).allSatisfy { $0 <= $1 + 0.001 })
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `a bridge over a street is crossed without a turn onto it, MM-12`(seed: UInt64) throws {
    let map = try DrawnMap(
      """
                c
                |
      a-1-------|-------2-b
                |
                d
      """, ways: ["ab": "", "cd": "highway=residential bridge=yes layer=1"], cell: 50, line: 250)
    // Without bearing and speed, only the topology and the path so far can decide.
    var trace = DrawnTrace(on: map, accuracyM: 7.5)
    try trace.drive("12", speedMps: 8)
    var matcher = OnlineMatcher(map)
    let matches = matcher.match(all: trace.fixes.withErrors(seed: seed, sigmaM: 5))
    #expect(matches.allSatisfy { map.way($0) == "ab" })
  }

  @Test(arguments: [0, 1], 0..<10 as Range<UInt64>)
  func `on two decks one above the other the ramp to them decides, MM-12`(
    deck: Int, seed: UInt64
  ) throws {
    var map = TinyMap()
    // Both decks follow the same line for 1.2 km, and each has its own ramps.
    for layer in 0..<2 {
      let side = layer == 0 ? -60.0 : 60.0
      let nodes = [
        map.node(-300, side), map.node(0, 0), map.node(1200, 0), map.node(1500, side),
      ]
      for (a, b) in zip(nodes, nodes.dropFirst()) {
        map.road(a, b, oneWay: true, speedKmh: 60, layer: Int8(layer))
      }
    }
    var matcher = OnlineMatcher(network: MatchingNetwork(graph: try map.graph(), mode: .car))
    var drive = Drive(seed: seed, sigmaM: 5, hasSpeed: false)
    let side = deck == 0 ? -60.0 : 60.0
    drive.along([(-300, side), (0, 0), (1200, 0), (1500, side)], speedMps: 14)
    let matches = matcher.match(all: drive.fixes)
    let roads = [0, 1, 2].map { deck * 3 + $0 }
    #expect(matches.allSatisfy { $0.road.map { roads.contains($0) } ?? false })
    #expect(matches.allSatisfy { $0.place?.zLevel == deck })
  }

  @Test(arguments: 0..<10 as Range<UInt64>)
  func `through a roundabout the path takes the ring, MM-6`(seed: UInt64) throws {
    // Anticlockwise, as traffic on the right drives.
    let map = try DrawnMap(
      """
               n
               |
               |
               |
               |
               u
             v   t

            w     r--------e

             x   q
               p
               |
               |
               |
               |
               s
      """,
      ways: [
        "pqrtuvwxp": "highway=residential junction=roundabout", "sp": "", "un": "", "re": "",
      ], cell: 12)
    var trace = DrawnTrace(on: map, accuracyM: 3, hasMotion: true)
    try trace.drive("spqrtun", speedMps: 8)
    var matcher = OnlineMatcher(map)
    let matches = matcher.match(all: trace.fixes.withErrors(seed: seed, sigmaM: 2))
    #expect(matches.allSatisfy { $0.place?.isWrongWay == false })
    let ways = matches.map { map.way($0) }
    #expect(ways.last == "un")
    #expect(ways.contains("pqrtuvwxp"))
    #expect(!ways.contains("re"))
  }

  @Test(arguments: 0..<10 as Range<UInt64>)
  func `fixes 15 s apart follow the roads between them, LOC-4`(seed: UInt64) throws {
    // A grid of 8 x 8 blocks of 120 m.
    var map = TinyMap()
    let grid = (0..<81).map { map.node(Double($0 % 9) * 120, Double($0 / 9) * 120) }
    for y in 0..<9 {
      for x in 0..<9 {
        if x < 8 { map.road(grid[y * 9 + x], grid[y * 9 + x + 1]) }
        if y < 8 { map.road(grid[y * 9 + x], grid[y * 9 + x + 9]) }
      }
    }
    let graph = try map.graph()
    var drive = Drive(seed: seed, sigmaM: 5, hasSpeed: false)
    drive.along(
      [(0, 120), (480, 120), (480, 600), (840, 600), (840, 840)], speedMps: 12, intervalS: 15)
    let trace = MatchingNetwork(graph: graph, mode: .car).match(trace: drive.fixes)
    #expect(trace.matches.allSatisfy { $0.place != nil })
    for (a, b) in zip(trace.path, trace.path.dropFirst()) {
      #expect(graph.head(a.edge) == graph.tail(b.edge))
    }
    let drivenM = 12.0 * 15 * Double(drive.fixes.count - 1)
    #expect(abs(trace.lengthM - drivenM) < 60)
    #expect(trace.shape.count > 4)
    #expect(trace.confidence > 0 && trace.confidence <= 1)
  }

  @Test func `a start off the road waits for the road, MM-5`() throws {
    let map = try DrawnMap(
      """
                1
      a---------2-----3---b
      """, ways: ["ab": ""], cell: 50, line: 150)
    var trace = DrawnTrace(on: map, accuracyM: 3, hasMotion: true)
    try trace.drive("12", speedMps: 5)
    try trace.drive("23", speedMps: 10)
    var matcher = OnlineMatcher(map)
    let matches = matcher.match(all: trace.fixes)
    #expect(matches.prefix(20).allSatisfy { $0.reason == .offRoad })
    #expect(matches.suffix(20).allSatisfy { map.way($0) == "ab" })
    #expect(matches.suffix(20).allSatisfy { abs(($0.place?.bearingDeg ?? 0) - 90) < 1 })
  }

  @Test func `small errors on a dual carriageway do not add up to driving on the wrong side`()
    throws
  {
    let oneWay = "highway=secondary oneway=yes"
    let map = try DrawnMap(
      """
      a1---------------------------2b
      d-----------------------------c
      """, ways: ["ab": oneWay, "cd": oneWay], line: 24)
    // With a sigma of 20 m each fix adds 0.5 nats for the other carriageway: 55 nats in all.
    var trace = DrawnTrace(on: map)
    try trace.drive("12", speedMps: 25, leftM: -20)
    var matcher = OnlineMatcher(map)
    // The first fix alone contains no direction.
    #expect(
      matcher.match(all: trace.fixes).dropFirst(3).allSatisfy {
        map.way($0) == "ab" && $0.place?.isWrongWay == false
      })
  }
}
