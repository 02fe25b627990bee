public import RoadGraph

/// How a renderer shows the scene: all that can be changed while it runs.
public struct ScenePresentation: Codable, Hashable, Sendable {
  public var camera = CameraSettings()
  public var theme = Theme.auto
  /// The driven part of the route has a colour of its own.
  public var showsEatUp = true
  public var frameRate = FrameRate()
  public var indicator = IndicatorSettings()
  /// Layers that are not drawn.
  public var hiddenLayers: Set<SceneLayer> = []
  /// Colours that differ from the style, by name; those for all modes before those of one.
  public private(set) var colours: [SceneColour] = []
  /// Further lines, in the order in which they are drawn.
  public private(set) var lines: [SceneLine] = []

  public init() {}

  /// Whether the indicator is drawn at all.
  public var showsIndicator: Bool {
    indicator.look != .hidden && !hiddenLayers.contains(.indicator)
  }

  /// Replaces a colour, for one mode or for all.
  public mutating func set(_ colour: SceneColour) {
    clearColour(colour.name, mode: colour.mode)
    let place = colours.firstIndex { Self.order(colour) < Self.order($0) } ?? colours.endIndex
    colours.insert(colour, at: place)
  }

  /// Goes back to the colour of the style.
  public mutating func clearColour(_ name: String, mode: TravelMode?) {
    colours.removeAll { $0.name == name && $0.mode == mode }
  }

  public func colour(_ name: String, mode: TravelMode?) -> SceneColour? {
    colours.first { $0.name == name && $0.mode == mode }
  }

  /// The colours that replace those of the style while a route of `mode` is followed.
  ///
  /// A colour for the mode goes before one for all modes.
  public func palette(for mode: TravelMode?) -> [String: ARGB] {
    var palette: [String: ARGB] = [:]
    for colour in colours where colour.mode == nil { palette[colour.name] = colour.value }
    guard let mode else { return palette }
    for colour in colours where colour.mode == mode { palette[colour.name] = colour.value }
    return palette
  }

  /// Draws a line above the others, or in the place of the one with the same id.
  public mutating func draw(_ line: SceneLine) {
    if let place = lines.firstIndex(where: { $0.id == line.id }) {
      lines[place] = line
    } else {
      lines.append(line)
    }
  }

  public mutating func removeLine(_ id: String) {
    lines.removeAll { $0.id == id }
  }

  /// - Throws: `SceneFault` where the parts do not go together: an indicator that is a picture without one.
  public func validate() throws(SceneFault) {
    if indicator.look == .picture, indicator.picture == nil {
      throw SceneFault(
        field: "indicator", message: "there is no picture: give indicator_picture too")
    }
  }

  private static func order(_ colour: SceneColour) -> (String, Int) {
    (colour.name, colour.mode.map { Int($0.rawValue) } ?? -1)
  }
}

/// Frames a second that are drawn, 1 to 240.
public struct FrameRate: Codable, Hashable, Sendable {
  /// Without a route.
  public var freeHz = 60.0
  /// While a route is followed.
  public var guidanceHz = 30.0

  public init() {}
}

public enum Theme: String, Codable, Hashable, Sendable, CaseIterable {
  /// By the sun at the indicator.
  case auto
  case day
  case night
}
