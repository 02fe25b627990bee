import DrawnMaps
import Foundation
import Foundations
import Geodesy
import OSRMService
import RoadGraph
import RouterStage
import Stage
import Testing

@testable import OSRM

/// Questions as clients ask them, answered on drawn maps.
@Suite struct OSRMRequestTests {
  /// A handler over a drawn map, asked by letters.
  struct Town {
    let map: DrawnMap
    let handler: OSRMRequestHandler

    init(_ map: DrawnMap) {
      self.map = map
      handler = OSRMRequestHandler(shared: RouterShared(graph: map.graph), vehicle: "ego")
    }

    /// `lon,lat;lon,lat` of letters.
    func places(_ letters: String) throws -> String {
      try letters.map {
        let place = try map.coordinate($0)
        return "\(place.longitudeDeg),\(place.latitudeDeg)"
      }.joined(separator: ";")
    }

    func ask(
      _ service: String, _ letters: String, _ options: String = "", profile: String = "driving"
    ) throws -> [String: Any] {
      let more = options.isEmpty ? "" : "?\(options)"
      return try ask("/\(service)/v1/\(profile)/\(try places(letters))\(more)")
    }

    func ask(_ target: String) throws -> [String: Any] {
      let (_, json) = handler.response(to: Array(target.utf8), now: Instant(seconds: 100))
      return try #require(
        try JSONSerialization.jsonObject(with: Data(json)) as? [String: Any], "\(target)")
    }
  }

  static func town() throws -> Town {
    Town(
      try DrawnMap(
        """
        a--b--c--d
        |  |     |
        e--g-----f
        """,
        ways: [
          "ab": "highway=secondary name=High Street maxspeed=50",
          "bc": "highway=secondary name=High Street maxspeed=50 oneway=yes",
          "cd": "highway=secondary name=High Street maxspeed=50",
          "ae": "highway=residential name=West Lane maxspeed=30",
          "bg": "highway=residential name=Middle Lane maxspeed=30",
          "df": "highway=residential name=East Lane maxspeed=30",
          "egf": "highway=tertiary name=Low Road ref=B 12 maxspeed=50 toll=yes",
        ], restrictions: ["ab b bg": "no_right_turn"], cell: 100))
  }

  static func dictionaries(_ value: Any?) -> [[String: Any]] { value as? [[String: Any]] ?? [] }

  @Test func `a route has legs, steps and intersections that agree, RT-19`() throws {
    let answer = try Self.town().ask(
      "route", "ad", "steps=true&overview=full&geometries=geojson&annotations=true")
    #expect(answer["code"] as? String == "Ok")
    let route = try #require(Self.dictionaries(answer["routes"]).first)
    let leg = try #require(Self.dictionaries(route["legs"]).first)
    let steps = Self.dictionaries(leg["steps"])
    let sum = steps.reduce(0.0) { $0 + ($1["distance"] as? Double ?? 0) }
    #expect(abs(sum - (route["distance"] as? Double ?? 0)) < 0.5)
    let maneuvers = steps.compactMap { $0["maneuver"] as? [String: Any] }
    #expect(maneuvers.first?["type"] as? String == "depart")
    #expect(maneuvers.last?["type"] as? String == "arrive")
    let crossings = steps.flatMap { Self.dictionaries($0["intersections"]) }
    for crossing in crossings {
      let bearings = crossing["bearings"] as? [Int] ?? []
      #expect(bearings == bearings.sorted())
      #expect((crossing["entry"] as? [Bool])?.count == bearings.count)
      for index in [crossing["in"], crossing["out"]].compactMap({ $0 as? Int }) {
        #expect(bearings.indices.contains(index))
      }
    }
    // At b one may not turn right: Middle Lane is there, but closed to him.
    let b = try #require(crossings.first { ($0["bearings"] as? [Int])?.count == 3 })
    #expect(b["bearings"] as? [Int] == [90, 180, 270])
    #expect(b["entry"] as? [Bool] == [true, false, false])
    #expect(b["in"] as? Int == 2 && b["out"] as? Int == 0)
    let line = (route["geometry"] as? [String: Any])?["coordinates"] as? [[Double]] ?? []
    let annotation = try #require(leg["annotation"] as? [String: Any])
    for name in ["distance", "duration", "weight", "speed", "datasources"] {
      #expect((annotation[name] as? [Any])?.count == line.count - 1, "\(name)")
    }
  }

  @Test func `legs end where one asks for it, RT-19`() throws {
    let town = try Self.town()
    let all = try town.ask("route", "abcd")
    #expect(Self.dictionaries(Self.dictionaries(all["routes"]).first?["legs"]).count == 3)
    let two = try town.ask("route", "abcd", "waypoints=0;2;3&steps=true")
    let legs = Self.dictionaries(Self.dictionaries(two["routes"]).first?["legs"])
    #expect(legs.count == 2)
    #expect(Self.dictionaries(two["waypoints"]).count == 4)
    #expect(try town.ask("route", "ad", "skip_waypoints=true")["waypoints"] == nil)
  }

  @Test
  func `a lorry goes round what bars it, with legal sizes or those of the query, RT-19, RT-3`()
    throws
  {
    let town = Town(
      try DrawnMap(
        """
        a---b
        |   |
        c---d
        """, ways: ["ab": "highway=primary maxheight=2.2", "acdb": "highway=primary"]))
    func lengthM(_ options: String, profile: String) throws -> Double {
      let answer = try town.ask("route", "ab", options, profile: profile)
      return Self.dictionaries(answer["routes"]).first?["distance"] as? Double ?? 0
    }
    #expect(try lengthM("", profile: "driving") < 450)
    #expect(try lengthM("", profile: "truck") > 450)
    #expect(try lengthM("height=2", profile: "truck") < 450)
    #expect(try lengthM("height=2.5", profile: "driving") > 450)
  }

  @Test func `what is excluded is not used, or there is no route, RT-19`() throws {
    let town = try Self.town()
    // Back from d to a only the toll road leads.
    #expect(try town.ask("route", "da")["code"] as? String == "Ok")
    #expect(try town.ask("route", "da", "exclude=toll")["code"] as? String == "NoRoute")
    #expect(try town.ask("route", "ad", "exclude=toll")["code"] as? String == "Ok")
  }

  @Test func `no detour is too long for what is excluded, RT-19`() throws {
    let rows = String(repeating: "| |\n", count: 12)
    let town = Town(
      try DrawnMap(
        "a-b\n" + rows + "c-d",
        ways: [
          "ab": "highway=motorway oneway=no toll=yes maxspeed=120",
          "acdb": "highway=residential maxspeed=10",
        ], cell: 500))
    let detour = try town.ask("route", "ab", "exclude=toll")
    #expect(detour["code"] as? String == "Ok")
    let lengthM = Self.dictionaries(detour["routes"]).first?["distance"] as? Double
    #expect((lengthM ?? 0) > 12_000)
    let table = try town.ask("table", "ab", "exclude=toll&annotations=distance")
    let row = (table["distances"] as? [[Double]])?.first
    #expect((row?.last ?? 0) > 12_000)
  }

  @Test func `rules of the hour hold, RT-19 RT-8`() throws {
    let town = Town(
      try DrawnMap(
        """
        a--b--c--d
        |        |
        e--------f
        """,
        ways: [
          "ab": "highway=secondary", "cd": "highway=secondary",
          "bc": "highway=secondary motor_vehicle:conditional=no @ (Mo-Fr 07:00-09:00)",
          "aefd": "highway=secondary",
        ], cell: 100))
    // Monday, 5 January 2026, 08:00 by the clocks of the drawn maps' meridian, and two hours later.
    func lengthM(atS: Double) throws -> Double {
      let target = Array("/route/v1/driving/\(try town.places("ad"))".utf8)
      let (_, json) = town.handler.response(to: target, now: Instant(seconds: atS))
      let answer = try #require(
        try JSONSerialization.jsonObject(with: Data(json)) as? [String: Any])
      return Self.dictionaries(answer["routes"]).first?["distance"] as? Double ?? 0
    }
    #expect(try lengthM(atS: 1_767_607_200) > 1200)
    #expect(try lengthM(atS: 1_767_614_400) < 1000)
  }

  @Test(arguments: [
    ("/table/v1/driving/1,2;3,4", true), ("/%74able/v1/driving/1,2;3,4", true),
    ("/match/v1/driving/1,2;3,4", true), ("/route/v1/driving/1,2;3,4", false),
    ("/nearest/v1/driving/1,2", false), ("/nearest/v1/driving/1,2?bearings=0,0", true),
    ("/tablecloth", false),
  ])
  func `what may take long is reported by what is asked, RT-19`(target: String, isHeavy: Bool) {
    #expect(OSRMRequestHandler.isHeavy(Array(target.utf8)) == isHeavy)
  }

  @Test func `a restriction is never broken, RT-19 RT-8`() throws {
    let town = Town(
      try DrawnMap(
        """
        a--b--c
           |
           d
        """,
        ways: [
          "ab": "highway=primary", "bc": "highway=primary oneway=yes",
          "bd": "highway=primary oneway=yes",
        ],
        restrictions: ["ab b bd": "no_right_turn"]))
    #expect(try town.ask("route", "ac")["code"] as? String == "Ok")
    let none = try town.ask("route", "ad")
    #expect(none["code"] as? String == "NoRoute")
    #expect(none["message"] as? String == "Impossible route between points")
  }

  @Test func `a place keeps to its bearing, radius, side and hint, RT-19`() throws {
    let town = try Self.town()
    let free = Self.dictionaries(try town.ask("nearest", "a", "number=2")["waypoints"])
    #expect(Set(free.compactMap { $0["name"] as? String }) == ["High Street", "West Lane"])
    let east = Self.dictionaries(try town.ask("nearest", "a", "bearings=90,20")["waypoints"])
    #expect(east.first?["name"] as? String == "High Street")
    let far = try town.map.coordinate("a").moved(bearingDeg: 270, distanceM: 50)
    let target = "/nearest/v1/driving/\(far.longitudeDeg),\(far.latitudeDeg)"
    #expect(try town.ask(target)["code"] as? String == "Ok")
    #expect(try town.ask(target + "?radiuses=20")["code"] as? String == "NoSegment")
    // On High Street, and 70 m south of it, where West Lane is nearer.
    let middle = try town.map.coordinate("a").moved(bearingDeg: 90, distanceM: 60)
    let south = middle.moved(bearingDeg: 180, distanceM: 70)
    let there = Self.dictionaries(
      try town.ask("/nearest/v1/driving/\(middle.longitudeDeg),\(middle.latitudeDeg)")["waypoints"])
    let hint = try #require(there.first?["hint"] as? String)
    func start(_ from: Coordinate, _ options: String) throws -> String? {
      let end = try town.places("d")
      let answer = try town.ask(
        "/route/v1/driving/\(from.longitudeDeg),\(from.latitudeDeg);\(end)?\(options)")
      guard answer["code"] as? String == "Ok" else { return answer["code"] as? String }
      return Self.dictionaries(answer["waypoints"]).first?["name"] as? String
    }
    #expect(try start(south, "hints=;") == "West Lane")
    #expect(try start(south, "hints=\(hint);") == "High Street")
    #expect(try start(south, "radiuses=20;&hints=\(hint);") == "NoSegment")
    // A hint of another place is none.
    #expect(try start(try town.map.coordinate("f"), "hints=\(hint);") != "High Street")
    let plain = Self.dictionaries(try town.ask(target + "?generate_hints=false")["waypoints"])
    #expect(plain.first?["hint"] == nil && plain.first?["nodes"] != nil)
  }

  @Test func `one stops at the curb where that is asked for, RT-19`() throws {
    let town = Town(
      try DrawnMap(
        """
        a-----b
        """, ways: ["ab": "highway=residential maxspeed=30"], cell: 100))
    let a = try town.map.coordinate("a", "b", 0.1)
    let north = try town.map.coordinate("a", "b", 0.8).moved(bearingDeg: 0, distanceM: 8)
    let pair =
      "\(a.longitudeDeg),\(a.latitudeDeg);\(north.longitudeDeg),\(north.latitudeDeg)"
    func metres(_ options: String) throws -> Double {
      let answer = try town.ask("/route/v1/driving/\(pair)?\(options)")
      return Self.dictionaries(answer["routes"]).first?["distance"] as? Double ?? 0
    }
    #expect(abs(try metres("approaches=;unrestricted") - 420) < 5)
    // North of an eastbound road is its left: the curb there is reached from the other end.
    #expect(try metres("approaches=;curb") > 600)
    #expect(abs(try metres("approaches=;opposite") - 420) < 5)
  }

  @Test func `a table is what the routes are, RT-19`() throws {
    let town = try Self.town()
    let answer = try town.ask("table", "adf", "annotations=duration,distance")
    let distances = try #require(answer["distances"] as? [[Double]])
    let durations = try #require(answer["durations"] as? [[Double]])
    for (row, from) in "adf".enumerated() {
      for (column, to) in "adf".enumerated() where row != column {
        let routes = Self.dictionaries(try town.ask("route", "\(from)\(to)")["routes"])
        #expect(abs((routes.first?["distance"] as? Double ?? 0) - distances[row][column]) < 0.2)
        #expect(abs((routes.first?["duration"] as? Double ?? 0) - durations[row][column]) < 0.2)
      }
    }
    let part = try town.ask("table", "adf", "sources=0&destinations=1;2&scale_factor=2")
    let doubled = try #require(part["durations"] as? [[Double]])
    #expect(doubled.count == 1 && doubled[0].count == 2)
    #expect(abs(doubled[0][0] - 2 * durations[0][1]) < 0.2)
  }

  @Test func `where no way leads a table has null, or the straight line, RT-19`() throws {
    let town = Town(
      try DrawnMap(
        "a--b   c--d", ways: ["ab": "highway=primary oneway=yes", "cd": "highway=primary"]))
    let none = try town.ask("table", "ba", "generate_hints=false&snapping=any")
    #expect((none["durations"] as? [[Any]])?[0][1] is NSNull)
    let filled = try town.ask(
      "table", "ba", "fallback_speed=10&annotations=distance,duration&snapping=any")
    #expect(abs(((filled["distances"] as? [[Double]])?[0][1] ?? 0) - 300) < 2)
    #expect(abs(((filled["durations"] as? [[Double]])?[0][1] ?? 0) - 30) < 1)
    #expect(filled["fallback_speed_cells"] as? [[Int]] == [[0, 1]])
  }

  @Test func `a trace is matched, and its gaps part it, RT-19`() throws {
    let town = try Self.town()
    let answer = try town.ask(
      "match", "abcdf",
      "timestamps=0;30;60;90;120&overview=full&geometries=polyline6&radiuses=5;5;5;5;5")
    #expect(answer["code"] as? String == "Ok")
    let matching = try #require(Self.dictionaries(answer["matchings"]).first)
    #expect(abs((matching["distance"] as? Double ?? 0) - 1100) < 15)
    #expect(Self.dictionaries(matching["legs"]).count == 4)
    #expect((answer["tracepoints"] as? [Any])?.count == 5)
    let parted = try town.ask("match", "abcdf", "timestamps=0;30;60;900;930")
    #expect(Self.dictionaries(parted["matchings"]).count == 2)
    let ends = try town.ask("match", "abcdf", "waypoints=0;4&timestamps=0;30;60;90;120")
    #expect(Self.dictionaries(Self.dictionaries(ends["matchings"]).first?["legs"]).count == 1)
    let away = try town.map.coordinate("a").moved(bearingDeg: 0, distanceM: 5000)
    let lost = "\(away.longitudeDeg),\(away.latitudeDeg);\(away.longitudeDeg),\(away.latitudeDeg)"
    #expect(try town.ask("/match/v1/driving/\(lost)")["code"] as? String == "NoMatch")
  }

  @Test func `a roundabout is a way in and a way out, RT-19`() throws {
    let town = Town(
      try DrawnMap(
        """
             n
           a b c
        w--d   e--x
           f g h
             s
        """,
        ways: [
          "wd": "highway=secondary name=West Road", "ex": "highway=secondary name=East Road",
          "nb": "highway=secondary name=North Road", "gs": "highway=secondary name=South Road",
          "dfghecbad": "highway=secondary junction=roundabout name=Star Circus",
        ], cell: 20))
    let answer = try town.ask("route", "wx", "steps=true")
    let steps = Self.dictionaries(
      Self.dictionaries(Self.dictionaries(answer["routes"]).first?["legs"]).first?["steps"])
    let types = steps.compactMap { ($0["maneuver"] as? [String: Any])?["type"] as? String }
    #expect(types == ["depart", "rotary", "exit rotary", "arrive"])
    #expect((steps[1]["maneuver"] as? [String: Any])?["exit"] as? Int == 2)
    #expect(steps[1]["rotary_name"] as? String == "Star Circus")
    #expect(steps[2]["name"] as? String == "East Road")
  }

  @Test func `equal questions give equal bytes`() throws {
    let town = try Self.town()
    let target = Array(
      "/route/v1/driving/\(try town.places("af"))?steps=true&annotations=true".utf8)
    let first = town.handler.response(to: target, now: Instant(seconds: 1))
    let second = town.handler.response(to: target, now: Instant(seconds: 1))
    #expect(first.json == second.json && first.status == 200)
  }
}
