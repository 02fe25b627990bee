import DrawnMaps
import Foundations
import OpeningHours
import RoadGraph
import Testing

@testable import MapMaking

@Suite struct RestrictionTests {
  /// Every forbidden sequence as letters with its modes: `abd car taxi`.
  private func restrictions(_ map: DrawnMap) -> [String: TravelModes] {
    var found: [String: TravelModes] = [:]
    for index in 0..<map.graph.columns.restrictionModes.count {
      found[map.letters(map.graph.restrictedSequence(index))] =
        map.graph.columns.restrictionModes[index]
    }
    return found
  }

  private static let cross = """
      n
      |
    w-c-e
      |
      s
    """

  private func cross(_ restrictions: KeyValuePairs<String, String>) throws -> DrawnMap {
    try DrawnMap(
      Self.cross, ways: ["wc": "", "ce": "", "nc": "", "cs": ""], restrictions: restrictions)
  }

  @Test func `a turn is forbidden at its node, RT-8`() throws {
    let found = restrictions(try cross(["wc c nc": "no_left_turn"]))
    #expect(Array(found.keys) == ["wcn"])
    #expect(found["wcn"] == [.motorised, TravelModes(.bicycle)])
  }

  @Test func `only one way on forbids all others, RT-8`() throws {
    let found = restrictions(try cross(["wc c ce": "only_straight_on"]))
    #expect(found.keys.sorted() == ["wcn", "wcs", "wcw"])
  }

  @Test func `a U-turn is forbidden back into the same way, RT-8`() throws {
    #expect(restrictions(try cross(["wc c wc": "no_u_turn"])).keys.sorted() == ["wcw"])
  }

  @Test func `exceptions and modes of their own, RT-8`() throws {
    let except = restrictions(try cross(["wc c nc": "restriction=no_left_turn except=psv;bicycle"]))
    #expect(
      except["wcn"] == [TravelModes(.car), TravelModes(.truck), TravelModes(.scooter)])
    let trucks = restrictions(try cross(["wc c nc": "restriction:hgv=no_left_turn"]))
    #expect(trucks["wcn"] == TravelModes(.truck))
  }

  @Test func `a restriction bound to a time is kept with its condition, RT-8`() throws {
    let map = try cross([
      "wc c nc": "restriction:conditional=no_left_turn @ (Mo-Fr 07:00-09:00)",
      "wc c ec": "restriction:hgv:conditional=no_straight_on @ (weight>7.5)",
    ])
    #expect(restrictions(map).isEmpty)
    #expect(map.report.timedRules == 2)
    let book = RuleBook(map.graph)
    func names(_ sequences: [[EdgeID]]) -> [String] { sequences.map { map.letters($0) } }
    // Monday, 5 January 2026, 08:00 by the clocks of a meridian two hours behind, and a Saturday.
    let monday = Instant(seconds: 1_767_607_200)
    let saturday = monday.advanced(bySeconds: -2 * 86_400)
    #expect(names(book.restrictions(for: .car, at: monday)) == ["wcn"])
    #expect(book.restrictions(for: .car, at: saturday).isEmpty)
    let heavy = Circumstances(measures: [.weight: 12])
    #expect(names(book.restrictions(for: .truck, at: saturday, heavy)) == ["wce"])
    #expect(book.restrictions(for: .truck, at: saturday).isEmpty)
    func undecided(_ path: String, _ mode: TravelMode, at instant: Instant?) throws -> Int {
      book.undecidedTurns(try map.edges(path), mode, at: instant, Circumstances())
    }
    #expect(try undecided("wcn", .car, at: nil) == 1)
    #expect(try undecided("wcn", .car, at: monday) == 0)
    #expect(try undecided("wce", .car, at: nil) == 0)
    // A vehicle without a weight is not known to be heavy.
    #expect(try undecided("wce", .truck, at: monday) == 1)
  }

  @Test func `the hours of old relations are a condition, those that cannot be read are counted`()
    throws
  {
    let old = try cross([
      "wc c nc":
        "restriction=no_left_turn hour_on=07:00 hour_off=09:00 day_on=Monday day_off=Friday"
    ])
    #expect(old.report.bans == 0)
    #expect(old.report.timedBans == 1)
    let wrong = try cross(["wc c nc": "restriction:conditional=no_left_turn@(7-9)"])
    #expect(wrong.report.unreadableRules == 1)
    #expect(wrong.report.timedBans == 0)
  }

  @Test func `members that do not meet are counted`() throws {
    let map = try cross(["wc n nc": "no_left_turn"])
    #expect(restrictions(map).isEmpty)
    #expect(map.report.restrictionsUnusable == 1)
    #expect(map.report.restrictionsKept == 0)
  }

  @Test func `where a way runs through, the word says which end is meant, RT-8`() throws {
    let map = try DrawnMap(
      Self.cross, ways: ["wce": "", "ncs": ""], restrictions: ["wce c ncs": "no_left_turn"])
    #expect(restrictions(map).keys.sorted() == ["ecs", "wcn"])
  }

  @Test func `a restriction over a way forbids the whole sequence, RT-8`() throws {
    let map = try DrawnMap(
      """
      a--b--e
         |
      f--c--d
      """,
      ways: [
        "ab": "oneway=yes highway=primary", "be": "", "bc": "", "cf": "highway=primary", "cd": "",
      ],
      restrictions: ["ab bc cf": "no_u_turn"])
    #expect(restrictions(map).keys.sorted() == ["abcf"])
  }

  @Test func `an only over a way forbids each deviation, RT-8`() throws {
    let map = try DrawnMap(
      """
      a--b--e
         |
      f--c--d
      """,
      ways: ["ab": "", "be": "", "bc": "", "cf": "", "cd": ""],
      restrictions: ["ab bc cd": "only_left_turn"])
    #expect(restrictions(map).keys.sorted() == ["aba", "abcb", "abcf", "abe"])
  }

  @Test func `restrictions are found by their first edge`() throws {
    let map = try cross(["wc c nc": "no_left_turn", "ce c cs": "no_left_turn"])
    let range = map.graph.restrictions(startingAt: try map.edge("wc"))
    #expect(range.count == 1)
    #expect(map.letters(map.graph.restrictedSequence(range.lowerBound)) == "wcn")
  }

  @Test func `a bollard lets nobody through who drives, RT-8`() throws {
    let map = try DrawnMap("a-b-c", ways: ["abc": ""], nodes: ["b": "barrier=bollard"])
    let found = restrictions(map)
    #expect(found.keys.sorted() == ["abc", "cba"])
    #expect(found["abc"] == .motorised)
    #expect(map.graph.columns.nodeFlags[try map.node("b").index].contains(.barrier))
  }

  @Test(
    arguments: [
      ("barrier=gate", TravelModes()), ("barrier=lift_gate", []), ("barrier=toll_booth", []),
      ("barrier=gate access=no", .all), ("barrier=gate access=no foot=yes bicycle=yes", .motorised),
      ("barrier=bollard motor_vehicle=yes", []), ("barrier=bollard bollard=rising", []),
      ("barrier=stile", [.motorised, TravelModes(.bicycle)]),
      ("barrier=height_restrictor", [TravelModes(.truck), TravelModes(.bus)]),
      ("barrier=gate access=private", []),
    ] as [(String, TravelModes)])
  func `whom a barrier bars, RT-8`(tags: String, barred: TravelModes) throws {
    let map = try DrawnMap("a-b-c", ways: ["abc": ""], nodes: ["b": tags])
    #expect(restrictions(map)["abc"] ?? [] == barred)
  }
}
