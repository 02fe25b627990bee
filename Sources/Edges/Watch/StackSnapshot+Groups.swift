import BusProtocol

extension StackSnapshot {
  /// Returns the nodes that share the vehicles of `name`, in the order of their numbers.
  ///
  /// A node with replicas runs as processes `name.0`, `name.1` and so on.
  public func members(of name: String) -> [String] {
    nodes.keys.filter { Self.isReplica($0, of: name) }.sorted(by: Self.isBefore)
  }

  /// Whether a process is a numbered replica of a node.
  public static func isReplica(_ process: String, of node: String) -> Bool {
    guard process.hasPrefix("\(node).") else { return false }
    let digits = process.dropFirst(node.count + 1)
    return !digits.isEmpty && digits.allSatisfy { $0.isASCII && $0.isNumber }
  }

  /// Compares names so that `matcher.2` stands before `matcher.10`.
  public static func isBefore(_ one: String, _ other: String) -> Bool {
    let (first, second) = (replica(one), replica(other))
    guard let first, let second, first.node == second.node else { return one < other }
    return first.number < second.number
  }

  /// The node and the number of a replica; nil for other names.
  private static func replica(_ name: String) -> (node: Substring, number: Int)? {
    guard let dot = name.lastIndex(of: "."), let number = Int(name[name.index(after: dot)...])
    else { return nil }
    return (name[..<dot], number)
  }

  /// The names of node groups: nodes that run as numbered replicas.
  public var groups: [String] {
    Set(
      nodes.keys.compactMap { name -> String? in
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return nil }
        let group = String(name[..<dot])
        return Self.isReplica(name, of: group) ? group : nil
      }
    ).sorted()
  }

  /// Whether a vehicle is known: a topic of it was published, or a node serves it by name.
  public func knows(vehicle: String) -> Bool {
    topics.contains { TopicName.split($0.name).vehicle == vehicle }
      || nodes.values.contains { $0.vehicles.contains(vehicle) }
  }
}

/// Names in a sentence: `a, b and 3 more`.
func listed(_ names: [String], most: Int = 3) -> String {
  guard names.count > most else {
    guard let last = names.last, names.count > 1 else { return names.first ?? "" }
    return "\(names.dropLast().joined(separator: ", ")) and \(last)"
  }
  return "\(names.prefix(most).joined(separator: ", ")) and \(names.count - most) more"
}
