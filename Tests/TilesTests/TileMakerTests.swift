import DrawnMaps
import Geodesy
import RoadGraph
import Testing

@testable import Tiles

@Suite struct TileMakerTests {
  static let drawing = """
    a──b──c
       │
       d──e
    """

  func map() throws -> DrawnMap {
    try DrawnMap(
      Self.drawing,
      ways: [
        "abc": "highway=primary name=Long Road ref=B 12 oneway=yes",
        "bd": "highway=residential name=Mill Lane bridge=yes layer=1",
        "de": "highway=service tunnel=yes layer=-1",
      ])
  }

  func tile(
    _ map: DrawnMap, _ letter: Character, zoom: Int
  ) throws -> (TileReader.Layer?, TileAddress, [UInt8]) {
    let address = TileAddress(holding: try map.coordinate(letter), zoom: zoom)
    let bytes = TileMaker(graph: map.graph).tile(address)
    return (try TileReader.layers(bytes)["roads"], address, bytes)
  }

  @Test func `roads carry what a map shows, RN-1`() throws {
    let roads = try #require(try tile(try map(), "b", zoom: 14).0)
    #expect(roads.version == 2)
    #expect(roads.extent == 4096)
    let byClass = Dictionary(
      roads.features.map { ($0.tags["class"], $0.tags) }, uniquingKeysWith: { a, _ in a })
    #expect(
      byClass["primary"] == ["class": "primary", "name": "Long Road", "ref": "B 12", "oneway": 1])
    #expect(
      byClass["residential"] == [
        "class": "residential", "name": "Mill Lane", "bridge": 1, "layer": 1,
      ])
    #expect(byClass["service"] == ["class": "service", "tunnel": 1, "layer": -1])
    #expect(roads.features.allSatisfy { $0.type == 2 })
  }

  @Test func `numbered roads carry what their shields depend on, RN-4`() throws {
    func roads(_ ways: KeyValuePairs<String, String>, at origin: Coordinate) throws -> [[String:
      TileReader.Value]]
    {
      let map = try DrawnMap(Self.drawing, ways: ways, origin: origin)
      return try #require(try tile(map, "b", zoom: 14).0).features.map(\.tags)
    }
    let germany = try roads(
      ["abc": "highway=motorway ref=E 45;A 7", "bd": "highway=primary name=Side"],
      at: Coordinate(latitudeDeg: 49.8, longitudeDeg: 10))
    let motorway = try #require(germany.first { $0["ref"] == "E 45;A 7" })
    #expect(motorway["country"] == "DE" && motorway["state"] == nil)
    #expect(motorway["network"] == "e-road;DE:A" && motorway["level"] == "1;1")
    // A road without a number has no shield, so its country adds nothing.
    #expect(germany.contains { $0["name"] == "Side" && $0["country"] == nil })
    let california = try roads(
      ["abc": "highway=primary ref=SR 1"], at: Coordinate(latitudeDeg: 37, longitudeDeg: -120))
    let route = try #require(california.first { $0["ref"] == "SR 1" })
    #expect(route["country"] == "US" && route["state"] == "US-CA")
    #expect(route["network"] == "US:CA" && route["level"] == "3")
    // In the Atlantic no country is known, and so no shield.
    let sea = try roads(
      ["abc": "highway=primary ref=B 1"], at: Coordinate(latitudeDeg: 47, longitudeDeg: -30))
    #expect(sea.first?["ref"] == "B 1" && sea.first?["country"] == nil)
  }

  @Test func `pieces that look alike are one line, in the direction of travel`() throws {
    let map = try map()
    let (layer, address, _) = try tile(map, "b", zoom: 12)
    let primary = try #require(layer?.features.first { $0.tags["class"] == "primary" })
    let line = try #require(primary.lines.first)
    #expect(primary.lines.count == 1)
    let frame = TileFrame(address)
    let (first, last) = (frame.point(try map.coordinate("a")), frame.point(try map.coordinate("c")))
    #expect(abs(Double(line[0].x) - first.x) <= 1)
    #expect(abs(Double(line[line.count - 1].x) - last.x) <= 1)
    #expect(abs(Double(line[0].y) - first.y) <= 1)
  }

  @Test func `below the first zoom of its class a road is left out`() throws {
    let map = try map()
    func classes(_ zoom: Int) throws -> Set<TileReader.Value?> {
      Set(try tile(map, "b", zoom: zoom).0?.features.map { $0.tags["class"] } ?? [])
    }
    #expect(try classes(14) == ["primary", "residential", "service"])
    #expect(try classes(12) == ["primary", "residential"])
    #expect(try classes(10) == ["primary"])
    #expect(try classes(5) == [])
  }

  @Test func `the same map gives the same bytes`() throws {
    for zoom in [8, 12, 14] {
      #expect(try tile(try map(), "d", zoom: zoom).2 == tile(try map(), "d", zoom: zoom).2)
    }
  }

  @Test func `where no road is, the tile is empty`() throws {
    let maker = TileMaker(graph: try map().graph)
    let far = Coordinate(latitudeDeg: -33, longitudeDeg: 151)
    #expect(maker.tile(TileAddress(holding: far, zoom: 14)) == [])
    let deep = try #require(TileAddress(zoom: 22, column: 0, row: 0))
    #expect(maker.tile(deep) == [])
  }

  @Test func `lines end at the tile's buffer`() throws {
    // 40 cells of 500 m: longer than a tile of zoom 14.
    let map = try DrawnMap(
      "a" + String(repeating: "─", count: 40) + "b", ways: ["ab": "highway=primary"], cell: 500)
    let place = map.graph.coordinate(
      RoadPosition(edge: EdgeID(0), offsetM: map.graph.lengthM(EdgeID(0)) / 2))
    let bytes = TileMaker(graph: map.graph).tile(TileAddress(holding: place, zoom: 14))
    let line = try #require(try TileReader.layers(bytes)["roads"]?.features.first?.lines.first)
    let low = -TileRules.buffer
    let high = TileRules.extent + TileRules.buffer
    #expect(line.map(\.x).min() == low)
    #expect(line.map(\.x).max() == high)
  }

  @Test func `places carry name and kind`() throws {
    let map = try DrawnMap(
      Self.drawing, ways: ["abc": "highway=primary"], nodes: ["e": "place=village name=Dorf"])
    let address = TileAddress(holding: try map.coordinate("e"), zoom: 13)
    let layers = try TileReader.layers(TileMaker(graph: map.graph).tile(address))
    let place = try #require(layers["places"]?.features.first)
    #expect(
      place.tags == ["name": "Dorf", "kind": "village", "category": "settlement", "rank": 0])
    #expect(place.type == 1)
  }

  @Test func `a name is shown once in a neighbourhood, RN-1`() throws {
    let map = try DrawnMap(
      Self.drawing, ways: ["abc": "highway=primary"],
      nodes: [
        "a": "railway=tram_stop name=Markt", "b": "amenity=hospital name=Markt",
        "c": "railway=tram_stop name=Markt", "d": "public_transport=stop_position name=Ost",
        "e": "railway=tram_stop name=West",
      ])
    func shown(at letter: Character) throws -> [[String: TileReader.Value]] {
      let address = TileAddress(holding: try map.coordinate(letter), zoom: 14)
      let layers = try TileReader.layers(TileMaker(graph: map.graph).tile(address))
      return layers["places"]?.features.map(\.tags) ?? []
    }
    for letter in "abcde" {
      // The hospital is the more important one of its name.
      #expect(try shown(at: letter).count { $0["name"] == "Markt" } <= 1)
      // A position on the track is no place.
      #expect(try !shown(at: letter).contains { $0["name"] == "Ost" })
    }
    #expect(try shown(at: "b").contains { $0["kind"] == "hospital" && $0["category"] == "health" })
    #expect(try shown(at: "e").contains { $0["name"] == "West" && $0["category"] == "stop" })
  }

  @Test func `addresses off the map are refused`() {
    #expect(TileAddress(zoom: 3, column: 8, row: 0) == nil)
    #expect(TileAddress(zoom: -1, column: 0, row: 0) == nil)
    #expect(TileAddress(zoom: 23, column: 0, row: 0) == nil)
    #expect(TileAddress(zoom: 3, column: 7, row: 7) != nil)
  }

  @Test func `a place is in the tile that every web map puts it in`() throws {
    // Porto's city hall, by the formula with asinh of OpenStreetMap's wiki.
    let address = TileAddress(
      holding: Coordinate(latitudeDeg: 41.1496, longitudeDeg: -8.6109), zoom: 14)
    #expect(address == TileAddress(zoom: 14, column: 7800, row: 6133))
  }
}

@Suite struct TileCacheTests {
  @Test func `a tile is cut once, and the cache stays within its bytes`() throws {
    let map = try DrawnMap(TileMakerTests.drawing, ways: ["abc": "highway=primary", "bde": ""])
    let address = TileAddress(holding: try map.coordinate("b"), zoom: 14)
    let cache = TileCache(TileMaker(graph: map.graph), byteLimit: 2000)
    #expect(cache.tile(address) == cache.tile(address))
    #expect(cache.figures.hits == 1)
    #expect(cache.figures.misses == 1)
    for column in 0..<100 {
      _ = cache.tile(try #require(TileAddress(zoom: 14, column: column, row: 0)))
    }
    _ = cache.tile(address)
    #expect(cache.figures.misses == 102)
  }
}
