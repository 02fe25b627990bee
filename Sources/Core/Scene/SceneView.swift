public import EventTime
public import Geodesy

/// What a screen shows at one moment.
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
  }

  /// Where on the route what is driven ends and what is ahead begins.
  public struct EatUp: Codable, Hashable, Sendable {
    public var shapeIndex: Int
    public var shapeFraction: Double
  }

  public struct Panel: Codable, Hashable, Sendable {
    public var maneuverIndex: Int?
    public var maneuverRemainingM: Double?
    public var maneuverDistanceText: String?
    public var showsLanes: Bool
    /// As measured; nil while the location is estimated.
    public var speedMps: Double?
    /// Metres a second; infinity for none, nil for not known.
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
  /// Place of the indicator on the screen, from the left and from the top, 0 to 1.
  public var anchorX: Double
  public var anchorY: Double
  public var isNight: Bool
  public var routeID: String?
  public var eatUp: EatUp?
  public var panel: Panel
}
