import Yams

/// Converts an example into the value that is sent, and checks it against the fields.
///
/// A text `$name` stands for the example of that type or topic.
struct ExampleReader {
  let contract: Contract
  let file: String
  var problems: [Problem] = []

  init(contract: Contract, file: String) {
    self.contract = contract
    self.file = file
  }

  private mutating func complain(_ text: String, _ node: Node) {
    problems.append(Problem(place: MappingReader.place(node, file), text: text))
  }

  mutating func value(_ example: Example, of structure: Structure) -> Value {
    value(example.node, of: structure)
  }

  private mutating func value(_ node: Node, of outer: Structure) -> Value {
    if let text = node.scalar?.string, text.hasPrefix("$") {
      return referenced(String(text.dropFirst()), node)
    }
    let structure = contract.resolved(outer)
    var reader = MappingReader(node, file: file)
    var pairs: [Value.Pair] = []
    if let operation = structure.operation {
      pairs.append(Value.Pair(key: "op", value: .string(operation)))
    }
    for field in structure.fields {
      if let inner = reader.optional(field.name) {
        pairs.append(Value.Pair(key: field.name, value: value(inner, field)))
      } else if let value = absent(field, node), structure.operation == nil || field.isRequired {
        pairs.append(Value.Pair(key: field.name, value: value))
      }
    }
    reader.finish()
    problems += reader.problems
    return structure.isPositional ? .list(pairs.map(\.value)) : .map(pairs)
  }

  private mutating func referenced(_ name: String, _ node: Node) -> Value {
    guard let structure = contract.structure(name), let example = structure.example else {
      complain("there is no example of \"\(name)\"", node)
      return .null
    }
    var reader = ExampleReader(contract: contract, file: example.place.file)
    let value = reader.value(example, of: structure)
    problems += reader.problems
    return value
  }

  private mutating func absent(_ field: Field, _ node: Node) -> Value? {
    if field.isOptional { return nil }
    if let value = field.defaultValue { return value }
    switch field.type {
    case .list: return .list([])
    case .map: return .map([])
    case .packed: return .bytes([])
    default:
      complain("\"\(field.name)\" is missing in the example", node)
      return nil
    }
  }

  mutating func value(_ node: Node, _ field: Field) -> Value {
    let value = value(node, field.type)
    let number: Double? =
      switch value {
      case .int(let number): Double(number)
      case .double(let number): number
      default: nil
      }
    if let number, number < field.minimum ?? -.infinity || number > field.maximum ?? .infinity {
      complain("\(field.name): \(number) is out of range", node)
    }
    return value
  }

  private mutating func value(_ node: Node, _ type: FieldType) -> Value {
    let text = node.scalar?.string ?? ""
    switch type {
    case .bool:
      if let value = Bool(text) { return .bool(value) }
    case .i64, .stamp:
      if let value = Int64(text) { return .int(value) }
    case .u64:
      if let value = Int64(text), value >= 0 { return .int(value) }
    case .f64:
      if let value = Double(text), value.isFinite { return .double(value) }
    case .str:
      if node.scalar != nil { return .string(text) }
    case .bytes:
      if let bytes = Self.hex(text) { return .bytes(bytes) }
    case .words(let set):
      if set.values.contains(text) { return .string(text) }
    case .packed:
      let numbers = node.sequence?.compactMap { Int64($0.scalar?.string ?? "") } ?? []
      if numbers.count == node.sequence?.count { return Value.packed(numbers) }
    case .structure(let name):
      if let structure = contract.structure(name) { return value(node, of: structure) }
    case .list(let item, let hasGaps):
      guard let nodes = node.sequence else { break }
      return .list(nodes.map { hasGaps && $0.scalar?.string == "null" ? .null : value($0, item) })
    case .map(let item):
      guard node.mapping != nil else { break }
      let pairs = MappingReader(node, file: file).entries
        .map { Value.Pair(key: $0.key, value: value($0.value, item)) }
      return .map(pairs.sorted { $0.key < $1.key })
    }
    complain("\"\(text)\" is not a valid \(type.title)", node)
    return .null
  }

  private static func hex(_ text: String) -> [UInt8]? {
    let digits = Array(text)
    guard digits.count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: digits.count, by: 2) {
      guard let byte = UInt8(String(digits[index...index + 1]), radix: 16) else { return nil }
      bytes.append(byte)
    }
    return bytes
  }
}
