import DrawnMaps
import MapMaking
import RoadGraph
import RoadNumbering
import Route
import Testing

/// The numbers of a road, each with its own level and sign text.
@Suite struct NumberFactsTests {
  @Test("a span lists its numbers with level, network, direction and sign text, RT-10")
  func numbers() throws {
    let map = try DrawnMap(
      "a-b-c",
      ways: ["ab": "highway=motorway ref=A 5;B 3 ref:fr=X 5", "bc": "highway=residential"],
      options: MapOptions(country: "DE"))
    let edge = try map.edge("ab")
    let local = [
      RoadNumber(text: "A 5", level: 1, network: "DE:A", shieldText: "5"),
      RoadNumber(text: "B 3", level: 2, network: "DE:B", shieldText: "3"),
    ]
    let facts = RoadFacts(map.graph, edge)
    #expect(facts.numbers == local)
    #expect(facts.number == "A 5;B 3")
    #expect(facts.numberLevel == 1)
    let french = RoadFacts(map.graph, edge, language: "fr-CA").numbers
    #expect(french.dropFirst() == local[...])
    #expect(french.first?.text == "X 5")
    #expect(french.first?.language == "fr")
    #expect(RoadFacts(map.graph, try map.edge("bc")).numbers.isEmpty)
    // Numbers that were received are kept; those that follow from the rest make no difference.
    #expect(RoadFacts(number: "B 3", country: "DE", numbers: [local[1]]).numbers == [local[1]])
    #expect(
      RoadFacts(number: "B 3", country: "DE", numbers: [local[1]])
        == RoadFacts(number: "B 3", country: "DE"))
    let north = RoadNumber(
      text: "B 3", level: 2, direction: "north", network: "DE:B", shieldText: "3")
    #expect(RoadFacts(number: "B 3", country: "DE", numbers: [north]).numbers == [north])
  }
}
