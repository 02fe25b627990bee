import DrawnMaps
import Geodesy
import RoadGraph
import Testing

@Suite struct GraphTests {
  @Test(arguments: 0..<10 as Range<UInt64>)
  func `leaving and entering edges agree, and twins run the same way back`(seed: UInt64) throws {
    let graph = try RandomMap.graph(seed: seed)
    var entering = 0
    for index in 0..<graph.nodeCount {
      let node = NodeID(index)
      for edge in graph.edges(leaving: node) { #expect(graph.tail(edge) == node) }
      for edge in graph.edges(entering: node) { #expect(graph.head(edge) == node) }
      entering += graph.edges(entering: node).count
    }
    #expect(entering == graph.edgeCount)
    for edge in (0..<graph.edgeCount).map({ EdgeID($0) }) {
      let line = Polyline(graph.shape(edge))
      #expect(abs(line.lengthM - graph.lengthM(edge)) < 0.01)
      guard let twin = graph.twin(edge) else { continue }
      #expect(graph.twin(twin) == edge)
      #expect(graph.shape(twin) == graph.shape(edge).reversed())
      #expect(graph.reference(twin) == graph.reference(edge).reversed)
    }
  }

  @Test func `restrictions are found by their first edge`() throws {
    let map = try DrawnMap(
      """
      a--b--c
         |
         d
      """,
      ways: ["ab": "", "bc": "", "bd": ""], restrictions: ["ab b bd": "no_right_turn"])
    let restrictions = map.graph.restrictions(startingAt: try map.edge("ab"))
    #expect(restrictions.map { map.graph.restrictedSequence($0) } == [try map.edges("abd")])
    #expect(map.graph.restrictions(startingAt: try map.edge("cb")).isEmpty)
  }

  @Test func `a motorway junction is found by its node, others are none`() throws {
    let map = try DrawnMap(
      "a--b--c", ways: ["abc": "highway=motorway"],
      nodes: ["b": "highway=motorway_junction ref=12 name=Westend"])
    let junction = map.graph.junction(try map.node("b"))
    #expect(junction?.number == "12" && junction?.name == "Westend")
    #expect(map.graph.junction(try map.node("a")) == nil)
  }

  @Test func `words and values of modes and classes go both ways`() {
    for mode in TravelMode.allCases { #expect(TravelMode(word: mode.word) == mode) }
    for road in RoadClass.allCases { #expect(RoadClass(word: road.word) == road) }
    #expect(TravelMode(word: "Car") == nil && RoadClass(word: "") == nil)
    #expect(TravelModes.motorised.contains(.scooter))
    #expect(!TravelModes.motorised.contains(.bicycle))
    #expect(TravelMode.allCases.allSatisfy { TravelModes.all.contains($0) })
  }

  @Test func `an attribute record keeps 88 bytes, as map files have it`() {
    #expect(MemoryLayout<RoadAttributes>.size == 88)
    #expect(MemoryLayout<RoadAttributes>.stride == 88)
    var attributes = RoadAttributes()
    for mode in TravelMode.allCases {
      #expect(attributes.access(mode) == .no)
      attributes.setAccess(.destination, for: mode)
      #expect(attributes.access(mode) == .destination)
      #expect(attributes.freeFlowMps(mode) == 0)
    }
    #expect(attributes.speedLimitMps == nil && attributes.country == nil)
    attributes.speedLimitKmh = 255
    #expect(attributes.speedLimitMps == .infinity)
  }
}
