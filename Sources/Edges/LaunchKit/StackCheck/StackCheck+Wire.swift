import BusProtocol
import MessagePack
import Messages
public import Stage

extension NodeSettings {
  /// The other names that topics and calls of the node's stage have on the bus.
  public var wiring: Wiring {
    Wiring(
      Dictionary(wire.map { ($0.name.value, $0.onBus.value) }, uniquingKeysWith: { one, _ in one }))
  }
}

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
    let all = (topics + manifest.serves + manifest.calls).filter { !$0.hasPrefix("_") }
    guard all.contains(name) else {
      let nearest = Suggestion.nearest(to: name, among: all)
      let hint = nearest.map { " (did you mean \"\($0)\"?)" } ?? ""
      return report(
        "\(manifest.name) neither reads nor publishes, serves or calls \"\(name)\"\(hint)", path,
        at: wire.name.place)
    }
    let onBus = wire.onBus.value
    let place = wire.onBus.place
    guard TopicName.isValid("ego/\(onBus)") else {
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
