import DrawnMaps
import Geodesy
import RoadGraph
import Testing

@testable import Places

@Suite struct PlaceTests {
  static func town() throws -> DrawnMap {
    try DrawnMap(
      """
      a--b--c
         |
         d
            e
      """,
      ways: [
        "ab": "highway=primary name=Rua de S\u{E1} da Bandeira ref=N 12",
        "bc": "highway=primary name=Rua de S\u{E1} da Bandeira",
        "bd": "highway=residential name=Stra\u{DF}e des 17. Juni",
      ], nodes: ["e": "amenity=townhall name=Town Hall"], cell: 100)
  }

  static func find(_ text: String) throws -> [FoundPlace] {
    PlaceIndex(try town().graph).find(text)
  }

  @Test(arguments: [
    "Rua de S\u{E1} da Bandeira", "rua de sa da bandeira", "rua sa ban", "BANDEIRA",
    "Sa\u{301} da B",
  ])
  func `a road is found by its name, or a part of it, RT-20`(text: String) throws {
    let found = try Self.find(text)
    #expect(found.map(\.name) == ["Rua de S\u{E1} da Bandeira"])
    #expect(found.first?.kind == .road && found.first?.detail == "primary")
  }

  @Test func `a long road is found once, and stops behind the town of their name, RT-20`() throws {
    let map = try DrawnMap(
      """
      a--b--c--d   f--g
                      |
               e      h
      """,
      ways: [
        "abcd": "highway=primary name=Long Road", "fg": "highway=primary name=Long Road",
        "gh": "highway=residential",
      ],
      nodes: [
        "a": "railway=tram_stop name=Aldorf", "b": "railway=tram_stop name=Aldorf",
        "e": "place=town name=Aldorf",
        "h": "highway=bus_stop public_transport=platform name=Aldorf",
      ], cell: 1000)
    let index = PlaceIndex(map.graph)
    // Two kilometres of road are one road, and those beyond the gap another one.
    let roads = index.find("long road", near: try map.coordinate("a"))
    #expect(roads.count == 2 && roads.allSatisfy { $0.kind == .road })
    let towns = index.find("aldorf", near: try map.coordinate("a"))
    #expect(towns.map(\.detail) == ["town", "tram_stop", "tram_stop"])
  }

  @Test func `what is no word of a name finds nothing, RT-20`() throws {
    for text in [
      "", "  ", "ban rua", "ua de", "Rua de S\u{E1} da Bandeira 12", "/", "\u{0}", "Town Halls",
    ] {
      #expect(try Self.find(text).isEmpty, "\(text)")
    }
  }

  @Test func `house numbers and towns are understood, and the rest is explained, RT-20`() throws {
    let map = try DrawnMap(
      """
      a-b         e-f
      T           V
      """,
      ways: ["ab": "highway=primary name=High Street", "ef": "highway=primary name=High Street"],
      nodes: ["T": "place=town name=Bath", "V": "place=town name=Rye"], cell: 1_000)
    let index = PlaceIndex(map.graph)
    let both = index.search("High Street")
    #expect(both.places.count == 2)
    #expect(
      both.note
        == "2 places are called \"High Street\": add the town after a comma, or a place near it")
    #expect(index.search("High Street", near: try map.coordinate("a")).note == nil)
    let rye = index.search("High Street 12a, Rye")
    #expect(rye.note?.contains("the nearest to Rye first") == true)
    let place = try #require(rye.places.first?.coordinate)
    #expect(place.distanceM(to: try map.coordinate("e")) < 2_000)
    let number = index.search("12-14 high street")
    #expect(number.places.count == 2)
    #expect(number.note?.hasPrefix("the map has no house numbers") == true)
    #expect(
      index.search("Low Street, Rye").note?.hasPrefix(
        "nothing on the map is called \"Low Street\", although it contains Rye") == true)
    #expect(index.search("High Street, Ulm").places.count == 2)
    #expect(
      index.search("Low Street, Ulm").note
        == "the map has neither \"Low Street\" nor \"Ulm\": is it the map of another region?")
    #expect(index.search("91,200").note?.contains("latitude is -90 to 90") == true)
    #expect(index.search(" ").note?.hasPrefix("the text is empty") == true)
    #expect(PlaceIndex.withoutHouseNumber("Strasse des 17. Juni") == "Strasse des 17. Juni")
    #expect(PlaceIndex.withoutHouseNumber("12") == "12")
  }

  /// Filling stations around a road, one of them drawn twice.
  static func stations() throws -> DrawnMap {
    try DrawnMap(
      """
      a-----b-----c
       S  F   G     N
       T            H
      """, ways: ["abc": "highway=primary name=High Street"],
      nodes: [
        "F": "amenity=fuel name=West", "G": "amenity=fuel name=East",
        "H": "amenity=fuel name=South", "N": "amenity=hospital name=Infirmary",
        "S": "amenity=charging_station name=Volt", "T": "amenity=pharmacy name=Westend",
      ], cell: 200)
  }

  @Test func `places of a category come the nearest first, RT-20`() throws {
    let map = try Self.stations()
    let index = PlaceIndex(map.graph)
    let near = try map.coordinate("c")
    let fuel = index.places(PlaceFilter(category: .fuel), near: near)
    #expect(fuel.map(\.name) == ["South", "East", "West"])
    #expect(fuel.allSatisfy { $0.kind == .place && $0.detail == "fuel" && $0.distanceM != nil })
    #expect(index.places(PlaceFilter(category: .fuel), near: near, limit: 1).count == 1)
    let health = PlaceFilter(category: .health)
    #expect(index.places(health, near: near).map(\.name) == ["Infirmary", "Westend"])
    #expect(
      index.places(PlaceFilter(category: .health, kinds: ["hospital"])).map(\.name)
        == ["Infirmary"])
    #expect(
      index.places(PlaceFilter(kinds: ["fuel", "pharmacy"]), named: "west").map(\.name)
        == ["West", "Westend"])
    #expect(index.places(PlaceFilter(category: .parking)).isEmpty)
    #expect(index.places(PlaceFilter(category: .fuel, kinds: ["hospital"])).isEmpty)
  }

  @Test func `places of a category along a line come in its order, RT-20`() throws {
    let map = try Self.stations()
    let index = PlaceIndex(map.graph)
    let line = [try map.coordinate("c"), try map.coordinate("b"), try map.coordinate("a")]
    let fuel = PlaceFilter(category: .fuel)
    let found = index.places(fuel, along: line, withinM: 250)
    #expect(found.map(\.name) == ["East", "West"], "South lies 400 m beyond the end")
    #expect(zip(found, found.dropFirst()).allSatisfy { ($0.alongM ?? 0) < $1.alongM ?? 0 })
    #expect(found.allSatisfy { abs(($0.distanceM ?? 0) - 200) < 5 })
    #expect(abs((found.first?.alongM ?? 0) - 800) < 10)
    #expect(index.places(fuel, along: line, withinM: 600).map(\.name) == ["South", "East", "West"])
    #expect(index.places(fuel, along: line, withinM: 100).isEmpty)
    #expect(index.places(fuel, along: [], withinM: 100).isEmpty)
  }

  @Test func `numbers, places and other letters are found, RT-20`() throws {
    #expect(try Self.find("N12").isEmpty)
    #expect(try Self.find("n 12").first?.kind == .road)
    #expect(try Self.find("strasse des 17").first?.name == "Stra\u{DF}e des 17. Juni")
    let hall = try #require(try Self.find("town hall").first)
    #expect(hall.kind == .place && hall.detail == "townhall")
  }

  @Test(arguments: ["Bandeira / Juni", "strasse & rua de sa"])
  func `a crossing is found by its two roads, RT-20`(text: String) throws {
    let found = try Self.find(text)
    #expect(found.count == 1 && found.first?.kind == .crossing)
    let b = try Self.town().coordinate("b")
    #expect(found.first.map { $0.coordinate.distanceM(to: b) < 1 } == true)
    #expect(try Self.find("Bandeira / Bandeira").isEmpty)
  }

  @Test(
    arguments: [
      ("47.5, 9.25", 47.5, 9.25), ("47.5 9.25", 47.5, 9.25), ("-33.9,18.4", -33.9, 18.4),
      ("51\u{B0}30', -0\u{B0}06'", 51.5, -0.1), ("-0\u{B0}30', 10\u{B0}", -0.5, 10),
      ("N47.5 E9.25", 47.5, 9.25), ("9.25E, 47.5N", 47.5, 9.25), ("33.9S 18.4W", -33.9, -18.4),
      ("47\u{B0}30'N 9\u{B0}15'E", 47.5, 9.25), ("47\u{B0}30'36\"N 9\u{B0}15'00\"W", 47.51, -9.25),
    ])
  func `coordinates are places, RT-20`(text: String, latitude: Double, longitude: Double) throws {
    let found = try #require(try Self.find(text).first)
    #expect(found.kind == .coordinates)
    #expect(abs(found.coordinate.latitudeDeg - latitude) < 1e-9)
    #expect(abs(found.coordinate.longitudeDeg - longitude) < 1e-9)
  }

  @Test(arguments: [
    "91, 0", "0, 181", "1,2,3", "47.5", "N47 N9", "47\u{B0}61' 9", "--1, 2", "1e5, 3", "N",
    "47.5.1, 9",
  ])
  func `what is no coordinate is none, RT-20`(text: String) {
    #expect(CoordinateText.coordinate(text) == nil)
  }

  @Test func `the nearest of several comes first, RT-20`() throws {
    let map = try DrawnMap(
      "a-b" + String(repeating: " ", count: 60) + "c-d",
      ways: [
        "ab": "highway=residential name=Mill Lane", "cd": "highway=residential name=Mill Lane",
      ])
    let index = PlaceIndex(map.graph)
    let d = try map.coordinate("d")
    let found = index.find("mill lane", near: d)
    #expect(found.count == 2)
    #expect(try #require(found[0].distanceM) < 200 && found[1].distanceM ?? 0 > 5000)
    #expect(index.find("mill lane", limit: 1).count == 1)
  }
}
