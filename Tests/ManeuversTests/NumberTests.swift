import DrawnMaps
import Maneuvers
import Route
import Testing

/// Roads whose number turns off while the route goes straight on.
@Suite struct NumberTests {
  /// West to east over 700 m and on; another road leaves to the south in between.
  private func map(_ before: String, _ after: String, _ aside: String, followed: Bool = true) throws
    -> DrawnMap
  {
    try DrawnMap(
      """
      a      b       c
             |
             d
      """,
      ways: ["ab": before, "bc": after, "bd": aside], cell: followed ? 100 : 40)
  }

  private let river = "highway=primary name=River Road ref=B 1"
  private let bridge = "highway=primary name=Bridge Street ref=B 1"

  @Test func `the greater road turns off with its number, and the name goes on, RT-11`() throws {
    let found = try said(
      try map(river, "highway=secondary name=River Road ref=L 5", bridge), "abc")
    #expect(found.map(\.action) == [.continueOn])
    #expect(found.first?.text == "Continue on River Road (L 5).")
  }

  @Test func `a road without a name is its number, RT-11`() throws {
    let found = try said(
      try map("highway=primary ref=B 1", "highway=primary ref=B 2", bridge), "abc")
    #expect(found.map(\.action) == [.continueOn])
    #expect(found.first?.text == "Continue onto B 2.")
  }

  @Test func `a number is left in silence where the road is none the lesser, RT-11`() throws {
    let same = try map(river, "highway=primary name=River Road", bridge)
    #expect(try said(same, "abc").isEmpty)
  }

  @Test func `a number that goes on or comes back needs no word, RT-11`() throws {
    let shared = try map(
      "highway=primary name=River Road ref=B 1;B 4", "highway=secondary name=River Road ref=B 4",
      bridge)
    #expect(try said(shared, "abc").isEmpty)
    let lesser = "highway=secondary name=River Road"
    #expect(try said(try map(river, lesser, bridge, followed: false), "abc").isEmpty)
    let back = try DrawnMap(
      """
      a      b  e    c
             |
             d
      """,
      ways: ["ab": river, "be": lesser, "ec": river, "bd": bridge])
    #expect(try said(back, "abec").isEmpty)
    let ramp = try map(river, lesser, "highway=primary_link ref=B 1")
    #expect(try said(ramp, "abc").isEmpty)
  }
}
