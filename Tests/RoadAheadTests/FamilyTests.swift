import DrawnMaps
import Foundations
import Geodesy
import RoadAhead
import RoadGraph
import Route
import Testing

@Suite struct FamilyTests {
  @Test func `traffic that joins a motorway from a ramp is warned of, EV-4`() throws {
    let map = try DrawnMap(
      """
      a-----b-----c
         r
      """,
      ways: ["abc": "highway=motorway oneway=yes", "rb": "highway=motorway_link oneway=yes"])
    var drive = Drive(map, kinds: [.trafficMerge])
    try drive.go("abc")
    #expect(drive.words == ["traffic_merge ahead 500", "traffic_merge passed"])
    // Who comes by the ramp joins himself.
    var ramp = Drive(map, kinds: [.trafficMerge])
    try ramp.go("rbc")
    #expect(ramp.reported.isEmpty)
  }

  @Test func `a lane that ends is warned of, one that leads off is not, EV-4`() throws {
    let ending = try DrawnMap(
      "a---b---c",
      ways: [
        "ab": "highway=primary oneway=yes lanes=3", "bc": "highway=primary oneway=yes lanes=2",
      ])
    var drive = Drive(ending)
    try drive.go("abc")
    #expect(drive.words == ["lane_decrease ahead 400", "lane_decrease passed"])
    #expect(drive.reported.first?.object.text == "2")
    let exit = try DrawnMap(
      """
      a---b---c
            d
      """,
      ways: [
        "ab": "highway=motorway oneway=yes lanes=3", "bc": "highway=motorway oneway=yes lanes=2",
        "bd": "highway=motorway_link oneway=yes",
      ])
    var past = Drive(exit)
    try past.go("abc")
    #expect(past.reported.isEmpty)
  }

  @Test func `a hairpin on a fast road is a sharp bend, a turn at a crossing is none, EV-4`() throws
  {
    // Two right angles 50 m apart, on a road for 100 km/h.
    let bend = try DrawnMap(
      """
      a-----------b
                  c
      e-----------d
      """, ways: ["abcde": "highway=secondary maxspeed=100"], cell: 25)
    var drive = Drive(bend, kinds: [.sharpBend])
    try drive.go("ae")
    #expect(drive.reported.map(\.event) == [.ahead, .passed])
    let crossing = try DrawnMap(
      """
                  f
                  |
      a-----------b---g
                  |
                  d
      """,
      ways: ["abg": "highway=secondary maxspeed=100", "fbd": "highway=secondary maxspeed=100"],
      cell: 25)
    var turn = Drive(crossing, kinds: [.sharpBend])
    try turn.follow("abd")
    try turn.go("abd")
    #expect(turn.reported.isEmpty)
  }

  @Test func `a hairpin between two junctions is a sharp bend, EV-4`() throws {
    let map = try DrawnMap(
      """
                  i
                  |
      a-----------b--c
                     d
      e-----------f--g
                  |
                  h
      """,
      ways: [
        "ab": "highway=secondary maxspeed=100", "bcdgf": "highway=secondary maxspeed=100",
        "fe": "highway=secondary maxspeed=100", "bi": "highway=track", "fh": "highway=track",
      ], cell: 12)
    var drive = Drive(map, kinds: [.sharpBend])
    try drive.follow("abfe")
    try drive.go("abfe")
    #expect(drive.reported.first?.event == .ahead)
  }

  @Test func `a gentle bend, or a slow road, needs no warning, EV-4`() throws {
    for tags in ["maxspeed=30", ""] {
      let map = try DrawnMap(
        """
        a-----------b
                    c
        e-----------d
        """, ways: ["abcde": "highway=secondary \(tags)"], cell: 25)
      var drive = Drive(map, kinds: [.sharpBend])
      try drive.go("ae")
      #expect(drive.reported.isEmpty, "\(tags)")
    }
  }

  @Test func `what a feed tells of is warned of while it holds, EV-4`() throws {
    let map = try DrawnMap(
      "a---b---c---d",
      ways: ["ab": "highway=primary", "bc": "highway=primary", "cd": "highway=primary"])
    let works = RoadIncident(
      id: "i-1", kind: "construction", text: "Road works",
      segments: [map.graph.reference(try map.edge("bc"))])
    var drive = Drive(map)
    drive.watch.replaceIncidents([works], of: "feed")
    try drive.go("abcd")
    #expect(drive.words == ["incident ahead 400", "incident reached", "incident passed"])
    #expect(drive.reported.first?.object.text == "Road works")
    var over = works
    over.until = Instant(seconds: 0)
    var later = Drive(map)
    later.watch.replaceIncidents([over], of: "feed")
    try later.go("abcd")
    #expect(later.reported.isEmpty)
    var jam = works
    jam.kind = "congestion"
    var queue = Drive(map)
    queue.watch.replaceIncidents([jam], of: "feed")
    try queue.go("abcd")
    #expect(queue.words == ["jam_end ahead 400", "jam_end passed"])
  }

  @Test func `an incident begins and ends by its times on an unchanged path, EV-4`() throws {
    let map = try DrawnMap("a---b---c", ways: ["ab": "", "bc": ""])
    var works = RoadIncident(
      id: "i-1", kind: "construction", text: nil,
      segments: [map.graph.reference(try map.edge("bc"))])
    works.from = Instant(seconds: 4)
    works.until = Instant(seconds: 8)
    var drive = Drive(map)
    drive.watch.replaceIncidents([works], of: "feed")
    var times: [Double] = []
    while drive.second < 12 {
      let before = drive.reported.count
      drive.place(try map.edge("ab"), 10 * drive.second)
      if drive.reported.count > before { times.append(drive.second) }
    }
    #expect(drive.reported.map(\.event) == [.ahead, .cancelled])
    #expect(times == [4, 8])
  }

  @Test func `a feed that takes back what it reported cancels the warning, EV-4`() throws {
    let map = try DrawnMap("a---b---c", ways: ["ab": "", "bc": ""])
    var drive = Drive(map)
    drive.watch.replaceIncidents(
      [
        RoadIncident(
          id: "i-1", kind: "accident", text: nil,
          segments: [map.graph.reference(try map.edge("bc"))])
      ], of: "feed")
    try drive.go("ab", upToM: 100)
    drive.watch.replaceIncidents([], of: "feed")
    drive.place(try map.edge("ab"), 120)
    #expect(drive.words == ["incident ahead 400", "incident cancelled"])
  }
}

@Suite struct CustomPlaceTests {
  private func map() throws -> DrawnMap {
    try DrawnMap(
      """
      a-----b-----c
            |
            d
      """, ways: ["abc": "highway=primary name=A", "bd": "highway=residential"])
  }

  private func place(_ map: DrawnMap, _ eastM: Double, _ northM: Double) throws -> Coordinate {
    LocalPlane(origin: try map.coordinate("a")).coordinate(
      PlanePoint(eastM: eastM, northM: northM))
  }

  @Test func `a point of one's own is warned of on its road, EV-4`() throws {
    let map = try map()
    let shop = CustomPlace(id: "7", text: "Ice cream", form: .point(try place(map, 300, 12)))
    var drive = Drive(map, custom: [shop])
    try drive.go("abc")
    #expect(drive.words == ["custom ahead 300", "custom passed"])
    #expect(drive.reported.first?.object.id == "custom/7")
    #expect(drive.reported.first?.object.text == "Ice cream")
  }

  @Test func `a point with a bearing is for those who come in it, EV-4`() throws {
    let map = try map()
    let camera = CustomPlace(
      id: "1", kind: .safetyCamera, limitMps: 13.9, bearingDeg: 90,
      form: .point(try place(map, 300, 0)))
    var there = Drive(map, custom: [camera])
    try there.go("abc")
    #expect(there.words == ["safety_camera ahead 300", "safety_camera passed"])
    var back = Drive(map, custom: [camera])
    try back.go("cba")
    #expect(back.reported.isEmpty)
  }

  @Test func `an area is a zone over all edges within it, EV-4`() throws {
    let map = try map()
    let corners = [(400.0, 50.0), (800, 50), (800, -50), (400, -50), (400, 50)]
    let zone = CustomPlace(
      id: "z", kind: .environmentalZone,
      form: .area([try corners.map { try place(map, $0.0, $0.1) }]))
    var drive = Drive(map, custom: [zone])
    try drive.go("abc")
    #expect(
      drive.words == [
        "environmental_zone ahead 400", "environmental_zone reached", "environmental_zone passed",
      ])
    let length = drive.reported.first.map { ($0.object.endM ?? 0) - $0.object.startM } ?? 0
    #expect(abs(length - 400) < 6)
  }

  @Test func `a line is a zone along its road, not on the roads it crosses, EV-4`() throws {
    let map = try map()
    let line = CustomPlace(
      id: "l", kind: .dangerZone, form: .line([try place(map, 450, 5), try place(map, 750, 5)]))
    var along = Drive(map, custom: [line])
    try along.go("abc")
    #expect(along.reported.map(\.event) == [.ahead, .reached, .passed])
    var across = Drive(map, custom: [line])
    try across.go("db")
    #expect(!across.words.contains("danger_zone reached"))
  }

  @Test func `a place far from any road is known to be stray, EV-4`() throws {
    let map = try map()
    let custom = CustomPlaces(
      [CustomPlace(id: "x", form: .point(try place(map, 300, 200)))], on: map.graph)
    #expect(custom.stray == [0])
  }
}
