/// Reads the fields of one record, never past its end.
struct FieldReader {
  let bytes: ArraySlice<UInt8>
  /// The offset at which the content starts, in the file or in the chunk.
  let start: Int
  /// Byte offset of the chunk that contains the record; nil outside of chunks.
  let chunk: Int?
  let path: String
  private var used = 0

  init(bytes: ArraySlice<UInt8>, start: Int, chunk: Int? = nil, path: String) {
    self.bytes = bytes
    self.start = start
    self.chunk = chunk
    self.path = path
  }

  var byteOffset: Int { start + used }
  var isAtEnd: Bool { used == bytes.count }
  var left: Int { bytes.count - used }

  /// Returns an error at the current position, or `back` bytes before it.
  func failure(_ reason: BagError.Reason, back: Int = 0) -> BagError {
    let place = byteOffset - back
    return BagError(
      reason: reason, path: path, byteOffset: chunk ?? place,
      byteInChunk: chunk == nil ? nil : place)
  }

  mutating func consume(_ count: Int, _ field: String) throws(BagError) -> ArraySlice<UInt8> {
    guard count <= bytes.count - used else { throw failure(.truncated(field: field)) }
    let first = bytes.startIndex + used
    used += count
    return bytes[first..<first + count]
  }

  mutating func word<Word: FixedWidthInteger & UnsignedInteger>(
    _ field: String, as type: Word.Type = Word.self
  ) throws(BagError) -> Word {
    let size = MemoryLayout<Word>.size
    guard size <= bytes.count - used else { throw failure(.truncated(field: field)) }
    let at = used
    used += size
    return bytes.withUnsafeBytes {
      Word(littleEndian: $0.loadUnaligned(fromByteOffset: at, as: Word.self))
    }
  }

  /// Reads an offset or length in the file; values above the maximum file size are rejected.
  mutating func size(_ field: String) throws(BagError) -> Int {
    let value = try word(field, as: UInt64.self)
    guard let size = Int(exactly: value) else { throw failure(.invalid(field: field), back: 8) }
    return size
  }

  mutating func text(_ field: String) throws(BagError) -> String {
    let count = Int(try word(field, as: UInt32.self))
    guard let text = String(validating: try consume(count, field), as: UTF8.self) else {
      throw failure(.invalid(field: field), back: count)
    }
    return text
  }

  mutating func map(_ field: String) throws(BagError) -> [String: String] {
    var inner = try part(field)
    var pairs: [String: String] = [:]
    while !inner.isAtEnd {
      let key = try inner.text(field)
      pairs[key] = try inner.text(field)
    }
    return pairs
  }

  /// Reads a part that is preceded by its 32-bit length.
  mutating func part(_ field: String) throws(BagError) -> FieldReader {
    let count = Int(try word(field, as: UInt32.self))
    return FieldReader(
      bytes: try consume(count, field), start: byteOffset - count, chunk: chunk, path: path)
  }

  mutating func rest() -> [UInt8] {
    defer { used = bytes.count }
    return Array(bytes.dropFirst(used))
  }
}
