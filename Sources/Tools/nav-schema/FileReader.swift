import Yams

/// Reads one file's mapping: returns known keys, and reports the others with file and line.
struct MappingReader {
  let file: String
  let node: Node
  private let pairs: [(key: String, keyNode: Node, value: Node)]
  private var taken: Set<String> = []
  var problems: [Problem] = []

  init(_ node: Node, file: String) {
    self.file = file
    self.node = node
    guard let mapping = node.mapping else {
      pairs = []
      problems.append(Problem(place: Self.place(node, file), text: "expected a mapping"))
      return
    }
    pairs = mapping.map { ($0.key.string ?? "", $0.key, $0.value) }
  }

  static func place(_ node: Node, _ file: String) -> Place {
    Place(file: file, line: node.mark?.line ?? 1)
  }

  var place: Place { Self.place(node, file) }

  /// All pairs in order, for a mapping with arbitrary keys.
  var entries: [(key: String, place: Place, value: Node)] {
    pairs.map { ($0.key, Self.place($0.keyNode, file), $0.value) }
  }

  mutating func complain(_ text: String, _ at: Node? = nil) {
    problems.append(Problem(place: at.map { Self.place($0, file) } ?? place, text: text))
  }

  mutating func optional(_ key: String) -> Node? {
    taken.insert(key)
    return pairs.first { $0.key == key }?.value
  }

  mutating func text(_ key: String) -> String {
    guard let value = optional(key) else {
      complain("\"\(key)\" is missing")
      return ""
    }
    guard let text = value.scalar?.string else {
      complain("\"\(key)\" must be a string", value)
      return ""
    }
    return text
  }

  mutating func optionalText(_ key: String) -> String? {
    guard let value = optional(key) else { return nil }
    if value.scalar == nil { complain("\"\(key)\" must be a string", value) }
    return value.scalar?.string
  }

  mutating func number(_ key: String) -> Double? {
    guard let value = optional(key) else { return nil }
    guard let number = value.scalar.flatMap({ Double($0.string) }) else {
      complain("\"\(key)\" must be a number", value)
      return nil
    }
    return number
  }

  mutating func flag(_ key: String) -> Bool {
    guard let value = optional(key) else { return false }
    guard let flag = Bool(value.scalar?.string ?? "") else {
      complain("\"\(key)\" must be true or false", value)
      return false
    }
    return flag
  }

  mutating func texts(_ key: String) -> [String] {
    guard let value = optional(key) else { return [] }
    guard let items = value.sequence else {
      complain("\"\(key)\" must be a list", value)
      return []
    }
    return items.map { $0.scalar?.string ?? "" }
  }

  /// `4 KiB` or `1 MiB` in bytes.
  mutating func size(_ key: String) -> Int {
    let parts = text(key).split(separator: " ")
    let units = ["B": 1, "KiB": 1024, "MiB": 1024 * 1024]
    guard parts.count == 2, let number = Int(parts[0]), let unit = units[String(parts[1])] else {
      complain("\"\(key)\" must be a size such as 4 KiB or 1 MiB", optional(key))
      return 0
    }
    return number * unit
  }

  /// Reports each key that was not read.
  mutating func finish() {
    for pair in pairs where !taken.contains(pair.key) {
      let known = taken.sorted().joined(separator: ", ")
      complain("unknown key \"\(pair.key)\"; known here: \(known)", pair.keyNode)
    }
  }
}
