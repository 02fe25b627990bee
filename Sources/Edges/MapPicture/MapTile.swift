import Cartography
import Tiles

/// The features of a tile, ready to be drawn.
struct MapTile {
  struct Feature {
    enum Shape {
      case point(MapPoint)
      case line([MapPoint])
      /// The outer ring has a positive area, holes a negative one.
      case polygon([[MapPoint]])
    }

    var shape: Shape
    /// Its corners: north-west and south-east.
    var box: (low: MapPoint, high: MapPoint)
    var signature: Int
    /// Metres; 0 if unknown.
    var heightM: Double
    /// All tags, for features with a text.
    var tags: StyleProperties
  }

  /// By the tile's layer.
  private(set) var layers: [String: [Feature]] = [:]

  init(_ address: TileAddress, _ features: [TileFeature], _ signatures: inout SignatureTable) {
    let side = Double(1 << address.zoom)
    let unit = 1 / (side * Double(TileFeature.extent))
    let (west, north) = (Double(address.column) / side, Double(address.row) / side)
    func placed(_ point: TilePoint) -> MapPoint {
      MapPoint(x: west + point.x * unit, y: north + point.y * unit)
    }
    for feature in features {
      let tags = feature.tags.mapValues { tag in
        switch tag {
        case .text(let text): StyleValue.text(text)
        case .number(let number): StyleValue.number(Double(number))
        }
      }
      let shape: Feature.Shape
      let points: [MapPoint]
      switch feature.shape {
      case .point(let point):
        // A label belongs to the tile that holds its place, not to those whose border it is in.
        let limit = 0..<Double(TileFeature.extent)
        guard limit.contains(point.x), limit.contains(point.y) else { continue }
        points = [placed(point)]
        shape = .point(points[0])
      case .line(let line):
        points = line.map(placed)
        shape = .line(points)
      case .polygon(let rings):
        let oriented = rings.enumerated().map { index, ring in
          Self.oriented(ring.map(placed), isPositive: index == 0)
        }
        points = oriented.first ?? []
        shape = .polygon(oriented)
      }
      guard let box = Self.box(points) else { continue }
      let isNamed = tags["name"] != nil || tags["ref"] != nil
      layers[feature.layer, default: []].append(
        Feature(
          shape: shape, box: box, signature: signatures.index(of: tags),
          heightM: (tags["height"]?.number ?? 0) / 10, tags: isNamed ? tags : [:]))
    }
  }

  private static func oriented(_ ring: [MapPoint], isPositive: Bool) -> [MapPoint] {
    guard var before = ring.last else { return ring }
    var doubledArea = 0.0
    for point in ring {
      doubledArea += before.x * point.y - point.x * before.y
      before = point
    }
    return (doubledArea > 0) == isPositive ? ring : ring.reversed()
  }

  private static func box(_ points: [MapPoint]) -> (MapPoint, MapPoint)? {
    guard var low = points.first else { return nil }
    var high = low
    for point in points {
      low = MapPoint(x: min(low.x, point.x), y: min(low.y, point.y))
      high = MapPoint(x: max(high.x, point.x), y: max(high.y, point.y))
    }
    return (low, high)
  }
}
