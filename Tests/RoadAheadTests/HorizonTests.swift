import DrawnMaps
import RoadGraph
import Testing

@testable import RoadAhead

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

  @Test func `the tree is reported when it is another, with what lies behind, EV-7`() throws {
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

  // Four roads meet at a roundabout; one comes by `a`.
  private func ring(_ ways: [(String, String)]) throws -> DrawnMap {
    try DrawnMap(
      """
              n
              |
            f-e-d
            |   |
      a-----g   c-----b
            |   |
            h-i-j
              |
              s
      """, ways: ways + [("ghijcdefg", "highway=primary junction=roundabout")], cell: 20)
  }

  @Test func `without a route a roundabout is left by the likeliest exit, EV-7`() throws {
    let straight = try ring([
      ("ag", "highway=primary name=A"), ("cb", "highway=primary name=B"), ("en", ""), ("is", ""),
    ])
    var drive = Drive(straight)
    try drive.go("ag", upToM: 0)
    #expect(
      letters(try #require(drive.horizons.last), level: 0, straight) == ["ag", "gi", "ic", "cb"])
    // The name goes on to the left: three quarters round.
    let left = try ring([
      ("ag", "highway=primary name=A"), ("cb", "highway=residential"),
      ("en", "highway=primary name=A"), ("is", ""),
    ])
    var other = Drive(left)
    try other.go("ag", upToM: 0)
    #expect(
      letters(try #require(other.horizons.last), level: 0, left) == ["ag", "gi", "ic", "ce", "en"])
    // Who drives past the exit that was thought of takes another, and never goes back to it.
    var past = Drive(straight)
    try past.go("agice", upToM: 320)
    #expect(
      letters(try #require(past.horizons.last), level: 0, straight).starts(with: [
        "ag", "gi", "ic", "ce", "en",
      ]))
  }

  @Test func `a way that comes back to itself ends there, EV-7`() throws {
    let closed = try ring([("ag", "highway=primary oneway=yes")])
    var drive = Drive(closed)
    try drive.go("ag", upToM: 0)
    let edges = try #require(drive.horizons.last).pieces.filter { $0.level == 0 }.map(\.edge)
    #expect(Set(edges).count == edges.count)
    #expect(edges.count > 1)
    // Round a block of one-way streets without a way out.
    let block = try DrawnMap(
      """
      a--b
      |  |
      d--c
      """, ways: ["abcda": "oneway=yes highway=service", "ac": "oneway=yes highway=service"]
    )
    var around = Drive(block)
    try around.go("ac", upToM: 0)
    let way = try #require(around.horizons.last).pieces.filter { $0.level == 0 }.map(\.edge)
    #expect(Set(way).count == way.count)
  }

  @Test func `a cycle of edges of no length has an end, EV-7`() throws {
    let map = try DrawnMap(
      """
      a--b
      |  |
      d--c
      """, ways: ["abcda": "oneway=yes highway=service", "ac": "oneway=yes highway=service"]
    )
    var columns = map.graph.columns
    columns.lengthMM = Column(columns.lengthMM.records.map { _ in 0 })
    let graph = try RoadGraph(columns: columns, hash: 1)
    var drive = Drive(map, graph: graph)
    drive.place(try map.edge("ac"), 0)
    let tree = try #require(drive.horizons.last)
    #expect(tree.pieces.count <= 2 * graph.edgeCount)
  }

  @Test func `the tree is reported whenever building it for each place would tell it, EV-7`() throws
  {
    let map = try InvariantTests.town()
    var drive = Drive(map)
    var reported: [EdgeID] = []
    var built = 0
    var number = 0
    // Round the town, in steps shorter than its streets, and by a route in the end.
    for (letters, route) in [("abcdhlkjiea", nil), ("abfjkgc", nil), ("cghl", "cghl")] {
      if let route { try drive.follow(route) }
      for edge in try map.edges(letters) {
        for offsetM in stride(from: 0, to: map.graph.lengthM(edge), by: 7) {
          let before = drive.horizons.count
          let window = drive.watch.reportedWindow
          drive.place(edge, offsetM)
          let path = try #require(drive.watch.path)
          let tree = path.horizon(
            map.graph, mode: drive.mode, aheadM: drive.settings.horizonM,
            sideM: drive.settings.horizonSideM, trailM: drive.settings.trailM)
          let edges = tree.pieces.map(\.edge)
          #expect(
            drive.horizons.count - before == (edges == reported ? 0 : 1), "\(letters) \(number)")
          reported = edges
          number += 1
          built += drive.watch.reportedWindow == window ? 0 : 1
        }
      }
    }
    #expect(built * 5 < number, "\(built) trees for \(number) places")
  }

  @Test func `no horizon is reported where none is wanted, EV-7`() throws {
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
