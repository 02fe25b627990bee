import Foundation

/// Encodes `Codable` values as bytes for a successor process; compact, exact and fast.
///
/// A value is a tag (`StateTag`) and its content. Integers are zigzag varints. Numbers are eight
/// bytes in little-endian order, so that NaNs keep their bits. Containers have a count and a length
/// in bytes, four bytes each, and then their elements. Each element of a keyed container follows
/// the text of its key. A length of 0 is unknown, as that of containers which a container gives
/// out. The cost is linear in the bytes. An `encode(to:)` must have finished with a nested
/// container before it writes to the outer one again, as synthesized ones do.
struct StateEncoder {
  static func encode(_ value: some Encodable) throws -> [UInt8] {
    let output = StateOutput()
    try output.write(value)
    return output.bytes
  }
}

/// The tag before each value.
enum StateTag: UInt8 {
  case `nil`
  case no
  case yes
  case integer
  case unsigned
  case number
  case float
  case text
  case data
  case keyed
  case unkeyed

  /// Bytes of the count and the length of a container.
  static let headerBytes = 8
}

/// The bytes written so far.
private final class StateOutput {
  var bytes: [UInt8] = []

  func tag(_ tag: StateTag) { bytes.append(tag.rawValue) }

  func varint(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  func write(_ value: Bool) { tag(value ? .yes : .no) }

  func write(_ value: Int64) {
    tag(.integer)
    varint(UInt64(bitPattern: (value << 1) ^ (value >> 63)))
  }

  func write(_ value: UInt64) {
    tag(.unsigned)
    varint(value)
  }

  func write(_ value: Double) {
    tag(.number)
    withUnsafeBytes(of: value.bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
  }

  func write(_ value: Float) {
    tag(.float)
    withUnsafeBytes(of: value.bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
  }

  func write(_ value: String) {
    tag(.text)
    text(value)
  }

  func text(_ value: String) {
    varint(UInt64(value.utf8.count))
    bytes.append(contentsOf: value.utf8)
  }

  func write<Value: Encodable>(_ value: Value) throws {
    if Value.self == Data.self, let data = value as? Data {
      tag(.data)
      varint(UInt64(data.count))
      bytes.append(contentsOf: data)
      return
    }
    let before = bytes.count
    let encoder = ValueEncoder(output: self)
    try value.encode(to: encoder)
    if let opened = encoder.opened {
      set(UInt32(truncatingIfNeeded: bytes.count - opened - StateTag.headerBytes), at: opened + 4)
    } else if bytes.count == before {
      // A type without properties may write nothing.
      _ = open(.keyed)
    }
  }

  /// Starts a container and returns the offset of its count.
  func open(_ kind: StateTag) -> Int {
    tag(kind)
    for _ in 0..<StateTag.headerBytes { bytes.append(0) }
    return bytes.count - StateTag.headerBytes
  }

  /// Increments the count at `offset` of a container.
  func count(at offset: Int) { set(word(at: offset) &+ 1, at: offset) }

  func word(at offset: Int) -> UInt32 {
    bytes.withUnsafeBytes {
      UInt32(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }
  }

  private func set(_ word: UInt32, at offset: Int) {
    bytes.withUnsafeMutableBytes {
      $0.storeBytes(of: word.littleEndian, toByteOffset: offset, as: UInt32.self)
    }
  }
}

private final class ValueEncoder: Encoder {
  let output: StateOutput
  /// Offset of the count of the requested container; nil before a request.
  private(set) var opened: Int?

  init(output: StateOutput) { self.output = output }

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  private func open(_ kind: StateTag) -> Int {
    if let opened { return opened }
    let offset = output.open(kind)
    opened = offset
    return offset
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(KeyedWriter<Key>(output: output, offset: open(.keyed)))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    UnkeyedWriter(output: output, offset: open(.unkeyed))
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { SingleWriter(output: output) }
}

private struct KeyedWriter<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let output: StateOutput
  let offset: Int

  var codingPath: [any CodingKey] { [] }

  private func writeKey(_ key: some CodingKey) {
    output.count(at: offset)
    output.text(key.stringValue)
  }

  private func signed(_ value: some SignedInteger, _ key: Key) {
    writeKey(key)
    output.write(Int64(value))
  }

  private func unsigned(_ value: some UnsignedInteger, _ key: Key) {
    writeKey(key)
    output.write(UInt64(value))
  }

  func encodeNil(forKey key: Key) {
    writeKey(key)
    output.tag(.nil)
  }

  func encode(_ value: Bool, forKey key: Key) {
    writeKey(key)
    output.write(value)
  }

  func encode(_ value: String, forKey key: Key) {
    writeKey(key)
    output.write(value)
  }

  func encode(_ value: Double, forKey key: Key) {
    writeKey(key)
    output.write(value)
  }

  func encode(_ value: Float, forKey key: Key) {
    writeKey(key)
    output.write(value)
  }

  func encode(_ value: Int, forKey key: Key) { signed(value, key) }
  func encode(_ value: Int8, forKey key: Key) { signed(value, key) }
  func encode(_ value: Int16, forKey key: Key) { signed(value, key) }
  func encode(_ value: Int32, forKey key: Key) { signed(value, key) }
  func encode(_ value: Int64, forKey key: Key) { signed(value, key) }
  func encode(_ value: UInt, forKey key: Key) { unsigned(value, key) }
  func encode(_ value: UInt8, forKey key: Key) { unsigned(value, key) }
  func encode(_ value: UInt16, forKey key: Key) { unsigned(value, key) }
  func encode(_ value: UInt32, forKey key: Key) { unsigned(value, key) }
  func encode(_ value: UInt64, forKey key: Key) { unsigned(value, key) }

  func encode(_ value: some Encodable, forKey key: Key) throws {
    writeKey(key)
    try output.write(value)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy keyType: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    writeKey(key)
    return KeyedEncodingContainer(KeyedWriter<Nested>(output: output, offset: output.open(.keyed)))
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    writeKey(key)
    return UnkeyedWriter(output: output, offset: output.open(.unkeyed))
  }

  func superEncoder() -> any Encoder {
    writeKey(StateKey(stringValue: "super"))
    return ValueEncoder(output: output)
  }

  func superEncoder(forKey key: Key) -> any Encoder {
    writeKey(key)
    return ValueEncoder(output: output)
  }
}

/// A key that consists of a text.
struct StateKey: CodingKey {
  var stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

private struct UnkeyedWriter: UnkeyedEncodingContainer {
  let output: StateOutput
  let offset: Int

  var codingPath: [any CodingKey] { [] }
  var count: Int { Int(output.word(at: offset)) }

  private func signed(_ value: some SignedInteger) {
    output.count(at: offset)
    output.write(Int64(value))
  }

  private func unsigned(_ value: some UnsignedInteger) {
    output.count(at: offset)
    output.write(UInt64(value))
  }

  func encodeNil() {
    output.count(at: offset)
    output.tag(.nil)
  }

  func encode(_ value: Bool) {
    output.count(at: offset)
    output.write(value)
  }

  func encode(_ value: String) {
    output.count(at: offset)
    output.write(value)
  }

  func encode(_ value: Double) {
    output.count(at: offset)
    output.write(value)
  }

  func encode(_ value: Float) {
    output.count(at: offset)
    output.write(value)
  }

  func encode(_ value: Int) { signed(value) }
  func encode(_ value: Int8) { signed(value) }
  func encode(_ value: Int16) { signed(value) }
  func encode(_ value: Int32) { signed(value) }
  func encode(_ value: Int64) { signed(value) }
  func encode(_ value: UInt) { unsigned(value) }
  func encode(_ value: UInt8) { unsigned(value) }
  func encode(_ value: UInt16) { unsigned(value) }
  func encode(_ value: UInt32) { unsigned(value) }
  func encode(_ value: UInt64) { unsigned(value) }

  func encode(_ value: some Encodable) throws {
    output.count(at: offset)
    try output.write(value)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy keyType: Nested.Type
  ) -> KeyedEncodingContainer<Nested> {
    output.count(at: offset)
    return KeyedEncodingContainer(KeyedWriter<Nested>(output: output, offset: output.open(.keyed)))
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    output.count(at: offset)
    return UnkeyedWriter(output: output, offset: output.open(.unkeyed))
  }

  func superEncoder() -> any Encoder {
    output.count(at: offset)
    return ValueEncoder(output: output)
  }
}

private struct SingleWriter: SingleValueEncodingContainer {
  let output: StateOutput

  var codingPath: [any CodingKey] { [] }

  func encodeNil() { output.tag(.nil) }
  func encode(_ value: Bool) { output.write(value) }
  func encode(_ value: String) { output.write(value) }
  func encode(_ value: Double) { output.write(value) }
  func encode(_ value: Float) { output.write(value) }
  func encode(_ value: Int) { output.write(Int64(value)) }
  func encode(_ value: Int8) { output.write(Int64(value)) }
  func encode(_ value: Int16) { output.write(Int64(value)) }
  func encode(_ value: Int32) { output.write(Int64(value)) }
  func encode(_ value: Int64) { output.write(value) }
  func encode(_ value: UInt) { output.write(UInt64(value)) }
  func encode(_ value: UInt8) { output.write(UInt64(value)) }
  func encode(_ value: UInt16) { output.write(UInt64(value)) }
  func encode(_ value: UInt32) { output.write(UInt64(value)) }
  func encode(_ value: UInt64) { output.write(value) }
  func encode(_ value: some Encodable) throws { try output.write(value) }
}
