public import Foundations
public import Geodesy
public import RoadGraph

/// A place that a route must pass.
public struct Waypoint: Codable, Hashable, Sendable {
  public enum Kind: String, Codable, Hashable, Sendable, CaseIterable {
    /// The vehicle stops here; turning back may follow.
    case stopover
    /// The vehicle only passes and goes straight on.
    case passThrough = "pass_through"
  }

  public var place: Coordinate
  public var kind: Kind
  /// Direction of travel at the place, clockwise from north; nil for any.
  public var bearingDeg: Double?
  /// Whether the vehicle must arrive with the place on its side of the road, at the curb.
  public var isAtCurb: Bool
  /// Seconds of a rest here.
  public var restS: Double?
  /// Its usual name; empty if it has none.
  public var name: String
  /// The access point from the road; nil if the road nearest to the place itself is used.
  public var access: AccessPoint?
  /// Index in the user's list, which is kept through reroutes, skipped and added stops.
  ///
  /// nil means the index in the request.
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

  /// The place whose nearest road is used.
  public var entry: Coordinate { access?.place ?? place }
}

/// A gate or an entrance: the access to a place from the road.
public struct AccessPoint: Codable, Hashable, Sendable {
  public var place: Coordinate
  /// Its usual name; empty if it has none.
  public var name: String

  public init(_ place: Coordinate, name: String = "") {
    self.place = place
    self.name = name
  }
}

/// The objective of the optimisation.
public enum Optimisation: String, Codable, Hashable, Sendable, CaseIterable {
  case fastest
  case shortest
  case balanced
}

/// Kinds of road that a route avoids if possible.
public enum Avoidance: String, Codable, Hashable, Sendable, CaseIterable {
  case tolls
  case motorways
  case ferries
  case tunnels
  case unpaved
  /// Sharp turns across the oncoming traffic, or onto and off major roads without signals.
  case difficultTurns = "difficult_turns"
  case uTurns = "u_turns"
  /// Roads or lanes that are only for vehicles with several occupants.
  case carPool = "car_pool"
  /// Roads within low-emission zones.
  case lowEmissionZones = "low_emission_zones"
}

/// How traffic is used.
public enum TrafficUse: String, Codable, Hashable, Sendable, CaseIterable {
  case off
  case flow
  case flowAndClosures = "flow_and_closures"
}

/// The engine that computes the route.
public enum Connectivity: String, Codable, Hashable, Sendable, CaseIterable {
  /// The engine that the router is configured for.
  case standard = "default"
  /// The built-in engine.
  case offline
  /// A server.
  case online
  /// The server, and the built-in engine if the server does not answer.
  case hybrid
}

/// A request to the router, which also contains everything that a reroute must keep.
public struct RouteRequest: Codable, Hashable, Sendable {
  /// 2 to 32.
  public var waypoints: [Waypoint]
  public var mode: TravelMode
  public var optimisation: Optimisation
  public var avoid: Set<Avoidance>
  public var traffic: TrafficUse
  /// Stack time of departure; nil for now.
  public var departure: Instant?
  /// Metres from the start within which no turn should be needed; 0 for none.
  public var firstManeuverClearanceM: Double
  /// Number of routes in addition to the best.
  public var alternatives: Int
  /// BCP 47 tag for names and texts.
  public var language: String
  /// Preferences about roads in areas and about single segments; at most 64.
  public var wishes: [RoutePreference]
  /// ISO 3166-1 codes of two capital letters: countries to be avoided if possible.
  public var avoidCountries: Set<String>
  /// Maximum speed of the vehicle; nil for no limit of its own.
  public var speedCapMps: Double?
  /// Roads that bar this vehicle are avoided if possible.
  public var vehicle: VehicleSize
  /// The maximum difficulty of roads that are used if other roads lead there, 0 to 7; nil for the
  /// usual one.
  ///
  /// On foot by the SAC scale, by bicycle by mtb:scale: see `Difficulty`.
  public var maxDifficulty: Int?
  /// Whether the vehicle has enough occupants for car-pool roads.
  public var isCarPool: Bool
  public var connectivity: Connectivity

  public init(
    waypoints: [Waypoint], mode: TravelMode = .car, optimisation: Optimisation = .fastest,
    avoid: Set<Avoidance> = [], traffic: TrafficUse = .flowAndClosures, departure: Instant? = nil,
    firstManeuverClearanceM: Double = 0, alternatives: Int = 0, language: String = "en-US",
    wishes: [RoutePreference] = [], avoidCountries: Set<String> = [], speedCapMps: Double? = nil,
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

  /// Index of a waypoint in the user's list, as given.
  ///
  /// If no waypoint was given one, it is the index in the request. The result is nil for a start
  /// that guidance put before the list.
  public func userIndex(of waypoint: Int) -> Int? {
    if let given = waypoints[waypoint].userIndex { return given }
    return waypoints.contains { $0.userIndex != nil } ? nil : waypoint
  }
}
