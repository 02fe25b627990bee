public import MessagePack

/// A field whose recorded and current values differ.
public struct FieldDifference: Hashable, Sendable {
  /// Path of the field, such as `maneuvers[0].distance_m`; empty for the whole value.
  public var path: String
  /// nil if the field is absent.
  public var then: MessagePackValue?
  public var now: MessagePackValue?

  /// Compares two values recursively; returns at most `limit` fields.
  public static func list(
    _ then: MessagePackValue, _ now: MessagePackValue, limit: Int = 20
  ) -> [FieldDifference] {
    var found: [FieldDifference] = []
    walk(then, now, "", limit, &found)
    return found
  }

  private static func walk(
    _ then: MessagePackValue?, _ now: MessagePackValue?, _ path: String, _ limit: Int,
    _ found: inout [FieldDifference]
  ) {
    guard then != now, found.count < limit else { return }
    switch (then, now) {
    case (.map(let a)?, .map(let b)?):
      let keys = a.map(\.key) + b.map(\.key).filter { key in !a.contains { $0.key == key } }
      for key in keys {
        walk(then?[key], now?[key], path.isEmpty ? key : "\(path).\(key)", limit, &found)
      }
    case (.array(let a)?, .array(let b)?):
      for index in 0..<max(a.count, b.count) {
        walk(then?[index], now?[index], "\(path)[\(index)]", limit, &found)
      }
    default: found.append(FieldDifference(path: path, then: then, now: now))
    }
  }

  /// A line for people: `speed_mps: 12.5 m/s then, 12.6 m/s now`.
  public var text: String {
    "\(path.isEmpty ? "payload" : path): \(word(then)) before, \(word(now)) now"
  }

  private func word(_ value: MessagePackValue?) -> String {
    guard let value else { return "absent" }
    let full = value.json()
    let short = full.count > 100 ? full.prefix(100) + "…" : full[...]
    return unit.isEmpty ? String(short) : "\(short) \(unit)"
  }

  /// Keys end in their unit.
  private static let units = [
    "m": "m", "s": "s", "ms": "ms", "mps": "m/s", "deg": "°", "ns": "ns", "t": "t",
    "bytes": "bytes", "hz": "Hz",
  ]

  private var unit: String {
    let key = path.split(separator: ".").last?.prefix { $0 != "[" } ?? ""
    guard let suffix = key.split(separator: "_").last, suffix != key || key == "m" else {
      return ""
    }
    return Self.units[String(suffix)] ?? ""
  }
}
