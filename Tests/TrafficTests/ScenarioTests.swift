import DrawnMaps
import Geodesy
import RoadGraph
import Testing
import Traffic

@Suite struct ScenarioTests {
  private static func map() throws -> DrawnMap {
    try DrawnMap(
      """
      a--b--c
      |  |
      d--e
      """,
      ways: [
        "abc": "highway=secondary name=Mill Lane ref=B1", "ad": "highway=secondary name=Side",
        "be": "highway=secondary name=Mill Lane", "de": "highway=secondary",
      ])
  }

  private func pieces(_ map: DrawnMap, _ place: ScenarioPlace) -> Set<SegmentReference> {
    var placer = ScenarioPlacer(map.graph, index: SegmentIndex(map.graph))
    let found = placer.pieces(of: [ScenarioEvent(atS: 0, place: place)])
    return Set(found[0].map(\.segment))
  }

  private func edges(_ map: DrawnMap, _ letters: String...) throws -> Set<SegmentReference> {
    Set(try letters.flatMap { try map.edges($0) }.map { map.graph.reference($0) })
  }

  @Test func `an event lies where its street, box and line meet`() throws {
    let map = try Self.map()
    #expect(
      try pieces(map, ScenarioPlace(street: "Mill Lane"))
        == edges(map, "abc", "cba", "be", "eb"))
    #expect(try pieces(map, ScenarioPlace(street: "B1")) == edges(map, "abc", "cba"))
    #expect(pieces(map, ScenarioPlace(street: "Nowhere")).isEmpty)
    let around = try [map.coordinate("b"), map.coordinate("c")]
    let box = try #require(BoundingBox(around: around)).expanded(byM: 30)
    #expect(try pieces(map, ScenarioPlace(box: box)) == edges(map, "bc", "cb"))
    #expect(
      try pieces(map, ScenarioPlace(line: [map.coordinate("a"), map.coordinate("c")]))
        == edges(map, "abc"))
    #expect(
      try pieces(
        map,
        ScenarioPlace(street: "Side", line: [map.coordinate("a"), map.coordinate("c")])
      ).isEmpty)
  }

  @Test func `segments are taken as they are, those of no road are left out`() throws {
    let map = try DrawnMap("abcd", ways: ["abcd": "highway=secondary"])
    let piece = SegmentReference(way: 1001, from: try map.osmID("b"), to: try map.osmID("c"))
    let place = ScenarioPlace(segments: [piece, SegmentReference(way: 1, from: 2, to: 3)])
    #expect(pieces(map, place) == [piece])
  }
}
