public import Foundations
import Geodesy

/// The content of a screen: follows the vehicle and the guidance, and determines what to draw.
///
/// While a route is followed, a location waits for the progress that it causes, so that the
/// indicator is on the route. Off the route, or without a navigator, it is shown at once.
public struct Scene: Codable, Hashable, Sendable {
  public enum Event: Hashable, Sendable {
    case location(SceneLocation)
    case progress(SceneProgress)
    /// The vehicle has left the route.
    case deviation
    case route(SceneRoute?)
    /// The limit that applies now, in metres per second: infinity for none, nil if not known.
    case speedLimit(Double?)
    /// Lanes are shown for this maneuver; nil hides them.
    case lanes(maneuver: Int?)
    /// A frame is due.
    case tick(Instant)
    /// The scene is shown differently from now on.
    case presentation(ScenePresentation)
    /// The clock was set, so earlier inputs are void.
    case clockReset
  }

  public enum Output: Hashable, Sendable {
    case view(SceneView)
  }

  public var tuning: SceneTuning
  public private(set) var presentation: ScenePresentation
  public private(set) var route: SceneRoute?
  private var location: SceneLocation?
  private var progress: SceneProgress?
  private var motion: IndicatorMotion
  private var isOffRoute = false
  private var locationsWithoutProgress = 0
  /// The time of the last location that was not only extrapolated.
  private var knownAt: Instant?
  /// Seconds between the last two of these locations; nil before the second.
  private var locationIntervalS: Double?
  private var speedLimitMps: Double??
  private var laneManeuver: Int?
  /// The time of the newest view.
  private var shownAt: Instant?
  /// The camera of the newest view, which is kept while it does not follow the indicator.
  private var camera: SceneView.Camera?

  public init(
    tuning: SceneTuning = SceneTuning(), presentation: ScenePresentation = ScenePresentation()
  ) {
    self.tuning = tuning
    self.presentation = presentation
    motion = IndicatorMotion(tuning: tuning)
  }

  /// Processes one event; constant time except for a new route.
  public mutating func handle(_ event: Event) -> [Output] {
    switch event {
    case .location(let location): return update(location)
    case .progress(let progress): return update(progress)
    case .deviation:
      isOffRoute = true
      return located(at: location?.at)
    case .route(let route):
      // New traffic on the same line does not move anything.
      guard update(route) else { return view(at: shownAt) }
      return located(at: location?.at)
    case .speedLimit(let limit):
      speedLimitMps = .some(limit)
      return view(at: location?.at)
    case .lanes(let maneuver):
      laneManeuver = maneuver
      return view(at: location?.at)
    case .tick(let now):
      motion.advance(to: now)
      return view(at: now)
    case .presentation(let presentation):
      self.presentation = presentation
      return view(at: shownAt)
    case .clockReset:
      location = nil
      progress = nil
      shownAt = nil
      locationsWithoutProgress = 0
      knownAt = nil
      locationIntervalS = nil
      motion = IndicatorMotion(tuning: tuning)
      motion.follow(route?.line)
      return []
    }
  }

  /// When the location counts as lost if no other one arrives; nil before the first.
  ///
  /// A receiver may have a long interval, so 2.5 of its intervals are waited for. Extrapolated
  /// locations do not count, except in tunnels.
  public var lostAt: Instant? {
    knownAt.map { knownAt in
      let patienceS = max(tuning.lostAfterS, 2.5 * (locationIntervalS ?? 0))
      return knownAt.advanced(bySeconds: min(patienceS, tuning.lostAtLatestS))
    }
  }

  private mutating func update(_ location: SceneLocation) -> [Output] {
    if location.isKnown {
      let elapsedS = knownAt.map { location.at.seconds(since: $0) } ?? 0
      if elapsedS > 0 { locationIntervalS = elapsedS }
      knownAt = location.at
    }
    self.location = location
    locationsWithoutProgress += 1
    if route != nil, progress != nil, !isOffRoute, locationsWithoutProgress < 2 { return [] }
    return located(at: location.at)
  }

  private mutating func update(_ progress: SceneProgress) -> [Output] {
    guard let route, progress.routeID == route.id else { return [] }
    self.progress = progress
    locationsWithoutProgress = 0
    isOffRoute = false
    guard progress.isOnRoute else { return located(at: progress.at) }
    let offset = route.offsetM(
      shapeIndex: progress.shapeIndex, fraction: progress.shapeFraction)
    guard let place = route.line.coordinate(atM: offset) else { return [] }
    motion.record(
      place, bearingDeg: nil, speedMps: progress.speedMps ?? location?.speedMps,
      offsetM: offset, at: progress.at)
    return view(at: progress.at)
  }

  /// Follows a route, or none; returns false if its line is already being followed.
  private mutating func update(_ route: SceneRoute?) -> Bool {
    let isSame = route?.id == self.route?.id && route?.line == self.route?.line
    self.route = route
    guard !isSame else { return false }
    progress = nil
    isOffRoute = false
    laneManeuver = nil
    motion.follow(route?.line)
    return true
  }

  /// The view with the indicator at the location itself.
  private mutating func located(at now: Instant?) -> [Output] {
    guard let now, let location else { return [] }
    motion.record(
      location.place, bearingDeg: location.bearingDeg, speedMps: location.speedMps,
      offsetM: nil, at: location.at)
    return view(at: now)
  }

  private mutating func view(at now: Instant?) -> [Output] {
    guard let now, let place = motion.place else { return [] }
    shownAt = now
    let isLost = isLost(at: now)
    let style = presentation.indicator.look.style ?? route?.style ?? .tracking
    let indicator = SceneView.Indicator(
      place: place, bearingDeg: motion.bearingDeg,
      style: isLost ? .grey : style, isEstimated: isEstimated, accuracyM: location?.accuracyM)
    return [
      .view(
        SceneView(
          at: now, camera: camera(at: indicator), indicator: indicator,
          showsIndicator: presentation.showsIndicator, anchorX: presentation.camera.anchorX,
          anchorY: presentation.camera.anchorY, isNight: isNight(at: place, now),
          routeID: route?.id, eatUp: eatUp, panel: panel(isLost: isLost)))
    ]
  }

  /// Whether no location has been received for so long that the vehicle may be anywhere.
  private func isLost(at now: Instant) -> Bool {
    if let lostAt { return now >= lostAt }
    return progress?.at != now
  }

  /// The camera that follows the indicator, or the last one that did.
  private mutating func camera(at indicator: SceneView.Indicator) -> SceneView.Camera {
    let following = CameraRules.camera(
      at: indicator, speedMps: progress?.speedMps ?? location?.speedMps ?? 0,
      maneuverRemainingM: progress?.maneuverRemainingM, hasRoute: route != nil,
      settings: presentation.camera, tuning: tuning)
    var shown = presentation.camera.isTracking ? following : camera ?? following
    if !presentation.camera.isTracking { shown.behaviour = nil }
    camera = shown
    return shown
  }

  /// The end of the driven part of the route: the indicator's own position while it moves along the
  /// route.
  private var eatUp: SceneView.DrivenPart? {
    if let route, let offset = motion.offsetM,
      let (segment, fraction) = route.line.place(atM: offset)
    {
      return SceneView.DrivenPart(shapeIndex: segment, shapeFraction: fraction)
    }
    return progress.map {
      SceneView.DrivenPart(shapeIndex: $0.shapeIndex, shapeFraction: $0.shapeFraction)
    }
  }

  /// The panel; without a maneuver while the vehicle is off the route, and without speed and limit
  /// while its location is lost.
  private func panel(isLost: Bool) -> SceneView.Panel {
    let maneuver = isOffRoute ? nil : progress?.maneuverIndex
    let remaining = isOffRoute ? nil : progress?.maneuverRemainingM
    return SceneView.Panel(
      maneuverIndex: maneuver, maneuverRemainingM: remaining,
      maneuverDistanceText: remaining.map { tuning.units.text($0) },
      showsLanes: laneManeuver != nil && laneManeuver == maneuver,
      speedMps: isLost ? nil : measuredSpeedMps,
      speedLimitMps: isLost ? nil : speedLimitMps ?? progress?.speedLimitMps,
      remainingM: progress?.remainingM, remainingS: progress?.remainingS,
      arrivesAt: progress?.arrivesAt, arrivalClock: progress?.arrivalClock)
  }

  /// Whether the newest position is only extrapolated.
  private var isEstimated: Bool {
    if let location, location.at > (progress?.at ?? location.at) { return location.isEstimated }
    return progress?.isEstimated == true || location?.isEstimated == true
  }

  /// The displayed speed: nil while the newest position is only extrapolated.
  private var measuredSpeedMps: Double? {
    guard let progress, progress.at >= (location?.at ?? progress.at) else {
      return location.flatMap { $0.isEstimated ? nil : $0.speedMps }
    }
    if progress.isEstimated || location?.isEstimated == true { return nil }
    return progress.speedMps ?? location?.speedMps
  }

  private func isNight(at place: Coordinate, _ now: Instant) -> Bool {
    switch presentation.theme {
    case .day: false
    case .night: true
    case .auto: Sun.elevationDeg(at: place, when: now) < Sun.nightElevationDeg
    }
  }
}
