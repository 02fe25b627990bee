extension RecordBytes {
  mutating func append(_ schema: BagSchema) {
    var content = RecordBytes()
    content.append(schema.id)
    content.append(schema.name)
    content.append(schema.encoding)
    content.append(sized: schema.data)
    append(record: Format.Opcode.schema, content)
  }

  mutating func append(_ channel: BagChannel) {
    var content = RecordBytes()
    content.append(channel.id)
    content.append(channel.schemaID)
    content.append(channel.topic)
    content.append(channel.messageEncoding)
    content.append(channel.metadata)
    append(record: Format.Opcode.channel, content)
  }

  mutating func append(_ message: BagMessage) {
    append(Format.Opcode.message)
    append(UInt64(2 + 4 + 8 + 8 + message.payload.count))
    append(message.channelID)
    append(message.sequence)
    append(message.logTimeNS)
    append(message.publishTimeNS)
    append(raw: message.payload)
  }

  mutating func append(_ attachment: BagAttachment) {
    var content = RecordBytes()
    content.append(attachment.logTimeNS)
    content.append(attachment.createTimeNS)
    content.append(attachment.name)
    content.append(attachment.mediaType)
    content.append(UInt64(attachment.data.count))
    content.append(raw: attachment.data)
    content.append(Checksum.of(content.bytes).value)
    append(record: Format.Opcode.attachment, content)
  }

  mutating func append(_ metadata: BagMetadata) {
    var content = RecordBytes()
    content.append(metadata.name)
    content.append(metadata.entries)
    append(record: Format.Opcode.metadata, content)
  }

  mutating func append(_ statistics: BagStatistics) {
    var content = RecordBytes()
    content.append(statistics.messageCount)
    content.append(statistics.schemaCount)
    content.append(statistics.channelCount)
    content.append(statistics.attachmentCount)
    content.append(statistics.metadataCount)
    content.append(statistics.chunkCount)
    content.append(statistics.startTimeNS)
    content.append(statistics.endTimeNS)
    var counts = RecordBytes()
    for (channel, count) in statistics.channelMessageCounts.sorted(by: { $0.key < $1.key }) {
      counts.append(channel)
      counts.append(count)
    }
    content.append(sized: counts.bytes)
    append(record: Format.Opcode.statistics, content)
  }

  mutating func append(_ index: BagChunkIndex) {
    var content = RecordBytes()
    content.append(index.startTimeNS)
    content.append(index.endTimeNS)
    content.append(UInt64(index.offset))
    content.append(UInt64(index.length))
    var offsets = RecordBytes()
    for (channel, offset) in index.messageIndexOffsets.sorted(by: { $0.key < $1.key }) {
      offsets.append(channel)
      offsets.append(UInt64(offset))
    }
    content.append(sized: offsets.bytes)
    content.append(UInt64(index.messageIndexLength))
    content.append(index.compression)
    content.append(UInt64(index.compressedSize))
    content.append(UInt64(index.uncompressedSize))
    append(record: Format.Opcode.chunkIndex, content)
  }

  mutating func append(_ index: BagAttachmentIndex) {
    var content = RecordBytes()
    content.append(UInt64(index.offset))
    content.append(UInt64(index.length))
    content.append(index.logTimeNS)
    content.append(index.createTimeNS)
    content.append(UInt64(index.dataSize))
    content.append(index.name)
    content.append(index.mediaType)
    append(record: Format.Opcode.attachmentIndex, content)
  }

  mutating func append(_ index: BagMetadataIndex) {
    var content = RecordBytes()
    content.append(UInt64(index.offset))
    content.append(UInt64(index.length))
    content.append(index.name)
    append(record: Format.Opcode.metadataIndex, content)
  }

  mutating func append(messageIndexOf channel: UInt16, _ entries: [IndexEntry]) {
    append(Format.Opcode.messageIndex)
    append(UInt64(2 + 4 + 16 * entries.count))
    append(channel)
    append(UInt32(16 * entries.count))
    for entry in entries {
      append(entry.logTimeNS)
      append(entry.offset)
    }
  }
}
