import BusProtocol
import ZMQ

/// The control socket of a reader, over which it exchanges messages with the broker.
struct ControlSocket: ~Copyable {
  let socket: Socket

  /// Sends a message and an optional payload; false if no broker is present.
  @discardableResult
  func send(_ body: some ControlBody, _ payload: [UInt8]? = nil) -> Bool {
    do {
      try socket.send([body.encoded()] + (payload.map { [$0] } ?? []))
      return true
    } catch {
      return false
    }
  }

  /// Receives the parts of a message; nil if none has arrived.
  func receive() -> [[UInt8]]? { try? socket.receive() }
}
