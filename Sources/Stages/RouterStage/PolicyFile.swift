import Foundation
import MessagePack
import Messages
import Route
import RouteWire
import Stage

/// Reads the initial routing policy of a router: JSON with the fields of `route_policy`.
enum PolicyFile {
  /// - Throws: `StageFailure` that names the file and the field.
  static func read(_ path: String) throws(StageFailure) -> RoutePolicy {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw StageFailure("policy: \(path) cannot be read")
    }
    return try policy(Array(data), path: path)
  }

  static func policy(_ text: [UInt8], path: String) throws(StageFailure) -> RoutePolicy {
    let value: JSONValue
    do {
      value = try JSONDecoder().decode(JSONValue.self, from: Data(text))
    } catch {
      throw StageFailure("policy: \(path) is not JSON: \(error)")
    }
    guard case .object(let fields) = value else {
      throw StageFailure("policy: \(path) must contain one JSON object")
    }
    let known = ["avoid", "avoid_countries", "wishes", "traffic", "speed_cap_mps"]
    if let unknown = fields.keys.sorted().first(where: { !known.contains($0) }) {
      throw StageFailure(
        "policy: \(path): \(unknown) is not a field; the fields are \(known.joined(separator: ", "))"
      )
    }
    var packer = Packer()
    value.pack(into: &packer)
    let policy: RoutePolicy
    do {
      policy = RoutePolicy(wire: try WireRoutePolicy(decoding: packer.bytes))
    } catch {
      let field = error.path.isEmpty ? "" : "\(error.path): "
      throw StageFailure("policy: \(path): \(field)\(error.message)")
    }
    if let fault = policy.fault {
      throw StageFailure("policy: \(path): \(fault.field): \(fault.sentence)")
    }
    return policy
  }
}

/// A JSON value that is encoded as MessagePack.
private indirect enum JSONValue: Decodable {
  case null
  case bool(Bool)
  case int(Int64)
  case number(Double)
  case text(String)
  case list([JSONValue])
  case object([String: JSONValue])

  init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if value.decodeNil() {
      self = .null
    } else if let bool = try? value.decode(Bool.self) {
      self = .bool(bool)
    } else if let int = try? value.decode(Int64.self) {
      self = .int(int)
    } else if let number = try? value.decode(Double.self) {
      self = .number(number)
    } else if let text = try? value.decode(String.self) {
      self = .text(text)
    } else if let list = try? value.decode([JSONValue].self) {
      self = .list(list)
    } else {
      self = .object(try value.decode([String: JSONValue].self))
    }
  }

  func pack(into packer: inout Packer) {
    switch self {
    case .null: packer.packNil()
    case .bool(let bool): packer.pack(bool)
    case .int(let int): packer.pack(int)
    case .number(let number): packer.pack(number)
    case .text(let text): packer.pack(text)
    case .list(let list):
      packer.packArrayHeader(list.count)
      for value in list { value.pack(into: &packer) }
    case .object(let fields):
      packer.packMapHeader(fields.count)
      for (key, value) in fields.sorted(by: { $0.key < $1.key }) {
        packer.pack(key)
        value.pack(into: &packer)
      }
    }
  }
}
