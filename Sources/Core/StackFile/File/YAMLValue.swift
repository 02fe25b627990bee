public import MessagePack
import Stage
import Yams

/// A value of a YAML file with its position.
///
/// Scalars stay text: only the code that declares a key knows whether `no` is text or a boolean.
public struct YAMLValue: Hashable, Sendable {
  public enum Content: Hashable, Sendable {
    case text(String, isQuoted: Bool)
    case list([YAMLValue])
    case map([Entry])
  }

  /// One `key: value`.
  public struct Entry: Hashable, Sendable {
    public var key: Located<String>
    public var value: YAMLValue

    public init(_ key: Located<String>, _ value: YAMLValue) {
      self.key = key
      self.value = value
    }
  }

  public var content: Content
  public var place: Place

  public init(_ content: Content, at place: Place) {
    self.content = content
    self.place = place
  }

  /// Whether there is no value here: `key:` alone, `~`, `null`.
  public var isNothing: Bool {
    guard case .text(let text, isQuoted: false) = content else { return false }
    return ["", "~", "null"].contains(text)
  }

  public var text: String? {
    guard case .text(let text, _) = content, !isNothing else { return nil }
    return text
  }

  public var entries: [Entry] {
    guard case .map(let entries) = content else { return [] }
    return entries
  }

  public var items: [YAMLValue] {
    guard case .list(let items) = content else { return [] }
    return items
  }

  public subscript(key: String) -> YAMLValue? { entries.first { $0.key.value == key }?.value }

  /// The boolean for `true` and similar words; nil for a quoted word.
  public var bool: Bool? {
    guard case .text(let text, isQuoted: false) = content else { return nil }
    switch text.lowercased() {
    case "true", "yes", "on": return true
    case "false", "no", "off": return false
    default: return nil
    }
  }

  public var int: Int? {
    guard case .text(let text, isQuoted: false) = content else { return nil }
    return Int(text)
  }

  public var double: Double? {
    guard case .text(let text, isQuoted: false) = content, text.first?.isLetter == false,
      let number = Double(text), number.isFinite
    else { return nil }
    return number
  }

  /// The name of its kind for people.
  public var kind: String {
    switch content {
    case .text: isNothing ? "nothing" : "\"\(text ?? "")\""
    case .list: "a list"
    case .map: "a map"
    }
  }
}

extension YAMLValue {
  /// Maximum number of values of a file after its aliases are followed.
  static let maximumCount = 100_000
  static let maximumDepth = 64

  /// Parses a YAML document.
  ///
  /// - Throws: `StackProblem` for a text that is not YAML, empty, or too large.
  public init(parsing yaml: String) throws(StackProblem) {
    if let place = YAMLKeys.firstNonScalarKey(of: yaml) {
      throw StackProblem("a key must be a plain word", at: place)
    }
    let root: Node?
    do {
      root = try Yams.compose(yaml: yaml)
    } catch {
      throw Self.problem(error)
    }
    guard let root else {
      throw StackProblem("the file is empty: it needs at least a name and nodes")
    }
    var budget = Self.maximumCount
    self = try Self.value(root, depth: 0, budget: &budget)
  }

  private static func value(
    _ node: Node, depth: Int, budget: inout Int
  ) throws(StackProblem) -> YAMLValue {
    let place = place(node)
    budget -= 1
    guard budget > 0, depth < maximumDepth else {
      throw StackProblem("the file is too large or nested too deeply for a stack file", at: place)
    }
    switch node {
    case .scalar(let scalar):
      let isQuoted = scalar.style != .plain && scalar.style != .any
      return YAMLValue(.text(scalar.string, isQuoted: isQuoted), at: place)
    case .sequence(let sequence):
      var items: [YAMLValue] = []
      for item in sequence { items.append(try value(item, depth: depth + 1, budget: &budget)) }
      return YAMLValue(.list(items), at: place)
    case .mapping(let mapping):
      return YAMLValue(
        .map(try entries(mapping, depth: depth, budget: &budget)), at: place)
    case .alias:
      throw StackProblem("this alias refers to nothing", at: place)
    }
  }

  private static func entries(
    _ mapping: Node.Mapping, depth: Int, budget: inout Int
  ) throws(StackProblem) -> [Entry] {
    var entries: [Entry] = []
    var merged: [Entry] = []
    for (key, node) in mapping {
      guard let name = key.scalar?.string else {
        throw StackProblem("a key must be a plain word", at: place(key))
      }
      let value = try value(node, depth: depth + 1, budget: &budget)
      if name == "<<" {
        merged += value.entries + value.items.flatMap(\.entries)
      } else {
        entries.append(Entry(Located(name, at: place(key)), value))
      }
    }
    for entry in merged where !entries.contains(where: { $0.key.value == entry.key.value }) {
      entries.append(entry)
    }
    return entries
  }

  private static func place(_ node: Node) -> Place {
    node.mark.map { Place(line: $0.line, column: $0.column) } ?? .start
  }

  private static func problem(_ error: any Error) -> StackProblem {
    switch error as? YamlError {
    case .scanner(_, let problem, let mark, _)?, .parser(_, let problem, let mark, _)?,
      .composer(_, let problem, let mark, _)?:
      return StackProblem(
        "this is not YAML: \(problem)", at: Place(line: mark.line, column: mark.column))
    case .reader(let problem, _, _, _)?:
      return StackProblem("this is not YAML: \(problem)")
    case .duplicatedKeysInMapping(let duplicates, let context)?:
      return StackProblem(
        "the key \(duplicates.map { "\"\($0)\"" }.joined(separator: ", ")) is given twice",
        at: Place(line: context.mark.line, column: context.mark.column))
    default:
      return StackProblem("this is not YAML: \(error)")
    }
  }
}

extension YAMLValue {
  /// Returns the value with each `${env:NAME}` in it replaced, at any depth; keys are unchanged.
  ///
  /// A reference that cannot be replaced is added to `problems`. In parameters and maps it stays
  /// unchanged, because the code that reads them reports it.
  func expanded(
    _ environment: [String: String], path: String, _ problems: inout [StackProblem]
  ) -> YAMLValue {
    var copy = self
    switch content {
    case .text(let text, let isQuoted):
      guard text.contains("${env:") else { return self }
      switch ParameterReading(folder: "", environment: environment).expand(text) {
      case .success(let value): copy.content = .text(value, isQuoted: isQuoted)
      case .failure(let failure):
        guard !path.contains(".params."), path != "map", !path.hasPrefix("map[") else {
          return self
        }
        problems.append(StackProblem(failure.message, path: path, at: place))
      }
    case .list(let items):
      copy.content = .list(
        items.enumerated().map {
          $0.element.expanded(environment, path: "\(path)[\($0.offset)]", &problems)
        })
    case .map(let entries):
      copy.content = .map(
        entries.map { entry in
          let key = entry.key.value
          let inner = path.isEmpty ? key : "\(path).\(key)"
          return Entry(entry.key, entry.value.expanded(environment, path: inner, &problems))
        })
    }
    return copy
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
