import Documents
import Foundation
import Foundations
import MessagePack
import Stage

/// The texts of the live link: messages of the stack as JSON, and requests of the page.
enum LiveText {
  /// `{"topic": …, "stamp": ns, "sent": ms, "payload": {…}}`; the payload of a deleted state is null.
  ///
  /// `sent` is on a monotonic clock of this process. With it a page knows how fast event time runs,
  /// even if texts have waited for a busy browser.
  static func text(of message: EncodedMessage) -> String {
    text(of: message, payload: payload(message.payload))
  }

  /// The same with another payload.
  static func text(of message: EncodedMessage, payload: MessagePackValue) -> String {
    var entries: [MessagePackValue.Entry] = [
      .init("topic", .string(message.topic)), .init("stamp", .int(message.stamp.nanoseconds)),
      .init("sent", .double(ProcessInfo.processInfo.systemUptime * 1000)),
    ]
    if let key = message.key { entries.append(.init("key", .string(key))) }
    entries.append(.init("payload", payload))
    return MessagePackValue.map(entries).json()
  }

  /// A message of the renderer itself: `{"topic": …, "payload": {…}}`.
  static func message(topic: String, payload: MessagePackValue) -> String {
    MessagePackValue.map([.init("topic", .string(topic)), .init("payload", payload)]).json()
  }

  /// The topic that tells pages of tiles from another map; not a topic of the stack.
  static let mapTopic = "_map"

  static func mapChanged(to name: String) -> String {
    message(topic: mapTopic, payload: .map([.init("map", .string(name))]))
  }

  /// The topic of the renderer's heartbeat; not a topic of the stack.
  static let aliveTopic = "_alive"
  /// Seconds between two heartbeats; a page reports a renderer from which it hears nothing.
  static let aliveS = 1

  static func alive(isBusConnected: Bool) -> String {
    message(topic: aliveTopic, payload: .map([.init("bus", .bool(isBusConnected))]))
  }

  static func payload(_ bytes: [UInt8]) -> MessagePackValue {
    guard !bytes.isEmpty, let value = try? MessagePackValue(decoding: bytes) else { return .null }
    return value
  }

  static func reply(_ id: Int64, payload: MessagePackValue) -> String {
    MessagePackValue.map([
      .init("id", .int(id)), .init("ok", .bool(true)), .init("payload", payload),
    ]).json()
  }

  static func refusal(_ id: Int64?, _ error: CallError) -> String {
    MessagePackValue.map([
      .init("id", id.map { .int($0) } ?? .null), .init("ok", .bool(false)),
      .init(
        "error",
        .map([
          .init("code", .string(error.code)), .init("message", .string(error.message)),
          .init("field", error.field.map { .string($0) } ?? .null),
        ])),
    ]).json()
  }
}

/// A request of a page: `{"id": 7, "call": "navigate/start", "payload": {…}}`.
struct LiveCommand {
  let id: Int64
  let call: String
  let payload: MessagePackValue?

  init(_ text: String) throws(CallError) {
    guard let json = try? JSONReader.value(Array(text.utf8)),
      let id = json["id"]?.integer, let call = json["call"]?.string
    else {
      throw CallError(
        code: "invalid", message: "a command is a JSON object with id, call and payload")
    }
    self.id = id
    self.call = call
    payload = json["payload"].map { MessagePackValue($0) }
  }
}
