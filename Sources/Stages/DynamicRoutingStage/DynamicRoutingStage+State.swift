import Guidance
import Messages
import Route
import RouteWire
public import Stage

extension DynamicRoutingStage {
  /// A followed route arrives again on its topic; a planned route is known only here and is saved.
  public var savedState: [UInt8]? {
    WirePollerState(planned: plannedBytes, refused: poller.refusedRouteID).encoded()
  }

  public mutating func restore(_ state: [UInt8]) throws(Refusal) {
    let saved = try WirePollerState(savedState: state)
    poller.refusedRouteID = saved.refused
    guard let planned = saved.planned, !planned.isEmpty else { return }
    do {
      _ = poller.handle(.planned(try Route(wire: try WireRoute(decoding: planned))))
      plannedBytes = planned
    } catch {
      throw Refusal(reason: "does_not_decode", message: "state of the poller: \(error)")
    }
  }
}
