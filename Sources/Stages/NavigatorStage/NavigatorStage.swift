import EventTime
import Guidance
import MessagePack
import Messages
import RoadFile
import RoadGraph
import Route
public import Stage

/// The navigator of one vehicle: locations and commands in, guidance out.
///
/// What it decides is in the room Guidance; here messages become events, and outputs messages.
public struct NavigatorStage: Stage {
  public typealias Shared = NavigatorSettings

  let shared: NavigatorSettings
  let vehicle: String
  var navigator: Navigator
  /// The location that the outputs of the event under way rest on, for the evidence of a deviation.
  var location: LocationMatched?
  var calls: [UInt64: CallKind] = [:]
  /// The road of the location before: most locations lie on the same.
  private var known: KnownRoad?
  var now = Instant(nanoseconds: .min)
  var sessions = 0
  var session: Session?
  /// The active route as it travels, kept so that saving the state does not encode it again.
  var routeBytes: [UInt8]?

  /// What a call of this stage asked for.
  enum CallKind: Codable, Hashable, Sendable {
    case route
    case traffic
  }

  public static func load(_ parameters: Parameters) throws(StageFailure) -> NavigatorSettings {
    guard let map = parameters.string("map") else {
      return NavigatorSettings(parameters, map: nil)
    }
    do {
      return NavigatorSettings(parameters, map: RoadMap(try RoadFile.open(path: map)))
    } catch {
      throw StageFailure("\(error)")
    }
  }

  public init(vehicle: String, shared: NavigatorSettings) {
    self.vehicle = vehicle
    self.shared = shared
    navigator = Navigator(settings: shared.navigator)
  }

  public mutating func handle(_ event: StageEvent) throws(Refusal) -> [StageOutput] {
    switch event {
    case .message(let message):
      return try hear(message)
    case .call(let request):
      let command = try Self.command(request, defaultMode: shared.mode)
      advance(to: request.stamp)
      return perform(navigator.handle(.command(command, call: request.id, at: now)))
    case .reply(let token, let stamp, let outcome):
      advance(to: stamp)
      return perform(navigator.handle(answer(token, outcome)))
    case .wake(let moment):
      advance(to: moment)
      return perform(navigator.handle(.tick(at: now)))
    case .clockReset(let moment):
      now = moment
      return []
    case .cancelled:
      // The route still becomes active: a driver who asked twice wants to be led.
      return []
    }
  }

  private mutating func advance(to stamp: Instant) { now = max(now, stamp) }

  private mutating func hear(_ message: Inbound) throws(Refusal) -> [StageOutput] {
    switch message.topic {
    case LocationMatched.topic:
      let matched: LocationMatched = try Self.decode(message)
      let sighting = try Sighting(
        matched, at: message.stamp, map: shared.map, route: navigator.route, known: &known)
      advance(to: message.stamp)
      location = matched
      return perform(navigator.handle(.sighted(sighting)))
    case RouteBetter.topic:
      let found: RouteBetter = try Self.decode(message)
      guard found.state == .found else { return [] }
      let better = try BetterRoute(found)
      advance(to: message.stamp)
      return perform(navigator.handle(.betterFound(better, at: now)))
    default:
      return []
    }
  }

  // MARK: State

  public var savedState: [UInt8]? {
    SavedNavigator(self).encoded()
  }

  public mutating func restore(_ state: [UInt8]) throws(Refusal) {
    let saved: SavedNavigator
    do throws(DecodeError) {
      saved = try SavedNavigator(decoding: state)
    } catch {
      throw Refusal(reason: "does_not_decode", message: "state of the navigator: \(error.message)")
    }
    try saved.apply(to: &self)
  }
}
