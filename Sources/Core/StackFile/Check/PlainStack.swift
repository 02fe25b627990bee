import Stage

extension CheckedStack {
  /// The parameters that each node gets, for people: the output of `--print`.
  public var text: String {
    var lines = ["stack: \(file.name)", "bus: \(file.bus.listen.value)", "nodes:"]
    for name in order.names {
      guard let node = file.node(name), !leftOut.contains(name) else { continue }
      lines.append("  \(name):")
      lines.append("    run: \((node.run.value + node.arguments).joined(separator: " "))")
      if !node.wire.isEmpty {
        let wires = node.wire.map { "\($0.name.value): \($0.onBus.value)" }
        lines.append("    wire: {\(wires.joined(separator: ", "))}")
      }
      let waits = (order.waits[name] ?? []).sorted()
      if !waits.isEmpty { lines.append("    after: [\(waits.joined(separator: ", "))]") }
      lines += parameterLines(of: name)
    }
    if !leftOut.isEmpty { lines.append("left out: \(leftOut.sorted().joined(separator: ", "))") }
    return lines.joined(separator: "\n") + "\n"
  }

  private func parameterLines(of name: String) -> [String] {
    guard let manifest = manifests[name], !manifest.parameters.isEmpty else { return [] }
    let given = parameters[name] ?? [:]
    return ["    params:"]
      + manifest.parameters.map { declaration in
        let unit = declaration.unit.map { " \($0)" } ?? ""
        if let value = given[declaration.name] {
          return "      \(declaration.name): \(value.text)\(unit)"
        }
        let fallback =
          declaration.defaultValue.map { "\($0.text)\(unit), its default" } ?? "not given"
        return "      \(declaration.name): \(fallback)"
      }
  }
}
