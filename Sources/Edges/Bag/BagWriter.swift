import Glibc

/// Writes messages as an MCAP file, without chunks, indexes or checksums.
///
/// It writes to `<path>.part`; `close()` renames that to `path`, in place of what was there. A writer that goes
/// without `close()` leaves the part. A part that is already there is never overwritten: opening fails.
public final class BagWriter {
  private struct ChannelKey: Hashable {
    var topic: String
    var source: String
    var schemaName: String
  }

  private let path: String
  private let schemaTexts: [String: [UInt8]]
  private var file: Int32?
  private var written = 0
  private var waiting = RecordBytes()
  private var schemas: [String: UInt16] = [:]
  private var channels: [ChannelKey: UInt16] = [:]

  private var part: String { "\(path).part" }

  /// Opens the file; `schemas` holds the JSON Schema of each schema's name that has one.
  public init(
    path: String, profile: String = "nav", schemas: [String: [UInt8]] = [:]
  ) throws(BagError) {
    self.path = path
    schemaTexts = schemas
    let opened = open("\(path).part", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard opened >= 0 else { throw failure(.system(action: "create the part", code: errno)) }
    file = opened
    waiting.append(raw: Format.magic)
    var header = RecordBytes()
    header.append(profile)
    header.append("navstack")
    waiting.append(record: Format.Opcode.header, header)
  }

  deinit {
    if let file { Glibc.close(file) }
  }

  /// Appends one message; a message that does not fit the format is refused and the file stays whole.
  public func write(_ message: BagMessage) throws(BagError) {
    guard file != nil else { throw failure(.closed) }
    guard let sequence = UInt32(exactly: message.sequence) else {
      throw failure(.outOfRange(field: "sequence"))
    }
    guard let logTime = UInt64(exactly: message.logTimeNS) else {
      throw failure(.outOfRange(field: "log_time"))
    }
    guard let publishTime = UInt64(exactly: message.publishTimeNS) else {
      throw failure(.outOfRange(field: "publish_time"))
    }
    var content = RecordBytes()
    content.append(try channel(of: message))
    content.append(sequence)
    content.append(logTime)
    content.append(publishTime)
    content.append(raw: message.payload)
    waiting.append(record: Format.Opcode.message, content)
    if waiting.bytes.count >= Format.bufferSize { try flush() }
  }

  /// Ends the file and gives it its name; after an error the part stays and the writer is closed.
  public func close() throws(BagError) {
    var end = RecordBytes()
    end.append(UInt32(0))
    waiting.append(record: Format.Opcode.dataEnd, end)
    var footer = RecordBytes()
    footer.append(UInt64(0))
    footer.append(UInt64(0))
    footer.append(UInt32(0))
    waiting.append(record: Format.Opcode.footer, footer)
    waiting.append(raw: Format.magic)
    try flush()
    guard let open = file else { throw failure(.closed) }
    guard fsync(open) == 0 else { throw abandon("write to the disk") }
    file = nil
    guard Glibc.close(open) == 0 else { throw failure(.system(action: "close", code: errno)) }
    guard rename(part, path) == 0 else { throw failure(.system(action: "rename", code: errno)) }
  }

  private func channel(of message: BagMessage) throws(BagError) -> UInt16 {
    let key = ChannelKey(
      topic: message.topic, source: message.source, schemaName: message.schemaName)
    if let known = channels[key] { return known }
    let most = Int(UInt32.max) / 4
    guard key.topic.utf8.count < most else { throw failure(.outOfRange(field: "topic")) }
    guard key.source.utf8.count < most else { throw failure(.outOfRange(field: "source")) }
    guard let id = UInt16(exactly: channels.count) else {
      throw failure(.outOfRange(field: "channel_id"))
    }
    var metadata = RecordBytes()
    metadata.append("source")
    metadata.append(key.source)
    var content = RecordBytes()
    content.append(id)
    content.append(try schema(key.schemaName))
    content.append(key.topic)
    content.append("msgpack")
    content.append(sized: metadata.bytes)
    waiting.append(record: Format.Opcode.channel, content)
    channels[key] = id
    return id
  }

  /// The number 0 means none.
  private func schema(_ name: String) throws(BagError) -> UInt16 {
    guard !name.isEmpty else { return 0 }
    if let known = schemas[name] { return known }
    let text = schemaTexts[name] ?? []
    guard let id = UInt16(exactly: schemas.count + 1), name.utf8.count <= Int(UInt32.max),
      text.count <= Int(UInt32.max)
    else { throw failure(.outOfRange(field: "schema")) }
    var content = RecordBytes()
    content.append(id)
    content.append(name)
    content.append(text.isEmpty ? "" : "jsonschema")
    content.append(sized: text)
    waiting.append(record: Format.Opcode.schema, content)
    schemas[name] = id
    return id
  }

  private func flush() throws(BagError) {
    guard let open = file else { throw failure(.closed) }
    let bytes = waiting.bytes
    waiting.removeAll()
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes {
        Glibc.write(open, $0.baseAddress?.advanced(by: done), $0.count - done)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw abandon("write") }
      done += count
      written += count
    }
  }

  /// What follows half a record could not be read, so the first failure is the last write.
  private func abandon(_ action: String) -> BagError {
    let code = errno
    if let file { Glibc.close(file) }
    file = nil
    return failure(.system(action: action, code: code))
  }

  private func failure(_ reason: BagError.Reason) -> BagError {
    BagError(reason: reason, path: path, byteOffset: written + waiting.bytes.count)
  }
}
