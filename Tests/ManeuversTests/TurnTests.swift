import DrawnMaps
import Geodesy
import Maneuvers
import RoadGraph
import Route
import Testing

/// What is said along the letters of a drawn map, without departure and arrival.
func said(_ map: DrawnMap, _ letters: String, mode: TravelMode = .car) throws -> [Maneuver] {
  let section = SectionPath(path: try map.path(letters), mode: mode)
  let all = ManeuverFinder(graph: map.graph).maneuvers(along: section)
  #expect(all.first?.action == .depart)
  #expect(all.last?.action == .arrive)
  return Array(all.dropFirst().dropLast())
}

/// One drawn junction, a way through it, and what must be said there.
struct DrawnCase: CustomTestStringConvertible, Sendable {
  var title: String
  var drawing: String
  var ways: KeyValuePairs<String, String>
  var path: String
  var actions: [ManeuverAction]
  var cell = 50.0

  var testDescription: String { title }

  func check() throws {
    let map = try DrawnMap(drawing, ways: ways, cell: cell)
    #expect(try said(map, path).map(\.action) == actions)
  }
}

@Suite struct TurnTests {
  static let crossing = """
      d
    a-b-c
      e
    """

  static let crossings = [
    ("abd", TurnGrade.left), ("abe", .right), ("cbd", .right), ("cbe", .left), ("dba", .right),
    ("dbc", .left), ("eba", .left), ("ebc", .right),
  ]

  @Test(arguments: crossings)
  func `a turn at a crossing has its side, RT-11`(path: String, grade: TurnGrade) throws {
    let map = try DrawnMap(
      Self.crossing,
      ways: [
        "abc": "highway=residential name=High Street", "dbe": "highway=residential name=Mill Lane",
      ])
    let found = try said(map, path)
    #expect(found.map(\.action) == [.turn(grade)])
    let onto = path.hasSuffix("d") || path.hasSuffix("e") ? "Mill Lane" : "High Street"
    #expect(found.first?.onto.name == onto)
    #expect(found.first?.text == "Turn \(grade.rawValue) onto \(onto).")
    #expect(abs(abs(found.first?.turnAngleDeg ?? 0) - 90) < 2)
  }

  @Test(arguments: ["abc", "cba", "dbe", "ebd"])
  func `straight over a crossing nothing is said, RT-11`(path: String) throws {
    let map = try DrawnMap(
      Self.crossing,
      ways: [
        "abc": "highway=residential name=High Street", "dbe": "highway=residential name=Mill Lane",
      ])
    #expect(try said(map, path).isEmpty)
  }

  static let grades = [
    ("abd", TurnGrade.sharpLeft), ("abe", .left), ("abf", .slightLeft), ("abg", .slightRight),
    ("abh", .right), ("abi", .sharpRight),
  ]

  @Test(arguments: grades)
  func `turns have seven grades, RT-11`(path: String, grade: TurnGrade) throws {
    let map = try DrawnMap(
      """
      d   e   f

      a---b   c

      i   h   g
      """,
      ways: [
        "ab": "highway=tertiary name=A", "\(path.dropFirst())": "highway=tertiary name=B",
        "bc": "highway=tertiary name=A",
      ], cell: 25)
    #expect(try said(map, path).map(\.action) == [.turn(grade)])
  }

  static let cases = [
    DrawnCase(
      title: "a side street needs no word", drawing: "a-b-c\n  |\n  d",
      ways: ["abc": "highway=residential name=A", "bd": "highway=residential name=B"],
      path: "abc", actions: []),
    DrawnCase(
      title: "at the end of a road one turns", drawing: "  d\n  |\na-b\n  |\n  e",
      ways: ["ab": "highway=residential name=A", "dbe": "highway=residential name=B"],
      path: "abd", actions: [.turn(.left)]),
    DrawnCase(
      title: "the other way at the end of a road", drawing: "  d\n  |\na-b\n  |\n  e",
      ways: ["ab": "highway=residential name=A", "dbe": "highway=residential name=B"],
      path: "abe", actions: [.turn(.right)]),
    DrawnCase(
      title: "a bend is no turn", drawing: "a-b\n  |\n  c",
      ways: ["ab": "highway=residential name=A", "bc": "highway=residential name=A"],
      path: "abc", actions: []),
    DrawnCase(
      title: "a bend with a driveway straight on is no turn", drawing: "a-b-d\n  |\n  c",
      ways: [
        "abc": "highway=residential name=A", "bd": "highway=service service=driveway",
      ], path: "abc", actions: []),
    DrawnCase(
      title: "a main road that bends while a street goes on is a turn",
      drawing: "a-b-d\n  |\n  c",
      ways: ["abc": "highway=secondary name=A", "bd": "highway=tertiary name=B"],
      path: "abc", actions: [.turn(.right)]),
    DrawnCase(
      title: "turning into a driveway is a turn", drawing: "a-b-c\n  |\n  d",
      ways: ["abc": "highway=residential name=A", "bd": "highway=service"],
      path: "abd", actions: [.turn(.right)]),
    DrawnCase(
      title: "a footway beside is nothing to a car", drawing: "a-b-c\n  |\n  d",
      ways: [
        "ab": "highway=residential name=A", "bc": "highway=residential name=A",
        "bd": "highway=footway",
      ],
      path: "abc", actions: []),
    DrawnCase(
      title: "a one-way that comes in is no way on", drawing: "a-b-c\n  |\n  d",
      ways: ["abc": "highway=residential name=A", "db": "highway=residential oneway=yes"],
      path: "abc", actions: []),
    DrawnCase(
      title: "a road back is a U-turn", drawing: "a-b-c",
      ways: ["ab": "highway=residential name=A", "bc": "highway=residential name=B"],
      path: "aba", actions: [.uTurn(.left)]),
    DrawnCase(
      title: "a gap to the other carriageway is a U-turn", drawing: "d-c-e\n  |\na-b-f",
      ways: [
        "abf": "highway=primary oneway=yes name=A", "ecd": "highway=primary oneway=yes name=A",
        "bc": "highway=primary_link",
      ], path: "abcd", actions: [.uTurn(.left)], cell: 15),
    DrawnCase(
      title: "straight on where the name goes off is told",
      drawing: "a--b--c\n      \n     d",
      ways: [
        "ab": "highway=tertiary name=A", "bc": "highway=tertiary name=B",
        "bd": "highway=tertiary name=A",
      ], path: "abc", actions: [.turn(.straight)]),
  ]

  @Test(arguments: cases)
  func `a drawn junction says what a driver needs, RT-11`(drawn: DrawnCase) throws {
    try drawn.check()
  }

  @Test func `where traffic drives on the left one turns back to the right, RT-11`() throws {
    let map = try DrawnMap(
      "a-b-c",
      ways: [
        "ab": "highway=residential name=A driving_side=left",
        "bc": "highway=residential name=B driving_side=left",
      ])
    #expect(try said(map, "aba").map(\.action) == [.uTurn(.right)])
  }

  @Test func `a small one-way ring leads round, and not back, RT-11`() throws {
    let map = try DrawnMap(
      """
        x
        a-b-z
      v-c-d-w
      """,
      ways: [
        "xa": "highway=residential name=A", "acdba": "highway=residential oneway=yes name=B",
        "bz": "highway=residential name=C", "cv": "highway=residential name=D",
        "dw": "highway=residential name=E",
      ], cell: 10)
    let isBack = try said(map, "xacdbz").contains {
      if case .uTurn = $0.action { true } else { false }
    }
    #expect(!isBack)
  }

  @Test func `a right and a left that follow at once along one road are nothing, RT-11`() throws {
    let map = try DrawnMap(
      """
      e
      a-b
        c-d
      f
      """,
      ways: [
        "abcd": "highway=tertiary name=A", "eb": "highway=tertiary name=B",
        "cf": "highway=tertiary name=C",
      ], cell: 12)
    #expect(try said(map, "abcd").isEmpty)
  }
}
