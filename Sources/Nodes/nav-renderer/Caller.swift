import Harness
import MessagePack
import Messages
import RendererStage
import Stage
import Synchronization

/// Turns the page's commands into calls of the stack, and their ends into replies.
///
/// Only the calls of the renderer's manifest are passed on, and those that it serves itself.
final class Caller: Sendable {
  private let stored = Mutex<(any NodeHandle)?>(nil)

  var node: (any NodeHandle)? {
    get { stored.withLock { $0 } }
    set { stored.withLock { $0 = newValue } }
  }

  func answer(_ text: String) async -> String? {
    let command: LiveCommand
    do throws(CallError) {
      command = try LiveCommand(text)
    } catch {
      return LiveText.refusal(nil, error)
    }
    let manifest = RendererStage.manifest
    guard (manifest.calls + manifest.serves).contains(command.call),
      let declaration = Calls.declaration(of: command.call)
    else {
      return LiveText.refusal(
        command.id,
        CallError(
          code: "no_such_service", message: "a page may not call \"\(command.call)\"",
          field: "call"))
    }
    guard let node else {
      return LiveText.refusal(
        command.id, CallError(code: "unavailable", message: "the renderer is starting"))
    }
    let payload = command.payload?.value ?? .map([])
    let outcome = await node.call(
      command.call, payload: payload.encoded(), timeoutMS: UInt32(declaration.timeoutS * 1000),
      vehicle: node.vehicle)
    switch outcome {
    case .ok(let reply): return LiveText.reply(command.id, payload: LiveText.payload(reply))
    case .failed(let error): return LiveText.refusal(command.id, error)
    }
  }
}
