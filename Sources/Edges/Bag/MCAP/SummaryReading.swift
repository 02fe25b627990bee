/// Reads the summary of a closed file.
struct SummaryReading {
  let file: RecordFile
  /// The first byte after the header.
  let dataStart: Int

  init(_ file: RecordFile, dataStart: Int) {
    self.file = file
    self.dataStart = dataStart
  }

  /// Reads the footer, which has a fixed position.
  func footer() throws(BagError) -> (head: RecordFile.Head, footer: Footer) {
    let length = Format.recordHead + Format.footerContent
    let offset = file.size - Format.magic.count - length
    guard offset >= dataStart else { throw file.failure(.noSummary, at: file.size) }
    // A file without the closing bytes was not closed, whatever precedes them.
    do {
      try file.checkMagic(at: file.size - Format.magic.count)
    } catch {
      throw file.failure(.noSummary, at: file.size)
    }
    let head = try file.head(at: offset, Format.Opcode.footer, length: length, field: "footer")
    var fields = try file.fields(head)
    return (head, try Footer(&fields))
  }

  func summary() throws(BagError) -> BagSummary {
    let (footerHead, footer) = try footer()
    guard footer.summaryStart != 0 else {
      throw file.failure(.noSummary, at: footerHead.offset)
    }
    guard footer.summaryStart >= dataStart, footer.summaryStart <= footerHead.offset,
      footer.summaryOffsetStart == 0
        || (footer.summaryStart...footerHead.offset).contains(footer.summaryOffsetStart)
    else { throw file.failure(.invalid(field: "summary_start"), at: footerHead.contentOffset) }
    try checkChecksum(footer, footerHead)
    var summary = BagSummary()
    var offset = footer.summaryStart
    while offset < footerHead.offset {
      let head = try file.head(at: offset)
      guard head.end <= footerHead.offset else {
        throw file.failure(.truncated(field: "summary"), at: offset)
      }
      try read(head, into: &summary)
      offset = head.end
    }
    for channel in summary.channels.values
    where channel.schemaID != 0 && summary.schemas[channel.schemaID] == nil {
      throw file.failure(.invalid(field: "schema_id"), at: footer.summaryStart)
    }
    summary.chunks.sort { $0.offset < $1.offset }
    return summary
  }

  private func checkChecksum(_ footer: Footer, _ head: RecordFile.Head) throws(BagError) {
    guard footer.checksum != 0 else { return }
    var checksum = Checksum()
    var offset = footer.summaryStart
    // Up to the checksum, exclusively.
    let end = head.end - 4
    while offset < end {
      let count = min(end - offset, 1 << 20)
      checksum.add(try file.bytes.bytes(at: offset, count: count, field: "summary"))
      offset += count
    }
    guard checksum.value == footer.checksum else {
      throw file.failure(.wrongChecksum(part: "summary"), at: footer.summaryStart)
    }
  }

  private func read(
    _ head: RecordFile.Head, into summary: inout BagSummary
  ) throws(BagError) {
    var fields = try file.fields(head)
    switch head.opcode {
    case Format.Opcode.schema:
      let schema = try BagSchema(&fields)
      summary.schemas[schema.id] = schema
    case Format.Opcode.channel:
      let channel = try BagChannel(&fields)
      summary.channels[channel.id] = channel
    case Format.Opcode.statistics:
      summary.statistics = try BagStatistics(&fields)
    case Format.Opcode.chunkIndex:
      summary.chunks.append(try BagChunkIndex(&fields))
    case Format.Opcode.attachmentIndex:
      summary.attachments.append(try BagAttachmentIndex(&fields))
    case Format.Opcode.metadataIndex:
      summary.metadata.append(try BagMetadataIndex(&fields))
    case 0, Format.Opcode.header, Format.Opcode.footer, Format.Opcode.message,
      Format.Opcode.chunk, Format.Opcode.dataEnd, Format.Opcode.attachment,
      Format.Opcode.messageIndex, Format.Opcode.metadata:
      throw file.failure(.unexpectedRecord(opcode: head.opcode), at: head.offset)
    default:
      break
    }
  }
}
