import CZeroMQ

/// The libzmq context of a process; outlives every socket made from it.
///
/// `@unchecked Sendable`: libzmq documents contexts as thread-safe, and the handle never changes.
public final class Context: @unchecked Sendable {
  let handle: UnsafeMutableRawPointer

  public init() throws(BusError) {
    guard let handle = zmq_ctx_new() else { throw .last(.context) }
    self.handle = handle
  }

  deinit { zmq_ctx_term(handle) }
}
