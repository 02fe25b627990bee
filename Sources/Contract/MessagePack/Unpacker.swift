/// Reads MessagePack values from bytes, checking each read against the remaining bytes.
///
/// A length alone never causes an allocation: one that exceeds the remaining bytes is rejected, and
/// lists grow as their values are read.
public struct Unpacker {
  public let bytes: [UInt8]
  /// Byte offset of the next value.
  public private(set) var offset = 0

  /// Whether a field unknown to its struct is an error; otherwise it is skipped.
  ///
  /// Costs nothing while all fields are known.
  public var refusesUnknownFields = false

  /// Maximum nesting depth of skipped values.
  public static let maximumDepth = 32

  public init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// True when all bytes are read.
  public var isAtEnd: Bool { offset == bytes.count }

  /// The first byte of the next value.
  func peek() throws(DecodeError) -> UInt8 {
    guard offset < bytes.count else {
      throw fault(.truncated, at: offset, "the bytes end where a value should begin")
    }
    return bytes[offset]
  }

  mutating func advance(_ count: Int) { offset += count }

  mutating func rewind(to place: Int) { offset = place }

  /// Reads the `count` bytes after the first as an integer, most significant first.
  func number(_ count: Int, after first: Int) throws(DecodeError) -> UInt64 {
    guard bytes.count - offset >= first + count else {
      throw fault(.truncated, at: offset, "the bytes end within a value")
    }
    var value: UInt64 = 0
    for index in offset + first..<offset + first + count {
      value = value << 8 | UInt64(bytes[index])
    }
    return value
  }

  /// True if the next value is nil; then advances past it.
  public mutating func consumeNil() -> Bool {
    guard offset < bytes.count, bytes[offset] == 0xc0 else { return false }
    offset += 1
    return true
  }

  public mutating func bool() throws(DecodeError) -> Bool {
    let byte = try peek()
    guard byte == 0xc2 || byte == 0xc3 else { throw wrongType("a boolean") }
    offset += 1
    return byte == 0xc3
  }

  /// Returns the bytes of a length-prefixed value as a range of `bytes`; advances past it.
  mutating func consume(header: Int, length: UInt64) throws(DecodeError) -> Range<Int> {
    let start = offset + header
    guard length <= UInt64(bytes.count - start) else {
      throw fault(
        .lengthOverflow, at: offset,
        "a length of \(length) where only \(bytes.count - start) bytes are left")
    }
    offset = start + Int(length)
    return start..<offset
  }

  /// Ends the reading.
  ///
  /// - Throws: `DecodeError` if bytes are left.
  public func end() throws(DecodeError) {
    guard isAtEnd else {
      throw fault(.trailingBytes, at: offset, "\(bytes.count - offset) bytes after the end")
    }
  }

  /// An error at `place`, with the path to it.
  public func fault(
    _ reason: DecodeError.Reason, at place: Int, field: StaticString? = nil, _ text: String
  ) -> DecodeError {
    var path = Self.path(to: place, in: bytes)
    if let field { path += path.isEmpty ? "\(field)" : ".\(field)" }
    let name = path.isEmpty ? "" : "\(path): "
    return DecodeError(
      reason: reason, path: path, byteOffset: place, message: "\(name)\(text) (byte \(place))")
  }

  func wrongType(_ expected: String) -> DecodeError {
    let found = offset < bytes.count ? MessagePackKind(bytes[offset]).name : "nothing"
    return fault(.wrongType, at: offset, "expected \(expected), found \(found)")
  }
}
