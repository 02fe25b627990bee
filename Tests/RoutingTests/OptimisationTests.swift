import DrawnMaps
import Geodesy
import RoadGraph
import Route
import Testing

@testable import Routing

/// What is aimed at, who drives, and what kinds of road are avoided: each by the way that is chosen.
@Suite struct OptimisationTests {
  /// The short way from x to y leads by b over a piece with `tags`, the long one by d and f over one with `other`.
  private static func town(_ tags: String, other: String = "highway=tertiary") throws -> DrawnRouter
  {
    try RequestTests.square([
      "xa": "highway=tertiary", "ab": tags, "bc": tags, "cy": "highway=tertiary",
      "ad": other, "def": other, "fc": other,
    ])
  }

  private static let short = "xabcy"
  private static let long = "xadefcy"

  /// The way that is chosen, without the letters at which nothing turns.
  private static func way(_ router: DrawnRouter, _ request: RouteRequest) throws -> String {
    try router.letters(request).contains("b") ? short : long
  }

  @Test func `fastest takes the fast road, shortest the short one, balanced half of each, RT-3`()
    throws
  {
    let fast = "highway=trunk maxspeed=100"
    // At 36 km/h the short way takes 80 s, and its metres count for 58; the long one 48 and 86 s, and turns.
    let (long, short) = (Self.long, Self.short)
    for (limit, ways) in [
      (40, [long, short, short]), (10, [long, short, long]), (90, [short, short, short]),
    ] {
      let router = try Self.town("highway=tertiary maxspeed=\(limit)", other: fast)
      for (aim, way) in zip([Optimisation.fastest, .shortest, .balanced], ways) {
        var request = try router.request("xy")
        request.optimisation = aim
        #expect(try Self.way(router, request) == way, "\(limit) km/h, \(aim)")
      }
    }
  }

  @Test func `balanced costs the mean of the other two, and turns cost in each of them, RT-3`()
    throws
  {
    let router = try Self.town("highway=tertiary maxspeed=30")
    let network = RoadNetwork(graph: router.map.graph, mode: .car)
    let metrics = Optimisation.allCases.map {
      RoadMetric(
        network: network, key: MetricKey(RouteRequest(waypoints: [], optimisation: $0)))
    }
    for edge in 0..<router.map.graph.edgeCount {
      let costs = Dictionary(
        uniqueKeysWithValues: zip(Optimisation.allCases, metrics.map { UInt64($0.costMS[edge]) }))
      let (fastest, shortest) = (try #require(costs[.fastest]), try #require(costs[.shortest]))
      #expect(costs[.balanced] == (fastest + shortest) / 2)
      // Metres count as the time that they take at 50 km/h.
      let lengthM = router.map.graph.lengthM(EdgeID(edge))
      #expect(abs(Double(shortest) - lengthM * 72) <= 1)
    }
    let turns = metrics.map {
      $0.turnMS(
        from: (try? router.map.edge("xa").index) ?? 0, onto: (try? router.map.edge("ad").index) ?? 0
      )
    }
    #expect(turns[0] > 1000)
    #expect(Set(turns).count == 1)
  }

  @Test(arguments: [
    (TravelMode.bus, "highway=tertiary motor_vehicle=no bus=yes"),
    (.bus, "highway=tertiary access=no psv=yes"),
    (.taxi, "highway=tertiary access=no psv=yes"),
    (.taxi, "highway=tertiary motor_vehicle=no taxi=yes"),
    (.scooter, "highway=tertiary motorcar=no"),
    (.truck, "highway=tertiary motor_vehicle=no hgv=yes"),
    (.bicycle, "highway=cycleway"),
    (.pedestrian, "highway=footway"),
  ])
  func `what is open to a mode it takes, and cars go around, RT-3`(mode: TravelMode, tags: String)
    throws
  {
    let router = try Self.town(tags)
    #expect(try Self.way(router, try router.request("xy", mode: mode)) == Self.short)
    #expect(try Self.way(router, try router.request("xy")) == Self.long)
  }

  @Test(arguments: [
    (TravelMode.bus, "highway=tertiary bus=no"), (.taxi, "highway=tertiary taxi=no"),
    (.scooter, "highway=motorway"), (.scooter, "highway=tertiary moped=no"),
    (.truck, "highway=tertiary hgv=no"), (.bicycle, "highway=tertiary bicycle=no"),
    (.pedestrian, "highway=tertiary foot=no"),
  ])
  func `what is closed to a mode it goes around, and cars do not, RT-3`(
    mode: TravelMode, tags: String
  ) throws {
    let router = try Self.town(tags)
    #expect(try Self.way(router, try router.request("xy", mode: mode)) == Self.long)
    #expect(try Self.way(router, try router.request("xy")) == Self.short)
  }

  @Test func `a scooter is slow where cars are fast, a bus as slow as a lorry, RT-3`() throws {
    let router = try Self.town("highway=tertiary maxspeed=90", other: "highway=tertiary")
    func timeS(_ mode: TravelMode) throws -> Double {
      try router.route(try router.request("ac", mode: mode)).durations.freeFlowS
    }
    let carS = try timeS(.car)
    #expect(try timeS(.taxi) == carS)
    #expect(try timeS(.scooter) > carS)
    #expect(abs(try timeS(.scooter) - 800 / 45 * 3.6) < 4)
    #expect(try timeS(.bus) == timeS(.truck))
  }

  @Test(arguments: [
    (Avoidance.motorways, "highway=motorway"), (.tunnels, "highway=tertiary tunnel=yes"),
    (.unpaved, "highway=tertiary maxspeed=50 surface=compacted"),
    (.tolls, "highway=tertiary toll=yes"),
  ])
  func `a kind of road is gone around, and reported where the way ends on it, RT-6 RT-7`(
    kind: Avoidance, tags: String
  ) throws {
    let router = try Self.town(tags)
    var request = try router.request("xy")
    #expect(try Self.way(router, request) == Self.short)
    request.avoid = [kind]
    #expect(try Self.way(router, request) == Self.long)
    #expect(try router.route(request).violations.isEmpty)
    request.waypoints[1].place = try router.map.coordinate("a", "b", 0.5)
    let into = try router.route(request)
    #expect(into.violations.map(\.kind.rawValue) == [kind.rawValue])
    #expect(into.violations.first?.spans.isEmpty == false)
  }

  @Test
  func `a turn across the oncoming traffic is avoided, and reported where it must be, RT-6 RT-7`()
    throws
  {
    // From x to z: left at b, or straight on, and three times right around the block.
    let ways: KeyValuePairs = [
      "xaby": "highway=tertiary", "zbe": "highway=tertiary", "yfe": "highway=tertiary",
    ]
    let router = DrawnRouter(
      try DrawnMap(
        """
              z
              |
        x-a---b---y
              |   |
              e---f
        """, ways: ways, cell: 100))
    var request = try router.request("xz")
    #expect(abs(try router.route(request).lengthM - 800) < 5)
    request.avoid = [.difficultTurns]
    #expect(abs(try router.route(request).lengthM - 2000) < 5)
    #expect(try router.route(request).violations.isEmpty)
    let corner = DrawnRouter(
      try DrawnMap(
        """
              z
              |
        x-a---b---y
        """,
        ways: [
          "xab": "highway=tertiary", "yb": "highway=tertiary oneway=yes", "zb": "highway=tertiary",
        ], cell: 100))
    request = try corner.request("xz")
    request.avoid = [.difficultTurns]
    #expect(try corner.route(request).violations.map(\.kind) == [.difficultTurns])
  }

  @Test func `a U-turn is avoided, and reported where it must be, RT-6 RT-7`() throws {
    let router = try Self.town("highway=tertiary")
    var request = try router.request("xbx")
    request.waypoints[1].place = try router.map.coordinate("a", "b", 0.5)
    #expect(try router.route(request).lengthM < 1000)
    request.avoid = [.uTurns]
    let around = try router.route(request)
    #expect(around.lengthM > 1500)
    #expect(around.violations.isEmpty)
    let road = try RequestTests.square(["xabcy": "highway=tertiary"])
    request = try road.request("xbx")
    request.avoid = [.uTurns]
    #expect(try road.route(request).violations.map(\.kind) == [.uTurns])
  }

  @Test func `a road that is calmed is slower, and left for one that is not, RT-8`() throws {
    let other = "highway=tertiary maxspeed=70"
    for (word, way) in [("table", Self.long), ("no", Self.short)] {
      let router = try Self.town(
        "highway=tertiary maxspeed=50 traffic_calming=\(word)", other: other)
      #expect(try Self.way(router, try router.request("xy")) == way, "\(word)")
    }
    let calm = try Self.town(
      "highway=tertiary maxspeed=50 traffic_calming=table", other: "highway=tertiary maxspeed=10")
    let at25 = try calm.route(try calm.request("ac")).durations.freeFlowS
    #expect(abs(at25 - 800 / 25 * 3.6) < 3)
  }

  @Test func `a destination farther than 10 km from any road is none, RT-12`() throws {
    let router = try Self.town("highway=tertiary")
    for (farM, isFound) in [(9_900.0, true), (10_300, false)] {
      var request = try router.request("xy")
      request.waypoints[1].place = try router.map.coordinate("y")
        .moved(bearingDeg: 90, distanceM: farM)
      if isFound {
        #expect(try router.route(request).offRoadDestination != nil)
        continue
      }
      #expect {
        _ = try router.route(request)
      } throws: { error in
        guard case RouteFailure.couldNotMatchDestination(1, _) = error else { return false }
        return (error as? RouteFailure)?.code == "could_not_match_destination"
      }
    }
  }

  @Test func `the box is the smallest around the shape, RT-9`() throws {
    let router = try Self.town("highway=tertiary")
    for pair in ["xy", "xe", "de", "xd"] {
      let route = try router.route(try router.request(pair))
      let (latitudes, longitudes) = (
        route.shape.map(\.latitudeDeg), route.shape.map(\.longitudeDeg)
      )
      #expect(route.boundingBox.southDeg == latitudes.min())
      #expect(route.boundingBox.northDeg == latitudes.max())
      #expect(route.boundingBox.westDeg == longitudes.min())
      #expect(route.boundingBox.eastDeg == longitudes.max())
    }
  }
}
