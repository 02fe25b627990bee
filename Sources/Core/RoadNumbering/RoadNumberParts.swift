/// The parts of a road number: leading letters, digits, and what follows.
struct RoadNumberParts {
  /// Leading letters in capitals without spaces and hyphens: `ST` of `St 2077`; empty for a bare number.
  var letters: String
  /// From the first digit on, without surrounding spaces: `1(M)` of `A1(M)`.
  var rest: String
  /// The leading digits of `rest`.
  var digits: String
  /// What follows the digits: `(M)`, `D`, `a`.
  var suffix: String

  /// Splits a number; linear in its length.
  init(_ text: String) {
    var letters = ""
    var position = text.startIndex
    while position < text.endIndex, !Self.isDigit(text[position]) {
      let character = text[position]
      if character.isLetter { letters += character.uppercased() }
      position = text.index(after: position)
    }
    var rest = text[position...]
    while rest.last == " " { rest.removeLast() }
    let digits = rest.prefix { Self.isDigit($0) }
    self.letters = letters
    self.rest = String(rest)
    self.digits = String(digits)
    suffix = String(rest.dropFirst(digits.count).drop { $0 == " " })
  }

  /// Splits a number after its first word; nil if that has digits or nothing follows it.
  init?(firstWordOf text: String) {
    let words = text.split(separator: " ", maxSplits: 1)
    guard words.count == 2, !words[0].contains(where: { Self.isDigit($0) }) else { return nil }
    letters = words[0].filter(\.isLetter).uppercased()
    rest = String(words[1])
    digits = String(words[1].prefix { Self.isDigit($0) })
    suffix = String(words[1].dropFirst(digits.count))
  }

  /// The digits as a number; nil for none, or too many.
  var value: Int? { Int(digits) }

  /// Letters and the rest without a separator: `A6` of `A 6`.
  var compact: String { letters + rest }

  static func isDigit(_ character: Character) -> Bool { character >= "0" && character <= "9" }
}
