import BusProtocol
import CZeroMQ
import Glibc
import ZMQ

/// A context of libzmq as C has it.
///
/// `@unchecked Sendable`: libzmq documents contexts as thread-safe.
final class Context: @unchecked Sendable {
  let handle: UnsafeMutableRawPointer

  init() throws {
    guard let handle = zmq_ctx_new() else { throw Floor.Failed() }
    self.handle = handle
  }

  /// Ends every call that waits on a socket of this context.
  func shutDown() { zmq_ctx_shutdown(handle) }

  deinit { zmq_ctx_term(handle) }
}

/// A socket of libzmq as C has it, with the bus's high-water marks.
///
/// `@unchecked Sendable`: made on one thread and used on another one after that, never on two.
final class PlainSocket: @unchecked Sendable {
  let handle: UnsafeMutableRawPointer
  private let context: Context

  init?(_ context: Context, _ kind: Int32) {
    guard let handle = zmq_socket(context.handle, kind) else { return nil }
    self.handle = handle
    self.context = context
    set(ZMQ_SNDHWM, 10_000)
    set(ZMQ_RCVHWM, 10_000)
    set(ZMQ_LINGER, 0)
  }

  deinit { zmq_close(handle) }

  func set(_ option: Int32, _ value: Int32) {
    var value = value
    zmq_setsockopt(handle, option, &value, MemoryLayout<Int32>.size)
  }

  func bind(_ endpoint: String) { zmq_bind(handle, endpoint) }
  func connect(_ endpoint: String) { zmq_connect(handle, endpoint) }

  /// Sends a message; blocks while there is no room.
  func send(_ parts: [[UInt8]]) {
    for (index, part) in parts.enumerated() {
      let more = index + 1 < parts.count ? ZMQ_SNDMORE : 0
      _ = part.withUnsafeBytes { zmq_send(handle, $0.baseAddress, $0.count, more) }
    }
  }
}

/// A SUB that counts.
final class PlainReader {
  private let socket: PlainSocket
  private var buffer = [UInt8](repeating: 0, count: 65_536)

  init(_ endpoint: String, _ prefix: String) throws {
    guard let socket = PlainSocket(try Context(), ZMQ_SUB) else { throw Floor.Failed() }
    self.socket = socket
    socket.connect(endpoint)
    zmq_setsockopt(socket.handle, ZMQ_SUBSCRIBE, prefix, prefix.utf8.count)
  }

  /// What the last message began with.
  var firstBytes: UInt64 { buffer.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) } }

  private func receive() -> Bool { zmq_recv(socket.handle, &buffer, buffer.count, 0) >= 0 }

  /// Whether a whole message comes in time.
  func hears(withinMS timeoutMS: Int32) -> Bool {
    socket.set(ZMQ_RCVTIMEO, timeoutMS)
    guard receive() else { return false }
    var more: Int32 = 1
    var size = MemoryLayout<Int32>.size
    while zmq_getsockopt(socket.handle, ZMQ_RCVMORE, &more, &size) == 0, more != 0 {
      guard receive() else { return false }
    }
    return true
  }

  /// Counts messages until `count` have come, or none for a second.
  func count(upTo count: Int, parts: Int) -> (received: Int, last: MonotonicTime) {
    socket.set(ZMQ_RCVTIMEO, 1_000)
    var received = 0
    var last = MonotonicTime.now
    while received < count * parts, receive() {
      received += 1
      if received & 0xff == 0 || received == count * parts { last = .now }
    }
    return (received / parts, last)
  }
}
