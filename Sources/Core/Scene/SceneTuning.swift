/// The parameters of a scene, which do not change while a renderer runs.
public struct SceneTuning: Codable, Hashable, Sendable {
  /// Seconds of driving that the view ahead covers.
  public var viewAheadS = 17.0
  /// Minimum and maximum view ahead, metres.
  public var viewAheadM = 140.0...1_500.0
  /// Screen pixels that the view ahead fills; a tilted view shows more than its height.
  public var viewAheadPixels = 560.0
  public var zoomLimits = 3.0...18.0
  public var units = DistanceUnits.metric
  /// Maximum time for which a location is extrapolated, event seconds.
  public var carryLimitS = 5.0
  /// Event seconds without a location after which it counts as lost: at least, and at most.
  public var lostAfterS = 3.0
  public var lostAtLatestS = 60.0
  /// Seconds in which a position error is corrected, as on the page.
  public var settleS = 0.7
  /// A larger error is shown as a jump, metres.
  public var jumpM = 150.0

  public init() {}
}
