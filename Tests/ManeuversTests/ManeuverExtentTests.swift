import DrawnMaps
import Maneuvers
import RoadGraph
import Route
import Testing

/// Which pieces of road a maneuver spans, and which lanes serve whom.
@Suite struct ManeuverExtentTests {
  private static let ring = "    d\n\n    p\na q   s c\n    r\n\n    f"

  @Test(arguments: [("aqrf", 2), ("aqrsc", 3), ("aqrspd", 4)])
  func `a roundabout spans all pieces of the ring up to the exit, RT-11`(
    way: String, exitAt: Int
  ) throws {
    let map = try DrawnMap(
      Self.ring,
      ways: [
        "qrspq": "junction=roundabout highway=secondary oneway=yes",
        "aq": "highway=secondary name=West Road", "dp": "highway=secondary name=North Road",
        "sc": "highway=secondary name=East Road", "rf": "highway=secondary name=South Road",
      ], cell: 25)
    let found = try #require(try said(map, way).first)
    #expect(found.segment == 1)
    #expect(found.lastSegment == exitAt)
    let edges = try map.path(way).edges
    let elements = edges[found.segment..<found.lastSegment]
    #expect(elements.allSatisfy { map.graph.attributes($0).flags.contains(.roundabout) })
  }

  @Test func `a turn spans its place alone, a turn over a slip road the slip road, too, RT-11`()
    throws
  {
    let crossing = try DrawnMap(
      "  d\na-b-c",
      ways: ["abc": "highway=tertiary name=High Street", "bd": "highway=tertiary name=Mill Lane"])
    let turn = try #require(try said(crossing, "abd").first)
    #expect((turn.segment, turn.lastSegment) == (1, 1))
    let slip = try DrawnMap(
      "a---b---c---d\n\n        e\n\n        f",
      ways: [
        "abcd": "highway=primary name=High Street", "be": "highway=primary_link oneway=yes",
        "cef": "highway=secondary name=Mill Lane",
      ], cell: 15)
    let round = try #require(try said(slip, "abef").first)
    #expect((round.segment, round.lastSegment) == (1, 2))
  }

  static let lanes: [(TravelMode, [Lane.Recommendation])] = [
    (.car, [.notRecommended, .recommended, .notRecommended]),
    (.bus, [.notRecommended, .recommended, .recommended]),
    (.bicycle, [.notRecommended, .recommended, .notRecommended]),
  ]

  @Test(arguments: lanes)
  func `a lane for some vehicles only serves them alone, RT-11, EV-6`(
    mode: TravelMode, wanted: [Lane.Recommendation]
  ) throws {
    let map = try DrawnMap(
      "a---b---c\n\n    d",
      ways: [
        "ab":
          "highway=secondary oneway=yes name=A lanes=3 turn:lanes=through|right|right bus:lanes=||designated vehicle:lanes=yes|yes|no",
        "bc": "highway=secondary name=A", "bd": "highway=secondary name=B",
      ])
    let turn = try #require(try said(map, "abd", mode: mode).first)
    #expect(turn.lanes.map(\.recommendation) == wanted)
    #expect(turn.lanes.map(\.access) == [[], [], ["bus"]])
  }
}
