import Messages
import Testing

@testable import Watch

@Suite struct TopicGroupsTests {
  private func names(_ names: [String], _ groups: TopicGroups) -> [String] {
    groups.rows(names, name: { $0 }) { name, rows in "\(name) x\(rows.count)" }
  }

  private func fleet(_ count: Int) -> [String] {
    ["_clock"]
      + (0..<count).flatMap { ["v\($0)/location/raw", "v\($0)/location/matched"] }
  }

  @Test func `few vehicles are listed singly, and many are put together, BUS-8`() {
    #expect(names(fleet(5), TopicGroups()).count == 11)
    #expect(
      names(fleet(6), TopicGroups())
        == ["*/location/matched x6", "*/location/raw x6", "_clock"])
    #expect(names(fleet(6), TopicGroups(.single)).count == 13)
    #expect(names(fleet(2), TopicGroups(.grouped)).count == 3)
    // A topic that only one vehicle has keeps its name.
    #expect(names(fleet(6) + ["v3/session"], TopicGroups()).last == "v3/session")
  }

  @Test func `a vehicle is selected by its name or by a pattern`() {
    #expect(
      names(fleet(300), TopicGroups(vehicle: "v7")) == ["v7/location/matched", "v7/location/raw"])
    #expect(names(fleet(300), TopicGroups(vehicle: "v29*")).first == "*/location/matched x11")
    #expect(names(fleet(300), TopicGroups(vehicle: "w")).isEmpty)
    for (pattern, name, isMatch) in [
      ("*", "a", true), ("a*c", "abc", true), ("a*c", "ac", true), ("a*a", "a", false),
      ("*b*", "abc", true), ("*b*b*", "abc", false), ("abc", "ab", false), ("a*", "b", false),
    ] {
      #expect(TopicGroups.matches(pattern, name) == isMatch, "\(pattern) \(name)")
    }
  }

  @Test func `replicas are named by their node, and many writers are counted`() {
    #expect(TopicGroups.nodes(["matcher.0", "matcher.10", "matcher.2"]) == "matcher.* (3)")
    #expect(TopicGroups.nodes(["matcher.0", "gps"]) == "gps,matcher.0")
    #expect(TopicGroups.nodes(["a", "b", "c", "d"]) == "4 nodes")
    #expect(TopicGroups.nodes(["a", "", "a"]) == "a")
  }

  @Test func `the table of a fleet has one row for each topic, with the sum of the rates, BUS-8`() {
    var stack = DrawnStack()
    stack.foreign = Dictionary(
      (0..<300).map { ("v\($0)/location/raw", "gps") }, uniquingKeysWith: { first, _ in first })
    stack.counts = stack.foreign.mapValues { _ in 10 }
    let before = stack.picture
    stack.counts = stack.foreign.mapValues { _ in 12 }
    stack.atS = 2
    let table = TopTable(stack.picture, since: before)
    let row = table.topics.first { $0.name == "*/location/raw" }
    // The drawn stack has the topic of ego, too.
    #expect(row?.vehicles == 301 && row?.hz == 300 && row?.writer == "gps,location")
    #expect(table.topics.count < 15)
    let lines = table.lines(.topics).map(\.text)
    #expect(lines[0].contains("VEHICLES"))
    #expect(TopTable(stack.picture, selection: TopicGroups(.single)).topics.count > 300)
    let one = TopTable(stack.picture, selection: TopicGroups(vehicle: "v17"))
    #expect(one.topics.map(\.name) == ["v17/location/raw"])
    #expect(!one.lines(.topics)[0].text.contains("VEHICLES"))
  }
}
