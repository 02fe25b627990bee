import Foundation
import Messages

/// A request with exactly one fault, and how a server must refuse it.
struct BrokenRequest {
  var payload: MessagePackValue
  /// Path of the field to blame.
  var path: String
  var reason: DecodeError.Reason
}

/// Breaks the example of a request in every place that its JSON Schema describes.
///
/// The schema in Protocols/json-schema and the Swift decoder are both generated from the contract,
/// by different code: each checks the other.
struct RequestBreaker {
  typealias Schema = [String: Any]

  struct NoSchema: Error {
    var name: String
  }

  private let root: Schema
  private let definitions: Schema
  /// One value of each type, for places where the example has none.
  private let samples: [String: MessagePackValue]
  /// Names of the types that the message is made of.
  let types: Set<String>

  /// `schema` is the name of a message, as `route_calculate_request`.
  init(_ schema: String, samples: [String: MessagePackValue] = [:]) throws {
    let file = Examples.protocols.appendingPathComponent("json-schema/\(schema).json")
    guard let root = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? Schema
    else { throw NoSchema(name: schema) }
    self.root = root
    self.samples = samples
    definitions = root["$defs"] as? Schema ?? [:]
    types = Set(definitions.keys)
  }

  /// One value of each type that the examples contain.
  static func samples() throws -> [String: MessagePackValue] {
    var found: [String: MessagePackValue] = [:]
    for message in Examples.all {
      let breaker = try Self(message.name)
      breaker.collect(try MessagePackValue(decoding: message.bytes), breaker.root, into: &found)
    }
    return found
  }

  private func collect(
    _ value: MessagePackValue?, _ given: Schema, into found: inout [String: MessagePackValue]
  ) {
    let (schema, type) = resolved(given)
    if let type, let value { found[type] = value }
    switch value {
    case .array(let list)?: collect(list.first, schema["items"] as? Schema ?? [:], into: &found)
    case .map(let entries)?:
      let fields = schema["properties"] as? Schema ?? [:]
      for entry in entries {
        collect(entry.value, fields[entry.key] as? Schema ?? [:], into: &found)
      }
    default: return
    }
  }

  /// What a reference leads to, and the name of that type.
  private func resolved(_ schema: Schema) -> (Schema, type: String?) {
    guard let name = (schema["$ref"] as? String)?.split(separator: "/").last.map(String.init)
    else { return (schema, nil) }
    return (definitions[name] as? Schema ?? [:], name)
  }

  /// Breaks `value`, one fault at a time; adds the types that it meets to `met`.
  func broken(_ value: MessagePackValue, met: inout Set<String>) -> [BrokenRequest] {
    broken(value, root, at: "", met: &met)
  }

  private func broken(
    _ value: MessagePackValue?, _ given: Schema, at path: String, met: inout Set<String>
  ) -> [BrokenRequest] {
    let (schema, type) = resolved(given)
    var value = value
    if let type {
      // Once each: the example has no value here, and another place has shown this type.
      if value == nil, !met.contains(type) { value = samples[type] }
      if value != nil { met.insert(type) }
    }
    switch schema["type"] as? String {
    case "object":
      let wrong = path.isEmpty ? [] : [wrongType(.int(1), path)]
      if let inner = schema["additionalProperties"] as? Schema {
        return wrong + entries(value, inner, path, &met)
      }
      // Bytes stand in JSON as an object with one key.
      guard schema["x-encoding"] == nil else { return wrong }
      return wrong + fields(value, schema, path, &met)
    case "array":
      var found = [wrongType(.int(1), path)]
      var list: [MessagePackValue] = []
      if case .array(let given)? = value { list = given }
      for one in broken(list.first, schema["items"] as? Schema ?? [:], at: "\(path)[0]", met: &met)
      {
        found.append(one.wrapped { .array([$0] + list.dropFirst()) })
      }
      return found
    case "string": return [wrongType(.int(1), path)]
    case "boolean": return [wrongType(.int(1), path)]
    case "integer":
      return [wrongType(.string("1"), path), wrongType(.double(1.5), path)]
        + outOfRange(schema, path) { .int(Int64($0)) }
    case "number":
      return [wrongType(.string("1"), path)]
        + [Double.nan, .infinity].map {
          BrokenRequest(payload: .double($0), path: path, reason: .outOfRange)
        } + outOfRange(schema, path) { .double($0) }
    default:
      guard schema["enum"] != nil else { return [] }
      return [
        wrongType(.int(1), path),
        BrokenRequest(payload: .string("no_such_word"), path: path, reason: .unknownWord),
      ]
    }
  }

  private func fields(
    _ value: MessagePackValue?, _ schema: Schema, _ path: String, _ met: inout Set<String>
  ) -> [BrokenRequest] {
    guard case .map(let entries)? = value else { return [] }
    func place(_ name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }
    func with(_ name: String, _ value: MessagePackValue) -> MessagePackValue {
      guard let index = entries.firstIndex(where: { $0.key == name }) else {
        return .map(entries + [.init(name, value)])
      }
      var changed = entries
      changed[index].value = value
      return .map(changed)
    }
    let unknown = "no_such_field"
    var found = [.int(1), .null].map { (value: MessagePackValue) in
      BrokenRequest(
        payload: .map([.init(unknown, value)] + entries), path: place(unknown),
        reason: .unknownField)
    }
    for name in schema["required"] as? [String] ?? [] {
      found.append(
        BrokenRequest(
          payload: .map(entries.filter { $0.key != name }), path: place(name),
          reason: .missingField))
    }
    for (name, property) in schema["properties"] as? Schema ?? [:] {
      let old = entries.first { $0.key == name }?.value
      for one in broken(old, property as? Schema ?? [:], at: place(name), met: &met) {
        found.append(one.wrapped { with(name, $0) })
      }
    }
    return found
  }

  private func entries(
    _ value: MessagePackValue?, _ schema: Schema, _ path: String, _ met: inout Set<String>
  ) -> [BrokenRequest] {
    guard case .map(let entries)? = value else { return [] }
    return entries.indices.flatMap { index in
      broken(entries[index].value, schema, at: "\(path).\(entries[index].key)", met: &met).map {
        $0.wrapped { value in
          var changed = entries
          changed[index].value = value
          return .map(changed)
        }
      }
    }
  }

  private func wrongType(_ value: MessagePackValue, _ path: String) -> BrokenRequest {
    BrokenRequest(payload: value, path: path, reason: .wrongType)
  }

  private func outOfRange(
    _ schema: Schema, _ path: String, _ value: (Double) -> MessagePackValue
  ) -> [BrokenRequest] {
    let bounds = [
      (schema["minimum"] as? NSNumber).map { $0.doubleValue - 1 },
      (schema["maximum"] as? NSNumber).map { $0.doubleValue + 1 },
    ]
    return bounds.compactMap(\.self).map {
      BrokenRequest(payload: value($0), path: path, reason: .outOfRange)
    }
  }
}

extension BrokenRequest {
  /// The fault inside the value that `wrap` puts around it.
  fileprivate func wrapped(_ wrap: (MessagePackValue) -> MessagePackValue) -> BrokenRequest {
    BrokenRequest(payload: wrap(payload), path: path, reason: reason)
  }
}
