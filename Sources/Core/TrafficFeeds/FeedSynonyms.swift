import Documents
import Foundations

/// Synonyms for values in feeds.
enum FeedSynonyms {
  /// Lower case, with `_` for blanks and hyphens.
  static func plain(_ word: String) -> String {
    String(word.lowercased().map { $0 == " " || $0 == "-" ? "_" : $0 })
  }

  static let kinds: [String: IncidentKind] = {
    var kinds: [String: IncidentKind] = [:]
    for kind in IncidentKind.allCases { kinds[kind.rawValue] = kind }
    func set(_ kind: IncidentKind, _ words: String...) { for word in words { kinds[word] = kind } }
    set(.accident, "crash", "collision", "traffic_accident")
    set(.congestion, "jam", "traffic_jam", "queue", "slow_traffic", "heavy_traffic")
    set(.construction, "roadworks", "road_works", "roadwork", "works", "maintenance")
    set(.roadClosed, "closure", "closed", "road_closure")
    set(.laneRestriction, "lane_closed", "lane_closure", "lanes_closed", "contraflow")
    set(.vehicleBrokenDown, "breakdown", "broken_down_vehicle", "disabled_vehicle")
    set(.obstacle, "obstruction", "hazard", "debris", "animal", "animals")
    set(.weather, "flooding", "flood", "snow", "ice", "fog", "wind", "rain")
    set(.event, "public_event", "demonstration", "planned_event")
    set(.other, "unknown", "misc")
    return kinds
  }()

  static let impacts: [String: IncidentImpact] = [
    "lowest": .low, "low": .low, "minor": .minor, "medium": .minor, "moderate": .minor,
    "major": .major, "high": .major, "severe": .major, "critical": .critical,
    "highest": .critical, "extreme": .critical,
  ]

  static let directions: [String: FeedDirection] = [
    "along": .along, "forward": .along, "aligned": .along, "against": .against,
    "backward": .against, "opposite": .against, "both": .both, "both_directions": .both,
    "bothways": .both, "alldirections": .both, "road": .road,
  ]

  /// The bearing of `N`, `north`, `northbound` and the like; nil for other words.
  static func bearingDeg(_ word: String) -> Double? {
    var short = word.filter { $0 != "_" }
    for suffix in ["bound", "wards", "ward"] where short.hasSuffix(suffix) {
      short.removeLast(suffix.count)
      break
    }
    for (long, letter) in [("north", "n"), ("east", "e"), ("south", "s"), ("west", "w")] {
      short = short.replacing(long, with: letter)
    }
    return compass.firstIndex(of: short).map { Double($0) * 22.5 }
  }

  private static let compass = [
    "n", "nne", "ne", "ene", "e", "ese", "se", "sse", "s", "ssw", "sw", "wsw", "w", "wnw", "nw",
    "nnw",
  ]

  /// RFC 3339, or seconds or milliseconds since 1970 as a number or its text.
  static func moment(_ value: JSONValue) -> Instant? {
    if let text = value.string, let moment = TimeText.iso8601(text) { return moment }
    guard let number = value.number ?? value.string.flatMap({ Double($0) }), number >= 0 else {
      return nil
    }
    // Seconds up to the year 5138, larger numbers are milliseconds up to the same year.
    if number < 1e11 { return Instant(seconds: number) }
    return number < 1e14 ? Instant(seconds: number / 1000) : nil
  }
}
