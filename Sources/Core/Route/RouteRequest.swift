public import EventTime
public import Geodesy
public import RoadGraph

/// A place that a route is to touch.
public struct Waypoint: Codable, Hashable, Sendable {
  public enum Kind: String, Codable, Hashable, Sendable, CaseIterable {
    /// One stops here; a turn back may follow.
    case stopover
    /// One only drives by and goes straight on.
    case passThrough = "pass_through"
  }

  public var place: Coordinate
  public var kind: Kind
  /// Direction of travel at the place, clockwise from north; nil for any.
  public var bearingDeg: Double?
  /// Whether the place shall lie on the side of the curb when one arrives, not across the road.
  public var isAtCurb: Bool
  /// Seconds of a rest here.
  public var restS: Double?
  /// What people call it; empty where they do not.
  public var name: String
  /// Where one gets to it from the road; nil where the place itself is sought on the road.
  public var access: AccessPoint?
  /// Place in the list of the user, kept through reroutes, skipped and added stops; nil means the place in
  /// the request.
  public var userIndex: Int?

  public init(
    place: Coordinate, kind: Kind = .stopover, bearingDeg: Double? = nil,
    isAtCurb: Bool = false, restS: Double? = nil, name: String = "", access: AccessPoint? = nil,
    userIndex: Int? = nil
  ) {
    self.place = place
    self.kind = kind
    self.bearingDeg = bearingDeg
    self.isAtCurb = isAtCurb
    self.restS = restS
    self.name = name
    self.access = access
    self.userIndex = userIndex
  }

  /// The place that is sought on the road.
  public var entry: Coordinate { access?.place ?? place }
}

/// A gate or an entrance: where one gets to a place from the road.
public struct AccessPoint: Codable, Hashable, Sendable {
  public var place: Coordinate
  /// What people call it; empty where they do not.
  public var name: String

  public init(_ place: Coordinate, name: String = "") {
    self.place = place
    self.name = name
  }
}

/// What to optimise for.
public enum Optimisation: String, Codable, Hashable, Sendable, CaseIterable {
  case fastest
  case shortest
  case balanced
}

/// Kinds of road that a route shall not use where it can.
public enum Avoidance: String, Codable, Hashable, Sendable, CaseIterable {
  case tolls
  case motorways
  case ferries
  case tunnels
  case unpaved
  /// Sharp turns across the oncoming traffic, or onto and off great roads without signals.
  case difficultTurns = "difficult_turns"
  case uTurns = "u_turns"
  /// Roads or lanes that are for full cars only.
  case carPool = "car_pool"
  /// Roads within low-emission zones.
  case lowEmissionZones = "low_emission_zones"
}

/// How traffic counts.
public enum TrafficUse: String, Codable, Hashable, Sendable, CaseIterable {
  case off
  case flow
  case flowAndClosures = "flow_and_closures"
}

/// Which engine answers.
public enum Connectivity: String, Codable, Hashable, Sendable, CaseIterable {
  /// The one that the router is set to.
  case standard = "default"
  /// The built-in one.
  case offline
  /// A server.
  case online
  /// The server, and where it does not answer the built-in one.
  case hybrid
}

/// A question to the router; also what a re-route must hold on to.
public struct RouteRequest: Codable, Hashable, Sendable {
  /// 2 to 32.
  public var waypoints: [Waypoint]
  public var mode: TravelMode
  public var optimisation: Optimisation
  public var avoid: Set<Avoidance>
  public var traffic: TrafficUse
  /// Stack time of departure; nil for now.
  public var departure: Instant?
  /// Metres from the start within which no turn shall be needed; 0 for none.
  public var firstManeuverClearanceM: Double
  /// How many more routes than the best are wanted.
  public var alternatives: Int
  /// BCP 47 tag for names and texts.
  public var language: String
  /// Wishes about roads in areas and about single segments; at most 64.
  public var wishes: [RoadWish]
  /// ISO 3166-1 codes of two capital letters: countries not to be driven through where it can be helped.
  public var avoidCountries: Set<String>
  /// The vehicle goes no faster than this; nil for no limit of its own.
  public var speedCapMps: Double?
  /// Roads that do not let it through are not used where it can be helped.
  public var vehicle: VehicleSize
  /// The greatest difficulty of roads that are taken where others lead there, 0 to 7; nil for what is usual.
  ///
  /// On foot by the SAC scale, by bicycle by mtb:scale: see `Difficulty`.
  public var maxDifficulty: Int?
  /// The vehicle has enough people in it for car-pool roads.
  public var isCarPool: Bool
  public var connectivity: Connectivity

  public init(
    waypoints: [Waypoint], mode: TravelMode = .car, optimisation: Optimisation = .fastest,
    avoid: Set<Avoidance> = [], traffic: TrafficUse = .flowAndClosures, departure: Instant? = nil,
    firstManeuverClearanceM: Double = 0, alternatives: Int = 0, language: String = "en-US",
    wishes: [RoadWish] = [], avoidCountries: Set<String> = [], speedCapMps: Double? = nil,
    connectivity: Connectivity = .standard, vehicle: VehicleSize = VehicleSize(),
    maxDifficulty: Int? = nil, isCarPool: Bool = false
  ) {
    self.waypoints = waypoints
    self.mode = mode
    self.optimisation = optimisation
    self.avoid = avoid
    self.traffic = traffic
    self.departure = departure
    self.firstManeuverClearanceM = firstManeuverClearanceM
    self.alternatives = alternatives
    self.language = language
    self.wishes = wishes
    self.avoidCountries = avoidCountries
    self.speedCapMps = speedCapMps
    self.connectivity = connectivity
    self.vehicle = vehicle
    self.maxDifficulty = maxDifficulty
    self.isCarPool = isCarPool
  }

  /// Place of a waypoint in the list of the user: as it was given, else its place in the request where no
  /// waypoint was given one; nil for a start that guidance put before the list.
  public func userIndex(of waypoint: Int) -> Int? {
    if let given = waypoints[waypoint].userIndex { return given }
    return waypoints.contains { $0.userIndex != nil } ? nil : waypoint
  }
}
