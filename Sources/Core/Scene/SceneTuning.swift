/// The numbers by which a scene is made; none of them changes while a renderer runs.
public struct SceneTuning: Codable, Hashable, Sendable {
  /// Seconds of driving that the view ahead covers.
  public var viewAheadS = 17.0
  /// Least and greatest view ahead, metres.
  public var viewAheadM = 140.0...1_500.0
  /// Pixels of screen that the view ahead fills; a tilted view holds more than its height.
  public var viewAheadPixels = 560.0
  public var zoomLimits = 3.0...18.0
  public var units = DistanceUnits.metric
  /// A location is carried on for at most this long, event seconds.
  public var carryLimitS = 5.0
  /// Seconds in which an error of place is steered away, as it is on the page.
  public var settleS = 0.7
  /// A greater error is shown as a jump, metres.
  public var jumpM = 150.0

  public init() {}
}
