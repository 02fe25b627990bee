import BaseMap
import DrawnMaps
import Foundations
import Geodesy
import RoadGraph
import Testing

@testable import Tiles

@Suite struct LandTests {
  private static let low = -96.0
  private static let high = 4192.0

  /// A ring around a place that turns anticlockwise on a map whose y points up.
  private static func star(
    _ x: Double, _ y: Double, radius: Double, random: inout SplitMix64
  ) -> [TilePoint] {
    (0..<24).map { step in
      let turn = Double(step) / 24 * 2 * .pi
      let reach = radius * Double.random(in: 0.4...1, using: &random)
      // On the screen y points down, so the turn is mirrored.
      return TilePoint(x: x + reach * cosine(turn), y: y - reach * cosine(turn - .pi / 2))
    }
  }

  /// By its series, so that no library is needed; the turn lies within a circle.
  private static func cosine(_ turn: Double) -> Double {
    var (sum, term) = (0.0, 1.0)
    for k in 0..<30 {
      sum += term
      term *= -turn * turn / Double((2 * k + 1) * (2 * k + 2))
    }
    return sum
  }

  private static func isIn(_ polygons: [[[TilePoint]]], _ point: TilePoint) -> Bool {
    polygons.contains { rings in
      TileRing.contains(rings[0], point)
        && !rings.dropFirst().contains { TileRing.contains($0, point) }
    }
  }

  @Test(arguments: 0..<60)
  func `sea is what lies on no island, RN-1`(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    // Apart from each other, within the tile and across its sides.
    let islands = (0..<4).map { k in
      Self.star(
        Double(k % 2) * 2600 + .random(in: 0...1500, using: &random),
        Double(k / 2) * 2600 + .random(in: 0...1500, using: &random),
        radius: .random(in: 200...540, using: &random), random: &random)
    }
    let lines = islands.map { $0 + $0.prefix(1) }
    let sea = try #require(SeaPolygons(from: Self.low, to: Self.high).polygons(lines))
    for _ in 0..<400 {
      let point = TilePoint(
        x: .random(in: Self.low...Self.high, using: &random),
        y: .random(in: Self.low...Self.high, using: &random))
      let isOnIsland = islands.contains { TileRing.contains($0, point) }
      #expect(Self.isIn(sea, point) != isOnIsland, "seed \(seed), \(point)")
    }
  }

  @Test func `the sea lies to the right of its coastline`() throws {
    let maker = SeaPolygons(from: 0, to: 100)
    let east = [TilePoint(x: -10, y: 40), TilePoint(x: 110, y: 40)]
    let south = try #require(maker.polygons([east]))
    #expect(Self.isIn(south, TilePoint(x: 50, y: 60)))
    #expect(!Self.isIn(south, TilePoint(x: 50, y: 20)))
    let north = try #require(maker.polygons([Array(east.reversed())]))
    #expect(!Self.isIn(north, TilePoint(x: 50, y: 60)))
    #expect(Self.isIn(north, TilePoint(x: 50, y: 20)))
    #expect(maker.polygons([]) == nil)
    // An inland sea turns the other way round.
    let lake = [(20, 20), (80, 20), (80, 80), (20, 80), (20, 20)].map {
      TilePoint(x: $0.0, y: $0.1)
    }
    let inland = try #require(maker.polygons([lake]))
    #expect(Self.isIn(inland, TilePoint(x: 50, y: 50)) && !Self.isIn(inland, TilePoint(x: 5, y: 5)))
    // A rock that was simplified to a spike changes nothing.
    let rock = [TilePoint(x: 50, y: 50), TilePoint(x: 52, y: 50), TilePoint(x: 50, y: 50)]
    let around = try #require(maker.polygons([rock]))
    #expect(Self.isIn(around, TilePoint(x: 5, y: 5)) && Self.isIn(around, TilePoint(x: 90, y: 90)))
    let both = try #require(maker.polygons([east, rock]))
    #expect(Self.isIn(both, TilePoint(x: 50, y: 60)) && !Self.isIn(both, TilePoint(x: 50, y: 20)))
    // Data that end within the tile.
    let cut = try #require(
      maker.polygons([[TilePoint(x: 0, y: 40), TilePoint(x: 90, y: 40)]]))
    #expect(Self.isIn(cut, TilePoint(x: 50, y: 60)))
  }

  @Test(arguments: 0..<40)
  func `a clipped ring covers the same within the box`(seed: Int) {
    var random = SplitMix64(seed: UInt64(seed) + 500)
    let ring = Self.star(
      .random(in: -500...4500, using: &random), .random(in: -500...4500, using: &random),
      radius: .random(in: 100...4000, using: &random), random: &random)
    let clipped = TileRing.clipped(ring, from: Self.low, to: Self.high)
    for _ in 0..<300 {
      let point = TilePoint(
        x: .random(in: Self.low...Self.high, using: &random),
        y: .random(in: Self.low...Self.high, using: &random))
      #expect(
        TileRing.contains(ring, point) == TileRing.contains(clipped, point), "seed \(seed)")
    }
  }

  /// A square of the base map around a place, in millionths of a degree.
  private static func square(_ place: Coordinate, half: Int32) -> [BaseMapPoint] {
    let (x, y) = (Int32(place.longitudeDeg * 1e6), Int32(place.latitudeDeg * 1e6))
    return [(-half, -half), (half, -half), (half, half), (-half, half)].map {
      BaseMapPoint(longitudeE6: x + $0.0, latitudeE6: y + $0.1)
    }
  }

  @Test(arguments: 0..<12)
  func `a coast of many stretches gives the sea of the whole coast, RN-1`(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed) + 900)
    // An island of half a degree with a ragged coast, far larger than the tiles.
    let count = 6_000
    let ring = (0..<count).map { step in
      let turn = Double(step) / Double(count) * 2 * .pi
      let reach = 250_000 + Double.random(in: -300...300, using: &random)
      return BaseMapPoint(
        longitudeE6: Int32(reach * Self.cosine(turn)),
        latitudeE6: Int32(reach * Self.cosine(turn - .pi / 2)))
    }
    let closed = ring + ring.prefix(1)
    let coast = Coast(BaseMap([BaseMapFeature(kind: .coastline, rings: [closed])]))
    let maker = SeaPolygons(from: Self.low, to: Self.high)
    for _ in 0..<6 {
      // Tiles on the coast, the seam of the ring among them.
      let near = ring[
        [0, count - 1, Int.random(in: 0..<count, using: &random)].randomElement(using: &random) ?? 0
      ]
      let place = Coordinate(
        latitudeDeg: Double(near.latitudeE6) / 1e6, longitudeDeg: Double(near.longitudeE6) / 1e6)
      let frame = TileFrame(
        TileAddress(holding: place, zoom: .random(in: 8...14, using: &random)))
      let box = BaseMapBox(frame.box)
      let parts = coast.lines(near: box, in: frame)
      let whole = [closed.map { frame.point($0) }]
      let (sea, expected) = (
        try #require(maker.polygons(parts)), try #require(maker.polygons(whole))
      )
      for _ in 0..<200 {
        let point = TilePoint(
          x: .random(in: Self.low...Self.high, using: &random),
          y: .random(in: Self.low...Self.high, using: &random))
        #expect(
          Self.isIn(sea, point) == Self.isIn(expected, point), "seed \(seed), \(frame.address)")
      }
    }
  }

  @Test func `tiles show land, water and houses from their zooms on, RN-1`() throws {
    let map = try DrawnMap(TileMakerTests.drawing, ways: ["abc": "highway=primary"])
    let place = try map.coordinate("b")
    let base = BaseMap([
      BaseMapFeature(kind: .wood, rings: [Self.square(place, half: 9000)]),
      BaseMapFeature(
        kind: .water, rings: [Self.square(place, half: 800), Self.square(place, half: 200)]),
      BaseMapFeature(kind: .building, heightDM: 125, rings: [Self.square(place, half: 60)]),
      BaseMapFeature(kind: .railway, rings: [Self.square(place, half: 1000)]),
    ])
    let maker = TileMaker(graph: map.graph, baseMap: base)
    func layers(_ zoom: Int) throws -> [String: TileReader.Layer] {
      try TileReader.layers(maker.tile(TileAddress(holding: place, zoom: zoom)))
    }
    let near = try layers(15)
    #expect(near["landuse"]?.features.map { $0.tags["kind"] } == ["wood"])
    #expect(near["water"]?.features.map(\.type) == [3])
    #expect(near["building"]?.features.first?.tags == ["kind": "building", "height": 125])
    #expect(near["railway"]?.features.first?.tags["kind"] == "railway")
    let far = try layers(10)
    #expect(far["building"] == nil && far["landuse"] != nil)
    // Without a coastline nothing is sea, and a map without all this has its roads alone.
    #expect(!(near["water"]?.features ?? []).contains { $0.tags["kind"] == "sea" })
    let bare = try TileReader.layers(
      TileMaker(graph: map.graph).tile(TileAddress(holding: place, zoom: 15)))
    #expect(Set(bare.keys) == ["roads"])
  }

  @Test func `a tile away from the coast is sea or land by the nearest coastline, RN-1`() {
    // An island of a degree around the origin, and a notch in its east.
    let ring = [
      (-500_000, -500_000), (500_000, -500_000), (500_000, -50_000), (100_000, 0),
      (500_000, 50_000), (500_000, 500_000), (-500_000, 500_000), (-500_000, -500_000),
    ].map { BaseMapPoint(longitudeE6: $0.0, latitudeE6: $0.1) }
    let halves = [Array(ring[...3]), Array(ring[3...])]
    for lines in [[ring], halves] {
      let coast = Coast(BaseMap(lines.map { BaseMapFeature(kind: .coastline, rings: [$0]) }))
      func isSea(_ x: Int32, _ y: Int32) -> Bool {
        coast.isSea(at: BaseMapPoint(longitudeE6: x, latitudeE6: y))
      }
      #expect(!isSea(0, 0) && !isSea(-300_000, 400_000) && !isSea(450_000, 200_000))
      #expect(isSea(800_000, 0) && isSea(400_000, 0) && isSea(-900_000, -900_000))
      #expect(isSea(700_000, 700_000) && isSea(0, -600_000))
    }
  }
}
