import Messages
import Stage
import Testing
import Watch

@testable import BusProtocol

@Suite struct TableTests {
  @Test func `rates are those between two pictures, and a new broker's are not below zero`() {
    var stack = DrawnStack()
    stack.counts = ["ego/location/raw": 10, "ego/location/matched": 50]
    let before = stack.picture
    stack.counts = ["ego/location/raw": 30, "ego/location/matched": 4]
    stack.atS = 2
    let table = TopTable(stack.picture, since: before)
    let raw = table.topics.first { $0.name == "ego/location/raw" }
    #expect(raw?.hz == 10 && raw?.bytesPerSecond == 1_000 && raw?.writer == "location")
    #expect(table.topics.first { $0.name == "ego/location/matched" }?.hz == 0)
    #expect(table.nodes.map(\.name) == ["location", "matcher", "navigator", "voice"])
    #expect(table.nodes.first?.restarts == 2)
  }

  @Test func `hosts are shown where a stack spans several, BUS-8`() {
    var stack = DrawnStack()
    #expect(TopTable(stack.picture).nodes.allSatisfy { $0.host == nil })
    stack.nodes["matcher"]?.host = "two"
    stack.nodes["matcher"]?.isAlive = false
    let table = TopTable(stack.picture)
    #expect(table.nodes.map(\.host) == ["one", "two", "one", "one"])
    let lines = table.lines(.nodes).map(\.text)
    #expect(lines[0].split(separator: " ").prefix(4) == ["NODE", "STATE", "HOST", "PID"])
    let explanation = Explanation(node: "matcher", in: stack.picture).lines
    #expect(
      explanation.contains { $0.contains("matcher (on two) is disconnected") }, "\(explanation)")
  }

  @Test func `what is not well is red, with the reason, and lines keep within the screen`() {
    var stack = DrawnStack()
    stack.nodes["navigator"]?.state = .degraded
    stack.nodes["navigator"]?.why = "input location/matched is slow"
    stack.nodes["navigator"]?.reads["location/matched"] = .slow
    let table = TopTable(stack.picture)
    let lines = table.lines()
    let navigator = lines.first { $0.text.hasPrefix("navigator") }
    #expect(navigator?.tone == .bad)
    #expect(navigator?.text.hasSuffix("input location/matched is slow") == true)
    #expect(lines.first { $0.text.hasPrefix("ego/location/matched") }?.tone == .bad)
    #expect(lines.first { $0.text.hasPrefix("matcher") }?.tone == .good)
    #expect(table.topics.first { $0.name == "ego/location/matched" }?.lost == 3)
    for (width, height) in [(40, 6), (10, 1), (200, 100)] {
      let cut = table.lines(width: width, height: height)
      #expect(cut.count <= height && cut.allSatisfy { $0.text.count <= width })
    }
    #expect(table.lines(.nodes).count == 5)
    #expect(table.lines(.topics).count == 1 + table.topics.count)
  }

  @Test func `sorting goes by the column that was asked for`() {
    var stack = DrawnStack()
    let before = stack.picture
    stack.counts = ["ego/location/matched": 100]
    stack.atS = 1
    var table = TopTable(stack.picture, since: before)
    table.sort(by: .rate)
    #expect(table.topics.first?.name == "ego/location/matched")
    #expect(TopTable.Order.rate.next == .name)
  }

  @Test func `the graph of a stack shows ends, and what is read and not written`() {
    var stack = DrawnStack()
    stack.services = [
      ServiceReport(
        name: "route/calculate", server: "", calls: 1, failures: 1, pending: 0, codes: [:], late: 0,
        callers: ["navigator", "nav-99"])
    ]
    let graph = StackGraph(stack.picture)
    #expect(graph.missing.map(\.name) == ["guidance/warning", "route/better", "route/calculate"])
    let matched = graph.lines.first { $0.name == "location/matched" }
    #expect(matched?.from == ["matcher"] && matched?.to == ["navigator"])
    let text = graph.text.joined(separator: "\n")
    #expect(text.contains("location/raw       location   ->  matcher\n"), "\(text)")
    #expect(text.contains("guidance/warning   none       ->  voice  <-- no node publishes it"))
    #expect(
      text.contains("route/calculate()  navigator  ->  none  <-- no node answers it"), "\(text)")
    #expect(graph.mermaid.first == "flowchart LR")
    #expect(graph.mermaid.contains("  n0 -->|\"location/raw\"| n1"), "\(graph.mermaid)")
    #expect(graph.dot.contains("  \"location\" -> \"matcher\" [label=\"location/raw\"];"))
    #expect(graph.dot.last == "}")
  }

  @Test func `the graph of manifests knows calls before they are made`() {
    let graph = StackGraph([
      "a": Manifest(name: "a", about: "", outputs: ["x/y"], calls: ["do/it", "do/not"]),
      "b": Manifest(name: "b", about: "", inputs: ["x/y"], serves: ["do/it"]),
    ])
    #expect(graph.missing.map(\.name) == ["do/not"])
    #expect(graph.mermaid.contains("  n0 -.->|\"do/it\"| n1"))
    #expect(graph.text.first == "x/y       a  ->  b")
  }
}
