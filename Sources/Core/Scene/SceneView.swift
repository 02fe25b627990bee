public import Foundations
public import Geodesy

/// The content of a screen at one moment.
public struct SceneView: Codable, Hashable, Sendable {
  public struct Camera: Codable, Hashable, Sendable {
    public var place: Coordinate
    public var zoom: Double
    public var tiltDeg: Double
    public var bearingDeg: Double
    /// nil while the camera does not follow the indicator.
    public var behaviour: CameraBehaviour?
  }

  public struct Indicator: Codable, Hashable, Sendable {
    public var place: Coordinate
    public var bearingDeg: Double
    public var style: IndicatorStyle
    /// Whether there was no usable fix, as in a tunnel.
    public var isEstimated: Bool
    /// Radius in metres in which the vehicle is with a probability of about 68 %; nil if unknown.
    public var accuracyM: Double?
  }

  /// The border between the driven part of the route and the part ahead.
  public struct DrivenPart: Codable, Hashable, Sendable {
    public var shapeIndex: Int
    public var shapeFraction: Double
  }

  public struct Panel: Codable, Hashable, Sendable {
    public var maneuverIndex: Int?
    public var maneuverRemainingM: Double?
    public var maneuverDistanceText: String?
    public var showsLanes: Bool
    /// The measured speed; nil while the location is estimated.
    public var speedMps: Double?
    /// Metres per second; infinity for none, nil if not known.
    public var speedLimitMps: Double?
    public var remainingM: Double?
    public var remainingS: Double?
    public var arrivesAt: Instant?
    public var arrivalClock: ArrivalClock?
  }

  public var at: Instant
  public var camera: Camera
  public var indicator: Indicator
  public var showsIndicator: Bool
  /// Position of the indicator on the screen, from the left and from the top, 0 to 1.
  public var anchorX: Double
  public var anchorY: Double
  public var isNight: Bool
  public var routeID: String?
  public var eatUp: DrivenPart?
  public var panel: Panel
}
