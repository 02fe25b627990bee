/// The result of verifying a whole file.
public struct BagVerification: Sendable {
  /// The problems, in the order of the file; empty for a sound one.
  public internal(set) var problems: [BagError] = []
  /// The counts made during verification, to compare with those that the file contains.
  public internal(set) var statistics = BagStatistics()
  /// Number of the counted messages that are traces: headers of other messages.
  public internal(set) var traceCount: UInt64 = 0
  /// Maximum number of reported problems.
  public static let maximumProblems = 1_000

  /// Reads a whole file and verifies records, checksums, indexes and counts against each other.
  ///
  /// Memory: one chunk, and the summary. Cost: reading and decompressing everything, once.
  public static func check(
    path: String, limits: BagLimits = BagLimits(), progress: (Double) -> Void = { _ in }
  ) -> BagVerification {
    var check = FileCheck(limits)
    do throws(BagError) {
      try check.run(path, progress)
    } catch {
      check.found.add(error)
    }
    check.found.traceCount = check.traceCount
    return check.found
  }

  mutating func add(_ problem: BagError) {
    if problems.count < Self.maximumProblems { problems.append(problem) }
  }
}

/// One pass through a file.
private struct FileCheck {
  var found = BagVerification()
  private let limits: BagLimits
  private var checksum = Checksum()
  private var schemas: [UInt16: BagSchema] = [:]
  private var channels: [UInt16: BagChannel] = [:]
  private var chunks: [Int: BagChunkIndex] = [:]
  /// Positions of the last chunk's messages, until their indexes are read.
  private var entries: [UInt16: [IndexEntry]] = [:]
  private var lastChunk: Int?
  /// Offsets of chunks with an unknown compression, whose contents cannot be verified.
  private var sealed: Set<Int> = []
  private var attachments: [Int: (name: String, length: Int)] = [:]
  private var metadata: [Int: (name: String, length: Int)] = [:]

  init(_ limits: BagLimits) { self.limits = limits }

  var traceCount: UInt64 {
    channels.values.filter { $0.topic == FrameTrace.topic }.reduce(0) {
      $0 &+ (found.statistics.channelMessageCounts[$1.id] ?? 0)
    }
  }

  mutating func run(_ path: String, _ progress: (Double) -> Void) throws(BagError) {
    let file = try RecordFile(path: path, limits: limits)
    try file.checkMagic(at: 0)
    checksum.add(Format.magic)
    var offset = Format.magic.count
    let first = try file.head(at: offset, Format.Opcode.header, field: "header")
    var isOver = false
    while !isOver {
      let head = try file.head(at: offset)
      if head.opcode == Format.Opcode.dataEnd {
        isOver = true
      } else {
        try add(head, of: file)
        try data(head, file)
      }
      offset = head.end
      progress(Double(offset) / Double(max(1, file.size)))
    }
    endChunk(file)
    try dataEnd(file, before: offset)
    try summary(file, from: offset, dataStart: first.end)
  }

  /// Adds a record to the checksum of the data section.
  private mutating func add(_ head: RecordFile.Head, of file: RecordFile) throws(BagError) {
    var offset = head.offset
    while offset < head.end {
      let count = min(head.end - offset, 1 << 20)
      checksum.add(try file.bytes.bytes(at: offset, count: count, field: "record"))
      offset += count
    }
  }

  private mutating func dataEnd(_ file: RecordFile, before end: Int) throws(BagError) {
    let head = try file.head(at: end - Format.recordHead - 4)
    var fields = try file.fields(head)
    let reported = try fields.word("data_section_crc", as: UInt32.self)
    if reported != 0, reported != checksum.value {
      found.add(file.failure(.wrongChecksum(part: "data section"), at: head.offset))
    }
  }

  // MARK: The data section

  private mutating func data(_ head: RecordFile.Head, _ file: RecordFile) throws(BagError) {
    if head.opcode != Format.Opcode.messageIndex { endChunk(file) }
    switch head.opcode {
    case Format.Opcode.chunk:
      do throws(BagError) {
        try chunk(head, file)
      } catch {
        if case .unknownCompression = error.reason {
          // Report the unknown compression once for all such chunks.
          if sealed.isEmpty { found.add(error) }
          sealed.insert(head.offset)
        } else {
          found.add(error)
        }
      }
    case Format.Opcode.messageIndex:
      do throws(BagError) { try messageIndex(head, file) } catch { found.add(error) }
    case Format.Opcode.schema, Format.Opcode.channel, Format.Opcode.message:
      do throws(BagError) {
        _ = try record(head.opcode, file.fields(head))
      } catch { found.add(error) }
    case Format.Opcode.attachment:
      found.statistics.attachmentCount += 1
      do throws(BagError) {
        var fields = try file.fields(head)
        let one = try BagAttachment(&fields)
        attachments[head.offset] = (one.name, head.end - head.offset)
      } catch { found.add(error) }
    case Format.Opcode.metadata:
      found.statistics.metadataCount += 1
      do throws(BagError) {
        var fields = try file.fields(head)
        metadata[head.offset] = (try BagMetadata(&fields).name, head.end - head.offset)
      } catch { found.add(error) }
    case Format.Opcode.header where head.offset == Format.magic.count: break
    case 0, Format.Opcode.header...Format.Opcode.dataEnd:
      found.add(file.failure(.unexpectedRecord(opcode: head.opcode), at: head.offset))
    default: break
    }
  }

  /// Checks a schema, channel or message, in a chunk or outside; returns the message.
  private mutating func record(
    _ opcode: UInt8, _ content: FieldReader
  ) throws(BagError) -> BagMessage? {
    var fields = content
    switch opcode {
    case Format.Opcode.schema:
      let schema = try BagSchema(&fields)
      if let known = schemas[schema.id], known != schema {
        throw content.failure(.invalid(field: "schema_id"))
      }
      schemas[schema.id] = schema
    case Format.Opcode.channel:
      let channel = try BagChannel(&fields)
      guard channel.schemaID == 0 || schemas[channel.schemaID] != nil else {
        throw content.failure(.invalid(field: "schema_id"))
      }
      if let known = channels[channel.id], known != channel {
        throw content.failure(.invalid(field: "channel_id"))
      }
      channels[channel.id] = channel
    case Format.Opcode.message:
      let message = try BagMessage(&fields)
      guard channels[message.channelID] != nil else {
        throw content.failure(.invalid(field: "channel_id"))
      }
      found.statistics.count(message.channelID, logTimeNS: message.logTimeNS)
      return message
    default: break
    }
    return nil
  }

  private mutating func chunk(_ head: RecordFile.Head, _ file: RecordFile) throws(BagError) {
    found.statistics.chunkCount += 1
    let (chunk, bytes) = try file.chunk(head)
    var records = ChunkRecords(bytes, chunk: head.offset, path: file.path)
    var (start, end) = (UInt64.max, UInt64.min)
    while let next = try records.next() {
      guard let message = try record(next.opcode, next.fields) else { continue }
      entries[message.channelID, default: []].append(
        IndexEntry(logTimeNS: message.logTimeNS, offset: UInt64(next.offset)))
      start = min(start, message.logTimeNS)
      end = max(end, message.logTimeNS)
    }
    let isEmpty = entries.isEmpty
    if chunk.startTimeNS != (isEmpty ? 0 : start) || chunk.endTimeNS != (isEmpty ? 0 : end) {
      found.add(file.failure(.invalid(field: "times of the chunk"), at: head.offset))
    }
    lastChunk = head.offset
    chunks[head.offset] = BagChunkIndex(
      startTimeNS: chunk.startTimeNS, endTimeNS: chunk.endTimeNS, offset: head.offset,
      length: head.end - head.offset, messageIndexOffsets: [:], messageIndexLength: 0,
      compression: chunk.compression, compressedSize: chunk.compressedSize,
      uncompressedSize: bytes.count)
  }

  private mutating func messageIndex(_ head: RecordFile.Head, _ file: RecordFile) throws(BagError) {
    var fields = try file.fields(head)
    let index = try MessageIndex(&fields)
    guard let lastChunk else {
      // It belongs to a chunk that could not be read, which was already reported.
      return
    }
    if Set(index.entries) != Set(entries[index.channelID] ?? [])
      || index.entries.count != entries[index.channelID]?.count ?? 0
    {
      found.add(file.failure(.invalid(field: "message index"), at: head.offset))
    }
    chunks[lastChunk]?.messageIndexOffsets[index.channelID] = head.offset
    chunks[lastChunk]?.messageIndexLength += head.end - head.offset
  }

  /// Handles the end of a chunk's indexes: if there are any, all of its channels must have one.
  private mutating func endChunk(_ file: RecordFile) {
    if let lastChunk, let offsets = chunks[lastChunk]?.messageIndexOffsets, !offsets.isEmpty,
      Set(offsets.keys) != Set(entries.keys)
    {
      found.add(file.failure(.invalid(field: "message indexes"), at: lastChunk))
    }
    lastChunk = nil
    entries.removeAll(keepingCapacity: true)
  }

  // MARK: The summary

  private mutating func summary(
    _ file: RecordFile, from dataEnd: Int, dataStart: Int
  ) throws(BagError) {
    found.statistics.schemaCount = UInt16(clamping: schemas.count)
    found.statistics.channelCount = UInt32(clamping: channels.count)
    let reading = SummaryReading(file, dataStart: dataStart)
    let (head, footer) = try reading.footer()
    if footer.summaryStart == 0 { return }
    if footer.summaryStart != dataEnd {
      found.add(file.failure(.invalid(field: "summary_start"), at: head.contentOffset))
    }
    let summary = try reading.summary()
    compare(file, summary, at: footer.summaryStart)
    try summaryOffsets(file, footer, end: head.offset)
  }

  private mutating func compare(_ file: RecordFile, _ summary: BagSummary, at place: Int) {
    func addInvalid(_ field: String, _ offset: Int) {
      found.add(file.failure(.invalid(field: field), at: min(offset, file.size)))
    }
    if sealed.isEmpty {
      // A channel without messages, and its schema, may appear only in the summary.
      for (id, schema) in summary.schemas where schemas[id] == nil { schemas[id] = schema }
      for (id, channel) in summary.channels where channels[id] == nil {
        if channel.schemaID == 0 || schemas[channel.schemaID] != nil { channels[id] = channel }
      }
      found.statistics.schemaCount = UInt16(clamping: schemas.count)
      found.statistics.channelCount = UInt32(clamping: channels.count)
      if let reported = summary.statistics, reported != found.statistics {
        addInvalid("statistics", place)
      }
      for (id, schema) in summary.schemas where schemas[id] != schema {
        addInvalid("schema \(id) of the summary", place)
      }
      for (id, channel) in summary.channels where channels[id] != channel {
        addInvalid("channel \(id) of the summary", place)
      }
    }
    for index in summary.chunks
    where chunks[index.offset] != index && !sealed.contains(index.offset) {
      addInvalid("chunk index", index.offset)
    }
    for offset in Set(chunks.keys).union(sealed).subtracting(summary.chunks.map(\.offset)).sorted()
    where !summary.chunks.isEmpty {
      addInvalid("missing chunk index", offset)
    }
    for index in summary.attachments
    where attachments[index.offset].map({ $0 == (index.name, index.length) }) != true {
      addInvalid("attachment index", index.offset)
    }
    for index in summary.metadata
    where metadata[index.offset].map({ $0 == (index.name, index.length) }) != true {
      addInvalid("metadata index", index.offset)
    }
  }

  /// Checks that each group is at its declared position and contains only its kind.
  private mutating func summaryOffsets(
    _ file: RecordFile, _ footer: Footer, end: Int
  ) throws(BagError) {
    guard footer.summaryOffsetStart != 0 else { return }
    var offset = footer.summaryOffsetStart
    while offset < end {
      let head = try file.head(at: offset, Format.Opcode.summaryOffset, field: "summary offset")
      var fields = try file.fields(head)
      let group = try SummaryOffset(&fields)
      guard group.start >= footer.summaryStart, group.start <= footer.summaryOffsetStart,
        group.length <= footer.summaryOffsetStart - group.start
      else {
        found.add(file.failure(.invalid(field: "summary offset"), at: offset))
        offset = head.end
        continue
      }
      var place = group.start
      while place < group.start + group.length {
        place = try file.head(at: place, group.opcode, field: "summary offset").end
      }
      if place != group.start + group.length {
        found.add(file.failure(.invalid(field: "summary offset"), at: offset))
      }
      offset = head.end
    }
  }
}
