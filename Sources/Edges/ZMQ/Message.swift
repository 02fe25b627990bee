package import BusProtocol
import CZeroMQ
import Glibc

/// One message of the bus as libzmq holds it; received messages are forwarded without a copy.
///
/// It arrived in one part or in three; the sender chooses the form in which it is sent. It belongs
/// to one thread at a time. The bytes are borrowed: they are valid until it is sent.
package final class Message {
  /// Number of parts of a message that is not joined; further parts are only counted.
  @inlinable package static var parts: Int { 3 }

  /// Number of received parts; also three for a joined message.
  package fileprivate(set) var partCount: Int
  /// Positions of the parts in the first of `storage`; nil if each part has its own storage.
  fileprivate var joined: SinglePartFrame?
  fileprivate let storage: UnsafeMutablePointer<zmq_msg_t>

  /// Creates an empty message, to receive into.
  package init() {
    partCount = 0
    storage = .allocate(capacity: Self.parts)
    storage.initialize(repeating: zmq_msg_t(), count: Self.parts)
    for index in 0..<Self.parts { zmq_msg_init(storage + index) }
  }

  /// Creates a message with copies of `parts`; costs one allocation for each longer part.
  package convenience init(_ parts: [[UInt8]]) {
    self.init()
    partCount = parts.count
    for (index, bytes) in parts.prefix(Self.parts).enumerated() {
      bytes.withUnsafeBytes { fill(storage + index, with: $0) }
    }
    locateParts()
  }

  deinit {
    for index in 0..<Self.parts { zmq_msg_close(storage + index) }
    storage.deallocate()
  }

  /// Locates the parts of a message in one part; any other message stays unchanged.
  fileprivate func locateParts() {
    guard partCount == 1, let form = SinglePartFrame(part(0)) else { return }
    joined = form
    partCount = Self.parts
  }

  /// Copies the parts of a joined message into this message, which must be empty.
  ///
  /// Returns false if there is no memory for them.
  package func joins(_ mark: TopicHash, _ topic: [UInt8], _ header: [UInt8], _ payload: [UInt8])
    -> Bool
  {
    topic.withUnsafeBytes { topic in
      header.withUnsafeBytes { header in
        payload.withUnsafeBytes { payload in
          joined = try? fillJoined(storage, mark, topic, header, payload)
        }
      }
    }
    partCount = Self.parts
    return joined != nil
  }

  /// Releases its bytes.
  package func clear() {
    // A joined message uses its first part only.
    let used = joined == nil ? Self.parts : 1
    joined = nil
    for index in 0..<used where zmq_msg_size(storage + index) > 0 {
      zmq_msg_close(storage + index)
      zmq_msg_init(storage + index)
    }
  }

  package var topic: UnsafeRawBufferPointer {
    guard let joined else { return part(0) }
    return UnsafeRawBufferPointer(rebasing: part(0)[SinglePartFrame.topicStart..<joined.topicEnd])
  }

  /// The mark that it starts with; nil for a message in three parts.
  package var mark: TopicHash? {
    guard joined != nil else { return nil }
    return TopicHash(UInt32(bigEndian: part(0).loadUnaligned(as: UInt32.self)))
  }

  package var header: UnsafeRawBufferPointer {
    guard let joined else { return part(1) }
    return UnsafeRawBufferPointer(rebasing: part(0)[joined.headerStart..<joined.payloadStart])
  }

  package var payload: UnsafeRawBufferPointer {
    guard let joined else { return part(2) }
    return UnsafeRawBufferPointer(rebasing: part(0)[joined.payloadStart...])
  }

  fileprivate func part(_ index: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(
      start: zmq_msg_data(storage + index), count: zmq_msg_size(storage + index))
  }
}

extension Message: Hashable {
  package static func == (a: Message, b: Message) -> Bool {
    a.partCount == b.partCount && a.topic.elementsEqual(b.topic)
      && a.header.elementsEqual(b.header) && a.payload.elementsEqual(b.payload)
  }

  package func hash(into hasher: inout Hasher) {
    for part in [topic, header, payload] { hasher.combine(bytes: part) }
  }
}

/// The form in which a message is sent over a socket.
package enum MessageForm {
  /// In three parts: topic, header, payload.
  case apart
  case joined
}

extension Socket {
  /// Receives one whole message into `message`; false if none is available.
  ///
  /// `message` must not be waiting to be sent.
  package borrowing func receive(into message: Message) throws(BusError) -> Bool {
    message.joined = nil
    var count = 0
    while true {
      // Parts beyond a message's last part are received over it.
      let place = message.storage + min(count, Message.parts - 1)
      guard zmq_msg_recv(place, handle, ZMQ_DONTWAIT) >= 0 else {
        switch zmq_errno() {
        case EINTR: continue
        case EAGAIN where count == 0: return false
        default: throw .last(.receive)
        }
      }
      count += 1
      guard zmq_msg_more(place) == 0 else { continue }
      message.partCount = count
      message.locateParts()
      return true
    }
  }

  /// Sends a message, whole or not at all.
  ///
  /// Unless it `keeps` its bytes for another socket, it must not be read afterwards.
  ///
  /// - Throws: `BusError` whose `wouldBlock` is true if the queue is full or there is no peer.
  package borrowing func send(_ message: Message, as form: MessageForm, keeps: Bool)
    throws(BusError)
  {
    switch (form, message.joined) {
    case (.joined, nil):
      try sendJoined(
        TopicHash(of: message.topic), message.topic, message.header, message.payload)
    case (.joined, _?):
      try send(message.storage, flags: 0, keeps: keeps)
    case (.apart, nil):
      try send(message.storage, flags: ZMQ_SNDMORE, keeps: keeps)
      try send(message.storage + 1, flags: ZMQ_SNDMORE, keeps: keeps)
      try send(message.storage + 2, flags: 0, keeps: keeps)
    case (.apart, _?):
      try send(copyOf: message.topic, flags: ZMQ_SNDMORE)
      try send(copyOf: message.header, flags: ZMQ_SNDMORE)
      try send(copyOf: message.payload, flags: 0)
    }
  }

  /// Sends a message of one part; false on failure, usually for lack of room or of a peer.
  package borrowing func sends(_ message: Message) -> Bool {
    do throws(BusError) {
      try send(message.storage, flags: 0)
      return true
    } catch {
      return false
    }
  }

  /// Sends a message in one part immediately; costs one allocation and one copy.
  borrowing func sendJoined(
    _ mark: TopicHash, _ topic: UnsafeRawBufferPointer, _ header: UnsafeRawBufferPointer,
    _ payload: UnsafeRawBufferPointer
  ) throws(BusError) {
    var message = zmq_msg_t()
    try fillJoined(&message, mark, topic, header, payload)
    try sendOnce(&message, flags: 0)
  }

  /// Does the same; false on failure, usually for lack of room or of a peer.
  package borrowing func sendsJoined(
    _ mark: TopicHash, _ topic: [UInt8], _ header: [UInt8], _ payload: [UInt8]
  ) -> Bool {
    topic.withUnsafeBytes { topic in
      header.withUnsafeBytes { header in
        payload.withUnsafeBytes { payload in
          do throws(BusError) {
            try sendJoined(mark, topic, header, payload)
            return true
          } catch {
            return false
          }
        }
      }
    }
  }

  private borrowing func send(copyOf bytes: UnsafeRawBufferPointer, flags: Int32) throws(BusError) {
    var message = zmq_msg_t()
    zmq_msg_init(&message)
    fill(&message, with: bytes)
    try sendOnce(&message, flags: flags)
  }

  private borrowing func send(
    _ part: UnsafeMutablePointer<zmq_msg_t>, flags: Int32, keeps: Bool
  ) throws(BusError) {
    guard keeps else { return try send(part, flags: flags) }
    var copy = zmq_msg_t()
    zmq_msg_init(&copy)
    guard zmq_msg_copy(&copy, part) == 0 else { throw .last(.send) }
    try sendOnce(&copy, flags: flags)
  }

  /// Sends a part, which is lost if that fails.
  private borrowing func sendOnce(
    _ part: UnsafeMutablePointer<zmq_msg_t>, flags: Int32
  ) throws(BusError) {
    do throws(BusError) {
      try send(part, flags: flags)
    } catch {
      zmq_msg_close(part)
      throw error
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

/// Makes a joined message of an empty part, which stays empty on failure.
@discardableResult
private func fillJoined(
  _ part: UnsafeMutablePointer<zmq_msg_t>, _ mark: TopicHash, _ topic: UnsafeRawBufferPointer,
  _ header: UnsafeRawBufferPointer, _ payload: UnsafeRawBufferPointer
) throws(BusError) -> SinglePartFrame {
  let form = SinglePartFrame(topicBytes: topic.count, headerBytes: header.count)
  let isThere = zmq_msg_init_size(part, form.byteCount(payload: payload.count)) == 0
  guard isThere, let place = zmq_msg_data(part) else {
    let failure = BusError.last(.send)
    zmq_msg_init(part)
    throw failure
  }
  form.write(mark, topic: topic, header: header, payload: payload, to: place)
  return form
}

/// Puts a copy of `bytes` into an empty part.
private func fill(_ part: UnsafeMutablePointer<zmq_msg_t>, with bytes: UnsafeRawBufferPointer) {
  precondition(zmq_msg_init_size(part, bytes.count) == 0, "no memory for a message")
  guard let start = bytes.baseAddress else { return }
  memcpy(zmq_msg_data(part), start, bytes.count)
}
