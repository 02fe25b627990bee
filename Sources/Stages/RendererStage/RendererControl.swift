import Messages
import RoadGraph
import RouteWire
import Scene

/// The current presentation of the scene: the parameters with the changes by calls of
/// `scene/control`.
struct RendererControl {
  /// The presentation according to the parameters.
  let base: ScenePresentation
  private(set) var presentation: ScenePresentation
  /// The payload of `scene/settings`, and of the reply of `scene/control`.
  private(set) var payload: [UInt8]
  /// The payload of the request that a restart applies again; nil if no call changed anything.
  private(set) var saved: [UInt8]?

  init(base: ScenePresentation) {
    self.base = base
    presentation = base
    payload = SceneSettings(WireSceneSettings(base)).encoded()
  }

  /// Applies the changes of a request; an invalid request changes nothing.
  ///
  /// - Throws: `SceneFault` with the path of the invalid field.
  mutating func apply(_ request: SceneControlRequest) throws(SceneFault) {
    var next = request.reset ? base : presentation
    next.apply(request)
    try next.applyIndicator(request)
    try applyColours(request.colours, &next)
    try Self.lines(request.routes, &next)
    try next.validate()
    let payload = SceneSettings(WireSceneSettings(next)).encoded()
    let limit = Topics.declaration(of: SceneSettings.topic)?.maxSizeBytes ?? .max
    guard payload.count <= limit else {
      throw SceneFault(
        field: "routes",
        message: "the settings would take \(payload.count) bytes, the maximum is \(limit): "
          + "draw fewer lines, or lines with fewer points")
    }
    presentation = next
    self.payload = payload
    saved = changes?.encoded()
  }

  private func applyColours(
    _ colours: [WireSceneColour], _ next: inout ScenePresentation
  ) throws(SceneFault) {
    for (index, colour) in colours.enumerated() {
      let field = "colours[\(index)]"
      try SceneColour.check(name: colour.name, field: "\(field).name")
      let mode = colour.mode.map { TravelMode(wire: $0) }
      if let value = ARGB(colour.value) {
        next.set(SceneColour(name: colour.name, value: value, mode: mode))
      } else if !colour.value.isEmpty {
        throw SceneFault.noColour(colour.value, field: "\(field).value")
      } else if let before = base.colour(colour.name, mode: mode) {
        next.set(before)
      } else {
        next.clearColour(colour.name, mode: mode)
      }
    }
  }

  private static func lines(
    _ routes: [WireSceneRoute], _ next: inout ScenePresentation
  ) throws(SceneFault) {
    for (index, route) in routes.enumerated() {
      let field = "routes[\(index)]"
      if route.shape.isEmpty {
        next.removeLine(route.id)
        continue
      }
      guard let colour = ARGB(route.colour) else {
        throw SceneFault.noColour(route.colour, field: "\(field).colour")
      }
      var outline: ARGB?
      if let text = route.outline {
        outline = ARGB(text)
        guard outline != nil else {
          throw SceneFault.noColour(text, field: "\(field).outline")
        }
      }
      do throws(SceneFault) {
        next.draw(
          try SceneLine(
            id: route.id, shape: route.shape, colour: colour, outline: outline,
            widthPx: route.widthPx))
      } catch {
        throw error.inside(field)
      }
    }
  }
}

extension RendererControl {
  /// The request that leads from the parameters to the current presentation; nil if nothing was
  /// changed.
  ///
  /// A restart applies it again, so that parameters that changed meanwhile hold unless a call
  /// changed them.
  var changes: SceneControlRequest? {
    guard presentation != base else { return nil }
    let (now, camera, before) = (presentation, presentation.camera, base.camera)
    func changed<Value: Equatable>(_ new: Value, _ old: Value) -> Value? { new == old ? nil : new }
    let hasNewPicture = now.indicator.picture != base.indicator.picture
    return SceneControlRequest(
      camera: changed(camera.behaviour, before.behaviour).flatMap { .init(rawValue: $0.rawValue) },
      tracking: changed(camera.isTracking, before.isTracking),
      fixedZoom: changed(camera.fixedZoom, before.fixedZoom),
      tiltDeg: changed(camera.tiltDeg, before.tiltDeg),
      northUp: changed(camera.isNorthUp, before.isNorthUp),
      anchorX: changed(camera.anchorX, before.anchorX),
      anchorY: changed(camera.anchorY, before.anchorY),
      theme: changed(now.theme, base.theme).flatMap { .init(rawValue: $0.rawValue) },
      eatUp: changed(now.showsEatUp, base.showsEatUp),
      frameRateHz: changed(now.frameRate.freeHz, base.frameRate.freeHz),
      guidanceFrameRateHz: changed(now.frameRate.guidanceHz, base.frameRate.guidanceHz),
      indicator: changed(now.indicator.look, base.indicator.look)
        .flatMap { .init(rawValue: $0.rawValue) },
      indicatorPicture: hasNewPicture ? now.indicator.picture?.bytes ?? [] : nil,
      indicatorPictureType: hasNewPicture
        ? now.indicator.picture.flatMap { .init(rawValue: $0.kind.rawValue) } : nil,
      layers: SceneLayer.allCases.filter {
        now.hiddenLayers.contains($0) != base.hiddenLayers.contains($0)
      }.compactMap { WireSceneLayer($0, isVisible: !now.hiddenLayers.contains($0)) },
      colours: now.colours.filter { base.colour($0.name, mode: $0.mode) != $0 }
        .map { WireSceneColour($0) },
      routes: now.lines.map { WireSceneRoute($0) })
  }
}

extension ScenePresentation {
  /// Applies the fields whose values are all valid; the decoder has checked the ranges.
  fileprivate mutating func apply(_ request: SceneControlRequest) {
    camera.behaviour = request.camera.flatMap { .init(rawValue: $0.rawValue) } ?? camera.behaviour
    camera.isTracking = request.tracking ?? camera.isTracking
    camera.fixedZoom = request.fixedZoom ?? camera.fixedZoom
    camera.tiltDeg = request.tiltDeg ?? camera.tiltDeg
    camera.isNorthUp = request.northUp ?? camera.isNorthUp
    camera.anchorX = request.anchorX ?? camera.anchorX
    camera.anchorY = request.anchorY ?? camera.anchorY
    theme = request.theme.flatMap { .init(rawValue: $0.rawValue) } ?? theme
    showsEatUp = request.eatUp ?? showsEatUp
    frameRate.freeHz = request.frameRateHz ?? frameRate.freeHz
    frameRate.guidanceHz = request.guidanceFrameRateHz ?? frameRate.guidanceHz
    for layer in request.layers {
      guard let named = SceneLayer(rawValue: layer.name.rawValue) else { continue }
      if layer.visible { hiddenLayers.remove(named) } else { hiddenLayers.insert(named) }
    }
  }

  /// Applies the look of the indicator and its picture; an empty picture removes it.
  fileprivate mutating func applyIndicator(_ request: SceneControlRequest) throws(SceneFault) {
    indicator.look = request.indicator.flatMap { .init(rawValue: $0.rawValue) } ?? indicator.look
    let kind = request.indicatorPictureType.flatMap { IndicatorPicture.Kind(rawValue: $0.rawValue) }
    guard let bytes = request.indicatorPicture else {
      if kind != nil {
        throw SceneFault(
          field: "indicator_picture_type", message: "there are no bytes: set indicator_picture, too"
        )
      }
      return
    }
    if bytes.isEmpty {
      indicator.picture = nil
      return
    }
    guard let kind else {
      throw SceneFault(
        field: "indicator_picture_type",
        message: "missing: the bytes of indicator_picture are png, svg or glb")
    }
    indicator.picture = try IndicatorPicture(kind: kind, bytes: bytes)
  }
}

extension SceneColour {
  /// - Throws: `SceneFault` that suggests the nearest name, or lists all names if none is near.
  static func check(name: String, field: String) throws(SceneFault) {
    guard !names.contains(name) else { return }
    let hint =
      Suggestion.nearest(to: name, among: names).map { "did you mean \"\($0)\"?" }
      ?? "names are \(names.sorted().joined(separator: ", "))"
    throw SceneFault(field: field, message: "\"\(name)\" is not a colour of the style; \(hint)")
  }
}

extension SceneFault {
  static func noColour(_ text: String, field: String) -> SceneFault {
    SceneFault(field: field, message: "\"\(text)\" is not a colour: write #rrggbb or #aarrggbb")
  }
}
