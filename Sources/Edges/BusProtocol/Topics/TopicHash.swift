/// A hash of a topic without its vehicle.
///
/// It is the same for `car1/location/raw` and `car2/location/raw`.
///
/// libzmq filters by the first bytes of a message. A joined message starts with this mark, so a
/// reader of one topic of all vehicles receives only that topic. The mark is the 32-bit FNV-1a hash
/// of what follows the first `/`, and 0 for system topics and for topics without a `/`. If two
/// topics share a mark, a reader drops the messages that it did not want.
package struct TopicHash: Hashable {
  @inlinable package static var byteCount: Int { MemoryLayout<UInt32>.size }
  private static let basis: UInt32 = 2_166_136_261
  private static let prime: UInt32 = 16_777_619

  package let number: UInt32

  @inlinable package init(_ number: UInt32) { self.number = number }

  /// Computes the mark of a topic from its name's bytes; costs a nanosecond per byte.
  package init(of topic: UnsafeRawBufferPointer) {
    guard let first = topic.first, first != UInt8(ascii: "_"),
      let slash = topic.firstIndex(of: UInt8(ascii: "/"))
    else {
      self.init(0)
      return
    }
    self.init(ofLeaf: UnsafeRawBufferPointer(rebasing: topic[(slash + 1)...]))
  }

  private init(ofLeaf leaf: UnsafeRawBufferPointer) {
    var hash = Self.basis
    for byte in leaf { hash = (hash ^ UInt32(byte)) &* Self.prime }
    self.init(hash)
  }

  /// The bytes with which the joined messages start that a reader of a pattern wants.
  ///
  /// For a subtree of a vehicle, these are all messages, since each of its topics has another mark.
  package static func beginning(of pattern: String) -> [UInt8] {
    if pattern.hasPrefix(TopicName.everyVehicle) { return mark(of: pattern).bytes }
    let isOfVehicles = !pattern.hasPrefix("_")
    if pattern.isEmpty || (isOfVehicles && pattern.hasSuffix("/")) { return [] }
    return mark(of: pattern).bytes + pattern.utf8
  }

  /// The system-topic pattern that a subscription stands for; nil if it stands for another pattern.
  package static func systemPattern(ofBeginning bytes: [UInt8]) -> String? {
    guard bytes.starts(with: TopicHash(0).bytes) else { return nil }
    return String(decoding: bytes.dropFirst(byteCount), as: UTF8.self)
  }

  private static func mark(of pattern: String) -> TopicHash {
    Array(pattern.utf8).withUnsafeBytes { TopicHash(of: $0) }
  }

  package var bytes: [UInt8] { withUnsafeBytes(of: number.bigEndian) { Array($0) } }
}
