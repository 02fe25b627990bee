import Cartography

/// Places the names, icons and road numbers of the map so that none covers another, and draws them.
///
/// Labels that were shown in the picture before are placed first, and labels appear and disappear
/// within a third of a second, so that a film does not flicker.
struct LabelPainter {
  /// The labels of a picture, which the next one continues.
  struct Memory {
    /// By label: from 0 (not shown) to 1.
    fileprivate var opacities: [LabelKey: Double] = [:]
  }

  let style: StyleSheet
  let map: PictureMap
  let canvas: Canvas
  let view: MapView
  let isNight: Bool
  /// Rectangles that no label may cover.
  var blocked: [LabelBox] = []

  private var projection: ScreenProjection { view.projection }
  private var zoom: Double { projection.zoom }

  /// Seconds in which a label appears.
  private static let fadeS = 0.3

  /// Draws the labels; `stepS` is the time since the last picture, infinite for a single one.
  func draw(_ tiles: [MapTile], memory: inout Memory, stepS: Double) {
    var candidates: [LabelCandidate] = []
    let layers = style.layers.enumerated().filter {
      $0.element.kind == .symbol && $0.element.zooms.contains(zoom)
    }
    for (index, layer) in layers { candidates += labels(of: layer, at: index, tiles) }
    candidates.sort { a, b in
      let (isShownA, isShownB) = (memory.opacities[a.key] != nil, memory.opacities[b.key] != nil)
      // Labels that the style draws last come first.
      return (-a.layer, a.order, isShownA ? 0 : 1, a.level, a.aheadPx, a.key)
        < (-b.layer, b.order, isShownB ? 0 : 1, b.level, b.aheadPx, b.key)
    }
    var taken = LabelBoxes(blocked)
    var shown: [(LabelCandidate, form: LabelForm, opacity: Double)] = []
    var opacities: [LabelKey: Double] = [:]
    let step = stepS.isFinite ? stepS / Self.fadeS : 1
    for candidate in candidates where opacities[candidate.key] == nil {
      let before = memory.opacities[candidate.key] ?? 0
      let form = candidate.forms.first { taken.admits($0, repeats: candidate.text) }
      if let form { taken.add(form, text: candidate.text) }
      let opacity = min(max(before + (form == nil ? -step : step), 0), 1)
      guard opacity > 0, let drawn = form ?? candidate.forms.first else { continue }
      opacities[candidate.key] = opacity
      shown.append((candidate, drawn, opacity))
    }
    memory.opacities = opacities
    for (candidate, form, opacity) in shown.reversed() {
      LabelDrawing(canvas: canvas, style: style, candidate: candidate).draw(form, opacity)
    }
  }

  // MARK: Candidates

  private func labels(
    of layer: StyleLayer, at index: Int, _ tiles: [MapTile]
  ) -> [LabelCandidate] {
    let isAlongLine = layer.value("symbol-placement", zoom: zoom).text == "line"
    var admitted: [Int: Bool] = [:]
    var labels: [LabelCandidate] = []
    for tile in tiles {
      for feature in tile.layers[layer.source] ?? [] where view.sees(feature) {
        let signature = feature.signature
        let isAdmitted =
          admitted[signature]
          ?? layer.filter.value(zoom: zoom, map.properties(of: signature)).isTrue
        admitted[signature] = isAdmitted
        guard isAdmitted else { continue }
        let tags = map.properties(of: signature).merging(feature.tags) { $1 }
        switch feature.shape {
        case .point(let point):
          if !isAlongLine { labels += pointLabel(layer, index, point, tags) }
        case .line(let points):
          if isAlongLine { labels += lineLabels(layer, index, points, tags) }
        case .polygon: break
        }
      }
    }
    return labels
  }

  private func look(_ layer: StyleLayer, _ tags: StyleProperties) -> LabelLook {
    func value(_ name: String) -> StyleValue { layer.value(name, zoom: zoom, tags) }
    let font = value("text-font").text
    let size = value("text-size").number ?? 13
    return LabelLook(
      text: TextStyle(
        size: size, isBold: font == "Bold", isMedium: font == "Medium",
        widthLimit: value("text-max-width").number.map { $0 * size }, lineLimit: 3,
        isCentered: true),
      ink: Paint(value("text-color").text ?? "#000000"),
      halo: value("text-halo-color").text.map { Paint($0) },
      haloWidth: value("text-halo-width").number ?? 0,
      icon: value("icon-image").text,
      padding: value("text-padding").number ?? value("icon-padding").number ?? 2)
  }

  private func pointLabel(
    _ layer: StyleLayer, _ index: Int, _ point: MapPoint, _ tags: StyleProperties
  ) -> [LabelCandidate] {
    let ground = projection.ground(point)
    guard view.ahead.contains(ground.y) else { return [] }
    let screen = projection.screen(ground)
    guard view.contains(screen, marginPx: 40) else { return [] }
    let look = look(layer, tags)
    let text = layer.value("text-field", zoom: zoom, tags).text ?? ""
    let category = tags["category"]?.text ?? ""
    let icon = look.icon?.hasPrefix("poi-") == true ? PlaceIcon.icon(category: category) : nil
    guard !text.isEmpty || icon != nil else { return [] }
    let laid = canvas.text(text, look.text)
    return [
      LabelCandidate(
        key: LabelKey(text: text, point: point), layer: index,
        order: layer.value("symbol-sort-key", zoom: zoom, tags).number ?? 0, level: 0,
        aheadPx: ground.y, text: text, look: look, icon: icon,
        forms: LabelForm.around(
          screen, text: laid, hasIcon: icon != nil, offset: look.text.size * 0.95,
          padding: look.padding))
    ]
  }

  private func lineLabels(
    _ layer: StyleLayer, _ index: Int, _ points: [MapPoint], _ tags: StyleProperties
  ) -> [LabelCandidate] {
    let look = look(layer, tags)
    let isArrow = look.icon == "oneway"
    let shields = look.icon.flatMap { MapShields(image: $0, isNight: isNight) }
    let text =
      shields == nil
      ? layer.value("text-field", zoom: zoom, tags).text ?? "" : tags["ref"]?.text ?? ""
    guard !text.isEmpty || isArrow else { return [] }
    let path = LabelPath(points, view)
    guard path.lengthPx > 20 else { return [] }
    let spacing = layer.value("symbol-spacing", zoom: zoom).number ?? 250
    let order = layer.value("symbol-sort-key", zoom: zoom, tags).number ?? 0
    let isUpright = shields != nil
    let laid = isArrow || isUpright ? nil : canvas.text(text, look.text)
    let width = laid.map { $0.width + 6 } ?? 26
    var labels: [LabelCandidate] = []
    for (level, fraction) in LabelPath.fractions(lengthPx: path.lengthPx, spacing: spacing) {
      // Numbers avoid the middles, which belong to the names.
      let place = isUpright ? 0.19 + 0.618 * fraction : fraction
      guard let anchor = path.anchor(at: place, width: isUpright ? 1 : width, view) else {
        continue
      }
      let form: LabelForm
      if let shields {
        form = LabelForm.shields(anchor.center, shields, padding: look.padding)
      } else {
        guard let angle = anchor.angleDeg else { continue }
        form = LabelForm.along(
          anchor.center, angleDeg: isArrow ? angle : LabelPath.readable(angle), width: width,
          height: laid?.height ?? 10, padding: isArrow ? 1 : look.padding)
      }
      labels.append(
        LabelCandidate(
          key: LabelKey(text: isArrow ? "→" : text, point: anchor.point), layer: index,
          order: order, level: level, aheadPx: anchor.aheadPx, text: isArrow ? "" : text,
          look: look, icon: nil, shields: shields, forms: [form]))
    }
    return labels
  }
}
