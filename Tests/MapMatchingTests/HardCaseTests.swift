import EventTime
import Geodesy
import MapMatching
import Positioning
import RoadGraph
import Testing

@Suite struct HardCaseTests {
  @Test func `a way round that the time allows is found, however long, LOC-4`() throws {
    // Two places 200 m apart on the two banks; the bridge is 1.2 km away.
    var map = TinyMap()
    let (south, north) = (map.node(0, 0), map.node(0, 200))
    let (southBridge, northBridge) = (map.node(1200, 0), map.node(1200, 200))
    map.line([south, southBridge, northBridge, north])
    map.road(map.node(-400, 0), south)
    map.road(map.node(-400, 200), north)
    let network = MatchingNetwork(graph: try map.graph(), mode: .car)
    let start = Instant(seconds: 1_790_000_000)
    let fixes = [(-60.0, 0.0, 0.0), (-10, 0, 5), (-10, 200, 125), (-60, 200, 130)].map {
      Fix(place: TinyMap.coordinate($0.0, $0.1), time: start.advanced(bySeconds: $0.2))
    }
    let matches = network.match(trace: fixes).matches
    #expect(matches[2].place?.path.count == 5)
    let explained = try #require(network.explain(trace: fixes, wanted: 2..<3).first)
    #expect(explained.candidates.first?.transition.kind == .drive)
    var online = OnlineMatcher(network: network)
    #expect(online.match(all: fixes)[2].place?.path.count == 5)
  }

  private func matcher(_ graph: RoadGraph) -> OnlineMatcher {
    OnlineMatcher(network: MatchingNetwork(graph: graph, mode: .car))
  }

  /// A motorway with a ramp at 1000 m onto a frontage road 30 m beside it.
  private func frontage() throws -> RoadGraph {
    var map = TinyMap()
    let motorway = [map.node(0, 0), map.node(1000, 0), map.node(3000, 0)]
    map.road(motorway[0], motorway[1], oneWay: true, speedKmh: 110, class: .motorway)
    map.road(motorway[1], motorway[2], oneWay: true, speedKmh: 110, class: .motorway)
    let side = [map.node(0, -30), map.node(1100, -30), map.node(3000, -30)]
    map.road(side[0], side[1], speedKmh: 50)
    map.road(side[1], side[2], speedKmh: 50)
    map.road(motorway[1], side[1], oneWay: true, speedKmh: 60, class: .motorway)
    return try map.graph()
  }

  private func routeEdges(_ graph: RoadGraph, roads: [Int]) -> Set<EdgeID> {
    Set(
      (0..<graph.edgeCount).map { EdgeID($0) }.filter { edge in
        roads.contains { graph.reference(edge).way == Int64(100 + $0) }
          && graph.bearingDeg(RoadPosition(edge: edge, offsetM: 0)) < 180
      })
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `noise of 10 m on the route raises no false departure, MM-9`(seed: UInt64) throws {
    let graph = try frontage()
    var matcher = matcher(graph)
    matcher.setRoute(routeEdges(graph, roads: [0, 1]))
    var drive = Drive(seed: seed, sigmaM: 10)
    drive.along([(100, 0), (2900, 0)], speedMps: 28)
    let departures = matcher.match(all: drive.fixes).count {
      ($0.road ?? 0) > 1 && ($0.place?.probability ?? 0) >= 0.6
    }
    #expect(departures < 3)
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `leaving the route shows within 3 fixes on a road 30 m away, MM-9`(seed: UInt64) throws {
    let graph = try frontage()
    var matcher = matcher(graph)
    matcher.setRoute(routeEdges(graph, roads: [0, 1]))
    var drive = Drive(seed: seed, sigmaM: 3)
    drive.along([(600, 0), (1000, 0)], speedMps: 20)
    drive.along([(1019, -6), (1100, -30), (1900, -30)], speedMps: 15)
    let matches = matcher.match(all: drive.fixes)
    let away = try #require(
      drive.fixes.firstIndex { TinyMap.plane.point($0.place).northM < -22 })
    #expect(matches[(away + 3)...].allSatisfy { ($0.road ?? 0) >= 3 })
    #expect(matches[(away + 3)...].allSatisfy { ($0.place?.probability ?? 0) >= 0.6 })
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `a bridge over a street is crossed without a turn onto it, MM-12`(seed: UInt64) throws {
    var map = TinyMap()
    map.line([map.node(0, 0), map.node(1000, 0)])
    map.road(map.node(500, -500), map.node(500, 500), layer: 1)
    var matcher = matcher(try map.graph())
    // No course and no speed: only topology and the path so far can decide.
    var drive = Drive(seed: seed, sigmaM: 5, hasSpeed: false)
    drive.along([(100, 0), (900, 0)], speedMps: 8)
    #expect(matcher.match(all: drive.fixes).allSatisfy { $0.road == 0 })
  }

  @Test(arguments: [0, 1], 0..<10 as Range<UInt64>)
  func `on two decks one above the other the way onto them decides, MM-12`(
    deck: Int, seed: UInt64
  ) throws {
    var map = TinyMap()
    // Both decks run along one line for 1.2 km; each has ramps of its own.
    for layer in 0..<2 {
      let side = layer == 0 ? -60.0 : 60.0
      let nodes = [
        map.node(-300, side), map.node(0, 0), map.node(1200, 0), map.node(1500, side),
      ]
      for (a, b) in zip(nodes, nodes.dropFirst()) {
        map.road(a, b, oneWay: true, speedKmh: 60, layer: Int8(layer))
      }
    }
    var matcher = matcher(try map.graph())
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
    var map = TinyMap()
    let ring = (0..<8).map { step in
      let angle = Double(step) * 45
      let p = TinyMap.plane.point(
        TinyMap.plane.origin.moved(bearingDeg: angle, distanceM: 25))
      return map.node(p.eastM, p.northM)
    }
    // Anticlockwise, as traffic on the right drives.
    for step in 0..<8 { map.road(ring[(8 - step) % 8], ring[7 - step], oneWay: true) }
    let south = map.node(0, -300)
    let north = map.node(0, 300)
    let east = map.node(300, 0)
    map.road(south, ring[4])
    map.road(ring[0], north)
    map.road(ring[2], east)
    var matcher = matcher(try map.graph())
    var drive = Drive(seed: seed, sigmaM: 2)
    drive.along(
      [(0, -300), (0, -25), (17.7, -17.7), (25, 0), (17.7, 17.7), (0, 25), (0, 300)], speedMps: 8)
    let matches = matcher.match(all: drive.fixes)
    #expect(matches.allSatisfy { $0.place?.isWrongWay == false })
    #expect(matches.last?.road == 9)
    #expect(matches.contains { ($0.road ?? 99) < 8 })
    #expect(!matches.contains { $0.road == 10 })
  }

  @Test(arguments: 0..<10 as Range<UInt64>)
  func `fixes 15 s apart follow the roads between them, LOC-4`(seed: UInt64) throws {
    // A grid of 9 x 9 blocks of 120 m.
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
    var map = TinyMap()
    map.line([map.node(0, 0), map.node(1000, 0)])
    var matcher = matcher(try map.graph())
    var drive = Drive()
    drive.along([(500, 150), (500, 0)], speedMps: 5)
    drive.along([(505, 0), (800, 0)], speedMps: 10)
    let matches = matcher.match(all: drive.fixes)
    #expect(matches.prefix(20).allSatisfy { $0.reason == .offRoad })
    #expect(matches.suffix(20).allSatisfy { $0.road == 0 })
    #expect(matches.suffix(20).allSatisfy { abs(($0.place?.bearingDeg ?? 0) - 90) < 1 })
  }

  @Test func `a slip onto a motorway at 10 Hz keeps its direction, LOC-4`() throws {
    let graph = try frontage()
    var matcher = matcher(graph)
    var drive = Drive(seed: 3, sigmaM: 3)
    drive.along([(100, 0), (700, 0)], speedMps: 30, intervalS: 0.1)
    let matches = matcher.match(all: drive.fixes)
    #expect(matches.allSatisfy { $0.road == 0 })
    let offsets = matches.compactMap { $0.place?.offsetM }
    #expect(zip(offsets, offsets.dropFirst()).allSatisfy { $0 <= $1 + 0.001 })
  }

  @Test func `beside a dual carriageway small errors do not add up to driving on the wrong side`()
    throws
  {
    var map = TinyMap()
    map.line([map.node(0, 0), map.node(3000, 0)], oneWay: true)
    map.line([map.node(3000, -24), map.node(0, -24)], oneWay: true)
    var drive = Drive(hasSpeed: false)
    drive.along([(100, -20), (2900, -20)], speedMps: 25)
    // Of 20 m of sigma each fix says 0.5 nats for the other carriageway: 55 nats in all.
    for index in drive.fixes.indices { drive.fixes[index].accuracyM = nil }
    var matcher = matcher(try map.graph())
    let matches = matcher.match(all: drive.fixes)
    // The first alone tells no direction.
    #expect(
      matches.dropFirst(3).allSatisfy { $0.road == 0 && $0.place?.isWrongWay == false })
  }
}
