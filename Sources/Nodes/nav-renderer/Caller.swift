import Harness
import MessagePack
import Messages
import RendererStage
import Stage
import Synchronization

/// Converts the page's commands into calls of the stack, and their ends into replies.
///
/// Only the calls in the renderer's manifest are passed on, and those that it serves itself.
final class PageCallHandler: Sendable {
  private static let starting = CallError(
    code: "unavailable", message: "the renderer is starting")
  private let stored = Mutex<(any NodeHandle)?>(nil)
  private let list = VehicleList()
  private let offered = Mutex(OfferedRoutes())
  private let flow: FlowLayer

  init(flow: FlowLayer) { self.flow = flow }

  var node: (any NodeHandle)? {
    get { stored.withLock { $0 } }
    set { stored.withLock { $0 = newValue } }
  }

  /// Answers a command of a page that shows `vehicle`; "" for a page that shows none.
  func reply(_ text: String, vehicle: String) async -> String? {
    let command: LiveCommand
    do throws(CallError) {
      command = try LiveCommand(text)
    } catch {
      return LiveText.refusal(nil, error)
    }
    if command.call == VehicleList.command {
      guard let node else { return LiveText.refusal(command.id, Self.starting) }
      let request = command.payload ?? .map([])
      return LiveText.reply(
        command.id, payload: VehicleList.reply(request, names: await list.names(node)))
    }
    if command.call == FlowLayer.name, !vehicle.isEmpty {
      return LiveText.reply(command.id, payload: flow.renewLease(of: vehicle))
    }
    let manifest = RendererStage.manifest
    let allowed = manifest.calls + (manifest.optionalCalls ?? []) + manifest.serves
    guard allowed.contains(command.call),
      let declaration = Calls.declaration(of: command.call)
    else {
      return LiveText.refusal(
        command.id,
        CallError(
          code: "no_such_service", message: "a page may not call \"\(command.call)\"",
          field: "call"))
    }
    guard let node else { return LiveText.refusal(command.id, Self.starting) }
    guard !vehicle.isEmpty else {
      return LiveText.refusal(
        command.id,
        CallError(code: "invalid", message: "this page shows no vehicle: choose one first"))
    }
    let payload: MessagePackValue
    do throws(CallError) {
      payload = try request(of: command, vehicle: vehicle)
    } catch {
      return LiveText.refusal(command.id, error)
    }
    let outcome = await node.call(
      command.call, payload: payload.encoded(), timeoutMS: UInt32(declaration.timeoutS * 1000),
      vehicle: vehicle)
    switch outcome {
    case .ok(let bytes):
      let reply = LiveText.payload(bytes)
      if command.call == RouteCalculateReply.call {
        keep(reply, vehicle: vehicle)
      }
      return LiveText.reply(command.id, payload: reply)
    case .failed(let error): return LiveText.refusal(command.id, error)
    }
  }

  private func keep(_ reply: MessagePackValue, vehicle: String) {
    guard case .array(let routes)? = reply["routes"] else { return }
    let offers = routes.compactMap { route in
      route["id"]?.string.map { OfferedRoutes.Offer(id: $0, bytes: route.encoded()) }
    }
    offered.withLock { $0.keep(offers, vehicle: vehicle) }
  }

  /// The request of a call; a command that follows a route may name it instead of containing it.
  private func request(
    of command: LiveCommand, vehicle: String
  ) throws(CallError) -> MessagePackValue {
    let payload = command.payload ?? .map([])
    guard command.call == NavigateSetRouteRequest.call, payload["route"] == nil,
      let id = payload["route_id"]?.string
    else { return payload }
    let offered = offered.withLock { $0 }
    let bytes = try offered.route(id, vehicle: vehicle)
    return .map([.init("route", LiveText.payload(bytes))])
  }

  /// Forgets what a vehicle's pages were offered, after the last of them is closed.
  func forget(_ vehicle: String) { offered.withLock { $0.forget(vehicle) } }
}
