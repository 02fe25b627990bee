public import BusProtocol
import Foundations
import Stage

extension PublishedMessage {
  /// The message as it is sent; `sentNS` is the time of sending, by any clock of its sender.
  public func frame(sentNS: Int64? = nil) -> Frame {
    Frame(
      topic: name,
      header: Header(
        sequence: sequence, stampNS: stamp.nanoseconds, source: source, run: run, schema: schema,
        cause: cause.map(Origin.init), key: key, ttlMS: ttlMS, wallNS: sentNS),
      payload: payload)
  }

  /// Creates a message from a received frame.
  public init(_ frame: Frame) {
    let header = frame.header
    let (vehicle, leaf) = TopicName.split(frame.topic)
    self.init(
      vehicle: vehicle, topic: leaf, stamp: Instant(nanoseconds: header.stampNS),
      source: header.source, run: header.run, sequence: header.sequence, schema: header.schema,
      key: header.key, ttlMS: header.ttlMS,
      cause: header.cause.map {
        Cause(topic: $0.topic, source: $0.source, run: $0.run, sequence: $0.sequence)
      }, payload: frame.payload)
  }
}
