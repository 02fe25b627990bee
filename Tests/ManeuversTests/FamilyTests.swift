import DrawnMaps
import Geodesy
import Maneuvers
import OSRM
import RoadGraph
import Route
import Testing

@Suite struct FamilyTests {
  // MARK: Roundabouts

  /// A ring `efgh` driven against the clock, with a two-way arm at each corner.
  static func ring(_ cell: Double, leftHand: Bool = false, service: Bool = false) throws -> DrawnMap
  {
    let side = leftHand ? " driving_side=left" : ""
    let ring = leftHand ? "efghe" : "ehgfe"
    let north = service ? "highway=service" : "highway=tertiary name=North"
    return try DrawnMap(
      """
           b
           f
        a e   g c
           h
           d
      """,
      ways: [
        ring: "highway=tertiary junction=roundabout oneway=yes\(side)",
        "ae": "highway=tertiary name=West\(side)", "fb": "\(north)\(side)",
        "gc": "highway=tertiary name=East\(side)", "hd": "highway=tertiary name=South\(side)",
      ], cell: cell)
  }

  static let rightHand = [("ehd", 1), ("ehgc", 2), ("ehgfb", 3), ("ehgfea", 4)]

  @Test(arguments: rightHand)
  func `exits of a roundabout are counted as drivers count them, RT-11`(
    path: String, exit: Int
  ) throws {
    let found = try said(Self.ring(20), "a" + path)
    #expect(found.map(\.action) == [.roundabout(exit: exit)])
    #expect((found.first?.roundaboutAngleDeg ?? 0) > 0)
    #expect(found.first?.turnAngleDeg == nil)
  }

  static let leftHand = [("efb", 1), ("efgc", 2), ("efghd", 3)]

  @Test(arguments: leftHand)
  func `on the left roundabouts go with the clock, RT-11`(path: String, exit: Int) throws {
    let found = try said(Self.ring(20, leftHand: true), "a" + path)
    #expect(found.map(\.action) == [.roundabout(exit: exit)])
    #expect((found.first?.roundaboutAngleDeg ?? 0) < 0)
  }

  @Test func `a service road is no exit of a roundabout unless one takes it, RT-11`() throws {
    let map = try DrawnMap(
      """
           b
           f
        a e   g c
           h
           d
      """,
      ways: [
        "ehgfe": "highway=tertiary junction=roundabout oneway=yes",
        "ae": "highway=tertiary name=West", "hd": "highway=service",
        "gc": "highway=tertiary name=East", "fb": "highway=tertiary name=North",
      ], cell: 20)
    #expect(try said(map, "aehgc").map(\.action) == [.roundabout(exit: 1)])
    #expect(try said(map, "aehd").map(\.action) == [.roundabout(exit: 1)])
  }

  @Test func `a ring as small as a crossing is a turn, RT-11`() throws {
    #expect(try said(Self.ring(2), "aehd").map(\.action) == [.turn(.right)])
  }

  @Test func `the words of a roundabout name exit and road, RT-11`() throws {
    let found = try said(Self.ring(20), "aehgc")
    #expect(found.first?.text == "At the roundabout take the second exit onto East.")
    #expect(found.first?.onto.name == "East")
    #expect(found.first?.osrmType == "roundabout")
    #expect(found.first?.actionWord == "rightRoundaboutExit2")
  }

  // MARK: Motorways

  static let motorway = """
    a-----b--------c
              d
                  e-f
    """

  static func exitMap() throws -> DrawnMap {
    try DrawnMap(
      motorway,
      ways: [
        "ab": "highway=motorway ref=A 1 oneway=yes",
        "bc": "highway=motorway ref=A 1 oneway=yes",
        "bde": "highway=motorway_link oneway=yes destination=Harbour;Old Town destination:ref=B 12",
        "ef": "highway=secondary name=Harbour Road",
      ], nodes: ["b": "highway=motorway_junction ref=7b name=Harbour"], cell: 60)
  }

  @Test func `a motorway exit has side, number and destinations, RT-11`() throws {
    let found = try said(try Self.exitMap(), "abef")
    #expect(found.map(\.action) == [.exit(.right)])
    #expect(found.first?.signpost?.exitNumber == "7b")
    #expect(found.first?.signpost?.destinations == ["Harbour", "Old Town"])
    #expect(found.first?.signpost?.roadNumbers == ["B 12"])
    #expect(found.first?.text.contains("Take exit 7b on the right") == true)
    #expect(found.first?.osrmType == "off ramp")
  }

  @Test func `passing an exit needs no word, RT-11`() throws {
    #expect(try said(try Self.exitMap(), "abc").isEmpty)
  }

  @Test func `joining a motorway is a ramp and a merge, RT-11`() throws {
    let map = try DrawnMap(
      """
      x---------b------c

            d
      a-e-f
      """,
      ways: [
        "xb": "highway=motorway ref=A 1 oneway=yes", "bc": "highway=motorway ref=A 1 oneway=yes",
        "aef": "highway=secondary name=Town Road", "edb": "highway=motorway_link oneway=yes",
      ], cell: 60)
    let found = try said(map, "aebc")
    #expect(found.map(\.action) == [.ramp(.left), .merge(.left)])
    #expect(found.last?.onto.number == "A 1")
  }

  @Test(arguments: [("abc", Side.left), ("abd", .right)])
  func `a motorway that parts is a fork, RT-11`(path: String, side: Side) throws {
    let map = try DrawnMap(
      """
               c
      a----b
               d
      """,
      ways: [
        "ab": "highway=motorway ref=A 1 oneway=yes", "bc": "highway=motorway ref=A 1 oneway=yes",
        "bd": "highway=motorway ref=A 2 oneway=yes",
      ], cell: 80)
    #expect(try said(map, path).map(\.action) == [.fork(side)])
  }

  @Test(arguments: [("abc", Side.left), ("abd", .ahead), ("abe", .right)])
  func `a fork of three has a middle, RT-11`(path: String, side: Side) throws {
    let map = try DrawnMap(
      """
               c
      a----b   d
               e
      """,
      ways: [
        "ab": "highway=motorway_link oneway=yes", "bc": "highway=motorway_link oneway=yes",
        "bd": "highway=motorway_link oneway=yes", "be": "highway=motorway_link oneway=yes",
      ], cell: 80)
    #expect(try said(map, path).map(\.action) == [.fork(side)])
  }

  @Test func `a slip road and the road behind it are one turn, RT-11`() throws {
    let map = try DrawnMap(
      """
      a--b--c--d
          s |
            e
            f
      """,
      ways: [
        "abcd": "highway=primary name=A", "cef": "highway=primary name=B",
        "bse": "highway=primary_link oneway=yes",
      ], cell: 20)
    let found = try said(map, "abef")
    #expect(found.map(\.action) == [.turn(.right)])
    #expect(found.first?.onto.name == "B")
  }

  @Test(arguments: [
    (3.0, [ManeuverAction.turn(.straight)]), (8, [.turn(.slightLeft), .turn(.slightRight)]),
  ])
  func `two slight bends at one place lead straight across, RT-11`(
    cell: Double, actions: [ManeuverAction]
  ) throws {
    let map = try DrawnMap(
      """
                  e
               c       d

      a     b
               f
      """,
      ways: [
        "ab": "highway=residential name=A", "bc": "highway=residential name=B",
        "cd": "highway=residential name=D", "bf": "highway=residential name=F",
        "ce": "highway=residential name=E",
      ], cell: cell)
    let found = try said(map, "abcd").map(\.action)
    #expect(found == actions)
  }

  // MARK: Names, ferries

  @Test func `a name that changes for long is reported, a short one not, RT-11`() throws {
    let map = try DrawnMap(
      """
            d     e
            |     |
      a-----b-----c---------f
      """,
      ways: [
        "ab": "highway=secondary name=A", "bc": "highway=secondary name=B",
        "cf": "highway=secondary name=C", "bd": "highway=tertiary name=D",
        "ce": "highway=tertiary name=E",
      ], cell: 60)
    let found = try said(map, "abcf")
    #expect(found.map(\.action) == [.continueOn])
    #expect(found.first?.onto.name == "C")
    #expect(found.first?.osrmType == "new name")
    #expect(found.first?.isPlain == true)
  }

  @Test func `a change of name is not plain where another road leads on beside it, RT-11`() throws {
    let map = try DrawnMap(
      """
                        e


      a-----------c---------------f
      """,
      ways: [
        "ac": "highway=secondary name=A", "cf": "highway=secondary name=C",
        "ce": "highway=tertiary name=E",
      ], cell: 60)
    let found = try said(map, "acf")
    #expect(found.map(\.action) == [.continueOn])
    #expect(found.first?.isPlain == false)
  }

  @Test func `boarding and leaving a ferry are reported, RT-11`() throws {
    let map = try DrawnMap(
      "a--b--------c--d",
      ways: [
        "ab": "highway=secondary name=Quay", "bc": "route=ferry name=Belle",
        "cd": "highway=secondary name=Isle",
      ])
    let found = try said(map, "abcd")
    #expect(found.map(\.action) == [.ferry, .continueOn])
    #expect(found.first?.text == "Board the ferry Belle.")
    #expect(found.last?.text == "Leave the ferry onto Isle.")
  }

  // MARK: Lanes

  static func laneMap() throws -> DrawnMap {
    try DrawnMap(
      """
          d
          |
      a---b---c
          |   |
          e   f
      """,
      ways: [
        "ab": "highway=secondary name=A oneway=yes lanes=3 turn:lanes=left|through|through;right",
        "bc": "highway=secondary name=A oneway=yes", "bd": "highway=secondary name=B oneway=yes",
        "be": "highway=secondary name=B oneway=yes", "cf": "highway=secondary name=C oneway=yes",
      ], cell: 60)
  }

  @Test(arguments: [
    ("abd", [true, false, false], "left"), ("abe", [false, false, true], "right"),
  ])
  func `lanes that lead to the turn are recommended, RT-11`(
    path: String, fit: [Bool], arrow: String
  ) throws {
    let lanes = try #require(try said(try Self.laneMap(), path).first).lanes
    #expect(lanes.map { $0.recommendation != .notRecommended } == fit)
    #expect(lanes.compactMap(\.active) == [arrow])
  }

  @Test func `of several right lanes the one for the turn after is the best, EV-6`() throws {
    let map = try DrawnMap(
      """
      d
      |
      a---b---g
      |   |
      e   f
      """,
      ways: [
        "ea": "highway=secondary name=A oneway=yes lanes=3 turn:lanes=through|right|right",
        "ad": "highway=secondary name=A oneway=yes", "ab": "highway=secondary name=B oneway=yes",
        "bg": "highway=secondary name=B oneway=yes", "bf": "highway=secondary name=C oneway=yes",
      ], cell: 60)
    let found = try said(map, "eabf")
    #expect(found.map(\.action) == [.turn(.right), .turn(.right)])
    let lanes = try #require(found.first).lanes
    #expect(lanes.map(\.recommendation) == [.notRecommended, .recommended, .highlyRecommended])
  }

  @Test(arguments: [
    (
      "turn:lanes=through|through|right", "highway=residential ref=B 3",
      ManeuverAction.turn(.straight)
    ),
    ("turn:lanes=through|through|through", "highway=residential ref=B 3", .fork(.left)),
    ("turn:lanes=through|through|slight_right", "highway=residential ref=B 3", .fork(.left)),
    ("turn:lanes=through|through|right", "highway=primary ref=B 3", .fork(.left)),
  ])
  func `arrows that send the road straight on make no fork of a side road, RT-11`(
    lanes: String, side: String, action: ManeuverAction
  ) throws {
    let map = try DrawnMap(
      "                    c\n\na         b\n                    d",
      ways: [
        "ab": "highway=primary name=Mill Road ref=B 3 oneway=yes lanes=3 \(lanes)",
        "bc": "highway=primary ref=B 3 oneway=yes", "bd": "\(side) oneway=yes",
      ], cell: 10)
    #expect(try said(map, "abc").map(\.action) == [action])
  }

  @Test func `a turn over links within a crossing has the grade of all its pieces, RT-11`() throws {
    let map = try DrawnMap(
      """
             f







         i   d

          c
      a b         g

           h k
      """,
      ways: [
        "ab": "highway=primary name=A oneway=yes", "bg": "highway=primary name=A oneway=yes",
        "bcd": "highway=primary_link ref=B 2 oneway=yes",
        "ic": "highway=primary_link oneway=yes", "ch": "highway=primary_link oneway=yes",
        "kdf": "highway=primary name=B ref=B 2 oneway=yes",
      ], cell: 5)
    let found = try said(map, "abcdf")
    #expect(found.map(\.action) == [.turn(.left)])
  }

  // MARK: Ends

  @Test(arguments: [
    (Side.left, "You have reached your destination, on the left."),
    (.right, "You have reached your destination, on the right."),
    (.ahead, "You have reached your destination."),
  ])
  func `an arrival says its side, RT-11`(side: Side, text: String) throws {
    let map = try DrawnMap("a--b", ways: ["ab": "highway=residential name=A"])
    let section = SectionPath(path: try map.path("ab"), mode: .car, arrivalSide: side)
    let all = ManeuverFinder(graph: map.graph).maneuvers(along: section)
    #expect(all.map(\.text) == ["Head east on A.", text])
    #expect(all.last?.side == side)
  }

  @Test(arguments: [
    ("Old Cabin", 1297.8, true, "The road ends here; Old Cabin lies 1.3 km to the southwest."),
    ("", 304, true, "The road ends here; your destination lies 300 m to the southwest."),
    ("", 82, true, "The road ends here; your destination lies 80 m to the southwest."),
    ("", 990, true, "The road ends here; your destination lies 1.0 km to the southwest."),
    ("Mill", 304, false, "Mill lies off the road, 300 m to the southwest."),
    ("", 304, false, "Your stop lies off the road, 300 m to the southwest."),
  ])
  func `an arrival off the road says where the stop lies, no side and no arrival, OR-2`(
    name: String, lengthM: Double, isLast: Bool, text: String
  ) throws {
    let map = try DrawnMap("a--b", ways: ["ab": "highway=residential name=A"])
    let section = SectionPath(
      path: try map.path("ab"), mode: .car, arrivalSide: .left, arrivalName: name, isLast: isLast,
      arrivalOffRoad: OffRoadLine(lengthM: lengthM, bearingDeg: 231))
    let arrival = try #require(ManeuverFinder(graph: map.graph).maneuvers(along: section).last)
    #expect(arrival.text == text)
    #expect(arrival.side == nil)
  }
}
