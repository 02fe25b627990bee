/// The chunk that is being filled: records, and the position of each message.
struct ChunkBuilder {
  private(set) var records = RecordBytes()
  private(set) var startTimeNS: UInt64 = 0
  private(set) var endTimeNS: UInt64 = 0
  private(set) var messageCount = 0
  /// By channel; reused from chunk to chunk, so that memory is allocated once.
  private var entries: [[IndexEntry]] = []
  private var touched: [UInt16] = []

  /// The channels with messages in this chunk, in order of their first one.
  var channels: [UInt16] { touched }

  func index(of channel: UInt16) -> [IndexEntry] { entries[Int(channel)] }

  mutating func append(_ schema: BagSchema) { records.append(schema) }

  mutating func append(_ channel: BagChannel) { records.append(channel) }

  mutating func append(_ message: BagMessage) {
    let channel = Int(message.channelID)
    if channel >= entries.count {
      entries.append(contentsOf: repeatElement([], count: channel + 1 - entries.count))
    }
    if entries[channel].isEmpty { touched.append(message.channelID) }
    entries[channel].append(
      IndexEntry(logTimeNS: message.logTimeNS, offset: UInt64(records.count)))
    startTimeNS = messageCount == 0 ? message.logTimeNS : min(startTimeNS, message.logTimeNS)
    endTimeNS = messageCount == 0 ? message.logTimeNS : max(endTimeNS, message.logTimeNS)
    messageCount += 1
    records.append(message)
  }

  mutating func removeAll() {
    records.removeAll()
    for channel in touched { entries[Int(channel)].removeAll(keepingCapacity: true) }
    touched.removeAll(keepingCapacity: true)
    messageCount = 0
  }
}
