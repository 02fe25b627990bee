import CZeroMQ
import Glibc

/// One message of the bus as libzmq holds it: what comes in is sent on without being copied.
///
/// Belongs to one thread at a time. The bytes are borrowed: they are there until it is sent.
final class Message {
  static let topicPart = 0
  static let headerPart = 1
  static let payloadPart = 2
  /// Parts of a message of the bus; what comes beyond is only counted.
  static let parts = 3

  /// How many parts came in.
  fileprivate(set) var partCount: Int
  fileprivate let storage: UnsafeMutablePointer<zmq_msg_t>

  /// An empty one, to receive into.
  init() {
    partCount = 0
    storage = .allocate(capacity: Self.parts)
    storage.initialize(repeating: zmq_msg_t(), count: Self.parts)
    for index in 0..<Self.parts { zmq_msg_init(storage + index) }
  }

  /// Holds copies of `parts`; costs one allocation for each longer one.
  convenience init(_ parts: [[UInt8]]) {
    self.init()
    partCount = parts.count
    for (index, bytes) in parts.prefix(Self.parts).enumerated() {
      precondition(zmq_msg_init_size(storage + index, bytes.count) == 0, "no memory for a message")
      bytes.withUnsafeBytes { source in
        guard let start = source.baseAddress else { return }
        memcpy(zmq_msg_data(storage + index), start, source.count)
      }
    }
  }

  deinit {
    for index in 0..<Self.parts { zmq_msg_close(storage + index) }
    storage.deallocate()
  }

  var topic: UnsafeRawBufferPointer { part(Self.topicPart) }
  var header: UnsafeRawBufferPointer { part(Self.headerPart) }
  var payload: UnsafeRawBufferPointer { part(Self.payloadPart) }

  private func part(_ index: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(
      start: zmq_msg_data(storage + index), count: zmq_msg_size(storage + index))
  }
}

extension Message: Hashable {
  static func == (a: Message, b: Message) -> Bool {
    a.partCount == b.partCount
      && (0..<parts).allSatisfy { a.part($0).elementsEqual(b.part($0)) }
  }

  func hash(into hasher: inout Hasher) {
    for index in 0..<Self.parts { hasher.combine(bytes: part(index)) }
  }
}

extension Socket {
  /// Receives one whole message into `message`, which must not be waiting to be sent; false where
  /// none is there.
  borrowing func receive(into message: Message) throws(BusError) -> Bool {
    var count = 0
    while true {
      // What comes beyond the last part that a message has is received over it.
      let place = message.storage + min(count, Message.parts - 1)
      guard zmq_msg_recv(place, handle, ZMQ_DONTWAIT) >= 0 else {
        switch zmq_errno() {
        case EINTR: continue
        case EAGAIN where count == 0: return false
        default: throw .last(.receive)
        }
      }
      count += 1
      if zmq_msg_more(place) == 0 {
        message.partCount = count
        return true
      }
    }
  }

  /// Sends a message of three parts, whole or not at all; unless it `keeps` its bytes for another
  /// socket, it is empty afterwards.
  ///
  /// - Throws: `BusError` whose `wouldBlock` is true where the queue is full or nobody is there.
  borrowing func send(_ message: Message, keeps: Bool) throws(BusError) {
    for index in 0..<Message.parts {
      let more = index + 1 < Message.parts ? ZMQ_SNDMORE : 0
      guard keeps else {
        try send(message.storage + index, flags: more)
        continue
      }
      var copy = zmq_msg_t()
      zmq_msg_init(&copy)
      defer { zmq_msg_close(&copy) }
      guard zmq_msg_copy(&copy, message.storage + index) == 0 else { throw .last(.send) }
      try send(&copy, flags: more)
    }
  }

  private borrowing func send(
    _ part: UnsafeMutablePointer<zmq_msg_t>, flags: Int32
  ) throws(BusError) {
    while zmq_msg_send(part, handle, ZMQ_DONTWAIT | flags) < 0 {
      guard zmq_errno() == EINTR else { throw .last(.send) }
    }
  }
}
