import Foundations
import Geodesy
public import Messages
public import RoadGraph
public import Route

extension RouteRequest {
  /// Decodes the request of a message; every message that decodes is a request.
  public init(wire: WireRouteRequest) {
    self.init(
      waypoints: wire.waypoints.map { Waypoint(wire: $0) },
      mode: TravelMode(wire: wire.mode),
      optimisation: Optimisation(rawValue: wire.optimisation.rawValue) ?? .fastest,
      avoid: Set(wire.avoid.compactMap { Avoidance(rawValue: $0.rawValue) }),
      traffic: TrafficUse(rawValue: wire.traffic.rawValue) ?? .flowAndClosures,
      departure: wire.departureNs.map { Instant(nanoseconds: $0) },
      firstManeuverClearanceM: wire.firstManeuverClearanceM,
      alternatives: Int(clamping: wire.alternatives), language: wire.language,
      wishes: wire.wishes.map { RoutePreference(wire: $0) },
      avoidCountries: Set(wire.avoidCountries),
      speedCapMps: wire.speedCapMps,
      connectivity: Connectivity(rawValue: wire.connectivity.rawValue) ?? .standard,
      vehicle: wire.vehicle.map { VehicleSize(wire: $0) } ?? VehicleSize(),
      maxDifficulty: wire.maxDifficulty.map { Int(clamping: $0) }, isCarPool: wire.carPool)
  }

  public var wire: WireRouteRequest {
    WireRouteRequest(
      waypoints: waypoints.map(\.wire), mode: mode.wire,
      optimisation: WireRouteRequest.Optimisation(rawValue: optimisation.rawValue) ?? .fastest,
      avoid: Avoidance.allCases.filter { avoid.contains($0) }.compactMap {
        WireAvoidance(rawValue: $0.rawValue)
      },
      traffic: WireRouteRequest.Traffic(rawValue: traffic.rawValue) ?? .flowAndClosures,
      departureNs: departure?.nanoseconds, firstManeuverClearanceM: firstManeuverClearanceM,
      alternatives: Int64(alternatives), language: language, wishes: wishes.map(\.wire),
      avoidCountries: avoidCountries.sorted(), speedCapMps: speedCapMps,
      vehicle: vehicle == VehicleSize() ? nil : vehicle.wire,
      maxDifficulty: maxDifficulty.map { Int64($0) }, carPool: isCarPool,
      connectivity: WireRouteRequest.Connectivity(rawValue: connectivity.rawValue) ?? .default)
  }
}

extension TravelMode {
  public init(wire: WireTravelMode) { self = TravelMode(word: wire.rawValue) ?? .car }

  public var wire: WireTravelMode { WireTravelMode(rawValue: word) ?? .car }
}

extension VehicleSize {
  public init(wire: WireVehicle) {
    self.init(
      heightM: wire.heightM, widthM: wire.widthM, lengthM: wire.lengthM, weightT: wire.weightT,
      axleLoadT: wire.axleLoadT, carriesHazardousGoods: wire.hazardousGoods,
      axles: Int(clamping: wire.axles), trailers: Int(clamping: wire.trailers))
  }

  public var wire: WireVehicle {
    WireVehicle(
      heightM: heightM, widthM: widthM, lengthM: lengthM, weightT: weightT, axleLoadT: axleLoadT,
      axles: Int64(axles), trailers: Int64(trailers), hazardousGoods: carriesHazardousGoods)
  }
}

extension Waypoint {
  public init(wire: WireWaypoint) {
    self.init(
      place: Coordinate(latitudeDeg: wire.latDeg, longitudeDeg: wire.lonDeg),
      kind: Waypoint.Kind(rawValue: wire.kind.rawValue) ?? .stopover, bearingDeg: wire.bearingDeg,
      isAtCurb: wire.atCurb, restS: wire.restS, name: wire.name, access: AccessPoint(wire: wire),
      userIndex: wire.index.map { Int(clamping: $0) })
  }

  public var wire: WireWaypoint {
    WireWaypoint(
      latDeg: place.latitudeDeg, lonDeg: place.longitudeDeg,
      kind: WireWaypointKind(rawValue: kind.rawValue) ?? .stopover, bearingDeg: bearingDeg,
      atCurb: isAtCurb, restS: restS, accessLatDeg: access?.place.latitudeDeg,
      accessLonDeg: access?.place.longitudeDeg,
      accessName: access.flatMap { $0.name.isEmpty ? nil : $0.name }, name: name,
      index: userIndex.map { Int64($0) })
  }
}

extension AccessPoint {
  /// nil if a waypoint has none; half a position becomes one off the globe, which is rejected by
  /// name.
  fileprivate init?(wire: WireWaypoint) {
    guard wire.accessLatDeg != nil || wire.accessLonDeg != nil else { return nil }
    self.init(
      Coordinate(
        latitudeDeg: wire.accessLatDeg ?? .nan, longitudeDeg: wire.accessLonDeg ?? .nan),
      name: wire.accessName ?? "")
  }
}

extension SegmentReference {
  public init(wire: WireSegment) {
    self.init(way: wire.way, from: wire.from, to: wire.to)
  }

  public var wire: WireSegment { WireSegment(way: way, from: from, to: to) }
}

extension RouteWaypoint {
  public init(wire: WireRouteWaypoint) {
    self.init(
      original: Waypoint(wire: wire.original),
      matched: Coordinate(latitudeDeg: wire.matchedLatDeg, longitudeDeg: wire.matchedLonDeg),
      offsetM: wire.offsetM, section: Int(clamping: wire.section), roadName: wire.roadName,
      side: Side(wire: wire.side), userIndex: wire.userIndex.map { Int(clamping: $0) },
      distanceM: wire.distanceM, shapeIndex: Int(clamping: wire.shapeIndex),
      segment: wire.segment.map { SegmentReference(wire: $0) },
      segmentOffsetM: wire.segmentOffsetM, isOffRoad: wire.offRoad, arrivalS: wire.arrivalS)
  }

  public var wire: WireRouteWaypoint {
    WireRouteWaypoint(
      original: original.wire, matchedLatDeg: matched.latitudeDeg,
      matchedLonDeg: matched.longitudeDeg, offsetM: offsetM, section: Int64(section),
      roadName: roadName, side: side.wire, userIndex: userIndex.map { Int64($0) },
      distanceM: distanceM, shapeIndex: Int64(shapeIndex), segment: segment?.wire,
      segmentOffsetM: segmentOffsetM, offRoad: isOffRoad, arrivalS: arrivalS)
  }
}

extension Side {
  public init(wire: WireSide) { self = Side(rawValue: wire.rawValue) ?? .ahead }
  public var wire: WireSide { WireSide(rawValue: rawValue) ?? .ahead }
}
