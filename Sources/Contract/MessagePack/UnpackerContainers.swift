extension Unpacker {
  /// Reads a string, which must be UTF-8.
  public mutating func string() throws(DecodeError) -> String {
    let start = offset
    let range = try text()
    guard let value = String(validating: bytes[range], as: UTF8.self) else {
      throw fault(.invalidText, at: start, "a string that is not UTF-8")
    }
    return value
  }

  /// Reads a byte string (`bin`).
  public mutating func blob() throws(DecodeError) -> [UInt8] { Array(bytes[try blobRange()]) }

  /// Reads a column of integers in the encoding of `PackedColumn`.
  public mutating func packed() throws(DecodeError) -> [Int64] {
    let start = offset
    guard let values = PackedColumn.decode(bytes[try blobRange()]) else {
      throw fault(.wrongType, at: start, "a packed column that is broken")
    }
    return values
  }

  /// Reads the header of an array: the number of values that follow.
  public mutating func arrayHeader() throws(DecodeError) -> Int {
    let byte = try peek()
    let header: Int
    let count: UInt64
    switch byte {
    case 0x90...0x9f: (header, count) = (1, UInt64(byte & 0x0f))
    case 0xdc: (header, count) = (3, try number(2, after: 1))
    case 0xdd: (header, count) = (5, try number(4, after: 1))
    default: throw wrongType("a list")
    }
    return try checked(count, header, perItem: 1)
  }

  /// Reads the header of a map: the number of pairs of key and value that follow.
  public mutating func mapHeader() throws(DecodeError) -> Int {
    let byte = try peek()
    let header: Int
    let count: UInt64
    switch byte {
    case 0x80...0x8f: (header, count) = (1, UInt64(byte & 0x0f))
    case 0xde: (header, count) = (3, try number(2, after: 1))
    case 0xdf: (header, count) = (5, try number(4, after: 1))
    default: throw wrongType("a map")
    }
    return try checked(count, header, perItem: 2)
  }

  /// Reads the next key of a map as its index in `keys`; nil for an unknown key.
  ///
  /// `guess` is the index that is tried first: keys usually have the order of their table.
  public mutating func key(
    in keys: [StaticString], guess: Int
  ) throws(DecodeError) -> Int? {
    let range = try text()
    if guess < keys.count, matches(keys[guess], range) { return guess }
    return keys.firstIndex { matches($0, range) }
  }

  /// Skips the next value, whatever its type.
  public mutating func skip() throws(DecodeError) {
    // Number of values to skip at each level; an explicit stack, so that no input overflows the
    // call stack.
    var open = [1]
    while let left = open.last {
      if left == 0 {
        open.removeLast()
        continue
      }
      open[open.count - 1] = left - 1
      let inner = try skipHead()
      guard inner > 0 else { continue }
      guard open.count < Self.maximumDepth else {
        throw fault(.tooDeep, at: offset, "values are nested deeper than \(Self.maximumDepth)")
      }
      open.append(inner)
    }
  }

  /// Skips a value without the values in it; returns how many these are.
  mutating func skipHead() throws(DecodeError) -> Int {
    let byte = try peek()
    switch MessagePackKind(byte) {
    case .map: return try mapHeader() * 2
    case .array: return try arrayHeader()
    case .string: _ = try text()
    case .binary: _ = try blobRange()
    case .extended: try skipExtended(byte)
    case .reserved: throw fault(.invalidByte, at: offset, "0xc1 is not MessagePack")
    case .null, .boolean: advance(1)
    case .integer: if byte == 0xcf { _ = try uint() } else { _ = try int() }
    case .float:
      let width = byte == 0xca ? 4 : 8
      _ = try number(width, after: 1)
      advance(1 + width)
    }
    return 0
  }

  private mutating func skipExtended(_ byte: UInt8) throws(DecodeError) {
    if byte >= 0xd4 {
      _ = try consume(header: 2, length: try boundedHeader(2, length: 1 << UInt64(byte - 0xd4)))
    } else {
      let width = 1 << Int(byte - 0xc7)
      let length = try number(width, after: 1)
      _ = try consume(header: 2 + width, length: try boundedHeader(2 + width, length: length))
    }
  }

  /// Returns `length` if at least the `header` bytes are available.
  private func boundedHeader(_ header: Int, length: UInt64) throws(DecodeError) -> UInt64 {
    guard bytes.count - offset >= header else {
      throw fault(.truncated, at: offset, "the bytes end within a value")
    }
    return length
  }

  mutating func text() throws(DecodeError) -> Range<Int> {
    let byte = try peek()
    switch byte {
    case 0xa0...0xbf: return try consume(header: 1, length: UInt64(byte & 0x1f))
    case 0xd9: return try consume(header: 2, length: try number(1, after: 1))
    case 0xda: return try consume(header: 3, length: try number(2, after: 1))
    case 0xdb: return try consume(header: 5, length: try number(4, after: 1))
    default: throw wrongType("a string")
    }
  }

  mutating func blobRange() throws(DecodeError) -> Range<Int> {
    switch try peek() {
    case 0xc4: return try consume(header: 2, length: try number(1, after: 1))
    case 0xc5: return try consume(header: 3, length: try number(2, after: 1))
    case 0xc6: return try consume(header: 5, length: try number(4, after: 1))
    default: throw wrongType("bytes")
    }
  }

  private mutating func checked(
    _ count: UInt64, _ header: Int, perItem: UInt64
  ) throws(DecodeError) -> Int {
    let left = bytes.count - offset - header
    guard count * perItem <= UInt64(left) else {
      throw fault(
        .lengthOverflow, at: offset, "\(count) values where only \(left) bytes are left")
    }
    advance(header)
    return Int(count)
  }

  private func matches(_ key: StaticString, _ range: Range<Int>) -> Bool {
    let count = key.utf8CodeUnitCount
    guard count == range.count else { return false }
    let start = key.utf8Start
    for index in 0..<count where start[index] != bytes[range.lowerBound + index] { return false }
    return true
  }
}
