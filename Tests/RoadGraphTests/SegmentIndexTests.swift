import DrawnMaps
import RoadGraph
import Testing

@Suite struct SegmentIndexTests {
  @Test func `every edge is found by the reference that names it, and only it`() throws {
    let map = try DrawnMap(
      """
      a--b--c
         |  |
         d--e
      """,
      ways: ["abc": "", "bde": "highway=primary oneway=yes", "ec": "highway=service"])
    let (index, hashed) = (SegmentIndex(map.graph), SegmentIndex(map.graph, isHashed: true))
    for number in 0..<map.graph.edgeCount {
      let edge = EdgeID(number)
      #expect(index.edge(map.graph.reference(edge)) == edge)
      #expect(hashed.edge(map.graph.reference(edge)) == edge)
      #expect(index.edges(ofWay: map.graph.reference(edge).way).contains(edge))
    }
  }

  @Test func `against a one-way road there is no edge`() throws {
    let map = try DrawnMap("a--b", ways: ["ab": "highway=primary oneway=yes foot=no bicycle=no"])
    let index = SegmentIndex(map.graph)
    let along = map.graph.reference(try map.edge("ab"))
    #expect(index.edge(along) != nil)
    #expect(
      map.graph.twin(try map.edge("ab")).map { map.graph.attributes($0).access(.car) } ?? .no == .no
    )
  }

  @Test func `a way that the map has not gives nothing`() throws {
    let map = try DrawnMap("a--b", ways: ["ab": ""])
    let index = SegmentIndex(map.graph)
    #expect(index.edges(ofWay: 1).isEmpty)
    #expect(index.edges(ofWay: .max).isEmpty)
    #expect(index.edge(SegmentReference(way: 1001, from: 1, to: 2)) == nil)
  }

  @Test(arguments: 0..<10 as Range<UInt64>)
  func `a hashed index finds what a search finds`(seed: UInt64) throws {
    let graph = try RandomMap.graph(seed: seed)
    let (index, hashed) = (SegmentIndex(graph), SegmentIndex(graph, isHashed: true))
    for number in 0..<graph.edgeCount {
      var reference = graph.reference(EdgeID(number))
      #expect(hashed.edge(reference) == index.edge(reference))
      reference.to += 1
      #expect(hashed.edge(reference) == index.edge(reference))
    }
  }

}
