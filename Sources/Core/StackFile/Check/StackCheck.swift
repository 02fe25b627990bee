import MessagePack
import Messages
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
      for entry in stack.shared.entries
      where manifest.parameters.contains(where: { $0.name == entry.key.value })
        && !entries.contains(where: { $0.key.value == entry.key.value })
      {
        entries.append(entry)
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

// The names on the bus: `wire` of a node.
extension StackCheck {
  /// Applies each node's `wire`, and reports what is impossible.
  mutating func applyWiring() {
    for node in stack.nodes where !node.wire.isEmpty {
      guard let declared = manifests[node.name.value] else { continue }
      for wire in node.wire { check(wire, of: node, declared) }
      manifests[node.name.value] = declared.wired(node.wiring)
    }
  }

  private mutating func check(_ wire: Wire, of node: NodeSettings, _ manifest: Manifest) {
    let path = "nodes.\(node.name.value).wire"
    let name = wire.name.value
    let topics = manifest.inputs + manifest.outputs
    let all = (topics + manifest.serves + manifest.calls + (manifest.optionalCalls ?? [])).filter {
      !$0.hasPrefix("_")
    }
    guard all.contains(name) else {
      let nearest = Suggestion.nearest(to: name, among: all)
      let hint = nearest.map { " (did you mean \"\($0)\"?)" } ?? ""
      return report(
        "\(manifest.name) neither reads nor publishes, serves or calls \"\(name)\"\(hint)", path,
        at: wire.name.place)
    }
    let onBus = wire.onBus.value
    let place = wire.onBus.place
    guard BusName.isValid(onBus) else {
      return report(
        "\"\(onBus)\" is not a valid name: words of a-z 0-9 . _ - separated by /, no system name",
        "\(path).\(name)", at: place)
    }
    if let other = node.wire.first(where: { $0.onBus.value == onBus && $0.name.value != name }) {
      return report(
        "\(other.name.value) and \(name) cannot both be \"\(onBus)\"", "\(path).\(name)", at: place)
    }
    if onBus != name, all.contains(onBus), node.wiring.onBus(onBus) == onBus {
      return report(
        "the node also uses \"\(onBus)\" itself; wire that, too", "\(path).\(name)", at: place)
    }
    if let why = topics.contains(name) ? topicFault(name, onBus) : callFault(name, onBus) {
      report(why, "\(path).\(name)", at: place)
    }
  }

  /// The reason why a topic cannot have this name on the bus.
  ///
  /// It would carry another message there, or a reader of one topic would get the other.
  private func topicFault(_ name: String, _ onBus: String) -> String? {
    let own = Topics.declaration(of: name)?.schema ?? ""
    if let known = Topics.declaration(of: onBus) {
      guard known.schema != own else { return nil }
      return "\(onBus) carries \(known.schema), and \(name) \(own.isEmpty ? "something else" : own)"
    }
    return clash(onBus, with: Topics.all.map(\.name))
  }

  private func callFault(_ name: String, _ onBus: String) -> String? {
    guard Calls.declaration(of: onBus) != nil, onBus != name else { return nil }
    return "\(onBus) is another call, not compatible with \(name)"
  }

  /// The fault if one topic is a prefix of another: a subscription to it would include the other.
  private func clash(_ onBus: String, with names: [String]) -> String? {
    // Calls are looked up by their whole names.
    let wired = stack.nodes.flatMap(\.wire).filter { Calls.declaration(of: $0.name.value) == nil }
      .map(\.onBus.value)
    let other = (names + wired).first {
      $0 != onBus && ($0.hasPrefix(onBus) || onBus.hasPrefix($0))
    }
    return other.map { "one of \"\(onBus)\" and \"\($0)\" is a prefix of the other" }
  }
}

// Topics, calls and expectations.
extension StackCheck {
  /// Checks that each topic has one writer, and each call one server.
  mutating func checkWiring() {
    for node in stack.nodes where !leftOut.contains(node.name.value) {
      guard let manifest = manifests[node.name.value] else { continue }
      let optional = manifest.optionalInputs ?? []
      for topic in manifest.inputs where !topic.hasPrefix("_") && !optional.contains(topic) {
        checkProvided(topic, by: \.outputs, node, "reads", "publishes")
      }
      for call in manifest.calls {
        checkProvided(call, by: \.serves, node, "calls", "serves")
      }
    }
    checkSingle(\.outputs, "publish") { Topics.declaration(of: $0)?.hasManyWriters ?? false }
    checkSingle(\.serves, "serve") { _ in false }
  }

  private mutating func checkProvided(
    _ name: String, by gives: KeyPath<Manifest, [String]>, _ node: NodeSettings, _ needs: String,
    _ provides: String
  ) {
    let providers = providers(of: name, by: gives)
    guard !isExternal(name), !providers.contains(where: { !leftOut.contains($0) }) else { return }
    let wire = node.wire.first { $0.onBus.value == name }
    let path = "nodes.\(node.name.value)" + (wire.map { ".wire.\($0.name.value)" } ?? "")
    let place = wire?.onBus.place ?? node.name.place
    if let absent = providers.first {
      problems.append(
        StackProblem(
          "\(needs) \"\(name)\", and \(absent), which \(provides) it, is left out", path: path,
          at: place, severity: .warning))
      return
    }
    guard !hasUnknownNodes else { return }
    let all = manifests.values.flatMap { $0[keyPath: gives] }
    let nearest =
      Suggestion.nearest(to: name, among: all)
      .map { " (there is \"\($0)\")" } ?? ""
    report(
      "\(needs) \"\(name)\", and no node \(provides) it\(nearest): add a node that does, or write "
        + "external: [\(name)]", path, at: place)
  }

  func providers(of name: String, by gives: KeyPath<Manifest, [String]>) -> [String] {
    stack.nodes.map(\.name.value).filter {
      manifests[$0]?[keyPath: gives].contains(name) ?? false
    }
  }

  func isExternal(_ name: String) -> Bool {
    stack.external.contains {
      $0.value == name || ($0.value.hasSuffix("/") && name.hasPrefix($0.value))
    }
  }

  private mutating func checkSingle(
    _ gives: KeyPath<Manifest, [String]>, _ verb: String, _ mayBeMany: (String) -> Bool
  ) {
    var first: [String: String] = [:]
    for node in stack.nodes where !leftOut.contains(node.name.value) {
      for name in manifests[node.name.value]?[keyPath: gives] ?? []
      where !name.hasPrefix("_") && !mayBeMany(node.wiring.inStage(name)) {
        if let other = first[name] {
          report(
            "\(other) and \(node.name.value) both \(verb) \"\(name)\", which only one may",
            "nodes.\(node.name.value)", at: node.name.place)
        } else {
          first[name] = node.name.value
        }
      }
    }
  }

  /// Checks that the calls to issue are known, served, and have a request that decodes.
  mutating func checkStart() {
    for (index, call) in stack.start.enumerated() {
      let path = "start[\(index)].\(call.name.value)"
      guard let declaration = Calls.declaration(of: call.name.value) else {
        let nearest =
          Suggestion.nearest(to: call.name.value, among: Calls.all.map(\.name))
          .map { " (did you mean \"\($0)\"?)" } ?? ""
        report("there is no call \"\(call.name.value)\"\(nearest)", path, at: call.name.place)
        continue
      }
      do {
        try Self.tryDecoding(declaration.request, call.requestBytes)
      } catch {
        let place = call.request.place(ofField: error.path) ?? call.request.place
        report("\(error.path): \(error.message)", path, at: place)
      }
      let providers = providers(of: call.name.value, by: \.serves)
      guard !isExternal(call.name.value) else { continue }
      if providers.isEmpty, manifests.count > stack.nodes.count, !hasUnknownNodes {
        report("no node serves \"\(call.name.value)\"", path, at: call.name.place)
      } else if let absent = providers.first, providers.allSatisfy(leftOut.contains) {
        problems.append(
          StackProblem(
            "\(absent), which serves it, is left out", path: path, at: call.name.place,
            severity: .warning))
      }
    }
  }

  private static func tryDecoding(
    _ type: any CallMessage.Type, _ bytes: [UInt8]
  ) throws(DecodeError) {
    _ = try type.init(decoding: bytes)
  }

  mutating func checkExpectations() {
    for (index, expectation) in stack.expectations.enumerated() {
      check(expectation, "expect[\(index)].topic")
    }
    if let until = stack.until { check(until, "until.topic") }
  }

  private mutating func check(_ expectation: Expectation, _ path: String) {
    let topic = expectation.topic.value
    if let vehicle = expectation.vehicle, !stack.vehicles.isEmpty, !stack.vehicles.contains(vehicle)
    {
      report(
        "\"\(vehicle)\" is not one of the vehicles \(stack.vehicles.joined(separator: ", "))", path,
        at: expectation.topic.place)
    }
    guard !topic.hasPrefix("_"), !isExternal(topic),
      providers(of: topic, by: \.outputs).isEmpty, manifests.count > stack.nodes.count,
      !hasUnknownNodes
    else { return }
    let known = manifests.values.flatMap(\.outputs)
    let nearest =
      Suggestion.nearest(to: topic, among: known)
      .map { " (did you mean \"\($0)\"?)" } ?? ""
    report("no node publishes \"\(topic)\"\(nearest)", path, at: expectation.topic.place)
  }
}
