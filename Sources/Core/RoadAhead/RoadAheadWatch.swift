public import EventTime
public import RoadGraph

/// Looks along the road ahead, with a route or without: what to warn of, and the road tree.
///
/// A value without clock or chance; the map is handed in. Work for one place is linear in the road
/// looked along, and little as long as the vehicle stays on one piece of road.
public struct RoadAheadWatch: Hashable, Sendable {
  public struct Settings: Hashable, Sendable {
    /// What is warned of.
    public var kinds = Set(WarningKind.allCases)
    /// Countries (ISO 3166-1) in which nothing is told of speed cameras, be it their places or their danger zones.
    public var silentCameraCountries = CameraLaw.silentCountries
    /// Metres ahead where the limit is below 60 km/h, below 100, and from there on.
    public var slowAheadM = 500.0
    public var regularAheadM = 750.0
    public var fastAheadM = 1500.0
    /// Metres of the horizon's main path; 0 for no horizon.
    public var horizonM = 1000.0
    public var horizonSideM = 500.0
    public var trailM = 500.0
    public init() {}
  }

  /// Where the vehicle is.
  public struct Place: Hashable, Sendable {
    public var position: RoadPosition
    public var time: Instant
    /// 0 to 1.
    public var probability: Double
    /// Edges driven since the place before, this one last; empty where not known.
    public var driven: [EdgeID]
    public var speedMps: Double?
    /// The limit that applies; nil unknown, infinity for none.
    public var limitMps: Double?
    /// It was not seen, but follows from the places before.
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

  public internal(set) var incidents = IncidentBook()
  var board = WarningBoard()
  /// Edge numbers mean something on this map only.
  var mapHash: UInt64 = 0
  var path: MainPath?
  /// Metres at which a new way begins.
  var startM = 0.0
  /// Time of the last place on the way.
  var lastSeen: Instant?
  /// All that lies on the path; nil where it must be looked for anew.
  var objects: [RoadObject]?
  /// The tree that was told last, by its edges.
  var toldTree: [EdgeID] = []
  /// What the tree was last built of; nil where it must be built.
  var toldWindow: MainPath.Window?
  /// What held at the last place that was seen, while places are estimated.
  var seen: Seen?

  public init() {}

  /// Less likely places beside the way are taken for noise.
  private static let leastProbability = 0.6

  /// Takes all incidents that a feed knows of; how many were not taken, as their id had come before.
  @discardableResult
  public mutating func tell(_ list: [RoadIncident], of feed: String) -> Int {
    objects = nil
    return incidents.set(list, of: feed)
  }

  /// Takes one more place of the vehicle; `route` tells of the way where the vehicle is on one.
  public mutating func moved(
    _ place: Place, on map: RoadMap, mode: TravelMode, route: RouteAhead?, settings: Settings
  ) -> [Output] {
    guard place.position.edge.index < map.graph.edgeCount else { return [] }
    if mapHash != map.graph.hash { change(to: map.graph.hash) }
    confirm(place)
    guard follow(place, map, mode, route, settings) else { return [] }
    guard let path else { return [] }
    let all = objects ?? find(map, path, mode, settings, at: place.time, route != nil)
    objects = all
    let aheadM = Self.aheadM(place, settings)
    let told = board.moved(toM: path.positionM, objects: all) { _ in aheadM }
    return told.map(Output.warning) + tree(path, map.graph, mode, settings)
  }

  // The way begins anew on another map, and its metres go on: what is told of ends by the new way.
  private mutating func change(to hash: UInt64) {
    mapHash = hash
    guard let old = path else { return }
    startM = old.positionM
    path = nil
    seen = nil
    toldTree = []
    toldWindow = nil
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
    let way = WayView(
      map: map, path: path, mode: mode, incidents: incidents, now: now, followsRoute: followsRoute,
      silentCountries: settings.silentCameraCountries)
    return Self.rules.flatMap { $0.objects(on: way) }.filter {
      settings.kinds.contains($0.kind) && $0.kind.concerns(mode)
        && $0.startM < path.endM ?? .infinity
    }
  }

  private static let rules: [any ObjectRule & Sendable] = [
    CameraRule(), DangerZoneRule(), SignRule(), CrossingRule(), TollRule(), BumpRule(),
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

  // The tree is told when it is another one; between, the vehicle only moves along it.
  private mutating func tree(
    _ path: MainPath, _ graph: RoadGraph, _ mode: TravelMode, _ settings: Settings
  ) -> [Output] {
    guard settings.horizonM > 0 else { return [] }
    let window = path.window(
      mode: mode, aheadM: settings.horizonM, sideM: settings.horizonSideM,
      trailM: settings.trailM)
    guard window != toldWindow else { return [] }
    toldWindow = window
    let horizon = path.horizon(
      graph, mode: mode, aheadM: settings.horizonM, sideM: settings.horizonSideM,
      trailM: settings.trailM)
    let edges = horizon.pieces.map(\.edge)
    guard edges != toldTree else { return [] }
    toldTree = edges
    return [.horizon(horizon)]
  }

  /// Metres left to what a warning told of: 0 in a zone, nil where it lies behind or off the way.
  public func distanceM(to id: String) -> Double? {
    guard let path else { return nil }
    let own = board.active.map(\.object).filter { $0.id == id } + (objects ?? [])
    guard
      let next = own.first(where: { $0.id == id && ($0.endM ?? $0.startM) > path.positionM })
    else { return nil }
    return max(0, next.startM - path.positionM)
  }
}
