import EventTime
import Geodesy
import Messages
import Positioning
import Route
import RouteWire
import Stage

enum Wire {
  /// Returns the payload of `location/raw`, without values that no receiver can mean.
  static func raw(_ asRead: Fix, provider: String, priority: Int64) -> [UInt8] {
    let fix = asRead.readable.fix
    return LocationRaw(
      latDeg: fix.place.latitudeDeg, lonDeg: fix.place.longitudeDeg,
      timeNs: fix.time?.nanoseconds, bearingDeg: fix.bearingDeg, speedMps: fix.speedMps,
      accuracyM: fix.accuracyM, bearingAccuracyDeg: fix.bearingAccuracyDeg,
      speedAccuracyMps: fix.speedAccuracyMps, altitudeM: fix.altitudeM,
      provider: provider, priority: priority
    ).encoded()
  }

  /// Returns the route of `route/active`; nil if there is none.
  static func route(_ payload: [UInt8]) throws(Refusal) -> Route? {
    let message = try decoded(RouteActive.self, payload)
    guard let wire = message.route else { return nil }
    do throws(RouteWireFault) {
      return try Route(wire: wire)
    } catch {
      throw Refusal(reason: "does_not_decode", message: "\(error)", field: "route")
    }
  }

  static func decoded<M: StructMessage>(
    _ type: M.Type, _ payload: [UInt8]
  ) throws(Refusal) -> M {
    do throws(DecodeError) {
      return try M(decoding: payload)
    } catch {
      throw Refusal(reason: error.reason.rawValue, message: error.message, field: error.path)
    }
  }
}
