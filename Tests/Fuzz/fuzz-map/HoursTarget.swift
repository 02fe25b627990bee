import Foundations
import Fuzzing
import Geodesy
import OpeningHours
import RoadGraph

/// Opening hours as mappers write them.
struct HoursTarget: FuzzTarget {
  static let name = "hours"
  static let about = "opening hours: refused at a byte, or judged at any moment"

  private let texts: [[UInt8]]

  init(_ corpus: Corpus) { texts = HoursTexts.hours.map { Array($0.utf8) } }

  mutating func make(_ dice: inout Dice) -> [[UInt8]] {
    var text = dice.pick(texts)
    ByteMutation.spoil(&text, with: texts, &dice)
    return [text, [dice.byte(), dice.byte(), dice.byte(), dice.byte()]]
  }

  mutating func run(_ input: [[UInt8]]) throws(Broken) -> String {
    let text = String(decoding: input[0], as: UTF8.self)
    do throws(HoursFault) {
      let hours = try OpeningHours(text)
      _ = hours.state(at: HoursTexts.moment(input[1]))
      return "read"
    } catch {
      try promise(
        error.byte >= 0 && error.byte <= text.utf8.count,
        "byte \(error.byte) of \(text.utf8.count): \(text)")
      return "refused"
    }
  }
}

/// Conditional tags.
struct ConditionTarget: FuzzTarget {
  static let name = "conditions"
  static let about = "conditional tags and the rules of map files: refused at a byte, or judged"

  private let texts: [[UInt8]]

  init(_ corpus: Corpus) {
    let values = HoursTexts.hours.map { "no @ (\($0))" } + HoursTexts.conditions
    texts = values.map { Array($0.utf8) }
  }

  mutating func make(_ dice: inout Dice) -> [[UInt8]] {
    var text = dice.pick(texts)
    ByteMutation.spoil(&text, with: texts, &dice)
    return [text, [dice.byte(), dice.byte(), dice.byte(), dice.byte()]]
  }

  mutating func run(_ input: [[UInt8]]) throws(Broken) -> String {
    let text = String(decoding: input[0], as: UTF8.self)
    let here = Circumstances(moment: HoursTexts.moment(input[1]), measures: [.weight: 8])
    let parts: [ConditionalValue]
    do throws(HoursFault) {
      parts = try ConditionalValue.parse(text)
    } catch {
      try promise(
        error.byte >= 0 && error.byte <= text.utf8.count,
        "byte \(error.byte) of \(text.utf8.count): \(text)")
      return "refused"
    }
    for part in parts where !part.text.utf8.contains(10) {
      let rule = RoadRule(
        modes: .all, effect: .access(.no), condition: part.condition, when: part.text)
      // What is read must come back from a map file, and judge the same.
      let again = RoadRule(line: rule.line)
      try promise(
        again?.condition.holds(here) == part.condition.holds(here),
        "does not come back: \(rule.line)")
    }
    return "read"
  }
}

enum HoursTexts {
  static let hours = [
    "24/7", "Mo-Fr 07:00-09:00,16:00-18:00; PH off", "Sa-Su 22:00-03:00", "sunrise-sunset",
    "(sunset-01:00)-(sunrise+01:00)", "Jun 15-Sep 15 08:00-20:00", "week 1-10/2,20 Mo",
    "2024-2030/2", "2025 Dec 20-2026 Mar 3: Mo[1,-1] +1 day 10:00+", "easter -2 days-easter +1 day",
    "SH Mo-Fr 07:00-16:00 || \"by appointment\"", "10:00-16:00/01:30", "Dec 25 -Su off",
  ]

  static let conditions = [
    "80 @ wet; 100 @ (22:00-06:00)", "no @ (weight>7.5 t AND Mo-Sa)",
    "destination @ (height<=12 ft)",
    "yes @ (permit_holder)", "none @ (19:00-06:00);",
  ]

  /// Any moment of two centuries, anywhere.
  static func moment(_ bytes: [UInt8]) -> LocalMoment {
    let dice = (0..<4).map { $0 < bytes.count ? Int(bytes[$0]) : 0 }
    return LocalMoment(
      date: CivilDate(day: dice[0] * 286 + dice[1]), minute: (dice[1] * 256 + dice[2]) % 1440,
      latitudeDeg: Double(dice[3]) - 128, longitudeDeg: Double(dice[2]) * 1.5 - 190,
      country: dice[3] % 2 == 0 ? "PT" : nil)
  }
}

/// Encoded polylines.
struct PolylineTarget: FuzzTarget {
  static let name = "polyline"
  static let about = "encoded polylines: refused, or places that come back"

  private let texts: [[UInt8]]

  init(_ corpus: Corpus) {
    let line = (0..<9).map { Coordinate(latitudeDeg: 41 + Double($0) / 7, longitudeDeg: -8.6) }
    texts = [Array(EncodedPolyline.encode(line).utf8), Array("_p~iF~ps|U_ulLnnqC_mqNvxq`@".utf8)]
  }

  mutating func make(_ dice: inout Dice) -> [[UInt8]] {
    var text = dice.pick(texts)
    ByteMutation.spoil(&text, with: texts, &dice)
    return [text]
  }

  mutating func run(_ input: [[UInt8]]) throws(Broken) -> String {
    do {
      let line = try EncodedPolyline.decode(String(decoding: input[0], as: UTF8.self))
      let again = try EncodedPolyline.decode(EncodedPolyline.encode(line))
      try promise(again == line, "\(line.count) places do not come back")
      return "read"
    } catch let broken as Broken {
      throw broken
    } catch {
      return "refused"
    }
  }
}
