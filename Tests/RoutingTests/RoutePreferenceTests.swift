import DrawnMaps
import Geodesy
import RoadGraph
import Route
import Testing

@testable import Routing

/// Wishes about single roads, countries and speeds, RT-6 and RT-7.
@Suite struct RoutePreferenceTests {
  /// Two ways from a to c: the short one by b, the long one by d and e.
  private static func square() throws -> DrawnRouter {
    try RequestTests.square([
      "xabcy": "highway=tertiary", "adefc": "highway=tertiary", "be": "highway=path",
    ])
  }

  private static func around(_ router: DrawnRouter, _ letter: Character) throws -> [Coordinate] {
    let plane = LocalPlane(origin: try router.map.coordinate(letter))
    return [(0.0, 60.0), (60, 0), (0, -60), (-60, 0)].map {
      plane.coordinate(PlanePoint(eastM: $0.0, northM: $0.1))
    }
  }

  @Test
  func
    `a box, a polygon and a corridor are gone around, and reported where nothing else leads, RT-6 RT-7`()
    throws
  {
    let router = try Self.square()
    let corners = try Self.around(router, "b")
    let box = try #require(BoundingBox(around: corners))
    let line = [corners[0], corners[2]]
    for place in [RoutePreference.Place.box(box), .polygon(corners), .corridor(line, widthM: 20)] {
      var request = try router.request("xy")
      #expect(try router.letters(request) == "xabcy")
      request.wishes = [RoutePreference(place)]
      let around = try router.route(request)
      #expect(try router.letters(request) == "xaecy")
      #expect(around.violations.isEmpty)
      request.wishes.append(
        RoutePreference(.box(try #require(BoundingBox(around: Self.around(router, "e"))))))
      let through = try router.route(request)
      #expect(through.violations.map(\.kind) == [.area])
    }
  }

  @Test func `each wish that is broken is reported, whichever comes first, RT-7`() throws {
    let router = try Self.square()
    let edge = try router.map.edge("xa")
    let area = try #require(BoundingBox(around: Self.around(router, "x")))
    let wishes = [
      RoutePreference(.segment(router.map.graph.reference(edge))), RoutePreference(.box(area)),
    ]
    for order in [wishes, wishes.reversed()] {
      var request = try router.request("xy")
      request.wishes = order
      #expect(Set(try router.route(request).violations.map(\.kind)) == [.area, .segment])
    }
  }

  @Test func `a closed segment is a last resort, and its duration stays as it is, RT-6 RT-7`()
    throws
  {
    let router = try Self.square()
    let edge = try router.map.edge("ab")
    let closed = RoutePreference(
      .segment(router.map.graph.reference(edge)), isClosed: true)
    var request = try router.request("xy")
    let usual = try router.route(request)
    request.wishes = [closed]
    #expect(try router.letters(request) == "xaecy")
    // Where no other road leads on, it is driven at its usual speed, and reported.
    let graph = router.map.graph
    let (a, e) = (try router.map.node("a"), try router.map.node("e"))
    let detour = try #require(graph.edges(leaving: a).first { graph.head($0) == e })
    request.wishes.append(RoutePreference(.segment(graph.reference(detour)), isClosed: true))
    let through = try router.route(request)
    #expect(through.violations.map(\.kind) == [.segment])
    #expect(through.durations.latestS <= 2 * usual.durations.latestS)
  }

  @Test func `a segment is avoided in its own direction only, RT-6`() throws {
    let router = try Self.square()
    let edge = try router.map.edge("ab")
    var request = try router.request("xy")
    request.wishes = [RoutePreference(.segment(router.map.graph.reference(edge)))]
    #expect(try router.letters(request) == "xaecy")
    request.waypoints.reverse()
    #expect(try router.letters(request) == "ycbax")
  }

  @Test func `an area slowed by half takes twice the time, and is left for a faster way, RT-6`()
    throws
  {
    let router = try Self.square()
    var request = try router.request("xc")
    let all = try #require(router.map.graph.boundingBox).expanded(byM: 100)
    let usual = try router.route(request)
    request.wishes = [RoutePreference(.box(all), speedFactor: 0.5)]
    let slow = try router.route(request)
    let turnsS = usual.segments.count > 0 ? 20.0 : 0
    #expect(slow.durations.trafficS > 1.5 * usual.durations.trafficS - turnsS)
    #expect(slow.violations.isEmpty)
    let box = try #require(BoundingBox(around: Self.around(router, "b")))
    request.wishes = [RoutePreference(.box(box), speedFactor: 0.1)]
    #expect(try router.letters(request) == "xaec")
  }

  @Test func `a speed cap holds on every road, RT-6`() throws {
    let router = try Self.square()
    var request = try router.request("xy")
    request.speedCapMps = 5
    let route = try router.route(request)
    #expect(route.lengthM / route.durations.trafficS <= 5.001)
  }

  @Test(arguments: [
    RoutePreference(.polygon([])),
    RoutePreference(.box(BoundingBox(southDeg: 2, westDeg: 0, northDeg: 1, eastDeg: 1))),
    RoutePreference(.corridor([Coordinate(latitudeDeg: 1, longitudeDeg: 1)], widthM: 5)),
    RoutePreference(.segment(SegmentReference(way: 1, from: 2, to: 3)), speedFactor: .nan),
    RoutePreference(
      .polygon([Coordinate](repeating: Coordinate(latitudeDeg: 91, longitudeDeg: 0), count: 3))),
  ])
  func `a wish that makes no sense is refused by its number, RT-6`(wish: RoutePreference) throws {
    let router = try Self.square()
    var request = try router.request("xy")
    request.wishes = [RoutePreference(.segment(SegmentReference(way: 1, from: 2, to: 3))), wish]
    #expect {
      try router.route(request)
    } throws: { error in
      guard case RouteFailure.invalidOptions(let sentence) = error else { return false }
      return sentence.hasPrefix("Wish 1 ")
    }
  }
}
