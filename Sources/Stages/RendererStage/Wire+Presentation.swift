public import Messages
import RoadGraph
import RouteWire
public import Scene

extension WireSceneSettings {
  init(_ presentation: ScenePresentation) {
    let camera = presentation.camera
    let picture = presentation.indicator.picture
    self.init(
      camera: .init(rawValue: camera.behaviour.rawValue) ?? .dynamic, tracking: camera.isTracking,
      fixedZoom: camera.fixedZoom, tiltDeg: camera.tiltDeg, northUp: camera.isNorthUp,
      anchorX: camera.anchorX, anchorY: camera.anchorY,
      theme: .init(rawValue: presentation.theme.rawValue) ?? .auto,
      eatUp: presentation.showsEatUp, frameRateHz: presentation.frameRate.freeHz,
      guidanceFrameRateHz: presentation.frameRate.guidanceHz,
      indicator: .init(rawValue: presentation.indicator.look.rawValue) ?? .auto,
      indicatorPicture: picture?.bytes,
      indicatorPictureType: picture.flatMap { .init(rawValue: $0.kind.rawValue) },
      layers: SceneLayer.allCases.filter(presentation.hiddenLayers.contains)
        .compactMap { WireSceneLayer($0, isVisible: false) },
      colours: presentation.colours.map { WireSceneColour($0) },
      routes: presentation.lines.map { WireSceneRoute($0) })
  }
}

extension WireSceneLayer {
  init?(_ layer: SceneLayer, isVisible: Bool) {
    guard let name = Name(rawValue: layer.rawValue) else { return nil }
    self.init(name: name, visible: isVisible)
  }
}

extension WireSceneColour {
  init(_ colour: SceneColour) {
    self.init(name: colour.name, value: colour.value.text, mode: colour.mode?.wire)
  }
}

extension SceneColour {
  /// nil for a value that is not a colour.
  public init?(_ wire: WireSceneColour) {
    guard let value = ARGB(wire.value) else { return nil }
    self.init(name: wire.name, value: value, mode: wire.mode.map { TravelMode(wire: $0) })
  }
}

extension WireSceneRoute {
  init(_ line: SceneLine) {
    self.init(
      id: line.id, shape: line.shape, colour: line.colour.text, outline: line.outline?.text,
      widthPx: line.widthPx)
  }
}
