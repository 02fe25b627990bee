import DrawnMaps
import RoadGraph
import Testing

@testable import MapMaking

/// Restrictions as editors write them: lists of words, members in any order, and what is dropped.
@Suite struct RestrictionListTests {
  private func forbidden(_ map: DrawnMap) -> [String] {
    (0..<map.graph.columns.restrictionModes.count).map {
      map.letters(map.graph.restrictedSequence($0))
    }
  }

  private static let median = """
    a-b-c
      |
      m
      |
    d-e-f
    """

  private static let ways: [(String, String)] = [
    ("abc", "oneway=-1"), ("bm", ""), ("me", ""), ("def", "oneway=yes"),
  ]

  /// The map with one restriction whose members are given in some order.
  private func map(
    _ members: [OSMMember], _ tags: OSMTags = ["restriction": "no_u_turn"]
  ) throws -> MapMakingResult {
    var data = try DrawnMap(
      Self.median, ways: Self.ways.map { ($0.0, "highway=primary \($0.1)") }
    ).data
    var tags = tags
    tags["type"] = "restriction"
    data.relations = [OSMRelation(id: 1, members: members, tags: tags)]
    return try GraphMaker.make(data)
  }

  private static let from = OSMMember(.way, 1001, role: "from")
  private static let first = OSMMember(.way, 1002, role: "via")
  private static let second = OSMMember(.way, 1003, role: "via")
  private static let to = OSMMember(.way, 1004, role: "to")
  private static let node = OSMMember(.node, 109, role: "via")

  @Test(
    arguments: [
      [from, first, second, to], [from, second, first, to], [to, second, from, first],
      [from, first, node, second, to], [node, to, second, first, from],
    ])
  func `via ways hold in any order, and nodes next to them, RT-8`(members: [OSMMember]) throws {
    let made = try map(members)
    #expect(made.report.restrictionsKept == 1)
    #expect(made.report.restrictionsDropped.isEmpty)
    // From both ends of the first way that meet the median, as far as one may walk.
    #expect(made.columns.restrictionModes.count == 2)
    #expect(made.columns.restrictionEdge.count == 8)
  }

  @Test func `a list of words means each of them, RT-8`() throws {
    let map = try DrawnMap(
      """
        n
        |
      w-c-e
        |
        s
      """, ways: ["wc": "", "ce": "", "ncs": ""],
      restrictions: ["wc c ncs": "no_left_turn;no_right_turn"])
    #expect(forbidden(map).sorted() == ["wcn", "wcs"])
    #expect(map.report.restrictionsKept == 2)
  }

  @Test(
    arguments: [
      ("restriction=NO_LEFT_TURN", true), ("restriction= no_left_turn ; no_u_turn", true),
      ("restriction=no_left_turn except=psv,bicycle", true),
      ("restriction:motorcar=no_left_turn", true),
      ("restriction:hgv;bus=no_left_turn", false),
    ])
  func `words and exceptions in other spellings, RT-8`(tags: String, isKept: Bool) throws {
    let map = try DrawnMap(
      """
        n
        |
      w-c-e
      """, ways: ["wc": "", "ce": "", "nc": ""], restrictions: ["wc c nc": tags])
    #expect(forbidden(map).contains("wcn") == isKept)
    #expect(map.report.restrictionsDropped.isEmpty == isKept)
  }

  @Test func `all streets of a no-entry and a no-exit are concerned, RT-8`() throws {
    let entry = try map(
      [
        OSMMember(.way, 1002, role: "from"), OSMMember(.way, 1003, role: "from"),
        OSMMember(.node, 109, role: "via"), OSMMember(.way, 1002, role: "to"),
      ], ["restriction": "no_entry"])
    #expect(entry.report.restrictionsKept == 1)
    #expect(entry.columns.restrictionModes.count == 1)
    let exit = try map(
      [
        OSMMember(.way, 1003, role: "from"), OSMMember(.node, 101, role: "via"),
        OSMMember(.way, 1004, role: "to"), OSMMember(.way, 1003, role: "to"),
      ], ["restriction": "no_exit"])
    #expect(exit.report.restrictionsKept == 1)
    #expect(exit.columns.restrictionModes.count == 2)
  }

  @Test func `what is dropped is counted by its reason, RT-8`() throws {
    func reasons(_ members: [OSMMember], _ tags: OSMTags = ["restriction": "no_u_turn"]) throws
      -> [String]
    {
      let report = try map(members, tags).report
      #expect(report.restrictionsUnusable == 1)
      return report.restrictionsDropped.filter { $0.value == 1 }.map(\.key)
    }
    let all = [Self.from, Self.first, Self.second, Self.to]
    func text(_ reason: DroppedRestriction) -> [String] { [reason.rawValue] }
    #expect(try reasons(all, ["restriction": "give_way"]) == text(.word))
    #expect(try reasons(all, ["restriction:caravan": "no_u_turn"]) == text(.vehicle))
    #expect(
      try reasons(all, ["restriction:conditional": "no_u_turn @ (7-9)"]) == text(.condition))
    #expect(try reasons([Self.node, Self.to]) == text(.noFrom))
    #expect(try reasons([Self.from, Self.node]) == text(.noTo))
    #expect(try reasons([Self.from, Self.to]) == text(.noVia))
    #expect(
      try reasons([Self.from, Self.node, OSMMember(.node, 98, role: "via"), Self.to])
        == text(.severalViaNodes))
    #expect(try reasons([Self.from, Self.node, OSMMember(.way, 99, role: "to")]) == text(.absent))
    #expect(try reasons([Self.from, Self.node, Self.to]) == text(.apart))
  }
}
