public import BusProtocol

/// Iterates over recorded messages of the bus, each with its complete header.
public final class FrameCursor {
  enum Source {
    case indexed(BagReader, BagCursor)
    case streamed(BagStream)
  }

  private let source: Source
  private let isWanted: (String) -> Bool
  private let times: ClosedRange<UInt64>
  /// A message that waits for its trace, which would come next.
  private var pending: (message: BagMessage, channel: Channel)?
  private var channels: [UInt16: Channel] = [:]
  private var failed: BagError?

  /// The class of the last message's topic, as stored in the file; nil if it is not stored.
  public private(set) var deliveryClass: DeliveryClass?
  /// The encoding of the last message's payload: `msgpack` in recordings of this project, `cdr` in
  /// those of ROS 2.
  public private(set) var messageEncoding = ""

  private struct Channel {
    var topic: String
    var source: String
    var run: UInt64
    var schema: String
    var messageEncoding: String
    var deliveryClass: DeliveryClass?
    var isWanted: Bool
  }

  init(_ source: Source, _ isWanted: @escaping (String) -> Bool, _ times: ClosedRange<UInt64>) {
    self.source = source
    self.isWanted = isWanted
    self.times = times
  }

  /// Returns the next message, or nil after the last.
  ///
  /// - Throws: `BagError` after all messages before the damage were returned; `isTruncation` tells
  ///   whether the file just ends, as after its writer was killed.
  public func next() throws(BagError) -> RecordedFrame? {
    while true {
      let message: BagMessage?
      do throws(BagError) {
        if let failed { throw failed }
        message = try nextMessage()
      } catch {
        failed = error
        if let last = recordedFrame(trace: nil) { return last }
        throw error
      }
      guard let message else { return recordedFrame(trace: nil) }
      guard times.contains(message.logTimeNS) else { continue }
      let channel = channel(message.channelID)
      if channel.topic == FrameTrace.topic {
        if let given = recordedFrame(trace: message) { return given }
        continue
      }
      let given = recordedFrame(trace: nil)
      if channel.isWanted { pending = (message, channel) }
      if let given { return given }
    }
  }

  private func nextMessage() throws(BagError) -> BagMessage? {
    switch source {
    case .indexed(_, let cursor): try cursor.next()
    case .streamed(let stream): try stream.nextMessage()
    }
  }

  /// Returns the waiting message.
  ///
  /// Its header is that of its trace, or else made from its record and channel.
  private func recordedFrame(trace: BagMessage?) -> RecordedFrame? {
    guard let (message, channel) = pending else { return nil }
    pending = nil
    deliveryClass = channel.deliveryClass
    messageEncoding = channel.messageEncoding
    var header = Header(
      sequence: UInt64(max(1, message.sequence)), stampNS: Int64(clamping: message.publishTimeNS),
      source: channel.source, run: channel.run, schema: channel.schema)
    if let trace, trace.sequence == message.sequence, trace.logTimeNS == message.logTimeNS,
      let whole = FrameTrace.header(trace.payload, topic: channel.topic)
    {
      header = whole
    }
    return RecordedFrame(
      logTimeNS: Int64(clamping: message.logTimeNS),
      frame: Frame(topic: channel.topic, header: header, payload: message.payload))
  }

  private func channel(_ id: UInt16) -> Channel {
    if let known = channels[id] { return known }
    let (record, schema) =
      switch source {
      case .indexed(let reader, _):
        (
          reader.summary.channels[id],
          reader.summary.channels[id].flatMap { reader.summary.schemas[$0.schemaID] }
        )
      case .streamed(let stream):
        (stream.channels[id], stream.channels[id].flatMap { stream.schemas[$0.schemaID] })
      }
    let topic = record?.topic ?? ""
    let source = record?.metadata["source"] ?? ""
    let channel = Channel(
      topic: topic, source: source.isEmpty ? "recorded" : source,
      run: record?.metadata["run"].flatMap { UInt64($0) } ?? 0, schema: schema?.name ?? "",
      messageEncoding: record?.messageEncoding ?? "",
      deliveryClass: record?.metadata["class"].flatMap { DeliveryClass(rawValue: $0) },
      isWanted: isWanted(topic))
    channels[id] = channel
    return channel
  }
}
