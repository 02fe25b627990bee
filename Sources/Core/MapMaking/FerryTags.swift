/// How long a crossing takes.
enum FerryTags {
  /// Seconds of `duration`: `20`, `00:20`, `1:05:00`, `PT20M`, `PT1H5M`; nil where it cannot be read.
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
