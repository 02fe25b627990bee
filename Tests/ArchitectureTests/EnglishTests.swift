import Foundation
import Testing

/// Words of a private English that comments and documents lose: a number here may only fall.
///
/// Some places are right, such as a lane beside another one; most are old.
@Suite struct EnglishTests {
  /// How often comments of Sources and pages of docs still have a word, or two words in a row.
  static let most: [String: Int] = [
    "whoever": 0, "one who": 0, "those who": 2, "told": 17, "tells of": 3, "behind": 35,
    "beside": 6, "mended": 0, "dear": 0, "dearer": 0, "heeds": 0, "seek": 7, "sought": 1,
    "nobody": 5, "a word": 13, "words of": 11, "says so": 0,
  ]

  /// Pages that are generated, or that only list what happened.
  private static let passedOver = [
    "docs/protocols/", "docs/decisions/", "docs/tags", "docs/countries", "docs/feature-tests.md",
    "docs/benchmarks.md",
  ]

  private static func words(of line: String) -> [Substring] {
    line.lowercased().split { !$0.isLetter }
  }

  private static let lines: [Line] =
    Tree.files(below: "Sources", suffix: ".swift").flatMap { path in
      Line.all(of: path).filter { $0.text.drop { $0 == " " }.hasPrefix("//") }
    }
    + Tree.files(below: "docs", suffix: ".md").filter { path in
      !passedOver.contains { path.hasPrefix($0) }
    }.flatMap { Line.all(of: $0) }

  @Test func `comments and documents have no more private words than before`() {
    var places: [String: [Line]] = [:]
    for line in Self.lines {
      let words = Self.words(of: line.text)
      for (index, word) in words.enumerated() {
        if Self.most[String(word)] != nil { places[String(word), default: []].append(line) }
        guard index + 1 < words.count else { continue }
        let pair = "\(word) \(words[index + 1])"
        if Self.most[pair] != nil { places[pair, default: []].append(line) }
      }
    }
    for (word, most) in Self.most {
      let found = places[word] ?? []
      #expect(found.count <= most, "\(word): \(found.count) places, \(found.suffix(3))")
    }
  }
}
