import Glibc

/// How a message of the bus fits into one part: the topic's mark, the topic, a zero, the header's
/// length in four bytes (big-endian), header, payload.
///
/// Nodes and broker speak it among themselves, since libzmq pays for each part at each of its queues.
/// It begins with what subscriptions are about (`LeafMark`); no topic has a zero in it.
struct JoinedForm: Hashable {
  let topicBytes: Int
  let headerBytes: Int

  static let topicStart = LeafMark.byteCount
  /// What the form adds to the three parts.
  static let addedBytes = topicStart + 5
  /// A longer header is none.
  static let maximumHeaderBytes = 65_535
  /// By how much a message in this form may be longer than its payload.
  static let maximumOverhead = TopicName.maximumLength + addedBytes + maximumHeaderBytes

  var topicEnd: Int { Self.topicStart + topicBytes }
  var headerStart: Int { topicEnd + 5 }
  var payloadStart: Int { headerStart + headerBytes }

  init(topicBytes: Int, headerBytes: Int) {
    self.topicBytes = topicBytes
    self.headerBytes = headerBytes
  }

  /// Reads where the parts of `bytes` are; nil where they have not this form.
  init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= Self.addedBytes, let start = bytes.baseAddress,
      let end = memchr(
        start + Self.topicStart, 0,
        min(bytes.count - Self.topicStart, TopicName.maximumLength + 1))
    else { return nil }
    topicBytes = UnsafeRawPointer(end) - start - Self.topicStart
    guard topicBytes + Self.addedBytes <= bytes.count else { return nil }
    let length = bytes.loadUnaligned(
      fromByteOffset: Self.topicStart + topicBytes + 1, as: UInt32.self)
    headerBytes = Int(UInt32(bigEndian: length))
    guard payloadStart <= bytes.count else { return nil }
  }

  func byteCount(payload: Int) -> Int { payloadStart + payload }

  /// Writes a message whose parts have the lengths of this form to `place`, which has room for it.
  func write(
    _ mark: LeafMark, topic: UnsafeRawBufferPointer, header: UnsafeRawBufferPointer,
    payload: UnsafeRawBufferPointer, to place: UnsafeMutableRawPointer
  ) {
    place.storeBytes(of: mark.number.bigEndian, as: UInt32.self)
    Self.copy(topic, to: place + Self.topicStart)
    place.storeBytes(of: 0, toByteOffset: topicEnd, as: UInt8.self)
    place.storeBytes(
      of: UInt32(headerBytes).bigEndian, toByteOffset: topicEnd + 1, as: UInt32.self)
    Self.copy(header, to: place + headerStart)
    Self.copy(payload, to: place + payloadStart)
  }

  private static func copy(_ bytes: UnsafeRawBufferPointer, to place: UnsafeMutableRawPointer) {
    guard let start = bytes.baseAddress else { return }
    place.copyMemory(from: start, byteCount: bytes.count)
  }
}
