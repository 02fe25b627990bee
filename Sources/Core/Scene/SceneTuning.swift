/// How a scene is shown; every number can be set.
public struct SceneTuning: Codable, Hashable, Sendable {
  public var behaviour = CameraBehaviour.dynamic
  /// Zoom of the fixed camera, Web Mercator with tiles of 512 pixels.
  public var fixedZoom = 16.5
  /// Degrees from straight down, while the heading is up.
  public var tiltDeg = 50.0
  /// North stays up, and the camera looks straight down.
  public var isNorthUp = false
  /// Place of the indicator on the screen, from the left and from the top, 0 to 1.
  public var anchorX = 0.5
  public var anchorY = 0.775
  /// Seconds of driving that the view ahead covers.
  public var viewAheadS = 17.0
  /// Least and greatest view ahead, metres.
  public var viewAheadM = 140.0...1_500.0
  /// Pixels of screen that the view ahead fills; a tilted view holds more than its height.
  public var viewAheadPixels = 560.0
  public var zoomLimits = 3.0...18.0
  public var theme = Theme.auto
  public var units = DistanceUnits.metric
  /// A location is carried on for at most this long, event seconds.
  public var carryLimitS = 5.0
  /// Seconds in which an error of place is steered away, as it is on the page.
  public var settleS = 0.7
  /// A greater error is shown as a jump, metres.
  public var jumpM = 150.0

  public init() {}
}

/// How the camera behaves while it follows.
public enum CameraBehaviour: String, Codable, Hashable, Sendable, CaseIterable {
  /// Always the same zoom.
  case fixed
  /// Farther at speed, closer before maneuvers; without a route, speed alone decides.
  case dynamic
  case speedBased = "speed_based"
}

public enum Theme: String, Codable, Hashable, Sendable, CaseIterable {
  /// By the sun at the indicator.
  case auto
  case day
  case night
}
