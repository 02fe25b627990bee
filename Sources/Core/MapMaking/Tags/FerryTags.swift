import OpeningHours
import RoadGraph

/// The timetable of a ferry or car train: crossing time, waiting time, and hours of operation.
///
/// https://wiki.openstreetmap.org/wiki/Tag:route=ferry
struct FerryTags {
  /// Seconds of the whole crossing; nil if it follows from the speed.
  private(set) var crossingS: Double?
  /// The mean wait, half of the interval between two departures, in seconds; 0 if no interval is
  /// known.
  private(set) var boardingS = 0.0
  /// Rules that apply only at times, in the order in which they are applied: closed hours last.
  private(set) var rules: [RoadRule] = []
  /// Keys with unreadable values, for the report.
  private(set) var unreadable: [String] = []

  init(_ tags: OSMTags) {
    crossingS = seconds("duration", tags)
    boardingS = (seconds("interval", tags) ?? 0) / 2
    let durations = conditionals("duration", tags)
    // A ferry whose durations all depend on the season uses the first one.
    if crossingS == nil { crossingS = durations.first?.seconds }
    if let usual = crossingS {
      rules += durations.map { seconds, part in
        Self.rule(.crossing(factor: seconds / usual), part.condition, part.text)
      }
    }
    rules += conditionals("interval", tags).map { seconds, part in
      Self.rule(.boarding(seconds: seconds / 2), part.condition, part.text)
    }
    addHours(tags)
  }

  private static func rule(
    _ effect: RoadRule.Effect, _ condition: Condition, _ text: String
  ) -> RoadRule {
    RoadRule(modes: .all, effect: effect, condition: condition, when: text)
  }

  private mutating func seconds(_ key: String, _ tags: OSMTags) -> Double? {
    guard let value = tags[key] else { return nil }
    let seconds = Self.durationS(value)
    if seconds == nil { unreadable.append(key) }
    return seconds
  }

  private mutating func conditionals(
    _ key: String, _ tags: OSMTags
  ) -> [(seconds: Double, part: ConditionalValue)] {
    let key = key + ":conditional"
    guard let value = tags[key] else { return [] }
    guard let parts = try? ConditionalValue.parse(value) else {
      unreadable.append(key)
      return []
    }
    let read = parts.compactMap { part in Self.durationS(part.value).map { ($0, part) } }
    if read.count < parts.count { unreadable.append(key) }
    return read
  }

  /// Closes a ferry outside its opening hours.
  private mutating func addHours(_ tags: OSMTags) {
    guard let value = tags["opening_hours"] else { return }
    // Rules are stored line by line, so a comment must not contain line breaks.
    let text = String(
      decoding: value.utf8.map { $0 < 0x20 ? 0x20 : $0 }, as: UTF8.self)
    guard let outside = (try? Condition(text))?.outside else {
      unreadable.append("opening_hours")
      return
    }
    if text != "24/7" { rules.append(Self.rule(.access(.no), outside, text)) }
  }

  /// Seconds of `duration`: `20`, `00:20`, `1:05:00`, `PT20M`, `PT1H5M`; nil if it cannot be read.
  static func durationS(_ value: String?) -> Double? {
    guard let value, !value.isEmpty else { return nil }
    if value.hasPrefix("P") { return isoDurationS(value) }
    let fields = value.split(separator: ":", omittingEmptySubsequences: false).map {
      Double(trimmed($0))
    }
    guard fields.allSatisfy({ ($0 ?? -1) >= 0 }) else { return nil }
    let numbers = fields.compactMap { $0 }
    let seconds: Double
    switch numbers.count {
    case 1: seconds = numbers[0] * 60
    case 2: seconds = numbers[0] * 3600 + numbers[1] * 60
    case 3: seconds = numbers[0] * 3600 + numbers[1] * 60 + numbers[2]
    default: return nil
    }
    return seconds > 0 && seconds < 1e6 ? seconds : nil
  }

  private static func isoDurationS(_ value: String) -> Double? {
    var seconds = 0.0
    var digits = ""
    var isTime = false
    for letter in value.dropFirst() {
      switch letter {
      case "T": isTime = true
      case "D":
        guard let days = Double(digits) else { return nil }
        seconds += days * 86400
        digits = ""
      case "H", "M", "S":
        guard isTime, let number = Double(digits) else { return nil }
        seconds += number * (letter == "H" ? 3600 : letter == "M" ? 60 : 1)
        digits = ""
      default: digits.append(letter)
      }
    }
    return seconds > 0 && seconds < 1e6 && digits.isEmpty ? seconds : nil
  }
}
