import DrawnMaps
import Foundations
import Geodesy
import RoadAhead
import RoadGraph
import Route
import Testing

@Suite struct WarningTests {
  /// A straight road of 100 m a letter, with something at a node.
  static func road(
    _ letters: String, _ tags: String = "highway=primary name=A",
    nodes: KeyValuePairs<String, String> = [:], cell: Double = 100
  ) throws -> DrawnMap {
    try DrawnMap(
      String(letters.flatMap { [$0, "-"] }.dropLast()), ways: [letters: tags], nodes: nodes,
      // A little less, so that rounding puts nothing beyond the distance that is looked ahead.
      cell: cell / 2 * 0.9998)
  }

  static let points: [(String, String, WarningKind)] = [
    ("signals", "highway=traffic_signals", .trafficSignals),
    ("a stop sign", "highway=stop direction=forward", .stopSign),
    ("a give-way sign", "highway=give_way direction=forward", .giveWay),
    ("a camera", "highway=speed_camera", .safetyCamera),
    ("a level crossing", "railway=level_crossing", .railwayCrossing),
    ("a toll booth", "barrier=toll_booth", .tollStop),
    ("a bump", "traffic_calming=bump", .speedBump),
    ("a sign of danger", "hazard=animal_crossing", .roadSign),
  ]

  @Test(arguments: points)
  func `a point says ahead once, then passed, EV-4`(
    name: String, tags: String, kind: WarningKind
  ) throws {
    var drive = Drive(try Self.road("abcdefghij", nodes: ["h": tags]))
    try drive.go("aj")
    #expect(drive.words == ["\(kind.rawValue) ahead 500", "\(kind.rawValue) passed"], "\(name)")
    #expect(drive.reported.first?.object.id == drive.reported.last?.object.id)
  }

  @Test("walkers and cyclists are not warned of what only drivers meet, EV-4")
  func modes() throws {
    func kinds(_ mode: TravelMode) throws -> Set<WarningKind> {
      let nodes = Self.points.map { $0.1 }
      let map = try DrawnMap(
        "a--b--c--d--e--f--g--h--i--j",
        ways: [("abcdefghij", "highway=tertiary name=A maxspeed=30 maxheight=3")],
        nodes: zip("bcdefghi", nodes).map { (String($0), $1) }, cell: 30)
      var drive = Drive(map)
      drive.mode = mode
      try drive.go("aj")
      return Set(drive.reported.map(\.object.kind))
    }
    #expect(try kinds(.pedestrian) == [.railwayCrossing])
    #expect(
      try kinds(.bicycle) == [
        .railwayCrossing, .roadSign, .trafficSignals, .stopSign, .giveWay, .speedBump,
      ])
    #expect(
      try kinds(.car).isSuperset(of: [.safetyCamera, .tollStop, .lowSpeedZone, .truckRestriction]))
  }

  static let zones: [(String, String, WarningKind)] = [
    ("a school", "hazard=school_zone", .schoolZone),
    ("a slow street", "maxspeed=30", .lowSpeedZone),
    ("a tunnel", "tunnel=yes", .tunnel), ("a low bridge", "maxheight=3.8", .truckRestriction),
  ]

  @Test(arguments: zones)
  func `a zone says ahead, reached, passed, EV-4`(
    name: String, tags: String, kind: WarningKind
  ) throws {
    let map = try DrawnMap(
      "a---------b---c---d",
      ways: [
        "ab": "highway=tertiary name=A", "bc": "highway=tertiary name=A \(tags)",
        "cd": "highway=tertiary name=A",
      ])
    var drive = Drive(map, kinds: [kind])
    try drive.go("abcd")
    let word = kind.rawValue
    #expect(
      drive.words == ["\(word) ahead 500", "\(word) reached", "\(word) passed"], "\(name)")
    let length = drive.reported.first.map { ($0.object.endM ?? 0) - $0.object.startM } ?? 0
    #expect(abs(length - 400) < 1)
  }

  @Test func `a low bridge says how high it is, EV-4`() throws {
    let map = try DrawnMap(
      "a--b-c--d",
      ways: [
        "ab": "highway=tertiary", "bc": "highway=tertiary maxheight=3.8 maxweight=7.5",
        "cd": "highway=tertiary",
      ])
    var drive = Drive(map, kinds: [.truckRestriction])
    drive.mode = .truck
    try drive.go("abcd")
    #expect(drive.reported.first?.object.text == "height 3.8 m, weight 7.5 t")
  }

  static let distances: [(Double?, Double)] = [
    (50 / 3.6, 500), (60 / 3.6, 750), (99 / 3.6, 750), (100 / 3.6, 1500), (.infinity, 1500),
    // Where no limit is known the speed of 13 m/s decides.
    (nil, 500),
  ]

  @Test(arguments: distances)
  func `how far ahead one warns goes by the limit, EV-4`(limit: Double?, aheadM: Double) throws {
    var drive = Drive(
      try Self.road("abcdefghijklmnopqrstuv", nodes: ["u": "highway=traffic_signals"]))
    try drive.go("av", stepM: 10, limitMps: limit)
    #expect(drive.words == ["traffic_signals ahead \(Int(aheadM))", "traffic_signals passed"])
  }

  @Test func `no second of a kind before the first has ended, EV-4`() throws {
    // 120 and 160 m ahead: said as 120, and from the first as 40.
    let map = try DrawnMap(
      "a-----b-c-d", ways: ["abcd": "highway=primary"],
      nodes: ["b": "highway=speed_camera", "c": "highway=speed_camera"], cell: 20)
    var drive = Drive(map)
    try drive.go("abcd")
    #expect(
      drive.words == [
        "safety_camera ahead 120", "safety_camera passed", "safety_camera ahead 40",
        "safety_camera passed",
      ])
  }

  @Test func `other kinds do not wait for each other, EV-4`() throws {
    let map = try DrawnMap(
      "a---b-c-d", ways: ["abcd": "highway=primary"],
      nodes: ["b": "highway=speed_camera", "c": "railway=level_crossing"])
    var drive = Drive(map)
    try drive.go("abcd", upToM: 300)
    #expect(drive.words == ["safety_camera ahead 400", "railway_crossing ahead 500"])
  }

  @Test func `who starts in a zone is reported that it is reached, EV-4`() throws {
    var drive = Drive(try Self.road("ab", "highway=tertiary maxspeed=30"), kinds: [.lowSpeedZone])
    try drive.go("ab", upToM: 60)
    #expect(drive.words == ["low_speed_zone reached"])
  }

  @Test func `what is turned away from is cancelled, EV-4`() throws {
    let map = try DrawnMap(
      """
      a---b---c---d
          |
          e
      """, ways: ["abcd": "highway=primary name=A", "be": "highway=residential"],
      nodes: ["c": "highway=traffic_signals"])
    var drive = Drive(map)
    try drive.go("ab")
    #expect(drive.words == ["traffic_signals ahead 500"])
    try drive.go("be")
    #expect(drive.words.last == "traffic_signals cancelled")
    #expect(drive.reported.count == 2)
  }

  @Test func `a zone that is left by a side street is passed, EV-4`() throws {
    let map = try DrawnMap(
      """
      a---b---c---d
              |
              e
      """,
      ways: [
        "ab": "highway=tertiary name=A", "bcd": "highway=tertiary name=A maxspeed=30",
        "ce": "highway=tertiary name=B",
      ])
    var drive = Drive(map, kinds: [.lowSpeedZone])
    try drive.go("abce")
    #expect(
      drive.words == [
        "low_speed_zone ahead 400", "low_speed_zone reached", "low_speed_zone passed",
      ])
  }

  @Test func `sparse places pass what lies between them, EV-4`() throws {
    let map = try DrawnMap(
      """
      a---b---c---d
              |
              e
      """, ways: ["abcd": "highway=primary name=A", "ce": "highway=residential"],
      nodes: ["b": "highway=speed_camera"])
    var drive = Drive(map)
    drive.place(try map.edge("ab"), 100)
    // Past the camera and round the corner, before the next place is known.
    drive.place(try map.edge("ce"), 50, driven: try map.edges("abce"))
    #expect(drive.words == ["safety_camera ahead 300", "safety_camera passed"])
  }

  @Test func `an unlikely match beside the way cancels nothing, EV-4`() throws {
    let map = try DrawnMap(
      """
      a---b---c---d
          |
          e
      """, ways: ["abcd": "highway=primary name=A", "be": "highway=residential"],
      nodes: ["c": "highway=traffic_signals"])
    var drive = Drive(map)
    try drive.go("ab")
    try drive.go("be", upToM: 60, probability: 0.5)
    try drive.go("bcd")
    #expect(drive.words == ["traffic_signals ahead 500", "traffic_signals passed"])
  }

  @Test func `an unlikely match far ahead on the way passes nothing, EV-4`() throws {
    let map = try Self.road(
      "abcdefghijklmnopqrstuvwx", nodes: ["d": "highway=traffic_signals"], cell: 100)
    var drive = Drive(map)
    try drive.go("ax", upToM: 40)
    let last = try #require(try map.edges("ax").last)
    drive.place(last, 1500, probability: 0.3)
    try drive.go("ax", fromM: 60, upToM: 400)
    #expect(drive.words == ["traffic_signals ahead 300", "traffic_signals passed"])
    // So far in one second nobody drives, be it ever so likely: what lies between is not passed.
    var jump = Drive(map)
    try jump.go("ax", upToM: 40)
    jump.place(last, 1500)
    #expect(jump.words == ["traffic_signals ahead 300", "traffic_signals cancelled"])
    // In half a minute one does.
    var sparse = Drive(map)
    try sparse.go("ax", upToM: 40)
    sparse.second += 30
    sparse.place(last, 1500)
    #expect(sparse.words == ["traffic_signals ahead 300", "traffic_signals passed"])
  }

  @Test func `a route tells where the way goes, EV-4`() throws {
    let map = try DrawnMap(
      """
      a---b---c
          |
          d---e
      """,
      ways: ["abc": "highway=primary name=A", "bde": "highway=residential"],
      nodes: ["c": "highway=traffic_signals", "d": "highway=stop direction=forward"])
    var alone = Drive(map)
    try alone.go("ab", upToM: 10)
    #expect(alone.reported.isEmpty)
    try alone.go("ab", upToM: 300)
    #expect(alone.words == ["traffic_signals ahead 500"])
    var led = Drive(map)
    try led.follow("abde")
    try led.go("ab", upToM: 300)
    #expect(led.words == ["stop ahead 500"])
  }

  @Test func `nothing is warned of behind the destination, EV-4`() throws {
    let map = try DrawnMap(
      "a-b-c-d-e", ways: ["abc": "highway=primary", "cde": "highway=primary"],
      nodes: ["d": "highway=traffic_signals"])
    var drive = Drive(map)
    try drive.follow("ac")
    try drive.go("ac")
    #expect(drive.reported.isEmpty)
  }

  @Test func `signs speak to those who come along them, EV-4`() throws {
    let map = try Self.road(
      "abcdef",
      nodes: [
        "c": "highway=stop direction=forward", "d": "highway=speed_camera direction=backward",
      ]
    )
    var there = Drive(map)
    try there.go("af")
    #expect(there.words == ["stop ahead 200", "stop passed"])
    var back = Drive(map)
    try back.go("fa")
    #expect(back.words == ["safety_camera ahead 200", "safety_camera passed"])
  }

  @Test func `a stop sign of no direction means those before its junction, EV-4`() throws {
    let map = try DrawnMap(
      """
            d
      a---s-b
            e
      """, ways: ["asb": "highway=residential", "dbe": "highway=primary"],
      nodes: ["s": "highway=stop"])
    var towards = Drive(map)
    try towards.go("asbd")
    #expect(towards.words == ["stop ahead 400", "stop passed"])
    var away = Drive(map)
    try away.go("dbsa")
    #expect(away.words.isEmpty)
  }

  @Test func `borders are reported on a route only, EV-4`() throws {
    let map = try DrawnMap(
      "a---b---c", ways: ["ab": "highway=primary lanes=2", "bc": "highway=primary lanes=4"])
    var columns = map.graph.columns
    columns.attributes = Column(
      columns.attributes.records.map { road in
        var road = road
        let letters = road.laneCount == 1 ? Array("DE".utf8) : Array("FR".utf8)
        road.countryCode = (letters[0], letters[1])
        return road
      })
    var drive = Drive(
      map, graph: try RoadGraph(columns: columns, hash: 1), kinds: [.border])
    try drive.go("abc")
    #expect(drive.reported.isEmpty)
    drive.watch = RoadAheadMonitor()
    try drive.follow("abc")
    try drive.go("abc")
    #expect(drive.words == ["border ahead 400", "border passed"])
    #expect(drive.reported.first?.object.text == "FR")
  }

  @Test func `a warning's id tells the distance left until it lies behind, EV-5`() throws {
    let map = try Self.road("abcdefgh", nodes: ["f": "highway=traffic_signals"])
    var drive = Drive(map)
    try drive.go("ah", upToM: 180)
    let id = try #require(drive.reported.first?.object.id)
    #expect(abs((drive.watch.distanceM(to: id) ?? 0) - 320) < 1)
    try drive.go("ah", fromM: 200)
    #expect(drive.watch.distanceM(to: id) == nil)
    #expect(drive.watch.distanceM(to: "stop/0") == nil)
  }
}
