public import BusProtocol
import Foundation
public import HTTP
import Synchronization

/// Serves topics of a bus to Foxglove with its WebSocket protocol, version 1.
///
/// A topic is subscribed to while a client asks for it. Source: github.com/foxglove/ws-protocol, docs/spec.md.
public final class FoxgloveBridge: LiveChannel {
  /// A channel with its number and its topic on the bus.
  struct Entry: Sendable {
    let id: UInt32
    let topic: String
    let isState: Bool
    let channel: FoxgloveChannel
  }

  public let subprotocols = ["foxglove.websocket.v1", "foxglove.sdk.v1"]
  private let entries: [Entry]
  private let idByTopic: [String: UInt32]
  private let greeting: [String]
  private let clientLimit: Int
  private let began: @Sendable (String) -> Void
  private let ended: @Sendable (String) -> Void
  private let state = Mutex(State())

  private struct State {
    var sessions: [ObjectIdentifier: FoxgloveSession] = [:]
    /// Sessions that subscribe to each channel.
    var readers: [UInt32: Int] = [:]
    /// Last values of the states that have subscribers, by key.
    var lastStates: [UInt32: [String: [UInt8]]] = [:]
    var isClosed = false
  }

  /// A topic that is offered.
  public struct Offer: Sendable {
    public var topic: String
    public var schema: String
    public var isState: Bool

    public init(topic: String, schema: String, isState: Bool) {
      self.topic = topic
      self.schema = schema
      self.isState = isState
    }
  }

  /// Creates a bridge without clients.
  ///
  /// `name` is shown to people; `session` differs at each start. `began` and `ended` are called
  /// when a topic gets its first reader and when its last one has left.
  public init(
    name: String, session: String, offers: [Offer], clientLimit: Int = 32,
    began: @escaping @Sendable (String) -> Void, ended: @escaping @Sendable (String) -> Void
  ) {
    entries = offers.enumerated().map { index, offer in
      Entry(
        id: UInt32(index + 1), topic: offer.topic, isState: offer.isState,
        channel: FoxgloveChannel(topic: offer.topic, schema: offer.schema))
    }
    idByTopic = Dictionary(
      entries.map { ($0.topic, $0.id) }, uniquingKeysWith: { first, _ in first })
    self.clientLimit = clientLimit
    self.began = began
    self.ended = ended
    greeting = [Self.serverInfo(name, session), Self.advertise(entries)]
  }

  private static func text(_ object: [String: Any]) -> String {
    let data = try? JSONSerialization.data(
      withJSONObject: object, options: [.sortedKeys, .withoutEscapingSlashes])
    return data.map { String(decoding: $0, as: UTF8.self) } ?? "{}"
  }

  private static func serverInfo(_ name: String, _ session: String) -> String {
    text([
      "op": "serverInfo", "name": name, "capabilities": [String](), "metadata": [String: String](),
      "sessionId": session,
    ])
  }

  private static func advertise(_ entries: [Entry]) -> String {
    text([
      "op": "advertise",
      "channels": entries.map { entry in
        [
          "id": Int(entry.id), "topic": entry.channel.topic, "encoding": "json",
          "schemaName": entry.channel.schemaName, "schema": entry.channel.schema,
          "schemaEncoding": "jsonschema",
        ] as [String: Any]
      },
    ])
  }

  static func status(_ message: String) -> String {
    text(["op": "status", "level": 1, "message": message])
  }

  public func join(
    _ request: WebRequest, _ wake: @escaping @Sendable () -> Void
  ) -> (any LiveSession)? {
    state.withLock { state in
      guard !state.isClosed, state.sessions.count < clientLimit else { return nil }
      let session = FoxgloveSession(self, greeting, wake)
      state.sessions[ObjectIdentifier(session)] = session
      return session
    }
  }

  /// Sends a message to the clients that subscribe to its topic; `receivedNS` is its time of
  /// arrival, nanoseconds since 1970.
  public func publish(_ frame: Frame, receivedNS: Int64) {
    guard let entry = entry(of: frame.topic), let json = entry.channel.json(frame) else { return }
    var stamped = (0..<8).map { UInt8(truncatingIfNeeded: receivedNS >> (8 * $0)) }
    stamped += json.utf8
    let sessions = state.withLock { state -> [FoxgloveSession] in
      guard state.readers[entry.id] != nil else { return [] }
      if entry.isState {
        state.lastStates[entry.id, default: [:]][frame.header.key ?? ""] = stamped
      }
      return Array(state.sessions.values)
    }
    for session in sessions { session.put(stamped, of: entry.id) }
  }

  private func entry(of topic: String) -> Entry? {
    idByTopic[topic].map { entries[Int($0) - 1] }
  }

  /// Adds a reader of a channel; returns the last values, or nil for an unknown channel.
  func subscribe(_ channel: UInt32) -> [[UInt8]]? {
    guard channel > 0, Int(channel) <= entries.count else { return nil }
    let (isFirst, values) = state.withLock { state in
      let count = state.readers[channel, default: 0] + 1
      state.readers[channel] = count
      let values = state.lastStates[channel, default: [:]].sorted { $0.key < $1.key }.map(\.value)
      return (count == 1, values)
    }
    if isFirst { began(entries[Int(channel) - 1].topic) }
    return values
  }

  func unsubscribe(_ channel: UInt32) {
    let isLast = state.withLock { state in
      let count = state.readers[channel, default: 1] - 1
      state.readers[channel] = count > 0 ? count : nil
      if count == 0 { state.lastStates[channel] = nil }
      return count == 0
    }
    if isLast { ended(entries[Int(channel) - 1].topic) }
  }

  func leave(_ session: FoxgloveSession) {
    state.withLock { $0.sessions[ObjectIdentifier(session)] = nil }
  }

  /// Ends every client's connection.
  public func close() {
    let sessions = state.withLock { state in
      state.isClosed = true
      return Array(state.sessions.values)
    }
    for session in sessions { session.close() }
  }
}
