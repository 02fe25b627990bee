import FlyingFox
import Foundation

/// A WebSocket connection to a hub: texts go out as the client takes them, commands come in.
///
/// Frames are pulled one at a time, so what a slow client does not read waits in its bounded
/// mailbox and not in a buffer of the connection.
struct LiveSocket: WSHandler {
  let hub: LiveHub
  /// Longest command in bytes; a longer one ends the connection.
  static let commandLimit = 64 * 1024

  func makeFrames(
    for client: AsyncThrowingStream<WSFrame, any Error>
  ) async throws -> AsyncStream<WSFrame> {
    guard let mailbox = hub.join() else {
      return AsyncStream { continuation in
        continuation.yield(.close(code: WSCloseCode(1013, reason: "too many clients")))
        continuation.finish()
      }
    }
    let reader = Task { [hub] in
      await Self.read(client, into: mailbox, hub: hub)
      hub.leave(mailbox)
    }
    return AsyncStream {
      guard let text = await mailbox.next() else {
        reader.cancel()
        return nil
      }
      return WSFrame(fin: true, opcode: .text, mask: nil, payload: Data(text.utf8))
    } onCancel: { [hub] in
      hub.leave(mailbox)
      reader.cancel()
    }
  }

  private static func read(
    _ frames: AsyncThrowingStream<WSFrame, any Error>, into mailbox: LiveClient, hub: LiveHub
  ) async {
    var command = Data()
    do {
      for try await frame in frames {
        switch frame.opcode {
        case .text: command = frame.payload
        case .continuation: command.append(frame.payload)
        case .ping, .pong: continue
        default: return
        }
        guard command.count <= commandLimit else { return }
        guard frame.fin else { continue }
        guard let text = String(data: command, encoding: .utf8) else { return }
        command = Data()
        if let reply = await hub.answer(text) { mailbox.putInLine(reply) }
      }
    } catch {
      // The connection is gone, or broke the protocol: either way it ends here.
    }
  }
}
