import BusProtocol
import CZeroMQ
import Glibc

/// One end of the bus, with exactly one owner.
///
/// libzmq sockets must not be used by two threads at once and must be closed exactly once. This
/// type is noncopyable and not `Sendable`, so the compiler enforces both rules.
public struct Socket: ~Copyable {
  public enum Kind: Sendable {
    case push
    case pull
    case publish
    case subscribe
    case extendedPublish
    case dealer
    case router
    case pair

    var code: Int32 {
      switch self {
      case .push: ZMQ_PUSH
      case .pull: ZMQ_PULL
      case .publish: ZMQ_PUB
      case .subscribe: ZMQ_SUB
      case .extendedPublish: ZMQ_XPUB
      case .dealer: ZMQ_DEALER
      case .router: ZMQ_ROUTER
      case .pair: ZMQ_PAIR
      }
    }
  }

  /// Maximum number of parts of a message; further parts of an untrusted sender are read and
  /// dropped.
  static let maximumParts = 16

  /// Maximum size of a part.
  ///
  /// A much longer part is dropped by the receiving libzmq together with the messages that follow,
  /// so the sender must check.
  public static let maximumPartBytes = 64 << 20

  let handle: UnsafeMutableRawPointer
  /// A descriptor that is readable when libzmq's own threads have an event for this socket.
  package let descriptor: Int32
  private let context: Context

  /// Creates an unconnected socket with the bus's options.
  ///
  /// A message has at most 64 MiB, reconnection takes 50 to 200 ms, and the high-water mark is
  /// 10,000 messages in each direction.
  public init(_ kind: Kind, in context: Context) throws(BusError) {
    guard let handle = zmq_socket(context.handle, kind.code) else { throw .last(.socket) }
    do throws(BusError) {
      try Self.configure(handle, kind)
      descriptor = try Self.descriptor(of: handle)
    } catch {
      zmq_close(handle)
      throw error
    }
    self.handle = handle
    self.context = context
  }

  private static func configure(
    _ handle: UnsafeMutableRawPointer, _ kind: Kind
  ) throws(BusError) {
    try set(handle, ZMQ_LINGER, Int32(500))
    try set(handle, ZMQ_RECONNECT_IVL, Int32(50))
    try set(handle, ZMQ_RECONNECT_IVL_MAX, Int32(200))
    try set(handle, ZMQ_SNDHWM, Int32(10_000))
    try set(handle, ZMQ_RCVHWM, Int32(10_000))
    try set(handle, ZMQ_MAXMSGSIZE, Int64(maximumPartBytes + SinglePartFrame.maximumOverhead))
    // With a lower mark, a SUB that sends more than 1,000 subscriptions silently loses the rest.
    if kind == .subscribe { try set(handle, ZMQ_SNDHWM, Int32(0)) }
  }

  deinit { zmq_close(handle) }

  public borrowing func bind(_ endpoint: String) throws(BusError) {
    guard zmq_bind(handle, endpoint) == 0 else { throw .last(.bind, endpoint) }
  }

  public borrowing func connect(_ endpoint: String) throws(BusError) {
    guard zmq_connect(handle, endpoint) == 0 else { throw .last(.connect, endpoint) }
  }

  /// Sets how long closing may wait for unsent messages, in ms.
  public borrowing func setLinger(ms: Int32) throws(BusError) { try set(ZMQ_LINGER, ms) }

  public borrowing func setHighWater(send: Int32, receive: Int32) throws(BusError) {
    try set(ZMQ_SNDHWM, send)
    try set(ZMQ_RCVHWM, receive)
  }

  /// Refuses to send while no peer is connected, instead of queuing the message.
  public borrowing func refuseUnconnected() throws(BusError) { try set(ZMQ_IMMEDIATE, Int32(1)) }

  /// Detects within 3 s that a host on the other side of a network has gone.
  public borrowing func keepAlive() throws(BusError) {
    try set(ZMQ_HEARTBEAT_IVL, Int32(1_000))
    try set(ZMQ_HEARTBEAT_TIMEOUT, Int32(3_000))
  }

  /// Makes an XPUB report every subscription, including known ones.
  public borrowing func reportEverySubscription() throws(BusError) {
    try set(ZMQ_XPUB_VERBOSE, Int32(1))
  }

  /// Sets whether a PUB or XPUB fails to send if a reader's queue is full, or drops for that
  /// reader.
  public borrowing func refuseWhenFull(_ refuses: Bool) throws(BusError) {
    try set(ZMQ_XPUB_NODROP, refuses ? Int32(1) : 0)
  }

  private static func descriptor(
    of handle: UnsafeMutableRawPointer
  ) throws(BusError) -> Int32 {
    var descriptor: Int32 = -1
    var size = MemoryLayout<Int32>.size
    guard zmq_getsockopt(handle, ZMQ_FD, &descriptor, &size) == 0 else {
      throw .last(.get, "the descriptor of a socket")
    }
    return descriptor
  }

  /// Whether a socket has something to read, and whether a message could be sent.
  ///
  /// - Throws: `BusError` if libzmq does not answer, which differs from "nothing to read": the
  ///   socket's context was terminated, or the socket is invalid.
  static func state(
    _ handle: UnsafeMutableRawPointer
  ) throws(BusError) -> (hasInput: Bool, canSend: Bool) {
    var events: Int32 = 0
    var size = MemoryLayout<Int32>.size
    while zmq_getsockopt(handle, ZMQ_EVENTS, &events, &size) != 0 {
      guard zmq_errno() == EINTR else { throw .last(.get, "the pending events of a socket") }
    }
    return (events & ZMQ_POLLIN != 0, events & ZMQ_POLLOUT != 0)
  }

  /// Processes pending events of libzmq's threads, such as that a queue has room again.
  ///
  /// If libzmq does not answer, the following send reports the reason.
  package borrowing func processPeerEvents() {
    var events: Int32 = 0
    var size = MemoryLayout<Int32>.size
    zmq_getsockopt(handle, ZMQ_EVENTS, &events, &size)
  }

  /// Makes a ROUTER fail to send to unknown peers, where it would otherwise drop silently.
  public borrowing func refuseUnknownPeers() throws(BusError) {
    try set(ZMQ_ROUTER_MANDATORY, Int32(1))
  }

  public borrowing func subscribe(_ prefix: String) throws(BusError) {
    try subscribe(Array(prefix.utf8))
  }

  /// Subscribes to messages that start with these bytes.
  package borrowing func subscribe(_ beginning: [UInt8]) throws(BusError) {
    guard zmq_setsockopt(handle, ZMQ_SUBSCRIBE, beginning, beginning.count) == 0 else {
      throw .last(.set, "subscription \(String(decoding: beginning, as: UTF8.self))")
    }
  }

  package borrowing func unsubscribe(_ beginning: [UInt8]) throws(BusError) {
    guard zmq_setsockopt(handle, ZMQ_UNSUBSCRIBE, beginning, beginning.count) == 0 else {
      throw .last(.set, "subscription \(String(decoding: beginning, as: UTF8.self))")
    }
  }

  /// Reports disconnections of this socket's peers on an inproc endpoint.
  public borrowing func reportDisconnections(on endpoint: String) throws(BusError) {
    guard zmq_socket_monitor(handle, endpoint, ZMQ_EVENT_DISCONNECTED) == 0 else {
      throw .last(.set, endpoint)
    }
  }

  private borrowing func set(_ option: Int32, _ value: Int32) throws(BusError) {
    try Self.set(handle, option, value)
  }

  private static func set(
    _ handle: UnsafeMutableRawPointer, _ option: Int32, _ value: some FixedWidthInteger
  ) throws(BusError) {
    var value = value
    guard zmq_setsockopt(handle, option, &value, MemoryLayout.size(ofValue: value)) == 0 else {
      throw .last(.set, "option \(option)")
    }
  }
}

extension Socket {
  /// Sends one message of several parts, immediately and whole, or not at all.
  ///
  /// - Throws: `BusError` whose `wouldBlock` is true if the queue is full or there is no peer.
  public borrowing func send(_ parts: [[UInt8]]) throws(BusError) {
    var failure: BusError?
    for index in parts.indices {
      let more = index + 1 < parts.count ? ZMQ_SNDMORE : 0
      var sent: Int32
      repeat {
        sent = parts[index].withUnsafeBytes {
          zmq_send(handle, $0.baseAddress, $0.count, ZMQ_DONTWAIT | more)
        }
      } while sent < 0 && zmq_errno() == EINTR
      guard sent < 0, failure == nil else { continue }
      failure = .last(.send)
      // After a failed first part nothing is pending; after a later one libzmq still expects the
      // rest of the message, which it drops.
      if index == 0 { break }
    }
    if let failure { throw failure }
  }

  /// Receives one whole message, whatever its length; nil if none is available.
  public borrowing func receive() throws(BusError) -> [[UInt8]]? {
    var parts: [[UInt8]] = []
    parts.reserveCapacity(4)
    var message = zmq_msg_t()
    zmq_msg_init(&message)
    defer { zmq_msg_close(&message) }
    while true {
      guard zmq_msg_recv(&message, handle, ZMQ_DONTWAIT) >= 0 else {
        switch zmq_errno() {
        case EINTR: continue
        case EAGAIN where parts.isEmpty: return nil
        default: throw .last(.receive)
        }
      }
      if parts.count < Self.maximumParts {
        parts.append(
          Array(
            UnsafeRawBufferPointer(start: zmq_msg_data(&message), count: zmq_msg_size(&message))))
      }
      if zmq_msg_more(&message) == 0 { return parts }
    }
  }
}
