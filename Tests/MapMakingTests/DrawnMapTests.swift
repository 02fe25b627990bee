import DrawnMaps
import Geodesy
import RoadGraph
import Testing

@testable import MapMaking

@Suite struct DrawnMapTests {
  @Test func `letters stand a cell apart and ways are cut at junctions`() throws {
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

  @Test func `the same drawing gives the same bytes`() throws {
    func hash() throws -> UInt64 {
      try DrawnMap("ab-c-d", ways: ["abc": "oneway=yes highway=primary", "cd": ""]).graph.hash
    }
    #expect(try hash() == hash())
  }
}
