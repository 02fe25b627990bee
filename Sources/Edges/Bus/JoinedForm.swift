import Glibc

/// How a message of the bus fits into one part: topic, a zero, the header's length in four bytes
/// (big-endian), header, payload.
///
/// Nodes and broker speak it among themselves, since libzmq pays for each part at each of its queues.
/// It begins with the topic, so that subscriptions work; no topic has a zero in it.
struct JoinedForm: Hashable {
  let topicBytes: Int
  let headerBytes: Int

  /// What the form adds to the three parts.
  static let markBytes = 5
  /// A longer header is none.
  static let maximumHeaderBytes = 65_535
  /// By how much a message in this form may be longer than its payload.
  static let maximumOverhead = TopicName.maximumLength + markBytes + maximumHeaderBytes

  var headerStart: Int { topicBytes + Self.markBytes }
  var payloadStart: Int { headerStart + headerBytes }

  init(topicBytes: Int, headerBytes: Int) {
    self.topicBytes = topicBytes
    self.headerBytes = headerBytes
  }

  /// Reads where the parts of `bytes` are; nil where they have not this form.
  init?(_ bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress,
      let end = memchr(start, 0, min(bytes.count, TopicName.maximumLength + 1))
    else { return nil }
    topicBytes = UnsafeRawPointer(end) - start
    guard topicBytes + Self.markBytes <= bytes.count else { return nil }
    let length = bytes.loadUnaligned(fromByteOffset: topicBytes + 1, as: UInt32.self)
    headerBytes = Int(UInt32(bigEndian: length))
    guard payloadStart <= bytes.count else { return nil }
  }

  func byteCount(payload: Int) -> Int { payloadStart + payload }

  /// Writes a message whose parts have the lengths of this form to `place`, which has room for it.
  func write(
    topic: UnsafeRawBufferPointer, header: UnsafeRawBufferPointer,
    payload: UnsafeRawBufferPointer, to place: UnsafeMutableRawPointer
  ) {
    Self.copy(topic, to: place)
    place.storeBytes(of: 0, toByteOffset: topicBytes, as: UInt8.self)
    place.storeBytes(
      of: UInt32(headerBytes).bigEndian, toByteOffset: topicBytes + 1, as: UInt32.self)
    Self.copy(header, to: place + headerStart)
    Self.copy(payload, to: place + payloadStart)
  }

  private static func copy(_ bytes: UnsafeRawBufferPointer, to place: UnsafeMutableRawPointer) {
    guard let start = bytes.baseAddress else { return }
    place.copyMemory(from: start, byteCount: bytes.count)
  }
}
