public import Foundations
public import RoadGraph
public import Route

/// Looks along the road ahead, with or without a route, for what to warn of and for the road tree.
///
/// A value type without clock or randomness; the map is passed in. The work for one position is
/// linear in the length of the road ahead, and small as long as the vehicle stays on one piece of
/// road.
public struct RoadAheadMonitor: Hashable, Sendable {
  public struct Settings: Hashable, Sendable {
    /// Kinds of warnings that are issued.
    public var kinds = Set(WarningKind.allCases)
    /// Countries (ISO 3166-1) without any speed camera warnings, neither positions nor danger
    /// zones.
    public var silentCameraCountries = CameraLaw.silentCountries
    /// How far ahead to warn, in metres: for limits below 60 km/h, below 100 km/h, and above.
    public var slowAheadM = 500.0
    public var regularAheadM = 750.0
    public var fastAheadM = 1500.0
    /// Length of the horizon's main path in metres; 0 for no horizon.
    public var horizonM = 1000.0
    public var horizonSideM = 500.0
    public var trailM = 500.0
    public init() {}
  }

  /// A position of the vehicle on the road.
  public struct Place: Hashable, Sendable {
    public var position: RoadPosition
    public var time: Instant
    /// 0 to 1.
    public var probability: Double
    /// Edges driven since the previous place, ending with the current one; empty if not known.
    public var driven: [EdgeID]
    public var speedMps: Double?
    /// The limit that applies; nil if unknown, infinity for none.
    public var limitMps: Double?
    /// The place was not observed but extrapolated from earlier places.
    public var isEstimated: Bool

    public init(
      position: RoadPosition, time: Instant, probability: Double = 1, driven: [EdgeID] = [],
      speedMps: Double? = nil, limitMps: Double? = nil, isEstimated: Bool = false
    ) {
      self.position = position
      self.time = time
      self.probability = probability
      self.driven = driven
      self.speedMps = speedMps
      self.limitMps = limitMps
      self.isEstimated = isEstimated
    }
  }

  public enum Output: Hashable, Sendable {
    case warning(RoadWarning)
    case horizon(Horizon)
  }

  public internal(set) var incidents = IncidentIndex()
  var activeWarnings = ActiveWarnings()
  /// Edge numbers are only valid for this map.
  var mapHash: UInt64 = 0
  var path: MainPath?
  /// Metres at which a new path begins.
  var startM = 0.0
  /// Time of the last place on the path.
  var lastSeen: Instant?
  /// Everything that lies on the path, sorted by start; nil if it must be searched for again.
  var objects: [RoadObject]?
  /// When an incident on the path begins or ends, so that the objects must be searched for again.
  var objectsUntil: Instant?
  /// The edges of the last published tree.
  var reportedTree: [EdgeID] = []
  /// The window that the tree was last built from; nil if it must be built.
  var reportedWindow: MainPath.Window?
  /// The state at the last observed place, while places are estimated.
  var seen: Seen?

  public init() {}

  /// Places off the path with a lower probability are treated as noise.
  private static let leastProbability = 0.6

  /// Stores all incidents of a feed, and returns how many were left out because their id was
  /// repeated.
  @discardableResult
  public mutating func replaceIncidents(_ list: [RoadIncident], of feed: String) -> Int {
    objects = nil
    return incidents.set(list, of: feed)
  }

  /// Processes the next place of the vehicle; `route` describes the road ahead if the vehicle is on
  /// one.
  public mutating func moved(
    _ place: Place, on map: RoadMap, mode: TravelMode, route: RouteAhead?, settings: Settings
  ) -> [Output] {
    guard place.position.edge.index < map.graph.edgeCount else { return [] }
    if mapHash != map.graph.hash { change(to: map.graph.hash) }
    confirm(place)
    guard follow(place, map, mode, route, settings) else { return [] }
    guard let path else { return [] }
    if let until = objectsUntil, place.time >= until { objects = nil }
    let all: [RoadObject]
    if let objects {
      all = objects
    } else {
      all = find(map, path, mode, settings, at: place.time, route != nil)
      objectsUntil = incidents.nextChange(on: path, map.graph, after: place.time)
    }
    objects = all
    let aheadM = Self.aheadM(place, settings)
    let reported = activeWarnings.moved(toM: path.positionM, objects: all, aheadM: aheadM)
    return reported.map(Output.warning) + tree(path, map.graph, mode, settings)
  }

  // On another map the path starts again, and its metres continue. The new path ends active
  // warnings.
  private mutating func change(to hash: UInt64) {
    mapHash = hash
    guard let old = path else { return }
    startM = old.positionM
    path = nil
    seen = nil
    reportedTree = []
    reportedWindow = nil
  }

  private mutating func follow(
    _ place: Place, _ map: RoadMap, _ mode: TravelMode, _ route: RouteAhead?, _ settings: Settings
  ) -> Bool {
    let reach = MainPath.Reach(
      aheadM: max(settings.fastAheadM, settings.horizonM) + 500, trailM: settings.trailM)
    guard var path else {
      var first = MainPath(
        place.position.edge, offsetM: place.position.offsetM, at: startM,
        lengthM: map.graph.lengthM(place.position.edge), routeStart: route?.current)
      _ = first.follow(
        place.position, driven: [], route: route, map, mode: mode, reach: reach)
      self.path = first
      lastSeen = place.time
      objects = nil
      return true
    }
    // 60 m/s is faster than any road vehicle drives between two fixes.
    let leapM = lastSeen.map { 300 + 60 * max(1, place.time.seconds(since: $0)) } ?? .infinity
    guard
      path.reaches(place.position, withinM: leapM) || place.probability >= Self.leastProbability
    else { return false }
    let change = path.follow(
      place.position, driven: place.driven, route: route, map, mode: mode, reach: reach,
      leapM: leapM)
    if change != .none { objects = nil }
    self.path = path
    lastSeen = place.time
    return true
  }

  private func find(
    _ map: RoadMap, _ path: MainPath, _ mode: TravelMode, _ settings: Settings, at now: Instant,
    _ followsRoute: Bool
  ) -> [RoadObject] {
    let way = PathView(
      map: map, path: path, mode: mode, incidents: incidents, now: now, followsRoute: followsRoute,
      silentCountries: settings.silentCameraCountries)
    let objects = Self.rules.flatMap { $0.objects(on: way) }.filter {
      settings.kinds.contains($0.kind) && $0.kind.concerns(mode)
        && $0.startM < path.endM ?? .infinity
    }
    return RoadObject.inOrder(objects)
  }

  private static let rules: [any ObjectRule & Sendable] = [
    CameraRule(), DangerZoneRule(), SignRule(), LevelCrossingRule(), TollRule(), BumpRule(),
    BorderRule(),
    SchoolZoneRule(), LowSpeedRule(), EnvironmentalZoneRule(), TunnelRule(), TruckRule(),
    MergeRule(), LaneDecreaseRule(),
    BendRule(), TrafficRule(), CustomRule(),
  ]

  private static func aheadM(_ place: Place, _ settings: Settings) -> Double {
    switch (place.limitMps ?? place.speedMps ?? 0) * 3.6 {
    case ..<59.9: settings.slowAheadM
    case ..<99.9: settings.regularAheadM
    default: settings.fastAheadM
    }
  }

  // The tree is published only when it changes; in between, the vehicle only moves along it.
  private mutating func tree(
    _ path: MainPath, _ graph: RoadGraph, _ mode: TravelMode, _ settings: Settings
  ) -> [Output] {
    guard settings.horizonM > 0 else { return [] }
    let window = path.window(
      mode: mode, aheadM: settings.horizonM, sideM: settings.horizonSideM,
      trailM: settings.trailM)
    guard window != reportedWindow else { return [] }
    reportedWindow = window
    let horizon = path.horizon(
      graph, mode: mode, aheadM: settings.horizonM, sideM: settings.horizonSideM,
      trailM: settings.trailM)
    let edges = horizon.pieces.map(\.edge)
    guard edges != reportedTree else { return [] }
    reportedTree = edges
    return [.horizon(horizon)]
  }

  /// Metres left to the object of a warning: 0 inside a zone, nil if it is behind or off the path.
  public func distanceM(to id: String) -> Double? {
    guard let path else { return nil }
    let own = activeWarnings.active.map(\.object).filter { $0.id == id } + (objects ?? [])
    guard
      let next = own.first(where: { $0.id == id && ($0.endM ?? $0.startM) > path.positionM })
    else { return nil }
    return max(0, next.startM - path.positionM)
  }
}
