import DrawnMaps
import Foundations
import Geodesy
import RoadGraph
import Testing

@Suite struct SpatialIndexTests {
  @Test(arguments: 0..<15 as Range<UInt64>)
  func `the index finds the pieces that a look at each finds`(seed: UInt64) throws {
    let graph = try RandomMap.graph(seed: seed)
    var random = SplitMix64(seed: seed ^ 0x55)
    for _ in 0..<20 {
      let corner = RandomMap.middle.moved(
        bearingDeg: .random(in: 0..<360, using: &random),
        distanceM: .random(in: 0...2500, using: &random))
      let area = try #require(BoundingBox(around: [corner]))
        .expanded(byM: .random(in: 1...800, using: &random))
      var found: [Int] = []
      graph.forEachPiece(in: area) { found.append($0) }
      let expected = (0..<graph.pieceCount).filter { piece in
        let shape = graph.shape(graph.columns.pieceEdge[piece])
        return BoundingBox(around: shape)?.intersects(area) == true
      }
      #expect(found.sorted() == expected)
    }
  }

  @Test(arguments: 0..<15 as Range<UInt64>)
  func `what is reported around a piece without decoding it holds the whole of it`(seed: UInt64)
    throws
  {
    let graph = try RandomMap.graph(seed: seed)
    let everything = try #require(graph.boundingBox).expanded(byM: 10)
    var found = 0
    var (reported, exact) = (0.0, 0.0)
    graph.forEachPiece(around: everything) { piece, box in
      found += 1
      let shape = graph.shape(graph.columns.pieceEdge[piece])
      for point in shape {
        #expect(Double(box.south) <= (point.latitudeDeg * 1e7).rounded())
        #expect(Double(box.north) >= (point.latitudeDeg * 1e7).rounded())
        #expect(Double(box.west) <= (point.longitudeDeg * 1e7).rounded())
        #expect(Double(box.east) >= (point.longitudeDeg * 1e7).rounded())
      }
      guard let own = BoundingBox(around: shape) else { return }
      reported += Double(Int64(box.north) - Int64(box.south)) / 1e7
      exact += own.northDeg - own.southDeg
    }
    #expect(found == graph.pieceCount)
    // Rounded to 255ths of sixteen pieces together, it is little more.
    #expect(reported < 1.2 * exact)
  }

  @Test(arguments: 0..<15 as Range<UInt64>)
  func `the nearest edges are those of brute force, in its order`(seed: UInt64) throws {
    let graph = try RandomMap.graph(seed: seed)
    var random = SplitMix64(seed: seed ^ 0x77)
    for _ in 0..<20 {
      let place = RandomMap.middle.moved(
        bearingDeg: .random(in: 0..<360, using: &random),
        distanceM: .random(in: 0...2200, using: &random))
      let radius = Double.random(in: 5...300, using: &random)
      let near = graph.edges(near: place, withinM: radius)
      let plane = LocalPlane(origin: place)
      let expected = (0..<graph.edgeCount).map { EdgeID($0) }.filter { edge in
        (graph.nearestPoint(on: edge, plane: plane)?.distanceM ?? .infinity) <= radius
      }
      #expect(Set(near.map(\.position.edge)) == Set(expected))
      #expect(near.count == expected.count)
      #expect(zip(near, near.dropFirst()).allSatisfy { $0.distanceM <= $1.distanceM })
      for edge in near {
        let line = Polyline(graph.shape(edge.position.edge))
        let projection = try #require(line.projection(of: place))
        #expect(abs(projection.distanceM - edge.distanceM) < 0.05)
        // The plane around the place bends long edges a little: within a ten-thousandth.
        let slackM = 0.05 + graph.lengthM(edge.position.edge) / 10_000
        #expect(graph.coordinate(edge.position).distanceM(to: edge.coordinate) < slackM)
        #expect(edge.position.offsetM >= 0)
        #expect(edge.position.offsetM <= graph.lengthM(edge.position.edge) + 0.001)
      }
    }
  }

  @Test func `a place that is none finds nothing`() throws {
    let map = try DrawnMap("a--b", ways: ["ab": ""])
    let nowhere = Coordinate(latitudeDeg: .nan, longitudeDeg: 0)
    #expect(map.graph.edges(near: nowhere, withinM: 100).isEmpty)
    #expect(map.graph.edges(near: try map.coordinate("a"), withinM: -1).isEmpty)
    #expect(map.graph.edges(near: try map.coordinate("a"), withinM: .nan).isEmpty)
  }

  @Test func `both directions of a road are found, with opposite bearings`() throws {
    let map = try DrawnMap("a--b", ways: ["ab": ""])
    let near = map.graph.edges(near: try map.coordinate("a", "b", 0.25), withinM: 10)
    #expect(
      near.map(\.position.edge).sorted() == [try map.edge("ab"), try map.edge("ba")].sorted())
    #expect(near.count == 2)
    if near.count == 2 {
      #expect(Angle.differenceDeg(near[0].bearingDeg, near[1].bearingDeg) == 180)
      let sum = near[0].position.offsetM + near[1].position.offsetM
      #expect(abs(sum - map.graph.lengthM(try map.edge("ab"))) < 0.001)
    }
  }
}
