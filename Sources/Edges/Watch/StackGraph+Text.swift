extension StackGraph {
  private static let none = "none"

  /// One line for each topic and call that has two ends or should have them.
  public var text: [String] {
    let shown = lines.filter { !$0.from.isEmpty || !$0.to.isEmpty }
    let width = shown.map { title($0).count }.max() ?? 0
    let froms = shown.map { ends($0.from).count }.max() ?? 0
    var result = nodes.keys.sorted().compactMap { name in
      nodes[name]?.map { "\(name): \($0)" }
    }
    if !result.isEmpty { result.append("") }
    for line in shown {
      let unheard = line.isCall ? "none so far" : "none"
      let from = line.isCall && line.from.isEmpty ? unheard : ends(line.from)
      var row = pad(title(line), width) + "  " + pad(from, froms) + "  ->  " + ends(line.to)
      if line.isMissing {
        row += line.isCall ? "  <-- no node answers it" : "  <-- no node publishes it"
      }
      result.append(row)
    }
    return result
  }

  private func title(_ line: Line) -> String { line.isCall ? "\(line.name)()" : line.name }
  private func ends(_ names: [String]) -> String {
    names.isEmpty ? Self.none : names.joined(separator: ", ")
  }
  private func pad(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  /// One arrow for each pair of ends; `none` stands for a missing end.
  private var arrows: [(from: String, to: String, isCall: Bool, names: [String])] {
    struct Pair: Hashable {
      var from: String
      var to: String
      var isCall: Bool
    }
    var pairs: [Pair: [String]] = [:]
    for line in lines where line.isMissing || !(line.from.isEmpty || line.to.isEmpty) {
      for from in line.from.isEmpty ? [Self.none] : line.from {
        for to in line.to.isEmpty ? [Self.none] : line.to where from != to {
          pairs[Pair(from: from, to: to, isCall: line.isCall), default: []].append(line.name)
        }
      }
    }
    return pairs.sorted {
      ($0.key.from, $0.key.to, $0.value[0]) < ($1.key.from, $1.key.to, $1.value[0])
    }.map { ($0.key.from, $0.key.to, $0.key.isCall, $0.value) }
  }

  private var names: [String] {
    Set(nodes.keys).union(arrows.flatMap { [$0.from, $0.to] }).sorted()
  }

  /// A Mermaid flowchart: topics as solid arrows, calls as dotted ones.
  public var mermaid: [String] {
    let ids = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, "n\($0)") })
    var result = ["flowchart LR"]
    for name in names {
      let shape = name == Self.none ? "([\"none\"])" : "[\"\(name)\"]"
      result.append("  \(ids[name] ?? name)\(shape)")
    }
    for arrow in arrows {
      let label = arrow.names.joined(separator: "<br>")
      let kind = arrow.isCall ? "-.->" : "-->"
      result.append(
        "  \(ids[arrow.from] ?? arrow.from) \(kind)|\"\(label)\"| \(ids[arrow.to] ?? arrow.to)")
    }
    for name in names where hasProblem(name) {
      result.append("  style \(ids[name] ?? name) stroke:#c00,stroke-width:2px")
    }
    return result
  }

  /// A Graphviz digraph.
  public var dot: [String] {
    var result = ["digraph stack {", "  rankdir=LR;", "  node [shape=box];"]
    for name in names {
      result.append("  \"\(name)\"\(hasProblem(name) ? " [color=red]" : "");")
    }
    for arrow in arrows {
      let label = arrow.names.joined(separator: "\\n")
      let style = arrow.isCall ? ", style=dotted" : ""
      result.append("  \"\(arrow.from)\" -> \"\(arrow.to)\" [label=\"\(label)\"\(style)];")
    }
    return result + ["}"]
  }

  private func hasProblem(_ name: String) -> Bool {
    guard let word = nodes[name] ?? nil else { return name == Self.none }
    return word != "ready" && word != "starting"
  }
}
