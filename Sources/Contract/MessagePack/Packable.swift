/// A value with one MessagePack encoding.
public protocol Packable {
  func pack(into packer: inout Packer)
  /// Reads the value at the reader's position.
  init(from reader: inout Unpacker) throws(DecodeError)
}

extension Bool: Packable {
  public func pack(into packer: inout Packer) { packer.pack(self) }
  public init(from reader: inout Unpacker) throws(DecodeError) { self = try reader.bool() }
}

extension Int64: Packable {
  public func pack(into packer: inout Packer) { packer.pack(self) }
  public init(from reader: inout Unpacker) throws(DecodeError) { self = try reader.int() }
}

extension UInt64: Packable {
  public func pack(into packer: inout Packer) { packer.pack(self) }
  public init(from reader: inout Unpacker) throws(DecodeError) { self = try reader.uint() }
}

extension Double: Packable {
  public func pack(into packer: inout Packer) { packer.pack(self) }
  public init(from reader: inout Unpacker) throws(DecodeError) { self = try reader.double() }
}

extension String: Packable {
  public func pack(into packer: inout Packer) { packer.pack(self) }
  public init(from reader: inout Unpacker) throws(DecodeError) { self = try reader.string() }
}

/// A closed or open set of words, one of which is sent as a string.
public protocol PackableWord: Packable, RawRepresentable, CaseIterable where RawValue == String {
  /// The value for an unknown word; nil if unknown words are rejected.
  static var fallback: Self? { get }
}

extension PackableWord {
  public static var fallback: Self? { nil }

  public func pack(into packer: inout Packer) { packer.pack(rawValue) }

  public init(from reader: inout Unpacker) throws(DecodeError) {
    let start = reader.offset
    let word = try reader.string()
    if let value = Self(rawValue: word) ?? Self.fallback {
      self = value
      return
    }
    let words = Self.allCases.map(\.rawValue)
    let nearest = word.utf8.count <= 64 ? Suggestion.nearest(to: word, among: words) : nil
    let hint = nearest.map { "; did you mean \"\($0)\"?" } ?? ""
    throw reader.fault(
      .unknownWord, at: start,
      "\"\(word)\" is not one of \(words.joined(separator: ", "))\(hint)")
  }
}

extension Packer {
  /// Writes one entry of a map.
  public mutating func field(_ map: inout OpenMap, _ key: StaticString, _ value: some Packable) {
    map.count += 1
    pack(key)
    value.pack(into: &self)
  }

  /// Writes one entry of a map, or nothing for a value that is absent.
  public mutating func field(_ map: inout OpenMap, _ key: StaticString, _ value: (some Packable)?) {
    guard let value else { return }
    field(&map, key, value)
  }

  /// Writes one entry of a map whose value is a list.
  public mutating func field(_ map: inout OpenMap, _ key: StaticString, _ list: [some Packable]) {
    map.count += 1
    pack(key)
    packArrayHeader(list.count)
    for value in list { value.pack(into: &self) }
  }

  /// Writes one entry of a map whose value is a list with gaps.
  public mutating func field<T: Packable>(
    _ map: inout OpenMap, _ key: StaticString, _ list: [T?]
  ) {
    map.count += 1
    pack(key)
    packArrayHeader(list.count)
    for value in list {
      if let value { value.pack(into: &self) } else { packNil() }
    }
  }

  /// Writes one entry of a map whose value is a map by name, sorted by name.
  public mutating func field<T: Packable>(
    _ map: inout OpenMap, _ key: StaticString, _ named: [String: T]
  ) {
    map.count += 1
    pack(key)
    packMapHeader(named.count)
    for (name, value) in named.sorted(by: { $0.key < $1.key }) {
      pack(name)
      value.pack(into: &self)
    }
  }

  /// Writes one entry of a map whose value is a byte string.
  public mutating func field(_ map: inout OpenMap, _ key: StaticString, bytes: [UInt8]) {
    map.count += 1
    pack(key)
    pack(bytes: bytes)
  }

  /// Writes one entry of a map whose value is a byte string, or nothing if it is absent.
  public mutating func field(_ map: inout OpenMap, _ key: StaticString, bytes: [UInt8]?) {
    guard let bytes else { return }
    field(&map, key, bytes: bytes)
  }

  /// Writes one entry of a map whose value is a column of integers, packed.
  public mutating func field(_ map: inout OpenMap, _ key: StaticString, packed: [Int64]) {
    field(&map, key, bytes: PackedColumn.encode(packed))
  }
}
