/// A file as a sequence of records, each read by its position.
final class RecordFile {
  let bytes: ByteFile
  let limits: BagLimits
  private lazy var opener = ZstandardOpener()

  /// A record's kind and the position of its content.
  struct Head: Hashable {
    var opcode: UInt8
    /// Byte offset of the record in the file.
    var offset: Int
    /// Size of the content in bytes.
    var count: Int

    var contentOffset: Int { offset + Format.recordHead }
    /// Byte offset in the file after the record.
    var end: Int { contentOffset + count }
  }

  init(path: String, limits: BagLimits) throws(BagError) {
    bytes = try ByteFile(path: path)
    self.limits = limits
  }

  var path: String { bytes.path }
  var size: Int { bytes.size }

  func failure(_ reason: BagError.Reason, at offset: Int) -> BagError {
    BagError(reason: reason, path: path, byteOffset: offset)
  }

  func checkMagic(at offset: Int) throws(BagError) {
    let found = try bytes.bytes(at: offset, count: Format.magic.count, field: "magic")
    guard found.elementsEqual(Format.magic) else { throw failure(.wrongMagic, at: offset) }
  }

  /// Reads the head of the record at `offset`; its length never exceeds the file.
  func head(at offset: Int) throws(BagError) -> Head {
    let content = try bytes.bytes(at: offset, count: Format.recordHead, field: "record")
    var fields = FieldReader(bytes: content, start: offset, path: path)
    let opcode = try fields.word("opcode", as: UInt8.self)
    let length = try fields.word("length", as: UInt64.self)
    guard let count = Int(exactly: length), count <= size - offset - Format.recordHead else {
      throw failure(.truncated(field: "record"), at: offset)
    }
    return Head(opcode: opcode, offset: offset, count: count)
  }

  /// Reads the head of a record in an index, which must have the length given there.
  func head(
    at offset: Int, _ opcode: UInt8, length: Int? = nil, field: String
  ) throws(BagError) -> Head {
    guard offset >= Format.magic.count, offset < size else {
      throw failure(
        .invalid(field: "\(field), which points to byte \(offset),"), at: min(offset, size))
    }
    let head = try head(at: offset)
    guard head.opcode == opcode else {
      throw failure(.unexpectedRecord(opcode: head.opcode), at: offset)
    }
    guard length == nil || length == head.end - offset else {
      throw failure(.invalid(field: field), at: offset)
    }
    return head
  }

  func fields(_ head: Head) throws(BagError) -> FieldReader {
    guard head.count <= limits.recordBytes else {
      throw failure(
        .tooLarge(field: "record", bytes: UInt64(head.count), limit: limits.recordBytes),
        at: head.offset)
    }
    let content = try bytes.bytes(at: head.contentOffset, count: head.count, field: "record")
    return FieldReader(bytes: content, start: head.contentOffset, path: path)
  }

  /// Reads a chunk's head, and its records, decompressed and verified against their checksum.
  func chunk(_ head: Head) throws(BagError) -> (head: ChunkHead, records: [UInt8]) {
    var fields = try fields(head)
    let chunk = try ChunkHead(&fields)
    guard let size = Int(exactly: chunk.uncompressedSize), size <= limits.chunkBytes else {
      throw failure(
        .tooLarge(
          field: "uncompressed_size", bytes: chunk.uncompressedSize, limit: limits.chunkBytes),
        at: head.offset)
    }
    let packed = try fields.consume(chunk.compressedSize, "records")
    let records: [UInt8]
    switch chunk.compression {
    case "":
      guard packed.count == size else {
        throw failure(.invalid(field: "uncompressed_size"), at: head.offset)
      }
      records = Array(packed)
    case "zstd":
      do {
        records = try opener.open(packed, size: size)
      } catch {
        throw failure(.badCompression(error.text), at: head.offset)
      }
    default:
      throw failure(.unknownCompression(chunk.compression), at: head.offset)
    }
    guard chunk.checksum == 0 || chunk.checksum == Checksum.of(records).value else {
      throw failure(.wrongChecksum(part: "chunk"), at: head.offset)
    }
    return (chunk, records)
  }
}

/// The records of one chunk, after decompression.
struct ChunkRecords {
  let records: [UInt8]
  /// Byte offset of the chunk in the file.
  let chunk: Int
  let path: String
  private(set) var offset = 0

  init(_ records: [UInt8], chunk: Int, path: String) {
    self.records = records
    self.chunk = chunk
    self.path = path
  }

  func failure(_ reason: BagError.Reason, at offset: Int) -> BagError {
    BagError(reason: reason, path: path, byteOffset: chunk, byteInChunk: offset)
  }

  /// Returns the next record, or nil at the chunk's end.
  mutating func next() throws(BagError) -> (opcode: UInt8, offset: Int, fields: FieldReader)? {
    guard offset < records.count else { return nil }
    let start = offset
    let (opcode, fields) = try record(at: start)
    offset = fields.start + fields.left
    return (opcode, start, fields)
  }

  /// Returns the record at a position within the chunk.
  func record(at offset: Int) throws(BagError) -> (opcode: UInt8, fields: FieldReader) {
    guard offset >= 0, offset <= records.count - Format.recordHead else {
      throw failure(.truncated(field: "record"), at: offset)
    }
    var head = FieldReader(
      bytes: records[offset..<offset + Format.recordHead], start: offset, chunk: chunk, path: path)
    let opcode = try head.word("opcode", as: UInt8.self)
    let length = try head.word("length", as: UInt64.self)
    let start = offset + Format.recordHead
    guard let count = Int(exactly: length), count <= records.count - start else {
      throw failure(.truncated(field: "record"), at: offset)
    }
    return (
      opcode,
      FieldReader(bytes: records[start..<start + count], start: start, chunk: chunk, path: path)
    )
  }
}
