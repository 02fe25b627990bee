/// One process of a stack: a node, or one replica of it.
public struct StackProcess: Hashable, Sendable {
  /// Its name, `matcher`; `matcher.2` for the third of its replicas.
  public var name: String
  /// The node of the file.
  public var node: String
  /// The number of its own lane from the broker; nil for a node without replicas.
  public var lane: Int?

  public init(name: String, node: String, lane: Int? = nil) {
    self.name = name
    self.node = node
    self.lane = lane
  }
}

extension StackFile {
  /// The number of lanes that the broker has.
  public static let mostReplicas = 62
}

extension NodeSettings {
  /// The names of its processes.
  public var processNames: [String] {
    guard let replicas else { return [name.value] }
    return (0..<replicas.value).map { Self.replicaName(name.value, $0) }
  }

  package static func replicaName(_ node: String, _ number: Int) -> String { "\(node).\(number)" }

  /// The number at the end of the name of one of this node's replicas; nil for other names.
  func replicaNumber(_ process: String) -> Int? {
    guard replicas != nil, process.hasPrefix("\(name.value).") else { return nil }
    let digits = process.dropFirst(name.value.count + 1)
    guard let number = Int(digits), "\(number)" == digits else { return nil }
    return number
  }
}

extension [NodeSettings] {
  /// All processes in the order of the nodes, with lanes from 1.
  public var processes: [StackProcess] {
    var lane = 0
    return flatMap { node in
      node.processNames.map { name -> StackProcess in
        guard node.replicas != nil else { return StackProcess(name: name, node: node.name.value) }
        lane += 1
        return StackProcess(name: name, node: node.name.value, lane: lane)
      }
    }
  }

  /// Problems: nodes with the name of another's replica, and more replicas than the bus has lanes.
  var replicaProblems: [StackProblem] {
    let counts = compactMap(\.replicas?.value)
    let count = counts.reduce(0, +)
    var problems: [StackProblem] = []
    if counts.allSatisfy({ $0 <= StackFile.mostReplicas }), count > StackFile.mostReplicas,
      let place = last(where: { $0.replicas != nil })?.replicas?.place
    {
      problems.append(
        StackProblem(
          "\(count) replicas in total; a bus supports at most \(StackFile.mostReplicas)",
          path: "nodes",
          at: place))
    }
    return problems + nameProblems
  }

  private var nameProblems: [StackProblem] {
    flatMap { group in
      compactMap { node in
        guard group.replicaNumber(node.name.value) != nil else { return nil }
        return StackProblem(
          "\"\(node.name.value)\" is a name of replicas of \(group.name.value)", path: "nodes",
          at: node.name.place)
      }
    }
  }
}
