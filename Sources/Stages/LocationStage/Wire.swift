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
    LocationRaw(asRead.readable.fix, provider: provider, priority: priority).encoded()
  }

  /// Returns the route of `route/active`; nil if there is none.
  static func route(_ message: Inbound) throws(Refusal) -> Route? {
    guard let wire = try message.decoded(RouteActive.self).route else { return nil }
    do throws(RouteWireFault) {
      return try Route(wire: wire)
    } catch {
      throw Refusal(reason: "does_not_decode", message: "\(error)", field: "route")
    }
  }
}
