/// Any MessagePack value, for headers and for tools without a schema.
///
/// A map keeps the order of its keys. Extensions are not supported: nothing here uses them.
public enum MessagePackValue: Hashable, Sendable {
  case null
  case bool(Bool)
  case int(Int64)
  /// Only for values that `int` cannot hold; a decoder returns smaller ones as `int`.
  case uint(UInt64)
  case double(Double)
  case string(String)
  case bytes([UInt8])
  case array([MessagePackValue])
  case map([Entry])

  /// One pair of a map.
  public struct Entry: Hashable, Sendable {
    public var key: String
    public var value: MessagePackValue

    public init(_ key: String, _ value: MessagePackValue) {
      self.key = key
      self.value = value
    }
  }

  /// Decodes one value that takes up all of `bytes`.
  public init(decoding bytes: [UInt8]) throws(DecodeError) {
    var reader = Unpacker(bytes)
    self = try Self(from: &reader)
    try reader.end()
  }

  public func encoded() -> [UInt8] {
    var packer = Packer()
    pack(into: &packer)
    return packer.bytes
  }

  /// The value of a key of a map; nil if there is none, or if this is not a map.
  public subscript(key: String) -> MessagePackValue? {
    guard case .map(let entries) = self else { return nil }
    return entries.first { $0.key == key }?.value
  }

  /// The value at an index of an array; nil if there is none, or if this is not an array.
  public subscript(index: Int) -> MessagePackValue? {
    guard case .array(let values) = self, values.indices.contains(index) else { return nil }
    return values[index]
  }

  public var string: String? {
    guard case .string(let value) = self else { return nil }
    return value
  }

  public var bool: Bool? {
    guard case .bool(let value) = self else { return nil }
    return value
  }

  /// An integer that fits into a signed 64-bit number.
  public var int: Int64? {
    switch self {
    case .int(let value): value
    case .uint(let value): Int64(exactly: value)
    default: nil
    }
  }

  /// An integer that is not negative.
  public var uint: UInt64? {
    switch self {
    case .int(let value): UInt64(exactly: value)
    case .uint(let value): value
    default: nil
    }
  }

  /// A number of either kind.
  public var double: Double? {
    switch self {
    case .double(let value): value
    case .int(let value): Double(value)
    case .uint(let value): Double(value)
    default: nil
    }
  }
}

extension MessagePackValue: Packable {
  public func pack(into packer: inout Packer) {
    switch self {
    case .null: packer.packNil()
    case .bool(let value): packer.pack(value)
    case .int(let value): packer.pack(value)
    case .uint(let value): packer.pack(value)
    case .double(let value): packer.pack(value)
    case .string(let value): packer.pack(value)
    case .bytes(let value): packer.pack(bytes: value)
    case .array(let values):
      packer.packArrayHeader(values.count)
      for value in values { value.pack(into: &packer) }
    case .map(let entries):
      packer.packMapHeader(entries.count)
      for entry in entries {
        packer.pack(entry.key)
        entry.value.pack(into: &packer)
      }
    }
  }

  public init(from reader: inout Unpacker) throws(DecodeError) {
    self = try reader.anyValue(depth: 0)
  }
}

extension Unpacker {
  fileprivate mutating func anyValue(depth: Int) throws(DecodeError) -> MessagePackValue {
    guard depth < Self.maximumDepth else {
      throw fault(.tooDeep, at: offset, "values are nested deeper than \(Self.maximumDepth)")
    }
    let byte = try peek()
    switch MessagePackKind(byte) {
    case .null:
      advance(1)
      return .null
    case .boolean: return .bool(try bool())
    case .integer:
      guard byte == 0xcf else { return .int(try int()) }
      let value = try uint()
      return Int64(exactly: value).map { .int($0) } ?? .uint(value)
    case .float: return .double(try anyDouble())
    case .string: return .string(try string())
    case .binary: return .bytes(try blob())
    case .array:
      var values: [MessagePackValue] = []
      for _ in 0..<(try arrayHeader()) { values.append(try anyValue(depth: depth + 1)) }
      return .array(values)
    case .map:
      var entries: [MessagePackValue.Entry] = []
      for _ in 0..<(try mapHeader()) {
        let key = try string()
        entries.append(.init(key, try anyValue(depth: depth + 1)))
      }
      return .map(entries)
    case .extended: throw fault(.wrongType, at: offset, "an extension type, which is not supported")
    case .reserved: throw fault(.invalidByte, at: offset, "0xc1 is not MessagePack")
    }
  }
}
