import DrawnMaps
import Geodesy
import RoadGraph
import Testing

@testable import MapMaking

@Suite struct DrawnMapTests {
  @Test func `neighbouring letters are a cell apart, and ways are cut at junctions`() throws {
    let map = try DrawnMap(
      """
      a--b--c
         |
         d
      """,
      ways: ["abc": "highway=primary name=High Street", "bd": ""])
    #expect(map.graph.nodeCount == 4)
    #expect(map.graph.edgeCount == 6)
    #expect(map.graph.pieceCount == 3)
    let edge = try map.edge("ab")
    #expect(abs(map.graph.lengthM(edge) - 300) < 0.5)
    #expect(map.graph.name(edge) == "High Street")
    #expect(try map.letters(map.edges("dbc")) == "dbc")
    #expect(try map.graph.twin(edge) == map.edge("ba"))
  }

  @Test func `lines may have another distance than letters`() throws {
    let map = try DrawnMap("a-b\n  c", ways: ["ab": "", "bc": ""], cell: 50, line: 12)
    #expect(abs(map.graph.lengthM(try map.edge("ab")) - 100) < 0.5)
    #expect(abs(map.graph.lengthM(try map.edge("bc")) - 12) < 0.1)
    #expect(map.letters(ofWay: try map.way("bc")) == "bc")
    #expect(map.letters(ofWay: 1) == nil)
  }

  @Test func `the same drawing gives the same bytes`() throws {
    func hash() throws -> UInt64 {
      try DrawnMap("ab-c-d", ways: ["abc": "oneway=yes highway=primary", "cd": ""]).graph.hash
    }
    #expect(try hash() == hash())
  }
}
