import StackFile
import Stage
import Testing

@Suite struct StartOrderTests {
  private func order(_ yaml: String, _ manifests: [String: Manifest]) throws -> StartOrder {
    let stack = try #require(StackFile.parse(yaml).stack)
    return StartOrder(stack.nodes, manifests: manifests)
  }

  @Test func `writers start before their readers`() throws {
    let order = try order(
      "{stack: s, nodes: {reader: {run: x}, writer: {run: x}}}",
      [
        "reader": Manifest(name: "r", about: "", inputs: ["location/raw"]),
        "writer": Manifest(name: "w", about: "", outputs: ["location/raw"]),
      ])
    #expect(order.names == ["writer", "reader"])
    #expect(order.waits["reader"] == ["writer"])
  }

  @Test func `data may go in a circle; servers then come before their callers`() throws {
    let order = try order(
      "{stack: s, nodes: {navigator: {run: x}, matcher: {run: x}, router: {run: x}}}",
      [
        "navigator": Manifest(
          name: "n", about: "", inputs: ["location/matched"], outputs: ["route/active"],
          calls: ["route/calculate"]),
        "matcher": Manifest(
          name: "m", about: "", inputs: ["route/active"], outputs: ["location/matched"]),
        "router": Manifest(
          name: "r", about: "", inputs: ["route/active"], serves: ["route/calculate"]),
      ])
    #expect(order.cycle == nil)
    #expect(
      order.names.firstIndex(of: "router") ?? 9 < order.names.firstIndex(of: "navigator") ?? 0)
  }

  @Test func `what the file says goes before what follows from data`() throws {
    let order = try order(
      "{stack: s, nodes: {writer: {run: x, after: [reader]}, reader: {run: x}}}",
      [
        "reader": Manifest(name: "r", about: "", inputs: ["location/raw"]),
        "writer": Manifest(name: "w", about: "", outputs: ["location/raw"]),
      ])
    #expect(order.names == ["reader", "writer"])
  }

  @Test func `starting may not go in a circle`() throws {
    let order = try order(
      "{stack: s, nodes: {a: {run: x, after: [c]}, b: {run: x, after: [a]}, c: {run: x, after: [b]}}}",
      [:])
    #expect(Set(order.cycle ?? []) == ["a", "b", "c"])
  }
}
