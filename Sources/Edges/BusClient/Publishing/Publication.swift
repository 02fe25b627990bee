public import BusProtocol

/// A message to publish, before it has a number.
public struct Publication: Hashable, Sendable {
  /// The whole name, `ego/location/raw`.
  public var topic: String
  /// Event time, nanoseconds since 1970.
  public var stampNS: Int64
  public var schema: String
  public var payload: [UInt8]
  public var cause: Origin?
  /// Key of a keyed state; an empty payload deletes it.
  public var key: String?
  public var id: String?
  public var ttlMS: UInt32?
  /// Maximum event time until the next message, in milliseconds; 0 if none is promised.
  public var nextMS: UInt32?

  public init(
    topic: String, stampNS: Int64, schema: String, payload: [UInt8], cause: Origin? = nil,
    key: String? = nil, id: String? = nil, ttlMS: UInt32? = nil, nextMS: UInt32? = nil
  ) {
    self.topic = topic
    self.stampNS = stampNS
    self.schema = schema
    self.payload = payload
    self.cause = cause
    self.key = key
    self.id = id
    self.ttlMS = ttlMS
    self.nextMS = nextMS
  }
}
