/// The meaning of a column name, such as `Latitude`, `GPS speed [km/h]` or `timestampMs`.
struct CSVColumnName {
  enum Kind: Hashable {
    case time, day, lat, lon, trip, speed, bearing, accuracy, altitude
  }

  /// The kind of value; nil for an unknown name.
  private(set) var kind: Kind?
  /// Factor that converts the column's unit to metres, degrees or metres per second.
  private(set) var factor = 1.0
  private(set) var timeUnit: EpochUnit?
  /// Whether the unit is known or implied.
  private(set) var isUnderstood = false
  /// Preference among columns of the same kind; the one with the lowest rank is read.
  private(set) var rank = 0

  private static let kinds: [String: Kind] = {
    let names: [(Kind, String)] = [
      (
        .time,
        "time timestamp time_stamp datetime date_time utc_time time_utc utc epoch unix_time unixtime"
      ),
      (
        .time,
        "unix iso_time isotime fix_time location_time recorded_at ts tst time_iso posix_time t"
      ),
      (.day, "date day utc_date date_utc"),
      (.lat, "lat latitude"), (.lon, "lon long lng longitude"),
      (.trip, "trip trip_id tripid track_id trackid journey_id vehicle vehicle_id"),
      (.speed, "speed velocity vel ground_speed groundspeed speed_over_ground sog"),
      (.bearing, "bearing heading course course_over_ground cog track_angle azimuth direction"),
      (.accuracy, "accuracy acc horizontal_accuracy accuracy_horizontal hacc h_acc hor_accuracy"),
      (.altitude, "altitude alt ele elevation height"),
    ]
    var kinds: [String: Kind] = [:]
    for (kind, words) in names {
      for word in words.split(separator: " ") { kinds[String(word)] = kind }
    }
    return kinds
  }()

  /// Prefixes that do not change the meaning of a name.
  private static let prefixes: Set<String> = ["gps", "gnss", "location", "position", "fix", "pos"]

  private static let speedUnits = [
    "mps": 1.0, "m_s": 1, "ms": 1, "kmh": 1 / 3.6, "km_h": 1 / 3.6, "kph": 1 / 3.6, "kmph": 1 / 3.6,
    "mph": 0.447_04, "kn": 0.514_444, "kt": 0.514_444, "kts": 0.514_444, "knot": 0.514_444,
    "knots": 0.514_444,
  ]
  private static let lengthUnits = [
    "m": 1.0, "meter": 1, "meters": 1, "metre": 1, "metres": 1, "ft": 0.3048, "feet": 0.3048,
  ]
  private static let angleUnits = [
    "deg": 1.0, "degree": 1, "degrees": 1, "rad": 180 / Double.pi, "e7": 1e-7, "wgs84": 1,
  ]
  private static let timeUnits: [String: EpochUnit?] = [
    "s": .seconds, "sec": .seconds, "seconds": .seconds, "ms": .milliseconds, "msec": .milliseconds,
    "millis": .milliseconds, "milliseconds": .milliseconds, "us": .microseconds,
    "micros": .microseconds, "ns": .nanoseconds, "nanos": .nanoseconds, "utc": nil, "gmt": nil,
    "iso": nil, "z": nil,
  ]

  init(_ text: String) {
    var words = Self.words(text)
    // A column of trips takes precedence over one of vehicles.
    if words.first == "vehicle" { rank += 1 }
    if words.count > 1, Self.prefixes.contains(words[0]),
      Self.kinds[words.joined(separator: "_")] == nil
    {
      words.removeFirst()
      rank += 1
    }
    // Try the whole name first, then the name without a unit of one or two words at its end.
    for unitLength in 0...2 where unitLength < words.count {
      guard let kind = Self.kinds[words.dropLast(unitLength).joined(separator: "_")] else {
        continue
      }
      setUnit(kind, unit: words.suffix(unitLength).joined(separator: "_"))
      if isUnderstood || unitLength == 0 { self.kind = kind }
      if isUnderstood { return }
    }
  }

  private mutating func setUnit(_ kind: Kind, unit: String) {
    switch kind {
    case .time:
      isUnderstood = unit.isEmpty || Self.timeUnits[unit] != nil
      timeUnit = Self.timeUnits[unit] ?? nil
    case .lat, .lon, .bearing: setFactor(unit, Self.angleUnits)
    case .accuracy, .altitude: setFactor(unit, Self.lengthUnits)
    case .speed:
      // A speed without a unit could be in any unit, and a wrong one would mislead the matcher.
      factor = Self.speedUnits[unit] ?? 1
      isUnderstood = Self.speedUnits[unit] != nil
    case .trip, .day: isUnderstood = unit.isEmpty
    }
  }

  private mutating func setFactor(_ unit: String, _ units: [String: Double]) {
    factor = units[unit] ?? 1
    isUnderstood = unit.isEmpty || units[unit] != nil
  }

  /// Splits a name into lower-case words at punctuation, at blanks and before capital letters.
  private static func words(_ text: String) -> [String] {
    var words: [String] = []
    var word = ""
    var wasSmall = false
    for character in text {
      if character == "°" {
        if !word.isEmpty { words.append(word) }
        words.append("deg")
        word = ""
      } else if !character.isLetter, !character.isNumber {
        if !word.isEmpty { words.append(word) }
        word = ""
      } else {
        if character.isUppercase, wasSmall, !word.isEmpty {
          words.append(word)
          word = ""
        }
        word += character.lowercased()
      }
      wasSmall = character.isLowercase
    }
    if !word.isEmpty { words.append(word) }
    return words
  }
}
