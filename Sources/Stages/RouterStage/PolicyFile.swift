import Documents
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
    do throws(DocumentFault) {
      value = try JSONReader.value(text)
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
    let policy: RoutePolicy
    do {
      policy = RoutePolicy(wire: try WireRoutePolicy(decoding: MessagePackValue(value).encoded()))
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
