import EventTime
import Foundation
import Harness
import MessagePack
import Messages

/// One line for each event of a drive, with what a person wants to know of it.
enum DriveLine {
  // Long, or said by another line.
  private static let omitted: Set<String> = [
    "route", "location", "ssml", "evidence", "lanes", "segment", "expires_ns", "key",
  ]

  /// nil for streams and for the system's topics.
  static func text(_ message: PublishedMessage) -> String? {
    guard !message.topic.hasPrefix("_"),
      let declaration = Topics.declaration(of: message.topic),
      declaration.deliveryClass == .event || message.topic == RouteActive.topic,
      let payload = try? MessagePackValue(decoding: message.payload)
    else { return nil }
    var details = fields(payload)
    if message.topic == RouteActive.topic, let route = payload["route"] {
      details += "  " + fields(route, only: ["id", "length_m", "duration_latest_s"])
    }
    return "\(time(message.stamp))  \(message.topic)  \(details)"
  }

  private static func fields(_ value: MessagePackValue, only: Set<String>? = nil) -> String {
    guard case .map(let entries) = value else { return value.json() }
    return entries.filter { only?.contains($0.key) ?? !omitted.contains($0.key) }
      .map { "\($0.key)=\(rounded($0.value))" }.joined(separator: " ")
  }

  private static func rounded(_ value: MessagePackValue) -> String {
    guard case .double(let number) = value else { return value.json() }
    return String(format: abs(number) < 200 && number != number.rounded() ? "%.2f" : "%.0f", number)
  }

  private static func time(_ stamp: Instant) -> String {
    let tenths = stamp.nanoseconds / 100_000_000
    let day = ((tenths % 864_000) + 864_000) % 864_000
    return String(
      format: "%02d:%02d:%02d.%d", day / 36_000, day / 600 % 60, day / 10 % 60, day % 10)
  }
}
