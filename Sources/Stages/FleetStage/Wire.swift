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
    LocationRaw(
      latDeg: fix.place.latitudeDeg, lonDeg: fix.place.longitudeDeg,
      timeNs: fix.time?.nanoseconds, bearingDeg: fix.bearingDeg, speedMps: fix.speedMps,
      accuracyM: fix.accuracyM, bearingAccuracyDeg: fix.bearingAccuracyDeg,
      speedAccuracyMps: fix.speedAccuracyMps, provider: "fleet"
    ).encoded()
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
