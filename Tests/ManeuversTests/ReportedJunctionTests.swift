import DrawnMaps
import Maneuvers
import RoadGraph
import Route
import Testing

/// Junctions at which drivers, walkers and cyclists reported wrong or missing instructions.
@Suite struct ReportedJunctionTests {
  // MARK: Staggered crossings

  /// A street crosses a main road with its arms `cell` metres apart: columns of one character.
  static func jog(cell: Double, name: String = "name=Mill Road") throws -> DrawnMap {
    try DrawnMap(
      "          d\n\n\n\n\n\n\n\n\n\na        bc         f\n\n\n\n\n\n\n\n\n\n         e",
      ways: [
        "abcf": "highway=secondary name=High Street", "eb": "highway=tertiary \(name)",
        "cd": "highway=tertiary \(name)",
      ], cell: cell)
  }

  @Test(
    "a jog along another road is announced beyond the width of a crossing, RT-11",
    arguments: [
      (5.0, "name=Mill Road", 0), (10, "name=Mill Road", 2), (15, "ref=K 12", 2),
      (24, "name=Mill Road", 2), (28, "name=Mill Road", 2),
    ])
  func jog(metres: Double, name: String, count: Int) throws {
    let found = try said(Self.jog(cell: metres, name: name), "ebcd").map(\.action)
    #expect(found == (count == 0 ? [] : [.turn(.right), .turn(.left)]))
  }

  @Test("two mini roundabouts close to each other are two turns, RT-11")
  func miniRoundabouts() throws {
    let map = try DrawnMap(
      "      d\n\n\n\na    bc    f\n\n\n\n     e",
      ways: [
        ("abcf", "highway=secondary name=High Street"), ("eb", "highway=tertiary name=Mile Ride"),
        ("cd", "highway=tertiary name=Mile Ride"),
      ],
      nodes: [("b", "highway=mini_roundabout"), ("c", "highway=mini_roundabout")], cell: 20)
    #expect(try said(map, "ebcd").map(\.action) == [.turn(.right), .turn(.left)])
  }

  // MARK: A closed street straight on

  @Test(
    "a turn is announced where the street straight on is closed to the vehicle, RT-11",
    arguments: [
      ("highway=residential access=private name=Old Road", true),
      ("highway=tertiary access=no bus=yes name=Old Road", true),
      ("highway=pedestrian name=Old Road", true),
      ("highway=residential motor_vehicle=no name=Old Road", true),
      ("highway=tertiary access=no name=Old Road", true),
      ("highway=tertiary demolished=yes name=Old Road", false),
      ("highway=track", true), ("highway=footway", false), ("highway=cycleway", false),
      ("highway=service service=driveway", false),
    ])
  func closedStreet(straight: String, isAnnounced: Bool) throws {
    let map = try DrawnMap(
      "    d\n\na---b---c",
      ways: [
        "ab": "highway=tertiary name=West Road", "bd": "highway=tertiary name=North Road",
        "bc": straight,
      ])
    #expect(try said(map, "abd").map(\.action) == (isAnnounced ? [.turn(.left)] : []))
  }

  @Test("the own bend of a road past a closed street is a turn, past a closed yard none, RT-11")
  func closedStreetAtBend() throws {
    func found(_ straight: String) throws -> [ManeuverAction] {
      let map = try DrawnMap(
        "    d\n\na---b---c",
        ways: ["abd": "highway=tertiary name=West Road", "bc": straight])
      return try said(map, "abd").map(\.action)
    }
    #expect(try found("highway=residential access=private") == [.turn(.left)])
    #expect(try found("highway=residential access=no") == [.turn(.left)])
    #expect(try found("highway=service access=no") == [])
    #expect(try found("highway=service access=private") == [])
    #expect(try found("highway=service service=driveway") == [])
  }

  @Test("leaving a bending road straight on by a service road is announced, RT-11")
  func straightOntoService() throws {
    let map = try DrawnMap(
      "a-b-c\n  |\n  d",
      ways: ["abd": "highway=residential name=Mill Road", "bc": "highway=service"])
    #expect(try said(map, "abc").map(\.action) == [.turn(.straight)])
    #expect(try said(map, "abd").isEmpty)
  }

  // MARK: Links

  @Test("a link that ends at a crossing leaves the turn there to the crossing, RT-11")
  func linkToCrossing() throws {
    let map = try DrawnMap(
      "a-b---------------d\n\n\n\n          e---f\n          |\n          h\n          |\n          k",
      ways: [
        "abd": "highway=secondary name=High Street", "be": "highway=secondary_link oneway=yes",
        "feh": "highway=secondary name=Mill Lane", "hk": "highway=secondary name=Mill Lane",
      ], cell: 12)
    #expect(try said(map, "abehk").map(\.action).last == .turn(.right))
    #expect(try said(map, "abehk").count == 2)
    let left = try said(map, "abef")
    #expect(left.map(\.action).last == .turn(.slightLeft))
    #expect(left.last?.onto.name == "Mill Lane")
  }

  @Test(
    "one merges onto a surface road at small angles only, RT-11",
    arguments: [
      ("highway=primary oneway=yes name=Main", "", 4, ManeuverAction.merge(.left)),
      ("highway=primary oneway=yes name=Main", "", 9, .turn(.slightRight)),
      ("highway=primary oneway=yes name=Main", "highway=traffic_signals", 4, .turn(.straight)),
      ("highway=motorway ref=A 1", "", 12, .merge(.left)),
    ])
  func merge(road: String, node: String, down: Int, action: ManeuverAction) throws {
    let rows = String(repeating: "\n", count: down)
    let map = try DrawnMap(
      "x                   b                   c" + rows + "      d",
      ways: [("xb", road), ("bc", road), ("db", "highway=primary_link oneway=yes")],
      nodes: node.isEmpty ? [] : [("b", node)], cell: 10)
    let found = try said(map, "dbc").map(\.action)
    #expect(found == (action == .turn(.straight) ? [] : [action]))
  }

  // MARK: Exits

  static func exit(_ link: String, node: String = "") throws -> DrawnMap {
    try DrawnMap(
      "a-----b--------c\n             d\n                 e-f",
      ways: [
        ("ab", "highway=motorway ref=A 1 oneway=yes"),
        ("bc", "highway=motorway ref=A 1 oneway=yes"),
        ("bde", "highway=motorway_link oneway=yes \(link)"),
        ("ef", "highway=secondary name=Port Road"),
      ], nodes: [("b", "highway=motorway_junction ref=12 \(node)")], cell: 60)
  }

  @Test(
    "an exit is named by its sign, RT-11",
    arguments: [
      ("destination:ref=B 7", "", "onto B 7"),
      ("destination=Northport destination:ref=B 7;E 45", "", "onto B 7 toward Northport"),
      ("destination=Northport", "", "toward Northport"),
      ("destination:street=Harbour Street", "", "toward Harbour Street"),
      ("destination:int_ref=E 45", "", "onto E 45"),
      ("destination:to=Southend destination:ref:to=A 5", "", "onto A 5 toward Southend"),
      ("", "exit_to=Northport;Easton", "toward Northport, Easton"),
      ("ref=A 1", "", "onto Port Road"), ("", "", "onto Port Road"),
    ])
  func sign(link: String, node: String, words: String) throws {
    let found = try #require(try said(Self.exit(link, node: node), "abef").first)
    #expect(found.text == "Take exit 12 on the right \(words).")
  }

  // MARK: Car parks

  @Test("leaving an aisle of a car park is announced, RT-11")
  func aisle() throws {
    let map = try DrawnMap(
      "    d\n\na---b---c",
      ways: [
        "abc": "highway=service service=parking_aisle", "bd": "highway=service",
      ])
    #expect(try said(map, "abd").map(\.action) == [.turn(.left)])
    #expect(try said(map, "abc").isEmpty)
  }

  // MARK: On foot and by bicycle

  @Test(
    "at a bend beside a path both branches are announced, RT-11",
    arguments: ["path", "cycleway", "footway bicycle=yes", "steps", "track"],
    [TravelMode.bicycle, .pedestrian])
  func bendBesidePath(kind: String, mode: TravelMode) throws {
    let map = try DrawnMap(
      "a-b-c\n  |\n  d",
      ways: ["abd": "highway=residential name=Mill Road", "bc": "highway=\(kind)"])
    #expect(try said(map, "abd", mode: mode).map(\.action) == [.turn(.right)])
    #expect(try said(map, "abc", mode: mode).map(\.action) == [.turn(.straight)])
    #expect(try said(map, "abd").isEmpty)
  }

  @Test("a ring walked against its traffic is a turn, with it a roundabout, RT-11")
  func ringOnFoot() throws {
    let ring = try FamilyTests.ring(20)
    #expect(try said(ring, "aefb", mode: .pedestrian).map(\.action) == [.turn(.left)])
    #expect(try said(ring, "aefgc", mode: .pedestrian).map(\.action) == [.turn(.straight)])
    #expect(
      try said(ring, "aehgc", mode: .pedestrian).map(\.action) == [.roundabout(exit: 2)])
  }

  @Test("nameless ways are called what they are on foot and by bicycle, RT-11")
  func nameless() throws {
    func text(_ tags: String, _ mode: TravelMode) throws -> String? {
      let map = try DrawnMap(
        "a-b-c\n  |\n  d",
        ways: ["abc": "highway=residential name=Mill Road", "bd": tags])
      return try said(map, "abd", mode: mode).first?.text
    }
    #expect(try text("highway=steps", .pedestrian) == "Turn right onto the steps.")
    #expect(
      try text("highway=footway footway=crossing", .pedestrian) == "Turn right onto the crossing.")
    #expect(try text("highway=cycleway", .bicycle) == "Turn right onto the cycle path.")
    #expect(try text("highway=service", .pedestrian) == "Turn right.")
    #expect(
      try text("highway=footway", .bicycle)
        == "Turn right onto the path and push your bicycle.")
    #expect(
      try text("highway=path bicycle=dismount", .bicycle)
        == "Turn right onto the path and push your bicycle.")
  }

  @Test("steps, doors and stretches to push are announced straight on, RT-11")
  func footing() throws {
    let map = try DrawnMap(
      "a-b-c-d",
      ways: [
        "ab": "highway=footway", "bc": "highway=steps", "cd": "highway=footway indoor=yes",
      ])
    #expect(
      try said(map, "abcd", mode: .pedestrian).map(\.text)
        == ["Take the steps.", "Continue onto the corridor."])
    let street = try DrawnMap(
      "a-b-c-d",
      ways: [
        "ab": "highway=residential name=A", "bc": "highway=residential name=A bicycle=dismount",
        "cd": "highway=residential name=A",
      ])
    #expect(
      try said(street, "abcd", mode: .bicycle).map(\.text)
        == ["Continue on A and push your bicycle."])
    #expect(try said(street, "abcd").isEmpty)
  }

  @Test("steps are named however short they are, RT-11")
  func shortSteps() throws {
    func texts(_ before: String) throws -> [String] {
      let map = try DrawnMap(
        "a--b-c---d",
        ways: ["ab": before, "bc": "highway=steps", "cd": "highway=residential name=Hill Road"],
        cell: 10)
      return try said(map, "abcd", mode: .bicycle).map(\.text)
    }
    #expect(
      try texts("highway=residential name=Hill Road").first
        == "Take the steps and push your bicycle.")
    #expect(try texts("highway=pedestrian name=Hill Square").first == "Take the steps.")
  }

  @Test("a turn where a street ends is announced though the other arm is lesser or closed, RT-11")
  func endOfStreet() throws {
    func actions(_ arm: String, onto name: String, _ mode: TravelMode) throws -> [ManeuverAction] {
      let map = try DrawnMap(
        "c-b-d\n  |\n  a",
        ways: [
          "ab": "highway=residential name=A", "bd": "highway=residential name=\(name)", "bc": arm,
        ])
      return try said(map, "abd", mode: mode).map(\.action)
    }
    for (arm, mode) in [
      ("highway=footway", TravelMode.pedestrian), ("highway=cycleway", .bicycle),
      ("highway=service", .car), ("highway=pedestrian bicycle=yes", .bicycle),
      ("highway=residential hgv=no", .truck), ("highway=tertiary motor_vehicle=no", .car),
    ] {
      #expect(try actions(arm, onto: "B", mode) == [.turn(.right)], "\(arm)")
    }
    // The vehicle stands between two streets, one of which is closed to it.
    #expect(try actions("highway=residential hgv=no", onto: "A", .truck) == [.turn(.right)])
    // The road's own bend, and the drive of a house, are no junction.
    #expect(try actions("highway=footway", onto: "A", .pedestrian) == [])
    #expect(try actions("highway=service service=driveway", onto: "B", .car) == [])
  }

  @Test("walkers get no lanes, no signs and no ramps, RT-11")
  func carThings() throws {
    let map = try DrawnMap(
      "a---b---c\n\n    d",
      ways: [
        "ab": "highway=secondary oneway=yes name=A lanes=2 turn:lanes=through|right",
        "bc": "highway=secondary name=A", "bd": "highway=secondary name=B destination=Harbour",
      ])
    let turn = try #require(try said(map, "abd", mode: .pedestrian).first)
    #expect(turn.lanes.isEmpty && turn.signpost == nil)
    let forked = try DrawnMap(
      "               c\na----b\n               d",
      ways: ["ab": "highway=path", "bc": "highway=path", "bd": "highway=path"], cell: 20)
    #expect(try said(forked, "abc", mode: .pedestrian).map(\.action) == [.turn(.slightLeft)])
    #expect(try said(forked, "abd", mode: .pedestrian).map(\.action) == [.turn(.slightRight)])
  }

  @Test("walkers see two turns within 15 m as one where no other road could be meant, RT-11")
  func walkersJog() throws {
    func actions(
      _ drawing: String, between: String, others: [(String, String)]
    ) throws -> [ManeuverAction] {
      let map = try DrawnMap(
        drawing,
        ways: [
          ("ab", "highway=footway"), ("bc", between), ("cd", "highway=residential name=Mill Lane"),
        ] + others, cell: 5)
      return try said(map, "abcd", mode: .pedestrian).map(\.action)
    }
    // Right for 10 m and left again: what goes on lies slightly to the right.
    let jog = "       x\n\na------b\n       |\n       c------d\n\n\n       y"
    let street = "highway=residential name=High Street"
    #expect(
      try actions(jog, between: street, others: [("xb", street), ("cy", street)]) == [
        .turn(.slightRight)
      ])
    // Where a road leads straight on, only the first turn leaves it.
    let ahead =
      "       x\n\na------b------e\n       |\n       c\n\n\n\n\n           d\n\n       y"
    #expect(
      try actions(
        ahead, between: street,
        others: [("xb", street), ("cy", street), ("be", "highway=footway")]) == [.turn(.right)])
    // A crossing has a word of its own.
    #expect(
      try actions(
        jog, between: "highway=footway footway=crossing", others: [("xb", street), ("cy", street)])
        == [.turn(.right), .turn(.left)])
    // Another path leads slightly to the right itself.
    let alike = "       x\n\na------b\n       |\n       |  e\n       c------d\n\n\n       y"
    #expect(
      try actions(
        alike, between: street, others: [("xb", street), ("cy", street), ("be", "highway=footway")])
        == [.turn(.right), .turn(.left)])
    // Steps that begin after the turn are where it leads.
    let stairs = try DrawnMap(
      "       x\n\na------b\n       |\n       c\n       |\n       d",
      ways: [
        ("ab", "highway=footway"), ("xb", street), ("bc", "highway=footway"),
        ("cd", "highway=steps"),
      ], cell: 5)
    #expect(
      try said(stairs, "abcd", mode: .pedestrian).map(\.text) == ["Turn right onto the steps."])
  }

  // MARK: Where no choice is

  @Test("a road that goes round an island on both sides has no fork, RT-11")
  func island() throws {
    func map(_ more: [(String, String)]) throws -> DrawnMap {
      let road = "highway=tertiary name=A oneway=yes"
      return try DrawnMap(
        "            e\n\na------b          c------d\n\n            g   f",
        ways: [("ab", road), ("bec", road), ("bgc", road), ("cd", road)] + more, cell: 5)
    }
    #expect(try said(map([]), "abcd").isEmpty)
    let other = try map([("ef", "highway=tertiary name=B oneway=yes")])
    #expect(try said(other, "abef").first?.action == .fork(.left))
  }

  @Test("a link within one road is neither ramp nor merge, RT-11")
  func linkWithinRoad() throws {
    let map = try DrawnMap(
      "a------b------c------d\n\n    e",
      ways: [
        ("ab", "highway=primary ref=7 oneway=yes"), ("bc", "highway=primary_link oneway=yes"),
        ("cd", "highway=primary ref=7 oneway=yes"), ("ec", "highway=primary ref=7 oneway=yes"),
      ])
    #expect(try said(map, "abcd").isEmpty)
  }

  @Test("two turns to one side over a median are one, RT-11")
  func overMedian() throws {
    let map = try DrawnMap(
      "  f\n\n\n\ng-----c-------h\n\n\n\na------b-----e",
      ways: [
        ("ab", "highway=secondary name=A oneway=yes"),
        ("be", "highway=secondary name=A oneway=yes"),
        ("hc", "highway=secondary name=A oneway=yes"),
        ("cg", "highway=secondary name=A oneway=yes"),
        ("bc", "highway=residential name=B"), ("cf", "highway=residential name=B"),
      ], cell: 5)
    #expect(try said(map, "abcf").map(\.action) == [.turn(.left)])
  }

  @Test("a link to a crossing is called by the street that it leads to, RT-11")
  func linkName() throws {
    let map = try DrawnMap(
      "a---b---h\n\n\n\ne---c---f\n\n\n\n    d",
      ways: [
        ("abh", "highway=secondary name=A"), ("bc", "highway=secondary_link oneway=yes"),
        ("ecf", "highway=secondary name=Ring"), ("cd", "highway=secondary name=B"),
      ], cell: 40)
    #expect(try said(map, "abcd").first?.text == "Turn right onto B.")
  }

  @Test("a fork of ramps is not called by the motorway that was left, RT-11")
  func rampFork() throws {
    let link = "highway=motorway_link oneway=yes ref=A 5"
    let map = try DrawnMap(
      "a---b-------------e---f\n\n        c----d\n\n                g----h",
      ways: [
        ("ab", "highway=motorway oneway=yes ref=A 5"),
        ("be", "highway=motorway oneway=yes ref=A 5"),
        ("ef", "highway=motorway oneway=yes ref=A 5"), ("bc", link), ("cd", link), ("de", link),
        ("cg", link), ("gh", "highway=trunk oneway=yes ref=B 535"),
      ], cell: 40)
    let off = try said(map, "abcgh").map(\.text)
    #expect(off.prefix(2) == ["Take the exit on the right.", "Keep right onto B 535."])
    #expect(try said(map, "abcdef").map(\.text).contains("Keep left onto A 5."))
  }
}
