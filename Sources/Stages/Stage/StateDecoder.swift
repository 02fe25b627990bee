import Foundation

/// Decodes the output of `StateEncoder`; damaged bytes throw a `DecodingError` that names the byte,
/// and never crash.
///
/// A key is searched for from the last key found, so that reading in the order of writing is
/// linear.
struct StateDecoder {
  static func decode<Value: Decodable>(
    _ type: Value.Type, from bytes: ArraySlice<UInt8>
  ) throws -> Value {
    let input = StateInput(bytes: bytes)
    let value = try input.read(type)
    guard input.place == input.bytes.count else { throw input.damage("bytes follow the state") }
    return value
  }
}

/// The bytes, and the offset up to which they were read.
private final class StateInput {
  /// Containers nested deeper than this are not skipped: no state has them.
  private static let mostLevels = 100

  let bytes: [UInt8]
  var place = 0

  init(bytes: ArraySlice<UInt8>) { self.bytes = Array(bytes) }

  func damage(_ what: String) -> DecodingError {
    .dataCorrupted(.init(codingPath: [], debugDescription: "byte \(place): \(what)"))
  }

  func byte() throws -> UInt8 {
    guard place < bytes.count else { throw damage("the state ends here") }
    defer { place += 1 }
    return bytes[place]
  }

  func tag() throws -> StateTag {
    guard let tag = StateTag(rawValue: try byte()) else {
      place -= 1
      throw damage("unknown kind of value")
    }
    return tag
  }

  func varint() throws -> UInt64 {
    var word: UInt64 = 0
    var shift: UInt64 = 0
    while true {
      let next = try byte()
      guard shift < 64 else { throw damage("an integer is too long") }
      word |= UInt64(next & 0x7f) << shift
      if next & 0x80 == 0 { return word }
      shift += 7
    }
  }

  /// Returns the range of `count` bytes and skips them.
  func run(_ count: UInt64) throws -> Range<Int> {
    guard count <= UInt64(bytes.count - place) else { throw damage("\(count) bytes are missing") }
    defer { place += Int(count) }
    return place..<place + Int(count)
  }

  func word<Word: FixedWidthInteger>(_ type: Word.Type) throws -> Word {
    let range = try run(UInt64(MemoryLayout<Word>.size))
    return bytes.withUnsafeBytes {
      Word(littleEndian: $0.loadUnaligned(fromByteOffset: range.lowerBound, as: Word.self))
    }
  }

  func text() throws -> String {
    let range = try run(varint())
    return String(decoding: bytes[range], as: UTF8.self)
  }

  /// Whether the bytes of a range are this text.
  func matches(_ range: Range<Int>, _ text: String) -> Bool {
    var text = text
    return text.withUTF8 { wanted in
      wanted.count == range.count
        && bytes.withUnsafeBytes { $0[range].elementsEqual(wanted) }
    }
  }

  /// Reads the header of a container and returns how many elements it has.
  func open(_ kind: StateTag) throws -> Int {
    let found = try tag()
    guard found == kind else {
      place -= 1
      throw damage("\(found) instead of \(kind)")
    }
    return try header().count
  }

  private func header() throws -> (count: Int, length: UInt32) {
    let (count, length) = (Int(try word(UInt32.self)), try word(UInt32.self))
    guard count <= bytes.count - place else { throw damage("\(count) elements are missing") }
    return (count, length)
  }

  func skip(levels: Int = 0) throws {
    guard levels < Self.mostLevels else { throw damage("nested too deep") }
    switch try tag() {
    case .nil, .no, .yes: break
    case .integer, .unsigned: _ = try varint()
    case .number: _ = try run(8)
    case .float: _ = try run(4)
    case .text, .data: _ = try run(varint())
    case .keyed, .unkeyed:
      let isKeyed = bytes[place - 1] == StateTag.keyed.rawValue
      let (count, length) = try header()
      if length > 0 {
        _ = try run(UInt64(length))
      } else {
        for _ in 0..<count {
          if isKeyed { _ = try run(varint()) }
          try skip(levels: levels + 1)
        }
      }
    }
  }

  /// Whether the next value is nil, which is then skipped.
  func isNil() -> Bool {
    guard place < bytes.count, bytes[place] == StateTag.nil.rawValue else { return false }
    place += 1
    return true
  }

  func bool() throws -> Bool {
    switch try tag() {
    case .yes: return true
    case .no: return false
    default:
      place -= 1
      throw damage("not a boolean")
    }
  }

  func integer<Value: FixedWidthInteger>(_ type: Value.Type) throws -> Value {
    let start = place
    let value: Value?
    switch try tag() {
    case .integer:
      let word = try varint()
      value = Value(exactly: Int64(bitPattern: word >> 1) ^ -Int64(bitPattern: word & 1))
    case .unsigned: value = Value(exactly: try varint())
    default: value = nil
    }
    guard let value else {
      place = start
      throw damage("not a \(Value.self)")
    }
    return value
  }

  func number() throws -> Double {
    guard try tag() == .number else {
      place -= 1
      throw damage("not a number")
    }
    return Double(bitPattern: try word(UInt64.self))
  }

  func float() throws -> Float {
    guard try tag() == .float else {
      place -= 1
      throw damage("not a 32-bit float")
    }
    return Float(bitPattern: try word(UInt32.self))
  }

  func string() throws -> String {
    guard try tag() == .text else {
      place -= 1
      throw damage("not a string")
    }
    return try text()
  }

  func read<Value: Decodable>(_ type: Value.Type) throws -> Value {
    if type == Data.self {
      guard try tag() == .data else {
        place -= 1
        throw damage("not bytes")
      }
      let range = try run(varint())
      if let data = Data(bytes[range]) as? Value { return data }
    }
    let start = place
    try skip()
    let end = place
    place = start
    let value = try Value(from: ValueDecoder(input: self, start: start))
    place = end
    return value
  }
}

private struct ValueDecoder: Decoder {
  let input: StateInput
  /// Offset at which the value begins.
  let start: Int

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    input.place = start
    return KeyedDecodingContainer(KeyedReader<Key>(entries: try KeyedEntries(input)))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    input.place = start
    return try UnkeyedReader(input)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { SingleReader(input: input) }
}

/// Offsets of the values of a keyed container.
private final class KeyedEntries {
  let input: StateInput
  private var entries: [(key: Range<Int>, value: Int)] = []
  /// The last entry found: `decodeIfPresent` looks up a key three times.
  private var last = 0

  /// Reads the container at whose tag the input stands, up to its end.
  init(_ input: StateInput) throws {
    self.input = input
    let count = try input.open(.keyed)
    entries.reserveCapacity(count)
    for _ in 0..<count {
      let key = try input.run(input.varint())
      entries.append((key, input.place))
      try input.skip()
    }
  }

  var keys: [String] { entries.map { String(decoding: input.bytes[$0.key], as: UTF8.self) } }

  /// Moves the input to the value of a key; returns false if there is none.
  func find(_ key: String) -> Bool {
    for step in 0..<entries.count {
      let index = (last + step) % entries.count
      guard input.matches(entries[index].key, key) else { continue }
      input.place = entries[index].value
      last = index
      return true
    }
    return false
  }
}

private struct KeyedReader<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let entries: KeyedEntries

  var codingPath: [any CodingKey] { [] }
  var allKeys: [Key] { entries.keys.compactMap { Key(stringValue: $0) } }

  func contains(_ key: Key) -> Bool { entries.find(key.stringValue) }

  /// Returns the input at the value of a key.
  private func at(_ key: some CodingKey) throws -> StateInput {
    guard entries.find(key.stringValue) else {
      throw DecodingError.keyNotFound(key, .init(codingPath: [], debugDescription: "missing"))
    }
    return entries.input
  }

  func decodeNil(forKey key: Key) throws -> Bool { try at(key).isNil() }
  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try at(key).bool() }
  func decode(_ type: String.Type, forKey key: Key) throws -> String { try at(key).string() }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try at(key).number() }
  func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try at(key).float() }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try at(key).integer(type) }
  func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try at(key).integer(type) }
  func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try at(key).integer(type) }
  func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try at(key).integer(type) }
  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try at(key).integer(type) }
  func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try at(key).integer(type) }
  func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try at(key).integer(type) }
  func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try at(key).integer(type) }
  func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try at(key).integer(type) }
  func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try at(key).integer(type) }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try at(key).read(type)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    KeyedDecodingContainer(KeyedReader<Nested>(entries: try KeyedEntries(at(key))))
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try UnkeyedReader(at(key))
  }

  func superDecoder() throws -> any Decoder {
    let input = try at(StateKey(stringValue: "super"))
    return ValueDecoder(input: input, start: input.place)
  }

  func superDecoder(forKey key: Key) throws -> any Decoder {
    let input = try at(key)
    return ValueDecoder(input: input, start: input.place)
  }
}

private struct UnkeyedReader: UnkeyedDecodingContainer {
  private let input: StateInput
  private let size: Int
  /// Offset at which the next element begins.
  private var place: Int
  private(set) var currentIndex = 0

  init(_ input: StateInput) throws {
    self.input = input
    size = try input.open(.unkeyed)
    place = input.place
  }

  var codingPath: [any CodingKey] { [] }
  var count: Int? { size }
  var isAtEnd: Bool { currentIndex >= size }

  private mutating func next<Value>(_ read: (StateInput) throws -> Value) throws -> Value {
    guard !isAtEnd else {
      throw DecodingError.valueNotFound(
        Value.self, .init(codingPath: [], debugDescription: "no more than \(size) elements"))
    }
    input.place = place
    let value = try read(input)
    place = input.place
    currentIndex += 1
    return value
  }

  mutating func decodeNil() throws -> Bool {
    guard !isAtEnd else { return false }
    input.place = place
    guard input.isNil() else { return false }
    place = input.place
    currentIndex += 1
    return true
  }

  mutating func decode(_ type: Bool.Type) throws -> Bool { try next { try $0.bool() } }
  mutating func decode(_ type: String.Type) throws -> String { try next { try $0.string() } }
  mutating func decode(_ type: Double.Type) throws -> Double { try next { try $0.number() } }
  mutating func decode(_ type: Float.Type) throws -> Float { try next { try $0.float() } }
  mutating func decode(_ type: Int.Type) throws -> Int { try next { try $0.integer(type) } }
  mutating func decode(_ type: Int8.Type) throws -> Int8 { try next { try $0.integer(type) } }
  mutating func decode(_ type: Int16.Type) throws -> Int16 { try next { try $0.integer(type) } }
  mutating func decode(_ type: Int32.Type) throws -> Int32 { try next { try $0.integer(type) } }
  mutating func decode(_ type: Int64.Type) throws -> Int64 { try next { try $0.integer(type) } }
  mutating func decode(_ type: UInt.Type) throws -> UInt { try next { try $0.integer(type) } }
  mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try next { try $0.integer(type) } }
  mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try next { try $0.integer(type) } }
  mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try next { try $0.integer(type) } }
  mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try next { try $0.integer(type) } }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try next { try $0.read(type) }
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> {
    KeyedDecodingContainer(KeyedReader<Nested>(entries: try next { try KeyedEntries($0) }))
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try next { input in
      let start = input.place
      let reader = try UnkeyedReader(input)
      input.place = start
      try input.skip()
      return reader
    }
  }

  mutating func superDecoder() throws -> any Decoder {
    try next { input in
      let start = input.place
      try input.skip()
      return ValueDecoder(input: input, start: start)
    }
  }
}

private struct SingleReader: SingleValueDecodingContainer {
  let input: StateInput

  var codingPath: [any CodingKey] { [] }

  func decodeNil() -> Bool { input.isNil() }
  func decode(_ type: Bool.Type) throws -> Bool { try input.bool() }
  func decode(_ type: String.Type) throws -> String { try input.string() }
  func decode(_ type: Double.Type) throws -> Double { try input.number() }
  func decode(_ type: Float.Type) throws -> Float { try input.float() }
  func decode(_ type: Int.Type) throws -> Int { try input.integer(type) }
  func decode(_ type: Int8.Type) throws -> Int8 { try input.integer(type) }
  func decode(_ type: Int16.Type) throws -> Int16 { try input.integer(type) }
  func decode(_ type: Int32.Type) throws -> Int32 { try input.integer(type) }
  func decode(_ type: Int64.Type) throws -> Int64 { try input.integer(type) }
  func decode(_ type: UInt.Type) throws -> UInt { try input.integer(type) }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try input.integer(type) }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try input.integer(type) }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try input.integer(type) }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try input.integer(type) }
  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try input.read(type) }
}
