import Foundations
import RoadGraph
import Testing

@testable import BaseMap

@Suite struct BaseMapTests {
  /// A square with its south-west corner at `east`, `north`, in millionths of a degree.
  static func square(_ east: Int32, _ north: Int32, side: Int32) -> [BaseMapPoint] {
    [(0, 0), (side, 0), (side, side), (0, side)].map {
      BaseMapPoint(longitudeE6: east + $0.0, latitudeE6: north + $0.1)
    }
  }

  static func features(_ count: Int) -> [BaseMapFeature] {
    (0..<count).map { index in
      let east = Int32(index % 37 * 900) - 12_000
      let north = Int32(index / 37 * 700) + 47_000_000
      if index % 5 == 0 {
        return BaseMapFeature(
          kind: .river, rings: [Self.square(east, north, side: 400)])
      }
      return BaseMapFeature(
        kind: index % 2 == 0 ? .building : .water, heightDM: index % 2 == 0 ? index : 0,
        rings: [
          Self.square(east, north, side: 500), Self.square(east + 100, north + 100, side: 50),
        ])
    }
  }

  @Test func `features come back as they were, whatever their order, RN-1`() {
    let features = Self.features(500)
    let map = BaseMap(features)
    #expect(Set(map.allFeatures()) == Set(features))
    #expect(map.allFeatures().count == features.count)
    let other = BaseMap(features.reversed())
    #expect(Array(other.bytes.records) == Array(map.bytes.records))
    #expect(other.mark == map.mark)
    #expect(BaseMap([]).isEmpty)
  }

  @Test func `a box and a zoom select what is near and large enough, RN-1`() {
    let map = BaseMap(Self.features(2000))
    let box = BaseMapBox(Self.square(0, 47_010_000, side: 3000))
    var near: [BaseMapFeature] = []
    map.forEachFeature(in: box, zoom: 14) { near.append($0) }
    #expect(near.count < 800)
    #expect(
      Self.features(2000).filter { $0.box.intersects(box) }.allSatisfy { near.contains($0) })
    var low: [BaseMapFeature] = []
    map.forEachFeature(in: .everywhere, zoom: 9) { low.append($0) }
    #expect(low.allSatisfy { $0.kind == .river })
    #expect(!low.isEmpty)
  }

  @Test func `a large area is shown from lower zooms than a small one`() {
    let lake = BaseMapFeature(kind: .water, rings: [Self.square(0, 47_000_000, side: 200_000)])
    let pond = BaseMapFeature(kind: .water, rings: [Self.square(0, 47_000_000, side: 200)])
    #expect(lake.firstZoom < 7)
    #expect(pond.firstZoom == 14)
    let house = BaseMapFeature(kind: .building, rings: [Self.square(0, 47_000_000, side: 90_000)])
    #expect(house.firstZoom == BaseMapKind.building.firstZoom)
  }

  @Test func `joined maps contain what they share once`() {
    let (a, b) = (Self.features(100), Array(Self.features(150).dropFirst(50)))
    let joined = BaseMap.joined([BaseMap(a), BaseMap(b)])
    #expect(Set(joined.allFeatures()) == Set(a + b))
    #expect(joined.allFeatures().count == 150)
    let west = joined.filtered { $0.eastE6 < 0 }
    #expect(!west.isEmpty && west.allFeatures().allSatisfy { $0.box.eastE6 < 0 })
  }

  @Test func `damaged bytes end a block and stop nothing`() {
    let map = BaseMap(Self.features(300))
    var random = SplitMix64(seed: 34)
    for _ in 0..<300 {
      var bytes = Array(map.bytes.records)
      for _ in 0..<8 {
        bytes[Int.random(in: bytes.indices, using: &random)] = .random(in: 0...255, using: &random)
      }
      let damaged = BaseMap(
        zooms: map.zooms, starts: map.starts, boxes: map.boxes, bytes: Column(bytes))
      #expect(damaged != nil)
      _ = damaged?.allFeatures()
    }
    // Columns that do not belong together are refused.
    #expect(
      BaseMap(zooms: map.zooms, starts: map.starts, boxes: map.boxes, bytes: Column([1, 2])) == nil)
  }

  @Test func `tags say what an area or line is, RN-1`() {
    func area(_ tags: [String: String]) -> BaseMapKind? { BaseMapTags.area { tags[$0] } }
    func line(_ tags: [String: String]) -> BaseMapKind? { BaseMapTags.line { tags[$0] } }
    #expect(area(["natural": "water"]) == .water)
    #expect(area(["landuse": "reservoir"]) == .water)
    #expect(area(["building": "yes", "amenity": "school"]) == .building)
    #expect(area(["building": "no", "amenity": "school"]) == .institution)
    #expect(area(["leisure": "park"]) == .park)
    #expect(area(["natural": "tree"]) == nil)
    #expect(line(["waterway": "river"]) == .river)
    #expect(line(["waterway": "river", "tunnel": "culvert"]) == nil)
    #expect(line(["railway": "rail"]) == .railway)
    #expect(line(["railway": "rail", "service": "siding"]) == nil)
    #expect(line(["railway": "abandoned"]) == nil)
    #expect(line(["boundary": "administrative", "admin_level": "2"]) == .countryBorder)
    #expect(line(["boundary": "administrative", "admin_level": "2", "maritime": "yes"]) == nil)
    #expect(line(["natural": "coastline"]) == .coastline)
    func height(_ tags: [String: String]) -> Int { BaseMapTags.heightDM { tags[$0] } }
    #expect(height(["height": "12.5 m"]) == 125)
    #expect(height(["building:levels": "3"]) == 96)
    #expect(height(["height": "tall", "building:levels": "x"]) == 0)
    #expect(height(["height": "99999999"]) == 10_000)
  }
}
