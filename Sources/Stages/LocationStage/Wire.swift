import Foundations
import Geodesy
import Messages
import Positioning
import Route
import RouteWire
import Stage

enum Wire {
  /// Returns the message of `location/raw`, without values that no receiver can mean.
  static func raw(_ asRead: Fix, provider: String, priority: Int64) -> LocationRaw {
    LocationRaw(asRead.readable.fix, provider: provider, priority: priority)
  }

  /// Returns the route of `route/active`; nil if there is none.
  static func route(_ active: RouteActive) throws(Refusal) -> Route? {
    guard let wire = active.route else { return nil }
    do throws(RouteWireFault) {
      return try Route(wire: wire)
    } catch {
      throw Refusal(reason: "does_not_decode", message: "\(error)", field: "route")
    }
  }
}
