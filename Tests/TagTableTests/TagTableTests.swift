import Testing

/// The pages of docs/ that are written from what the map maker does.
@Suite struct TagTableTests {
  @Test func `the page of tags is what the map maker does, RT-8`() throws {
    try GeneratedPage.check("docs/tags.md", try TagPage().text)
  }

  @Test func `the page of countries is what the tables hold, EV-2`() throws {
    try GeneratedPage.check("docs/countries.md", CountryPage.text)
  }

  @Test func `every key that the map maker looks up is on the page, RT-8`() throws {
    let keys = try TagPage().keys
    let source = try SourceWords()
    #expect(source.lookups.count > 80)
    for (key, file) in source.lookups.sorted(by: { $0.key < $1.key }) where !keys.contains(key) {
      Issue.record("\(file) reads the key \(key): add it to Tests/TagTableTests/TagSections.swift")
    }
  }

  @Test func `every word that the map maker knows is on the page, RT-8`() throws {
    let page = try TagPage()
    let (keys, values) = (page.keys, page.values)
    // Beginnings and ends of keys, cut at colons; words of a value between other signs.
    let parts = Set(keys.flatMap { Self.parts($0) })
    let words = Set(
      values.flatMap {
        $0.split { !($0.isLetter || $0.isNumber || "_-:".contains($0)) }.map(String.init)
      })
    let zones = Set(words.flatMap { Self.parts($0) })
    let source = try SourceWords()
    #expect(source.words.count > 400)
    for (word, file) in source.words.sorted(by: { $0.key < $1.key }) {
      let isThere =
        keys.contains(word) || values.contains(word) || parts.contains(word)
        || words.contains(word) || zones.contains(word) || Self.noTags.contains(word)
      if !isThere {
        Issue.record(
          """
          \(file) knows the word \(word): add it to Tests/TagTableTests/TagSections.swift, or to the words that are no tags
          """)
      }
    }
    for word in Self.noTags where source.words[word] == nil {
      Issue.record("\(word) is no word of the map maker any more")
    }
  }

  private static func parts(_ key: String) -> [String] {
    let words = key.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    return words.indices.flatMap { k in
      let (front, back) = (words[...k].joined(separator: ":"), words[k...].joined(separator: ":"))
      return [front, front + ":", back, ":" + back]
    }
  }

  /// Words in quotes that are no tags.
  private static let noTags = Set(
    [
      // Months of seasons.
      "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec",
      // Directions of numbered routes, as `direction` and as roles.
      "north south east west northeast northwest southeast southwest clockwise anticlockwise",
      // Roles, and keys that ways do not take from their ferry's relation.
      "inner outer from via colour fixme",
      // Beginnings and ends of words.
      "max no_ only_ left_turn right_turn straight_on u_turn entry exit",
      // Columns of a report.
      "pieces points",
    ].flatMap { $0.split(separator: " ").map(String.init) })
}
