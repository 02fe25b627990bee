import BaseMap
import Geodesy

/// Writes the layers of the base map: `landuse`, `water`, `waterway`, `building`, `railway`,
/// `aeroway` and `boundary`, each with `kind`; buildings also with `height` in decimetres.
struct LandLayers: Sendable {
  private let map: BaseMap
  private let coast: Coast
  private let bounds: BaseMapBox?

  /// `bounds` is the box of the map's roads, beyond which no sea is drawn.
  init(_ map: BaseMap, bounds: BoundingBox?) {
    self.map = map
    coast = Coast(map)
    self.bounds = bounds.map { BaseMapBox($0) }
  }

  /// Areas smaller than this many square units are not seen below the highest zoom.
  private static let leastArea = 128.0

  /// Writes the layers of a tile; n log n in the points of what is shown.
  func write<Sink: TileSink & ~Copyable>(_ frame: TileFrame, to writer: borrowing Sink) {
    let box = BaseMapBox(frame.box)
    var shapes: [BaseMapKind: [Shape]] = [:]
    map.forEachFeature(in: box, zoom: frame.address.zoom) { feature in
      guard feature.kind != .coastline, feature.box.intersects(box) else { return }
      shapes[feature.kind, default: []] += Self.shapes(feature, frame)
    }
    let sea = self.sea(frame, box)
    for layer in Layer.allCases {
      writer.layer(layer.rawValue) {
        if layer == .water {
          for rings in sea { writer.polygon(rings) { writer.tag("kind", "sea") } }
        }
        for kind in layer.kinds {
          for shape in shapes[kind] ?? [] { shape.write(kind, to: writer) }
        }
      }
    }
  }

  private enum Layer: String, CaseIterable {
    case landuse, water, waterway, building, railway, aeroway, boundary

    var kinds: [BaseMapKind] {
      switch self {
      case .landuse: BaseMapKind.allCases.filter { $0.isArea && $0 != .water && $0 != .building }
      case .water: [.water]
      case .waterway: [.river, .canal, .stream]
      case .building: [.building]
      case .railway: [.railway, .lightRail]
      case .aeroway: [.runway, .taxiway]
      case .boundary: [.countryBorder, .stateBorder]
      }
    }
  }

  /// The visible part of a feature in a tile.
  private enum Shape {
    case polygon([[TilePoint]], heightDM: Int)
    case line([TilePoint])

    func write<Sink: TileSink & ~Copyable>(_ kind: BaseMapKind, to writer: borrowing Sink) {
      switch self {
      case .polygon(let rings, let heightDM):
        writer.polygon(rings) {
          writer.tag("kind", kind.word)
          if heightDM > 0 { writer.tag("height", heightDM) }
        }
      case .line(let points): writer.line(points) { writer.tag("kind", kind.word) }
      }
    }
  }

  private static let low = -Double(TileRules.buffer)
  private static let high = Double(TileRules.extent + TileRules.buffer)

  private static func shapes(_ feature: BaseMapFeature, _ frame: TileFrame) -> [Shape] {
    let tolerance = TileRules.toleranceUnits(zoom: frame.address.zoom)
    if feature.kind.isArea {
      var rings: [[TilePoint]] = []
      for (index, ring) in feature.rings.enumerated() {
        let placed = ring.map { frame.point($0) }
        let clipped = TileRing.clipped(
          TileRing.simplified(placed, tolerance: tolerance), from: low, to: high)
        let isSeen = tolerance == 0 || abs(TileRing.doubledArea(clipped)) / 2 >= leastArea
        if clipped.isEmpty || !isSeen {
          if index == 0 { return [] }
          continue
        }
        rings.append(clipped)
      }
      return [.polygon(rings, heightDM: feature.heightDM)]
    }
    return feature.rings.flatMap { line in
      TileLine.clipped(
        simplified(line.map { frame.point($0) }, tolerance: tolerance), from: low, to: high
      ).map { .line($0) }
    }
  }

  /// A long line is simplified in pieces, so that the cost stays linear.
  private static func simplified(_ line: [TilePoint], tolerance: Double) -> [TilePoint] {
    guard tolerance > 0 else { return line }
    var kept: [TilePoint] = []
    var first = 0
    while first < line.count - 1 {
      let last = min(first + TileRules.joinLimit, line.count - 1)
      kept += TileLine.simplified(Array(line[first...last]), tolerance: tolerance).dropLast()
      first = last
    }
    if let last = line.last { kept.append(last) }
    return kept
  }

  private func sea(_ frame: TileFrame, _ box: BaseMapBox) -> [[[TilePoint]]] {
    guard !coast.isEmpty, bounds?.intersects(box) ?? true else { return [] }
    let maker = SeaPolygons(from: Self.low, to: Self.high)
    let tolerance = TileRules.toleranceUnits(zoom: frame.address.zoom)
    let lines = coast.lines(near: box, in: frame).map {
      Self.simplified($0, tolerance: tolerance)
    }
    if let polygons = maker.polygons(lines) { return polygons }
    let middle = BaseMapPoint(
      longitudeE6: Int32((Int64(box.westE6) + Int64(box.eastE6)) / 2),
      latitudeE6: Int32((Int64(box.southE6) + Int64(box.northE6)) / 2))
    return coast.isSea(at: middle) ? [[maker.corners]] : []
  }
}

extension TileFrame {
  func point(_ place: BaseMapPoint) -> TilePoint {
    point(
      Coordinate(
        latitudeDeg: Double(place.latitudeE6) / 1e6, longitudeDeg: Double(place.longitudeE6) / 1e6))
  }
}
