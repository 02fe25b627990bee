import Glibc

/// Encoding of a bus message in one part.
///
/// It consists of the topic's mark, the topic, a zero byte, the header's length in four bytes
/// (big-endian), the header and the payload.
///
/// Nodes and the broker use it between each other, since libzmq has a cost per part in each of its
/// queues. It starts with the mark that subscriptions filter by (`TopicHash`); no topic contains a
/// zero byte.
package struct SinglePartFrame: Hashable {
  package let topicBytes: Int
  package let headerBytes: Int

  @inlinable package static var topicStart: Int { TopicHash.byteCount }
  /// Number of bytes that the form adds to the three parts.
  static let addedBytes = topicStart + 5
  /// Maximum length of a valid header.
  @inlinable package static var maximumHeaderBytes: Int { 65_535 }
  /// Maximum length of a message in this form beyond its payload.
  package static let maximumOverhead = TopicName.maximumLength + addedBytes + maximumHeaderBytes

  @inlinable package var topicEnd: Int { Self.topicStart + topicBytes }
  @inlinable package var headerStart: Int { topicEnd + 5 }
  @inlinable package var payloadStart: Int { headerStart + headerBytes }

  package init(topicBytes: Int, headerBytes: Int) {
    self.topicBytes = topicBytes
    self.headerBytes = headerBytes
  }

  /// Locates the parts in `bytes`; nil if they do not have this form.
  package init?(_ bytes: UnsafeRawBufferPointer) {
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

  package func byteCount(payload: Int) -> Int { payloadStart + payload }

  /// Writes a message with these part lengths to `place`, which must have enough room.
  package func write(
    _ mark: TopicHash, topic: UnsafeRawBufferPointer, header: UnsafeRawBufferPointer,
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
