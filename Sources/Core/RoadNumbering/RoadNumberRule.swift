/// One row of the table of number networks: which numbers it covers, and what they are.
///
/// Written `PATTERN=NETWORK:LEVEL[:SHIELD]`.
///
/// - PATTERN: leading letters (`*` for any, `-` for none, `!` for networks that only route relations
///   name), then `#2-3` for a count of digits, `@1-99` for a range of values, `~D` for a suffix,
///   `<4` for roads whose class suggests a level below that.
/// - LEVEL: `2`, or `2-4`: the level of the road's class within these bounds, the first without one.
/// - SHIELD: `d` the digits with their suffix, `n` the digits alone, `c` all without spaces, `t` the text as it is.
struct RoadNumberRule: Sendable {
  enum Letters: Sendable, Equatable {
    case any
    case none
    case these(String)
    case unmatched
  }

  enum ShieldStyle: Character, Sendable {
    case digits = "d"
    case number = "n"
    case compact = "c"
    case text = "t"
  }

  var letters: Letters
  var digitCount: ClosedRange<Int>?
  var values: ClosedRange<Int>?
  var suffix: String?
  var belowClassLevel: Int?
  var network: String
  var levels: ClosedRange<Int>
  var shield: ShieldStyle

  /// Reads a row; nil for one that does not follow the grammar.
  init?(_ row: Substring) {
    let sides = row.split(separator: "=", maxSplits: 1)
    guard sides.count == 2 else { return nil }
    let fields = sides[1].split(separator: ":")
    guard fields.count >= 2, let levels = Self.range(fields[1]), levels.lowerBound >= 1,
      levels.upperBound <= 6
    else { return nil }
    network = String(fields[0]).replacing("_", with: ":")
    self.levels = levels
    let style = fields.count > 2 ? fields[2].first.flatMap { ShieldStyle(rawValue: $0) } : .text
    guard let style else { return nil }
    shield = style
    let marks: Set<Character> = ["#", "@", "~", "<"]
    let word = sides[0].prefix { !marks.contains($0) }
    letters =
      switch word {
      case "*": .any
      case "-": .none
      case "!": .unmatched
      default: .these(String(word))
      }
    var conditions = sides[0].dropFirst(word.count)
    while let mark = conditions.popFirst() {
      let value = conditions.prefix { !marks.contains($0) }
      conditions = conditions.dropFirst(value.count)
      switch mark {
      case "#": digitCount = Self.range(value)
      case "@": values = Self.range(value)
      case "~": suffix = String(value)
      default: belowClassLevel = Int(value)
      }
    }
  }

  private static func range(_ text: Substring) -> ClosedRange<Int>? {
    let ends = text.split(separator: "-").map { Int($0) }
    guard let first = ends.first ?? nil, let last = ends.last ?? nil, first <= last else {
      return nil
    }
    return first...last
  }

  /// Whether the row is for particular letters, so that the letters of a number determine the
  /// network.
  var namesNetwork: Bool {
    if case .these = letters { true } else { false }
  }

  /// Whether the row covers a number on a road whose class suggests `classLevel`.
  func covers(_ parts: RoadNumberParts, classLevel: Int?) -> Bool {
    switch letters {
    case .any: if parts.letters.isEmpty { return false }
    case .none: if !parts.letters.isEmpty { return false }
    case .these(let word): if parts.letters != word { return false }
    case .unmatched: return false
    }
    if let digitCount, !digitCount.contains(parts.digits.utf8.count) { return false }
    if let values, !(parts.value.map { values.contains($0) } ?? false) { return false }
    if let suffix, parts.suffix != suffix { return false }
    if let belowClassLevel, let classLevel, classLevel >= belowClassLevel { return false }
    return true
  }

  func level(classLevel: Int?) -> Int {
    min(max(classLevel ?? levels.lowerBound, levels.lowerBound), levels.upperBound)
  }

  func shieldText(_ parts: RoadNumberParts, whole text: String) -> String {
    switch shield {
    case .digits: parts.rest.isEmpty ? text : parts.rest
    case .number: parts.digits.isEmpty ? text : parts.digits
    case .compact: parts.compact
    case .text: text
    }
  }
}
