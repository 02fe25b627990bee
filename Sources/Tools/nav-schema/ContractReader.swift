import Foundation
import Yams

/// Reads the files of types, topics, calls and control operations.
///
/// It collects all errors instead of stopping at the first.
struct ContractReader {
  var contract = Contract()
  var problems: [Problem] = []
  private let root: URL

  init(root: URL) throws {
    self.root = root
    let typeFiles = try files("types")
    // Words first, because fields refer to them.
    for file in typeFiles where file.node.mapping?["values"] != nil { readWords(file) }
    for file in typeFiles where file.node.mapping?["values"] == nil { readType(file) }
    for file in try files("topics") { readTopic(file) }
    for file in try files("calls") { readCall(file) }
    let control = try files("control")
    for file in control where file.node.mapping?["record"] != nil { readRecord(file) }
    for file in control where file.node.mapping?["record"] == nil { readOperation(file) }
    resolveNames()
  }

  private struct File {
    var name: String
    var node: Node
    var stem: String
  }

  private func files(_ folder: String) throws -> [File] {
    let url = root.appendingPathComponent(folder)
    // An older contract does not have every folder.
    guard FileManager.default.fileExists(atPath: url.path) else { return [] }
    let names = try FileManager.default.contentsOfDirectory(atPath: url.path)
      .filter { $0.hasSuffix(".yaml") }.sorted()
    return try names.map { name in
      let text = try String(contentsOf: url.appendingPathComponent(name), encoding: .utf8)
      let shown = "\(root.lastPathComponent)/\(folder)/\(name)"
      do {
        guard let node = try Yams.compose(yaml: text) else {
          throw SchemaFailure("\(shown): empty")
        }
        return File(name: shown, node: node, stem: String(name.dropLast(5)))
      } catch let error as YamlError {
        throw SchemaFailure("\(shown): \(error)")
      }
    }
  }

  private mutating func readWords(_ file: File) {
    var reader = MappingReader(file.node, file: file.name)
    let name = named(reader.text("type"), file)
    contract.words[name] = WordSet(
      name: name, swiftName: "Wire" + upperCamel(name), about: reader.text("about"),
      values: reader.texts("values"), isOpen: reader.flag("open"), place: reader.place)
    close(&reader)
  }

  private mutating func readType(_ file: File) {
    var reader = MappingReader(file.node, file: file.name)
    let name = named(reader.text("type"), file)
    var structure = Structure(
      name: name, swiftName: "Wire" + upperCamel(name), about: reader.text("about"),
      place: reader.place)
    structure.isColumns = reader.flag("columns")
    read(&structure, reader.optional("fields"), &reader)
    structure.example = example(&reader)
    contract.types[name] = structure
    close(&reader)
  }

  private mutating func readTopic(_ file: File) {
    var reader = MappingReader(file.node, file: file.name)
    let name = reader.text("topic")
    let swiftName = reader.optionalText("struct") ?? upperCamel(wireName(name))
    if file.stem.drop(while: { $0 == "_" }) != wireName(name) {
      reader.complain("the file of topic \(name) must be called \(wireName(name)).yaml")
    }
    var structure = Structure(
      name: wireName(name), swiftName: swiftName, about: reader.text("about"), place: reader.place)
    structure.body = reader.optionalText("body")
    if structure.body == nil { read(&structure, reader.optional("fields"), &reader) }
    structure.example = example(&reader)
    let delivery = DeliveryClass(rawValue: reader.text("class"))
    if delivery == nil { reader.complain("\"class\" must be stream, state or event") }
    let writers = reader.text("writers")
    if writers != "one" && writers != "many" { reader.complain("\"writers\" must be one or many") }
    var rate = reader.optional("rate").map { MappingReader($0, file: file.name) }
    let topic = Topic(
      name: name, version: reader.text("version"), deliveryClass: delivery ?? .stream,
      isSeenOneByOne: reader.flag("one_by_one"), key: reader.optionalText("keyed"),
      expectHz: rate?.number("expect_hz"),
      staleS: rate?.number("stale_s"), isPausing: rate?.flag("pauses") ?? false,
      follows: rate?.optionalText("follows"), maxSizeBytes: reader.size("max_size"),
      hasManyWriters: writers == "many", structure: structure)
    rate?.finish()
    problems += rate?.problems ?? []
    contract.topics.append(topic)
    close(&reader)
  }

  private mutating func readCall(_ file: File) {
    var reader = MappingReader(file.node, file: file.name)
    let name = reader.text("call")
    if file.stem != wireName(name) {
      reader.complain("the file of call \(name) must be called \(wireName(name)).yaml")
    }
    var examples = reader.optional("example").map { MappingReader($0, file: file.name) }
    if examples == nil { reader.complain("\"example\" is missing") }
    func part(_ word: String, _ reader: inout MappingReader, _ this: inout Self) -> Structure {
      var structure = Structure(
        name: wireName(name) + "_" + word, swiftName: upperCamel(wireName(name)) + upperCamel(word),
        about: "The \(word) of the call `\(name)`.", place: reader.place)
      let node = reader.optional(word)
      structure.body = node?.scalar?.string
      if structure.body == nil { this.read(&structure, node, &reader) }
      structure.example = examples?.optional(word).map {
        Example(node: $0, place: MappingReader.place($0, file.name))
      }
      return structure
    }
    let request = part("request", &reader, &self)
    let reply = part("reply", &reader, &self)
    contract.calls.append(
      Call(
        name: name, version: reader.text("version"), about: reader.text("about"),
        server: reader.text("server"), timeoutS: reader.number("timeout_s") ?? 10,
        maxSizeBytes: reader.size("max_size"), errors: reader.texts("errors"), request: request,
        reply: reply, place: reader.place))
    close(&reader)
  }

  private mutating func readRecord(_ file: File) {
    var reader = MappingReader(file.node, file: file.name)
    let name = named(reader.text("record"), file)
    var structure = Structure(
      name: name, swiftName: reader.text("swift"), about: reader.text("about"),
      place: reader.place)
    structure.isPositional = reader.flag("list")
    read(&structure, reader.optional("keys"), &reader)
    structure.example = example(&reader)
    contract.records[name] = structure
    close(&reader)
  }

  private mutating func readOperation(_ file: File) {
    var reader = MappingReader(file.node, file: file.name)
    let name = named(reader.text("op"), file)
    var structure = Structure(
      name: "control_\(name)", swiftName: upperCamel(name), about: reader.text("about"),
      place: reader.place)
    structure.operation = name
    if let keys = reader.optional("keys") { read(&structure, keys, &reader) }
    structure.example = example(&reader)
    let sender = ControlOperation.Sender(rawValue: reader.text("from"))
    if sender == nil { reader.complain("\"from\" must be node, broker or both") }
    contract.operations.append(
      ControlOperation(
        name: name, section: reader.text("section"), sender: sender ?? .both,
        payload: reader.optionalText("payload"), structure: structure))
    close(&reader)
  }

  private func example(_ reader: inout MappingReader) -> Example? {
    reader.optional("example").map {
      Example(node: $0, place: MappingReader.place($0, reader.file))
    }
  }

  private mutating func named(_ name: String, _ file: File) -> String {
    if name != file.stem {
      problems.append(
        Problem(
          place: Place(file: file.name, line: 1), text: "the file of \(name) must be named after it"
        ))
    }
    return name
  }

  private mutating func close(_ reader: inout MappingReader) {
    reader.finish()
    problems += reader.problems
  }

  private mutating func read(
    _ structure: inout Structure, _ node: Node?, _ reader: inout MappingReader
  ) {
    guard let node else {
      reader.complain("\"fields\" is missing")
      return
    }
    var reading = FieldReader(contract: contract)
    structure.fields = reading.fields(node, file: reader.file, owner: structure.swiftName)
    problems += reading.problems
  }

  /// Reports fields and bodies that name a missing structure.
  private mutating func resolveNames() {
    let messages =
      Array(contract.types.values) + contract.topics.map(\.structure)
      + contract.calls.flatMap { [$0.request, $0.reply] }
    let control = Array(contract.records.values) + contract.operations.map(\.structure)
    for structure in messages + control {
      let isControl = structure.operation != nil || contract.records[structure.name] != nil
      if let body = structure.body, contract.structure(body) == nil {
        problems.append(Problem(place: structure.place, text: "there is no type \"\(body)\""))
      }
      for field in structure.fields {
        guard case .structure(let name) = field.type.innermost else { continue }
        // The types of messages are in another module than those of the control socket.
        let isThere =
          isControl ? contract.records[name] != nil : contract.structure(name) != nil
        if !isThere || (!isControl && contract.records[name] != nil) {
          problems.append(
            Problem(place: field.place, text: "\(field.name): there is no type \"\(name)\""))
        }
      }
    }
  }
}

/// The reason why the tool cannot continue: a sentence.
struct SchemaFailure: Error, CustomStringConvertible {
  var description: String
  init(_ description: String) { self.description = description }
}
