import Messages
import Stage
import Synchronization

/// The events that still apply: warnings ahead, and proposals that wait for an answer.
///
/// A page that is opened later gets these events as well.
final class OpenEvents: Sendable {
  /// The treatment of an event by the hub.
  enum Treatment {
    /// Only present pages get it.
    case passing
    /// Later pages get it as well, until it is closed.
    case opens(name: String)
    /// It closes what an earlier event has opened.
    case closes(name: String)
  }

  /// By vehicle, the route of each open event by the names in `treatment`; "" without a route.
  private let open = Mutex<[String: [String: String]]>([:])

  /// The treatment of an event of a vehicle.
  func treatment(of message: EncodedMessage, vehicle: String) -> Treatment {
    guard let (name, isOpen, route) = Self.event(of: message) else { return .passing }
    open.withLock { $0[vehicle, default: [:]][name] = isOpen ? route ?? "" : nil }
    return isOpen ? .opens(name: name) : .closes(name: name)
  }

  /// The name of an event that can be open, whether it is, and the route that it belongs to.
  private static func event(
    of message: EncodedMessage
  ) -> (name: String, isOpen: Bool, route: String?)? {
    switch message.topic {
    case GuidanceWarning.topic:
      guard let warning = try? GuidanceWarning(decoding: message.payload) else { return nil }
      let isOpen = warning.event == .ahead || warning.event == .reached
      return ("\(GuidanceWarning.topic) \(warning.id)", isOpen, warning.routeId)
    case RouteBetter.topic:
      guard let better = try? RouteBetter(decoding: message.payload) else { return nil }
      return (RouteBetter.topic, better.state == .proposed, better.routeId)
    case GuidanceReroute.topic:
      guard let reroute = try? GuidanceReroute(decoding: message.payload) else { return nil }
      return (GuidanceReroute.topic, reroute.state == .proposed, reroute.routeId)
    default: return nil
    }
  }

  /// Closes the events of routes other than the one that is followed now, nil for none, and
  /// returns their names.
  func close(except route: String?, vehicle: String) -> [String] {
    open.withLock { open in
      let closed = (open[vehicle] ?? [:]).filter { !$0.value.isEmpty && $0.value != route }
      for name in closed.keys { open[vehicle]?[name] = nil }
      return closed.keys.sorted()
    }
  }

  /// Forgets a vehicle that no page shows any more.
  func forget(_ vehicle: String) { open.withLock { $0[vehicle] = nil } }
}
