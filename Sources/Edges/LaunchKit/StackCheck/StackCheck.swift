import MessagePack
public import Stage

/// A stack that was checked as a whole, with all its nodes, and is ready to start.
public struct CheckedStack: Sendable {
  public var file: StackFile
  /// The parameters of each node (and of `bus`).
  public var parameters: [String: [String: ParameterValue]]
  public var manifests: [String: Manifest]
  /// The manifests of the programs, without the file's `wire`.
  public var declared: [String: Manifest]
  /// The nodes in starting order, with those that each node waits for.
  public var order: StartOrder
  /// Nodes of the file that must not start.
  public var leftOut: Set<String>

  /// The nodes that start.
  public var nodes: [NodeSettings] { file.nodes.filter { !leftOut.contains($0.name.value) } }
}

/// Checks a stack against the manifests of its nodes.
public struct StackCheck {
  let stack: StackFile
  /// By node, and `bus`, with the names on the bus; a node without a manifest has its own reported
  /// problem.
  var manifests: [String: Manifest]
  let leftOut: Set<String>
  let reading: ParameterReading
  var problems: [StackProblem] = []

  /// All problems of `stack`, and the stack to start if there are none.
  ///
  /// `manifests` are those of the programs, by node. `folder` is the stack file's own: relative
  /// paths of parameters start there.
  public static func check(
    _ stack: StackFile, manifests: [String: Manifest], leftOut: Set<String> = [],
    folder: String = "", environment: [String: String] = [:]
  ) -> (checked: CheckedStack, problems: [StackProblem]) {
    var check = StackCheck(
      stack: stack, manifests: manifests, leftOut: leftOut,
      reading: ParameterReading(folder: folder, environment: environment))
    check.applyWiring()
    let parameters = check.checkParameters()
    check.checkAfter()
    check.checkWiring()
    check.checkStart()
    check.checkExpectations()
    let order = StartOrder(
      stack.nodes.filter { !leftOut.contains($0.name.value) }, manifests: check.manifests)
    check.checkCycles(order)
    let checked = CheckedStack(
      file: stack, parameters: parameters, manifests: check.manifests, declared: manifests,
      order: order, leftOut: leftOut)
    return (checked, check.problems)
  }

  /// Whether some node's outputs and calls are unknown, because the node or its program has a
  /// problem of its own.
  ///
  /// A missing topic or call may be that node's, so it is not reported before the node is correct.
  var hasUnknownNodes: Bool {
    !stack.unreadNodes.isEmpty || stack.nodes.contains { manifests[$0.name.value] == nil }
  }

  mutating func report(_ message: String, _ path: String, at place: Place) {
    problems.append(StackProblem(message, path: path, at: place))
  }

  private mutating func checkParameters() -> [String: [String: ParameterValue]] {
    var all: [String: [String: ParameterValue]] = [:]
    if let manifest = manifests["bus"] {
      all["bus"] = values(stack.bus.parameters, manifest, path: "bus.params")
    }
    for node in stack.nodes {
      guard let manifest = manifests[node.name.value] else { continue }
      var entries = node.parameters
      if let map = stack.map, manifest.parameters.contains(where: { $0.name == "map" }),
        !entries.contains(where: { $0.key.value == "map" })
      {
        let value = YAMLValue(.text(map.value, isQuoted: true), at: map.place)
        entries.append(YAMLValue.Entry(Located("map", at: map.place), value))
      }
      let path = "nodes.\(node.name.value).params"
      all[node.name.value] = values(entries, manifest, path: path)
      for declaration in manifest.parameters
      where declaration.isRequired && declaration.defaultValue == nil
        && !entries.contains(where: { $0.key.value == declaration.name })
      {
        report(
          "\"\(declaration.name)\" is missing: \(declaration.about) (\(declaration.summary))", path,
          at: node.parametersPlace)
      }
    }
    return all
  }

  private mutating func values(
    _ entries: [YAMLValue.Entry], _ manifest: Manifest, path: String
  ) -> [String: ParameterValue] {
    var values: [String: ParameterValue] = [:]
    for entry in entries {
      let name = entry.key.value
      guard let declaration = manifest.parameters.first(where: { $0.name == name }) else {
        report(unknown(name, manifest), path, at: entry.key.place)
        continue
      }
      switch reading.value(entry.value, for: declaration) {
      case .success(let value): values[name] = value
      case .failure(let failure): report(failure.message, "\(path).\(name)", at: entry.value.place)
      }
    }
    return values
  }

  private func unknown(_ name: String, _ manifest: Manifest) -> String {
    let names = manifest.parameters.map(\.name)
    if let nearest = Suggestion.nearest(to: name, among: names),
      let declaration = manifest.parameters.first(where: { $0.name == nearest })
    {
      return "unknown key \"\(name)\" (did you mean \"\(nearest)\": \(declaration.summary)?)"
    }
    guard !names.isEmpty else {
      return "unknown key \"\(name)\"; \(manifest.name) has no parameters"
    }
    return
      "unknown key \"\(name)\"; the parameters of \(manifest.name) are \(names.joined(separator: ", "))"
  }

  private mutating func checkAfter() {
    let names = stack.nodes.map(\.name.value) + stack.unreadNodes
    for node in stack.nodes {
      for name in node.after where !names.contains(name.value) && name.value != "bus" {
        let nearest = Suggestion.nearest(to: name.value, among: names)
        let hint = nearest.map { " (did you mean \"\($0)\"?)" } ?? ""
        report(
          "there is no node \"\(name.value)\"\(hint)", "nodes.\(node.name.value).after",
          at: name.place)
      }
    }
  }

  private mutating func checkCycles(_ order: StartOrder) {
    guard let cycle = order.cycle, let first = stack.node(cycle.first ?? "") else { return }
    let words = (cycle + cycle.prefix(1)).joined(separator: " after ")
    report(
      "these nodes wait for each other: \(words)", "nodes.\(first.name.value).after",
      at: first.after.first?.place ?? first.name.place)
  }
}
