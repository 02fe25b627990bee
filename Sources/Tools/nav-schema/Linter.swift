/// The rules of the contract that go beyond syntax.
struct Linter {
  let contract: Contract

  func problems() -> [Problem] {
    var problems = prefixes() + control()
    for structure in structures {
      problems += fields(structure) + examples(structure)
    }
    for words in contract.words.values { problems += check(words) }
    return problems
  }

  private var structures: [Structure] {
    Array(contract.types.values) + contract.topics.map(\.structure)
      + contract.calls.flatMap { [$0.request, $0.reply] }
      + Array(contract.records.values) + contract.operations.map(\.structure)
  }

  /// The rules of control/ alone: plain values, and no key with the name of the operation's word.
  private func control() -> [Problem] {
    (Array(contract.records.values) + contract.operations.map(\.structure)).flatMap { structure in
      structure.fields.flatMap { field -> [Problem] in
        var problems: [Problem] = []
        if field.name == "op", structure.operation != nil {
          problems.append(complaint(field, "this key is the name of the operation"))
        }
        if case .words = field.type.innermost {
          problems.append(complaint(field, "a control message has no enumerations: use str"))
        }
        if field.defaultValue != nil {
          problems.append(complaint(field, "a key of a control message must not have a default"))
        }
        return problems
      }
    }
  }

  /// A subscription is a prefix: no topic may start with another one.
  private func prefixes() -> [Problem] {
    var problems: [Problem] = []
    let leaves = contract.topics.map { (literal($0.name), $0) }
    for (leaf, topic) in leaves {
      for (other, longer) in leaves where longer.name != topic.name && other.hasPrefix(leaf) {
        problems.append(
          Problem(
            place: longer.structure.place,
            text:
              "topic \(longer.name) begins with topic \(topic.name): subscribers of the shorter name receive both"
          ))
      }
      if let other = topic.follows, !contract.topics.contains(where: { $0.name == other }) {
        problems.append(
          Problem(
            place: topic.structure.place, text: "rate follows \"\(other)\", which is not a topic"))
      }
      if topic.key != nil, topic.deliveryClass != .state {
        problems.append(
          Problem(place: topic.structure.place, text: "only a state may have a key"))
      }
    }
    return problems
  }

  private func literal(_ name: String) -> String {
    String(name.prefix { $0 != "<" })
  }

  private func fields(_ structure: Structure) -> [Problem] {
    var problems: [Problem] = []
    let most = structure.operation == nil ? 64 : 63
    if structure.fields.count > most {
      problems.append(Problem(place: structure.place, text: "more than \(most) fields"))
    }
    for field in structure.fields {
      problems += name(field) + unit(field)
      if field.isOptional, field.defaultValue != nil {
        problems.append(complaint(field, "an optional field must not have a default"))
      }
      if case .list = field.type, field.isOptional, structure.operation == nil {
        problems.append(complaint(field, "a list must not be optional: use the empty list"))
      }
      if case .words(let set) = field.type.innermost { problems += check(set) }
    }
    return problems
  }

  private func complaint(_ field: Field, _ text: String) -> Problem {
    Problem(place: field.place, text: "\(field.name): \(text)")
  }

  private func name(_ field: Field) -> [Problem] {
    let isSnake =
      field.name.first?.isLowercase == true
      && field.name.allSatisfy { $0.isLowercase || $0.isNumber || $0 == "_" }
    return isSnake ? [] : [complaint(field, "a key must be snake_case")]
  }

  /// Suffixes of the key that a unit requires.
  private static let suffixes = [
    "m": "m", "s": "s", "ms": "ms", "m/s": "mps", "mm/s": "mmps", "deg": "deg", "t": "t",
    "bytes": "bytes",
  ]

  private func unit(_ field: Field) -> [Problem] {
    if case .stamp = field.type {
      return field.name.hasSuffix("_ns")
        ? [] : [complaint(field, "the key of a stamp must end in _ns")]
    }
    guard let unit = field.unit else {
      guard case .f64 = field.type.innermost else { return [] }
      return [complaint(field, "a float needs a unit; 1 for dimensionless numbers")]
    }
    guard let suffix = Self.suffixes[unit] else { return [] }
    let isNamed = field.name == suffix || field.name.hasSuffix("_\(suffix)")
    return isNamed
      ? [] : [complaint(field, "its unit is \(unit), so its key must end in _\(suffix)")]
  }

  private func check(_ words: WordSet) -> [Problem] {
    var problems: [Problem] = []
    if words.values.isEmpty { problems.append(Problem(place: words.place, text: "no values")) }
    if Set(words.values).count < words.values.count {
      problems.append(Problem(place: words.place, text: "a value is listed twice"))
    }
    if words.isOpen, !words.values.contains("other") {
      problems.append(Problem(place: words.place, text: "open values must include other"))
    }
    return problems
  }

  private func examples(_ structure: Structure) -> [Problem] {
    guard let example = structure.example else {
      guard structure.body == nil else { return [] }
      return [Problem(place: structure.place, text: "\(structure.name) has no example")]
    }
    var reader = ExampleReader(contract: contract, file: example.place.file)
    let value = reader.value(example, of: structure)
    guard structure.isColumns, case .map(let pairs) = value else { return reader.problems }
    let counts = Set(
      pairs.compactMap { pair -> Int? in
        if case .list(let items) = pair.value { return items.count }
        return nil
      })
    return counts.count < 2
      ? reader.problems
      : reader.problems + [Problem(place: example.place, text: "columns of unequal length")]
  }
}
