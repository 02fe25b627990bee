/// Writes an MCAP file: chunks with their indexes as messages arrive, and a summary at the end.
///
/// It writes to `<path>.part`; `close()` renames that to `path` and replaces an existing file. An
/// existing part is never overwritten: opening fails. Each chunk is handed to the system as soon as
/// it is full. The file of a killed writer can therefore be read up to its last complete chunk.
public final class BagWriter {
  public enum Compression: Hashable, Sendable {
    case none
    /// Level 1 is fast, 3 is the default of zstd, 19 is slow.
    case zstd(level: Int)
  }

  public struct Options: Hashable, Sendable {
    public var profile: String
    public var library: String
    public var compression: Compression
    /// Size of the records, before compression, at which a chunk is closed, in bytes.
    public var chunkBytes: Int
    /// A message that is later than the chunk's first by this time starts the next chunk.
    public var chunkSpanNS: UInt64

    public init(
      profile: String = "nav", library: String = "navstack",
      compression: Compression = .zstd(level: 1), chunkBytes: Int = 1 << 20,
      chunkSpanNS: UInt64 = 1_000_000_000
    ) {
      self.profile = profile
      self.library = library
      self.compression = compression
      self.chunkBytes = chunkBytes
      self.chunkSpanNS = chunkSpanNS
    }
  }

  /// Maximum size of a payload, so that its chunk stays within the limits of readers.
  public static let maximumPayload = 96 << 20

  private let options: Options
  private let file: PartFile
  private let packer: ZstandardPacker?
  private var schemas: [BagSchema] = []
  private var channels: [BagChannel] = []
  /// Whether a schema or channel has been written to the file, which happens with its first
  /// message.
  private var isSchemaWritten: [Bool] = []
  private var isChannelWritten: [Bool] = []
  private var chunk = ChunkBuilder()
  private var isPreviousFollowed = false
  /// Whether the chunk's records are in the file but its message indexes are not.
  private var isChunkWritten = false
  private var statistics = BagStatistics()
  private var chunkIndexes = RecordBytes()
  private var attachments: [BagAttachmentIndex] = []
  private var metadata: [BagMetadataIndex] = []

  public init(path: String, options: Options = Options()) throws(BagError) {
    self.options = options
    file = try PartFile(path: path)
    packer =
      if case .zstd(let level) = options.compression { ZstandardPacker(level: level) } else { nil }
    var start = RecordBytes()
    start.append(raw: Format.magic)
    var header = RecordBytes()
    header.append(options.profile)
    header.append(options.library)
    start.append(record: Format.Opcode.header, header)
    try file.write(start.bytes)
  }

  /// Bytes in the file so far, without the open chunk.
  public var writtenBytes: Int { file.count }
  public var messageCount: UInt64 { statistics.messageCount }
  /// Number of messages, by topic, in the chunk that was not yet written to the file.
  public var unwrittenMessages: [String: UInt64] {
    guard !isChunkWritten else { return [:] }
    return chunk.channels.reduce(into: [:]) { counts, channel in
      counts[channels[Int(channel) - 1].topic, default: 0] += UInt64(chunk.index(of: channel).count)
    }
  }

  /// Registers a schema; `encoding` and `data` are empty if there is no description.
  ///
  /// - Throws: `BagError` if 65,535 are registered already.
  public func addSchema(name: String, encoding: String, data: [UInt8]) throws(BagError) -> UInt16 {
    guard let id = UInt16(exactly: schemas.count + 1) else {
      throw file.failure(.outOfRange(field: "schema_id"))
    }
    schemas.append(BagSchema(id: id, name: name, encoding: encoding, data: data))
    isSchemaWritten.append(false)
    return id
  }

  /// Registers a channel; `schema` is 0 for none.
  ///
  /// - Throws: `BagError` if 65,535 are registered already, or the schema is unknown.
  public func addChannel(
    topic: String, messageEncoding: String = "msgpack", schema: UInt16 = 0,
    metadata: [String: String] = [:]
  ) throws(BagError) -> UInt16 {
    guard let id = UInt16(exactly: channels.count + 1) else {
      throw file.failure(.outOfRange(field: "channel_id"))
    }
    guard Int(schema) <= schemas.count else {
      throw file.failure(.outOfRange(field: "schema_id"))
    }
    channels.append(
      BagChannel(
        id: id, schemaID: schema, topic: topic, messageEncoding: messageEncoding,
        metadata: metadata))
    isChannelWritten.append(false)
    return id
  }

  /// Appends one message; one that does not fit the format is rejected and the file stays valid.
  ///
  /// With `isFollowed`, the next message is written to the same chunk.
  public func write(_ message: BagMessage, isFollowed: Bool = false) throws(BagError) {
    guard file.isOpen else { throw file.failure(.closed) }
    guard message.channelID > 0, Int(message.channelID) <= channels.count else {
      throw file.failure(.outOfRange(field: "channel_id"))
    }
    guard message.payload.count <= Self.maximumPayload else {
      throw file.failure(.outOfRange(field: "data"))
    }
    if !isPreviousFollowed, isChunkOver(before: message) { try finishChunk() }
    announce(channels[Int(message.channelID) - 1])
    chunk.append(message)
    statistics.count(message.channelID, logTimeNS: message.logTimeNS)
    isPreviousFollowed = isFollowed
    if !isFollowed, chunk.records.count >= options.chunkBytes { try finishChunk() }
  }

  private func isChunkOver(before message: BagMessage) -> Bool {
    guard chunk.messageCount > 0 else { return false }
    let isLate =
      message.logTimeNS > chunk.startTimeNS
      && message.logTimeNS - chunk.startTimeNS >= options.chunkSpanNS
    return isLate || chunk.records.count + message.payload.count > Self.maximumPayload
  }

  private func announce(_ channel: BagChannel) {
    guard !isChannelWritten[Int(channel.id) - 1] else { return }
    if channel.schemaID > 0, !isSchemaWritten[Int(channel.schemaID) - 1] {
      isSchemaWritten[Int(channel.schemaID) - 1] = true
      statistics.schemaCount += 1
      chunk.append(schemas[Int(channel.schemaID) - 1])
    }
    isChannelWritten[Int(channel.id) - 1] = true
    statistics.channelCount += 1
    chunk.append(channel)
  }

  /// Whether messages wait in an unfinished chunk.
  public var hasOpenChunk: Bool { chunk.messageCount > 0 }

  /// Ends the chunk, however full it is, and hands it to the system.
  public func finishChunk() throws(BagError) {
    guard chunk.messageCount > 0 else { return }
    let records = chunk.records.bytes
    let checksum = Checksum.of(records)
    var packed: [UInt8]?
    do {
      packed = try packer?.pack(records)
    } catch {
      throw file.failure(.badCompression(error.text))
    }
    // A chunk that does not get smaller is not compressed.
    if let size = packed?.count, size >= records.count { packed = nil }
    let compression = packed == nil ? "" : "zstd"
    let size = packed?.count ?? records.count
    var head = RecordBytes()
    head.append(Format.Opcode.chunk)
    head.append(UInt64(8 + 8 + 8 + 4 + 4 + compression.utf8.count + 8 + size))
    head.append(chunk.startTimeNS)
    head.append(chunk.endTimeNS)
    head.append(UInt64(records.count))
    head.append(checksum.value)
    head.append(compression)
    head.append(UInt64(size))
    let offset = file.count
    let length = head.count + size
    var indexes = RecordBytes()
    var places: [UInt16: Int] = [:]
    for channel in chunk.channels {
      places[channel] = offset + length + indexes.count
      indexes.append(messageIndexOf: channel, chunk.index(of: channel))
    }
    try file.write(head.bytes)
    if let packed { try file.write(packed) } else { try file.write(records, checksum) }
    // From here on, the messages can be recovered, even without space for their indexes.
    isChunkWritten = true
    try file.write(indexes.bytes)
    statistics.chunkCount += 1
    chunkIndexes.append(
      BagChunkIndex(
        startTimeNS: chunk.startTimeNS, endTimeNS: chunk.endTimeNS, offset: offset, length: length,
        messageIndexOffsets: places, messageIndexLength: indexes.count, compression: compression,
        compressedSize: size, uncompressedSize: records.count))
    chunk.removeAll()
    isChunkWritten = false
  }

  /// Appends a whole file.
  public func write(_ attachment: BagAttachment) throws(BagError) {
    var record = RecordBytes()
    record.append(attachment)
    attachments.append(
      BagAttachmentIndex(
        offset: file.count, length: record.count, logTimeNS: attachment.logTimeNS,
        createTimeNS: attachment.createTimeNS, dataSize: attachment.data.count,
        name: attachment.name, mediaType: attachment.mediaType))
    statistics.attachmentCount += 1
    try file.write(record.bytes)
  }

  /// Appends pairs of text.
  public func write(_ data: BagMetadata) throws(BagError) {
    var record = RecordBytes()
    record.append(data)
    metadata.append(BagMetadataIndex(offset: file.count, length: record.count, name: data.name))
    statistics.metadataCount += 1
    try file.write(record.bytes)
  }

  /// Waits until the finished chunks are on the disk, safe from a loss of power.
  public func synchronize() throws(BagError) { try file.synchronize() }

  /// Finishes the file and renames it; after an error the part stays and the writer is closed.
  public func close() throws(BagError) {
    guard file.isOpen else { throw file.failure(.closed) }
    try finishChunk()
    var end = RecordBytes()
    end.append(Format.Opcode.dataEnd)
    end.append(UInt64(4))
    end.append(file.checksum.value)
    try file.write(end.bytes)
    try file.write(summary())
    try file.close()
  }

  private func summary() -> [UInt8] {
    let start = file.count
    var summary = RecordBytes()
    var offsets = RecordBytes()
    func group(_ opcode: UInt8, _ append: (inout RecordBytes) -> Void) {
      let begin = summary.count
      append(&summary)
      guard summary.count > begin else { return }
      var content = RecordBytes()
      content.append(opcode)
      content.append(UInt64(start + begin))
      content.append(UInt64(summary.count - begin))
      offsets.append(record: Format.Opcode.summaryOffset, content)
    }
    group(Format.Opcode.schema) {
      for schema in schemas where isSchemaWritten[Int(schema.id) - 1] { $0.append(schema) }
    }
    group(Format.Opcode.channel) {
      for channel in channels where isChannelWritten[Int(channel.id) - 1] { $0.append(channel) }
    }
    group(Format.Opcode.statistics) { $0.append(statistics) }
    group(Format.Opcode.chunkIndex) { $0.append(raw: chunkIndexes.bytes) }
    group(Format.Opcode.attachmentIndex) { for index in attachments { $0.append(index) } }
    group(Format.Opcode.metadataIndex) { for index in metadata { $0.append(index) } }
    let offsetStart = start + summary.count
    summary.append(raw: offsets.bytes)
    summary.append(Format.Opcode.footer)
    summary.append(UInt64(Format.footerContent))
    summary.append(UInt64(start))
    summary.append(UInt64(offsetStart))
    summary.append(Checksum.of(summary.bytes).value)
    summary.append(raw: Format.magic)
    return summary.bytes
  }
}
