import BaseMap
import Cartography

/// Draws the areas, lines and buildings of a map by the layers of a style.
struct MapPainter {
  let style: StyleSheet
  let map: PictureMap
  let canvas: Canvas
  let view: MapView

  private var projection: ScreenProjection { view.projection }
  private var zoom: Double { projection.zoom }

  /// Draws all layers but the symbols.
  func draw(_ tiles: [MapTile]) {
    for layer in style.layers where layer.zooms.contains(zoom) {
      switch layer.kind {
      case .background:
        canvas.fillAll(paint(layer.value("background-color", zoom: zoom)))
      case .fill: fill(layer, tiles)
      case .line: stroke(layer, tiles)
      case .extrusion: extrude(layer, tiles)
      case .symbol: break
      }
    }
  }

  private func paint(_ value: StyleValue) -> Paint { Paint(value.text ?? "#000000") }

  /// The features of a layer in view, by signature; only of those that its filter admits.
  private func features(
    _ layer: StyleLayer, _ tiles: [MapTile]
  ) -> [(signature: Int, features: [MapTile.Feature])] {
    var admitted: [Int: Bool] = [:]
    var groups: [Int: [MapTile.Feature]] = [:]
    for tile in tiles {
      for feature in tile.layers[layer.source] ?? [] where view.sees(feature) {
        let signature = feature.signature
        let isAdmitted: Bool
        if let known = admitted[signature] {
          isAdmitted = known
        } else {
          isAdmitted = layer.filter.value(zoom: zoom, map.properties(of: signature)).isTrue
          admitted[signature] = isAdmitted
        }
        if isAdmitted { groups[signature, default: []].append(feature) }
      }
    }
    return groups.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// The place of each kind of area in the order of drawing.
  private static let order = Dictionary(
    uniqueKeysWithValues: BaseMapKind.allCases.enumerated().map { ($1.word, $0) })

  // MARK: Areas

  private func fill(_ layer: StyleLayer, _ tiles: [MapTile]) {
    let groups = features(layer, tiles).map { group in
      (properties: map.properties(of: group.signature), features: group.features)
    }.sorted {
      let (a, b) = ($0.properties["kind"]?.text ?? "", $1.properties["kind"]?.text ?? "")
      return (Self.order[a] ?? -1, a) < (Self.order[b] ?? -1, b)
    }
    for group in groups {
      canvas.beginPath()
      for feature in group.features {
        guard case .polygon(let rings) = feature.shape else { continue }
        for ring in rings { canvas.addPolygon(view.ring(ring).map { projection.screen($0) }) }
      }
      let outline = layer.value("fill-outline-color", zoom: zoom, group.properties)
      let colour = paint(layer.value("fill-color", zoom: zoom, group.properties))
      if outline == .none {
        canvas.fillPath(colour)
      } else {
        canvas.fillPath(colour, edge: paint(outline))
      }
    }
  }

  // MARK: Lines

  private struct LineLook: Hashable {
    var order: Double
    var colour: String
    var width: Double
    var opacity: Double
    var dashes: [Double]
    var hasRoundEnds: Bool
  }

  private func stroke(_ layer: StyleLayer, _ tiles: [MapTile]) {
    var looks: [LineLook: [MapTile.Feature]] = [:]
    for (signature, features) in features(layer, tiles) {
      let properties = map.properties(of: signature)
      func value(_ name: String) -> StyleValue { layer.value(name, zoom: zoom, properties) }
      let width = value("line-width").number ?? 1
      guard width > 0.05 else { continue }
      var dashes: [Double] = []
      if case .list(let lengths) = value("line-dasharray") { dashes = lengths.map { $0 * width } }
      let look = LineLook(
        order: value("line-sort-key").number ?? 0, colour: value("line-color").text ?? "",
        width: width, opacity: value("line-opacity").number ?? 1, dashes: dashes,
        hasRoundEnds: value("line-cap").text == "round")
      looks[look, default: []].append(contentsOf: features)
    }
    let ordered = looks.sorted {
      ($0.key.order, $0.key.width, $0.key.colour) < ($1.key.order, $1.key.width, $1.key.colour)
    }
    var outline = LineOutline()
    for (look, features) in ordered {
      outline.removeAll()
      for case .line(let points) in features.map(\.shape) {
        for line in view.lines(points) {
          let parts = look.dashes.isEmpty ? [line] : LineOutline.dashes(line, pattern: look.dashes)
          for part in parts {
            outline.add(part, widthPx: look.width, hasRoundEnds: look.hasRoundEnds)
          }
        }
      }
      canvas.fill(outline, Paint(look.colour).faded(look.opacity), projection)
    }
  }

  // MARK: Buildings

  private struct Building {
    var rings: [[GroundPoint]]
    var nearest: Double
    var heightPx: Double
  }

  private func extrude(_ layer: StyleLayer, _ tiles: [MapTile]) {
    var buildings: [Building] = []
    for (signature, features) in features(layer, tiles) {
      let properties = map.properties(of: signature)
      for feature in features {
        guard case .polygon(let rings) = feature.shape else { continue }
        var own = properties
        if feature.heightM > 0 { own["height"] = .number(feature.heightM * 10) }
        let heightM = layer.value("fill-extrusion-height", zoom: zoom, own).number ?? 0
        let placed = rings.map { view.ring($0) }.filter { $0.count > 2 }
        guard let nearest = placed.first?.map(\.y).min() else { continue }
        buildings.append(
          Building(
            rings: placed, nearest: nearest, heightPx: heightM * projection.pixelsPerMetre))
      }
    }
    guard !buildings.isEmpty else { return }
    buildings.sort { ($0.nearest, $0.rings[0][0].x) > ($1.nearest, $1.rings[0][0].x) }
    let colour = paint(layer.value("fill-extrusion-color", zoom: zoom))
    let opacity = layer.value("fill-extrusion-opacity", zoom: zoom).number ?? 1
    canvas.group(opacity: opacity) {
      for building in buildings { draw(building, colour) }
    }
  }

  private func draw(_ building: Building, _ colour: Paint) {
    let depth = 1.45 * projection.height
    // Nothing that reaches up to the camera can be drawn.
    let height = Swift.min(building.heightPx, depth * 0.6)
    let roofs = building.rings.map { $0.map { projection.screen($0, upPx: height) } }
    let feet = building.rings.map { $0.map { projection.screen($0) } }
    guard
      feet.joined().contains(where: { view.contains($0, marginPx: 20) })
        || roofs.joined().contains(where: { view.contains($0, marginPx: 20) })
    else { return }
    // The walls that face the camera; what they hide is drawn before them.
    var walls: [(corners: [ScreenPoint], light: Double, far: Double)] = []
    for (index, ring) in building.rings.enumerated() {
      for corner in ring.indices {
        let next = (corner + 1) % ring.count
        let (a, b) = (feet[index][corner], feet[index][next])
        let (c, d) = (roofs[index][next], roofs[index][corner])
        let area = (b.x - a.x) * (d.y - a.y) - (d.x - a.x) * (b.y - a.y)
        guard area > 0 else { continue }
        let (dx, dy) = (ring[next].x - ring[corner].x, ring[next].y - ring[corner].y)
        let length = Swift.max((dx * dx + dy * dy).squareRoot(), 1e-9)
        // Light comes from the left above.
        let light = 0.76 + 0.12 * (dy / length)
        walls.append(([a, b, c, d], light, ring[corner].y + ring[next].y))
      }
    }
    for wall in walls.sorted(by: { $0.far > $1.far }) {
      canvas.beginPath()
      canvas.addPolygon(wall.corners)
      canvas.fillPath(colour.shaded(wall.light))
    }
    canvas.beginPath()
    for roof in roofs { canvas.addPolygon(roof) }
    canvas.fillPath(colour)
  }
}
