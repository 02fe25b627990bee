import BusProtocol

/// The header of one topic's messages, packed once; only the numbers change between messages.
///
/// The numbers use their longest encoding, so that their positions are fixed; any MessagePack
/// reader accepts them. Fields that only some messages have are appended.
struct HeaderTemplate {
  /// The schema of all messages of the topic.
  let schema: String
  /// The header that was filled last.
  private(set) var bytes: [UInt8] = [0x80]
  /// The position of each changing value: after its key and the type byte.
  private let sequenceAt: Int
  private let stampAt: Int
  private let wallAt: Int
  private let fixedLength: Int
  private let fixedFields: UInt8

  init(source: String, run: UInt64, schema: String, deliveryClass: DeliveryClass?) {
    self.schema = schema
    sequenceAt = Self.append("seq", unsigned: 0, to: &bytes)
    stampAt = Self.append("stamp", signed: 0, to: &bytes)
    Self.append("src", source, to: &bytes)
    Self.append("run", unsigned: run, to: &bytes)
    Self.append("schema", schema, to: &bytes)
    wallAt = Self.append("wall", signed: 0, to: &bytes)
    if let deliveryClass { Self.append("class", deliveryClass.rawValue, to: &bytes) }
    fixedFields = deliveryClass == nil ? 6 : 7
    fixedLength = bytes.count
  }

  /// Writes the header of a publication to `bytes`; allocates only if it is longer than any before.
  mutating func fill(_ publication: borrowing Publication, sequence: UInt64, wallNS: Int64) {
    var fields = fixedFields
    if bytes.count > fixedLength { bytes.removeSubrange(fixedLength...) }
    if let cause = publication.cause {
      fields += 1
      Self.append("cause", to: &bytes)
      bytes.append(0x94)
      Self.append(cause.topic, to: &bytes)
      Self.append(cause.source, to: &bytes)
      Self.append(unsigned: cause.run, to: &bytes)
      Self.append(unsigned: cause.sequence, to: &bytes)
    }
    if let key = publication.key {
      fields += 1
      Self.append("key", key, to: &bytes)
    }
    if let id = publication.id {
      fields += 1
      Self.append("id", id, to: &bytes)
    }
    if let ttlMS = publication.ttlMS {
      fields += 1
      Self.append("ttl", unsigned: UInt64(ttlMS), to: &bytes)
    }
    if let nextMS = publication.nextMS {
      fields += 1
      Self.append("next", unsigned: UInt64(nextMS), to: &bytes)
    }
    bytes[0] = 0x80 | fields
    let stampNS = publication.stampNS
    bytes.withUnsafeMutableBytes {
      $0.storeBytes(of: sequence.bigEndian, toByteOffset: sequenceAt, as: UInt64.self)
      $0.storeBytes(of: stampNS.bigEndian, toByteOffset: stampAt, as: Int64.self)
      $0.storeBytes(of: wallNS.bigEndian, toByteOffset: wallAt, as: Int64.self)
    }
  }

  @discardableResult
  private static func append(
    _ key: String, unsigned value: UInt64, to bytes: inout [UInt8]
  ) -> Int {
    append(key, to: &bytes)
    return append(unsigned: value, to: &bytes)
  }

  private static func append(_ key: String, signed value: Int64, to bytes: inout [UInt8]) -> Int {
    append(key, to: &bytes)
    return append(form: 0xd3, UInt64(bitPattern: value), to: &bytes)
  }

  private static func append(_ key: String, _ value: String, to bytes: inout [UInt8]) {
    append(key, to: &bytes)
    append(value, to: &bytes)
  }

  @discardableResult
  private static func append(unsigned value: UInt64, to bytes: inout [UInt8]) -> Int {
    append(form: 0xcf, value, to: &bytes)
  }

  private static func append(form: UInt8, _ value: UInt64, to bytes: inout [UInt8]) -> Int {
    bytes.append(form)
    withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
    return bytes.count - 8
  }

  private static func append(_ text: String, to bytes: inout [UInt8]) {
    let count = text.utf8.count
    switch count {
    case ..<32: bytes.append(0xa0 | UInt8(count))
    case ..<256: bytes += [0xd9, UInt8(count)]
    case ..<65_536: bytes += [0xda, UInt8(count >> 8), UInt8(count & 0xff)]
    default:
      bytes.append(0xdb)
      withUnsafeBytes(of: UInt32(clamping: count).bigEndian) { bytes.append(contentsOf: $0) }
    }
    bytes.append(contentsOf: text.utf8)
  }
}
