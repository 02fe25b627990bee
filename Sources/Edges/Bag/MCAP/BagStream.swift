/// Reads an MCAP file from its start, in the order of the file; needs no summary.
///
/// The file of a killed writer is read up to its last complete chunk; then `next()` throws an error
/// with the byte offset and the reason. One chunk is held in memory, never the whole file, and each
/// chunk is verified against its checksum. Unknown records are skipped. After an error, each
/// further `next()` throws the same error.
public final class BagStream {
  public enum Item: Hashable, Sendable {
    case schema(BagSchema)
    case channel(BagChannel)
    case message(BagMessage)
    case attachment(BagAttachment)
    case metadata(BagMetadata)
  }

  let file: RecordFile
  public let header: BagHeader
  /// The schemas read so far.
  public private(set) var schemas: [UInt16: BagSchema] = [:]
  public private(set) var channels: [UInt16: BagChannel] = [:]
  /// Byte offset in the file up to which everything has been read.
  public private(set) var position: Int
  private let isSalvaging: Bool
  private var chunk: ChunkRecords?
  private var isDataOver = false
  private var isOver = false
  private var failed: BagError?

  /// Opens the file and reads its header.
  public init(path: String, limits: BagLimits = BagLimits()) throws(BagError) {
    file = try RecordFile(path: path, limits: limits)
    try file.checkMagic(at: 0)
    let head = try file.head(at: Format.magic.count)
    guard head.opcode == Format.Opcode.header else {
      throw file.failure(.unexpectedRecord(opcode: head.opcode), at: head.offset)
    }
    var fields = try file.fields(head)
    header = try BagHeader(&fields)
    position = head.end
    isSalvaging = false
  }

  /// Continues in an open file, at a position where a record is expected.
  ///
  /// Does not check whether referenced schemas and channels occurred before.
  init(salvaging file: RecordFile, header: BagHeader, at position: Int) {
    self.file = file
    self.header = header
    self.position = position
    isSalvaging = true
  }

  /// Returns the next item, or nil once the whole file, including its closing bytes, has been read.
  public func next() throws(BagError) -> Item? {
    if let failed { throw failed }
    do throws(BagError) {
      while !isOver {
        if let item = try step() { return item }
      }
      return nil
    } catch {
      failed = error
      throw error
    }
  }

  /// Returns the next message, skipping everything else.
  public func nextMessage() throws(BagError) -> BagMessage? {
    while let item = try next() {
      if case .message(let message) = item { return message }
    }
    return nil
  }

  /// Continues at another position of the data section, where a record is expected.
  func resume(at offset: Int) {
    position = offset
    chunk = nil
    isDataOver = false
    failed = nil
  }

  private func step() throws(BagError) -> Item? {
    if chunk != nil {
      // Moved out, so that its bytes are not copied when it advances.
      guard let record = try chunk?.next() else {
        position = try file.head(at: position).end
        chunk = nil
        return nil
      }
      switch record.opcode {
      case Format.Opcode.schema, Format.Opcode.channel, Format.Opcode.message:
        return try item(record.opcode, record.fields)
      case 0, Format.Opcode.header...Format.Opcode.dataEnd:
        throw record.fields.failure(
          .unexpectedRecord(opcode: record.opcode), back: Format.recordHead)
      default:
        return nil
      }
    }
    let head = try file.head(at: position)
    let misplaced = file.failure(.unexpectedRecord(opcode: head.opcode), at: head.offset)
    switch head.opcode {
    case Format.Opcode.schema, Format.Opcode.channel:
      defer { position = head.end }
      let item = try item(head.opcode, file.fields(head))
      return isDataOver ? nil : item
    case Format.Opcode.message, Format.Opcode.attachment, Format.Opcode.metadata:
      guard !isDataOver else { throw misplaced }
      let item = try item(head.opcode, file.fields(head))
      position = head.end
      return item
    case Format.Opcode.chunk:
      guard !isDataOver else { throw misplaced }
      chunk = ChunkRecords(try file.chunk(head).records, chunk: head.offset, path: file.path)
      return nil
    case Format.Opcode.dataEnd:
      guard !isDataOver else { throw misplaced }
      var fields = try file.fields(head)
      _ = try fields.word("data_section_crc", as: UInt32.self)
      isDataOver = true
    case Format.Opcode.footer:
      guard isDataOver else { throw misplaced }
      var fields = try file.fields(head)
      _ = try Footer(&fields)
      try file.checkMagic(at: head.end)
      guard head.end + Format.magic.count == file.size else {
        throw file.failure(.invalid(field: "end of file"), at: head.end + Format.magic.count)
      }
      isOver = true
    case 0, Format.Opcode.header:
      throw misplaced
    default:
      break
    }
    position = head.end
    return nil
  }

  private func item(_ opcode: UInt8, _ content: FieldReader) throws(BagError) -> Item? {
    var fields = content
    switch opcode {
    case Format.Opcode.schema:
      let schema = try BagSchema(&fields)
      guard isSalvaging || schemas[schema.id] == nil || schemas[schema.id] == schema else {
        throw content.failure(.invalid(field: "schema_id"))
      }
      schemas[schema.id] = schema
      return .schema(schema)
    case Format.Opcode.channel:
      let channel = try BagChannel(&fields)
      guard isSalvaging || channel.schemaID == 0 || schemas[channel.schemaID] != nil else {
        throw content.failure(.invalid(field: "schema_id"))
      }
      guard isSalvaging || channels[channel.id] == nil || channels[channel.id] == channel else {
        throw content.failure(.invalid(field: "channel_id"))
      }
      channels[channel.id] = channel
      return .channel(channel)
    case Format.Opcode.message:
      let message = try BagMessage(&fields)
      guard isSalvaging || channels[message.channelID] != nil else {
        throw content.failure(.invalid(field: "channel_id"))
      }
      return .message(message)
    case Format.Opcode.attachment:
      return .attachment(try BagAttachment(&fields))
    default:
      return .metadata(try BagMetadata(&fields))
    }
  }
}
