/// The behaviour of the camera while it follows the indicator.
public enum CameraBehaviour: String, Codable, Hashable, Sendable, CaseIterable {
  /// Always the same zoom.
  case fixed
  /// Farther at speed, closer before maneuvers; without a route, speed alone decides.
  case dynamic
  case speedBased = "speed_based"
}

/// The view of the camera, and the position of the indicator on the screen.
public struct CameraSettings: Codable, Hashable, Sendable {
  public var behaviour = CameraBehaviour.dynamic
  /// Whether the camera follows the indicator; otherwise it stays where it is.
  public var isTracking = true
  /// Zoom of the fixed camera, Web Mercator with tiles of 512 pixels, 0 to 22.
  public var fixedZoom = 16.5
  /// Degrees from straight down while the heading is up, 0 to 70.
  public var tiltDeg = 50.0
  /// Whether north stays up and the camera looks straight down.
  public var isNorthUp = false
  /// Position of the indicator on the screen, from the left and from the top, 0 to 1.
  public var anchorX = 0.5
  public var anchorY = 0.775

  public init() {}
}
