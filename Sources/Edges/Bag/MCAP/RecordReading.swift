extension BagHeader {
  init(_ fields: inout FieldReader) throws(BagError) {
    profile = try fields.text("profile")
    library = try fields.text("library")
  }
}

extension BagSchema {
  init(_ fields: inout FieldReader) throws(BagError) {
    id = try fields.word("schema_id")
    guard id != 0 else { throw fields.failure(.invalid(field: "schema_id"), back: 2) }
    name = try fields.text("schema_name")
    encoding = try fields.text("schema_encoding")
    var data = try fields.part("schema_data")
    self.data = data.rest()
  }
}

extension BagChannel {
  init(_ fields: inout FieldReader) throws(BagError) {
    id = try fields.word("channel_id")
    schemaID = try fields.word("schema_id")
    topic = try fields.text("topic")
    messageEncoding = try fields.text("message_encoding")
    metadata = try fields.map("metadata")
  }
}

extension BagMessage {
  init(_ fields: inout FieldReader) throws(BagError) {
    channelID = try fields.word("channel_id")
    sequence = try fields.word("sequence")
    logTimeNS = try fields.word("log_time")
    publishTimeNS = try fields.word("publish_time")
    payload = fields.rest()
  }
}

extension BagAttachment {
  /// Also verifies the checksum.
  init(_ fields: inout FieldReader) throws(BagError) {
    let whole = fields
    logTimeNS = try fields.word("log_time")
    createTimeNS = try fields.word("create_time")
    name = try fields.text("name")
    mediaType = try fields.text("media_type")
    let size = try fields.size("data_size")
    data = Array(try fields.consume(size, "data"))
    let checked = whole.bytes.prefix(fields.byteOffset - whole.byteOffset)
    let checksum = try fields.word("crc", as: UInt32.self)
    guard checksum == 0 || checksum == Checksum.of(checked).value else {
      throw fields.failure(.wrongChecksum(part: "attachment"), back: 4)
    }
  }
}

extension BagMetadata {
  init(_ fields: inout FieldReader) throws(BagError) {
    name = try fields.text("name")
    entries = try fields.map("metadata")
  }
}

extension BagStatistics {
  init(_ fields: inout FieldReader) throws(BagError) {
    messageCount = try fields.word("message_count")
    schemaCount = try fields.word("schema_count")
    channelCount = try fields.word("channel_count")
    attachmentCount = try fields.word("attachment_count")
    metadataCount = try fields.word("metadata_count")
    chunkCount = try fields.word("chunk_count")
    startTimeNS = try fields.word("message_start_time")
    endTimeNS = try fields.word("message_end_time")
    var counts = try fields.part("channel_message_counts")
    while !counts.isAtEnd {
      let channel = try counts.word("channel_id", as: UInt16.self)
      channelMessageCounts[channel] = try counts.word("message_count")
    }
  }
}

extension BagChunkIndex {
  init(_ fields: inout FieldReader) throws(BagError) {
    startTimeNS = try fields.word("message_start_time")
    endTimeNS = try fields.word("message_end_time")
    offset = try fields.size("chunk_start_offset")
    length = try fields.size("chunk_length")
    var offsets = try fields.part("message_index_offsets")
    messageIndexOffsets = [:]
    while !offsets.isAtEnd {
      let channel = try offsets.word("channel_id", as: UInt16.self)
      messageIndexOffsets[channel] = try offsets.size("message_index_offset")
    }
    messageIndexLength = try fields.size("message_index_length")
    compression = try fields.text("compression")
    compressedSize = try fields.size("compressed_size")
    uncompressedSize = try fields.size("uncompressed_size")
  }
}

extension BagAttachmentIndex {
  init(_ fields: inout FieldReader) throws(BagError) {
    offset = try fields.size("offset")
    length = try fields.size("length")
    logTimeNS = try fields.word("log_time")
    createTimeNS = try fields.word("create_time")
    dataSize = try fields.size("data_size")
    name = try fields.text("name")
    mediaType = try fields.text("media_type")
  }
}

extension BagMetadataIndex {
  init(_ fields: inout FieldReader) throws(BagError) {
    offset = try fields.size("offset")
    length = try fields.size("length")
    name = try fields.text("name")
  }
}

/// A chunk's record, without the records in it.
struct ChunkHead: Hashable {
  var startTimeNS: UInt64
  var endTimeNS: UInt64
  var uncompressedSize: UInt64
  /// 0 if it was not computed.
  var checksum: UInt32
  var compression: String
  var compressedSize: Int

  init(_ fields: inout FieldReader) throws(BagError) {
    startTimeNS = try fields.word("message_start_time")
    endTimeNS = try fields.word("message_end_time")
    uncompressedSize = try fields.word("uncompressed_size")
    checksum = try fields.word("uncompressed_crc")
    compression = try fields.text("compression")
    compressedSize = try fields.size("records")
    guard compressedSize <= fields.left else {
      throw fields.failure(.truncated(field: "records"))
    }
  }
}

/// The position of one message within a chunk.
struct IndexEntry: Hashable {
  var logTimeNS: UInt64
  /// Byte offset of the message's record within the uncompressed chunk.
  var offset: UInt64
}

/// The messages of one channel in one chunk.
struct MessageIndex: Hashable {
  var channelID: UInt16
  var entries: [IndexEntry] = []

  init(_ fields: inout FieldReader) throws(BagError) {
    channelID = try fields.word("channel_id")
    var records = try fields.part("records")
    entries.reserveCapacity(records.left / 16)
    while !records.isAtEnd {
      let logTimeNS = try records.word("log_time", as: UInt64.self)
      entries.append(IndexEntry(logTimeNS: logTimeNS, offset: try records.word("offset")))
    }
  }
}

/// The last record of a file.
struct Footer: Hashable {
  /// 0 if there is no summary.
  var summaryStart: Int
  /// 0 if there are no summary offsets.
  var summaryOffsetStart: Int
  /// 0 if it was not computed.
  var checksum: UInt32

  init(_ fields: inout FieldReader) throws(BagError) {
    summaryStart = try fields.size("summary_start")
    summaryOffsetStart = try fields.size("summary_offset_start")
    checksum = try fields.word("summary_crc")
  }
}

/// The position of the records of one kind within the summary.
struct SummaryOffset: Hashable {
  var opcode: UInt8
  var start: Int
  var length: Int

  init(_ fields: inout FieldReader) throws(BagError) {
    opcode = try fields.word("group_opcode")
    start = try fields.size("group_start")
    length = try fields.size("group_length")
  }
}
