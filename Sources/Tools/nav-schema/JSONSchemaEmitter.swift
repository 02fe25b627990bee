/// Writes JSON Schema (2020-12), one self-contained file a message; units stand as `x-unit`.
struct JSONSchemaEmitter {
  let contract: Contract

  /// File name in Protocols/json-schema/ -> text.
  func files() -> [String: String] {
    var files: [String: String] = [:]
    for topic in contract.topics {
      files["\(topic.structure.name).json"] = document(topic.structure, version: topic.version)
    }
    for call in contract.calls {
      for part in [call.request, call.reply] {
        files["\(part.name).json"] = document(part, version: call.version)
      }
    }
    return files
  }

  private func document(_ structure: Structure, version: String) -> String {
    var pairs: [Value.Pair] = [
      .init(key: "$schema", value: .string("https://json-schema.org/draft/2020-12/schema")),
      .init(key: "$id", value: .string("\(structure.name)/\(version)")),
      .init(key: "title", value: .string(structure.name)),
    ]
    pairs += object(structure)
    let needed = references(structure)
    if !needed.isEmpty {
      let definitions = needed.map { name in
        Value.Pair(key: key(name), value: .map(contract.structure(name).map(object) ?? []))
      }
      pairs.append(.init(key: "$defs", value: .map(definitions)))
    }
    return Value.map(pairs).json() + "\n"
  }

  private func key(_ name: String) -> String { name.split(separator: "/").joined(separator: "_") }

  /// Names of all structures that one is made of, itself not among them.
  private func references(_ structure: Structure) -> [String] {
    var found: Set<String> = []
    var queue = [structure]
    while let next = queue.popLast() {
      for field in contract.resolved(next).fields {
        guard case .structure(let name) = field.type.innermost, found.insert(name).inserted,
          let inner = contract.structure(name)
        else { continue }
        queue.append(inner)
      }
    }
    return found.sorted()
  }

  private func object(_ outer: Structure) -> [Value.Pair] {
    let structure = contract.resolved(outer)
    let properties = structure.fields.map {
      Value.Pair(key: $0.name, value: .map(property($0)))
    }
    let required = structure.fields.filter(\.isRequired).map { Value.string($0.name) }
    return [
      .init(key: "description", value: .string(outer.about)),
      .init(key: "type", value: .string("object")),
      .init(key: "properties", value: .map(properties)),
      .init(key: "required", value: .list(required)),
    ]
  }

  private func property(_ field: Field) -> [Value.Pair] {
    var pairs: [Value.Pair] = [.init(key: "description", value: .string(field.about))]
    pairs += type(field.type, field)
    if let value = field.defaultValue { pairs.append(.init(key: "default", value: value)) }
    if let unit = field.unit { pairs.append(.init(key: "x-unit", value: .string(unit))) }
    return pairs
  }

  private func type(_ type: FieldType, _ field: Field?) -> [Value.Pair] {
    func named(_ name: String) -> [Value.Pair] { [.init(key: "type", value: .string(name))] }
    switch type {
    case .bool: return named("boolean")
    case .f64: return named("number") + bounds(field)
    case .i64, .u64:
      var pairs = named("integer") + bounds(field)
      if case .u64 = type, field?.minimum == nil {
        pairs.append(.init(key: "minimum", value: .int(0)))
      }
      return pairs
    case .stamp:
      return named("integer") + [.init(key: "x-unit", value: .string("ns since 1970 UTC"))]
    case .str: return named("string")
    case .bytes: return bytes("bytes")
    case .packed: return bytes("zigzag differences as varints")
    case .words(let set):
      let words = set.values.map { Value.string($0) }
      return set.isOpen
        ? named("string") + [.init(key: "x-known", value: .list(words))]
        : [.init(key: "enum", value: .list(words))]
    case .structure(let name): return [.init(key: "$ref", value: .string("#/$defs/\(key(name))"))]
    case .list(let item, let hasGaps):
      var items = Value.map(self.type(item, nil))
      if hasGaps {
        items = .map([.init(key: "anyOf", value: .list([items, .map(named("null"))]))])
      }
      return named("array") + [.init(key: "items", value: items)]
    case .map(let item):
      return named("object")
        + [.init(key: "additionalProperties", value: .map(self.type(item, nil)))]
    }
  }

  /// Bytes as JSON shows them.
  private func bytes(_ encoding: String) -> [Value.Pair] {
    let digits: [Value.Pair] = [
      .init(key: "type", value: .string("string")),
      .init(key: "pattern", value: .string("^([0-9a-f]{2})*$")),
    ]
    return [
      .init(key: "type", value: .string("object")),
      .init(
        key: "properties", value: .map([.init(key: "$bytes", value: .map(digits))])),
      .init(key: "required", value: .list([.string("$bytes")])),
      .init(key: "x-encoding", value: .string(encoding)),
    ]
  }

  private func bounds(_ field: Field?) -> [Value.Pair] {
    var pairs: [Value.Pair] = []
    if let low = field?.minimum { pairs.append(.init(key: "minimum", value: number(low))) }
    if let high = field?.maximum { pairs.append(.init(key: "maximum", value: number(high))) }
    return pairs
  }

  private func number(_ value: Double) -> Value {
    value == value.rounded() ? .int(Int64(value)) : .double(value)
  }
}
