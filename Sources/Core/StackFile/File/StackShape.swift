import MessagePack

/// The valid contents at a place in a stack file, from which checks and JSON Schema are derived.
indirect enum StackShape: Hashable, Sendable {
  /// Any text; a number is taken as its digits.
  case text
  /// A name: `[a-z0-9][a-z0-9._-]{0,62}`.
  case name
  case choice([String])
  case bool
  case count(ClosedRange<Int>)
  /// Any finite number.
  case number
  case duration
  case size
  case bound(Bound.Unit)
  /// A range of processor numbers: `3`, `2-5`.
  case processors
  /// Any value.
  case any
  case list(StackShape)
  /// A map with arbitrary keys.
  case map(StackShape)
  case object([StackKey])
  /// The first shape that fits the value's own kind.
  case either([StackShape])

  /// A description of valid values.
  var expectation: String {
    switch self {
    case .text: "text"
    case .name: "a name of a-z 0-9 . _ - with at most 63 characters"
    case .choice(let words): words.joined(separator: " | ")
    case .bool: "true or false"
    case .count(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
    case .number: "a number"
    case .duration: "a time such as 5s, 500 ms, 2 min"
    case .size: "a size such as 512 MiB, 1 GiB"
    case .bound(let unit): "a bound such as \">= 2 \(unit.rawValue)\""
    case .processors: "processors such as 3 or 2-5, counted from 0"
    case .any: "a value"
    case .list(let item): "a list, each \(item.expectation)"
    case .map, .object: "a map"
    case .either(let shapes): shapes.map(\.expectation).joined(separator: ", or ")
    }
  }
}

/// A key that a map of a stack file may have.
struct StackKey: Hashable, Sendable {
  var name: String
  var shape: StackShape
  var about: String
  var isRequired = false
  /// Names of the same key in other tools, for which an error message suggests this key.
  var synonyms: [String] = []

  init(
    _ name: String, _ shape: StackShape, required isRequired: Bool = false,
    insteadOf synonyms: [String] = [], _ about: String
  ) {
    self.name = name
    self.shape = shape
    self.about = about
    self.isRequired = isRequired
    self.synonyms = synonyms
  }
}

extension StackShape {
  /// All problems of `value`.
  func problems(of value: YAMLValue, path: String) -> [StackProblem] {
    switch self {
    case .any: return []
    case .list(let item):
      guard case .list(let items) = value.content else { return [mismatch(value, path)] }
      return items.enumerated().flatMap { item.problems(of: $1, path: "\(path)[\($0)]") }
    case .map(let shape):
      guard case .map(let entries) = value.content else { return [mismatch(value, path)] }
      return entries.flatMap { shape.problems(of: $0.value, path: join(path, $0.key.value)) }
    case .object(let keys):
      guard case .map(let entries) = value.content else { return [mismatch(value, path)] }
      return Self.problems(of: entries, keys, at: value.place, path: path)
    case .either(let shapes):
      guard let shape = shapes.first(where: { $0.suits(value) }) else {
        return [mismatch(value, path)]
      }
      return shape.problems(of: value, path: path)
    default:
      return acceptsScalar(value) ? [] : [mismatch(value, path)]
    }
  }

  private static func problems(
    of entries: [YAMLValue.Entry], _ keys: [StackKey], at place: Place, path: String
  ) -> [StackProblem] {
    var problems: [StackProblem] = []
    for entry in entries {
      if let key = keys.first(where: { $0.name == entry.key.value }) {
        problems += key.shape.problems(of: entry.value, path: join(path, key.name))
      } else if path.isEmpty, entry.key.value.hasPrefix("x-") {
        // These keys hold values that several nodes share by YAML anchors.
        continue
      } else {
        problems.append(
          StackProblem(
            unknown(entry.key.value, keys), path: path, at: entry.key.place))
      }
    }
    let intended = entries.compactMap { meant($0.key.value, keys)?.name }
    for key in keys where key.isRequired && !entries.contains(where: { $0.key.value == key.name }) {
      // A misspelt key has already been reported.
      if intended.contains(key.name) { continue }
      problems.append(
        StackProblem("\"\(key.name)\" is missing: \(key.about)", path: path, at: place))
    }
    return problems
  }

  /// The key that an unknown name probably means; nil for a known key, or if no key is similar.
  private static func meant(_ name: String, _ keys: [StackKey]) -> StackKey? {
    guard !keys.contains(where: { $0.name == name }) else { return nil }
    let nearest = Suggestion.nearest(to: name, among: keys.map(\.name))
    return keys.first { $0.synonyms.contains(name.lowercased()) }
      ?? keys.first { $0.name == nearest }
  }

  private static func unknown(_ name: String, _ keys: [StackKey]) -> String {
    guard let key = meant(name, keys) else {
      return "unknown key \"\(name)\"; known are \(keys.map(\.name).joined(separator: ", "))"
    }
    return "unknown key \"\(name)\" (did you mean \"\(key.name)\": \(key.shape.expectation)?)"
  }

  /// Whether the value's own kind (text, list, map) is one of this shape's.
  private func suits(_ value: YAMLValue) -> Bool {
    switch (self, value.content) {
    case (.any, _), (.list, .list), (.map, .map), (.object, .map): true
    case (.list, _), (.map, _), (.object, _): false
    case (.either(let shapes), _): shapes.contains { $0.suits(value) }
    default: acceptsScalar(value)
    }
  }

  private func acceptsScalar(_ value: YAMLValue) -> Bool {
    guard let text = value.text else { return false }
    switch self {
    case .text: return true
    case .name: return Self.isName(text)
    case .choice(let words): return words.contains(text)
    case .bool: return value.bool != nil
    case .count(let range): return value.int.map(range.contains) ?? false
    case .number: return value.double != nil
    case .duration: return Quantity.durationS(text) != nil
    case .size: return Quantity.bytes(text) != nil
    case .bound(let unit): return Bound(text, unit) != nil
    case .processors: return Quantity.processors(text) != nil
    case .any: return true
    case .list, .map, .object, .either: return false
    }
  }

  private func mismatch(_ value: YAMLValue, _ path: String) -> StackProblem {
    var message = "expected \(expectation), found \(value.kind)"
    if case .choice(let words) = self, let text = value.text,
      let nearest = Suggestion.nearest(to: text, among: words)
    {
      message += " (did you mean \"\(nearest)\"?)"
    }
    return StackProblem(message, path: path, at: value.place)
  }

  static func isName(_ text: String) -> Bool {
    guard let first = text.utf8.first, text.utf8.count <= 63 else { return false }
    let isAlphanumeric = { (byte: UInt8) in
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
    return isAlphanumeric(first)
      && text.utf8.allSatisfy { isAlphanumeric($0) || "._-".utf8.contains($0) }
  }
}

/// Joins keys of a path with a dot.
func join(_ path: String, _ key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }
