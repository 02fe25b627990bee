public import Foundations
public import Stage

/// A message to be sent: its destination, the contents of its header, and the payload's bytes.
public struct PublishedMessage: Hashable, Sendable {
  /// nil for a topic of the system, `_clock`.
  public var vehicle: String?
  /// Topic without the vehicle.
  public var topic: String
  public var stamp: Instant
  /// Name of the node that published it.
  public var source: String
  public var run: UInt64
  public var sequence: UInt64
  /// `location_raw/1.0`; empty if the contract does not contain the topic.
  public var schema: String
  public var key: String?
  public var ttlMS: UInt32?
  public var cause: Cause?
  public var payload: [UInt8]

  /// The name on the bus: `ego/location/raw`, `_clock`.
  public var name: String { vehicle.map { "\($0)/\(topic)" } ?? topic }

  /// The message as received by a stage that reads it.
  public var inbound: EncodedMessage {
    EncodedMessage(
      topic: topic, stamp: stamp, source: source, run: run, sequence: sequence, key: key,
      payload: payload)
  }
}
