import RoadGraph
import Testing

@testable import MapMaking

@Suite struct TextTableTests {
  /// Numbers of four digits in a mixed order, each about three times: enough for the table to grow.
  static let words = (0..<30_000).map { "road \(($0 * 7919 + $0 / 11) % 10_000)" }

  @Test func textsAreNumberedInTheOrderOfTheirFirstUse() {
    var table = TextTable()
    var oracle: [String: UInt32] = ["": 0]
    for word in Self.words + [""] {
      let expected = oracle[word, default: UInt32(oracle.count)]
      oracle[word] = expected
      #expect(table.id(word).rawValue == expected)
    }
    #expect(table.id(nil) == .empty)
    #expect(table.first.count == oracle.count + 1)
    for (word, id) in oracle { #expect(table.text(TextID(rawValue: id)) == word) }
  }

  @Test func equalAttributesAreStoredOnce() {
    var table = AttributeTable()
    for round in 0..<2 {
      for number in 0..<3000 {
        var road = RoadAttributes()
        road.name = TextID(rawValue: UInt32(number))
        #expect(table.id(road) == UInt32(number), "round \(round)")
      }
    }
    #expect(table.records.count == 3000)
  }
}
