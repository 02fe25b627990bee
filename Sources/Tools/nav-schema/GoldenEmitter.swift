import Foundation

/// Writes each example as MessagePack and as JSON, as test data for other implementations.
struct GoldenEmitter {
  let contract: Contract

  /// File name in Protocols/examples/ -> content.
  func files() -> [String: Data] {
    var files: [String: Data] = [:]
    let messages =
      contract.topics.map { ($0.structure.name, $0.structure) }
      + contract.calls.flatMap { [($0.request.name, $0.request), ($0.reply.name, $0.reply)] }
      + contract.operations.map { ("control/\($0.name)", $0.structure) }
    for (name, message) in messages {
      guard let value = value(of: message) else { continue }
      files["\(name).msgpack"] = Data(value.messagePack)
      files["\(name).json"] = Data((value.json() + "\n").utf8)
    }
    return files
  }

  /// The example of a message, or of the structure that provides its fields.
  func value(of structure: Structure) -> Value? {
    guard let example = structure.example else {
      return structure.body.flatMap { contract.structure($0) }.flatMap { value(of: $0) }
    }
    var reader = ExampleReader(contract: contract, file: example.place.file)
    return reader.value(example, of: structure)
  }
}
