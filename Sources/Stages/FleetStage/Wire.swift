import EventTime
import Geodesy
import Messages
import Positioning
import RoadGraph
import RouteWire

enum Wire {
  static let rawTopic = LocationRaw.topic

  /// Returns the payload of `location/raw`.
  static func raw(_ fix: Fix) -> [UInt8] {
    LocationRaw(fix, provider: "fleet").encoded()
  }

  /// Returns the request of `navigate/start`.
  static func start(to place: Coordinate, mode: TravelMode) -> [UInt8] {
    NavigateStartRequest(
      to: WireWaypoint(latDeg: place.latitudeDeg, lonDeg: place.longitudeDeg),
      mode: mode.wire
    ).encoded()
  }

  /// Returns the request of `navigate/stop`.
  static func stop() -> [UInt8] { NavigateStopRequest().encoded() }
}
