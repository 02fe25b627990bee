public import Messages
public import RoadGraph
public import Route

// The same translations, spelled as conversions: `Route(message)` beside `Route(wire: message)`.

extension Route {
  public init(_ wire: WireRoute) throws(RouteWireFault) { try self.init(wire: wire) }
}

extension WireRoute {
  public init(_ route: Route) { self = route.wire }
}

extension RouteRequest {
  public init(_ wire: WireRouteRequest) { self.init(wire: wire) }
}

extension WireRouteRequest {
  public init(_ request: RouteRequest) { self = request.wire }
}

extension Waypoint {
  public init(_ wire: WireWaypoint) { self.init(wire: wire) }
}

extension WireWaypoint {
  public init(_ waypoint: Waypoint) { self = waypoint.wire }
}

extension SegmentReference {
  public init(_ wire: WireSegment) { self.init(wire: wire) }
}

extension WireSegment {
  public init(_ reference: SegmentReference) { self = reference.wire }
}

extension TravelMode {
  public init(_ wire: WireTravelMode) { self = TravelMode(word: wire.rawValue) ?? .car }
}

extension WireTravelMode {
  public init(_ mode: TravelMode) { self = WireTravelMode(rawValue: mode.word) ?? .car }
}
