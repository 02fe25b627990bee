import DrawnMaps
import RoadGraph
import Testing

@testable import MapMaking

/// Squares, platforms, piers and car parks: walked across, not only round.
@Suite struct AreaTests {
  /// A square a-b-c-d with walks from its west and east sides.
  private static func square(
    _ tags: String, walks: String = "highway=footway", isMultipolygon: Bool = false
  ) throws -> (map: DrawnMap, made: MapMakingResult) {
    let map = try DrawnMap(
      """
          d-------c
          |       |
      x---w       e---y
          |       |
          a-------b
      """,
      ways: ["xw": walks, "ey": walks, "abecdwa": tags], cell: 10)
    guard isMultipolygon else { return (map, try GraphMaker.make(map.data)) }
    var data = map.data
    let border = data.ways[2]
    data.ways[2].tags = [:]
    var all = border.tags
    all["type"] = "multipolygon"
    data.relations = [
      OSMRelation(id: 9, members: [OSMMember(.way, border.id, role: "outer")], tags: all)
    ]
    return (map, try GraphMaker.make(data))
  }

  /// Metres of the shortest piece of road from one letter to another; nil for none.
  private static func lengthM(_ made: MapMakingResult, _ from: Character, _ to: Character) throws
    -> Double?
  {
    let graph = try made.graph()
    let (a, b) = (id(from), id(to))
    return (0..<graph.edgeCount).map { EdgeID($0) }.filter {
      graph.columns.nodeOSM[graph.tail($0).index] == a
        && graph.columns.nodeOSM[graph.head($0).index] == b
    }.map { graph.lengthM($0) }.min()
  }

  private static func id(_ letter: Character) -> Int64 {
    Int64(letter.unicodeScalars.first?.value ?? 0)
  }

  @Test(arguments: [
    "highway=pedestrian area=yes", "highway=footway area=yes", "railway=platform",
    "highway=platform", "public_transport=platform", "man_made=pier", "amenity=parking",
    "highway=service area=yes",
  ])
  func `an area is walked across between its entrances, RT-8`(tags: String) throws {
    for isMultipolygon in [false, true] {
      let (map, made) = try Self.square(tags, isMultipolygon: isMultipolygon)
      let across = try #require(try Self.lengthM(made, "w", "e"), "\(tags) \(isMultipolygon)")
      #expect(abs(across - 80) < 1)
      #expect(made.report.areas == 1)
      let graph = try made.graph()
      let onArea = (0..<graph.edgeCount).map { EdgeID($0) }
        .filter { graph.columns.way($0) == (try? map.way("abecdwa")) }
      #expect(!onArea.isEmpty)
      #expect(onArea.allSatisfy { graph.attributes($0).access(.pedestrian) == .yes })
      #expect(onArea.allSatisfy { !graph.attributes($0).access(.car).allowsThrough })
      // A reference names one piece.
      let names = onArea.map { graph.reference($0) }
      #expect(Set(names).count == names.count)
    }
  }

  @Test func `a platform or pier that is a line is walked along, RT-8`() throws {
    for tags in ["railway=platform", "highway=platform", "man_made=pier"] {
      let map = try DrawnMap(
        "x--a--b--y",
        ways: ["xa": "highway=footway", "ab": tags, "by": "highway=footway"])
      #expect(map.graph.edgeCount == 6, "\(tags)")
    }
  }

  @Test func `areas that nothing leads to, and car parks with one entrance, are left out, RT-8`()
    throws
  {
    let alone = try DrawnMap(
      """
      x-----y   d-c
                | |
                a-b
      """, ways: ["xy": "highway=footway", "abcda": "railway=platform"])
    #expect(alone.graph.edgeCount == 2)
    #expect(alone.report.areasUnconnected == 1)
    let parking = try DrawnMap(
      """
      x-----d-c
            | |
            a-b
      """, ways: ["xd": "highway=footway", "abcda": "amenity=parking"])
    #expect(parking.graph.edgeCount == 2)
    #expect(!(RoadKind(["amenity": "parking", "parking": "underground"]) != nil))
    #expect(RoadKind(["amenity": "parking", "building": "yes"]) == nil)
  }

  @Test func `sight goes round corners, RT-8`() throws {
    let bent = try DrawnMap(
      """
      m
      |
      x--d
      |  |
      |  c-----y--n
      |        |
      a--------b
      """,
      ways: [
        "mx": "highway=footway", "yn": "highway=footway", "axdcyba": "highway=pedestrian area=yes",
      ], cell: 10)
    let made = try GraphMaker.make(bent.data)
    #expect(try Self.lengthM(made, "x", "y") == nil)
    let corner = try #require(try Self.lengthM(made, "x", "c"))
    #expect(abs(corner - 36) < 1)
    #expect(try Self.lengthM(made, "c", "y") != nil)
  }

  @Test func `sight goes round holes, RT-8`() throws {
    let map = try DrawnMap(
      """
          d-----------c
          |   h---g   |
      x---w   |   |   e---y
          |   i---f   |
          a-----------b
      """,
      ways: [
        "xw": "highway=footway", "ey": "highway=footway", "abecdwa": "highway=none",
        "fghif": "highway=none",
      ], cell: 10)
    var data = map.data
    data.ways[2].tags = [:]
    data.ways[3].tags = [:]
    data.relations = [
      OSMRelation(
        id: 9,
        members: [
          OSMMember(.way, data.ways[2].id, role: "outer"),
          OSMMember(.way, data.ways[3].id, role: "inner"),
        ], tags: ["type": "multipolygon", "highway": "pedestrian"])
    ]
    let made = try GraphMaker.make(data)
    // Round the border only.
    #expect(try Self.lengthM(made, "w", "e") ?? .infinity > 150)
    for (a, b) in [("w", "h"), ("w", "i"), ("g", "e"), ("f", "e")] as [(Character, Character)] {
      #expect(try Self.lengthM(made, a, b) != nil, "\(a)\(b)")
    }
    // Nobody walks through the fountain.
    #expect(try Self.lengthM(made, "h", "f") == nil)
    #expect(try Self.lengthM(made, "w", "g") == nil)
  }
}
