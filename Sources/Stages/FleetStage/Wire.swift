import Foundations
import Geodesy
import Messages
import Positioning
import RoadGraph
import RouteWire

enum Wire {
  static func raw(_ fix: Fix) -> LocationRaw { LocationRaw(fix, provider: "fleet") }

  static func start(to place: Coordinate, mode: TravelMode) -> NavigateStartRequest {
    NavigateStartRequest(
      to: WireWaypoint(latDeg: place.latitudeDeg, lonDeg: place.longitudeDeg),
      mode: mode.wire)
  }
}
