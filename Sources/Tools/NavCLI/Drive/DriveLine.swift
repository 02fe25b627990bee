import Foundation
import Foundations
import Harness
import MessagePack
import Messages

/// Formats one line for each event of a drive, with the facts that matter to people.
enum DriveLine {
  // Long fields, or fields that are part of another line.
  private static let omitted: Set<String> = [
    "route", "location", "ssml", "evidence", "segment", "expires_ns", "key", "lat_deg", "lon_deg",
    "matched_lat_deg", "matched_lon_deg", "last_lat_deg", "last_lon_deg", "started_ns", "ended_ns",
  ]

  /// States that change at places of the drive; the others are long, or belong to other nodes.
  private static let states: Set<String> = [
    RouteActive.topic, GuidanceRoad.topic, GuidanceSpeed.topic, GuidanceLanes.topic,
    GuidanceTraffic.topic, Session.topic,
  ]

  /// nil for streams and for the system's topics.
  static func text(_ message: PublishedMessage) -> String? {
    guard !message.topic.hasPrefix("_"),
      let declaration = Topics.declaration(of: message.topic),
      declaration.deliveryClass == .event || states.contains(message.topic),
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
      .filter { $0.value != .bool(false) && $0.value != .array([]) }
      .map { "\($0.key)=\(words($0.key, $0.value))" }.joined(separator: " ")
  }

  /// Roads, lanes and incidents in short form; all other values unchanged.
  private static func words(_ key: String, _ value: MessagePackValue) -> String {
    switch (key, value) {
    case ("road", .map(let entries)):
      let names = ["name", "number", "road_class"].compactMap { value[$0] }
        .map { rounded($0) }.filter { $0 != "\"\"" }
      let marks = entries.filter { $0.value == .bool(true) }.map(\.key)
      return "(" + (names + marks).joined(separator: " ") + ")"
    case ("lanes", .array(let lanes)): return lanes.map { lane($0) }.joined(separator: "|")
    case ("incidents", .array(let list)):
      return list.map { fields($0, only: ["id", "kind", "start_m"]) }.joined(separator: "; ")
    default: return rounded(value)
    }
  }

  // Arrows, and the suitability of the lane: `through;right+`.
  private static func lane(_ lane: MessagePackValue) -> String {
    var text = ""
    if case .array(let arrows)? = lane["directions"] {
      text = arrows.compactMap { if case .string(let word) = $0 { word } else { nil } }
        .joined(separator: ";")
    }
    switch lane["recommendation"] {
    case .string("recommended"): return text + "+"
    case .string("highly_recommended"): return text + "++"
    default: return text
    }
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
