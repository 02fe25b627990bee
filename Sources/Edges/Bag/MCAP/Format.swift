/// Constants of the MCAP format: https://mcap.dev/spec.
enum Format {
  static let magic: [UInt8] = [0x89, 0x4D, 0x43, 0x41, 0x50, 0x30, 0x0D, 0x0A]
  /// Size of opcode and length.
  static let recordHead = 9
  static let footerContent = 20
  static let bufferSize = 1 << 16

  enum Opcode {
    static let header: UInt8 = 0x01
    static let footer: UInt8 = 0x02
    static let schema: UInt8 = 0x03
    static let channel: UInt8 = 0x04
    static let message: UInt8 = 0x05
    static let chunk: UInt8 = 0x06
    static let messageIndex: UInt8 = 0x07
    static let chunkIndex: UInt8 = 0x08
    static let attachment: UInt8 = 0x09
    static let attachmentIndex: UInt8 = 0x0A
    static let statistics: UInt8 = 0x0B
    static let metadata: UInt8 = 0x0C
    static let metadataIndex: UInt8 = 0x0D
    static let summaryOffset: UInt8 = 0x0E
    static let dataEnd: UInt8 = 0x0F
  }
}

/// Encodes records: little-endian numbers, and strings preceded by a 32-bit length.
struct RecordBytes {
  private(set) var bytes: [UInt8] = []

  var count: Int { bytes.count }

  mutating func append<Word: FixedWidthInteger>(_ word: Word) {
    withUnsafeBytes(of: word.littleEndian) { bytes.append(contentsOf: $0) }
  }

  mutating func append(_ text: String) { append(sized: Array(text.utf8)) }

  mutating func append(sized data: [UInt8]) {
    append(UInt32(data.count))
    append(raw: data)
  }

  mutating func append(raw data: [UInt8]) {
    data.withUnsafeBytes { bytes.append(contentsOf: $0) }
  }

  /// Appends pairs sorted by key, so that equal maps give equal bytes.
  mutating func append(_ map: [String: String]) {
    var pairs = RecordBytes()
    for (key, value) in map.sorted(by: { $0.key < $1.key }) {
      pairs.append(key)
      pairs.append(value)
    }
    append(sized: pairs.bytes)
  }

  mutating func append(record opcode: UInt8, _ content: RecordBytes) {
    append(opcode)
    append(UInt64(content.bytes.count))
    append(raw: content.bytes)
  }

  mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }
}
