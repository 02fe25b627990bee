/// Reads the messages of an unchunked MCAP file one after the other, in the order of the file.
///
/// Records that it does not know are skipped. It holds one record and a buffer, never the whole file. After an
/// error each further `next()` gives the same error.
public final class BagReader {
  private struct Channel: Hashable {
    var topic: String
    var source: String
    var schemaName: String
  }

  private let file: ByteFile
  private var offset: Int
  private var schemas: [UInt16: String] = [:]
  private var channels: [UInt16: Channel] = [:]
  private var isDataOver = false
  private var isOver = false
  private var failed: BagError?

  /// The profile that the file's header names; "nav" in those of `BagWriter`.
  public let profile: String

  /// Opens the file and reads its header.
  public init(path: String) throws(BagError) {
    file = try ByteFile(path: path)
    try Self.checkMagic(file, at: 0)
    let start = Format.magic.count
    let head = try Self.head(file, at: start)
    guard head.opcode == Format.Opcode.header else {
      throw BagError(
        reason: .unexpectedRecord(opcode: head.opcode), path: path, byteOffset: start)
    }
    var fields = try Self.fields(file, at: start, count: head.count)
    profile = try fields.text("profile")
    _ = try fields.text("library")
    offset = start + Format.recordHead + head.count
  }

  /// Gives all messages of a whole file; an error anywhere gives none.
  public static func messages(path: String) throws(BagError) -> [BagMessage] {
    let reader = try BagReader(path: path)
    var messages: [BagMessage] = []
    while let message = try reader.next() { messages.append(message) }
    return messages
  }

  /// Gives the next message, or nil once the whole file, to its closing bytes, has been read.
  public func next() throws(BagError) -> BagMessage? {
    if let failed { throw failed }
    do throws(BagError) {
      while !isOver {
        if let message = try record() { return message }
      }
      return nil
    } catch {
      failed = error
      throw error
    }
  }

  private func record() throws(BagError) -> BagMessage? {
    let start = offset
    let head = try Self.head(file, at: start)
    offset = start + Format.recordHead + head.count
    let misplaced = BagError(
      reason: .unexpectedRecord(opcode: head.opcode), path: file.path, byteOffset: start)
    switch head.opcode {
    case Format.Opcode.schema:
      try schema(Self.fields(file, at: start, count: head.count))
    case Format.Opcode.channel:
      try channel(Self.fields(file, at: start, count: head.count))
    case Format.Opcode.message:
      guard !isDataOver else { throw misplaced }
      return try message(Self.fields(file, at: start, count: head.count))
    case Format.Opcode.chunk:
      throw BagError(reason: .chunked, path: file.path, byteOffset: start)
    case Format.Opcode.dataEnd:
      guard !isDataOver else { throw misplaced }
      var fields = try Self.fields(file, at: start, count: head.count)
      _ = try fields.word("data_section_crc", as: UInt32.self)
      isDataOver = true
    case Format.Opcode.footer:
      guard isDataOver else { throw misplaced }
      var fields = try Self.fields(file, at: start, count: head.count)
      _ = try fields.take(20, "footer")
      try end()
    case 0, Format.Opcode.header:
      throw misplaced
    default:
      break
    }
    return nil
  }

  private func schema(_ content: FieldReader) throws(BagError) {
    var fields = content
    let id = try fields.word("schema_id", as: UInt16.self)
    let name = try fields.text("schema_name")
    _ = try fields.text("schema_encoding")
    let count = Int(try fields.word("schema_data", as: UInt32.self))
    _ = try fields.take(count, "schema_data")
    guard id != 0, schemas[id] == nil || schemas[id] == name else {
      throw content.failure(.invalid(field: "schema_id"))
    }
    schemas[id] = name
  }

  private func channel(_ content: FieldReader) throws(BagError) {
    var fields = content
    let id = try fields.word("channel_id", as: UInt16.self)
    let schemaPlace = fields
    let schemaID = try fields.word("schema_id", as: UInt16.self)
    let topic = try fields.text("topic")
    _ = try fields.text("message_encoding")
    let metadata = try fields.map("metadata")
    guard let schemaName = schemaID == 0 ? "" : schemas[schemaID] else {
      throw schemaPlace.failure(.invalid(field: "schema_id"))
    }
    let channel = Channel(topic: topic, source: metadata["source"] ?? "", schemaName: schemaName)
    guard channels[id] == nil || channels[id] == channel else {
      throw content.failure(.invalid(field: "channel_id"))
    }
    channels[id] = channel
  }

  private func message(_ content: FieldReader) throws(BagError) -> BagMessage {
    var fields = content
    guard let channel = channels[try fields.word("channel_id", as: UInt16.self)] else {
      throw content.failure(.invalid(field: "channel_id"))
    }
    let sequence = UInt64(try fields.word("sequence", as: UInt32.self))
    let logTimeNS = try fields.timeNS("log_time")
    let publishTimeNS = try fields.timeNS("publish_time")
    return BagMessage(
      topic: channel.topic, source: channel.source, schemaName: channel.schemaName,
      sequence: sequence, logTimeNS: logTimeNS, publishTimeNS: publishTimeNS,
      payload: fields.rest())
  }

  private func end() throws(BagError) {
    try Self.checkMagic(file, at: offset)
    offset += Format.magic.count
    guard offset == file.size else {
      throw BagError(
        reason: .invalid(field: "end of file"), path: file.path, byteOffset: offset)
    }
    isOver = true
  }

  private static func checkMagic(_ file: ByteFile, at offset: Int) throws(BagError) {
    let bytes = try file.bytes(at: offset, count: Format.magic.count, field: "magic")
    guard bytes.elementsEqual(Format.magic) else {
      throw BagError(reason: .wrongMagic, path: file.path, byteOffset: offset)
    }
  }

  /// Reads opcode and length; the length is never more than the file has.
  private static func head(
    _ file: ByteFile, at offset: Int
  ) throws(BagError) -> (opcode: UInt8, count: Int) {
    let bytes = try file.bytes(at: offset, count: Format.recordHead, field: "record")
    var fields = FieldReader(bytes: bytes, start: offset, path: file.path)
    let opcode = try fields.word("opcode", as: UInt8.self)
    let length = try fields.word("length", as: UInt64.self)
    guard let count = Int(exactly: length), count <= file.size - offset - Format.recordHead else {
      throw BagError(
        reason: .truncated(field: "record"), path: file.path, byteOffset: offset)
    }
    return (opcode, count)
  }

  private static func fields(
    _ file: ByteFile, at offset: Int, count: Int
  ) throws(BagError) -> FieldReader {
    let start = offset + Format.recordHead
    let bytes = try file.bytes(at: start, count: count, field: "record")
    return FieldReader(bytes: bytes, start: start, path: file.path)
  }
}
