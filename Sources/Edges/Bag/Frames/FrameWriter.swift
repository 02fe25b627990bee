public import BusProtocol

/// Writes the bus's messages as an MCAP file.
///
/// Payloads are unchanged, with one channel for each topic, source, run and schema.
public final class FrameWriter {
  private struct ChannelKey: Hashable {
    var topic: String
    var source: String
    var run: UInt64
    var schema: String
  }

  private let writer: BagWriter
  private let schemaText: (String) -> [UInt8]?
  private let deliveryClass: (String) -> DeliveryClass
  private var schemas: [String: UInt16] = [:]
  private var channels: [ChannelKey: UInt16] = [:]
  private var trace: UInt16?
  private var lastTimeNS: UInt64 = 0

  /// Opens `<path>.part`.
  ///
  /// `schemaText` returns the JSON Schema for a schema's name if it is known, `deliveryClass` the
  /// class of a topic.
  public init(
    path: String, options: BagWriter.Options = BagWriter.Options(),
    schemaText: @escaping (String) -> [UInt8]? = { _ in nil },
    deliveryClass: @escaping (String) -> DeliveryClass = { _ in .stream }
  ) throws(BagError) {
    writer = try BagWriter(path: path, options: options)
    self.schemaText = schemaText
    self.deliveryClass = deliveryClass
  }

  public var writtenBytes: Int { writer.writtenBytes }
  /// Number of messages so far, each trace counted as one.
  public var messageCount: UInt64 { writer.messageCount }
  public var hasOpenChunk: Bool { writer.hasOpenChunk }
  /// Number of messages, by topic, in the chunk that was not yet written to the file.
  ///
  /// They are lost if the chunk cannot be written.
  public var unwrittenMessages: [String: UInt64] {
    writer.unwrittenMessages.filter { $0.key != FrameTrace.topic }
  }

  /// Appends one message; `headerBytes` are the header as it was sent.
  ///
  /// A `logTimeNS` before that of the last message is replaced by that one's, so that the times of
  /// a file never go back.
  public func write(
    _ frame: Frame, headerBytes: [UInt8]? = nil, logTimeNS: Int64
  ) throws(BagError) {
    let header = frame.header
    let bytes = headerBytes ?? header.encoded()
    let logTime = max(lastTimeNS, UInt64(clamping: logTimeNS))
    let message = BagMessage(
      channelID: try channel(frame), sequence: UInt32(truncatingIfNeeded: header.sequence),
      logTimeNS: logTime, publishTimeNS: UInt64(clamping: header.stampNS), payload: frame.payload)
    lastTimeNS = logTime
    guard FrameTrace.isNeeded(for: header, bytes),
      let payload = FrameTrace.payload(header: bytes, topic: frame.topic)
    else { return try writer.write(message) }
    let traceChannel = try traceChannel()
    try writer.write(message, isFollowed: true)
    var follower = message
    follower.channelID = traceChannel
    follower.payload = payload
    try writer.write(follower)
  }

  public func write(_ attachment: BagAttachment) throws(BagError) { try writer.write(attachment) }

  public func write(_ metadata: BagMetadata) throws(BagError) { try writer.write(metadata) }

  /// Hands the open chunk to the system.
  public func finishChunk() throws(BagError) { try writer.finishChunk() }

  /// Waits until the finished chunks are on the disk, safe from a loss of power.
  public func synchronize() throws(BagError) { try writer.synchronize() }

  /// Finishes the file and renames it.
  public func close() throws(BagError) { try writer.close() }

  private func channel(_ frame: Frame) throws(BagError) -> UInt16 {
    let header = frame.header
    let key = ChannelKey(
      topic: frame.topic, source: header.source, run: header.run, schema: header.schema)
    if let known = channels[key] { return known }
    let id = try writer.addChannel(
      topic: frame.topic, schema: try schema(header.schema, text: schemaText(header.schema)),
      metadata: [
        "source": header.source, "run": "\(header.run)",
        "class": (header.deliveryClass ?? deliveryClass(frame.topic)).rawValue,
      ])
    channels[key] = id
    return id
  }

  private func traceChannel() throws(BagError) -> UInt16 {
    if let trace { return trace }
    let id = try writer.addChannel(
      topic: FrameTrace.topic,
      schema: try schema(FrameTrace.schemaName, text: Array(FrameTrace.schema.utf8)))
    trace = id
    return id
  }

  private func schema(_ name: String, text: [UInt8]?) throws(BagError) -> UInt16 {
    guard !name.isEmpty else { return 0 }
    if let known = schemas[name] { return known }
    let id = try writer.addSchema(
      name: name, encoding: text == nil ? "" : "jsonschema", data: text ?? [])
    schemas[name] = id
    return id
  }
}
