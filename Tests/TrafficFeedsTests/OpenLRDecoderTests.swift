import DrawnMaps
import Geodesy
import RoadGraph
import Testing

@testable import TrafficFeeds

/// Lines of publishers whose maps differ from ours: in classes, in junctions, in places and in lengths.
@Suite struct OpenLRDecoderTests {
  private func letters(_ map: DrawnMap, _ reference: OpenLRReference) throws -> String {
    map.letters(try OpenLRDecoder(on: map.graph).parts(reference).map(\.edge))
  }

  private func reference(
    _ map: DrawnMap, _ letters: String, at places: [Int]? = nil, movedM: Double = 0
  ) throws -> OpenLRReference {
    try OpenLRReference(
      base64: OpenLREncoder.base64(
        try map.edges(letters), on: map.graph, at: places, movedM: movedM))
  }

  private static func reason(_ body: () throws -> Void) -> String? {
    do {
      try body()
      return nil
    } catch {
      return (error as? FeedFault)?.description
    }
  }

  @Test(arguments: [
    "residential", "living_street", "service", "unclassified", "tertiary",
  ])
  func `five levels of roads call all streets level 4, TR-1`(word: String) throws {
    let map = try DrawnMap(
      "a------b------c\n       |\n       d",
      ways: ["abc": "highway=\(word)", "bd": "highway=\(word)"], cell: 20)
    var reference = try self.reference(map, "abc")
    for number in reference.points.indices {
      reference.points[number].roadClass = 4
      reference.points[number].leastClass = min(4, reference.points[number].leastClass)
    }
    #expect(try letters(map, reference) == "abc")
  }

  @Test func `a road that the publisher takes for an important one is found all the same, TR-1`()
    throws
  {
    let map = try DrawnMap(
      "a------b------c", ways: ["ab": "highway=residential", "bc": "highway=residential"], cell: 20)
    var reference = try self.reference(map, "abc")
    for number in reference.points.indices { reference.points[number].leastClass = 1 }
    #expect(try letters(map, reference) == "abc")
  }

  @Test(arguments: [0.0, 90, 180, 270])
  func `a point beside a junction means the junction, TR-1`(bearingDeg: Double) throws {
    let map = try DrawnMap(
      """
      f      g      h
      |      |      |
      a------b------c------d
      |      |      |
      i      j      k
      """,
      ways: [
        "abcd": "highway=secondary", "fai": "highway=residential", "gbj": "highway=residential",
        "hck": "highway=residential",
      ], cell: 20)
    var reference = try self.reference(map, "bc")
    for number in reference.points.indices {
      reference.points[number].at = reference.points[number].at.moved(
        bearingDeg: bearingDeg, distanceM: 9)
    }
    let parts = try OpenLRDecoder(on: map.graph).parts(reference)
    #expect(map.letters(parts.map(\.edge)) == "bc")
    #expect(parts.allSatisfy { $0.fromM == 0 && $0.toM == map.graph.lengthM($0.edge) })
  }

  @Test func `a point between two junctions of this map stays there, TR-1`() throws {
    let map = try DrawnMap(
      "a-------b-------c", ways: ["ab": "highway=secondary", "bc": "highway=secondary"], cell: 20)
    var reference = try self.reference(map, "abc")
    reference.points[0].at = try map.coordinate("a", "b", 0.5)
    reference.points[0].toNextM -= map.graph.lengthM(try map.edge("ab")) / 2
    let parts = try OpenLRDecoder(on: map.graph).parts(reference)
    #expect(map.letters(parts.map(\.edge)) == "abc")
    #expect(abs((parts.first?.fromM ?? 0) - map.graph.lengthM(try map.edge("ab")) / 2) < 2)
  }

  @Test func `a direction is measured across the junctions within its 20 m, TR-1`() throws {
    // The line goes 4 m east, then north: over 20 m it runs nearly north. The other street goes on to the east.
    let map = try DrawnMap(
      """
       d
       |
       |
       |
       |
       |
       |
       |
       |
       |
       |
       |
       |
      ab------------c
      """,
      ways: [
        "ab": "highway=residential", "bd": "highway=residential", "bc": "highway=residential",
      ],
      cell: 4)
    var reference = try self.reference(map, "abd")
    let a = try map.coordinate("a")
    let up = try map.coordinate("b").moved(bearingDeg: 0, distanceM: 16)
    reference.points[0].bearingDeg = a.bearingDeg(to: up)
    #expect(reference.points[0].bearingDeg < 20)
    #expect(try letters(map, reference) == "abd")
    // Back from the end it is 20 m of the street that was turned into.
    var back = try self.reference(map, "dba")
    back.points[1].bearingDeg = a.bearingDeg(to: up)
    #expect(try letters(map, back) == "dba")
  }

  @Test func `a length is known to its interval, which prefers no other road, TR-1`() throws {
    // The road next to it is as long as the middle of the interval, and 10 m farther away.
    let map = try DrawnMap(
      "a-------------------b\nc---------------------d",
      ways: ["ab": "highway=residential", "cd": "highway=residential"], cell: 10)
    var reference = try self.reference(map, "ab")
    reference.points[0].toNextM = map.graph.lengthM(try map.edge("cd"))
    reference.points[1].at = try map.coordinate("b").moved(bearingDeg: 90, distanceM: 10)
    #expect(try letters(map, reference) == "ab")
  }

  @Test func `a line comes round to the edge on which it began, TR-1`() throws {
    let map = try DrawnMap(
      "a--------b\n|        |\n|        |\nd--------c",
      ways: [
        "ab": "highway=residential oneway=yes", "bc": "highway=residential oneway=yes",
        "cd": "highway=residential oneway=yes", "da": "highway=residential oneway=yes",
      ], cell: 20)
    let edge = try map.edge("ab")
    let lengthM = map.graph.lengthM(edge)
    let whole = try map.edges("abcda").reduce(0) { $0 + map.graph.lengthM($1) }
    let (start, end) = (lengthM * 0.7, lengthM * 0.4)
    func point(_ offsetM: Double, _ turnDeg: Double) -> OpenLRReference.Point {
      OpenLRReference.Point(
        at: map.graph.coordinate(RoadPosition(edge: edge, offsetM: offsetM)), roadClass: 6, form: 3,
        bearingDeg: map.graph.bearingDeg(RoadPosition(edge: edge, offsetM: offsetM)) + turnDeg)
    }
    var reference = OpenLRReference(points: [point(start, 0), point(end, 180)])
    reference.points[1].bearingDeg = Angle.normalizedDeg(reference.points[1].bearingDeg)
    reference.points[0].toNextM = whole - start + end
    let parts = try OpenLRDecoder(on: map.graph).parts(reference)
    #expect(abs(parts.reduce(0) { $0 + $1.lengthM } - (whole - start + end)) < 1)
    #expect(parts.first?.edge == parts.last?.edge)
  }

  @Test func `reasons name the point without a road and the points without a path, TR-1`() throws {
    let map = try DrawnMap(
      "a------b\n\n\n\n\nc------d", ways: ["ab": "highway=primary", "cd": "highway=primary"],
      cell: 20)
    let good = try reference(map, "ab")
    let decoder = OpenLRDecoder(on: map.graph)
    var far = good
    far.points[1].at = far.points[1].at.moved(bearingDeg: 90, distanceM: 900)
    #expect(
      Self.reason { _ = try decoder.parts(far) }?.hasPrefix(
        "no road lies within 50 m of point 2 (") == true)
    var across = good
    across.points[0].bearingDeg = 0
    #expect(
      Self.reason { _ = try decoder.parts(across) }?.hasPrefix(
        "no road runs in the direction of point 1 (") == true)
    var apart = good
    apart.points[1].at = try map.coordinate("d")
    #expect(
      Self.reason { _ = try decoder.parts(apart) }?.hasSuffix("m joins points 1 and 2") == true)
    var empty = good
    (empty.positiveOffset, empty.negativeOffset) = (0.6, 0.6)
    #expect(
      Self.reason { _ = try decoder.parts(empty) } == "its offsets are longer than the line")
  }

  @Test func `an incident names the code and the reason of a line without a path, TR-1`() throws {
    let map = try DrawnMap("a------b", ways: ["ab": "highway=primary"], cell: 20)
    var place = FeedPlace(points: [try map.coordinate("a", "b", 0.5)])
    var lost = try reference(map, "ab")
    lost.points[0].toNextM = 900
    place.references = [lost]
    let placer = FeedPlacer(map.graph, index: SegmentIndex(map.graph))
    let placed = placer.place(FeedIncident(id: "works", kind: .construction, place: place))
    #expect(placed.notes.map(\.reason) == [.openLRWithoutPath])
    let note = try #require(placed.notes.first)
    #expect(note.place == "works")
    #expect(note.problem.contains(try #require(lost.code)))
    #expect(note.problem.hasSuffix("no path of 765 to 1035 m joins points 1 and 2"))
    // Its coordinates count.
    #expect(!placed.edges.isEmpty)
  }
}
