/// One recorded message: the bytes as they were on the bus, and what says where they come from.
public struct BagMessage: Hashable, Sendable {
  public var topic: String
  /// The node that sent it; "" when the file does not say.
  public var source: String
  /// The name of the payload's schema, such as `location_raw/1.0`; "" when unknown.
  public var schemaName: String
  /// The sender's number; a file holds 32 bits of it, and no more are written.
  public var sequence: UInt64
  /// When it was recorded, in nanoseconds; not negative.
  public var logTimeNS: Int64
  /// When it was sent, in nanoseconds; not negative.
  public var publishTimeNS: Int64
  /// MessagePack, not looked into.
  public var payload: [UInt8]

  public init(
    topic: String, source: String, schemaName: String, sequence: UInt64, logTimeNS: Int64,
    publishTimeNS: Int64, payload: [UInt8]
  ) {
    self.topic = topic
    self.source = source
    self.schemaName = schemaName
    self.sequence = sequence
    self.logTimeNS = logTimeNS
    self.publishTimeNS = publishTimeNS
    self.payload = payload
  }
}
