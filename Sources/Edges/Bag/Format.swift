/// The bytes of MCAP that this room knows: https://mcap.dev/spec.
enum Format {
  static let magic: [UInt8] = [0x89, 0x4D, 0x43, 0x41, 0x50, 0x30, 0x0D, 0x0A]
  /// Opcode and length.
  static let recordHead = 9
  static let bufferSize = 1 << 16

  enum Opcode {
    static let header: UInt8 = 0x01
    static let footer: UInt8 = 0x02
    static let schema: UInt8 = 0x03
    static let channel: UInt8 = 0x04
    static let message: UInt8 = 0x05
    static let chunk: UInt8 = 0x06
    static let dataEnd: UInt8 = 0x0F
  }
}

/// Record contents in the making: little-endian words, strings with a length of 32 bits before them.
struct RecordBytes {
  private(set) var bytes: [UInt8] = []

  mutating func append<Word: FixedWidthInteger>(_ word: Word) {
    withUnsafeBytes(of: word.littleEndian) { bytes.append(contentsOf: $0) }
  }

  mutating func append(_ text: String) { append(sized: Array(text.utf8)) }

  mutating func append(sized data: [UInt8]) {
    append(UInt32(data.count))
    append(raw: data)
  }

  mutating func append(raw data: [UInt8]) { bytes.append(contentsOf: data) }

  mutating func append(record opcode: UInt8, _ content: RecordBytes) {
    append(opcode)
    append(UInt64(content.bytes.count))
    append(raw: content.bytes)
  }

  mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }
}

/// Reads the fields of one record; never past its end.
struct FieldReader {
  let bytes: ArraySlice<UInt8>
  /// The file's byte at which the record's content begins.
  let start: Int
  let path: String
  private var used = 0

  init(bytes: ArraySlice<UInt8>, start: Int, path: String) {
    self.bytes = bytes
    self.start = start
    self.path = path
  }

  var byteOffset: Int { start + used }

  func failure(_ reason: BagError.Reason) -> BagError {
    BagError(reason: reason, path: path, byteOffset: byteOffset)
  }

  mutating func take(_ count: Int, _ field: String) throws(BagError) -> ArraySlice<UInt8> {
    guard count <= bytes.count - used else { throw failure(.truncated(field: field)) }
    let first = bytes.startIndex + used
    used += count
    return bytes[first..<first + count]
  }

  mutating func word<Word: FixedWidthInteger & UnsignedInteger>(
    _ field: String, as type: Word.Type = Word.self
  ) throws(BagError) -> Word {
    var value: Word = 0
    for byte in try take(Word.bitWidth / 8, field).reversed() {
      value = (Word.bitWidth > 8 ? value << 8 : 0) | Word(byte)
    }
    return value
  }

  mutating func text(_ field: String) throws(BagError) -> String {
    let count = Int(try word(field, as: UInt32.self))
    let at = byteOffset
    guard let text = String(validating: try take(count, field), as: UTF8.self) else {
      throw BagError(reason: .invalid(field: field), path: path, byteOffset: at)
    }
    return text
  }

  mutating func map(_ field: String) throws(BagError) -> [String: String] {
    let count = Int(try word(field, as: UInt32.self))
    var inner = FieldReader(bytes: try take(count, field), start: byteOffset - count, path: path)
    var pairs: [String: String] = [:]
    while inner.used < count {
      let key = try inner.text(field)
      pairs[key] = try inner.text(field)
    }
    return pairs
  }

  /// A time in ns, which MCAP has without a sign.
  mutating func timeNS(_ field: String) throws(BagError) -> Int64 {
    let at = byteOffset
    guard let time = Int64(exactly: try word(field, as: UInt64.self)) else {
      throw BagError(reason: .outOfRange(field: field), path: path, byteOffset: at)
    }
    return time
  }

  mutating func rest() -> [UInt8] {
    defer { used = bytes.count }
    return Array(bytes.dropFirst(used))
  }
}
