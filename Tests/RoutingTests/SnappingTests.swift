import DrawnMaps
import Geodesy
import RoadGraph
import Route
import Testing

@testable import Routing

/// On which road a place lies: one that the mode can leave, and not a motorway or tunnel beside its street.
@Suite struct SnappingTests {
  private func road(_ router: DrawnRouter, _ place: Coordinate, _ mode: TravelMode = .car) throws
    -> String
  {
    var request = try router.request("xh", mode: mode)
    request.waypoints[1] = Waypoint(place: place)
    return try router.route(request).waypoints[1].roadName
  }

  private static func stacked(_ tags: String) throws -> DrawnRouter {
    DrawnRouter(
      try DrawnMap(
        """
        x---------h
        |         |
        a---------b
        m---------n
        """,
        ways: [
          "xa": "highway=residential name=West", "xh": "highway=residential name=North",
          "hb": "highway=residential name=East", "ab": "highway=residential name=Hill Street",
          "mn": "\(tags) name=Below", "am": "highway=service name=Ramp",
          "bn": "highway=service name=Ramp",
        ], cell: 30))
  }

  @Test(arguments: [
    ("highway=motorway", "Hill Street"), ("highway=primary tunnel=yes", "Hill Street"),
    ("highway=trunk motorroad=yes", "Hill Street"),
    ("highway=unclassified 4wd_only=yes", "Hill Street"),
    ("highway=primary hov=designated", "Hill Street"), ("highway=primary", "Below"),
    ("highway=service tunnel=building_passage", "Below"),
  ])
  func `a house lies on its street, not on a motorway or in a tunnel beside it, RT-12`(
    tags: String, expected: String
  ) throws {
    let router = try Self.stacked(tags)
    // 12 m from the lower road, 18 m from the upper one.
    let house = try router.map.coordinate("m", "n", 0.4).interpolated(
      to: router.map.coordinate("a", "b", 0.4), fraction: 0.4)
    #expect(try road(router, house) == expected)
    // A place right on the road means it.
    #expect(try road(router, router.map.coordinate("m", "n", 0.4)) == "Below")
  }

  @Test func `a direction of travel means the motorway, RT-4`() throws {
    let router = try Self.stacked("highway=motorway")
    var request = try router.request("xh")
    request.waypoints[0] = Waypoint(
      place: try router.map.coordinate("m", "n", 0.4).interpolated(
        to: router.map.coordinate("a", "b", 0.4), fraction: 0.4), bearingDeg: 90)
    #expect(try router.route(request).waypoints[0].roadName == "Below")
  }

  @Test(arguments: [
    (TravelMode.truck, "hgv=no"), (.pedestrian, "foot=no"), (.bicycle, "bicycle=no"),
    (.car, "motor_vehicle=no"),
  ])
  func `a street that the mode cannot leave leads to the next one that it can, RT-12`(
    mode: TravelMode, bar: String
  ) throws {
    // The yard y-z is joined to the town by a road that bars the mode.
    let router = DrawnRouter(
      try DrawnMap(
        """
        x-----a-----h
              |
              |
              z-----y
        """,
        ways: [
          "xah": "highway=residential name=Main", "az": "highway=service \(bar) name=Gate",
          "zy": "highway=service name=Yard",
        ], cell: 20))
    let inYard = try router.map.coordinate("z", "y", 0.5)
    #expect(try road(router, inYard, mode) == "Main")
    var out = try router.request("xh", mode: mode)
    out.waypoints[0] = Waypoint(place: inYard)
    let route = try router.route(out)
    #expect(route.waypoints[0].roadName == "Main")
    #expect(route.waypoints[0].distanceM > 50)
    // Within the yard nothing is farther.
    var within = out
    within.waypoints[1] = Waypoint(place: try router.map.coordinate("y"))
    #expect(try router.route(within).waypoints.map(\.roadName) == ["Yard", "Yard"])
  }

  @Test func `a one-way street that ends is left for one that leads on, RT-12`() throws {
    let router = DrawnRouter(
      try DrawnMap(
        """
        x-----a-----h
        |     |
        c-----b
              |
              z
        """,
        ways: [
          "xa": "highway=residential name=Main", "ah": "highway=residential name=Main",
          "ab": "highway=residential name=Side", "xcb": "highway=residential name=Back",
          "bz": "highway=residential oneway=yes name=In Only",
        ], cell: 20))
    var out = try router.request("xh")
    out.waypoints[0] = Waypoint(place: try router.map.coordinate("b", "z", 0.9))
    #expect(try router.route(out).waypoints[0].roadName != "In Only")
  }

  @Test func `a stop at the curb is reached on its side of the road, RT-12`() throws {
    let router = try Self.stacked("highway=primary")
    // 15 m north of Hill Street, which is reached from the west and from the east.
    let shop = try router.map.coordinate("a", "b", 0.4).interpolated(
      to: router.map.coordinate("x", "h", 0.4), fraction: 0.25)
    func side(isAtCurb: Bool, _ mode: TravelMode = .car) throws -> Side? {
      var request = try router.request("xh", mode: mode)
      request.waypoints[1] = Waypoint(place: shop, isAtCurb: isAtCurb)
      let route = try router.route(request)
      #expect(route.waypoints[1].roadName == "Hill Street")
      return route.waypoints[1].side
    }
    #expect(try side(isAtCurb: false) == .left)
    #expect(try side(isAtCurb: true) == .right)
    #expect(try side(isAtCurb: true, .pedestrian) == .left)
  }

  @Test func `a yard behind private roads is reached from the street beside it, RT-12`() throws {
    func end(cell: Double) throws -> (roadName: String, violations: Int) {
      let router = DrawnRouter(
        try DrawnMap(
          """
          x-----h-----s
          |     y--z
          |        |
          a--------b
          """,
          ways: [
            "xhs": "highway=residential name=Main", "xa": "highway=residential name=West",
            "yz": "highway=unclassified name=Yard",
            "zba": "highway=track access=private name=Field",
          ], cell: cell))
      var request = try router.request("xh")
      request.waypoints[1] = Waypoint(place: try router.map.coordinate("y", "z", 0.5))
      let route = try router.route(request)
      return (route.waypoints[1].roadName, route.violations.count)
    }
    #expect(try end(cell: 10) == ("Main", 0))
    // Where the yard lies far from other roads, private ones lead there.
    #expect(try end(cell: 300).roadName == "Yard")
    #expect(try end(cell: 300).violations > 0)
  }
}
