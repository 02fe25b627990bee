import CZeroMQ
import Glibc

/// A message of the bus in one part of libzmq: what a node sends to a broker that said it takes it.
///
/// A zero (no topic begins with one), the topic's length (one byte), the header's length (two bytes,
/// big-endian), topic, header, payload. libzmq pays for each part at each of its queues; what is
/// long is not worth the copy.
enum JoinedMessage {
  static let prefixBytes = 4
  /// Longer messages go in three parts.
  static let maximumBytes = 4_096
  static let mark: UInt8 = 0

  /// The length of a message in this form; nil where it has to go in three parts.
  static func byteCount(topic: Int, header: Int, payload: Int) -> Int? {
    let count = prefixBytes + topic + header + payload
    guard (1...255).contains(topic), count <= maximumBytes else { return nil }
    return count
  }

  static func write(
    _ topic: [UInt8], _ header: [UInt8], _ payload: [UInt8], to place: UnsafeMutableRawPointer
  ) {
    place.storeBytes(of: mark, as: UInt8.self)
    place.storeBytes(of: UInt8(topic.count), toByteOffset: 1, as: UInt8.self)
    place.storeBytes(of: UInt16(header.count).bigEndian, toByteOffset: 2, as: UInt16.self)
    var end = place + prefixBytes
    for part in [topic, header, payload] {
      part.withUnsafeBytes { bytes in
        guard let start = bytes.baseAddress else { return }
        end.copyMemory(from: start, byteCount: bytes.count)
      }
      end += part.count
    }
  }

  /// Lengths of topic and header; nil where the bytes are no message of this form.
  static func lengths(of bytes: UnsafeRawBufferPointer) -> (topic: Int, header: Int)? {
    guard bytes.count >= prefixBytes, bytes[0] == mark else { return nil }
    let topic = Int(bytes[1])
    let header = Int(bytes[2]) << 8 | Int(bytes[3])
    guard topic > 0, prefixBytes + topic + header <= bytes.count else { return nil }
    return (topic, header)
  }
}

extension Socket {
  /// Sends a message of the bus in one part, at once; false where the queue is full or nobody is there.
  borrowing func sendJoined(
    _ topic: [UInt8], _ header: [UInt8], _ payload: [UInt8], byteCount: Int
  ) -> Bool {
    var message = zmq_msg_t()
    guard zmq_msg_init_size(&message, byteCount) == 0, let place = zmq_msg_data(&message) else {
      return false
    }
    JoinedMessage.write(topic, header, payload, to: place)
    while zmq_msg_send(&message, handle, ZMQ_DONTWAIT) < 0 {
      guard zmq_errno() == EINTR else {
        zmq_msg_close(&message)
        return false
      }
    }
    return true
  }
}
