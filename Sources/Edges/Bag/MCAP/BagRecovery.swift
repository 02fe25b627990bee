/// The result of recovering a damaged or unfinished file.
public struct BagRecovery: Sendable {
  /// Number of messages in the new file, without their traces.
  public internal(set) var messages: UInt64 = 0
  public internal(set) var attachments = 0
  public internal(set) var metadata = 0
  /// The errors at everything that was left out, in the order of the file.
  public internal(set) var damage: [BagError] = []
  /// Number of bytes of the old file that could not be read.
  public internal(set) var skippedBytes = 0
  /// Number of messages whose channel's record was lost.
  public internal(set) var nameless: UInt64 = 0

  /// Writes everything readable of `path` as a complete file at `destination`.
  ///
  /// After a damaged record it looks for the next chunk with a correct checksum, so only the
  /// damaged chunks are lost. Payloads are copied unchanged. Cost: reading and compressing
  /// everything once.
  ///
  /// - Throws: `BagError` if the file cannot be opened at all, or the new one cannot be written.
  public static func recover(
    from path: String, to destination: String, limits: BagLimits = BagLimits(),
    options: BagWriter.Options = BagWriter.Options(), progress: (Double) -> Void = { _ in }
  ) throws(BagError) -> BagRecovery {
    let salvage = try Salvage(path, limits)
    var options = options
    if let header = salvage.header {
      options.profile = header.profile
      options.library = header.library
    }
    let writer = try BagWriter(path: destination, options: options)
    let copy = BagCopy(writer)
    while let item = salvage.next() {
      if try !copy.write(item) { salvage.found.nameless += 1 }
      progress(Double(salvage.position) / Double(max(1, salvage.size)))
    }
    try copy.finish()
    try writer.close()
    var found = salvage.found
    found.messages = copy.messages
    found.attachments = copy.attachments
    found.metadata = copy.metadata
    return found
  }
}

/// Continues reading after damage.
private final class Salvage {
  var found = BagRecovery()
  let header: BagHeader?
  private let file: RecordFile
  private let stream: BagStream
  /// The schemas and channels of the summary, in case their records in the data section are lost.
  private var known: [BagStream.Item] = []

  init(_ path: String, _ limits: BagLimits) throws(BagError) {
    file = try RecordFile(path: path, limits: limits)
    var start = Format.magic.count
    var header: BagHeader?
    do throws(BagError) {
      try file.checkMagic(at: 0)
      let head = try file.head(at: start, Format.Opcode.header, field: "header")
      var fields = try file.fields(head)
      header = try BagHeader(&fields)
      start = head.end
    } catch {
      found.damage.append(error)
      start = 0
    }
    self.header = header
    stream = BagStream(
      salvaging: file, header: header ?? BagHeader(profile: "", library: ""), at: start)
    if let summary = try? SummaryReading(file, dataStart: Format.magic.count).summary() {
      known += summary.schemas.values.sorted { $0.id < $1.id }.map { .schema($0) }
      known += summary.channels.values.sorted { $0.id < $1.id }.map { .channel($0) }
      known.reverse()
    }
    if header == nil { resume(after: -1) }
  }

  var position: Int { stream.position }
  var size: Int { file.size }

  func next() -> BagStream.Item? {
    if let item = known.popLast() { return item }
    while true {
      do throws(BagError) {
        return try stream.next()
      } catch {
        // Nothing follows the end of a truncated file.
        found.damage.append(error)
        guard found.damage.count < BagVerification.maximumProblems, resume(after: stream.position)
        else { return nil }
      }
    }
  }

  /// Moves to the next record after a position.
  ///
  /// That is the end of the damaged record if a record follows there, otherwise the next sound
  /// chunk.
  @discardableResult
  private func resume(after place: Int) -> Bool {
    if place >= 0, let head = try? file.head(at: place), head.end < file.size,
      let next = try? file.head(at: head.end),
      (Format.Opcode.schema...Format.Opcode.dataEnd).contains(next.opcode)
    {
      found.skippedBytes += head.end - place
      stream.resume(at: head.end)
      return true
    }
    guard let chunk = nextChunk(from: place + 1) else {
      found.skippedBytes += file.size - max(0, place)
      return false
    }
    found.skippedBytes += chunk - max(0, place)
    stream.resume(at: chunk)
    return true
  }

  /// The position of the next chunk with a correct checksum.
  private func nextChunk(from start: Int) -> Int? {
    var offset = max(0, start)
    while offset < file.size {
      let count = min(Format.bufferSize, file.size - offset)
      guard let bytes = try? file.bytes.bytes(at: offset, count: count, field: "search") else {
        return nil
      }
      for (index, byte) in zip(offset..., bytes) where byte == Format.Opcode.chunk {
        if isChunk(at: index) { return index }
      }
      offset += count
    }
    return nil
  }

  private func isChunk(at offset: Int) -> Bool {
    guard let head = try? file.head(at: offset), head.opcode == Format.Opcode.chunk,
      head.count >= 40, head.count <= file.limits.recordBytes,
      let start = try? file.bytes.bytes(at: head.contentOffset, count: 40, field: "chunk")
    else { return false }
    // Checked before the whole chunk is read, since nearly everything that looks like a chunk is
    // not one.
    var fields = FieldReader(bytes: start, start: head.contentOffset, path: file.path)
    guard let from = try? fields.word("start", as: UInt64.self),
      let to = try? fields.word("end", as: UInt64.self), from <= to,
      let size = try? fields.word("size", as: UInt64.self), size <= file.limits.chunkBytes,
      (try? fields.word("crc", as: UInt32.self)) != nil,
      let name = try? fields.word("compression", as: UInt32.self), name <= 4
    else { return false }
    return (try? file.chunk(head)) != nil
  }
}

/// Copies items of one file into another, with new numbers.
final class BagCopy {
  private let writer: BagWriter
  private var schemas: [UInt16: (given: BagSchema, id: UInt16)] = [:]
  private var channels: [UInt16: (given: BagChannel, id: UInt16)] = [:]
  private(set) var messages: UInt64 = 0
  private(set) var attachments = 0
  private(set) var metadata = 0
  /// A message that waits for its trace, which must be written to the same chunk.
  private var pending: BagMessage?
  private var isPendingTrace = false

  init(_ writer: BagWriter) { self.writer = writer }

  /// Writes an item; false for a message whose channel is unknown.
  func write(_ item: BagStream.Item) throws(BagError) -> Bool {
    switch item {
    case .schema(let schema):
      guard schemas[schema.id]?.given != schema else { return true }
      let id = try writer.addSchema(
        name: schema.name, encoding: schema.encoding, data: schema.data)
      schemas[schema.id] = (schema, id)
    case .channel(let channel):
      guard channels[channel.id]?.given != channel else { return true }
      let id = try writer.addChannel(
        topic: channel.topic, messageEncoding: channel.messageEncoding,
        schema: schemas[channel.schemaID]?.id ?? 0, metadata: channel.metadata)
      channels[channel.id] = (channel, id)
    case .message(let message):
      guard let channel = channels[message.channelID] else { return false }
      let isTrace = channel.given.topic == FrameTrace.topic
      try put(isFollowed: isTrace)
      pending = message
      isPendingTrace = isTrace
      pending?.channelID = channel.id
    case .attachment(let attachment):
      try writer.write(attachment)
      attachments += 1
    case .metadata(let data):
      try writer.write(data)
      metadata += 1
    }
    return true
  }

  /// Writes the waiting message.
  func finish() throws(BagError) { try put(isFollowed: false) }

  private func put(isFollowed: Bool) throws(BagError) {
    guard let message = pending else { return }
    pending = nil
    try writer.write(message, isFollowed: isFollowed)
    if !isPendingTrace { messages += 1 }
  }
}
