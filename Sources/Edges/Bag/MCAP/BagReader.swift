/// Reads the requested parts of a closed MCAP file by its indexes.
///
/// Opening reads the summary and verifies its checksum. Each chunk that is opened is verified
/// against its own checksum. Every offset in an index is checked before it is used.
public final class BagReader {
  let file: RecordFile
  public let header: BagHeader
  public let summary: BagSummary

  /// - Throws: `BagError`; `.noSummary` for a file that only `BagStream` can read.
  public init(path: String, limits: BagLimits = BagLimits()) throws(BagError) {
    file = try RecordFile(path: path, limits: limits)
    try file.checkMagic(at: 0)
    let head = try file.head(
      at: Format.magic.count, Format.Opcode.header, field: "header")
    var fields = try file.fields(head)
    header = try BagHeader(&fields)
    summary = try SummaryReading(file, dataStart: head.end).summary()
  }

  /// The channels whose topic is wanted.
  public func channels(where isWanted: (String) -> Bool) -> Set<UInt16> {
    Set(summary.channels.values.filter { isWanted($0.topic) }.map(\.id))
  }

  /// The messages of some channels (nil for all) with a log time in a range, in the file's order.
  public func messages(
    of channels: Set<UInt16>? = nil, during times: ClosedRange<UInt64> = 0...UInt64.max
  ) -> BagCursor {
    BagCursor(self, channels, times)
  }

  public func attachment(_ index: BagAttachmentIndex) throws(BagError) -> BagAttachment {
    let head = try file.head(
      at: index.offset, Format.Opcode.attachment, length: index.length, field: "attachment index")
    var fields = try file.fields(head)
    return try BagAttachment(&fields)
  }

  public func metadata(_ index: BagMetadataIndex) throws(BagError) -> BagMetadata {
    let head = try file.head(
      at: index.offset, Format.Opcode.metadata, length: index.length, field: "metadata index")
    var fields = try file.fields(head)
    return try BagMetadata(&fields)
  }
}

/// Iterates over the requested messages; holds one chunk in memory.
public final class BagCursor {
  private let reader: BagReader
  private let channels: Set<UInt16>?
  private let times: ClosedRange<UInt64>
  private var nextChunk = 0
  private var chunk: ChunkRecords?
  /// Positions of the wanted messages in the chunk, the last one first; nil to read all of them.
  private var places: [(offset: UInt64, channel: UInt16, logTimeNS: UInt64)]?
  private var failed: BagError?

  init(_ reader: BagReader, _ channels: Set<UInt16>?, _ times: ClosedRange<UInt64>) {
    self.reader = reader
    self.channels = channels
    self.times = times
  }

  /// Returns the next message, or nil after the last.
  public func next() throws(BagError) -> BagMessage? {
    if let failed { throw failed }
    do throws(BagError) {
      while true {
        if let message = try messageInChunk() { return message }
        guard try openChunk() else { return nil }
      }
    } catch {
      failed = error
      throw error
    }
  }

  private func messageInChunk() throws(BagError) -> BagMessage? {
    if places != nil {
      while let place = places?.popLast() {
        if let message = try message(at: place) { return message }
      }
      return nil
    }
    while let record = try chunk?.next() {
      guard record.opcode == Format.Opcode.message else { continue }
      var fields = record.fields
      let message = try BagMessage(&fields)
      guard reader.summary.channels[message.channelID] != nil else {
        throw record.fields.failure(.invalid(field: "channel_id"))
      }
      if times.contains(message.logTimeNS), channels?.contains(message.channelID) ?? true {
        return message
      }
    }
    return nil
  }

  private func message(
    at place: (offset: UInt64, channel: UInt16, logTimeNS: UInt64)
  ) throws(BagError) -> BagMessage? {
    guard let chunk else { return nil }
    guard let offset = Int(exactly: place.offset) else {
      throw chunk.failure(.invalid(field: "message index"), at: 0)
    }
    var record = try chunk.record(at: offset)
    guard record.opcode == Format.Opcode.message else {
      throw chunk.failure(.unexpectedRecord(opcode: record.opcode), at: offset)
    }
    let message = try BagMessage(&record.fields)
    guard message.channelID == place.channel, message.logTimeNS == place.logTimeNS else {
      throw chunk.failure(.invalid(field: "message index"), at: offset)
    }
    return message
  }

  /// Opens the next chunk that contains wanted messages; false after the last.
  private func openChunk() throws(BagError) -> Bool {
    let chunks = reader.summary.chunks
    while nextChunk < chunks.count {
      let index = chunks[nextChunk]
      nextChunk += 1
      guard index.startTimeNS <= times.upperBound, index.endTimeNS >= times.lowerBound else {
        continue
      }
      let isIndexed = !index.messageIndexOffsets.isEmpty
      let wanted = index.messageIndexOffsets.filter { channels?.contains($0.key) ?? true }
      if isIndexed, wanted.isEmpty { continue }
      let isWhole =
        wanted.count == index.messageIndexOffsets.count
        && times.contains(index.startTimeNS) && times.contains(index.endTimeNS)
      places = nil
      if isIndexed, !isWhole {
        let found = try messagePlaces(wanted)
        if found.isEmpty { continue }
        places = found
      }
      let head = try reader.file.head(
        at: index.offset, Format.Opcode.chunk, length: index.length, field: "chunk index")
      chunk = ChunkRecords(
        try reader.file.chunk(head).records, chunk: head.offset, path: reader.file.path)
      return true
    }
    chunk = nil
    return false
  }

  private func messagePlaces(
    _ indexes: [UInt16: Int]
  ) throws(BagError) -> [(offset: UInt64, channel: UInt16, logTimeNS: UInt64)] {
    var found: [(offset: UInt64, channel: UInt16, logTimeNS: UInt64)] = []
    for (channel, offset) in indexes.sorted(by: { $0.value < $1.value }) {
      let head = try reader.file.head(
        at: offset, Format.Opcode.messageIndex, field: "message index")
      var fields = try reader.file.fields(head)
      let index = try MessageIndex(&fields)
      guard index.channelID == channel, reader.summary.channels[channel] != nil else {
        throw reader.file.failure(.invalid(field: "message index"), at: offset)
      }
      for entry in index.entries where times.contains(entry.logTimeNS) {
        found.append((entry.offset, channel, entry.logTimeNS))
      }
    }
    found.sort { $0.offset > $1.offset }
    return found
  }
}
