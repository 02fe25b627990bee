public import RoadGraph

/// The presentation of the scene: everything that can be changed while a renderer runs.
public struct ScenePresentation: Codable, Hashable, Sendable {
  public var camera = CameraSettings()
  public var theme = Theme.auto
  /// Whether the driven part of the route has its own colour.
  public var showsEatUp = true
  public var frameRate = FrameRate()
  public var indicator = IndicatorSettings()
  /// Layers that are not drawn.
  public var hiddenLayers: Set<SceneLayer> = []
  /// Colours that differ from the style, by name; those for all modes precede those for one mode.
  public private(set) var colours: [SceneColour] = []
  /// Additional lines, in drawing order.
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

  /// Restores the colour of the style.
  public mutating func clearColour(_ name: String, mode: TravelMode?) {
    colours.removeAll { $0.name == name && $0.mode == mode }
  }

  public func colour(_ name: String, mode: TravelMode?) -> SceneColour? {
    colours.first { $0.name == name && $0.mode == mode }
  }

  /// The colours that replace those of the style while a route of `mode` is followed.
  ///
  /// A colour for the mode takes precedence over one for all modes.
  public func palette(for mode: TravelMode?) -> [String: ARGB] {
    var palette: [String: ARGB] = [:]
    for colour in colours where colour.mode == nil { palette[colour.name] = colour.value }
    guard let mode else { return palette }
    for colour in colours where colour.mode == mode { palette[colour.name] = colour.value }
    return palette
  }

  /// Draws a line above the others, or replaces the one with the same id.
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

  /// - Throws: `SceneFault` for inconsistent parts: an indicator that should be a picture, without
  ///   one.
  public func validate() throws(SceneFault) {
    if indicator.look == .picture, indicator.picture == nil {
      throw SceneFault(
        field: "indicator", message: "there is no picture: set indicator_picture, too")
    }
  }

  private static func order(_ colour: SceneColour) -> (String, Int) {
    (colour.name, colour.mode.map { Int($0.rawValue) } ?? -1)
  }
}

/// Frames drawn per second, 1 to 240.
public struct FrameRate: Codable, Hashable, Sendable {
  /// Without a route.
  public var freeHz = 60.0
  /// While a route is followed.
  public var guidanceHz = 30.0

  public init() {}
}

public enum Theme: String, Codable, Hashable, Sendable, CaseIterable {
  /// By the position of the sun at the indicator.
  case auto
  case day
  case night
}
