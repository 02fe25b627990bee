import DrawnMaps
import RoadAhead
import RoadGraph
import Testing

@Suite struct HorizonTests {
  private let drawing = """
        e
        |
    a---b---c-----------d
            |
            f---g
    """

  private func map() throws -> DrawnMap {
    try DrawnMap(
      drawing,
      ways: [
        "abcd": "highway=primary name=A", "be": "highway=residential",
        "cfg": "highway=residential name=B",
      ])
  }

  private func letters(_ tree: Horizon, level: Int, _ map: DrawnMap) -> [String] {
    tree.pieces.filter { $0.level == level }.map { map.letters([$0.edge]) }
  }

  @Test func `the tree has the main path and its side roads, EV-7`() throws {
    let map = try map()
    var drive = Drive(map)
    try drive.go("ab", upToM: 0)
    let tree = try #require(drive.horizons.last)
    #expect(letters(tree, level: 0, map) == ["ab", "bc", "cd"])
    #expect(Set(letters(tree, level: 1, map)) == ["be", "cg"])
    #expect(abs(tree.pieces[1].startM - 400) < 0.1)
    #expect(tree.current == 0)
    let side = try #require(tree.pieces.first { map.letters([$0.edge]) == "be" })
    #expect(side.parent == 0)
    #expect(abs(side.startM - 400) < 0.1)
    #expect((side.angleDeg ?? 0) < -80)
  }

  @Test func `likely ways are likely, and those at a junction make one, EV-7`() throws {
    let map = try map()
    let branches = LikelyRoad.branches(after: try map.edge("ab"), map.graph, mode: .car)
    #expect(branches.first.map { map.letters([$0.edge]) } == "bc")
    #expect((branches.first?.probability ?? 0) > 0.8)
    #expect(abs(branches.reduce(0) { $0 + $1.probability } - 1) < 1e-9)
  }

  @Test func `a forbidden turn is no way on, EV-7`() throws {
    let map = try DrawnMap(
      drawing,
      ways: [
        "abcd": "highway=primary name=A", "be": "highway=residential",
        "cfg": "highway=residential name=B",
      ], restrictions: ["ab b be": "no_left_turn"])
    let branches = LikelyRoad.branches(after: try map.edge("ab"), map.graph, mode: .car)
    #expect(branches.map { map.letters([$0.edge]) } == ["bc"])
  }

  @Test func `the tree is told when it is another, with what lies behind, EV-7`() throws {
    let map = try map()
    var drive = Drive(map)
    try drive.go("ab")
    #expect(drive.horizons.count == 1)
    try drive.go("bcd", upToM: 300)
    let tree = try #require(drive.horizons.last)
    #expect(letters(tree, level: 0, map) == ["ab", "bc", "cd"])
    #expect(tree.current == 1)
    #expect(tree.pieces[0].startM < -400)
    try drive.go("cd", upToM: 1100)
    // What lies more than 500 m behind is forgotten.
    #expect(drive.horizons.last.map { letters($0, level: 0, map) } == ["cd"])
  }

  @Test func `with a route the main path is the route, EV-7`() throws {
    let map = try map()
    var drive = Drive(map)
    try drive.follow("abcg")
    try drive.go("ab", upToM: 0)
    let tree = try #require(drive.horizons.last)
    #expect(letters(tree, level: 0, map).starts(with: ["ab", "bc", "cg"]))
    #expect(tree.pieces.filter { $0.level == 0 }.allSatisfy { $0.probability == 1 })
    #expect(letters(tree, level: 1, map).contains("cd"))
  }

  @Test func `a turn off makes another tree, EV-7`() throws {
    let map = try map()
    var drive = Drive(map)
    try drive.go("abe")
    #expect(drive.horizons.last.map { letters($0, level: 0, map) } == ["ab", "be"])
  }

  @Test func `no horizon is told where none is wanted, EV-7`() throws {
    var drive = Drive(try map())
    drive.settings.horizonM = 0
    try drive.go("abcd")
    #expect(drive.horizons.isEmpty)
  }

  @Test func `the way goes on over a saved state, EV-7 BUS-6`() throws {
    let map = try map()
    var drive = Drive(map)
    try drive.go("ab")
    let bytes = try JSONCoding.encode(drive.watch)
    var again = Drive(map)
    again.watch = try JSONCoding.decode(bytes)
    #expect(again.watch == drive.watch)
    try drive.go("bc")
    try again.go("bc")
    #expect(drive.horizons.last == again.horizons.last)
  }
}
