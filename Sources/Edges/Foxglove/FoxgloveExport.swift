public import Bag
import BusProtocol

/// Writes a recording of the bus as an MCAP file of Foxglove's messages.
public enum FoxgloveExport {
  /// Counts of the messages that were written and left out.
  public struct Outcome: Hashable, Sendable {
    public var messages = 0
    /// Messages without content in Foxglove's format, such as a location without a position, by
    /// topic.
    public var leftOut: [String: Int] = [:]

    public init() {}
  }

  /// Writes the messages of `cursor` to a new file at `path`; log times, publish times and numbers
  /// are unchanged.
  ///
  /// - Throws: `BagError` for a damaged recording, and for a file that cannot be written.
  public static func write(_ cursor: FrameCursor, to path: String) throws(BagError) -> Outcome {
    var options = BagWriter.Options()
    options.profile = ""
    let writer = try BagWriter(path: path, options: options)
    var schemas: [String: UInt16] = [:]
    var channels: [Name: (channel: FoxgloveChannel, id: UInt16)] = [:]
    var outcome = Outcome()
    while let recorded = try cursor.next() {
      let frame = recorded.frame
      let name = Name(topic: frame.topic, schema: frame.header.schema)
      if channels[name] == nil {
        let channel = FoxgloveChannel(topic: frame.topic, schema: frame.header.schema)
        let schema: UInt16
        if let known = schemas[channel.schemaName] {
          schema = known
        } else {
          schema = try writer.addSchema(
            name: channel.schemaName, encoding: "jsonschema", data: Array(channel.schema.utf8))
          schemas[channel.schemaName] = schema
        }
        channels[name] = (
          channel,
          try writer.addChannel(topic: channel.topic, messageEncoding: "json", schema: schema)
        )
      }
      guard let (channel, id) = channels[name], let json = channel.json(frame) else {
        outcome.leftOut[frame.topic, default: 0] += 1
        continue
      }
      try writer.write(
        BagMessage(
          channelID: id, sequence: UInt32(truncatingIfNeeded: frame.header.sequence),
          logTimeNS: UInt64(clamping: recorded.logTimeNS),
          publishTimeNS: UInt64(clamping: frame.header.stampNS), payload: Array(json.utf8)))
      outcome.messages += 1
    }
    try writer.close()
    return outcome
  }

  private struct Name: Hashable {
    var topic: String
    var schema: String
  }
}
