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
    let payload = command.payload ?? .map([])
    let outcome = await node.call(
      command.call, payload: payload.encoded(), timeoutMS: UInt32(declaration.timeoutS * 1000),
      vehicle: vehicle)
    switch outcome {
    case .ok(let reply): return LiveText.reply(command.id, payload: LiveText.payload(reply))
    case .failed(let error): return LiveText.refusal(command.id, error)
    }
  }
}
