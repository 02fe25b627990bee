public import MessagePack
import Messages
import Stage

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

extension YAMLValue {
  /// The value as it is sent: plain scalars by their form, quoted ones as text.
  public var messagePack: MessagePackValue {
    switch content {
    case .list(let items): return .array(items.map(\.messagePack))
    case .map(let entries):
      return .map(entries.map { MessagePackValue.Entry($0.key.value, $0.value.messagePack) })
    case .text(let text, let isQuoted):
      if isQuoted { return .string(text) }
      if isNothing { return .null }
      if text == "true" || text == "false" { return .bool(text == "true") }
      if let int { return .int(Int64(int)) }
      if let double { return .double(double) }
      return .string(text)
    }
  }

  /// The position of a field named by a decoder: `waypoints[1].lat_deg`; nil if it is missing.
  func place(ofField path: String) -> Place? {
    var value = self
    for step in path.split(whereSeparator: { ".[]".contains($0) }) {
      let next: YAMLValue?
      if let index = Int(step), case .list(let items) = value.content {
        next = items.indices.contains(index) ? items[index] : nil
      } else {
        next = value[String(step)]
      }
      guard let next else { return value.place }
      value = next
    }
    return value.place
  }
}
