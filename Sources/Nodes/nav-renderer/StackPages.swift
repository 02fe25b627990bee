import Dashboard
import HTTP
import MessagePack
import Stage
import Synchronization
import Web

/// The live links of the pages about the whole stack: `/stack`, its dashboard, and `/fleet`, the map of
/// all vehicles.
///
/// Each link has one hub, whose name no vehicle can have. The stack is observed only while the hub has
/// clients.
final class StackPages: Sendable {
  /// The pages by their address, which is also the `view` of their live link.
  static let views = ["stack", "fleet"]
  private static let stackHub = "_stack"
  private static let fleetHub = "_fleet"

  private let stack: StackFeed
  private let fleet: FleetFeed
  private let target: HubTarget

  /// The hubs, which exist only after this object.
  private final class HubTarget: Sendable {
    private let hubs = Mutex<LiveHubs?>(nil)

    func set(_ hubs: LiveHubs) { self.hubs.withLock { $0 = hubs } }

    func publish(_ message: LiveFrame, _ name: String, hub: String) {
      hubs.withLock { $0 }?.hub(named: hub)?.publish(message, name: name, delivery: .latest)
    }
  }

  init(_ bus: ObservedBus) {
    let target = HubTarget()
    self.target = target
    stack = StackFeed(bus) { text, name in target.publish(.text(text), name, hub: Self.stackHub) }
    fleet = FleetFeed(bus) { message, name in target.publish(message, name, hub: Self.fleetHub) }
  }

  /// Publishes on these hubs from now on.
  func publish(on hubs: LiveHubs) { target.set(hubs) }

  /// The hub of a live link; nil for the link of a vehicle's page.
  static func hub(of request: WebRequest) -> String? {
    request.query["view"].flatMap { views.contains($0) ? "_\($0)" : nil }
  }

  /// Starts to observe for a hub that has its first client; false for the hub of a vehicle.
  func began(_ hub: String) -> Bool {
    switch hub {
    case Self.stackHub: stack.open()
    case Self.fleetHub: fleet.open()
    default: return false
    }
    return true
  }

  /// Ends the observation for a hub without clients; false for the hub of a vehicle.
  func ended(_ hub: String) -> Bool {
    switch hub {
    case Self.stackHub: stack.close()
    case Self.fleetHub: fleet.close()
    default: return false
    }
    return true
  }

  /// Answers a command; those that do not concern the stack are passed to `caller`.
  func reply(_ text: String, hub: String, otherwise caller: PageCallHandler) async -> String? {
    guard [Self.stackHub, Self.fleetHub].contains(hub) else {
      return await caller.reply(text, vehicle: hub)
    }
    guard hub == Self.stackHub, let command = try? LiveCommand(text),
      [StackFeed.whyCommand, StackFeed.watchCommand].contains(command.call)
    else { return await caller.reply(text, vehicle: "") }
    guard let answer = await stack.handle(command.call, command.payload ?? .map([])) else {
      return LiveText.refusal(
        command.id, CallError(code: "timeout", message: "the stack was not observed in time"))
    }
    return LiveText.reply(command.id, payload: answer)
  }
}
