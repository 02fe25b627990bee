import DrawnMaps
import Foundations
import Geodesy
import RoadGraph
import Testing
import Traffic
import TrafficFeeds

@Suite struct FeedPlacerTests {
  private func place(
    _ place: FeedPlace, on map: DrawnMap, effect: FeedEffect = FeedEffect()
  ) -> PlacedIncident {
    FeedPlacer(map.graph, index: SegmentIndex(map.graph))
      .place(FeedIncident(id: "i", kind: .accident, place: place, effect: effect))
  }

  private func letters(_ placed: PlacedIncident, _ map: DrawnMap) -> [String] {
    placed.runs.map { map.letters($0) }
  }

  /// A street with three crossings, ten metres a character.
  private func street() throws -> DrawnMap {
    try DrawnMap(
      """
           e         f         g
           |         |         |
      a----b---------c---------d----h
           |         |         |
           i         j         k
      """,
      ways: [
        "abcdh": "highway=secondary name=Mill Lane ref=L 7", "ebi": "highway=tertiary",
        "fcj": "highway=residential", "gdk": "highway=residential",
      ], cell: 10)
  }

  @Test func `a line means the edges along it in its direction, and no crossing street, TR-1`()
    throws
  {
    let map = try street()
    let there = [try map.coordinate("a"), try map.coordinate("h")]
    #expect(letters(place(FeedPlace(lines: [there]), on: map), map) == ["abcdh"])
    #expect(letters(place(FeedPlace(lines: [there.reversed()]), on: map), map) == ["hdcba"])
    let against = FeedPlace(lines: [there], direction: .against)
    #expect(letters(place(against, on: map), map) == ["hdcba"])
    for direction in [FeedDirection.both, .road] {
      let both = FeedPlace(lines: [there], direction: direction)
      #expect(letters(place(both, on: map), map) == ["abcdh", "hdcba"])
    }
  }

  @Test func `a line that is drawn beside the road and ends in an edge means that edge too, TR-1`()
    throws
  {
    let map = try street()
    func beside(_ a: Character, _ b: Character, _ fraction: Double) throws -> Coordinate {
      try map.coordinate(a, b, fraction).moved(bearingDeg: 0, distanceM: 8)
    }
    // From the middle of bc to the middle of cd.
    let line = [try beside("b", "c", 0.5), try beside("c", "d", 0.5)]
    #expect(letters(place(FeedPlace(lines: [line]), on: map), map) == ["bcd"])
    // A few metres into the next edge are the feed's error, not the next edge.
    let short = [try beside("b", "c", 0.1), try beside("c", "d", 0.05)]
    #expect(letters(place(FeedPlace(lines: [short]), on: map), map) == ["bc"])
    // A line shorter than its edge.
    let inside = [try beside("b", "c", 0.4), try beside("b", "c", 0.6)]
    #expect(letters(place(FeedPlace(lines: [inside]), on: map), map) == ["bc"])
  }

  @Test func `a line around a corner follows the streets that it turns into, TR-1`() throws {
    let map = try street()
    let line = [
      try map.coordinate("a"), try map.coordinate("c"), try map.coordinate("j"),
    ]
    #expect(letters(place(FeedPlace(lines: [line]), on: map), map) == ["abcj"])
  }

  @Test func `of two carriageways a line means the one that runs its way, TR-1`() throws {
    let map = try DrawnMap(
      """
      b-------------------a
      d-------------------f
      """,
      ways: [
        "ab": "highway=motorway oneway=yes ref=A 1", "df": "highway=motorway oneway=yes ref=A 1",
      ], cell: 20)
    let east = [try map.coordinate("b"), try map.coordinate("a")]
    #expect(letters(place(FeedPlace(lines: [east]), on: map), map) == ["df"])
    // The whole road in both directions is one carriageway here; both ways are two.
    let road = FeedPlace(lines: [east], direction: .road)
    #expect(letters(place(road, on: map), map) == ["df"])
    let both = FeedPlace(lines: [east], direction: .both)
    #expect(letters(place(both, on: map), map) == ["df", "ab"])
  }

  @Test func `a ramp that leaves the line is not closed with it, TR-1`() throws {
    let map = try DrawnMap(
      """
      a----b--------------------c
            ------
                  -------
                         d
      """,
      ways: ["abc": "highway=motorway oneway=yes", "bd": "highway=motorway_link oneway=yes"],
      cell: 20)
    for end in ["c", "b"] as [Character] {
      let line = [try map.coordinate("a"), try map.coordinate(end)]
      let placed = place(FeedPlace(lines: [line]), on: map)
      #expect(placed.edges == (try map.edges(end == "c" ? "abc" : "ab")))
    }
    // Up to a hundred metres behind the fork the main road is still the likelier.
    let line = [try map.coordinate("a"), try map.coordinate("b", "c", 0.25)]
    #expect(place(FeedPlace(lines: [line]), on: map).edges == (try map.edges("abc")))
  }

  @Test func `a cycle track beside a road is not what a line means, TR-1`() throws {
    let map = try DrawnMap(
      """
      a-----------b
      c-----------d
      """, ways: ["ab": "highway=secondary", "cd": "highway=cycleway"], cell: 10)
    let line = [try map.coordinate("c"), try map.coordinate("d")]
    #expect(letters(place(FeedPlace(lines: [line]), on: map), map) == ["ab"])
  }

  @Test func `a gap in the map ends no line, and a line that mostly has no road is noted, TR-1`()
    throws
  {
    let map = try DrawnMap(
      "a---------b  c---------d", ways: ["ab": "highway=secondary", "cd": "highway=secondary"],
      cell: 20)
    let whole = place(
      FeedPlace(lines: [[try map.coordinate("a"), try map.coordinate("d")]]), on: map)
    #expect(whole.edges == (try map.edges("ab") + map.edges("cd")))
    #expect(whole.notes.isEmpty)
    let far = try map.coordinate("d").moved(bearingDeg: 90, distanceM: 900)
    let partly = place(FeedPlace(lines: [[try map.coordinate("c"), far]]), on: map)
    #expect(partly.edges == (try map.edges("cd")))
    #expect(partly.notes.map(\.reason) == [.partlyPlaced])
  }

  @Test func `between mere ends the shortest path is meant, whatever its course, TR-1`() throws {
    let map = try DrawnMap(
      """
      a----b
           |
           |
      d----c----e
      """,
      ways: ["abcd": "highway=secondary", "ce": "highway=secondary"], cell: 20)
    var ends = FeedPlace(lines: [[try map.coordinate("a"), try map.coordinate("d")]])
    #expect(place(ends, on: map).runs.isEmpty)
    ends.hasEndsOnly = true
    #expect(place(ends, on: map).edges == (try map.edges("acd")))
    ends.direction = .against
    #expect(place(ends, on: map).edges == (try map.edges("dca")))
    // Within one edge, forwards.
    let inside = [try map.coordinate("c", "e", 0.2), try map.coordinate("c", "e", 0.8)]
    ends = FeedPlace(lines: [inside])
    ends.hasEndsOnly = true
    #expect(place(ends, on: map).edges == (try map.edges("ce")))
    // Nothing leads there.
    let far = try map.coordinate("e").moved(bearingDeg: 90, distanceM: 3000)
    ends.lines = [[try map.coordinate("a"), far]]
    let nowhere = place(ends, on: map)
    #expect(nowhere.runs.isEmpty)
    #expect(nowhere.notes.map(\.reason) == [.noRoadNear])
  }

  // MARK: Points

  @Test func `a point means the nearest road, both ways unless a bearing says which, TR-1`() throws
  {
    let map = try street()
    let point = try map.coordinate("b", "c", 0.5).moved(bearingDeg: 0, distanceM: 12)
    #expect(letters(place(FeedPlace(points: [point]), on: map), map) == ["bc", "cb"])
    let west = FeedPlace(points: [point], bearingDeg: 265)
    #expect(letters(place(west, on: map), map) == ["cb"])
    // No road near leads north.
    let north = place(
      FeedPlace(points: [try map.coordinate("b", "c", 0.5)], bearingDeg: 0), on: map)
    #expect(north.runs.isEmpty)
    #expect(north.notes.map(\.reason) == [.noRoadNear])
  }

  @Test func `at a junction a point means the most important road, or the one of its number, TR-1`()
    throws
  {
    let map = try DrawnMap(
      """
           e
           |
      a----b----c
           |
           d
      """, ways: ["abc": "highway=tertiary ref=B 2", "ebd": "highway=primary ref=A 1;E 5"],
      cell: 20)
    var point = FeedPlace(points: [try map.coordinate("b")])
    #expect(
      place(point, on: map).edges.allSatisfy {
        (try? map.edges("ebd").contains($0)) == true
          || (try? map.edges("dbe").contains($0)) == true
      })
    point.roadNumber = "b2"
    #expect(
      place(point, on: map).edges.allSatisfy {
        (try? map.edges("abc").contains($0)) == true
          || (try? map.edges("cba").contains($0)) == true
      })
    point.roadNumber = "e-5"
    #expect(place(point, on: map).edges.count == 2)
  }

  @Test func `a slip road is not the road beside it, TR-1`() throws {
    let map = try DrawnMap(
      """
      a---------b---------c
           d---------e
      """,
      ways: ["abc": "highway=motorway oneway=yes", "de": "highway=motorway_link oneway=yes"],
      cell: 20)
    var place = FeedPlace(points: [try map.coordinate("b")])
    place.isSlipRoad = true
    #expect(self.place(place, on: map).edges == (try map.edges("de")))
  }

  @Test func `what lies off the map or beside all roads keeps its coordinates, TR-1`() throws {
    let map = try street()
    let far = try map.coordinate("a").moved(bearingDeg: 270, distanceM: 5000)
    let off = place(FeedPlace(points: [far]), on: map)
    #expect(off.runs.isEmpty)
    #expect(off.anchor == far)
    #expect(off.notes.map(\.reason) == [.offMap])
    #expect(off.notes.first?.place == "i")
    let road = try map.coordinate("a")
    let line = [road, road.moved(bearingDeg: 20, distanceM: 1)]
    #expect(
      place(FeedPlace(lines: [line.map { $0.moved(bearingDeg: 0, distanceM: 45) }]), on: map)
        .notes.map(\.reason) == [.noRoadNear])
  }

  @Test func `an area means the roads whose middle lies in it, and holes are no part of it, TR-1`()
    throws
  {
    let map = try street()
    func ring(_ north: Double, _ south: Double, _ west: Character, _ east: Character) throws
      -> [Coordinate]
    {
      let (a, b) = (try map.coordinate(west), try map.coordinate(east))
      return [
        a.moved(bearingDeg: 0, distanceM: north), b.moved(bearingDeg: 0, distanceM: north),
        b.moved(bearingDeg: 180, distanceM: south), a.moved(bearingDeg: 180, distanceM: south),
        a.moved(bearingDeg: 0, distanceM: north),
      ]
    }
    var place = FeedPlace()
    place.areas = [[try ring(5, 5, "b", "h")]]
    #expect(
      Set(self.place(place, on: map).edges)
        == Set(try map.edges("bcdh") + map.edges("hdcb")))
    place.areas = [[try ring(5, 5, "b", "h"), try ring(3, 3, "c", "d")]]
    #expect(
      Set(self.place(place, on: map).edges)
        == Set(try map.edges("bc") + map.edges("cb") + map.edges("dh") + map.edges("hd")))
  }

  @Test func `segments count before coordinates, and those that the map has not are noted, TR-1`()
    throws
  {
    let map = try street()
    var place = FeedPlace(points: [try map.coordinate("k")])
    place.segments = [
      map.graph.reference(try map.edge("bc")), SegmentReference(way: 1, from: 2, to: 3),
    ]
    let placed = self.place(place, on: map)
    #expect(placed.edges == (try map.edges("bc")))
    #expect(placed.notes.map(\.reason) == [.unknownSegment])
  }

  @Test func `segments may begin and end between junctions, TR-1`() throws {
    // The edge a to d has two nodes between.
    let map = try DrawnMap(
      "abcd-e", ways: ["abcd": "highway=secondary", "de": "highway=secondary"])
    let way = try map.way("abcd")
    var place = FeedPlace()
    place.segments = [
      SegmentReference(way: way, from: try map.osmID("b"), to: try map.osmID("c")),
      SegmentReference(way: way, from: try map.osmID("c"), to: try map.osmID("e")),
    ]
    let placed = self.place(place, on: map, effect: FeedEffect(speedMps: 3))
    #expect(placed.edges == [try map.edge("ad")])
    #expect(placed.notes.map(\.reason) == [.unknownSegment])
    #expect(placed.notes.first?.problem.contains("the first is [\(way), ") == true)
    let flow = placed.flow(on: map.graph)
    #expect(flow.map(\.segment) == [place.segments[0]])
    let part = try #require(placed.parts(on: map.graph).first?.first?.part)
    #expect(abs(part.fromM - 100) < 1 && abs(part.toM - 200) < 1)
    // A delay is one of the named part, not of its edge.
    var slow = FeedPlace()
    slow.segments = [place.segments[0]]
    let delayed = self.place(slow, on: map, effect: FeedEffect(delayS: 50)).flow(on: map.graph)
    let free = map.graph.attributes(try map.edge("ad")).freeFlowMps(.car)
    let mps = try #require(delayed.first?.state.measuredSpeedMps)
    #expect(abs(part.lengthM / mps - part.lengthM / free - 50) < 0.1)
  }

  // MARK: Speeds

  @Test func `limits, lanes and delays slow a road down, an observed speed counts alone, TR-1`()
    throws
  {
    let map = try street()
    let line = [try map.coordinate("b"), try map.coordinate("d")]
    let freeFlowMps = map.graph.attributes(try map.edge("bc")).freeFlowMps(.car)
    func speeds(_ effect: FeedEffect) -> [Double] {
      place(FeedPlace(lines: [line]), on: map, effect: effect).flow(on: map.graph).map {
        $0.state.speedMps(freeFlowMps: freeFlowMps, mode: .car)
      }
    }
    #expect(speeds(FeedEffect(isClosed: true)).isEmpty)
    #expect(speeds(FeedEffect()).isEmpty)
    #expect(speeds(FeedEffect(speedLimitMps: 100)).isEmpty)
    #expect(speeds(FeedEffect(speedLimitMps: 5)) == [5, 5])
    #expect(speeds(FeedEffect(speedLimitMps: 5, speedMps: 9)) == [9, 9])
    let lanes = speeds(FeedEffect(lanesClosed: 1, lanesOpen: 1))
    #expect(lanes.count == 2)
    #expect(lanes.allSatisfy { abs($0 - 0.8 * freeFlowMps) < 1e-9 })
    // Both edges together take as many seconds longer as the feed says.
    let delayed = speeds(FeedEffect(delayS: 30))
    let lengths = try map.edges("bcd").map { map.graph.lengthM($0) }
    let freeS = lengths.reduce(0, +) / freeFlowMps
    let takenS = zip(lengths, delayed).reduce(0) { $0 + $1.0 / $1.1 }
    #expect(abs(takenS - freeS - 30) < 1e-6)
    let sources = place(
      FeedPlace(lines: [line]), on: map, effect: FeedEffect(lanesClosed: 1)
    ).flow(on: map.graph).map(\.state.source)
    #expect(sources == [.predicted, .predicted])
  }
}
