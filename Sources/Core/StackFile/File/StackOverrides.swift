import MessagePack

/// The changes that the command line makes to a stack file.
public struct StackOverrides: Hashable, Sendable {
  /// Settings of the form `node.param=value`.
  public var settings: [String] = []
  /// Only these nodes start; empty for all.
  public var only: [String] = []
  /// These nodes do not start.
  public var without: [String] = []

  public init(settings: [String] = [], only: [String] = [], without: [String] = []) {
    self.settings = settings
    self.only = only
    self.without = without
  }

  /// Line of problems that come from the command line.
  package static let place = Place(line: 0, column: 0)

  /// The nodes of `stack` that must not start.
  public func leftOut(of stack: StackFile) -> Set<String> {
    let names = Set(stack.nodes.map(\.name.value))
    return (only.isEmpty ? [] : names.subtracting(only)).union(names.intersection(without))
  }

  /// Changes `stack`; returns a problem for each change that is impossible.
  public func apply(to stack: inout StackFile) -> [StackProblem] {
    var problems: [StackProblem] = []
    // A node that could not be parsed has its own problem.
    let names = stack.nodes.map(\.name.value) + stack.unreadNodes
    for (option, given) in [("--only", only), ("--without", without)] {
      for name in given where !names.contains(name) {
        problems.append(
          Self.problem("\(option) \(name)", "there is no node \"\(name)\"", name, names))
      }
    }
    for setting in settings {
      if let problem = Self.apply(setting, to: &stack, names) { problems.append(problem) }
    }
    return problems
  }

  private static func apply(
    _ setting: String, to stack: inout StackFile, _ names: [String]
  ) -> StackProblem? {
    guard let equals = setting.firstIndex(of: "="),
      let dot = setting[..<equals].firstIndex(of: ".")
    else {
      return problem("--set \(setting)", "expected node.param=value", "", [])
    }
    let name = String(setting[..<dot])
    let key = Located(String(setting[setting.index(after: dot)..<equals]), at: place)
    let text = String(setting[setting.index(after: equals)...])
    let entry = YAMLValue.Entry(key, YAMLValue(.text(text, isQuoted: false), at: place))
    if name == "bus" {
      stack.bus.parameters.removeAll { $0.key.value == key.value }
      stack.bus.parameters.append(entry)
      return nil
    }
    guard let index = stack.nodes.firstIndex(where: { $0.name.value == name }) else {
      if stack.unreadNodes.contains(name) { return nil }
      return problem("--set \(setting)", "there is no node \"\(name)\"", name, names)
    }
    stack.nodes[index].parameters.removeAll { $0.key.value == key.value }
    stack.nodes[index].parameters.append(entry)
    return nil
  }

  private static func problem(
    _ path: String, _ message: String, _ word: String, _ words: [String]
  ) -> StackProblem {
    let nearest = Suggestion.nearest(to: word, among: words)
    return StackProblem(
      message + (nearest.map { " (did you mean \"\($0)\"?)" } ?? ""), path: path, at: place)
  }
}

extension StackFile {
  /// Gives the stack the name of the command line; returns the problem of an invalid one.
  package mutating func rename(_ name: String) -> StackProblem? {
    self.name = name
    guard !StackShape.isName(name) else { return nil }
    return StackProblem(
      "expected \(StackShape.name.expectation)", path: "--name \(name)", at: StackOverrides.place)
  }
}
