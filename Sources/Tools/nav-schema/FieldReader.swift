import Yams

/// Reads the fields of a structure.
struct FieldReader {
  let contract: Contract
  var problems: [Problem] = []

  init(contract: Contract) { self.contract = contract }

  mutating func fields(_ node: Node, file: String, owner: String) -> [Field] {
    let reader = MappingReader(node, file: file)
    problems += reader.problems
    return reader.entries.map { field($0.key, $0.place, $0.value, file, owner) }
  }

  private mutating func field(
    _ name: String, _ place: Place, _ node: Node, _ file: String, _ owner: String
  ) -> Field {
    var reader = MappingReader(node, file: file)
    let word = reader.text("type")
    let type = type(word, name, owner, &reader)
    var field = Field(
      name: name, type: type, unit: reader.optionalText("unit"), minimum: reader.number("min"),
      maximum: reader.number("max"), about: reader.text("about"),
      isOptional: reader.flag("optional"), defaultValue: nil, place: place)
    if let range = reader.optional("range") {
      let bounds = range.sequence?.compactMap { Double($0.scalar?.string ?? "") } ?? []
      if bounds.count == 2 {
        (field.minimum, field.maximum) = (bounds[0], bounds[1])
      } else {
        reader.complain("\"range\" must be two numbers", range)
      }
    }
    if let node = reader.optional("default") {
      var checker = ExampleReader(contract: contract, file: file)
      field.defaultValue = checker.value(node, field)
      problems += checker.problems
    }
    reader.finish()
    problems += reader.problems
    return field
  }

  private func type(
    _ word: String, _ name: String, _ owner: String, _ reader: inout MappingReader
  ) -> FieldType {
    switch word {
    case "bool": return .bool
    case "i64": return .i64
    case "u64": return .u64
    case "f64": return .f64
    case "str": return .str
    case "bytes": return .bytes
    case "stamp": return .stamp
    case "packed": return .packed
    case "list":
      let item = type(reader.text("of"), name, owner, &reader)
      return .list(item, hasGaps: reader.flag("nullable"))
    case "map": return .map(type(reader.text("of"), name, owner, &reader))
    case "enum":
      return .words(
        WordSet(
          name: "", swiftName: upperCamel(name), about: "", values: reader.texts("values"),
          isOpen: reader.flag("open"), place: reader.place))
    default:
      if let words = contract.words[word] { return .words(words) }
      return .structure(word)
    }
  }
}
