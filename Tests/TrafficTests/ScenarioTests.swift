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

  /// A town of straight streets, five by five, those from west to east with names.
  private static func grid() throws -> DrawnMap {
    let letters = Array("abcdefghijklmnopqrstuvwxyz")
    let size = 5
    var rows: [String] = []
    var ways: [(String, String)] = []
    for row in 0..<size {
      let own = (0..<size).map { letters[row * size + $0] }
      rows.append(own.map(String.init).joined(separator: "----"))
      if row + 1 < size { rows += ["", ""] }
      ways.append((String(own), "highway=residential name=Row \(row)"))
    }
    for column in 0..<size {
      ways.append(
        (String((0..<size).map { letters[$0 * size + column] }), "highway=residential"))
    }
    return try DrawnMap(rows.joined(separator: "\n"), ways: ways)
  }

  @Test(arguments: ["street", "street and box", "box", "line"])
  func `the cost of placing is linear in the events, TR-1`(kind: String) throws {
    let map = try Self.grid()
    let all = try #require(map.graph.boundingBox)
    func place(_ number: Int) throws -> ScenarioPlace {
      // No two places are equal.
      let at = Coordinate(
        latitudeDeg: all.southDeg + (all.northDeg - all.southDeg) * Double(number % 97) / 97,
        longitudeDeg: all.westDeg + (all.eastDeg - all.westDeg) * Double(number % 89) / 89)
      let box = try #require(BoundingBox(around: [at])).expanded(byM: 60 + Double(number) / 1000)
      let street = "Row \(number % 5)"
      switch kind {
      case "street": return ScenarioPlace(street: street, withinM: 20 + Double(number))
      case "street and box": return ScenarioPlace(street: street, box: box)
      case "box": return ScenarioPlace(box: box)
      default:
        let line = [at, at.moved(bearingDeg: 90, distanceM: 300)]
        return ScenarioPlace(line: line, withinM: 30)
      }
    }
    func examined(_ count: Int) throws -> Int {
      var placer = ScenarioPlacer(map.graph, index: SegmentIndex(map.graph))
      let events = try (0..<count).map { ScenarioEvent(atS: Double($0), place: try place($0)) }
      #expect(placer.pieces(of: events).count == count)
      return placer.examined
    }
    let (few, many) = (try examined(1000), try examined(4000))
    #expect(many <= 4 * few + few / 4)
    #expect(few <= 100 * 1000)
  }

  @Test func `a line is compared with the roads near each of its parts, TR-1`() throws {
    let map = try Self.grid()
    let (a, e) = (try map.coordinate("a"), try map.coordinate("e"))
    func examined(_ count: Int) -> (examined: Int, pieces: [ScenarioPiece]) {
      let line = (0...count).map { a.interpolated(to: e, fraction: Double($0) / Double(count)) }
      var placer = ScenarioPlacer(map.graph, index: SegmentIndex(map.graph))
      let found = placer.pieces(of: [ScenarioEvent(atS: 0, place: ScenarioPlace(line: line))])
      return (placer.examined, found[0])
    }
    let (plain, fine) = (examined(1), examined(400))
    #expect(plain.pieces == fine.pieces && plain.pieces.count == 4)
    // Each of 400 parts has a few roads near.
    #expect(fine.examined <= 400 * 8)
  }

  @Test func `events of one place share their pieces, TR-1`() throws {
    let map = try Self.map()
    let box = try #require(map.graph.boundingBox)
    let events = (0..<50).map { ScenarioEvent(atS: Double($0), place: ScenarioPlace(box: box)) }
    var placer = ScenarioPlacer(map.graph, index: SegmentIndex(map.graph))
    let all = placer.pieces(of: events)
    let count = placer.examined
    #expect(all.allSatisfy { $0 == all[0] } && !all[0].isEmpty)
    var single = ScenarioPlacer(map.graph, index: SegmentIndex(map.graph))
    _ = single.pieces(of: [events[0]])
    #expect(count == single.examined)
  }
}
